"""Where score sheets are kept: one file of JSON lines a game, only ever added to.

A line is ``{"n": 3, "at": "2026-10-03T18:22:05Z", "operation": {"op": "record-hand", …}}``: its number from 1, when it
was written, and the operation as plain data; "key" besides where whoever sent it named it, so that what is sent twice
over a bad line is recorded once. A line counts once its line end is there; each is forced to disk before
the writer goes on, so that only a line that nobody was told of can be torn by a crash. What the operations mean is no
concern of a store: `SheetStore` says what any other (a database) must offer.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Protocol

ENDING: Final = ".jsonl"
LONGEST_NAME: Final = 50
_NAME: Final = re.compile(r"\w(?:[\w -]*\w)?")
_RESERVED: Final = re.compile(r"(?i:con|prn|aux|nul|com\d|lpt\d)")
"""Names that one operating system keeps for itself, whatever follows the dot."""

Data = Mapping[str, Any]
"""An operation as plain data."""


class StoreError(Exception):
    """A sheet cannot be read or written: a sentence that names it and says what to do."""


class NoSheet(StoreError):  # noqa: N818 - it names what is wrong
    """There is no sheet of that name."""


class Taken(StoreError):  # noqa: N818 - it names what is wrong
    """There is a sheet of that name already."""


class Busy(StoreError):  # noqa: N818 - it names what the sheet is
    """Another program is writing the sheet at this moment."""


@dataclass(frozen=True)
class Kept:
    """A sheet's operations, oldest first."""

    operations: tuple[Data, ...]
    keys: tuple[str, ...] = field(default=(), compare=False)
    """What each operation was named by whoever sent it; empty text where nobody did."""
    dropped: str = ""
    """A sentence about a torn last line that is left out; empty where there is none."""


class Writer(Protocol):
    """A sheet that nobody else can write to meanwhile."""

    @property
    def kept(self) -> Kept:
        """What stands there, what was appended among it."""

    def append(self, operation: Data, key: str = "") -> None:
        """Add an operation and return once it is safe; raises `StoreError` with nothing added."""


class SheetStore(Protocol):
    """What keeps score sheets by name. Every method may raise `StoreError`."""

    def names(self) -> tuple[str, ...]:
        """The sheets there are, sorted."""

    def read(self, name: str) -> Kept:
        """A sheet's operations."""

    def create(self, name: str, operation: Data, key: str = "") -> None:
        """Begin a sheet with its first operation; refused where there is one of that name."""

    def writing(self, name: str) -> AbstractContextManager[Writer]:
        """The sheet to be written to; `Busy` where another is writing."""

    def delete(self, name: str) -> None:
        """Take a sheet away for good."""


def checked_name(name: str) -> str:
    """A sheet's name as it is kept; raises `StoreError` where it cannot be one."""
    kept = " ".join(unicodedata.normalize("NFC", name).split())
    if len(kept) > LONGEST_NAME or not _NAME.fullmatch(kept) or _RESERVED.fullmatch(kept):
        raise StoreError(
            f"{name!r} is no name for a score sheet: use up to {LONGEST_NAME} letters, digits, spaces, - and _, "
            "a letter or digit first and last."
        )
    return kept


def _now() -> datetime:
    return datetime.now(UTC)


class SheetFiles:
    """Score sheets as files in one folder, which is made when the first is written."""

    def __init__(self, folder: Path, now: Callable[[], datetime] = _now) -> None:
        self._folder, self._now = folder, now

    def names(self) -> tuple[str, ...]:
        """The sheets there are, sorted; a file whose first line never got whole is none."""
        try:
            found = [path for path in self._folder.glob(f"*{ENDING}") if b"\n" in path.read_bytes()]
        except OSError as error:
            raise StoreError(f"{self._folder}: it could not be read ({error.strerror}).") from error
        return tuple(sorted(path.name.removesuffix(ENDING) for path in found))

    def read(self, name: str) -> Kept:
        """See `SheetStore.read`."""
        return self._read(name)[0]

    def create(self, name: str, operation: Data, key: str = "") -> None:
        """See `SheetStore.create`."""
        path = self._path(name)
        with self._locked(name):
            if path.exists() and b"\n" in path.read_bytes():
                raise Taken(f"There is a score sheet called {path.stem!r} already: choose another name.")
            self._write(path, 0, self._line(1, operation, key))
            _settle(self._folder)

    @contextmanager
    def writing(self, name: str) -> Iterator[Writer]:
        """See `SheetStore.writing`."""
        self._read(name)  # a sheet that is not there gets no lock
        with self._locked(name):
            yield _FileWriter(self, name, *self._read(name))

    def delete(self, name: str) -> None:
        """See `SheetStore.delete`."""
        path = self._path(name)
        if not path.exists():
            raise self._none(name)
        with self._locked(name):
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                raise StoreError(f"{path}: it could not be deleted ({error.strerror}).") from error
            with contextlib.suppress(OSError):  # one operating system deletes no open file; it does no harm
                self._lock_path(name).unlink()
            _settle(self._folder)

    def _path(self, name: str) -> Path:
        return self._folder / f"{checked_name(name)}{ENDING}"

    def _lock_path(self, name: str) -> Path:
        return self._folder / f".{checked_name(name)}.lock"

    def _none(self, name: str) -> NoSheet:
        others = ", ".join(self.names())
        return NoSheet(f"There is no score sheet called {name!r}: there {'are ' + others if others else 'is none'}.")

    def _read(self, name: str) -> tuple[Kept, int]:
        """What is kept, and the length of the file up to its last whole line."""
        path = self._path(name)
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            raise self._none(name) from None
        except OSError as error:
            raise StoreError(f"{path}: it could not be read ({error.strerror}).") from error
        whole = data.rfind(b"\n") + 1
        lines = [_operation(path, number, line) for number, line in enumerate(data[:whole].splitlines(), 1)]
        operations, keys = tuple(operation for operation, _ in lines), tuple(key for _, key in lines)
        if not operations:
            raise StoreError(f"{path}: nothing is in it; delete it, or begin the sheet anew.")
        torn = len(data) - whole
        dropped = f"{path}: its last line was cut off ({torn} bytes, after line {len(operations)}) and is left out."
        return Kept(operations, keys, dropped if torn else ""), whole

    def _line(self, number: int, operation: Data, key: str) -> bytes:
        at = self._now().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        named = {"key": key} if key else {}
        text = json.dumps({"n": number, "at": at, **named, "operation": dict(operation)}, ensure_ascii=False)
        return text.encode() + b"\n"

    def _write(self, path: Path, end: int, line: bytes) -> int:
        """Put the line at that end of the file, after which there is nothing; returns the new end."""
        try:
            with path.open("r+b" if end or path.exists() else "wb") as file:
                file.truncate(end)
                file.seek(end)
                try:
                    file.write(line)
                    file.flush()
                    os.fsync(file.fileno())
                except OSError:
                    with contextlib.suppress(OSError):
                        file.truncate(end)
                    raise
        except OSError as error:
            raise StoreError(f"{path}: it could not be written ({error.strerror}); nothing was recorded.") from error
        return end + len(line)

    @contextmanager
    def _locked(self, name: str) -> Iterator[None]:
        """Keep every other writer of the sheet out, of this program and of others."""
        path = self._lock_path(name)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            handle = _open_locked(path)
        except BlockingIOError:
            raise Busy(f"The score sheet {name!r} is being written by another program: try again.") from None
        except OSError as error:
            raise StoreError(f"{path}: it could not be written ({error.strerror}); nothing was recorded.") from error
        try:
            yield
        finally:
            os.close(handle)


class _FileWriter:
    def __init__(self, files: SheetFiles, name: str, kept: Kept, end: int) -> None:
        self._files, self._name, self._kept, self._end = files, name, kept, end

    @property
    def kept(self) -> Kept:
        return self._kept

    def append(self, operation: Data, key: str = "") -> None:
        line = self._files._line(len(self._kept.operations) + 1, operation, key)
        self._end = self._files._write(self._files._path(self._name), self._end, line)
        self._kept = Kept((*self._kept.operations, operation), (*self._kept.keys, key))


def _operation(path: Path, number: int, line: bytes) -> tuple[Data, str]:
    """The operation of a whole line, and its key; a damaged one is never skipped, for what follows builds on it."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise StoreError(f"{path}: line {number} is damaged ({error}); mend the file or restore a copy.") from error
    operation = data.get("operation") if isinstance(data, dict) else None
    if not isinstance(operation, dict):
        raise StoreError(f"{path}: line {number} has no operation; mend the file or restore a copy.")
    if data.get("n") != number:
        raise StoreError(
            f"{path}: line {number} is numbered {data.get('n')!r}, so lines are lost or doubled; mend the file or "
            "restore a copy."
        )
    key = data.get("key", "")
    return operation, key if isinstance(key, str) else ""


def _open_locked(path: Path) -> int:
    """The file, open and locked; raises `BlockingIOError` where another holds it."""
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            _lock(handle)
            # Whoever held it before may have deleted the sheet and this file with it: then another is locked anew.
            if os.path.exists(path) and os.path.samestat(os.fstat(handle), os.stat(path)):  # noqa: PTH110, PTH116
                return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)


if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            raise BlockingIOError(*error.args) from error

    def _settle(folder: Path) -> None:
        """A folder cannot be forced to disk here."""

else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _settle(folder: Path) -> None:
        """Force to disk which files the folder has."""
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
