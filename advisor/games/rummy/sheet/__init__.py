"""The score sheet of a rummy game: from the first deal to the last, replayed from a log of frozen operations.

`Sheet.start(StartGame(...))` begins one and `Sheet.after(operation)` carries it on; totals, dealer, contract, who is
missing, ahead or has won follow from what stands. The triples `verify_x`, `can_x` and `x` are in `sheet.actions`.
`as_dict` and `operation_from_dict` turn operations into plain data and back. Pure code; points are integers.
"""

from advisor.games.operations import IllegalMove, MalformedOperation
from advisor.games.rummy.sheet import actions
from advisor.games.rummy.sheet.log import as_dict, operation_from_dict
from advisor.games.rummy.sheet.operations import (
    OPERATIONS,
    CorrectScore,
    DealAgain,
    EndDeal,
    EndGame,
    JoinPlayer,
    LeavePlayer,
    Opening,
    Operation,
    RecordHand,
    Redo,
    RenamePlayer,
    Scoring,
    SetDealer,
    Source,
    StartGame,
    TakeBackScore,
    Undo,
    VoidDeal,
    WentOut,
    variant_of,
)
from advisor.games.rummy.sheet.play import Sheet, replay
from advisor.games.rummy.sheet.scoring import GOING_OUT, LONGEST_IMAGE
from advisor.games.rummy.sheet.sheet_page import html
from advisor.games.rummy.sheet.state import SheetState
from advisor.games.rummy.sheet.values import DealRecord, DealState, Entry, Player, Stint
from advisor.games.rummy.sheet.views import as_csv, as_json, as_text
from advisor.games.rummy.sheet.words import entry_words, next_words, operation_words

__all__ = [
    "GOING_OUT",
    "LONGEST_IMAGE",
    "OPERATIONS",
    "CorrectScore",
    "DealAgain",
    "DealRecord",
    "DealState",
    "EndDeal",
    "EndGame",
    "Entry",
    "IllegalMove",
    "JoinPlayer",
    "LeavePlayer",
    "MalformedOperation",
    "Opening",
    "Operation",
    "Player",
    "RecordHand",
    "Redo",
    "RenamePlayer",
    "Scoring",
    "SetDealer",
    "Sheet",
    "SheetState",
    "Source",
    "StartGame",
    "Stint",
    "TakeBackScore",
    "Undo",
    "VoidDeal",
    "WentOut",
    "actions",
    "as_csv",
    "as_dict",
    "as_json",
    "as_text",
    "entry_words",
    "html",
    "next_words",
    "operation_from_dict",
    "operation_words",
    "replay",
    "variant_of",
]
