"""A coup of punto banco: from the bets to the clearing of the cards, replayed from a log of frozen operations.

`Round.start(rules)` begins one, `Round.after(operation)` carries it on, `Round.next_step` always says what the dealer
does next, and `Round.following()` begins the next with the commission still owed. The triples `verify_x`, `can_x` and
`x` are in `round.actions`, the operations in `round.operations`, and `LOG` writes them as plain data.
"""

from advisor.games.operations import IllegalMove, MalformedOperation
from advisor.games.punto_banco.round import actions
from advisor.games.punto_banco.round.operations import LOG, OPERATIONS, Operation
from advisor.games.punto_banco.round.play import Round, placed_problems, replay
from advisor.games.punto_banco.round.state import Entry, PlacedBet
from advisor.games.punto_banco.round.steps import Step, StepKind, next_step, result_words

__all__ = [
    "LOG",
    "OPERATIONS",
    "Entry",
    "IllegalMove",
    "MalformedOperation",
    "Operation",
    "PlacedBet",
    "Round",
    "Step",
    "StepKind",
    "actions",
    "next_step",
    "placed_problems",
    "replay",
    "result_words",
]
