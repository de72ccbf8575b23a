"""From the cards that a camera follows to a round that follows itself.

`see` turns followed cards into changes, `fold` adds a change to the state, `played` asks the game what the state means.
The state is always the fold of the changes: undo, correction, replay and recovery after a crash are that one idea.
"""

from advisor.table.changes import Change, ChangeError, read_change
from advisor.table.fold import begin, check, fold, played
from advisor.table.seating import Table
from advisor.table.seeing import SeeingMemory, see
from advisor.table.state import DealerSide, TableState

__all__ = [
    "Change",
    "ChangeError",
    "DealerSide",
    "SeeingMemory",
    "Table",
    "TableState",
    "begin",
    "check",
    "fold",
    "played",
    "read_change",
    "see",
]
