"""Everything that can happen in a deal, each as a frozen value: a log of them replays the round.

An operation says what happened and nothing of what follows from it. Cards lie face down in this game, so a card may be
None; it is named when it is turned. Seats are numbered from 1 round the table, the banker's own among them. Hands are
numbered from 1 in their seat; a split puts the new hand right after the one it came from.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final, get_args

from advisor.games.cards import Card
from advisor.games.operations import OperationLog, exact

SEATS: Final = range(1, 13)
"""The numbers a seat may have."""


@dataclass(frozen=True, slots=True)
class Deal:
    """A card face down to a seat: its first or second card, or the second of a split hand."""

    seat: int
    card: Card | None = None
    hand: int = 1


@dataclass(frozen=True, slots=True)
class Stake:
    """A punter stakes on his first card, or corrects it before the second card is dealt.

    Raises `IllegalMove` for an amount that is not exact, as `Buy` does.
    """

    seat: int
    amount: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "amount", exact(self.amount, f"Seat {self.seat}"))


@dataclass(frozen=True, slots=True)
class ShowPontoon:
    """A punter turns up a pontoon on his turn."""

    seat: int
    cards: tuple[Card, ...]
    hand: int = 1


@dataclass(frozen=True, slots=True)
class Stick:
    """A punter takes no more cards."""

    seat: int
    hand: int = 1


@dataclass(frozen=True, slots=True)
class Buy:
    """A punter adds to his stake and gets a card face down."""

    seat: int
    amount: Fraction
    card: Card | None = None
    hand: int = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "amount", exact(self.amount, f"Seat {self.seat}"))


@dataclass(frozen=True, slots=True)
class Twist:
    """A punter gets a card face up for nothing."""

    seat: int
    card: Card
    hand: int = 1


@dataclass(frozen=True, slots=True)
class Split:
    """A punter turns up a pair, which becomes two hands with the same stake; their second cards are dealt next."""

    seat: int
    cards: tuple[Card, ...]
    hand: int = 1


@dataclass(frozen=True, slots=True)
class GoBust:
    """A punter throws in a hand over 21: the stake is lost and the cards go to the bottom of the pack."""

    seat: int
    cards: tuple[Card, ...]
    hand: int = 1


@dataclass(frozen=True, slots=True)
class GiveUp:
    """A punter throws a hand in that nobody else has seen: the stake is lost, as where it is over 21 or cannot win."""

    seat: int
    hand: int = 1


@dataclass(frozen=True, slots=True)
class TurnBanker:
    """The banker turns up his two cards."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class DrawBanker:
    """The banker draws a card face up."""

    card: Card


@dataclass(frozen=True, slots=True)
class Stay:
    """The banker draws no more."""


@dataclass(frozen=True, slots=True)
class Show:
    """A punter's hand is turned up to be settled."""

    seat: int
    cards: tuple[Card, ...]
    hand: int = 1


@dataclass(frozen=True, slots=True)
class Settle:
    """A hand's stake is paid or collected."""

    seat: int
    hand: int = 1


@dataclass(frozen=True, slots=True)
class CallOff:
    """The deal cannot go on (a misdeal): what is not settled yet is given back."""


@dataclass(frozen=True, slots=True)
class ClearCards:
    """The cards go to the bottom of the pack and the deal is over."""


Operation = (
    Deal
    | Stake
    | ShowPontoon
    | Stick
    | Buy
    | Twist
    | Split
    | GoBust
    | GiveUp
    | TurnBanker
    | DrawBanker
    | Stay
    | Show
    | Settle
    | CallOff
    | ClearCards
)
"""Any operation."""

OPERATIONS: Final[tuple[type[Operation], ...]] = get_args(Operation)
"""The classes of all operations."""

LOG: Final = OperationLog[Operation](OPERATIONS)
"""Reads and writes operations as plain data."""
