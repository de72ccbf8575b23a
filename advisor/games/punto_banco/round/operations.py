"""Everything that can happen in a coup, each as a frozen value: a log of them replays the round.

An operation says what happened and nothing of what follows from it. Seats are numbered from 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final, get_args

from advisor.games.cards import Card
from advisor.games.operations import OperationLog, exact
from advisor.games.punto_banco.bets import Bet
from advisor.games.punto_banco.tableau import Side


@dataclass(frozen=True, slots=True)
class PlaceBet:
    """A seat bets, or corrects what it has on this bet; only before the first card.

    Raises `IllegalMove` for an amount that is not exact.
    """

    seat: int
    amount: Fraction
    bet: Bet

    def __post_init__(self) -> None:
        object.__setattr__(self, "amount", exact(self.amount, f"Seat {self.seat}"))


@dataclass(frozen=True, slots=True)
class TakeBackBets:
    """A seat takes all its bets back; only before the first card."""

    seat: int


@dataclass(frozen=True, slots=True)
class CollectCommission:
    """A seat pays all the commission it owes; between coups."""

    seat: int


@dataclass(frozen=True, slots=True)
class CloseBets:
    """No more bets; where nobody has bet, the coup is dealt without any, for the scoreboard."""


@dataclass(frozen=True, slots=True)
class Deal:
    """One of the first four cards, face up."""

    side: Side
    card: Card


@dataclass(frozen=True, slots=True)
class Draw:
    """A third card, face up."""

    side: Side
    card: Card


@dataclass(frozen=True, slots=True)
class Settle:
    """A bet is paid, collected or, at a push, left alone."""

    seat: int
    bet: Bet


@dataclass(frozen=True, slots=True)
class CallOff:
    """The coup cannot go on (a misdeal): what is not settled yet is given back."""


@dataclass(frozen=True, slots=True)
class ClearCards:
    """The cards are cleared and the round is over."""


Operation = PlaceBet | TakeBackBets | CollectCommission | CloseBets | Deal | Draw | Settle | CallOff | ClearCards
"""Any operation."""

OPERATIONS: Final[tuple[type[Operation], ...]] = get_args(Operation)
"""The classes of all operations."""

LOG: Final = OperationLog[Operation](OPERATIONS)
"""Reads and writes operations as plain data."""
