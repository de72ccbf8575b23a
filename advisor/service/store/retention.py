"""What is kept how long: sittings go after so many days, their pictures sooner; open ones and score sheets stay."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from advisor.service.store.errors import RefusedError, SessionOpenError, UnknownSessionError
from advisor.service.store.store import EventStore

SNAPSHOT_DAYS: Final = 14
"""Days that pictures are kept where nothing else is said: long enough for a dispute, and they show people."""
MAX_DAYS: Final = 100_000


@dataclass(frozen=True)
class Pruned:
    """What was deleted: sessions by name, events, and pictures (those of deleted sessions among them)."""

    sessions: tuple[str, ...]
    events: int
    snapshots: int


def prune(store: EventStore, days: int, now: datetime, snapshot_days: int | None = None) -> Pruned:
    """Delete the sessions that ended more than `days` days before `now`, and pictures older than `snapshot_days`.

    `snapshot_days` is at most `days`; by default `SNAPSHOT_DAYS`, or `days` where that is less. Open sessions and their
    pictures stay. Every session goes in a transaction of its own, so that a server at work hardly waits.
    """
    if snapshot_days is None:
        snapshot_days = min(days, SNAPSHOT_DAYS)
    if not 0 <= snapshot_days <= days <= MAX_DAYS:
        raise RefusedError(
            f"Sessions cannot be kept {days} days and snapshots {snapshot_days}: both are at least 0, and snapshots "
            f"are kept no longer than their session, which is at most {MAX_DAYS} days."
        )
    try:
        oldest, oldest_picture = now - timedelta(days=days), now - timedelta(days=snapshot_days)
    except OverflowError:
        raise RefusedError(f"{days} days before now is no date: give fewer.") from None
    gone: list[str] = []
    events = snapshots = 0
    for session in store.sessions():
        if session.ended is None:
            continue
        try:
            if session.ended < oldest:
                deleted = store.delete_session(session.id)
                gone.append(session.id)
                events, snapshots = events + deleted.events, snapshots + deleted.snapshots
            elif session.snapshots:
                snapshots += store.delete_snapshots(session.id, oldest_picture)
        except (UnknownSessionError, SessionOpenError):
            # Another program has deleted it meanwhile, or put an open one of the same name in its place.
            continue
    if gone or snapshots:
        store.compact()
    return Pruned(tuple(gone), events, snapshots)
