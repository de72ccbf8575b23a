"""What is kept how long: whole sessions by their end, pictures sooner, what is open always."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from store_stand_ins import JPEG, Clock, numbered

from advisor.service.store import EventStore, Pruned, RefusedError, SessionOpenError, prune


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> Iterator[EventStore]:
    with EventStore.open(tmp_path / "history.sqlite3", clock=clock) as store:
        yield store


def sitting(store: EventStore, *, ended: bool = True, jpeg: bytes = JPEG) -> str:
    session = store.start_session("blackjack").id
    store.append(session, 0, numbered(3))
    store.add_snapshot(session, 2, "disputed", jpeg)
    if ended:
        store.end_session(session)
    return session


def test_old_sessions_go_whole_and_old_pictures_sooner(store: EventStore, clock: Clock) -> None:
    still_open, ancient = sitting(store, ended=False), sitting(store)
    clock.go_on(70)
    middling = sitting(store)
    clock.go_on(28)
    new = sitting(store)
    clock.go_on(2.5)
    assert prune(store, 100, clock.now) == Pruned((ancient,), 3, 2)
    found = {session.id: (session.events, session.snapshots) for session in store.sessions()}
    assert found == {still_open: (3, 1), middling: (3, 0), new: (3, 1)}
    assert prune(store, 100, clock.now) == Pruned((), 0, 0)
    assert prune(store, 3, clock.now, snapshot_days=2) == Pruned((middling,), 3, 1)
    assert prune(store, 2, clock.now) == Pruned((new,), 3, 0)
    assert [session.id for session in store.sessions()] == [still_open]


def test_a_session_counts_from_its_end(store: EventStore, clock: Clock) -> None:
    long = sitting(store, ended=False)
    clock.go_on(50)
    store.end_session(long)
    clock.go_on(9)
    assert prune(store, 10, clock.now).sessions == ()
    clock.go_on(2)
    assert prune(store, 10, clock.now).sessions == (long,)


def test_an_open_sessions_pictures_stay(store: EventStore, clock: Clock) -> None:
    session = sitting(store, ended=False)
    clock.go_on(50)
    with pytest.raises(SessionOpenError, match="its snapshots stay"):
        store.delete_snapshots(session, clock.now)
    assert store.session(session).snapshots == 1


def test_the_space_goes_back_to_the_disk_and_the_pictures_are_gone(store: EventStore, clock: Clock) -> None:
    path = Path(store.name)
    mark = b"a hand of cards nobody else should see"
    sitting(store, jpeg=JPEG + mark * 10_000)
    clock.go_on(3)
    store.compact()
    before = path.stat().st_size
    assert mark in path.read_bytes()
    prune(store, 2, clock.now)
    assert path.stat().st_size < before - 300_000
    wal = path.with_name(f"{path.name}-wal")
    assert mark not in path.read_bytes() and mark not in wal.read_bytes()


@pytest.mark.parametrize(("days", "snapshot_days"), [(-1, None), (5, 6), (5, -1), (10**9, None), (100_000, None)])
def test_a_retention_that_makes_no_sense_is_refused(
    store: EventStore, clock: Clock, days: int, snapshot_days: int | None
) -> None:
    clock.now = clock.now.replace(year=5)
    with pytest.raises(RefusedError, match="days"):
        prune(store, days, clock.now, snapshot_days)
