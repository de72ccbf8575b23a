"""Sessions and score sheets as JSON lines, for another machine or other programs, and as a table for a spreadsheet.

JSON lines: a first line names the format; then for each session one line of itself with its number of events, one a
event, one a snapshot (JPEG in base64), in this order. Times are UTC.
"""

from __future__ import annotations

import base64
import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, TextIO

from advisor.service.store import plain
from advisor.service.store.errors import ImportRefusedError, RefusedError, SessionExistsError
from advisor.service.store.store import EventStore
from advisor.service.store.values import SCORE_SHEET, Event, NewEvent, NewSnapshot, Session

FORMAT: Final = {"record": "tableside-history", "version": 1}
WITH_SHEETS: Final = {**FORMAT, "version": 2}
"""Where a score sheet is among the sessions: a Tableside that knows none would close it as an evening left open."""
CSV_COLUMNS: Final = ("session", "game", "sequence", "time", "actor", "kind", "data")
CHUNK: Final = 1000
"""Events read in one transaction."""


@dataclass(frozen=True)
class Imported:
    """Names of the sessions that were added, and of those that were here already, the same in every event."""

    added: tuple[str, ...]
    known: tuple[str, ...]


def session_record(session: Session) -> dict[str, Any]:
    """A session as it is written into JSON."""
    return {
        "id": session.id,
        "game": session.game,
        "rules": session.rules,
        "layout": session.layout,
        "started": plain.format_time(session.started),
        "ended": None if session.ended is None else plain.format_time(session.ended),
        "note": session.note,
        "events": session.events,
    }


def event_record(event: Event) -> dict[str, Any]:
    """An event as it is written into JSON."""
    values = {"actor": event.actor, "kind": event.kind, "data": event.data}
    return {"sequence": event.sequence, "time": plain.format_time(event.time), **values}


def export_jsonl(
    store: EventStore, out: TextIO, sessions: Iterable[str] | None = None, *, snapshots: bool = True
) -> int:
    """Write these sessions (None: all, then all score sheets) as JSON lines, oldest first; returns how many.

    Reads in short transactions; events that a server adds meanwhile are left out.
    """
    chosen = _chosen(store, sessions)
    _line(out, WITH_SHEETS if any(session.game == SCORE_SHEET for session in chosen) else FORMAT)
    for session in chosen:
        _line(out, {"record": "session", **session_record(session)})
        for event in _events(store, session):
            _line(out, {"record": "event", **event_record(event)})
        for picture in store.snapshots(session.id) if snapshots else ():
            if picture.sequence <= session.events:
                values = {
                    "sequence": picture.sequence,
                    "time": plain.format_time(picture.time),
                    "reason": picture.reason,
                }
                jpeg = base64.b64encode(store.snapshot_jpeg(picture.id)).decode("ascii")
                _line(out, {"record": "snapshot", **values, "jpeg": jpeg})
    return len(chosen)


def export_csv(store: EventStore, out: TextIO, sessions: Iterable[str] | None = None) -> int:
    """Write the events of these sessions (None: all, then all score sheets) as a table, oldest first; returns how many.

    The columns are `CSV_COLUMNS`, the data as JSON. No cell begins with a sign that a spreadsheet takes for a formula.
    """
    chosen = _chosen(store, sessions)
    table = csv.writer(out, lineterminator="\n")
    table.writerow(CSV_COLUMNS)
    for session in chosen:
        for event in _events(store, session):
            time, data = plain.format_time(event.time), plain.encode("data", event.data)
            table.writerow((session.id, session.game, event.sequence, time, event.actor, event.kind, data))
    return len(chosen)


def import_jsonl(store: EventStore, lines: Iterable[str]) -> Imported:
    """Store the sessions that `export_jsonl` wrote, each whole or not at all; those that are here already are left.

    Raises `ImportRefusedError` naming the first wrong line. The sessions before it have been imported; the same file,
    put right, can be imported again.
    """
    added: list[str] = []
    known: list[str] = []
    for part in _parts(lines):
        try:
            new = store.restore(part.session, part.events, part.snapshots)
        except (RefusedError, SessionExistsError) as error:
            raise ImportRefusedError(part.line, str(error)) from error
        (added if new else known).append(part.session.id)
    return Imported(tuple(added), tuple(known))


def _line(out: TextIO, record: Mapping[str, Any]) -> None:
    out.write(json.dumps(record, separators=(",", ":"), allow_nan=False) + "\n")


def _chosen(store: EventStore, sessions: Iterable[str] | None) -> Sequence[Session]:
    if sessions is None:
        return [*store.sessions()[::-1], *store.sheets()]
    return [store.session(name) for name in sessions]


def _events(store: EventStore, session: Session) -> Iterator[Event]:
    """The events that the session had when it was counted."""
    for after in range(0, session.events, CHUNK):
        yield from store.events(session.id, after, min(CHUNK, session.events - after))


@dataclass
class _Part:
    """One session of a file while its lines come in."""

    line: int
    session: Session
    events: list[Event] = field(default_factory=list)
    snapshots: list[NewSnapshot] = field(default_factory=list)


def _parts(lines: Iterable[str]) -> Iterator[_Part]:
    part: _Part | None = None
    number = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = plain.decode(line)
            if number == 1:
                _check_format(record)
            elif record.get("record") == "session":
                if part is not None:
                    yield _whole(part)
                part = _Part(number, _read(record, "session", _SESSION, _session))
            elif part is None:
                raise RefusedError("a session is expected before its events.")
            elif record.get("record") == "event":
                part.events.append(_read(record, "event", _EVENT, _event))
            else:
                part.snapshots.append(_read(record, "snapshot", _SNAPSHOT, _snapshot))
        except (ValueError, TypeError, KeyError) as error:
            raise ImportRefusedError(number, _reason(error)) from error
    if number == 0:
        raise ImportRefusedError(1, "the file is empty.")
    if part is not None:
        yield _whole(part)


def _reason(error: Exception) -> str:
    return str(error) if isinstance(error, RefusedError) else f"it cannot be read ({error})."


def _check_format(record: Mapping[str, Any]) -> None:
    if record.get("record") != FORMAT["record"]:
        raise RefusedError("this is not a file that `tableside history export --format jsonl` wrote.")
    if record not in (FORMAT, WITH_SHEETS):
        raise RefusedError("the file was written by a newer Tableside: update this one.")


def _whole(part: _Part) -> _Part:
    if len(part.events) != part.session.events:
        reason = f"session {part.session.id} should have {part.session.events} events and has {len(part.events)}."
        raise ImportRefusedError(part.line, f"{reason} The file is cut short or was changed.")
    return part


_SESSION: Final = {"id": str, "game": str, "rules": dict, "layout": dict, "started": str, "note": str, "events": int}
_EVENT: Final = {"sequence": int, "time": str, "actor": str, "kind": str, "data": dict}
_SNAPSHOT: Final = {"sequence": int, "time": str, "reason": str, "jpeg": str}
_OPTIONAL: Final = ("record", "ended")


def _read(
    record: Mapping[str, Any], kind: str, fields: Mapping[str, type], make: Callable[[Mapping[str, Any]], Any]
) -> Any:
    """The value that a record stands for, its fields' names and types checked first."""
    if record.get("record") != kind:
        raise RefusedError(f"a record cannot be {record.get('record')!r}: session, event or snapshot is expected.")
    for name, expected in fields.items():
        if not isinstance(record.get(name), expected) or isinstance(record[name], bool):
            raise RefusedError(f"the {kind} lacks {name!r}, or it is not of the right type.")
    unknown = [name for name in record if name not in fields and name not in _OPTIONAL]
    if unknown:
        raise RefusedError(f"the {kind} has an unknown field {unknown[0]!r}.")
    return make(record)


def _session(record: Mapping[str, Any]) -> Session:
    ended: datetime | None = None if record.get("ended") is None else plain.parse_time(record["ended"])
    names = {name: record[name] for name in ("id", "game", "rules", "layout", "note", "events")}
    return Session(**names, started=plain.parse_time(record["started"]), ended=ended, snapshots=0)


def _event(record: Mapping[str, Any]) -> Event:
    event = NewEvent(record["kind"], record["data"], record["actor"])
    return Event(record["sequence"], plain.parse_time(record["time"]), event.kind, event.data, event.actor)


def _snapshot(record: Mapping[str, Any]) -> NewSnapshot:
    jpeg = base64.b64decode(record["jpeg"], validate=True)
    return NewSnapshot(record["sequence"], plain.parse_time(record["time"]), record["reason"], jpeg)
