"""What can go wrong with the store, each fault by its own name; every message is a sentence for people."""

from __future__ import annotations


class StoreError(Exception):
    """The store cannot do what was asked. Nothing was changed unless the fault says otherwise."""


class StoreAddressError(StoreError):
    """The file or URL cannot be a store: a folder, a database of an unknown kind, a URL that cannot be read."""


class DriverMissingError(StoreAddressError):
    """The URL asks for a database whose driver is not installed; the message says what to install."""


class StoreMissingError(StoreError):
    """A store was to be read and there is none."""


class StoreUnreachableError(StoreError):
    """The file cannot be opened, the disk fails, or the database server does not answer.

    Where a connection broke while an append was being confirmed, the events may have been stored: the next append with
    the old expected sequence is then refused with `SessionMovedOnError`, and reading again shows them.
    """


class StoreLockedError(StoreError):
    """Another program kept the store locked for longer than the store waits."""


class StoreReadOnlyError(StoreError):
    """The file, its folder or the database does not allow writing."""


class StoreFullError(StoreError):
    """The disk, or the quota on it, is full."""


class StoreDamagedError(StoreError):
    """What is stored contradicts itself, or the file is no database."""


class StoreForeignError(StoreError):
    """A sound database, but not one of Tableside's."""


class StoreNewerError(StoreError):
    """The store was written by a newer Tableside."""


class StoreClosedError(StoreError):
    """The store was closed before."""


class UnknownSessionError(StoreError):
    """No session, or no snapshot, has this name."""


class SessionOpenError(StoreError):
    """The session has not ended, so it is not deleted."""


class SessionEndedError(StoreError):
    """The session has ended, so nothing is added to it."""


class SessionExistsError(StoreError):
    """A session of this name is in the store, with other contents."""


class SessionMovedOnError(StoreError):
    """Somebody else has added to the session: `actual` is its last sequence number, not `expected`."""

    def __init__(self, session: str, expected: int, actual: int) -> None:
        super().__init__(
            f"Session {session} stands at event {actual}, not {expected}: another server or program adds to it too; "
            "stop one of them, or load the session again."
        )
        self.session, self.expected, self.actual = session, expected, actual


class RefusedError(StoreError, ValueError):
    """An event, a session or a snapshot that the store does not take; the message names the field and the limit."""


class UnreadableEventError(StoreError):
    """A stored event that this program cannot read or carry out; the message names it."""


class NothingToUndoError(StoreError):
    """There is no change left to take back."""


class NothingToRedoError(StoreError):
    """Nothing was taken back since the last change."""


class ImportRefusedError(StoreError):
    """A line of a file to be imported is wrong; `line` counts from 1. Its session was not imported."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"Line {line}: {reason}")
        self.line = line
