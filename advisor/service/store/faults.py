"""Faults of a database, told apart by its own codes, as the store's named errors."""

from __future__ import annotations

import errno
import os
import sqlite3
from pathlib import Path
from typing import Final

from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from advisor.service.store.errors import (
    StoreDamagedError,
    StoreError,
    StoreFullError,
    StoreLockedError,
    StoreReadOnlyError,
    StoreUnreachableError,
)
from advisor.service.store.schema import after_damage

_PRIMARY: Final = 0xFF
"""SQLite's extended codes carry the primary one in their lowest byte (https://www.sqlite.org/rescode.html)."""
_SQLITE: Final[dict[int, type[StoreError]]] = {
    sqlite3.SQLITE_BUSY: StoreLockedError,
    sqlite3.SQLITE_LOCKED: StoreLockedError,
    sqlite3.SQLITE_READONLY: StoreReadOnlyError,
    sqlite3.SQLITE_PERM: StoreReadOnlyError,
    sqlite3.SQLITE_FULL: StoreFullError,
    sqlite3.SQLITE_CORRUPT: StoreDamagedError,
    sqlite3.SQLITE_NOTADB: StoreDamagedError,
    sqlite3.SQLITE_ERROR: StoreDamagedError,
    sqlite3.SQLITE_CONSTRAINT: StoreDamagedError,
    sqlite3.SQLITE_MISMATCH: StoreDamagedError,
}
"""The statements are fixed, so that one which SQLite does not understand means that a table is not as it was made."""
_POSTGRESQL: Final[dict[str, type[StoreError]]] = {
    "55P03": StoreLockedError,
    "40001": StoreLockedError,
    "40P01": StoreLockedError,
    "25006": StoreReadOnlyError,
    "42501": StoreReadOnlyError,
    "53100": StoreFullError,
    "XX001": StoreDamagedError,
    "XX002": StoreDamagedError,
    "42P01": StoreDamagedError,
    "42703": StoreDamagedError,
}
"""https://www.postgresql.org/docs/current/errcodes-appendix.html"""


def named(error: Exception, name: str, path: Path | None) -> StoreError:
    """The store's error for a database's one; `name` is the store in the sentence, `path` its file if it has one."""
    origin = error.orig if isinstance(error, DBAPIError) else error
    reason = _first_line(origin if origin is not None else error)
    if isinstance(error, PoolTimeout):
        return StoreLockedError(f"{name} is busy: too many wait for it at once; try again.")
    kind: type[StoreError] = StoreUnreachableError
    code = getattr(origin, "sqlite_errorcode", None)
    if isinstance(code, int):
        kind = _SQLITE.get(code & _PRIMARY, StoreUnreachableError)
        if code & _PRIMARY == sqlite3.SQLITE_CANTOPEN and path is not None and not os.access(path.parent, os.W_OK):
            kind = StoreReadOnlyError
    elif not isinstance(origin, sqlite3.Error):
        state = getattr(origin, "sqlstate", None) or getattr(origin, "pgcode", None)
        kind = _POSTGRESQL.get(str(state), StoreUnreachableError)
    return kind(sentence(kind, name, reason))


def sentence(kind: type[StoreError], name: str, reason: str) -> str:
    """What is said of this fault, and what to do about it."""
    if kind is StoreLockedError:
        return f"{name} is locked by another program: close that program, or try again."
    if kind is StoreReadOnlyError:
        return f"{name} cannot be written ({reason}): allow writing to it and to its folder, or name another store."
    if kind is StoreFullError:
        return f"{name} cannot grow, the disk is full: make room, for example with `tableside history prune --days 30`."
    if kind is StoreDamagedError:
        return f"{name} is damaged ({reason}). {after_damage(name)}"
    return f"{name} cannot be used ({reason}): see to the disk or the database, then try again."


def from_os(error: OSError, name: str) -> StoreError:
    """The store's error for one of the file system's while the file is made."""
    kind: type[StoreError] = StoreUnreachableError
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        kind = StoreReadOnlyError
    elif error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)):
        kind = StoreFullError
    return kind(sentence(kind, name, error.strerror or type(error).__name__))


def _first_line(error: BaseException) -> str:
    if isinstance(error, SQLAlchemyError) and not isinstance(error, DBAPIError):
        return type(error).__name__
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(".") if lines else type(error).__name__
