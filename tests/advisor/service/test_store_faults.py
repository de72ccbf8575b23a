"""Everything that can be wrong with a store's file or address: each by its name, with a sentence, and nothing lost."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import event
from store_stand_ins import ADDING, JPEG, Add, add, numbered, public_folder, without_write

from advisor.service.store import (
    DriverMissingError,
    EventStore,
    Journal,
    StoreAddressError,
    StoreDamagedError,
    StoreForeignError,
    StoreFullError,
    StoreLockedError,
    StoreMissingError,
    StoreNewerError,
    StoreReadOnlyError,
    StoreUnreachableError,
)
from advisor.service.store.address import address, default_path
from advisor.service.store.database import open_database

LOCK = """
import sqlite3, sys
c = sqlite3.connect(sys.argv[1], isolation_level=None)
c.execute("BEGIN IMMEDIATE")
print("locked", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "history.sqlite3"


def filled(path: Path, events: int = 3) -> str:
    """A closed store with one session."""
    with EventStore.open(path) as store:
        session = store.start_session("blackjack").id
        store.append(session, 0, numbered(events))
    return session


@contextmanager
def held_by_another(path: Path) -> Iterator[None]:
    """Another process has the store locked."""
    with subprocess.Popen(
        [sys.executable, "-c", LOCK, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None and other.stdin is not None
        assert other.stdout.readline() == "locked\n"
        yield
        other.stdin.close()


def test_a_store_locked_by_another_process_is_said_and_can_be_read(path: Path) -> None:
    session = filled(path)
    with EventStore.open(path, wait=0.2) as store:
        journal = Journal(store, store.start_session("blackjack").id, 0, add, ADDING)
        with held_by_another(path):
            with pytest.raises(StoreLockedError, match="is locked by another program: close that program"):
                store.append(session, 3, numbered(1))
            with pytest.raises(StoreLockedError):
                journal.apply(Add(1), "dealer")
            with pytest.raises(StoreLockedError):
                EventStore.open(path, wait=0.1)
            assert len(store.events(session)) == 3
            assert journal.state == 0
        assert store.append(session, 3, numbered(1)) == 4
        assert journal.apply(Add(1), "dealer") == 1


def test_a_file_that_cannot_be_written_is_said_and_can_be_read() -> None:
    with public_folder() as folder:
        path = folder / "history.sqlite3"
        session = filled(path)
        folder.chmod(0o777)
        with without_write(path):
            with pytest.raises(
                StoreReadOnlyError, match=r"cannot be written .*: allow writing to it and to its folder"
            ):
                EventStore.open(path)
            with EventStore.open(path, existing=True) as store:
                assert len(store.events(session)) == 3
                with pytest.raises(StoreReadOnlyError):
                    store.append(session, 3, numbered(1))


def test_a_folder_that_cannot_be_written_is_said() -> None:
    with public_folder() as folder:
        filled(folder / "history.sqlite3")
        (folder / "history.sqlite3").chmod(0o666)
        with without_write(folder):
            for name in ("new.sqlite3", "deeper/new.sqlite3", "history.sqlite3"):
                with pytest.raises(StoreReadOnlyError, match=f"{name} cannot be written"):
                    EventStore.open(folder / name)


def test_a_full_disk_refuses_the_whole_append_and_loses_nothing(path: Path) -> None:
    """The disk's limit is SQLite's own limit of pages, which it reports just as a full disk."""
    session = filled(path)
    database = open_database(address(path))
    limit = {"pages": 40}
    event.listen(
        database.engine, "checkout", lambda c, *_: c.execute(f"PRAGMA max_page_count={limit['pages']}").fetchall()
    )
    with EventStore(database) as store:
        journal = Journal(store, store.start_session("blackjack").id, 0, add, ADDING)
        last = 3
        with pytest.raises(StoreFullError, match="cannot grow, the disk is full: make room"):
            for _ in range(200):
                last = store.append(session, last, numbered(50, last + 1))
        assert 3 < last < 10_000
        with pytest.raises(StoreFullError):
            store.add_snapshot(session, 1, "disputed", JPEG + bytes(500_000))
        with pytest.raises(StoreFullError):
            journal.apply_all([Add(1)] * 5000, "dealer")
        assert (journal.state, journal.sequence, journal.can_undo) == (0, 0, False)
        assert store.last_sequence(session) == last
        limit["pages"] = 4000
        assert store.append(session, last, numbered(50, last + 1)) == last + 50
        assert journal.apply(Add(2), "dealer") == 2
    with EventStore.open(path) as store:
        assert [e.data["n"] for e in store.events(session)][3:] == list(range(4, last + 51))


def garbage(path: Path) -> None:
    path.write_bytes(b"this was never a database, but it is long enough for a header" * 100)


def holes(path: Path) -> None:
    whole = bytearray(path.read_bytes())
    whole[4096 * 3 :] = b"\x5a" * (len(whole) - 4096 * 3)
    path.write_bytes(whole)


def cut(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])


def sql(*statements: str) -> Callable[[Path], None]:
    def run(path: Path) -> None:
        with closing(sqlite3.connect(path)) as connection:
            for statement in statements:
                connection.execute(statement)
            connection.commit()

    return run


@pytest.mark.parametrize(
    "harm",
    [
        garbage,
        holes,
        cut,
        sql("DELETE FROM schema_version"),
        sql("DROP TABLE snapshots"),
        sql("DROP TABLE events"),
    ],
)
def test_a_damaged_file_is_refused_and_left_alone(path: Path, harm: Callable[[Path], None]) -> None:
    filled(path, 500)
    harm(path)
    before = path.read_bytes()
    with pytest.raises(StoreDamagedError, match=r"is damaged.*Put a copy back in its place"):
        EventStore.open(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        ("DELETE FROM events WHERE sequence = 2", "event 2 of session .* is missing"),
        ("UPDATE events SET data = '{\"n\":' WHERE sequence = 2", "event 2 of session"),
        ("UPDATE events SET data = 7 WHERE sequence = 2", "event 2 of session"),
        ("UPDATE events SET time = 'yesterday' WHERE sequence = 2", "a time"),
        ("UPDATE events SET actor = 'nobody' WHERE sequence = 2", "event 2 of session"),
        ("UPDATE sessions SET rules = '[]'", "the rules of session"),
        ("ALTER TABLE events DROP COLUMN actor", "no such column"),
    ],
)
def test_contents_that_contradict_themselves_are_said(path: Path, harm: str, said: str) -> None:
    session = filled(path)
    sql(harm)(path)
    with EventStore.open(path) as store, pytest.raises(StoreDamagedError, match=said):
        store.events(session)


def test_a_newer_store_is_refused_and_left_alone(path: Path) -> None:
    filled(path)
    sql("UPDATE schema_version SET version = 3")(path)
    before = path.read_bytes()
    for existing in (False, True):
        with pytest.raises(StoreNewerError, match=r"written by a newer Tableside \(version 3 .* update Tableside"):
            EventStore.open(path, existing=existing)
    assert path.read_bytes() == before


def test_another_programs_database_is_refused(path: Path) -> None:
    sql("CREATE TABLE bookmarks (title TEXT)")(path)
    before = path.read_bytes()
    with pytest.raises(StoreForeignError, match="is a database of another program"):
        EventStore.open(path)
    assert path.read_bytes() == before


def test_a_store_that_is_only_to_be_read_is_not_made(path: Path) -> None:
    with pytest.raises(StoreMissingError, match="There is no history yet"):
        EventStore.open(path, existing=True)
    assert not path.exists()
    path.touch()
    with pytest.raises(StoreMissingError, match="There is no history"):
        EventStore.open(path, existing=True)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not delete open files")
def test_a_file_deleted_under_the_server_acknowledges_nothing_more(path: Path) -> None:
    session = filled(path)
    with EventStore.open(path) as store:
        path.rename(path.with_suffix(".away"))
        with pytest.raises(StoreUnreachableError, match="was moved, deleted or replaced while in use"):
            store.append(session, 3, numbered(1))
        path.with_suffix(".away").rename(path)
        assert store.append(session, 3, numbered(1)) == 4


def test_a_new_store_makes_its_folders_and_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "a folder" / "with # and ?" / "history.sqlite3"
    session = filled(path)
    if sys.platform != "win32":
        assert path.stat().st_mode & 0o077 == 0
    with EventStore.open(f"sqlite:///{tmp_path}/plain.sqlite3") as store:
        assert store.name == str(tmp_path / "plain.sqlite3")
    with EventStore.open(path, existing=True) as store:
        assert store.session(session).events == 3


def test_without_a_name_it_is_in_the_persons_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platformdirs.user_data_path", lambda *_, **__: tmp_path / "tableside")
    with EventStore.open() as store:
        assert Path(store.name) == default_path() == tmp_path / "tableside" / "history.sqlite3"


def test_every_commit_is_on_the_disk(path: Path) -> None:
    """A power cut cannot be had in a test: these are the settings that SQLite documents for one."""
    database = open_database(address(path))
    with closing(database.engine.raw_connection()) as connection:
        cursor = connection.cursor()
        found = {
            name: cursor.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "fullfsync", "checkpoint_fullfsync")
        }
    database.close()
    assert found == {"journal_mode": "wal", "synchronous": 3, "fullfsync": 1, "checkpoint_fullfsync": 1}


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("", "this one is empty"),
        ("mysql://me:secret@host/cards", "of an unknown kind: use a file, or postgresql://"),
        ("sqlite://", "give the file's name alone"),
        ("sqlite:///:memory:", "give the file's name alone"),
        ("sqlite:///a.sqlite3?mode=ro", "give the file's name alone"),
        ("postgresql+asyncpg://me:secret@host/cards", "one of psycopg, psycopg2 is expected"),
        ("postgresql://me:secret@[::/cards", "cannot be read: write postgresql://NAME"),
        ("://secret", "cannot be read"),
        ("~nobody-of-this-name/history.sqlite3", "cannot be found"),
    ],
)
def test_an_address_that_cannot_be_a_store_is_refused_without_its_password(where: str, said: str) -> None:
    with pytest.raises(StoreAddressError, match=said) as refused:
        EventStore.open(where)
    assert "secret" not in str(refused.value)


def test_a_folder_is_no_store(tmp_path: Path) -> None:
    with pytest.raises(StoreAddressError, match="is a folder: name a file in it"):
        EventStore.open(tmp_path)
    (tmp_path / "file").write_text("")
    for name in ("history.sqlite3", "deeper/history.sqlite3"):
        with pytest.raises(StoreAddressError, match="would lie in a file"):
            EventStore.open(tmp_path / "file" / name)


@pytest.mark.parametrize(
    ("url", "module", "install"),
    [
        ("postgresql://me:secret@127.0.0.1:9/cards", "psycopg", r"psycopg\[binary\]"),
        ("postgresql+psycopg2://me:secret@127.0.0.1:9/cards", "psycopg2", "psycopg2-binary"),
    ],
)
def test_a_missing_driver_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, url: str, module: str, install: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(DriverMissingError, match=f"not installed: run `pip install '{install}'`") as refused:
        EventStore.open(url)
    assert "secret" not in str(refused.value)


@pytest.mark.skipif("TABLESIDE_TEST_DATABASE" not in os.environ, reason="needs a PostgreSQL driver")
def test_a_database_that_does_not_answer_is_said() -> None:
    with pytest.raises(StoreUnreachableError, match="refused"):
        EventStore.open("postgresql://me:secret@127.0.0.1:9/cards", wait=1)
