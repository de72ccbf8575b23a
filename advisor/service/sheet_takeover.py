"""Score sheets of a Tableside that kept each in a file of JSON lines, taken over into the event store.

A line is ``{"n": 3, "at": "2026-10-03T18:22:05Z", "operation": {"op": "record-hand", …}}``, "key" besides where it had
one; it counts once its line end is there. A file is moved aside once its sheet is safe in the store, and never changed.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Final

from advisor.service.sheet_events import new_event
from advisor.service.sheet_store import LONGEST_NAME, SheetError, checked_name
from advisor.service.store import SCORE_SHEET, Event, EventStore, Session, StoreError
from advisor.service.store.store import new_id

ENDING: Final = ".jsonl"
ASIDE: Final = "taken-over"
"""The folder, among the files, for those whose sheets are in the store."""


@dataclass(frozen=True)
class TakenOver:
    """What became of the files."""

    said: tuple[str, ...]
    """Sentences about what was done."""
    left: Mapping[str, str]
    """By the sheets' names, why a sheet is still in its file."""


def take_over(store: EventStore, folder: Path) -> TakenOver:
    """Put every sheet of the folder into the store, each whole or not at all; what cannot be is left where it is.

    May be cut off at any moment and begun again: a sheet that is there already is not put in twice.
    """
    taken: list[str] = []
    said: list[str] = []
    left: dict[str, str] = {}
    for path in sorted(folder.glob(f"*{ENDING}")):
        try:
            with _locked(path):
                events, torn = _events(path)
                if not events:
                    continue  # not even its first line got whole: nobody was told that there is such a sheet
                name = _stored(store, checked_name(path.stem), events)
                _move_aside(path)
        except StoreError as error:
            left[path.stem] = f"The score sheet {path.stem!r} is still in {path} and cannot be used: {error}"
        except OSError as error:
            left[path.stem] = (
                f"The score sheet {path.stem!r} cannot be taken out of {path} ({error.strerror}): allow writing to its "
                "folder."
            )
        else:
            taken.append(path.stem)
            if name != path.stem:
                said.append(f"The score sheet {path.stem!r} is called {name!r} now, for there was another of its name.")
            if torn:
                said.append(f"{path}: its last line was cut off ({torn} bytes, after line {len(events)}): left out.")
    if taken:
        what, its = ("score sheet", "its file is") if len(taken) == 1 else ("score sheets", "their files are")
        said.insert(0, f"{what} {', '.join(taken)}: moved into {store.name}; {its} kept in {folder / ASIDE}.")
    return TakenOver(tuple(said), left)


def _stored(store: EventStore, name: str, events: list[Event]) -> str:
    """The name under which the sheet is in the store, where it is put unless it is there already.

    Another sheet of its name keeps it; then this one is called "friday 2".
    """
    for number in count(1):
        free = name if number == 1 else f"{name[: LONGEST_NAME - len(f' {number}')].rstrip(' -')} {number}"
        there = store.sheet(free)
        if there is None:
            started = events[0].time
            new = Session(new_id(started), SCORE_SHEET, {}, {}, started, None, free, len(events), 0)
            store.restore(new, events)
            return free
        if store.events(there.id, limit=len(events)) == events:
            return free
    raise AssertionError  # the numbers do not end


def _events(path: Path) -> tuple[list[Event], int]:
    """The events that the file's whole lines stand for, and how many bytes of a torn one follow."""
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1
    written = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    lines = enumerate(data[:whole].splitlines(), 1)
    return [_event(path, number, line, written) for number, line in lines], len(data) - whole


def _event(path: Path, number: int, line: bytes, written: datetime) -> Event:
    """The event of a whole line; a damaged one is never skipped, for what follows builds on it.

    ``written`` is when it happened where the line does not say it.
    """
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise SheetError(f"{path}: line {number} is damaged ({error}); mend the file or restore a copy.") from error
    operation = data.get("operation") if isinstance(data, dict) else None
    if not isinstance(operation, dict):
        raise SheetError(f"{path}: line {number} has no operation; mend the file or restore a copy.")
    if data.get("n") != number:
        raise SheetError(
            f"{path}: line {number} is numbered {data.get('n')!r}, so lines are lost or doubled; mend the file or "
            "restore a copy."
        )
    key, at = data.get("key", ""), data.get("at")
    with contextlib.suppress(ValueError, TypeError):
        written = datetime.fromisoformat(at).astimezone(UTC)
    event = new_event(operation, key if isinstance(key, str) else "")
    return Event(number, written, event.kind, event.data, event.actor)


def _move_aside(path: Path) -> None:
    """Keep the file among those that were taken over, under a name that none of them has."""
    aside = path.parent / ASIDE
    aside.mkdir(exist_ok=True)
    names = (path.name if number == 1 else f"{path.stem} {number}{ENDING}" for number in count(1))
    path.rename(next(aside / name for name in names if not (aside / name).exists()))
    with contextlib.suppress(OSError):  # one operating system deletes no open file; it does no harm
        _lock_path(path).unlink()


def _lock_path(path: Path) -> Path:
    return path.parent / f".{path.stem}.lock"


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Keep a Tableside that still writes the file from doing so meanwhile."""
    handle = os.open(_lock_path(path), os.O_RDWR | os.O_CREAT, 0o666)
    try:
        try:
            _lock(handle)
        except BlockingIOError:
            raise SheetError("another program is writing it; try again.") from None
        yield
    finally:
        os.close(handle)


if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            raise BlockingIOError(*error.args) from error

else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
