"""Score sheets in the event store: what is appended is kept, nothing twice, and nobody writes between."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import event
from store_stand_ins import public_folder, without_write

from advisor.games.rummy import shipped_variant
from advisor.games.rummy.sheet import RecordHand, StartGame
from advisor.service.rummy_sheets import SheetBook
from advisor.service.sheet_events import EventSheets
from advisor.service.sheet_store import Busy, Kept, NoSheet, SheetError, Taken
from advisor.service.store import (
    EventStore,
    RefusedError,
    StoreDamagedError,
    StoreFullError,
    StoreLockedError,
    StoreReadOnlyError,
)
from advisor.service.store.address import address
from advisor.service.store.database import open_database

FIRST = {"op": "start-game", "players": ["Zoë"], "overrides": {"wilds_may_touch": True, "points": {"joker": 15}}}
SECOND = {"op": "undo"}
THIRD = {"op": "redo"}
ELSEWHERE = os.environ.get("TABLESIDE_TEST_DATABASE")
"""A PostgreSQL URL, to run these tests there too."""


@pytest.fixture(
    params=["file", pytest.param("url", marks=pytest.mark.skipif(not ELSEWHERE, reason="TABLESIDE_TEST_DATABASE"))]
)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path / "history.sqlite3") if request.param == "file" else str(ELSEWHERE)


@pytest.fixture
def store(place: str) -> Iterator[EventStore]:
    with EventStore.open(place) as store:
        for sheet in store.sheets():  # a database elsewhere outlives a test
            store.delete_sheet(sheet.note)
        yield store


@pytest.fixture
def sheets(store: EventStore) -> EventSheets:
    return EventSheets(store)


def append(sheets: EventSheets, *operations: dict[str, object], name: str = "friday") -> None:
    with sheets.writing(name) as writer:
        for operation in operations:
            writer.append(operation)


def test_what_is_appended_is_kept_over_a_restart(sheets: EventSheets, place: str) -> None:
    assert sheets.names() == ()
    sheets.create("friday", FIRST, "begin")
    append(sheets, SECOND, THIRD)
    with sheets.writing("friday") as writer:
        writer.append(SECOND, "undo it")
        assert writer.kept == sheets.read("friday")
    sheets.create("An other-1", FIRST)
    with EventStore.open(place) as again:
        kept = EventSheets(again).read("friday")
        assert kept == Kept((FIRST, SECOND, THIRD, SECOND)) and kept.keys == ("begin", "", "", "undo it")
        assert EventSheets(again).names() == ("An other-1", "friday")


def test_a_sheet_is_begun_once_and_may_be_deleted(sheets: EventSheets) -> None:
    sheets.create("friday", FIRST)
    with pytest.raises(Taken, match="There is a score sheet called 'friday' already"):
        sheets.create(" friday ", SECOND)
    sheets.delete("friday")
    assert sheets.names() == ()
    for act in (sheets.read, sheets.delete, lambda name: append(sheets, SECOND, name=name)):
        with pytest.raises(NoSheet, match="There is no score sheet called 'friday': there is none"):
            act("friday")
    sheets.create("friday", SECOND)
    assert sheets.read("friday").operations == (SECOND,)


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".hidden", "a.", "x" * 51, "con", "a\nb\0", "COM1", "-a"])
def test_names_that_are_no_file_names_are_refused(sheets: EventSheets, name: str) -> None:
    for act in (lambda: sheets.create(name, FIRST), lambda: sheets.read(name), lambda: sheets.delete(name)):
        with pytest.raises(SheetError, match="is no name for a score sheet"):
            act()


def test_of_two_writers_the_slower_is_refused(sheets: EventSheets, place: str) -> None:
    sheets.create("friday", FIRST)
    sheets.create("saturday", FIRST)
    with EventStore.open(place) as other, EventSheets(other).writing("friday") as slower:
        append(sheets, SECOND)
        append(sheets, SECOND, name="saturday")
        with pytest.raises(Busy, match="'friday' was written by another program at the same time: nothing was rec"):
            slower.append(THIRD)
        assert sheets.read("friday").operations == (FIRST, SECOND) and slower.kept.operations == (FIRST,)
    with sheets.writing("friday") as writer:
        sheets.delete("friday")
        with pytest.raises(NoSheet, match="was deleted meanwhile"):
            writer.append(THIRD)
        sheets.create("friday", FIRST)
        append(sheets, SECOND)
        with pytest.raises(NoSheet):  # another sheet, though of the same name and length
            writer.append(THIRD)
    assert sheets.read("friday").operations == (FIRST, SECOND)


def test_of_many_that_begin_a_sheet_at_once_one_does(place: str, store: EventStore) -> None:
    begun: list[str] = []

    def begin(key: str) -> None:
        with EventStore.open(place) as own:
            try:
                EventSheets(own).create("friday", FIRST, key)
                begun.append(key)
            except Taken:
                pass

    _together([lambda key=key: begin(key) for key in "abcd"])
    assert EventSheets(store).read("friday").keys == tuple(begun) and len(begun) == 1


def test_what_several_programs_send_twice_at_once_is_recorded_once_each(place: str, store: EventStore) -> None:
    """Two servers on one store, two phones each: every hand arrives, none twice."""
    players = ("Ann", "Bob", "Cy", "Dan")
    start = StartGame(shipped_variant("contract-b"), players, "Ann")
    SheetBook(EventSheets(store)).begin("friday", start, str(uuid4()))
    faults: list[Exception] = []

    def server(mine: tuple[str, ...]) -> None:
        with EventStore.open(place) as own:
            book = SheetBook(EventSheets(own))

            def phone(player: str) -> None:
                try:
                    operation, key = RecordHand(player, 1, points=7), str(uuid4())
                    for _ in range(3):
                        book.carry_out("friday", operation, key)
                except Exception as error:
                    faults.append(error)

            _together([lambda player=player: phone(player) for player in mine])

    _together([lambda: server(players[:2]), lambda: server(players[2:])])
    assert faults == []
    standing = SheetBook(EventSheets(store)).read("friday")
    assert standing.seen == 5 and standing.sheet.totals == dict.fromkeys(players, 7)


def _together(jobs: list[Callable[[], None]]) -> None:
    threads = [threading.Thread(target=job) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


# What can be wrong


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store with the sheet "friday", of two operations."""
    path = tmp_path / "history.sqlite3"
    with EventStore.open(path) as store:
        EventSheets(store).create("friday", FIRST)
        append(EventSheets(store), SECOND)
    return path


@pytest.mark.parametrize(
    ("harm", "says"),
    [
        ("UPDATE events SET data = '{}' WHERE sequence = 2", "'friday' is damaged in its line 2"),
        ("UPDATE events SET kind = 'change' WHERE sequence = 2", "'friday' is damaged in its line 2"),
        ("UPDATE events SET data = '{\"oper' WHERE sequence = 2", "is damaged .event 2 of session"),
        ("DELETE FROM events WHERE sequence = 1", "is damaged .event 1 of session"),
        ("DELETE FROM events", "'friday' is damaged, nothing is in it"),
    ],
)
def test_damage_is_never_skipped_and_can_be_deleted(path: Path, harm: str, says: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(harm)
        connection.commit()
    with EventStore.open(path) as store:
        sheets = EventSheets(store)
        for act in (sheets.read, lambda name: append(sheets, SECOND, name=name)):
            with pytest.raises((SheetError, StoreDamagedError), match=says):
                act("friday")
        assert sheets.names() == ("friday",)
        sheets.delete("friday")
        sheets.create("friday", FIRST)
        assert sheets.read("friday").operations == (FIRST,)


def test_a_store_that_another_program_keeps_locked_is_said(path: Path) -> None:
    with EventStore.open(path, wait=0.1) as store, closing(sqlite3.connect(path, isolation_level=None)) as other:
        sheets = EventSheets(store)
        other.execute("BEGIN IMMEDIATE")
        for act in (
            lambda: append(sheets, SECOND),
            lambda: sheets.create("new", FIRST),
            lambda: sheets.delete("friday"),
        ):
            with pytest.raises(StoreLockedError, match="is locked by another program"):
                act()
        assert sheets.read("friday").operations == (FIRST, SECOND), "reading waits for nobody"
        other.execute("ROLLBACK")
        append(sheets, THIRD)
        assert sheets.read("friday").operations == (FIRST, SECOND, THIRD)


def test_a_full_disk_leaves_nothing_of_what_failed(path: Path) -> None:
    """The disk's limit is SQLite's own limit of pages, which it reports just as a full disk."""
    database, pages = open_database(address(path)), [20]
    event.listen(database.engine, "checkout", lambda c, *_: c.execute(f"PRAGMA max_page_count={pages[0]}").fetchall())
    long = {"op": "record-hand", "cards": "x" * 3000}
    with EventStore(database) as store:
        sheets = EventSheets(store)
        with pytest.raises(StoreFullError, match="the disk is full: make room"):
            append(sheets, *[long] * 100)
        kept = sheets.read("friday").operations
        assert kept[:2] == (FIRST, SECOND) and set(map(str, kept[2:])) == {str(long)}
        with pytest.raises(StoreFullError):
            sheets.create("new", long)
        assert sheets.names() == ("friday",)
        pages[0] = 4000
        append(sheets, THIRD)
        assert sheets.read("friday").operations == (*kept, THIRD)


def test_a_store_that_cannot_be_written_can_be_read() -> None:
    with public_folder() as folder:
        path = folder / "history.sqlite3"
        with EventStore.open(path) as store:
            EventSheets(store).create("friday", FIRST)
        folder.chmod(0o777)
        with without_write(path), EventStore.open(path, existing=True) as store:
            sheets = EventSheets(store)
            assert sheets.read("friday").operations == (FIRST,)
            with pytest.raises(StoreReadOnlyError, match=r"cannot be written .*: allow writing to it"):
                append(sheets, SECOND)


def test_what_cannot_be_stored_as_it_is_is_refused(sheets: EventSheets) -> None:
    sheets.create("friday", FIRST)
    with pytest.raises(RefusedError, match="points is of the type float"):
        append(sheets, {"op": "record-hand", "points": 7.5})
    with pytest.raises(RefusedError, match="at most 65536 can be stored"):
        append(sheets, {"op": "record-hand", "cards": "x" * 70_000})
    assert sheets.read("friday").operations == (FIRST,)
