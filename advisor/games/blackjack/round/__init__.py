"""A round of blackjack: from the bets to the clearing of the cards, replayed from a log of frozen operations.

`Round.start(rules)` begins one, `Round.after(operation)` carries it on, and `Round.next_step` always says what the
dealer does next. The triples `verify_x`, `can_x` and `x` are in `round.actions`, the operations in `round.operations`.
Pure code; amounts are exact.
"""

from advisor.games.blackjack.round import actions
from advisor.games.blackjack.round.log import as_dict, operation_from_dict
from advisor.games.blackjack.round.operations import OPERATIONS, SEATS, Operation
from advisor.games.blackjack.round.play import Round, replay
from advisor.games.blackjack.round.settlement import (
    Outcome,
    Settlement,
    UnfinishedDealer,
    settle_hand,
    settle_insurance,
    settle_side_bet,
)
from advisor.games.blackjack.round.state import DealerHand, Entry, PlayerHand, Seat
from advisor.games.blackjack.round.steps import Step, StepKind, next_step
from advisor.games.blackjack.round.verify import bet_problems
from advisor.games.operations import IllegalMove, MalformedOperation

__all__ = [
    "OPERATIONS",
    "SEATS",
    "DealerHand",
    "Entry",
    "IllegalMove",
    "MalformedOperation",
    "Operation",
    "Outcome",
    "PlayerHand",
    "Round",
    "Seat",
    "Settlement",
    "Step",
    "StepKind",
    "UnfinishedDealer",
    "actions",
    "as_dict",
    "bet_problems",
    "next_step",
    "operation_from_dict",
    "replay",
    "settle_hand",
    "settle_insurance",
    "settle_side_bet",
]
