"""Chips beside the cards: the newest picture is read, what lies still is told again, and trouble ends nothing."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from queue import Queue

import numpy as np
import pytest

from advisor.games.catalogue import game as game_named
from advisor.money import DEFAULT_CHIPS
from advisor.service import chip_view
from advisor.service.chip_view import ChipView, LiveBets
from advisor.service.felt_view import FeltView
from advisor.service.plain_played import plain_played
from advisor.table import begin, fold, played, read_change
from advisor.table.changes import CardCame, CardShown, EndRound, Tell, Undo
from vision.chips.spots import PlacedStack, SpotReading
from vision.chips.values import ChipReading, ChipStack
from vision.felt import load_layout

PICTURE = np.zeros((800, 1200, 3), np.uint8)


class OneChip:
    """Sees one red chip in the middle of whatever it is given; may be made to wait or to fail."""

    def __init__(self) -> None:
        self.free = threading.Event()
        self.free.set()
        self.fails = False
        self.read_pictures = 0

    def read(self, image: np.ndarray, /, ground: object = None) -> ChipReading:
        assert self.free.wait(5)
        self.read_pictures += 1
        if self.fails:
            raise RuntimeError("odd")
        height, width = image.shape[:2]
        box = (width / 2 - 15, height / 2, width / 2 + 15, height / 2 + 30)
        return ChipReading(width, height, (ChipStack(box, ("red",), 0.9),))


def calibrated() -> FeltView:
    """A felt seen from straight above, a pixel a millimetre."""
    felt = FeltView()
    felt.use("three-seats")
    assert felt.layout is not None
    felt.drag([(x + 600, y) for x, y in (handle.point for handle in felt.layout.handles)], 1200, 800)
    return felt


@pytest.fixture
def view(monkeypatch: pytest.MonkeyPatch) -> tuple[ChipView, OneChip, Queue[Sequence[SpotReading]]]:
    monkeypatch.setattr(chip_view, "REST", 0.05)
    told: Queue[Sequence[SpotReading]] = Queue()
    reader = OneChip()
    return ChipView(reader, calibrated(), lambda readings, _: told.put(readings)), reader, told


def test_what_lies_still_is_told_a_second_time_and_no_more(
    view: tuple[ChipView, OneChip, Queue[Sequence[SpotReading]]],
) -> None:
    chips, reader, told = view
    chips.start()
    try:
        chips.look(PICTURE)
        first, second = told.get(timeout=5), told.get(timeout=5)
        assert first == second and len(first) == 6 == reader.read_pictures
        assert any(reading.stacks for reading in first)
        threading.Event().wait(0.2)
        assert told.empty()
    finally:
        chips.stop()


def test_the_newest_picture_wins_and_trouble_ends_nothing(
    view: tuple[ChipView, OneChip, Queue[Sequence[SpotReading]]],
) -> None:
    chips, reader, told = view
    reader.free.clear()
    reader.fails = True
    chips.start()
    try:
        for _ in range(20):
            chips.look(PICTURE)
        reader.free.set()
        chips.look(PICTURE)
        for _ in range(100):
            if chips.trouble:
                break
            threading.Event().wait(0.02)
        assert chips.trouble == chip_view.TROUBLE and told.empty() and reader.read_pictures <= 2
        reader.fails = False
        chips.look(PICTURE)
        assert told.get(timeout=5)
    finally:
        chips.stop()
    assert chips.trouble == ""


def test_what_was_read_before_something_moved_is_not_told_again(
    view: tuple[ChipView, OneChip, Queue[Sequence[SpotReading]]],
) -> None:
    chips, _, told = view
    chips.start()
    try:
        chips.look(PICTURE)
        assert told.get(timeout=5)
        chips.stirs()
        threading.Event().wait(0.2)
        assert told.empty()
        chips.look(PICTURE)
        assert told.get(timeout=5) and told.get(timeout=5)
    finally:
        chips.stop()


def test_without_a_calibrated_felt_nothing_is_read() -> None:
    told: Queue[Sequence[SpotReading]] = Queue()
    reader = OneChip()
    chips = ChipView(reader, FeltView(), lambda readings, _: told.put(readings))
    chips.start()
    chips.look(PICTURE)
    threading.Event().wait(0.1)
    chips.stop()
    assert told.empty() and reader.read_pictures == 0


def test_what_the_chips_say_is_shown_beside_the_round() -> None:
    state = begin("blackjack", game_named("blackjack").load("home"), "home")
    zone = next(z for z in load_layout("seven-seats").zones if z.kind == "seat-bet" and z.seat == 2)
    stack = PlacedStack(ChipStack((0, 0, 9, 9), ("white",), 0.9), zone.shape.centre, 0.0)
    bets, shown = LiveBets(), played(state)
    for at in (0.0, 2.0):
        assert bets.take([SpotReading(zone, (stack,))], at, state, shown, DEFAULT_CHIPS) == ()
    assert "below the minimum" in bets.shown(state, shown).faults[-1].words
    red = replace(stack, stack=ChipStack((0, 0, 9, 9), ("red", "red"), 0.9))
    unsure = replace(stack, stack=ChipStack((0, 0, 9, 9), (), 0.1, "something hides a part of it"))
    for at in (3.0, 5.0):
        changes = bets.take([SpotReading(zone, (red,))], at, state, shown, DEFAULT_CHIPS)
    assert [change.amount for change in changes] == ["10"] and bets.shown(state, shown) == shown
    for change in changes:
        state = fold(state, change)
    for at in (6.0, 8.0):
        bets.take([SpotReading(zone, (unsure,))], at, state, shown, DEFAULT_CHIPS)
    now = bets.shown(state, shown)
    assert "could not be read surely" in now.questions[-1].words
    dealer, viewer = (plain_played(now, DEFAULT_CHIPS, viewer=viewer)["questions"][-1] for viewer in (False, True))
    other = {"op": "place-bet", "seat": 2, "amount": ""}
    assert dealer["place"] == {"seat": 2, "hand": 1}
    assert [it["operation"] for it in dealer["choices"]] == [{**other, "amount": "10"}, other]
    assert viewer == {**dealer, "choices": []}
    assert bets.shown(replace(state, round=9), shown) == shown


def test_a_question_goes_with_its_answer_and_is_back_when_that_is_taken_back() -> None:
    state = begin("blackjack", game_named("blackjack").load("home"), "home")
    zone = next(z for z in load_layout("seven-seats").zones if z.kind == "seat-bet" and z.seat == 1)
    stack = PlacedStack(ChipStack((0, 0, 9, 9), ("green",), 0.9), zone.shape.centre, 0.0)
    bets = LiveBets()

    def look(*seconds: float) -> None:
        for at in seconds:
            bets.take([SpotReading(zone, (stack,))], at, state, played(state), DEFAULT_CHIPS)

    def questions() -> list[str]:
        return [it.words for it in bets.shown(state, played(state)).questions]

    asked = ["Seat 1: 10 was said and 25 lies there. Which is right?"]
    state = fold(state, Tell(operation={"op": "place-bet", "seat": 1, "amount": "10"}))
    look(0.0, 2.0)
    for dealt in (False, True):
        if dealt:
            for card, (seat, face) in enumerate(((1, "10H"), (0, "6H"), (1, "QS"), (0, "back")), 1):
                state = fold(state, CardCame(card=card, seat=seat, hand=1, face=face))
        for looked_again in (False, True):
            assert questions() == asked
            state = fold(state, Tell(operation={"op": "place-bet", "seat": 1, "amount": "25"}))
            if looked_again:
                look(3.0, 5.0)
            assert not questions()
            state = fold(state, Undo())
            assert questions() == asked
            seen_last = bets.seen_last(bets.shown(state, played(state)))
            assert [it.words for it in seen_last.questions] == [f"{chip_view.SEEN_LAST}: {asked[0]}"]
    state = fold(state, Tell(operation={"op": "call-off"}))
    assert not questions()


def test_another_program_goes_on_with_what_the_chips_told_of_the_payouts() -> None:
    state = begin("blackjack", game_named("blackjack").load("home"), "home")
    zone = next(z for z in load_layout("seven-seats").zones if z.kind == "seat-bet" and z.seat == 1)

    def take(bets: LiveBets, order: str, *seconds: float) -> None:
        nonlocal state
        stack = PlacedStack(ChipStack((0, 0, 9, 9), tuple(order.split()), 0.9), zone.shape.centre, 0.0)
        for at in seconds:
            for change in bets.take([SpotReading(zone, (stack,))], at, state, played(state), DEFAULT_CHIPS):
                state = fold(state, read_change(change.data))

    def come(*cards: tuple[int, str]) -> None:
        nonlocal state
        for seat, face in cards:
            state = fold(state, CardCame(card=state.following, seat=seat, hand=1, face=face))

    first, second = LiveBets(), LiveBets()
    take(first, "green", 0.0, 2.0)
    come((1, "10H"), (0, "6H"), (1, "QS"), (0, "back"))
    take(first, "green", 3.0, 5.0)
    state = fold(state, Tell(operation={"op": "stand", "seat": 1, "hand": 1}))
    state = fold(state, CardShown(card=4, face="10C"))
    come((0, "KH"))
    take(first, "green green red", 6.0, 8.0)
    wrong = [fault.words for fault in first.shown(state, played(state)).faults]
    assert "over by 5" in wrong[0]
    kept = state.chips
    take(second, "green green red", 0.0)
    assert [fault.words for fault in second.shown(state, played(state)).faults] == wrong
    assert state.chips == kept
    # Another restart, then the round's end, and that taken back: it is wrong again.
    third, ended = LiveBets(), fold(state, EndRound())
    third.take([], 1.0, ended, played(ended), DEFAULT_CHIPS)
    take(third, "green green red", 2.0)
    assert [fault.words for fault in third.shown(state, played(state)).faults] == wrong


def test_a_bet_read_from_chips_is_shown_as_seen_on_the_wire_and_one_that_was_said_is_not() -> None:
    state = begin("blackjack", game_named("blackjack").load("home"), "home")
    zones = {z.seat: z for z in load_layout("seven-seats").zones if z.kind == "seat-bet"}
    red = ChipStack((0, 0, 9, 9), ("red", "red"), 0.9)
    readings = [SpotReading(zones[seat], (PlacedStack(red, zones[seat].shape.centre, 0.0),)) for seat in (1, 2)]
    bets = LiveBets()
    for at in (0.0, 2.0):
        for change in bets.take(readings, at, state, played(state), DEFAULT_CHIPS):
            state = fold(state, change)
    state = fold(state, Tell(operation={"op": "place-bet", "seat": 2, "amount": "10"}))
    for number, seat in enumerate((1, 2, 3), 1):
        state = fold(state, CardCame(card=number, seat=seat, hand=1, face=f"{number + 6}H"))
    shown = plain_played(bets.shown(state, played(state)), DEFAULT_CHIPS)
    one, two, three = (hand["bets"][0] for hand in shown["hands"])
    assert (one["amount"], one["assumed"], one["seen"]) == ("10", False, True) and one["chips"]
    assert (two["amount"], two["assumed"], two.get("seen", False)) == ("10", False, False)
    assert (three["assumed"], three.get("seen", False)) == (True, False)
