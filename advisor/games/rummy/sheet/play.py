"""A score sheet as a frozen value that operations carry on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from advisor.games.operations import IllegalMove
from advisor.games.rummy.sheet.apply import applied, started
from advisor.games.rummy.sheet.operations import Operation, Redo, StartGame, Undo
from advisor.games.rummy.sheet.state import SheetState
from advisor.games.rummy.sheet.verify import verify, verify_start


@dataclass(frozen=True, slots=True)
class Sheet(SheetState):
    """One game's score sheet. A sheet never changes: `after` gives the next one."""

    log: tuple[Operation, ...] = ()
    """Everything that happened, the start first, undone operations and `Undo` itself among it."""
    last: Operation | None = None
    """What `Undo` would undo; None right after the start."""
    undone: tuple[Operation, ...] = ()
    """What `Redo` would bring back, the next one last."""
    _before: Sheet | None = field(default=None, compare=False, repr=False)
    """The sheet before `last`."""

    @classmethod
    def start(cls, operation: StartGame) -> Sheet:
        """A sheet with its first deal; raises `IllegalMove` where the game cannot begin so."""
        verify_start(operation)
        players, deals = started(operation)
        return cls(operation.variant, operation.deals, players, deals, log=(operation,))

    def after(self, operation: Operation) -> Sheet:
        """The sheet after the operation; raises `IllegalMove` where it is not allowed now."""
        check(self, operation)
        log = (*self.log, operation)
        if isinstance(operation, Undo):
            assert self._before is not None and self.last is not None
            return replace(self._before, log=log, undone=(*self.undone, self.last))
        if isinstance(operation, Redo):
            again = self.undone[-1]
            return replace(applied(self, again), log=log, last=again, undone=self.undone[:-1], _before=self)
        return replace(applied(self, operation), log=log, last=operation, undone=(), _before=self)


def check(sheet: Sheet, operation: Operation) -> None:
    """Raises `IllegalMove` with a sentence where the sheet does not allow the operation now."""
    verify(sheet, operation, done=sheet.last is not None, undone=bool(sheet.undone))


def replay(operations: Iterable[Operation]) -> Sheet:
    """The sheet that a log of operations leads to; raises `IllegalMove` at the first that is not allowed."""
    sheet: Sheet | None = None
    for operation in operations:
        if sheet is not None:
            sheet = sheet.after(operation)
        elif isinstance(operation, StartGame):
            sheet = Sheet.start(operation)
        else:
            raise IllegalMove("A score sheet begins with the start of the game, and its log with something else.")
    if sheet is None:
        raise IllegalMove("A score sheet begins with the start of the game, and its log is empty.")
    return sheet
