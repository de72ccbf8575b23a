"""From what the camera sees to hands, the dealer's upcard and advice; pure functions of memory, view and rules."""

from advisor.table.dealer import SIDES, Memory, Side
from advisor.table.follow import Adviser, Options, follow, plain_adviser
from advisor.table.state import HandAdvice, HandState, Phase, Problem, Reason, TableCard, TableState

__all__ = [
    "SIDES",
    "Adviser",
    "HandAdvice",
    "HandState",
    "Memory",
    "Options",
    "Phase",
    "Problem",
    "Reason",
    "Side",
    "TableCard",
    "TableState",
    "follow",
    "plain_adviser",
]
