"""``tableside history``: what happened at the table, to look at, take along and delete."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from advisor.cli.terminal import USAGE, Failure, coloured, command, count

if TYPE_CHECKING:
    from datetime import datetime

    from advisor.service.store import Event, EventStore, Session, Snapshot

LAST = "last"
"""Stands for the newest session."""


def register(commands: Any) -> None:
    """Add the sub-command and its own."""
    parser = command(commands, "history", "look at, export and delete what was stored", "tableside history list")
    inner = parser.add_subparsers(dest="history_command", required=True, metavar="COMMAND")

    listed = command(inner, "list", "name the sessions, the newest first", "tableside history list")
    listed.set_defaults(run=run_list)
    shown = command(inner, "show", "print a session's events", "tableside history show last")
    _session(shown)
    shown.add_argument("--after", type=count, default=0, metavar="N", help="only the events after number N")
    shown.add_argument("--snapshots", type=Path, metavar="FOLDER", help="write the session's pictures into this folder")
    shown.set_defaults(run=run_show)
    ended = command(inner, "end", "close a session that was left open", "tableside history end last")
    _session(ended)
    ended.set_defaults(run=run_end)
    gone = command(inner, "delete", "delete a session with its events and pictures", "tableside history delete SESSION")
    _session(gone)
    gone.set_defaults(run=run_delete)
    pruned = command(
        inner, "prune", "delete old sessions, and old pictures sooner", "tableside history prune --days 90"
    )
    pruned.add_argument(
        "--days", type=count, required=True, metavar="N", help="delete sessions that ended more than N days ago"
    )
    pruned.add_argument(
        "--snapshot-days", type=count, metavar="N", help="delete pictures older than N days (default 14, or --days)"
    )
    pruned.set_defaults(run=run_prune)
    for each in (listed, shown, ended, gone, pruned):
        each.add_argument("--json", action="store_true", help="print one JSON value")

    out = command(
        inner,
        "export",
        "write sessions as JSON lines or as a table of events",
        "tableside history export last --format csv --out evening.csv",
    )
    out.add_argument("session", nargs="?", metavar="SESSION", help=f"one session, or {LAST}; all where none is named")
    out.add_argument("--format", choices=("jsonl", "csv"), default="jsonl", help="default jsonl, which can be imported")
    out.add_argument("--out", type=Path, metavar="FILE", help="write to this file instead of the terminal")
    out.add_argument("--no-snapshots", action="store_true", help="leave the pictures out of the JSON lines")
    out.set_defaults(run=run_export)
    taken = command(
        inner, "import", "add the sessions of an export from another machine", "tableside history import evening.jsonl"
    )
    taken.add_argument("file", type=Path, metavar="FILE", help="what `tableside history export` wrote as jsonl")
    taken.add_argument("--json", action="store_true", help="print one JSON value")
    taken.set_defaults(run=run_import)
    for each in (listed, shown, ended, gone, pruned, out, taken):
        each.add_argument(
            "--store", metavar="URL|FILE", help="another file, or postgresql://… (default: in your own data folder)"
        )


def _session(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("session", metavar="SESSION", help=f"its name in `tableside history list`, or {LAST}")


@contextlib.contextmanager
def _store(where: str | None, *, existing: bool = True) -> Iterator[EventStore]:
    """The store; its faults end the command with their sentences."""
    from advisor.service.store import (
        EventStore,
        RefusedError,
        StoreAddressError,
        StoreError,
        UnknownSessionError,
    )

    try:
        with EventStore.open(where, existing=existing) as store:
            yield store
    except (StoreAddressError, UnknownSessionError, RefusedError) as error:
        raise Failure(str(error), USAGE) from error
    except StoreError as error:
        raise Failure(str(error)) from error


def _named(store: EventStore, name: str) -> str:
    """The session's name, ``last`` resolved."""
    if name != LAST:
        return name
    sessions = store.sessions()
    if not sessions:
        raise Failure("There is no session yet.", USAGE)
    return sessions[0].id


def run_list(arguments: argparse.Namespace) -> int:
    """Returns 0, also where nothing was ever stored."""
    from advisor.service.store.address import default_path

    sessions: list[Session] = []
    # Before the first game there is no file yet; a file that was asked for by name should be there.
    if arguments.store is not None or default_path().exists():
        with _store(arguments.store) as store:
            sessions = store.sessions()
    if arguments.json:
        print(json.dumps([_record(session) for session in sessions]))
    else:
        print("\n".join(_words(session) for session in sessions) or "Nothing has been stored yet.")
    return 0


def run_show(arguments: argparse.Namespace) -> int:
    """Returns 0."""
    from advisor.service.store.transfer import event_record

    with _store(arguments.store) as store:
        session = store.session(_named(store, arguments.session))
        events, pictures = store.events(session.id, arguments.after), store.snapshots(session.id)
        files = _write_pictures(store, pictures, arguments.snapshots) if arguments.snapshots else []
    if arguments.json:
        found = [_picture_record(picture) for picture in pictures]
        for record, file in zip(found, files, strict=False):
            record["file"] = str(file)
        listed = [event_record(event) for event in events]
        print(json.dumps({"session": _record(session), "events": listed, "snapshots": found}))
        return 0
    print(_words(session))
    for event in events:
        print(_line(event))
    for picture in pictures:
        print(f"picture {picture.id} after event {picture.sequence}: {picture.reason}")
    for file in files:
        print(file)
    return 0


def run_end(arguments: argparse.Namespace) -> int:
    """Returns 0, also for a session that had ended before."""
    with _store(arguments.store) as store:
        session = store.end_session(_named(store, arguments.session))
    print(json.dumps(_record(session)) if arguments.json else _words(session))
    return 0


def run_delete(arguments: argparse.Namespace) -> int:
    """Returns 0."""
    with _store(arguments.store) as store:
        gone = store.delete_session(_named(store, arguments.session))
        store.compact()
    if arguments.json:
        print(json.dumps({"deleted": [gone.id], "events": gone.events, "snapshots": gone.snapshots}))
    else:
        print(f"Deleted {gone.id}: {_counts(gone.events, gone.snapshots)}.")
    return 0


def run_prune(arguments: argparse.Namespace) -> int:
    """Returns 0, also where nothing was old enough."""
    from advisor.service.store import prune
    from advisor.service.store.values import utc_now

    with _store(arguments.store) as store:
        gone = prune(store, arguments.days, utc_now(), arguments.snapshot_days)
    if arguments.json:
        print(json.dumps({"deleted": list(gone.sessions), "events": gone.events, "snapshots": gone.snapshots}))
    else:
        print(f"Deleted {_many(len(gone.sessions), 'session')}: {_counts(gone.events, gone.snapshots)}.")
    return 0


def run_export(arguments: argparse.Namespace) -> int:
    """Returns 0; a file appears whole or not at all."""
    from advisor.service.store import export_csv, export_jsonl

    with _store(arguments.store) as store:
        chosen = None if arguments.session is None else [_named(store, arguments.session)]
        with _output(arguments.out, store.name) as out:
            if arguments.format == "csv":
                export_csv(store, out, chosen)
            else:
                export_jsonl(store, out, chosen, snapshots=not arguments.no_snapshots)
    if arguments.out is not None:
        print(arguments.out)
    return 0


def run_import(arguments: argparse.Namespace) -> int:
    """Returns 0, also where all was here already."""
    from advisor.service.store import import_jsonl

    try:
        with arguments.file.open(encoding="utf-8") as lines, _store(arguments.store, existing=False) as store:
            done = import_jsonl(store, lines)
    except OSError as error:
        raise Failure(f"{arguments.file}: it cannot be read ({error.strerror}).", USAGE) from error
    except UnicodeDecodeError as error:
        raise Failure(f"{arguments.file}: it is not text that `tableside history export` wrote.") from error
    if arguments.json:
        print(json.dumps({"added": list(done.added), "known": list(done.known)}))
    else:
        known = f"; {_many(len(done.known), 'session')} here already" if done.known else ""
        print(f"Added {_many(len(done.added), 'session')}{known}.")
    return 0


@contextlib.contextmanager
def _output(path: Path | None, store: str) -> Iterator[TextIO]:
    """Stdout, or a file that takes its name only when it is whole."""
    if path is None:
        yield sys.stdout
        return
    if path.exists() and Path(store).exists() and path.samefile(store):
        raise Failure(f"{path} is the store itself: name another file.", USAGE)
    part: Path | None = None
    try:
        handle, name = tempfile.mkstemp(prefix=".export-", dir=path.absolute().parent)
        part = Path(name)
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as out:
            yield out
        part.replace(path)
        part = None
    except OSError as error:
        raise Failure(f"{path}: it could not be written ({error.strerror}).") from error
    finally:
        if part is not None:
            with contextlib.suppress(OSError):
                part.unlink()


def _write_pictures(store: EventStore, pictures: list[Snapshot], folder: Path) -> list[Path]:
    files = []
    for picture in pictures:
        path = folder / f"{picture.session}-{picture.sequence:05d}-{picture.id}.jpg"
        jpeg = store.snapshot_jpeg(picture.id)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path.write_bytes(jpeg)
        except OSError as error:
            raise Failure(f"{path}: it could not be written ({error.strerror}).") from error
        files.append(path)
    return files


def _record(session: Session) -> dict[str, Any]:
    from advisor.service.store.transfer import session_record

    return {**session_record(session), "snapshots": session.snapshots}


def _picture_record(picture: Snapshot) -> dict[str, Any]:
    from advisor.service.store.plain import format_time

    values = {"id": picture.id, "sequence": picture.sequence, "time": format_time(picture.time)}
    return {**values, "reason": picture.reason, "bytes": picture.size}


def _words(session: Session) -> str:
    """One line for people, times as the clock on the wall shows them."""
    end = coloured("open", "green") if session.ended is None else f"to {_clock(session.ended, session.started)}"
    note = f"  {session.note}" if session.note else ""
    spoken = _counts(session.events, session.snapshots)
    return f"{coloured(session.id, 'bold')}  {session.game}  {_clock(session.started)} {end}  {spoken}{note}"


def _clock(time: datetime, day_of: datetime | None = None) -> str:
    """Local date and time, without the date where it is the same day."""
    local = time.astimezone()
    same = day_of is not None and day_of.astimezone().date() == local.date()
    return f"{local:%H:%M}" if same else f"{local:%Y-%m-%d %H:%M}"


def _line(event: Event) -> str:
    said = " ".join(f"{_shown(key)}={_shown(value)}" for key, value in event.data.items())
    return f"{event.sequence:5d}  {event.time.astimezone():%H:%M:%S}  {event.actor:6s}  {event.kind}  {said}".rstrip()


def _shown(value: object) -> str:
    """Text as it is, unless it would confuse the line or the terminal."""
    if isinstance(value, str) and value.isprintable() and value and " " not in value:
        return value
    return json.dumps(value)


def _counts(events: int, snapshots: int) -> str:
    return f"{_many(events, 'event')}, {_many(snapshots, 'picture')}"


def _many(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
