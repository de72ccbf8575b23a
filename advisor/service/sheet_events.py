"""Score sheets in the event store: each a session of its own kind, each operation an event.

An event's data is ``{"operation": {"op": "record-hand", …}}``, and "key" besides where whoever sent it named it, so
that what is sent twice over a bad line is recorded once. Of two who add to a sheet at once, the slower is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Final

from advisor.service.sheet_store import Busy, Data, Kept, NoSheet, SheetError, Taken, Writer, checked_name
from advisor.service.store import (
    Event,
    EventStore,
    NewEvent,
    SessionExistsError,
    SessionMovedOnError,
    UnknownSessionError,
)

OPERATION: Final = "operation"
"""The kind of a sheet's events."""


class EventSheets:
    """The score sheets of a store, which whoever opened it closes; usable from any thread."""

    def __init__(self, store: EventStore, left: Mapping[str, str] = MappingProxyType({})) -> None:
        """``left`` has the sheets that could not be taken over from files, and why: there, but not to be used."""
        self._store, self._left = store, left

    def names(self) -> tuple[str, ...]:
        """See `SheetStore.names`."""
        return tuple(sorted({sheet.note for sheet in self._store.sheets()} | set(self._left)))

    def read(self, name: str) -> Kept:
        """See `SheetStore.read`."""
        return self._read(checked_name(name))[1]

    def create(self, name: str, operation: Data, key: str = "") -> None:
        """See `SheetStore.create`."""
        name = checked_name(name)
        self._refuse_left(name)
        try:
            self._store.begin_sheet(name, new_event(operation, key))
        except SessionExistsError as error:
            raise Taken(f"There is a score sheet called {name!r} already: choose another name.") from error

    @contextmanager
    def writing(self, name: str) -> Iterator[Writer]:
        """See `SheetStore.writing`."""
        name = checked_name(name)
        yield _EventWriter(self._store, name, *self._read(name))

    def delete(self, name: str) -> None:
        """See `SheetStore.delete`."""
        name = checked_name(name)
        if name in self._left:  # its file would bring it back
            raise SheetError(self._left[name])
        try:
            deleted = self._store.delete_sheet(name)
        except UnknownSessionError:  # by somebody else, at the same moment
            deleted = False
        if not deleted:
            raise self._none(name)

    def _read(self, name: str) -> tuple[str, Kept]:
        """The session that the sheet is, and what is in it."""
        sheet = self._store.sheet(name)
        if sheet is None:
            self._refuse_left(name)
            raise self._none(name)
        try:
            read = [operation_in(name, event) for event in self._store.events(sheet.id)]
        except UnknownSessionError:
            raise self._none(name) from None
        if not read:
            raise SheetError(f"The score sheet {name!r} is damaged, nothing is in it: delete it, and begin it anew.")
        operations, keys = zip(*read, strict=True)
        return sheet.id, Kept(operations, keys)

    def _refuse_left(self, name: str) -> None:
        """Raise where the sheet is still in a file; unless another program has taken it over meanwhile."""
        if name in self._left and self._store.sheet(name) is None:
            raise SheetError(self._left[name])

    def _none(self, name: str) -> NoSheet:
        others = ", ".join(self.names())
        return NoSheet(f"There is no score sheet called {name!r}: there {'are ' + others if others else 'is none'}.")


class _EventWriter:
    def __init__(self, store: EventStore, name: str, session: str, kept: Kept) -> None:
        self._store, self._name, self._session, self._kept = store, name, session, kept

    @property
    def kept(self) -> Kept:
        return self._kept

    def append(self, operation: Data, key: str = "") -> None:
        try:
            self._store.append(self._session, len(self._kept.operations), [new_event(operation, key)])
        except SessionMovedOnError as error:
            raise Busy(
                f"The score sheet {self._name!r} was written by another program at the same time: nothing was "
                "recorded, look again."
            ) from error
        except UnknownSessionError as error:
            raise NoSheet(f"The score sheet {self._name!r} was deleted meanwhile: nothing was recorded.") from error
        self._kept = Kept((*self._kept.operations, operation), (*self._kept.keys, key))


def new_event(operation: Data, key: str) -> NewEvent:
    """An operation as it is stored; raises `RefusedError` for data that cannot be."""
    # Whoever writes the score sits where the dealer's display is; a store knows no other person.
    return NewEvent(OPERATION, {"operation": operation} | ({"key": key} if key else {}), "dealer")


def operation_in(name: str, event: Event) -> tuple[Data, str]:
    """The operation in a sheet's event, and its key; a damaged one is never skipped, for what follows builds on it."""
    operation, key = event.data.get("operation"), event.data.get("key", "")
    if event.kind != OPERATION or not isinstance(operation, dict) or not isinstance(key, str):
        raise SheetError(
            f"The score sheet {name!r} is damaged in its line {event.sequence}: there is no operation in it; restore a "
            "copy of the store, or delete the sheet."
        )
    return operation, key
