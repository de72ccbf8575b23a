"""The event store: what is appended is there again, in order, whole, whoever else writes."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from store_stand_ins import JPEG, Clock, new_events, numbered

from advisor.service.store import (
    Event,
    EventStore,
    NewEvent,
    RefusedError,
    SessionEndedError,
    SessionMovedOnError,
    SessionOpenError,
    StoreClosedError,
    StoreError,
    UnknownSessionError,
)

ELSEWHERE = os.environ.get("TABLESIDE_TEST_DATABASE")
"""A PostgreSQL URL, to run these tests there too."""


@pytest.fixture(
    params=["file", pytest.param("url", marks=pytest.mark.skipif(not ELSEWHERE, reason="TABLESIDE_TEST_DATABASE"))]
)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path / "history.sqlite3") if request.param == "file" else str(ELSEWHERE)


@pytest.fixture
def store(place: str) -> Iterator[EventStore]:
    with EventStore.open(place, clock=Clock()) as store:
        yield store


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EventStore]:
    with EventStore.open(tmp_path_factory.mktemp("store") / "history.sqlite3", clock=Clock()) as store:
        yield store


def test_what_is_appended_is_there_after_a_restart(place: str) -> None:
    with EventStore.open(place, clock=Clock()) as store:
        rules, layout = {"decks": 6, "peek": True, "surrender": None}, {"seats": [{"x": 120.5}]}
        session = store.start_session("blackjack", rules, layout, "Friday").id
        dealt = NewEvent("change", {"op": "deal", "seat": 3, "card": "10H", "amounts": ["7.50", {"of": 1}]}, "camera")
        assert store.append(session, 0, [dealt, NewEvent("camera-lost", {}, "server")]) == 2
        assert store.append(session, 2, [NewEvent("undo", {"sequence": 1}, "dealer")]) == 3
    with EventStore.open(place) as store:
        first, second, third = store.events(session)
        assert (first.sequence, second.sequence, third.sequence) == (1, 2, 3)
        assert (first.kind, first.data, first.actor) == ("change", dealt.data, "camera")
        assert first.time == datetime(2026, 3, 1, 19, 2, 11, 250, tzinfo=UTC)
        assert store.events(session, after=1, limit=1) == [second]
        assert store.events(session, after=3) == store.events(session, after=10**12) == []
        assert store.last_sequence(session) == 3
        found = store.session(session)
        assert (found.rules, found.layout, found.note) == (rules, layout, "Friday")
        assert (found.events, found.snapshots, found.ended) == (3, 0, None)


@given(batches=st.lists(st.lists(new_events(), max_size=4), max_size=4))
@settings(max_examples=15, deadline=None)
def test_any_events_are_read_as_they_were_appended(shared: EventStore, batches: list[list[NewEvent]]) -> None:
    session = shared.start_session("blackjack").id
    last = 0
    for batch in batches:
        last = shared.append(session, last, batch)
    appended = [event for batch in batches for event in batch]
    with EventStore.open(shared.name, existing=True) as again:
        found = again.events(session)
    assert last == len(appended)
    assert [event.sequence for event in found] == list(range(1, last + 1))
    assert [NewEvent(event.kind, event.data, event.actor) for event in found] == appended


def test_ten_thousand_events_in_one_session(place: str) -> None:
    with EventStore.open(place) as store:
        session = store.start_session("blackjack").id
        for start in range(0, 10_000, 500):
            assert store.append(session, start, numbered(500, start + 1)) == start + 500
    with EventStore.open(place) as store:
        assert [event.data["n"] for event in store.events(session)] == list(range(1, 10_001))
        assert [event.sequence for event in store.events(session, after=9_998)] == [9_999, 10_000]
        assert store.append(session, 10_000, numbered(1)) == 10_001


def test_an_append_is_all_or_nothing(store: EventStore) -> None:
    session = store.start_session("blackjack").id

    spoilt = NewEvent("change", {"n": 2})
    object.__setattr__(spoilt, "data", {"n": 1.5})
    with pytest.raises(RefusedError, match=r"change: n is of the type float: text, a whole number"):
        store.append(session, 0, [*numbered(1), spoilt])
    assert store.events(session) == []


def test_two_servers_on_one_session_do_not_mix_their_events(place: str) -> None:
    with EventStore.open(place) as one, EventStore.open(place) as other:
        session = one.start_session("blackjack").id
        one.append(session, 0, numbered(2))
        stale = other.last_sequence(session)
        one.append(session, 2, numbered(1, 3))
        with pytest.raises(SessionMovedOnError, match="stands at event 3, not 2: another server") as refused:
            other.append(session, stale, numbered(1, 99))
        assert (refused.value.expected, refused.value.actual) == (2, 3)
        with pytest.raises(SessionMovedOnError):
            one.append(session, 7, [])
        assert [event.data["n"] for event in one.events(session)] == [1, 2, 3]
        assert other.append(session, 3, numbered(1, 4)) == 4


def test_of_servers_in_a_race_one_wins_each_number(place: str) -> None:
    with EventStore.open(place) as store:
        session = store.start_session("blackjack").id
    won: list[int] = []
    faults: list[Exception] = []

    def race(name: int) -> None:
        with EventStore.open(place) as mine:
            for _ in range(12):
                try:
                    last = mine.last_sequence(session)
                    won.append(mine.append(session, last, [NewEvent("change", {"by": name})]))
                except SessionMovedOnError:
                    pass
                except Exception as error:
                    faults.append(error)

    _together([lambda n=n: race(n) for n in range(3)])
    with EventStore.open(place) as store:
        assert faults == []
        assert sorted(won) == [event.sequence for event in store.events(session)]


def test_one_store_serves_many_threads(store: EventStore) -> None:
    sessions = [store.start_session("blackjack").id for _ in range(4)]
    faults: list[Exception] = []

    def fill(session: str) -> None:
        try:
            for last in range(10):
                store.append(session, last, numbered(1, last + 1))
                store.sessions()
        except Exception as error:
            faults.append(error)

    _together([lambda s=s: fill(s) for s in sessions])
    assert faults == []
    assert [store.last_sequence(session) for session in sessions] == [10] * 4


def test_servers_that_make_the_store_at_once_agree(tmp_path: Path) -> None:
    place, made, faults = tmp_path / "new" / "history.sqlite3", [], []

    def make() -> None:
        try:
            with EventStore.open(place) as store:
                made.append(store.start_session("blackjack").id)
        except StoreError as error:
            faults.append(error)

    _together([make] * 4)
    assert faults == []
    with EventStore.open(place) as store:
        assert {session.id for session in store.sessions()} == set(made)


def _together(jobs: Sequence[Any]) -> None:
    threads = [threading.Thread(target=job) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_sessions_are_listed_the_newest_first(tmp_path: Path) -> None:
    clock = Clock()
    with EventStore.open(tmp_path / "history.sqlite3", clock=clock) as store:
        old = store.start_session("blackjack").id
        clock.go_on(1)
        new = store.start_session("rummy").id
        store.append(new, 0, numbered(3))
        store.add_snapshot(new, 2, "which seat?", JPEG)
        assert [(s.id, s.game, s.events, s.snapshots) for s in store.sessions()] == [
            (new, "rummy", 3, 1),
            (old, "blackjack", 0, 0),
        ]
        clock.go_on(1)
        ended = store.end_session(new)
        clock.go_on(1)
        assert store.end_session(new) == ended
        assert ended.ended == datetime(2026, 3, 3, 19, 2, 11, 250, tzinfo=UTC)
        assert [session.id for session in store.open_sessions()] == [old]
        with pytest.raises(SessionEndedError, match="has ended: start a new one"):
            store.append(new, 3, numbered(1))


def test_snapshots_belong_to_moments_that_are_stored(store: EventStore) -> None:
    session = store.start_session("blackjack").id
    store.append(session, 0, numbered(2))
    late = store.add_snapshot(session, 2, "a bet was moved", JPEG + b"2")
    early = store.add_snapshot(session, 0, "before the deal", JPEG)
    assert store.snapshots(session) == [early, late]
    assert (late.sequence, late.reason, late.size) == (2, "a bet was moved", len(JPEG) + 1)
    assert store.snapshot_jpeg(late.id) == JPEG + b"2"
    with pytest.raises(RefusedError, match="has no event 3 for a snapshot: its last is 2"):
        store.add_snapshot(session, 3, "too soon", JPEG)
    with pytest.raises(RefusedError, match="kept as JPEG"):
        store.add_snapshot(session, 1, "not a picture", b"GIF89a")
    with pytest.raises(RefusedError, match="too large"):
        store.add_snapshot(session, 1, "huge", JPEG + bytes(4 * 1024 * 1024))
    with pytest.raises(UnknownSessionError, match="no snapshot 12345"):
        store.snapshot_jpeg(12345)


def test_deleting_takes_all_of_an_ended_session_and_nothing_else(store: EventStore) -> None:
    gone, kept = store.start_session("blackjack").id, store.start_session("blackjack").id
    for session in (gone, kept):
        store.append(session, 0, numbered(2))
        store.add_snapshot(session, 1, "disputed", JPEG)
    with pytest.raises(SessionOpenError, match="still open: end it first"):
        store.delete_session(gone)
    store.end_session(gone)
    deleted = store.delete_session(gone)
    assert (deleted.events, deleted.snapshots) == (2, 1)
    with pytest.raises(UnknownSessionError):
        store.events(gone)
    assert (store.session(kept).events, store.session(kept).snapshots) == (2, 1)


@pytest.mark.parametrize("name", ["2026-03-01-ffffffff", "", "no\x00where", "' OR 1=1 --", "x" * 1000])
def test_an_unknown_session_is_said(shared: EventStore, name: str) -> None:
    store = shared
    calls: list[Any] = [
        lambda: store.append(name, 0, numbered(1)),
        lambda: store.events(name),
        lambda: store.last_sequence(name),
        lambda: store.session(name),
        lambda: store.snapshots(name),
        lambda: store.add_snapshot(name, 0, "disputed", JPEG),
        lambda: store.end_session(name),
        lambda: store.delete_session(name),
    ]
    for call in calls:
        with pytest.raises(UnknownSessionError, match="There is no session"):
            call()


def test_a_closed_store_says_so(store: EventStore) -> None:
    store.close()
    store.close()
    with pytest.raises(StoreClosedError, match="has been closed"):
        store.sessions()


DEEP: dict[str, Any] = {}
for _ in range(9):
    DEEP = {"in": DEEP}


@pytest.mark.parametrize(
    ("kind", "data", "actor", "said"),
    [
        ("change", {"n": 7.5}, "camera", "n is of the type float"),
        ("change", {"n": None}, "camera", "n is of the type NoneType"),
        ("change", {"n": [1, {"m": b""}]}, "camera", "n, item 2: m is of the type bytes"),
        ("change", {1: "n"}, "camera", "the key 1: keys are text"),
        ("change", {"n": 2**63}, "camera", "n is too large"),
        ("change", {"n": "x" * 70_000}, "camera", "at most 65536 can be stored"),
        ("change", DEEP, "camera", "lies too deep"),
        ("change", ["n"], "camera", "an object with text keys"),
        ("Change", {}, "camera", "kind cannot be 'Change'"),
        ("", {}, "camera", "kind cannot be ''"),
        ("change\n", {}, "camera", "kind cannot be"),
        ("change", {}, "player", "actor cannot be 'player': camera, dealer, server are known"),
    ],
)
def test_what_cannot_be_stored_as_it_is_is_refused(kind: str, data: Any, actor: Any, said: str) -> None:
    with pytest.raises(RefusedError, match=said):
        NewEvent(kind, data, actor)


def test_an_event_is_not_changed_by_its_maker_afterwards() -> None:
    data: dict[str, Any] = {"cards": ["10H"], "at": (1, 2)}
    event = NewEvent("change", data)
    data["cards"].append("6S")
    assert event.data == {"cards": ["10H"], "at": [1, 2]}


@pytest.mark.parametrize(
    ("game", "rules", "layout", "note", "said"),
    [
        ("Black Jack", {}, {}, "", "game's name cannot be 'Black Jack'"),
        ("blackjack", {"minimum": 2.5}, {}, "", "rules: minimum is of the type float"),
        ("blackjack", {}, {"x": float("nan")}, "", "layout: x is of the type float: text, a finite number"),
        ("blackjack", {}, {}, "two\nlines", "note has a line break"),
        ("blackjack", {}, {}, "x" * 501, "note is 501 characters long"),
    ],
)
def test_a_session_that_cannot_be_stored_is_refused(
    shared: EventStore, game: str, rules: Any, layout: Any, note: str, said: str
) -> None:
    with pytest.raises(RefusedError, match=said):
        shared.start_session(game, rules, layout, note)


def test_times_are_kept_in_utc(tmp_path: Path) -> None:
    clock = Clock(datetime(2026, 7, 1, 1, 30, tzinfo=timezone(timedelta(hours=2))))
    with EventStore.open(tmp_path / "history.sqlite3", clock=clock) as store:
        session = store.start_session("blackjack")
        store.append(session.id, 0, numbered(1))
        assert session.started == datetime(2026, 6, 30, 23, 30, tzinfo=UTC)
        assert store.events(session.id)[0].time.utcoffset() == timedelta(0)
        assert isinstance(store.events(session.id)[0], Event)
