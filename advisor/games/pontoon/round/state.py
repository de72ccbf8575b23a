"""What lies on the table in a deal: stakes, cards face down and up, what is settled. Frozen values, no procedure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from advisor.games.cards import Card
from advisor.games.pontoon.bank import dealing_order
from advisor.games.pontoon.hand import Counts, Kind, count_values, is_pontoon, kind
from advisor.games.pontoon.pack import RunningPack
from advisor.games.pontoon.rules import PontoonRules
from advisor.games.pontoon.settlement import Outcome, Settlement


@dataclass(frozen=True, slots=True)
class Held:
    """One card of a hand."""

    card: Card | None
    """None while nobody who tells the table has seen its face."""
    up: bool = False
    """Whether it lies face up, so that everybody sees it."""
    fresh: bool = True
    """Whether it had not been seen since the shuffle when it was dealt."""


@dataclass(frozen=True, slots=True)
class PunterHand:
    """One hand of a punter and the chips on it."""

    stake: Fraction = Fraction(0)
    """The first stake; 0 before it is put down."""
    buys: tuple[Fraction, ...] = ()
    held: tuple[Held, ...] = ()
    """The cards in the order dealt."""
    from_split: bool = False
    stuck: bool = False
    settlement: Settlement | None = None
    """How the hand ended; None while its chips lie there."""

    @property
    def total_stake(self) -> Fraction:
        """All chips on the hand."""
        return self.stake + sum(self.buys, Fraction(0))

    @property
    def twisted(self) -> bool:
        """Whether a card was twisted, after which no more may be bought."""
        return len(self.held) - 2 > len(self.buys)

    @property
    def cards(self) -> tuple[Card, ...] | None:
        """The hand's cards where all are known, else None."""
        known = tuple(it.card for it in self.held if it.card is not None)
        return known if len(known) == len(self.held) else None

    @property
    def counts(self) -> Counts | None:
        """The hand by values where all its cards are known, else None."""
        return None if self.cards is None else count_values(self.cards)

    @property
    def shown(self) -> bool:
        """Whether every card lies face up."""
        return all(it.up for it in self.held)

    @property
    def up_cards(self) -> tuple[Card, ...]:
        """The cards that everybody sees."""
        return tuple(it.card for it in self.held if it.up and it.card is not None)


@dataclass(frozen=True, slots=True)
class Seat:
    """A punter, with his hands from left to right."""

    number: int
    hands: tuple[PunterHand, ...] = (PunterHand(),)


@dataclass(frozen=True, slots=True)
class Entry:
    """One amount that moved between a punter and the banker."""

    seat: int
    hand: int
    reason: Outcome
    amount: Fraction
    """What the punter gained: negative where the banker did."""


@dataclass(frozen=True, slots=True)
class RoundState:
    """A deal as it stands."""

    rules: PontoonRules
    banker: int
    """The banker's seat."""
    seats: tuple[Seat, ...]
    """The punters in the order in which they are dealt to and play."""
    pack: RunningPack
    banker_held: tuple[Held, ...] = ()
    stayed: bool = False
    called_off: bool = False
    cleared: bool = False
    ledger: tuple[Entry, ...] = ()
    """Every amount that moved, in order."""

    @property
    def order(self) -> tuple[int, ...]:
        """Every seat in dealing order, the banker last."""
        return (*dealing_order(self.banker, [it.number for it in self.seats]), self.banker)

    def seat(self, number: int) -> Seat | None:
        """The punter with this number, if there is one."""
        return next((it for it in self.seats if it.number == number), None)

    def hands(self) -> Iterator[tuple[Seat, int, PunterHand]]:
        """Every punter's hand in order of play, with its seat and its number in the seat."""
        return ((seat, number, hand) for seat in self.seats for number, hand in enumerate(seat.hands, 1))

    @property
    def banker_cards(self) -> tuple[Card, ...]:
        """The banker's cards that lie face up."""
        return tuple(it.card for it in self.banker_held if it.up and it.card is not None)

    @property
    def banker_pontoon(self) -> bool:
        """Whether the banker has turned up a pontoon."""
        return is_pontoon(count_values(self.banker_cards))

    @property
    def open_hands(self) -> tuple[PunterHand, ...]:
        """The hands that are not settled."""
        return tuple(hand for _, _, hand in self.hands() if hand.settlement is None)

    @property
    def pontoons(self) -> tuple[int, ...]:
        """The punters known to have a pontoon, in order of play."""
        found = [
            seat.number
            for seat, _, hand in self.hands()
            if hand.shown and hand.counts is not None and kind(self.rules, hand.counts, hand.from_split) is Kind.PONTOON
        ]
        return tuple(dict.fromkeys(found))

    @property
    def shuffle_due(self) -> bool:
        """Whether the pack is shuffled before the next deal."""
        return self.rules.shuffle == "every-deal" or bool(self.pontoons) or self.banker_pontoon

    def net(self, seat: int) -> Fraction:
        """What a seat has gained so far in this deal, the banker's included; negative where it has lost."""
        if seat == self.banker:
            return -sum((entry.amount for entry in self.ledger), Fraction(0))
        return sum((entry.amount for entry in self.ledger if entry.seat == seat), Fraction(0))
