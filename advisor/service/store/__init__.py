"""The append-only event store: what happened at the table, kept so that nothing acknowledged is lost.

`EventStore` keeps sessions, score sheets, events and pictures in SQLite or PostgreSQL; `Journal` keeps a state that is
the fold of a session's events. It knows no game.
"""

from advisor.service.store.errors import (
    DriverMissingError,
    ImportRefusedError,
    NothingToRedoError,
    NothingToUndoError,
    RefusedError,
    SessionEndedError,
    SessionExistsError,
    SessionMovedOnError,
    SessionOpenError,
    StoreAddressError,
    StoreClosedError,
    StoreDamagedError,
    StoreError,
    StoreForeignError,
    StoreFullError,
    StoreLockedError,
    StoreMissingError,
    StoreNewerError,
    StoreReadOnlyError,
    StoreUnreachableError,
    UnknownSessionError,
    UnreadableEventError,
)
from advisor.service.store.journal import Codec, Journal
from advisor.service.store.retention import Pruned, prune
from advisor.service.store.store import EventStore
from advisor.service.store.transfer import Imported, export_csv, export_jsonl, import_jsonl
from advisor.service.store.values import SCORE_SHEET, Actor, Event, NewEvent, NewSnapshot, Session, Snapshot

__all__ = [
    "SCORE_SHEET",
    "Actor",
    "Codec",
    "DriverMissingError",
    "Event",
    "EventStore",
    "ImportRefusedError",
    "Imported",
    "Journal",
    "NewEvent",
    "NewSnapshot",
    "NothingToRedoError",
    "NothingToUndoError",
    "Pruned",
    "RefusedError",
    "Session",
    "SessionEndedError",
    "SessionExistsError",
    "SessionMovedOnError",
    "SessionOpenError",
    "Snapshot",
    "StoreAddressError",
    "StoreClosedError",
    "StoreDamagedError",
    "StoreError",
    "StoreForeignError",
    "StoreFullError",
    "StoreLockedError",
    "StoreMissingError",
    "StoreNewerError",
    "StoreReadOnlyError",
    "StoreUnreachableError",
    "UnknownSessionError",
    "UnreadableEventError",
    "export_csv",
    "export_jsonl",
    "import_jsonl",
    "prune",
]
