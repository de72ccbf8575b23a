"""From what the camera saw to whose cards they are and what the table's state is."""

from advisor.table.dealer import TableMemory
from advisor.table.fold import fold
from advisor.table.state import CardShown, DealerState, HandState, TableState

__all__ = ["CardShown", "DealerState", "HandState", "TableMemory", "TableState", "fold"]
