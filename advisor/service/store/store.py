"""The event store: sessions and score sheets, their events in order, and pictures of disputed moments."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Row, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from advisor.service.store import plain
from advisor.service.store.address import address
from advisor.service.store.database import Database, open_database
from advisor.service.store.errors import (
    RefusedError,
    SessionEndedError,
    SessionExistsError,
    SessionMovedOnError,
    SessionOpenError,
    StoreDamagedError,
    UnknownSessionError,
)
from advisor.service.store.faults import sentence
from advisor.service.store.schema import EVENTS, SESSIONS, SNAPSHOTS
from advisor.service.store.values import (
    SCORE_SHEET,
    Event,
    NewEvent,
    NewSnapshot,
    Session,
    Snapshot,
    check_actor,
    utc_now,
)

WAIT: Final = 5.0
"""Seconds to wait for another program's lock."""


class EventStore:
    """An append-only store of events in a file or a database; usable from any thread, every transaction is short.

    Every method raises a `StoreError` that names the fault (`StoreLockedError`, `StoreFullError`, `StoreDamagedError`
    and others); where it raises, nothing was changed. What has returned survives a kill of the process and a power cut.
    """

    def __init__(self, database: Database, clock: Callable[[], datetime] = utc_now) -> None:
        self._database, self._clock = database, clock

    @classmethod
    def open(
        cls,
        where: str | Path | None = None,
        *,
        existing: bool = False,
        wait: float = WAIT,
        clock: Callable[[], datetime] = utc_now,
    ) -> EventStore:
        """The store in a file, in PostgreSQL by URL, or (None) in the person's own data folder.

        One is made where there is none, and a file is checked whole. With `existing` it must be there
        (`StoreMissingError`), and opening it checks and writes nothing, so that a store that cannot be written can
        still be read. `wait` is how many seconds to wait for other programs' locks, now and later.
        """
        return cls(open_database(address(where), existing=existing, wait=wait), clock)

    @property
    def name(self) -> str:
        """The file, or the URL without its password."""
        return self._database.name

    def close(self) -> None:
        """Let go of the store; later calls raise `StoreClosedError`. May be called again."""
        self._database.close()

    def __enter__(self) -> EventStore:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def start_session(
        self, game: str, rules: Mapping[str, Any] | None = None, layout: Mapping[str, Any] | None = None, note: str = ""
    ) -> Session:
        """A new open session with no events. Others may be open beside it; `open_sessions` lists them."""
        now = self._clock()
        new = Session(new_id(now), game, rules or {}, layout or {}, now, None, note, 0, 0)
        row = _session_columns(new)
        with self._database.writing() as connection:
            self._insert_session(connection, row, [])
            return self._session(connection, new.id)

    def begin_sheet(self, name: str, event: NewEvent) -> Session:
        """A new score sheet with its first event; raises `SessionExistsError` where there is one of that name."""
        now = self._clock()
        new = Session(new_id(now), SCORE_SHEET, {}, {}, now, None, name, 1, 0)
        row = _session_columns(new)
        first = {"session": new.id, "sequence": 1, "time": plain.format_time(now), **_columns(event)}
        with self._database.writing() as connection:
            self._insert_session(connection, row, [first])
            return self._session(connection, new.id)

    def end_session(self, session: str) -> Session:
        """Close it for good; one that has ended stays as it is."""
        with self._database.writing() as connection:
            if self._evening(connection, session).ended is None:
                ended = plain.format_time(self._clock())
                connection.execute(update(SESSIONS).where(SESSIONS.c.id == session).values(ended=ended))
            return self._session(connection, session)

    def append(self, session: str, expected_sequence: int, events: Sequence[NewEvent]) -> int:
        """Store the events after number `expected_sequence` (0: the first), all or none; returns the last number.

        Raises `SessionMovedOnError` where the session does not stand at that number: of two servers on one session the
        slower is refused, whatever it does, until it has read what the other added. Also `SessionEndedError` and
        `UnknownSessionError`.
        """
        now = plain.format_time(self._clock())
        rows = [
            {"session": session, "sequence": number, "time": now, **_columns(event)}
            for number, event in enumerate(events, expected_sequence + 1)
        ]
        with self._database.writing() as connection:
            if self._locked(connection, session).ended is not None:
                raise SessionEndedError(f"Session {session} has ended: start a new one.")
            last = self._last(connection, session)
            if last != expected_sequence:
                raise SessionMovedOnError(session, expected_sequence, last)
            if rows:
                connection.execute(insert(EVENTS), rows)
        return last + len(rows)

    def events(self, session: str, after: int = 0, limit: int | None = None) -> list[Event]:
        """The session's events in order, from number `after` + 1 on, at most `limit` of them.

        Raises `StoreDamagedError` where one is missing or unreadable, `UnknownSessionError` where the session is.
        """
        after = max(0, after)
        query = select(EVENTS).where(EVENTS.c.session == session, EVENTS.c.sequence > min(after, 2**31 - 1))
        with self._database.reading() as connection:
            self._session(connection, session)
            rows = connection.execute(query.order_by(EVENTS.c.sequence).limit(limit)).all()
        return [self._event(row, number) for number, row in enumerate(rows, after + 1)]

    def last_sequence(self, session: str) -> int:
        """The number of the session's last event; 0 before the first."""
        with self._database.reading() as connection:
            self._session(connection, session)
            return self._last(connection, session)

    def sessions(self) -> list[Session]:
        """All sittings with their counts, the newest first; score sheets are not among them."""
        with self._database.reading() as connection:
            return self._sessions(connection, SESSIONS.c.game != SCORE_SHEET)

    def open_sessions(self) -> list[Session]:
        """Those that have not ended, the newest first: what a server that starts again goes on with."""
        with self._database.reading() as connection:
            return self._sessions(connection, SESSIONS.c.game != SCORE_SHEET, SESSIONS.c.ended.is_(None))

    def sheets(self) -> list[Session]:
        """All score sheets, by their names (`Session.note`)."""
        with self._database.reading() as connection:
            return sorted(self._sessions(connection, SESSIONS.c.game == SCORE_SHEET), key=lambda sheet: sheet.note)

    def sheet(self, name: str) -> Session | None:
        """The score sheet of that name; None where there is none."""
        with self._database.reading() as connection:
            found = self._sessions(connection, SESSIONS.c.game == SCORE_SHEET, SESSIONS.c.note == name)
        return found[0] if found else None

    def session(self, session: str) -> Session:
        """One session with its counts; raises `UnknownSessionError`."""
        with self._database.reading() as connection:
            return self._session(connection, session)

    def add_snapshot(self, session: str, sequence: int, reason: str, jpeg: bytes) -> Snapshot:
        """Keep a picture of the moment after event `sequence` (0: before the first), which must be stored already."""
        picture = NewSnapshot(sequence, self._clock(), reason, jpeg)
        with self._database.writing() as connection:
            self._locked(connection, session)
            number = self._insert_snapshot(connection, session, picture, self._last(connection, session))
        return Snapshot(number, session, sequence, picture.time, reason, len(jpeg))

    def snapshots(self, session: str) -> list[Snapshot]:
        """The session's pictures in order, without their bytes."""
        table = SNAPSHOTS.c
        columns = (table.id, table.session, table.sequence, table.time, table.reason, func.length(table.jpeg))
        query = select(*columns).where(table.session == session).order_by(table.sequence, table.id)
        with self._database.reading() as connection:
            self._session(connection, session)
            rows = connection.execute(query).all()
        return [Snapshot(row[0], row[1], row[2], self._time(row[3]), row[4], row[5]) for row in rows]

    def snapshot_jpeg(self, snapshot: int) -> bytes:
        """A picture's bytes; raises `UnknownSessionError` where it was deleted."""
        with self._database.reading() as connection:
            jpeg = connection.execute(select(SNAPSHOTS.c.jpeg).where(SNAPSHOTS.c.id == snapshot)).scalar()
        if jpeg is None:
            raise UnknownSessionError(f"There is no snapshot {snapshot}: it may have been deleted.")
        return bytes(jpeg)

    def delete_session(self, session: str) -> Session:
        """Delete an ended session with its events and pictures; returns what it was. An open one is refused."""
        with self._database.writing() as connection:
            if self._evening(connection, session).ended is None:
                raise SessionOpenError(f"Session {session} is still open: end it first.")
            gone = self._session(connection, session)
            self._delete(connection, session)
        return gone

    def delete_sheet(self, name: str) -> bool:
        """Delete the score sheet of that name with its events; False where there is none."""
        with self._database.writing() as connection:
            found = self._sessions(connection, SESSIONS.c.game == SCORE_SHEET, SESSIONS.c.note == name)
            for sheet in found:
                self._locked(connection, sheet.id)
                self._delete(connection, sheet.id)
        return bool(found)

    def delete_snapshots(self, session: str, before: datetime) -> int:
        """Delete the pictures of an ended session taken before that moment; returns how many."""
        with self._database.writing() as connection:
            if self._evening(connection, session).ended is None:
                raise SessionOpenError(f"Session {session} is still open: its snapshots stay.")
            old = (SNAPSHOTS.c.session == session, SNAPSHOTS.c.time < plain.format_time(before))
            return connection.execute(delete(SNAPSHOTS).where(*old)).rowcount

    def compact(self) -> None:
        """Give the space of what was deleted back to the disk."""
        self._database.compact()

    def restore(self, session: Session, events: Sequence[Event], snapshots: Sequence[NewSnapshot] = ()) -> bool:
        """Store a session as it was elsewhere, whole or not at all; False where the very same is here already.

        Raises `SessionExistsError` where one of this name is here with other events, and `RefusedError` for what cannot
        be stored: gaps in the sequence, data out of bounds.
        """
        row, rows = _session_columns(session), []
        for number, event in enumerate(events, 1):
            if event.sequence != number:
                raise RefusedError(
                    f"Event {number} of session {session.id} is missing: {event.sequence} comes instead."
                )
            drawn = _columns(NewEvent(event.kind, event.data, event.actor))
            rows.append({"session": session.id, "sequence": number, "time": plain.format_time(event.time), **drawn})
        with self._database.writing() as connection:
            if self._sessions(connection, SESSIONS.c.id == session.id):
                return self._same(connection, row, rows)
            self._insert_session(connection, row, rows)
            for picture in snapshots:
                self._insert_snapshot(connection, session.id, picture, len(rows))
        return True

    def _same(self, connection: Connection, row: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> bool:
        """False, or the error that says that the stored session is not this one."""
        stored = connection.execute(select(SESSIONS).where(SESSIONS.c.id == row["id"])).mappings().one()
        query = select(EVENTS).where(EVENTS.c.session == row["id"]).order_by(EVENTS.c.sequence)
        if dict(stored) == row and [dict(r) for r in connection.execute(query).mappings()] == rows:
            return False
        raise SessionExistsError(f"Session {row['id']} is here already, with other contents: it was left as it is.")

    def _insert_session(
        self, connection: Connection, row: Mapping[str, Any], events: Sequence[Mapping[str, Any]]
    ) -> None:
        try:
            connection.execute(insert(SESSIONS).values(**row))
        except IntegrityError as error:
            if row["game"] != SCORE_SHEET:
                raise
            raise SessionExistsError(
                f"There is a score sheet called {row['note']!r} already: choose another name, or delete it first."
            ) from error
        if events:
            connection.execute(insert(EVENTS), events)

    def _delete(self, connection: Connection, session: str) -> None:
        connection.execute(delete(SNAPSHOTS).where(SNAPSHOTS.c.session == session))
        connection.execute(delete(EVENTS).where(EVENTS.c.session == session))
        connection.execute(delete(SESSIONS).where(SESSIONS.c.id == session))

    def _insert_snapshot(self, connection: Connection, session: str, picture: NewSnapshot, last: int) -> int:
        if not 0 <= picture.sequence <= last:
            raise RefusedError(f"Session {session} has no event {picture.sequence} for a snapshot: its last is {last}.")
        values = {"sequence": picture.sequence, "time": plain.format_time(picture.time), "reason": picture.reason}
        query = insert(SNAPSHOTS).values(session=session, jpeg=picture.jpeg, **values).returning(SNAPSHOTS.c.id)
        return int(connection.execute(query).scalar_one())

    def _locked(self, connection: Connection, session: str) -> Row[Any]:
        """The session's row, which nobody else changes or adds events to until the transaction is over."""
        query = select(SESSIONS).where(SESSIONS.c.id == session).with_for_update()
        row = connection.execute(query).first() if plain.is_id(session) else None
        if row is None:
            raise _unknown(session)
        return row

    def _evening(self, connection: Connection, session: str) -> Row[Any]:
        """See `_locked`; a score sheet is refused."""
        row = self._locked(connection, session)
        if row.game == SCORE_SHEET:
            raise RefusedError(
                f"Session {session} is the score sheet {row.note!r}: `tableside rummy sheet delete` deletes it by name."
            )
        return row

    def _last(self, connection: Connection, session: str) -> int:
        return int(
            connection.execute(select(func.max(EVENTS.c.sequence)).where(EVENTS.c.session == session)).scalar() or 0
        )

    def _session(self, connection: Connection, session: str) -> Session:
        found = self._sessions(connection, SESSIONS.c.id == session) if plain.is_id(session) else []
        if not found:
            raise _unknown(session)
        return found[0]

    def _sessions(self, connection: Connection, *conditions: ColumnElement[bool]) -> list[Session]:
        counts = [
            select(func.count()).where(table.c.session == SESSIONS.c.id).scalar_subquery()
            for table in (EVENTS, SNAPSHOTS)
        ]
        query = select(SESSIONS, *counts).where(*conditions).order_by(SESSIONS.c.started.desc(), SESSIONS.c.id.desc())
        return [self._read_session(row) for row in connection.execute(query)]

    def _read_session(self, row: Row[Any]) -> Session:
        session, game, rules, layout, started, ended, note, events, snapshots = tuple(row)
        try:
            values = plain.decode(rules), plain.decode(layout)
        except (TypeError, ValueError) as error:
            raise self._damaged(f"the rules of session {session}: {error}") from error
        end = None if ended is None else self._time(ended)
        return Session(session, game, *values, self._time(started), end, note, events, snapshots)

    def _event(self, row: Row[Any], number: int) -> Event:
        what = f"event {number} of session {row.session}"
        if row.sequence != number:
            raise self._damaged(f"{what} is missing")
        try:
            return Event(number, self._time(row.time), row.kind, plain.decode(row.data), check_actor(row.actor))
        except (TypeError, ValueError) as error:
            raise self._damaged(f"{what}: {error}") from error

    def _time(self, text: str) -> datetime:
        try:
            return plain.parse_time(text)
        except (TypeError, ValueError) as error:
            raise self._damaged(f"a time: {error}") from error

    def _damaged(self, reason: str) -> StoreDamagedError:
        return StoreDamagedError(sentence(StoreDamagedError, self.name, reason.rstrip(".")))


def new_id(started: datetime) -> str:
    """A name for a session that no other has."""
    return f"{started:%Y-%m-%d}-{secrets.token_hex(4)}"


def _columns(event: NewEvent) -> dict[str, str]:
    return {"kind": event.kind, "actor": event.actor, "data": plain.encode(f"The event {event.kind}", event.data)}


def _session_columns(session: Session) -> dict[str, str | None]:
    if not plain.is_id(session.id):
        raise RefusedError(f"A session cannot be named {session.id!r}: letters, digits, '.', '_' and '-' are expected.")
    if session.game == SCORE_SHEET and session.ended is not None:
        raise RefusedError(f"Session {session.id} is a score sheet that has ended: those stay open.")
    return {
        "id": session.id,
        "game": plain.check_name("A game's name", session.game),
        "rules": plain.encode("The rules", session.rules, plain.RULES_LEAVES),
        "layout": plain.encode("The layout", session.layout, plain.LAYOUT_LEAVES),
        "started": plain.format_time(session.started),
        "ended": None if session.ended is None else plain.format_time(session.ended),
        "note": plain.check_text("The note", session.note),
    }


def _unknown(session: str) -> UnknownSessionError:
    return UnknownSessionError(f"There is no session {session!r}: `tableside history list` shows those there are.")
