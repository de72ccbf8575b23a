"""Export and import: what comes out goes in again as it was; a bad file adds no session by halves."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from store_stand_ins import JPEG, Clock, new_events, numbered

from advisor.service.store import (
    EventStore,
    ImportRefusedError,
    NewEvent,
    UnknownSessionError,
    export_csv,
    export_jsonl,
    import_jsonl,
)


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[EventStore, EventStore]]:
    folder = tmp_path_factory.mktemp("stores")
    with (
        EventStore.open(folder / "here.sqlite3", clock=Clock()) as here,
        EventStore.open(folder / "there.sqlite3") as there,
    ):
        yield here, there


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> Iterator[EventStore]:
    with EventStore.open(tmp_path / "history.sqlite3", clock=clock) as store:
        yield store


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """An export of `two_sessions`."""
    clock = Clock()
    with EventStore.open(tmp_path_factory.mktemp("lines") / "history.sqlite3", clock=clock) as store:
        two_sessions(store, clock)
        return exported(store)


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EventStore]:
    """Nothing is ever imported into it."""
    with EventStore.open(tmp_path_factory.mktemp("empty") / "history.sqlite3") as store:
        yield store


def exported(store: EventStore, *sessions: str) -> list[str]:
    out = StringIO()
    export_jsonl(store, out, sessions or None)
    return out.getvalue().splitlines(keepends=True)


def two_sessions(store: EventStore, clock: Clock) -> tuple[str, str]:
    first = store.start_session("blackjack", {"decks": 6}, {"x": 1.5}, "Freitag, 7 €").id
    store.append(first, 0, numbered(3))
    store.add_snapshot(first, 2, "which seat?", JPEG)
    store.end_session(first)
    clock.go_on(1)
    second = store.start_session("rummy").id
    store.append(second, 0, [NewEvent("change", {"said": 'a "quoted", line'}, "dealer")])
    return first, second


@given(
    events=st.lists(new_events(), max_size=5), ended=st.booleans(), pictures=st.lists(st.binary(max_size=9), max_size=2)
)
@settings(max_examples=12, deadline=None)
def test_a_session_is_the_same_on_another_machine(
    stores: tuple[EventStore, EventStore], events: list[NewEvent], ended: bool, pictures: list[bytes]
) -> None:
    here, there = stores
    session = here.start_session("blackjack", {"decks": 6, "peek": True}, {"x": 0.1}, "note").id
    here.append(session, 0, events)
    for picture in pictures:
        here.add_snapshot(session, len(events), "disputed", JPEG + picture)
    if ended:
        here.end_session(session)
    lines = exported(here, session)
    assert import_jsonl(there, lines).added == (session,)
    assert there.session(session) == here.session(session)
    assert there.events(session) == here.events(session)
    assert [there.snapshot_jpeg(p.id) for p in there.snapshots(session)] == [JPEG + p for p in pictures]
    assert exported(there, session) == lines
    assert import_jsonl(there, lines).known == (session,)


def test_all_sessions_are_exported_the_oldest_first(store: EventStore, clock: Clock, tmp_path: Path) -> None:
    two_sessions(store, clock)
    lines = exported(store)
    assert [json.loads(line)["record"] for line in lines] == [
        *("tableside-history", "session", "event", "event", "event", "snapshot"),
        *("session", "event"),
    ]
    assert all(line.isascii() for line in lines)
    with EventStore.open(tmp_path / "there.sqlite3") as there:
        assert len(import_jsonl(there, lines).added) == 2
        assert sorted(there.sessions(), key=lambda s: s.id) == sorted(store.sessions(), key=lambda s: s.id)


def test_pictures_can_be_left_out(store: EventStore, clock: Clock) -> None:
    first, _ = two_sessions(store, clock)
    out = StringIO()
    assert export_jsonl(store, out, [first], snapshots=False) == 1
    assert "snapshot" not in out.getvalue()


def test_more_events_than_are_read_at_once(store: EventStore, tmp_path: Path) -> None:
    session = store.start_session("blackjack").id
    store.append(session, 0, numbered(1200))
    with EventStore.open(tmp_path / "there.sqlite3") as there:
        import_jsonl(there, exported(store))
        assert there.events(session) == store.events(session)


def test_a_table_of_events_for_a_spreadsheet(store: EventStore, clock: Clock) -> None:
    first, second = two_sessions(store, clock)
    out = StringIO()
    assert export_csv(store, out) == 2
    rows = list(csv.DictReader(StringIO(out.getvalue())))
    assert [(row["session"], row["sequence"]) for row in rows] == [*[(first, str(n)) for n in (1, 2, 3)], (second, "1")]
    assert rows[0] | {"data": ""} == {
        "session": first,
        "game": "blackjack",
        "sequence": "1",
        "time": "2026-03-01T19:02:11.000250Z",
        "actor": "camera",
        "kind": "change",
        "data": "",
    }
    assert json.loads(rows[3]["data"]) == {"said": 'a "quoted", line'}


def test_a_session_here_with_other_events_is_left_as_it_is(store: EventStore) -> None:
    session = store.start_session("blackjack").id
    store.append(session, 0, numbered(1))
    lines = exported(store)
    store.append(session, 1, numbered(1, 2))
    with pytest.raises(ImportRefusedError, match=r"Line 2: Session .* is here already, with other contents"):
        import_jsonl(store, lines)
    assert store.last_sequence(session) == 2


def test_an_unknown_session_is_not_exported(store: EventStore) -> None:
    with pytest.raises(UnknownSessionError):
        exported(store, "2026-03-01-ffffffff")


def changed(line: int, **values: Any) -> Callable[[list[str]], list[str]]:
    """The lines with some values of one (0: the first) changed; None takes one away."""

    def change(lines: list[str]) -> list[str]:
        record = {name: value for name, value in (json.loads(lines[line]) | values).items() if value is not None}
        return [*lines[:line], json.dumps(record) + "\n", *lines[line + 1 :]]

    return change


@pytest.mark.parametrize(
    ("spoil", "line", "said"),
    [
        (lambda _: [], 1, "the file is empty"),
        (lambda lines: lines[1:], 1, "this is not a file that"),
        (lambda _: ["session,game\n"], 1, "it cannot be read"),
        (changed(0, version=3), 1, "written by a newer Tableside"),
        (lambda lines: [lines[0], *lines[2:]], 2, "a session is expected before its events"),
        (lambda lines: lines[:4], 2, "should have 3 events and has 2. The file is cut short"),
        (lambda lines: [*lines[:3], *lines[4:]], 2, "should have 3 events and has 2"),
        (lambda lines: [*lines[:2], lines[3], lines[2], *lines[4:]], 2, "Event 1 of session .* is missing: 2 comes"),
        (lambda lines: [*lines[:3], lines[3][:20]], 4, "it cannot be read"),
        (lambda lines: [*lines[:3], "[" * 100_000], 4, "it cannot be read"),
        (lambda lines: [*lines[:3], "9" * 10_000], 4, "it cannot be read"),
        (lambda lines: [*lines[:3], "[]"], 4, "it cannot be read"),
        (changed(1, id="../../etc"), 2, "A session cannot be named"),
        (changed(1, game="Black Jack"), 2, "game's name cannot be"),
        (changed(1, started="2026-03-01"), 2, "A time needs its time zone"),
        (changed(1, started="2026-03-01T19:02Z"), 2, "it cannot be read"),
        (changed(1, ended=7), 2, "it cannot be read"),
        (changed(1, rules=[]), 2, "the session lacks 'rules'"),
        (changed(1, events=True), 2, "the session lacks 'events'"),
        (changed(2, data={"n": 1.5}), 3, "n is of the type float"),
        (changed(2, actor="nobody"), 3, "actor cannot be 'nobody'"),
        (changed(2, kind=None), 3, "the event lacks 'kind'"),
        (changed(2, more=1), 3, "unknown field 'more'"),
        (changed(2, record="evening"), 3, "a record cannot be 'evening'"),
        (changed(5, jpeg="???"), 6, "it cannot be read"),
        (changed(5, jpeg="AAAA"), 6, "kept as JPEG"),
        (changed(5, sequence=4), 2, "has no event 4 for a snapshot"),
    ],
)
def test_a_file_that_is_not_right_names_the_line(
    lines: list[str], empty: EventStore, spoil: Callable[[list[str]], list[str]], line: int, said: str
) -> None:
    with pytest.raises(ImportRefusedError, match=f"^Line {line}: .*{said}") as refused:
        import_jsonl(empty, spoil(lines))
    assert refused.value.line == line
    assert empty.sessions() == []


def test_sessions_before_a_bad_line_are_kept_and_known_again(store: EventStore, clock: Clock, tmp_path: Path) -> None:
    first, second = two_sessions(store, clock)
    lines = exported(store)
    with EventStore.open(tmp_path / "there.sqlite3") as there:
        with pytest.raises(ImportRefusedError, match=r"^Line 8: "):
            import_jsonl(there, [*lines[:7], "spoilt\n"])
        assert [session.id for session in there.sessions()] == [first]
        done = import_jsonl(there, lines)
        assert (done.added, done.known) == ((second,), (first,))
