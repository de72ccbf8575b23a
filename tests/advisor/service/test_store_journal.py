"""A journal's state is the fold of what is stored: after undo, redo, a restart, and with a real game's operations."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from store_stand_ins import ADDING, Add, add, numbered

from advisor.games.blackjack import HouseRules
from advisor.games.blackjack.round import IllegalMove, Operation, Round, as_dict, operation_from_dict
from advisor.games.blackjack.round import operations as ops
from advisor.games.cards import parse_card
from advisor.service.store import (
    Codec,
    EventStore,
    Journal,
    NewEvent,
    NothingToRedoError,
    NothingToUndoError,
    RefusedError,
    SessionMovedOnError,
    UnknownSessionError,
    UnreadableEventError,
)

OPERATIONS: Codec[Operation] = Codec(as_dict, operation_from_dict)
DEAL: list[Operation] = [
    ops.PlaceBet(1, Fraction(10)),
    ops.PlaceBet(3, Fraction(15, 2)),
    ops.SweepBets(),
    ops.Deal(1, parse_card("8H")),
    ops.Deal(3, parse_card("10S")),
    ops.DealDealer(parse_card("6D")),
    ops.Deal(1, parse_card("8C")),
    ops.Deal(3, parse_card("9S")),
    ops.DealDealer(None),
    ops.Split(1),
]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EventStore]:
    with EventStore.open(tmp_path / "history.sqlite3") as store:
        yield store


def counting(store: EventStore, session: str | None = None) -> Journal[int, Add]:
    return Journal(store, session or store.start_session("counting").id, 0, add, ADDING)


def test_a_round_of_blackjack_is_the_same_after_a_restart(tmp_path: Path) -> None:
    start = Round.start(HouseRules().with_values({"minimum": "5", "unit": "0.50"}))
    with EventStore.open(tmp_path / "history.sqlite3") as store:
        session = store.start_session("blackjack").id
        journal = Journal(store, session, start, Round.after, OPERATIONS)
        for operation in DEAL:
            journal.apply(operation, "camera")
        with pytest.raises(IllegalMove):
            journal.apply(ops.Surrender(7), "dealer")
        journal.undo("dealer")
        assert journal.state.next_step.kind.name == "DECIDE"
        journal.redo("dealer")
        split = journal.state
    with EventStore.open(tmp_path / "history.sqlite3") as store:
        again = Journal(store, session, start, Round.after, OPERATIONS)
        assert again.state == split
        assert list(again.changes) == DEAL
        assert [event.kind for event in store.events(session)] == ["change"] * 10 + ["undo", "redo"]
        assert again.undo("dealer") != split
        assert again.sequence == 13


def test_what_the_rules_refuse_is_not_stored(store: EventStore) -> None:
    journal = counting(store)
    journal.apply(Add(3), "dealer")
    with pytest.raises(ValueError, match="less than nothing"):
        journal.apply_all([Add(1), Add(-9)], "dealer")
    assert (journal.state, journal.sequence) == (3, 1)
    assert journal.apply_all([Add(1), Add(-4)], "dealer") == 0
    assert journal.apply_all([], "dealer") == 0
    assert store.last_sequence(journal.session) == 3


def test_a_change_is_taken_back_and_brought_back(store: EventStore) -> None:
    journal = counting(store)
    with pytest.raises(NothingToUndoError, match="nothing left to undo"):
        journal.undo("dealer")
    journal.apply_all([Add(1), Add(2), Add(4)], "camera")
    assert (journal.undo("dealer"), journal.undo("dealer"), journal.redo("dealer")) == (3, 1, 3)
    assert (journal.can_undo, journal.can_redo) == (True, True)
    assert journal.apply(Add(8), "dealer") == 11
    assert not journal.can_redo
    with pytest.raises(NothingToRedoError, match="nothing to redo"):
        journal.redo("dealer")
    assert journal.changes == (Add(1), Add(2), Add(8))
    events = store.events(journal.session)
    assert [(event.kind, event.actor) for event in events[3:6]] == [("undo", "dealer")] * 2 + [("redo", "dealer")]
    assert [event.data["sequence"] for event in events[3:6]] == [3, 2, 2]


def test_everything_can_be_taken_back_however_long_ago(store: EventStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("advisor.service.store.journal.KEPT_STATES", 5)
    journal = counting(store)
    many = 17
    journal.apply_all([Add(n) for n in range(many)], "camera")
    totals = [sum(range(n)) for n in range(many)]
    assert [journal.undo("dealer") for _ in range(many)] == totals[::-1]
    assert not journal.can_undo
    again = counting(store, journal.session)
    assert [again.redo("dealer") for _ in range(many)] == [*totals[1:], sum(range(many))]


def test_ten_thousand_changes_are_folded_again(store: EventStore) -> None:
    journal = counting(store)
    assert journal.apply_all([Add(1)] * 10_000, "camera") == 10_000
    again = counting(store, journal.session)
    assert (again.state, again.sequence) == (10_000, 10_000)
    assert again.undo("dealer") == 9_999


def test_notes_are_kept_and_change_nothing(store: EventStore) -> None:
    journal = counting(store)
    journal.apply(Add(5), "dealer")
    assert journal.note("camera-lost", {"source": "0"}, "server") == 2
    assert journal.undo("dealer") == 0
    assert counting(store, journal.session).state == 0
    assert store.events(journal.session)[1].kind == "camera-lost"
    for kind in ("undo", "redo", "change"):
        with pytest.raises(RefusedError, match="a note needs another"):
            journal.note(kind, {}, "server")
    with pytest.raises(ValueError, match="changes need their own"):
        Journal(store, journal.session, 0, add, Codec(ADDING.to_dict, ADDING.from_dict, "undo"))


def test_of_two_servers_the_slower_is_refused_until_it_has_read_on(store: EventStore) -> None:
    one = counting(store)
    other = counting(store, one.session)
    one.apply(Add(5), "dealer")
    for change in (lambda: other.apply(Add(7), "dealer"), lambda: other.note("camera-lost", {}, "server")):
        with pytest.raises(SessionMovedOnError, match="another server"):
            change()
    assert (other.state, other.sequence, other.can_undo) == (0, 0, False)
    assert other.reload() == 5
    assert other.apply(Add(7), "dealer") == 12
    for refused in (one.undo, one.undo):
        with pytest.raises(SessionMovedOnError):
            refused("dealer")
    assert one.state == 5
    assert [event.data for event in store.events(one.session)] == [{"amount": 5}, {"amount": 7}]


@pytest.mark.parametrize(
    ("events", "said"),
    [
        ([NewEvent("change", {"amount": "many"})], "Event 1 of session .* cannot be carried out"),
        ([NewEvent("change", {})], "Event 1 of"),
        ([NewEvent("change", {"amount": 1}), NewEvent("change", {"amount": -2})], "Event 2 of .* less than nothing"),
        ([NewEvent("undo", {"sequence": 1})], "Event 1 of .* cannot undo that"),
        ([*[NewEvent("change", {"amount": 1})] * 2, NewEvent("undo", {"sequence": 1})], "Event 3 of .* cannot undo"),
        ([NewEvent("change", {"amount": 1}), NewEvent("redo", {"sequence": 1})], "Event 2 of .* cannot redo that"),
    ],
)
def test_events_that_cannot_be_carried_out_are_named(store: EventStore, events: list[NewEvent], said: str) -> None:
    session = store.start_session("counting").id
    store.append(session, 0, events)
    with pytest.raises(UnreadableEventError, match=said):
        counting(store, session)


def test_a_change_taken_back_need_not_be_allowed_any_more(store: EventStore) -> None:
    session = store.start_session("counting").id
    bad = [NewEvent("change", {"amount": -2}), NewEvent("undo", {"sequence": 1}), NewEvent("change", {"amount": 4})]
    store.append(session, 0, bad)
    assert counting(store, session).state == 4


def test_a_failed_reload_leaves_the_state(store: EventStore) -> None:
    journal = counting(store)
    journal.apply(Add(5), "dealer")
    store.append(journal.session, 1, numbered(1))
    with pytest.raises(UnreadableEventError):
        journal.reload()
    assert (journal.state, journal.sequence, journal.changes) == (5, 1, (Add(5),))


def test_a_session_that_is_not_there(store: EventStore) -> None:
    with pytest.raises(UnknownSessionError):
        counting(store, "2026-03-01-ffffffff")


def test_undo_and_redo_match_a_model(tmp_path: Path) -> None:
    """Any order of changes, undo, redo and restarts against two plain stacks."""
    with EventStore.open(tmp_path / "history.sqlite3") as store:

        class Machine(RuleBasedStateMachine):
            @initialize()
            def begin(self) -> None:
                self.journal = counting(store)
                self.done: list[int] = []
                self.undone: list[int] = []

            @rule(amounts=st.lists(st.integers(0, 9), min_size=1, max_size=3))
            def change(self, amounts: list[int]) -> None:
                self.journal.apply_all([Add(amount) for amount in amounts], "camera")
                self.done += amounts
                self.undone.clear()

            @precondition(lambda self: self.done)
            @rule()
            def undo(self) -> None:
                self.journal.undo("dealer")
                self.undone.append(self.done.pop())

            @precondition(lambda self: self.undone)
            @rule()
            def redo(self) -> None:
                self.journal.redo("dealer")
                self.done.append(self.undone.pop())

            @rule()
            def restart(self) -> None:
                self.journal = counting(store, self.journal.session)

            @invariant()
            def agrees(self) -> None:
                assert self.journal.state == sum(self.done)
                assert [change.amount for change in self.journal.changes] == self.done
                assert (self.journal.can_undo, self.journal.can_redo) == (bool(self.done), bool(self.undone))

        run_state_machine_as_test(Machine, settings=settings(max_examples=12, stateful_step_count=12, deadline=None))
