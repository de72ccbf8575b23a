"""The tables, and whether a database has them in the version that this program writes."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    Column,
    Connection,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    insert,
    inspect,
    select,
    update,
)

from advisor.service.store.errors import StoreDamagedError, StoreForeignError, StoreNewerError
from advisor.service.store.values import SCORE_SHEET

SCHEMA_VERSION: Final = 2
"""Version 1 had the same tables and knew no score sheets: a program of that time would close them as evenings that were
left open, so it must refuse a store that may hold some."""
METADATA: Final = MetaData()

VERSION: Final = Table("schema_version", METADATA, Column("version", Integer, primary_key=True, autoincrement=False))
"""One row."""

SESSIONS: Final = Table(
    "sessions",
    METADATA,
    Column("id", String(64), primary_key=True),
    Column("game", Text, nullable=False),
    Column("rules", Text, nullable=False),
    Column("layout", Text, nullable=False),
    Column("started", Text, nullable=False),
    Column("ended", Text),
    Column("note", Text, nullable=False),
)
"""Times are UTC as text that sorts, the same in every database; rules and layout are JSON."""

SHEET_NAMES: Final = Index(
    "score_sheets_by_name",
    SESSIONS.c.note,
    unique=True,
    sqlite_where=SESSIONS.c.game == SCORE_SHEET,
    postgresql_where=SESSIONS.c.game == SCORE_SHEET,
)
"""One score sheet of a name, whoever begins them at once."""

EVENTS: Final = Table(
    "events",
    METADATA,
    Column("session", String(64), ForeignKey("sessions.id"), primary_key=True),
    Column("sequence", Integer, primary_key=True, autoincrement=False),
    Column("time", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("data", Text, nullable=False),
    # A session's events lie next to one another, and the key is stored once.
    sqlite_with_rowid=False,
)

SNAPSHOTS: Final = Table(
    "snapshots",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("session", String(64), ForeignKey("sessions.id"), nullable=False),
    Column("sequence", Integer, nullable=False),
    Column("time", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("jpeg", LargeBinary, nullable=False),
    Index("snapshots_by_session", "session", "sequence"),
    # The number of a deleted picture never comes to mean another one.
    sqlite_autoincrement=True,
)


def stored_version(connection: Connection, name: str) -> int:
    """The version that the tables are of; 0 for an empty database.

    Raises `StoreNewerError` for a version to come, `StoreForeignError` for a database of something else and
    `StoreDamagedError` where tables or the version are missing; `name` is the store's name in the sentence.
    """
    there = set(inspect(connection).get_table_names())
    ours = set(METADATA.tables)
    if not there & ours and (connection.dialect.name != "sqlite" or not there):
        return 0
    if VERSION.name not in there:
        raise StoreForeignError(f"{name} is a database of another program: name another file for the history.")
    versions = connection.execute(select(VERSION.c.version)).scalars().all()
    if any(version > SCHEMA_VERSION for version in versions):
        raise StoreNewerError(
            f"{name} was written by a newer Tableside (version {max(versions)} of the store, this one knows "
            f"{SCHEMA_VERSION}): update Tableside, or name another store."
        )
    if len(versions) != 1 or versions[0] < 1 or not ours <= there:
        raise StoreDamagedError(f"{name} is damaged: its tables are not complete. {after_damage(name)}")
    return int(versions[0])


def create_tables(connection: Connection) -> None:
    """Make the tables and their version in one transaction, so that a kill leaves either nothing or all of them."""
    METADATA.create_all(connection, checkfirst=False)
    connection.execute(insert(VERSION).values(version=SCHEMA_VERSION))


def upgrade_tables(connection: Connection) -> None:
    """Make of version 1 what this program writes, in one transaction; what is stored stays as it is."""
    SHEET_NAMES.create(connection)
    connection.execute(update(VERSION).values(version=SCHEMA_VERSION))


def try_to_write(connection: Connection) -> None:
    """Fail as writing would; changes nothing. SQLite begins to write to a read-only file without a word."""
    connection.execute(update(VERSION).where(VERSION.c.version < 0).values(version=0))


def after_damage(name: str) -> str:
    """What to do about a damaged store."""
    return (
        f"Put a copy back in its place, or move {name} away and a new one is made; "
        "`tableside history export` may still read what is left."
    )
