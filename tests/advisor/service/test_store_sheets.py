"""Score sheets among the evenings of a store: nothing that lists, closes or clears away evenings meets them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from store_stand_ins import Clock, numbered

from advisor.service.store import (
    SCORE_SHEET,
    EventStore,
    ImportRefusedError,
    NewEvent,
    RefusedError,
    Session,
    SessionExistsError,
    export_csv,
    export_jsonl,
    import_jsonl,
    prune,
)
from advisor.service.table_log import StoredLog
from advisor.table import begin

FIRST = NewEvent("operation", {"operation": {"op": "start-game", "wilds": True}, "key": "k"}, "dealer")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> Iterator[EventStore]:
    with EventStore.open(tmp_path / "history.sqlite3", clock=clock) as store:
        yield store


def evening(store: EventStore) -> str:
    session = store.start_session("blackjack").id
    store.append(session, 0, numbered(2))
    return store.end_session(session).id


def exported(store: EventStore) -> list[str]:
    out = StringIO()
    export_jsonl(store, out)
    return out.getvalue().splitlines(keepends=True)


def test_evenings_are_listed_and_pruned_without_them(store: EventStore, clock: Clock) -> None:
    sheet, old = store.begin_sheet("friday", FIRST), evening(store)
    assert (sheet.game, sheet.note, sheet.events, sheet.ended) == (SCORE_SHEET, "friday", 1, None)
    assert [session.id for session in store.sessions()] == [old] and store.open_sessions() == []
    assert store.sheets() == [sheet] and store.sheet("friday") == sheet and store.sheet("monday") is None
    clock.go_on(400)
    assert prune(store, 0, clock.now).sessions == (old,)
    assert store.sheets() == [sheet] and len(store.events(sheet.id)) == 1
    for act in (store.end_session, store.delete_session, lambda name: store.delete_snapshots(name, clock.now)):
        with pytest.raises(RefusedError, match="is the score sheet 'friday': `tableside rummy sheet delete`"):
            act(sheet.id)
    assert store.delete_sheet("friday") and not store.delete_sheet("friday") and store.sheets() == []


def test_a_table_that_begins_anew_closes_evenings_and_no_sheets(store: EventStore) -> None:
    from advisor.games.catalogue import game

    sheet = store.begin_sheet("friday", FIRST)
    blackjack = game("blackjack")
    state = begin("blackjack", blackjack.load(next(iter(blackjack.presets()))), "", "", 5)
    first = StoredLog.resume(store, state).session
    assert StoredLog.resume(store, state, anew=True).session != first
    assert store.session(first).ended is not None and store.session(sheet.id).ended is None
    assert store.append(sheet.id, 1, [FIRST]) == 2


def test_an_export_of_everything_brings_them_to_another_machine(store: EventStore, tmp_path: Path) -> None:
    old, sheet = evening(store), store.begin_sheet("friday", FIRST)
    lines, table = exported(store), StringIO()
    assert '"version":2' in lines[0] and len(lines) == 6
    assert export_csv(store, table) == 2 and f"\n{sheet.id},score-sheet,1," in table.getvalue()
    with EventStore.open(tmp_path / "there.sqlite3") as there:
        assert import_jsonl(there, lines).added == (old, sheet.id)
        assert there.sheet("friday") == sheet and there.events(sheet.id) == store.events(sheet.id)
        assert import_jsonl(there, lines).known == (old, sheet.id)
    assert store.delete_sheet("friday") and '"version":1' in exported(store)[0]


def test_another_sheet_of_the_same_name_is_not_imported_over_it(store: EventStore, tmp_path: Path) -> None:
    store.begin_sheet("friday", FIRST)
    lines = exported(store)
    with EventStore.open(tmp_path / "there.sqlite3") as there:
        own = there.begin_sheet("friday", FIRST)
        with pytest.raises(ImportRefusedError, match="Line 2: There is a score sheet called 'friday' already"):
            import_jsonl(there, lines)
        assert there.sheets() == [own]
        with pytest.raises(SessionExistsError):
            there.begin_sheet("friday", FIRST)


def test_a_sheet_that_has_ended_is_not_imported(store: EventStore, clock: Clock) -> None:
    sheet = store.begin_sheet("friday", FIRST)
    events = store.events(sheet.id)
    store.delete_sheet("friday")
    with pytest.raises(RefusedError, match="is a score sheet that has ended"):
        store.restore(replace(sheet, ended=clock.now), events)


# Stores from before there were sheets


@pytest.fixture
def before(tmp_path: Path) -> tuple[Path, Session]:
    """A store of version 1, which had the same tables, with an evening left open."""
    path = tmp_path / "before.sqlite3"
    with EventStore.open(path) as store:
        session = store.start_session("blackjack", note="Friday")
        store.append(session.id, 0, numbered(3))
        session = store.session(session.id)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP INDEX score_sheets_by_name")
        connection.execute("UPDATE schema_version SET version = 1")
        connection.commit()
    return path, session


def version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("SELECT version FROM schema_version").fetchone()[0])


def test_a_store_from_before_is_read_as_it_is(before: tuple[Path, Session]) -> None:
    path, session = before
    untouched = path.read_bytes()
    with EventStore.open(path, existing=True) as store:
        assert store.sessions() == [session] and len(store.events(session.id)) == 3 and store.sheets() == []
    assert path.read_bytes() == untouched and version(path) == 1


def test_a_store_from_before_is_brought_up_to_date_and_keeps_everything(before: tuple[Path, Session]) -> None:
    path, session = before
    with EventStore.open(path) as store:
        assert version(path) == 2
        assert store.sessions() == [session] and [event.data["n"] for event in store.events(session.id)] == [1, 2, 3]
        store.begin_sheet("friday", FIRST)
        with pytest.raises(SessionExistsError):
            store.begin_sheet("friday", FIRST)
        assert store.append(session.id, 3, numbered(1, 4)) == 4
    with EventStore.open(path) as store:
        assert store.sheet("friday") is not None and store.last_sequence(session.id) == 4
