"""What lies on the table in a round: bets, cards, and what has been settled. Frozen values that know no procedure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from advisor.games.blackjack.dealer import barred_hole_card
from advisor.games.blackjack.hand import Hand
from advisor.games.blackjack.round.settlement import Outcome, Settlement
from advisor.games.blackjack.rules import HouseRules
from advisor.games.blackjack.values import value_index
from advisor.games.cards import FULL_PACK, Card


@dataclass(frozen=True, slots=True)
class PlayerHand:
    """One hand of a seat and the chips on it."""

    bet: Fraction
    cards: tuple[Card, ...] = ()
    """The cards whose faces are known, in the order dealt."""
    from_split: bool = False
    added: Fraction | None = None
    """What a double added; None for a hand not doubled."""
    face_down: bool = False
    """Whether the doubled card lies face down."""
    stood: bool = False
    surrendered: bool = False
    even_money: bool = False
    settlement: Settlement | None = None
    """How the hand ended; None while its chips lie there."""

    @property
    def hand(self) -> Hand:
        """The known cards as a hand."""
        return Hand(self.cards, self.from_split)

    @property
    def stake(self) -> Fraction:
        """All chips bet on the hand."""
        return self.bet + (self.added or 0)


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat that has bet, with its hands from left to right."""

    number: int
    hands: tuple[PlayerHand, ...]
    insurance: Fraction = Fraction(0)
    insurance_settled: bool = False
    over: Fraction = Fraction(0)
    under: Fraction = Fraction(0)
    side_bets_settled: bool = False
    given_back: bool = False
    """Whether bets beyond the first came back after a late dealer blackjack."""

    @property
    def insured(self) -> bool:
        """Whether an insurance bet lies there."""
        return self.insurance > 0 and not self.insurance_settled

    @property
    def side_bets(self) -> bool:
        """Whether a bet on over or under 13 lies there."""
        return self.over + self.under > 0 and not self.side_bets_settled


@dataclass(frozen=True, slots=True)
class DealerHand:
    """The dealer's cards."""

    upcard: Card | None = None
    hole: Card | None = None
    """The hole card once it has been turned."""
    face_down: int = 0
    """How many cards lie face down."""
    drawn: tuple[Card, ...] = ()
    """Cards drawn face up; without a hole card, the second card is the first of them."""

    @property
    def first_cards(self) -> int:
        """How many cards the dealer has been given before the players act."""
        return (self.upcard is not None) + (self.hole is not None) + self.face_down

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards whose faces are known, upcard first."""
        return tuple(card for card in (self.upcard, self.hole, *self.drawn) if card is not None)

    @property
    def hand(self) -> Hand:
        """The known cards as a hand."""
        return Hand(self.cards)


@dataclass(frozen=True, slots=True)
class Entry:
    """One amount that moved between a player and the house."""

    seat: int
    hand: int | None
    """The hand in its seat; None for insurance and side bets, which belong to the seat."""
    reason: Outcome
    amount: Fraction
    """What the player gained: negative where the house did."""


@dataclass(frozen=True, slots=True)
class RoundState:
    """A round as it stands."""

    rules: HouseRules
    seen: tuple[Card, ...] = ()
    """Cards gone from this shoe before the round."""
    new_shuffle: bool = False
    """Whether the shoe is freshly shuffled, so that a card is burned."""
    seats: tuple[Seat, ...] = ()
    """The seats that have bet, in order."""
    dealer: DealerHand = DealerHand()
    burned: tuple[Card | None, ...] = ()
    """The burned card; None where its face was not seen."""
    swept: bool = False
    insurance_closed: bool = False
    surrender_closed: bool = False
    """Whether surrender before the peek is over."""
    peeked: bool | None = None
    """What a peek showed: whether the dealer has a blackjack; None before it."""
    cut_card: bool = False
    called_off: bool = False
    cleared: bool = False
    ledger: tuple[Entry, ...] = ()
    """Every amount that moved, in order."""

    def seat(self, number: int) -> Seat | None:
        """The seat with this number, if it has bet."""
        return next((seat for seat in self.seats if seat.number == number), None)

    def hands(self) -> Iterator[tuple[Seat, int, PlayerHand]]:
        """Every hand from left to right, with its seat and its number in the seat."""
        return ((seat, number, hand) for seat in self.seats for number, hand in enumerate(seat.hands, 1))

    @property
    def cards_out(self) -> bool:
        """Whether the deal has begun."""
        return self.dealer.first_cards > 0 or any(hand.cards for _, _, hand in self.hands())

    @property
    def known_cards(self) -> tuple[Card, ...]:
        """Every card seen from this shoe, those gone before among them."""
        burned = tuple(card for card in self.burned if card is not None)
        held = tuple(card for _, _, hand in self.hands() for card in hand.cards)
        return (*self.seen, *burned, *held, *self.dealer.cards)

    @property
    def cards_left(self) -> int:
        """How many cards the shoe still holds; those face down on the table are not among them."""
        hidden = self.burned.count(None) + self.dealer.face_down + sum(hand.face_down for _, _, hand in self.hands())
        return len(FULL_PACK) * self.rules.decks - len(self.known_cards) - hidden

    @property
    def blackjack_card(self) -> int | None:
        """The value index that would give the dealer a blackjack; None where none would, or before the upcard."""
        upcard = self.dealer.upcard
        return None if upcard is None else barred_hole_card(value_index(upcard))

    @property
    def dealer_blackjack(self) -> bool | None:
        """Whether the dealer has a blackjack; None while it is not known."""
        if self.peeked is not None:
            return self.peeked
        if len(self.dealer.cards) >= 2:
            return self.dealer.hand.blackjack
        if self.dealer.upcard is not None and self.blackjack_card is None:
            return False
        return None

    @property
    def open_hands(self) -> tuple[PlayerHand, ...]:
        """The hands that are not settled."""
        return tuple(hand for _, _, hand in self.hands() if hand.settlement is None)

    @property
    def at_stake(self) -> bool:
        """Whether any hand, insurance bet, or bet lost by a bust still hangs on the dealer."""
        return bool(self.open_hands) or any(seat.insured or self.beyond_first_bet(seat) for seat in self.seats)

    def beyond_first_bet(self, seat: Seat) -> Fraction:
        """What the seat's bust hands have lost beyond its first bet where a late dealer blackjack gives that back."""
        waits = self.rules.hole_card == "none" and self.rules.no_hole_card_loss == "original"
        if not waits or seat.given_back or self.blackjack_card is None or self.dealer_blackjack is False:
            return Fraction(0)
        busts = [hand.stake for hand in seat.hands if hand.settlement and hand.settlement.outcome is Outcome.BUST]
        return max(sum(busts, Fraction(0)) - seat.hands[0].bet, Fraction(0))

    def net(self, seat: int) -> Fraction:
        """What a seat has gained so far; negative where it has lost."""
        return sum((entry.amount for entry in self.ledger if entry.seat == seat), Fraction(0))

    @property
    def house_net(self) -> Fraction:
        """What the house has gained so far."""
        return -sum((entry.amount for entry in self.ledger), Fraction(0))
