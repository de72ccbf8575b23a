"""The connection to the database: opening it safely, short transactions, faults by name.

A commit is on the disk before it returns. SQLite runs with a write-ahead log (WAL), so that readers never wait for the
writer, and with synchronous=EXTRA: like FULL it flushes the log at every commit, where NORMAL would keep the last
commits from a kill but not from a power cut. Where a file system does not allow the log, SQLite keeps a rollback
journal, and EXTRA (unlike FULL) also flushes the folder after removing it; without that a power cut could revive it
and undo the last commit (https://www.sqlite.org/pragma.html#pragma_synchronous). fullfsync asks macOS to empty the
disk's own cache too. On PostgreSQL synchronous_commit is switched on where the server has it off.
"""

from __future__ import annotations

import contextlib
import math
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from advisor.service.store.address import Address, driver_missing
from advisor.service.store.errors import (
    StoreAddressError,
    StoreClosedError,
    StoreDamagedError,
    StoreLockedError,
    StoreMissingError,
    StoreUnreachableError,
)
from advisor.service.store.faults import from_os, named, sentence
from advisor.service.store.schema import SCHEMA_VERSION, create_tables, stored_version, try_to_write, upgrade_tables

WRITES: Final = "tableside_writes"
"""The execution option of transactions that write."""
PAUSE: Final = 0.05
"""Seconds between attempts at what SQLite does not wait for by itself."""
CREATION_LOCK: Final = 0x7AB1E51DE
"""The advisory lock that two servers making PostgreSQL's tables at once take in turn; any number would do."""


class Database:
    """One store's database, for use from any thread; see `open_database`."""

    def __init__(self, place: Address, engine: Engine) -> None:
        self.place, self.engine = place, engine
        self._closed = False
        self._file: tuple[int, int] | None = None

    @property
    def name(self) -> str:
        """The store as sentences call it; a URL without its password."""
        return self.place.name

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that sees one moment of the store; it waits for no writer."""
        with self._faults(), self.engine.connect() as connection, connection.begin():
            yield connection

    @contextlib.contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that is kept whole once the block has ended without an error, and leaves no trace otherwise.

        In SQLite one runs at a time; in PostgreSQL those of one session do (they lock its row).
        """
        with self._faults():
            self._same_file()
            with self.engine.connect() as connection:
                connection = connection.execution_options(**{WRITES: True})
                with connection.begin():
                    yield connection

    def compact(self) -> None:
        """Give the space of what was deleted back to the disk (SQLite; PostgreSQL does so by itself)."""
        if self.place.path is None:
            return
        with self._faults(), contextlib.closing(self.engine.raw_connection()) as connection:
            # One script, since the first of these only works while somebody fetches its (empty) rows.
            connection.cursor().executescript("PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE);")

    def close(self) -> None:
        """Let go of the file or the server; what was acknowledged is stored already. May be called again."""
        self._closed = True
        self.engine.dispose()

    @contextlib.contextmanager
    def _faults(self) -> Iterator[None]:
        if self._closed:
            raise StoreClosedError(f"{self.name} has been closed.")
        try:
            yield
        except (DBAPIError, sqlite3.Error, PoolTimeout) as error:
            raise named(error, self.name, self.place.path) from error

    def _same_file(self) -> None:
        """Refuse to write into a file that was deleted or replaced: what goes there would be lost with it."""
        path = self.place.path
        if path is None or self._file is None:
            return
        if _identity(path) != self._file:
            raise StoreUnreachableError(
                f"{self.name} was moved, deleted or replaced while in use: put it back, or start again for a new one."
            )

    def prepare(self, existing: bool, wait: float) -> None:
        """Make sure that the tables are there and sound; see `open_database`."""
        # Looked at before anything is written: a file of another program stays as it is, to the byte.
        with self.reading() as connection:
            version = stored_version(connection, self.name)
        if existing and not version:
            raise StoreMissingError(f"There is no history in {self.name} yet.")
        if not existing:
            if self.place.path is not None:
                _patiently(self._use_log, wait)
            with self.writing() as connection:
                if connection.dialect.name == "postgresql":
                    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": CREATION_LOCK})
                version = stored_version(connection, self.name)
                if not version:
                    create_tables(connection)
                elif version < SCHEMA_VERSION:
                    upgrade_tables(connection)
                try_to_write(connection)
            self._check()
        if self.place.path is not None:
            self._file = _identity(self.place.path)

    def _use_log(self) -> None:
        with self._faults(), contextlib.closing(self.engine.raw_connection()) as connection:
            cursor = connection.cursor()
            if cursor.execute("PRAGMA page_count").fetchone()[0] == 0:
                # Lets `compact` shrink the file later; only heeded before the first page.
                cursor.execute("PRAGMA auto_vacuum=INCREMENTAL")
            cursor.execute("PRAGMA journal_mode=WAL").fetchall()

    def _check(self) -> None:
        """Raise `StoreDamagedError` where SQLite finds its pages or keys in disorder."""
        if self.place.path is None:
            return
        with self.reading() as connection:
            found = connection.exec_driver_sql("PRAGMA quick_check(1)").scalars().all()
        if found != ["ok"]:
            raise StoreDamagedError(sentence(StoreDamagedError, self.name, str(found[0]).splitlines()[-1]))


def open_database(place: Address, *, existing: bool = False, wait: float = 5.0) -> Database:
    """Open the store there; make it where there is none, and check that it is sound and can be written.

    With `existing` it must be there and nothing is checked or written, so that what is left of a damaged store, or one
    that cannot be written, can be read. `wait` is how many seconds to wait for other programs' locks. Raises a
    `StoreError` that names the fault.
    """
    if place.path is not None:
        _file(place, place.path, existing)
    try:
        engine = _engine(place, wait)
    except ModuleNotFoundError:
        raise driver_missing(place) from None
    database = Database(place, engine)
    try:
        database.prepare(existing, wait)
    except BaseException:
        database.close()
        raise
    return database


def _engine(place: Address, wait: float) -> Engine:
    if place.path is None:
        engine = create_engine(
            place.url, pool_pre_ping=True, pool_timeout=wait, connect_args={"connect_timeout": max(2, math.ceil(wait))}
        )
        event.listen(engine, "connect", _postgresql_settings(wait))
        return engine
    engine = create_engine(place.url, pool_timeout=wait, connect_args={"timeout": wait, "check_same_thread": False})
    event.listen(engine, "connect", _sqlite_settings)
    event.listen(engine, "begin", _begin)
    return engine


def _sqlite_settings(connection: sqlite3.Connection, _: object) -> None:
    # Python's driver begins transactions late and by guessing; `_begin` says when.
    connection.isolation_level = None
    for setting in ("synchronous=EXTRA", "fullfsync=ON", "checkpoint_fullfsync=ON", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {setting}")
    # What is deleted, pictures of people's hands among it, is overwritten.
    connection.execute("PRAGMA secure_delete=ON").fetchall()


def _begin(connection: Connection) -> None:
    # A writer takes the lock before it looks, so that what it has seen is still so when it writes.
    writes = connection.get_execution_options().get(WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _postgresql_settings(wait: float) -> Callable[[Any, object], None]:
    def settings(connection: Any, _: object) -> None:
        cursor = connection.cursor()
        cursor.execute(f"SET lock_timeout = {max(1, round(wait * 1000))}")
        cursor.execute(
            "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
        )
        cursor.close()
        connection.commit()

    return settings


def _file(place: Address, path: Path, existing: bool) -> None:
    """Refuse what cannot be a store's file, and make an empty one that only its owner may read."""
    try:
        if path.is_dir():
            raise StoreAddressError(f"{place.name} is a folder: name a file in it, such as {path / 'history.sqlite3'}.")
        if path.exists():
            return
        if existing:
            raise StoreMissingError(f"There is no history yet: {place.name} does not exist.")
        path.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except (NotADirectoryError, FileExistsError):
        raise StoreAddressError(f"{place.name} would lie in a file: name a file in a folder.") from None
    except OSError as error:
        raise from_os(error, place.name) from error


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _patiently(attempt: Callable[[], None], wait: float) -> None:
    """Try again while another program has the store locked, for so many seconds."""
    end = time.monotonic() + wait
    while True:
        try:
            return attempt()
        except StoreLockedError:
            if time.monotonic() > end:
                raise
            time.sleep(PAUSE)
