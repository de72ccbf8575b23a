"""Everything that can happen in a round, each as a frozen value: a log of them replays the round.

An operation says what happened and nothing of what follows from it: what a hand is paid is worked out from the rules.
Seats are numbered 1 to 7 from the dealer's left. Hands are numbered from 1 in their seat; a split puts the new hand
right after the one it came from, so the hands after that move up by one.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal, get_args

from advisor.games.cards import Card
from advisor.games.operations import exact

SEATS: Final = range(1, 8)
"""The numbers a seat may have."""

Side = Literal["over", "under"]
"""The two side bets on the first two cards being over or under 13."""


@dataclass(frozen=True, slots=True)
class _Chips:
    """An operation that puts an amount down at a seat; raises `IllegalMove` for an amount that is not exact."""

    seat: int
    amount: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "amount", exact(self.amount, f"Seat {self.seat}"))


@dataclass(frozen=True, slots=True)
class PlaceBet(_Chips):
    """A seat bets, or its bet is corrected; only before the first card."""


@dataclass(frozen=True, slots=True)
class TakeBackBet:
    """A seat takes its bets back and is out of the round; only before the first card."""

    seat: int


@dataclass(frozen=True, slots=True)
class PlaceSideBet(_Chips):
    """A seat that has bet also bets on its first two cards being over or under 13."""

    side: Side


@dataclass(frozen=True, slots=True)
class SweepBets:
    """The dealer has looked over the bets and accepts no more."""


@dataclass(frozen=True, slots=True)
class Burn:
    """A card goes out of play unused after a new shuffle; None where its face was not seen."""

    card: Card | None


@dataclass(frozen=True, slots=True)
class Deal:
    """A card to a hand: its first two, the second of a split hand, or the one card of a doubled hand.

    None is a doubled card that lies face down.
    """

    seat: int
    card: Card | None
    hand: int = 1


@dataclass(frozen=True, slots=True)
class DealDealer:
    """One of the dealer's first cards: the upcard, or None for a card face down."""

    card: Card | None


@dataclass(frozen=True, slots=True)
class TurnUpcard:
    """The dealer turns his first card up, where both were dealt face down."""

    card: Card


@dataclass(frozen=True, slots=True)
class SettleSideBets:
    """A seat's bets on over or under 13 are paid or collected."""

    seat: int


@dataclass(frozen=True, slots=True)
class Insure(_Chips):
    """A seat insures against the dealer's ace, or changes its insurance bet."""


@dataclass(frozen=True, slots=True)
class TakeEvenMoney:
    """A seat with a blackjack takes 1:1 instead of waiting for the dealer."""

    seat: int


@dataclass(frozen=True, slots=True)
class CloseInsurance:
    """No more insurance."""


@dataclass(frozen=True, slots=True)
class CloseSurrender:
    """No more surrender before the peek."""


@dataclass(frozen=True, slots=True)
class Peek:
    """The dealer has looked at the hole card."""

    blackjack: bool


@dataclass(frozen=True, slots=True)
class Hit:
    """A hand draws a card."""

    seat: int
    card: Card
    hand: int = 1


@dataclass(frozen=True, slots=True)
class Stand:
    """A hand takes no more cards."""

    seat: int
    hand: int = 1


@dataclass(frozen=True, slots=True)
class Double(_Chips):
    """A hand adds to its bet; its one card is dealt next."""

    hand: int = 1


@dataclass(frozen=True, slots=True)
class Split:
    """A pair becomes two hands with the same bet; their second cards are dealt when their turns come."""

    seat: int
    hand: int = 1


@dataclass(frozen=True, slots=True)
class Surrender:
    """A hand, which cannot be from a split, is given up for half its bet."""

    seat: int


@dataclass(frozen=True, slots=True)
class RevealHole:
    """The dealer turns his hole card."""

    card: Card


@dataclass(frozen=True, slots=True)
class DrawDealer:
    """The dealer draws a card; without a hole card, his second card too."""

    card: Card


@dataclass(frozen=True, slots=True)
class TurnDoubled:
    """A doubled card that lay face down is turned."""

    seat: int
    card: Card
    hand: int = 1


@dataclass(frozen=True, slots=True)
class Settle:
    """A hand's chips are paid, collected, halved or, at a push, left alone."""

    seat: int
    hand: int = 1


@dataclass(frozen=True, slots=True)
class SettleInsurance:
    """A seat's insurance bet is paid or collected."""

    seat: int


@dataclass(frozen=True, slots=True)
class GiveBack:
    """A seat gets back what its bust hands lost beyond the first bet, for a late dealer blackjack takes no more."""

    seat: int


@dataclass(frozen=True, slots=True)
class CutCard:
    """The cut card has appeared: the round is finished, then the cards are shuffled."""


@dataclass(frozen=True, slots=True)
class CallOff:
    """The round cannot go on (a misdeal, an empty shoe): what is not settled yet is given back."""


@dataclass(frozen=True, slots=True)
class ClearCards:
    """The cards are cleared and the round is over."""


Operation = (
    PlaceBet
    | TakeBackBet
    | PlaceSideBet
    | SweepBets
    | Burn
    | Deal
    | DealDealer
    | TurnUpcard
    | SettleSideBets
    | Insure
    | TakeEvenMoney
    | CloseInsurance
    | CloseSurrender
    | Peek
    | Hit
    | Stand
    | Double
    | Split
    | Surrender
    | RevealHole
    | DrawDealer
    | TurnDoubled
    | Settle
    | SettleInsurance
    | GiveBack
    | CutCard
    | CallOff
    | ClearCards
)
"""Any operation."""

OPERATIONS: Final[tuple[type[Operation], ...]] = get_args(Operation)
"""The classes of all operations."""
