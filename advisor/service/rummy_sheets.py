"""The score sheets of rummy as several people write them at once: read, begun, and carried on by one operation.

What is sent carries a key made by whoever sends it. Sent again, after an answer was lost on the way, it is recognised
by its key and not recorded a second time; the key is kept together with the operation, so that this holds over a crash
too.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from advisor.games.operations import IllegalMove, MalformedOperation
from advisor.games.rummy.sheet import (
    Operation,
    Redo,
    Sheet,
    StartGame,
    Undo,
    as_dict,
    operation_from_dict,
    operation_words,
    replay,
)
from advisor.service.sheet_store import Busy, Kept, SheetError, SheetStore, Taken, checked_name
from advisor.table.words import sentence

T = TypeVar("T")
PATIENCE_S: Final = 3.0
"""How long it is tried again where another program keeps adding to the sheet first."""
PAUSE_S: Final = 0.05


class Outdated(Exception):  # noqa: N818 - it names what the request is
    """What was asked for rests on a sheet that has changed since: a sentence."""


@dataclass(frozen=True)
class Standing:
    """A sheet as it is kept."""

    name: str
    sheet: Sheet
    seen: int
    """How many operations it is made of; whoever undoes says how many they saw."""
    said: str = ""
    """What the operation that led here did, in a sentence."""


def replayed(name: str, kept: Kept) -> Sheet:
    """The sheet that is kept; raises `SheetError` where it does not replay, and what is kept stays untouched."""
    operations = []
    try:
        for data in kept.operations:
            operations.append(operation_from_dict(data))
    except MalformedOperation as error:
        raise SheetError(f"The score sheet {name!r} is damaged in its line {len(operations) + 1}: {error}") from error
    try:
        return replay(operations)
    except IllegalMove as error:
        raise SheetError(
            f"The score sheet {name!r} is damaged, something on it cannot have happened: {error}"
        ) from error


class SheetBook:
    """All score sheets; thread-safe. Every method may raise `StoreError`."""

    def __init__(self, store: SheetStore) -> None:
        self._store = store
        # One writer of this program at a time: the store turns the slower of two away instead of queueing them.
        self._writing = threading.Lock()

    def names(self) -> tuple[str, ...]:
        """The sheets there are, sorted."""
        return self._store.names()

    def read(self, name: str) -> Standing:
        """A sheet as it stands."""
        kept = self._store.read(name)
        return Standing(checked_name(name), replayed(name, kept), len(kept.operations))

    def begin(self, name: str, start: StartGame, key: str) -> Standing:
        """A new sheet; the one that is there already where the key began it. Raises `IllegalMove`."""
        name = checked_name(name)
        sheet = Sheet.start(start)
        with self._writing:
            try:
                self._store.create(name, as_dict(start), key)
            except Taken:
                kept = self._store.read(name)
                if kept.keys[:1] != (key,):
                    raise
                return Standing(name, replayed(name, kept), len(kept.operations))
        return Standing(name, sheet, 1, said=f"{name} has begun.")

    def carry_out(self, name: str, operation: Operation, key: str, seen: int | None = None) -> Standing:
        """The sheet after the operation, which is on disk then; unchanged where the key was carried out before.

        ``seen`` is how many operations whoever asks has seen; `Undo` and `Redo` need it, since what they do depends on
        it. Raises `IllegalMove`, and `Outdated` where something else was done meanwhile.
        """
        with self._writing:
            return _patiently(lambda: self._carry_out(name, operation, key, seen))

    def _carry_out(self, name: str, operation: Operation, key: str, seen: int | None) -> Standing:
        with self._store.writing(name) as writer:
            kept = writer.kept
            before, count = replayed(name, kept), len(kept.operations)
            if key in kept.keys:
                if kept.operations[kept.keys.index(key)] != as_dict(operation):
                    raise Outdated("This was recorded before in another form; load the sheet again to see it.")
                return Standing(checked_name(name), before, count)
            if isinstance(operation, Undo | Redo) and seen != count:
                raise Outdated("Something else was recorded meanwhile, so nothing was undone or redone: look again.")
            after = before.after(operation)
            writer.append(as_dict(operation), key)
        return Standing(checked_name(name), after, count + 1, _said(before, operation))

    def delete(self, name: str) -> None:
        """Take a sheet away for good."""
        with self._writing:
            self._store.delete(name)


def _said(before: Sheet, operation: Operation) -> str:
    done = before.last if isinstance(operation, Undo) else before.undone[-1] if isinstance(operation, Redo) else None
    if done is not None:
        return f"{'Undone' if isinstance(operation, Undo) else 'Redone'}: {operation_words(done)}."
    return sentence(operation_words(operation))


def _patiently(act: Callable[[], T]) -> T:
    """What ``act`` gives, once no other program was faster; raises `Busy` where that goes on for long."""
    end = time.monotonic() + PATIENCE_S
    while True:
        try:
            return act()
        except Busy:
            if time.monotonic() > end:
                raise
        time.sleep(PAUSE_S)
