"""What may be said of a deal at the table: the round's own operations that bring no card, and a few of the table's."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from advisor.games.operations import OperationLog, exact
from advisor.games.pontoon.round import operations as ops


@dataclass(frozen=True, slots=True)
class AskTwist:
    """A punter asks for a card face up."""

    seat: int
    hand: int = 1


@dataclass(frozen=True, slots=True)
class NameBanker:
    """This seat holds the bank; 0 is the dealer at the house's place, who has no seat of his own."""

    seat: int


@dataclass(frozen=True, slots=True)
class SellBank:
    """The banker sells the bank to this seat before the deal; raises `IllegalMove` for an amount that is not exact."""

    seat: int
    amount: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "amount", exact(self.amount, f"Seat {self.seat}"))


RoundTold = (
    ops.Stake
    | ops.ShowPontoon
    | ops.Stick
    | ops.Buy
    | ops.Split
    | ops.GoBust
    | ops.GiveUp
    | ops.TurnBanker
    | ops.Stay
    | ops.Show
    | ops.Settle
    | ops.CallOff
    | ops.ClearCards
)
"""The operations of the round that may be said; its other cards are seen, or added to the table."""
TableTold = AskTwist | NameBanker | SellBank
ToldOperation = RoundTold | TableTold

TOLD: Final = OperationLog[ToldOperation](
    (
        ops.Stake,
        ops.ShowPontoon,
        ops.Stick,
        ops.Buy,
        ops.Split,
        ops.GoBust,
        ops.GiveUp,
        ops.TurnBanker,
        ops.Stay,
        ops.Show,
        ops.Settle,
        ops.CallOff,
        ops.ClearCards,
        AskTwist,
        NameBanker,
        SellBank,
    )
)
CLOSING: Final = (ops.ShowPontoon, ops.Stick, ops.Split, ops.GoBust, ops.GiveUp)
"""What ends a punter's decision without a card."""
PLAYING: Final = (*CLOSING, ops.Buy, AskTwist)
"""What a punter may say on his turn."""
