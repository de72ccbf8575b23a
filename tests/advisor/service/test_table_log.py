"""The evening in the store: the same after a restart, whatever was wrong with the store meanwhile."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from service_stand_ins import TWO_SEATS, actions, came, live_table, put_picture, serving, state_of, table_of, until
from sqlalchemy import event
from store_stand_ins import JPEG, Clock, public_folder, without_write

from advisor.games.contract.plain import plain_rules
from advisor.service.store import (
    EventStore,
    NewEvent,
    StoreError,
    StoreFullError,
    StoreLockedError,
    StoreReadOnlyError,
    StoreUnreachableError,
    UnreadableEventError,
)
from advisor.service.store.address import address
from advisor.service.store.database import open_database
from advisor.service.table_log import AnotherServer, MemoryLog, StoredLog
from advisor.table import Change, ChangeError, TableState, check, read_change
from advisor.table.changes import (
    CardGone,
    CardsCleared,
    CardShown,
    EndRound,
    NameCard,
    SetTable,
    Shuffled,
    Tell,
    Undo,
    UsualBet,
    plain_values,
)

pytestmark = pytest.mark.slow

CORNERS = ("10H", "10S", "JC", "9H", "8H", "KD", "QD")
LONGEST_RESUME = 40.0
"""Seconds of one processor that going on with 10 000 events may take; it takes about a tenth."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "history.sqlite3"


def resumed(path: Path, state: TableState | None = None, wait: float = 0.2, **more: Any) -> StoredLog:
    return StoredLog.resume(EventStore.open(path, wait=wait), state or table_of(), **more)


@contextmanager
def closed(log: StoredLog) -> Iterator[StoredLog]:
    try:
        yield log
    finally:
        log.close()


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Another program keeps the store locked."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def round_of(first: int = 1) -> list[Change]:
    """A whole round as the camera sees it, from the first card to the clearing; the dealer is bust."""
    cards = came((1, "10H"), (2, "10S"), (0, "6H"), (1, "9S"), (2, "8S"), (0, "KD"), (0, "QC"), first=first)
    return [*cards, CardsCleared()]


def test_a_restart_goes_on_with_the_very_same_state(path: Path) -> None:
    with closed(resumed(path)) as log:
        log.apply([UsualBet(seat=1, amount="20")], "dealer")
        log.apply(round_of(), "camera")
        log.apply(came((1, "10H"), (2, "10S"), (0, "6H"), (1, "5S"), (2, "?6S"), (0, "back"), first=8), "camera")
        log.apply([NameCard(card=12, label="7S")], "dealer")
        log.apply([Tell(operation={"op": "stand", "seat": 1, "hand": 1})], "dealer")
        log.apply([NameCard(card=8, label="9H")], "dealer")
        log.apply([Undo()], "dealer")
        before = log.state
        assert before.round == 2 and len(before.sayings) == 2 and len(before.undone) == 1
        assert before.totals[1] > 0 and before.results[0].net == before.totals
    with closed(resumed(path)) as log:
        assert log.state == before
        log.apply([Undo(), Undo()], "dealer")
        assert log.state.sayings == ()
        with pytest.raises(ChangeError, match="nothing to take back"):
            log.apply([Undo()], "dealer")


def test_the_end_of_a_round_can_be_taken_back_after_a_restart(path: Path) -> None:
    with closed(resumed(path)) as log:
        log.apply(TWO_SEATS, "camera")
        log.apply([EndRound()], "dealer")
    with closed(resumed(path)) as log:
        assert log.state.round == 2 and log.apply([Undo()], "dealer").round == 1


def test_another_game_goes_on_as_that_game(path: Path) -> None:
    pontoon = table_of("pontoon", "")
    asked = read_change({"op": "set-table", "game": "pontoon", "rules": "own", "values": _values(pontoon), "seats": 5})
    assert isinstance(asked, SetTable)
    with closed(resumed(path)) as log:
        log.apply(round_of(), "camera")
        log.apply([asked], "dealer")
        before = log.state
    with closed(resumed(path)) as log:
        assert log.state == before and log.state.game == "pontoon" and log.state.rules == pontoon.rules


def _values(state: TableState) -> dict[str, str | int]:
    return plain_values(plain_rules(state.rules))


def test_an_evening_that_is_over_is_closed_and_another_begun(path: Path) -> None:
    clock = Clock()
    clock.now -= timedelta(days=1000)
    store = EventStore.open(path, clock=clock)
    with closed(StoredLog.resume(store, table_of())) as log:
        old = log.session
        log.apply(TWO_SEATS, "camera")
    with closed(resumed(path, table_of("pontoon", ""))) as log:
        assert log.session != old and log.state.game == "pontoon" and log.state.number == 0
    with closed(resumed(path, anew=True)) as log:
        assert log.state.game == "blackjack" and log.state.number == 0
    with EventStore.open(path) as kept:
        assert len(kept.open_sessions()) == 1 and kept.session(old).ended is not None
        assert len(kept.events(old)) == len(TWO_SEATS)


@pytest.mark.parametrize(
    ("game", "rules"),
    [("chess", {"values": {}}), ("blackjack", {"values": {"decks": "x"}}), ("blackjack", {"values": 5})],
)
def test_an_evening_of_another_version_is_said_with_the_way_out(path: Path, game: str, rules: Any) -> None:
    with EventStore.open(path) as store:
        store.start_session(game, rules, {"name": ""})
    with pytest.raises(UnreadableEventError, match="--new begins another"):
        resumed(path)
    with closed(resumed(path, anew=True)) as log:
        assert log.state.number == 0


def test_an_event_that_cannot_be_read_is_said(path: Path) -> None:
    with closed(resumed(path)) as log:
        log.apply(TWO_SEATS, "camera")
        session = log.session
    with EventStore.open(path) as store:
        store.append(session, len(TWO_SEATS), [NewEvent("change", {"op": "from-the-future"}, "camera")])
    with pytest.raises(UnreadableEventError, match="Event 7"):
        resumed(path)


def test_of_two_servers_on_one_store_the_slower_is_refused_with_a_sentence(path: Path) -> None:
    with closed(resumed(path)) as one, closed(resumed(path)) as other:
        assert one.session == other.session
        one.apply(came((1, "10H")), "camera")
        for _ in range(2):
            with pytest.raises(AnotherServer, match="Another Tableside keeps this evening too"):
                other.apply(came((2, "5H")), "camera")
        assert other.trouble and other.state.cards == () and one.trouble == ""
        one.apply(came((1, "9H"), first=2), "camera")
    with closed(resumed(path)) as log:
        assert [card.face for card in log.state.cards] == ["10H", "9H"], "only the faster one's cards are kept"


def test_the_slower_servers_page_says_so(path: Path) -> None:
    with serving(log=resumed(path)) as slower, closed(resumed(path)) as faster:
        faster.apply(TWO_SEATS, "camera")
        answer = slower.post("/api/table", json={"op": "usual-bet", "seat": 1, "amount": "5"})
        assert answer.status_code == 409 and "Another Tableside" in answer.json()["error"]
        store = state_of(slower)["store"]
        assert store["ok"] is False and "Another Tableside" in store["message"]


def test_while_the_store_is_locked_nothing_is_acknowledged_and_nothing_acknowledged_is_lost(path: Path) -> None:
    with closed(resumed(path)) as log:
        log.apply(TWO_SEATS, "camera")
        before = log.state
        with locked(path):
            with pytest.raises(StoreLockedError):
                log.apply([NameCard(card=1, label="9H")], "dealer")
            assert log.state == before and "locked" in log.trouble
        log.apply([NameCard(card=1, label="8H")], "dealer")
        assert log.trouble == ""
        before = log.state
    with closed(resumed(path)) as log:
        assert log.state == before and log.state.sayings[0].change == NameCard(card=1, label="8H")


def test_a_full_disk_refuses_and_the_evening_goes_on_once_there_is_room(path: Path) -> None:
    database = open_database(address(path))
    limit = {"pages": 1000}
    event.listen(
        database.engine, "checkout", lambda c, *_: c.execute(f"PRAGMA max_page_count={limit['pages']}").fetchall()
    )
    with closed(StoredLog.resume(EventStore(database), table_of())) as log:
        log.apply(TWO_SEATS, "camera")
        limit["pages"] = 1
        kept = 0
        with pytest.raises(StoreFullError):
            for number in range(2000):
                log.apply([UsualBet(seat=1, amount=str(number + 1))], "dealer")
                kept += 1
        assert "full" in log.trouble and log.state.number == len(TWO_SEATS) + kept
        limit["pages"] = 1000
        log.apply([Shuffled()], "dealer")
        before = log.state
    with closed(resumed(path)) as log:
        assert log.state == before


def test_a_store_that_turns_read_only_mid_round_refuses_and_goes_on_once_it_may_be_written(path: Path) -> None:
    """As SQLite reports it of a file system that was mounted read-only meanwhile."""
    database = open_database(address(path))
    mode = {"read_only": 0}
    event.listen(
        database.engine, "checkout", lambda c, *_: c.execute(f"PRAGMA query_only={mode['read_only']}").fetchall()
    )
    with closed(StoredLog.resume(EventStore(database), table_of())) as log:
        log.apply(TWO_SEATS, "camera")
        before = log.state
        mode["read_only"] = 1
        with pytest.raises(StoreReadOnlyError, match="cannot be written"):
            log.apply([EndRound()], "dealer")
        assert log.state == before and "cannot be written" in log.trouble
        mode["read_only"] = 0
        log.apply([EndRound()], "dealer")
        assert log.trouble == "" and log.state.round == 2
        before = log.state
    with closed(resumed(path)) as log:
        assert log.state == before


def test_a_store_that_may_not_be_written_any_more_refuses(tmp_path: Path) -> None:
    with public_folder() as folder:
        folder.chmod(0o777)
        path = folder / "history.sqlite3"
        with closed(resumed(path)) as log:
            log.apply(TWO_SEATS, "camera")
            before = log.state
        with without_write(path), pytest.raises(StoreError, match="cannot be written"):
            resumed(path)
        with closed(resumed(path)) as log:
            assert log.state == before


def test_where_a_line_broke_while_storing_what_was_stored_is_found_out(path: Path, monkeypatch: Any) -> None:
    """As with a database server that goes away between storing and saying so."""
    store = EventStore.open(path)
    with closed(StoredLog.resume(store, table_of())) as log:
        append = store.append

        def broken(*arguments: Any) -> int:
            append(*arguments)
            raise StoreUnreachableError("The line to the database broke.")

        monkeypatch.setattr(store, "append", broken)
        with pytest.raises(StoreUnreachableError):
            log.apply(came((1, "10H")), "camera")
        assert log.state.cards == ()
        monkeypatch.setattr(store, "append", append)
        with pytest.raises(ChangeError, match="not used again"):
            log.apply(came((1, "10H")), "camera")
        assert [card.face for card in log.state.cards] == ["10H"], "what was stored is known now"
        log.apply(came((1, "5H"), first=2), "camera")
        assert log.trouble == ""


def test_a_snapshot_that_cannot_be_kept_stops_nothing(path: Path) -> None:
    with closed(resumed(path)) as log:
        log.snapshot("a card too many", JPEG)
        log.snapshot("no picture", b"")
        with locked(path):
            log.snapshot("locked", JPEG)
        session = log.session
    with EventStore.open(path) as store:
        assert [it.reason for it in store.snapshots(session)] == ["a card too many"]


def test_what_was_seen_while_the_store_was_locked_is_taken_up_when_it_comes_back(tmp_path: Path, path: Path) -> None:
    picture = tmp_path / "table.png"
    put_picture(picture, 40)
    with serving(str(picture), resumed(path)) as client:
        assert until(lambda: state_of(client)["settled"])
        with locked(path):
            put_picture(picture, 80)
            assert until(lambda: not state_of(client)["store"]["ok"])
            state = state_of(client)
            assert "locked" in state["store"]["message"] and state["played"]["hands"] == []
            began = time.monotonic()
            assert client.get("/frame.jpg").status_code == 200
            assert time.monotonic() - began < 2.0, "pages do not wait for the store"
            answer = client.post("/api/table", json={"op": "usual-bet", "seat": 1, "amount": "5"})
            assert answer.status_code == 503 and "locked" in answer.json()["error"]
        assert until(lambda: actions(state_of(client)) == ["double"]), "although nothing moves at the table"
        assert state_of(client)["store"] == {"ok": True, "message": ""}
    with closed(resumed(path)) as log:
        assert sorted(card.face for card in log.state.cards) == ["10H", "5C", "6D", "back"]


def test_a_restart_knows_the_cards_that_lie_there_again(tmp_path: Path, path: Path) -> None:
    picture = tmp_path / "table.png"
    put_picture(picture, 80)
    with serving(str(picture), resumed(path)) as client:
        assert until(lambda: len(state_of(client)["sightings"]) == 4 and actions(state_of(client)) == ["double"])
        assert until(lambda: len(state_of(client)["played"]["house"][0]["cards"]) == 2)
        (first,) = [c for c in state_of(client)["played"]["hands"][0]["cards"] if c["label"] == "5C"]
        client.post("/api/table", json={"op": "name-card", "card": first["card"], "label": "4C"})
        before = state_of(client)["played"]
    put_picture(picture, 120)
    with serving(str(picture), resumed(path)) as client:
        assert until(lambda: len(state_of(client)["played"]["hands"][0]["cards"]) == 3)
        played = state_of(client)["played"]
        assert state_of(client)["round"] == 1 and played["house"][0]["cards"] == before["house"][0]["cards"]
        assert played["hands"][0]["cards"][:2] == before["hands"][0]["cards"], "numbers and the correction stay"


def evening(events: int) -> list[Change]:
    """So many changes of an evening with seven players; a hundred or so a round, half of them somebody's mind."""
    changes: list[Change] = []
    first = 1
    while len(changes) < events:
        seats = list(enumerate(CORNERS, 1))
        second = [(seat, "9S" if seat % 2 else "9H") for seat, _ in seats]
        changes += [UsualBet(seat=1, amount=str(5 + first % 20))]
        changes += came(*seats, (0, "6H"), *second, (0, "back"), first=first)
        changes += [NameCard(card=first, label="8S"), Undo()] * 25
        changes += [Tell(operation={"op": "stand", "seat": seat, "hand": 1}) for seat, _ in seats]
        changes += [CardShown(card=first + 15, face="KD"), *came((0, "QC"), first=first + 16)]
        changes += [CardGone(card=first + at) for at in range(17)]
        changes += [CardsCleared(), Shuffled()]
        first += 17
    return changes[:events]


def test_ten_thousand_events_are_gone_on_with_in_good_time(path: Path) -> None:
    changes = evening(10_000)
    with closed(resumed(path, table_of(rules="six-deck-s17"))) as log:
        session = log.session
    with EventStore.open(path) as store:
        store.append(session, 0, [NewEvent("change", change.data, "camera") for change in changes])
    began = time.process_time()
    with closed(resumed(path)) as log:
        took = time.process_time() - began
        assert log.state.number == 10_000 and log.state.round > 90
        assert {it.faults for it in log.state.results} == {()} and log.state.totals[1] > 0
        began = time.process_time()
        log.apply([Shuffled()], "dealer")
        one = time.process_time() - began
    print(f"10 000 events gone on with in {took:.1f} s, one more kept in {one * 1000:.1f} ms")
    assert took < LONGEST_RESUME and one < 1


SAID = st.sampled_from(
    [
        {"op": "name-card", "card": 2, "label": "9S"},
        {"op": "name-card", "card": 3, "label": "back"},
        {"op": "remove-card", "card": 4},
        {"op": "move-card", "card": 5, "seat": 1, "hand": 1},
        {"op": "add-card", "label": "2C", "seat": 2, "hand": 1},
        {"op": "add-card", "label": "back", "seat": 0, "hand": 1},
        {"op": "tell", "operation": {"op": "stand", "seat": 1, "hand": 1}},
        {"op": "usual-bet", "seat": 2, "amount": "7"},
        {"op": "shuffled"},
        {"op": "undo"},
        {"op": "undo"},
        {"op": "redo"},
        {"op": "end-round"},
        {"op": "void-round"},
        {"op": "came"},
        {"op": "came"},
        {"op": "cards-cleared"},
    ]
)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(said=st.lists(SAID, min_size=1, max_size=12))
def test_whatever_happens_a_restart_gives_the_same_state(path: Path, said: list[dict[str, Any]]) -> None:
    memory = MemoryLog(table_of())
    with closed(resumed(path, anew=True)) as log:
        for data in ({"op": "came"}, {"op": "came"}, *said):
            change: Change
            if data["op"] == "came":
                seat, face = [(1, "10H"), (2, "10S"), (0, "6H"), (1, "5S"), (2, "6S")][memory.state.number % 5]
                (change,) = came((seat, face), first=memory.state.following)
            else:
                change = read_change(data)
            try:
                check(memory.state, change)
            except ChangeError:
                continue
            memory.apply([change], "dealer")
            log.apply([change], "dealer")
        assert log.state == memory.state
        before = log.state
    with closed(resumed(path)) as log:
        assert log.state == before


def test_what_is_only_remembered_is_all_or_nothing() -> None:
    log = MemoryLog(table_of())
    with pytest.raises(ChangeError):
        log.apply([*came((1, "10H")), NameCard(card=9, label="5H")], "dealer")
    assert log.state == table_of()


def test_the_server_lets_go_of_the_store_when_it_ends(path: Path) -> None:
    log = resumed(path)
    table = live_table("97", log)
    table.start()
    table.stop()
    with pytest.raises(StoreError, match="closed"):
        log.apply([Shuffled()], "dealer")
