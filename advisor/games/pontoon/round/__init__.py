"""A deal of pontoon: from the first card to the clearing of the cards, replayed from a log of frozen operations.

`Round.start(rules, seats, banker)` begins one, `Round.after(operation)` carries it on, and `Round.next_step` says what
happens next. The next deal takes `Round.next_pack` and `Round.bank_after(bank)`. The triples `verify_x`, `can_x`
and `x` are in `round.actions`, the operations in `round.operations`, and `LOG` writes them as plain data.
"""

from advisor.games.operations import IllegalMove, MalformedOperation
from advisor.games.pontoon.round import actions
from advisor.games.pontoon.round.operations import LOG, OPERATIONS, SEATS, Operation
from advisor.games.pontoon.round.play import Round, replay
from advisor.games.pontoon.round.state import Entry, Held, PunterHand, Seat
from advisor.games.pontoon.round.steps import Step, StepKind, next_step

__all__ = [
    "LOG",
    "OPERATIONS",
    "SEATS",
    "Entry",
    "Held",
    "IllegalMove",
    "MalformedOperation",
    "Operation",
    "PunterHand",
    "Round",
    "Seat",
    "Step",
    "StepKind",
    "actions",
    "next_step",
    "replay",
]
