"""The live loop reads what is new and at rest, and outlives every failure."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Event

import numpy as np
import pytest

from vision.settling import believed, let_go, widened
from vision.sightings import CardSighting, Quad, Reading
from vision.sources import Frame
from vision.watch import Observation, Settings, Watch

EMPTY = np.full((240, 320, 3), 60, np.uint8)
RNG = np.random.default_rng(5)


def table(*cards: tuple[int, int], noise: float = 0.0) -> np.ndarray:
    image = EMPTY.astype(float)
    for x, y in cards:
        image[y : y + 60, x : x + 40] = 240
    return (image + RNG.normal(0, noise, image.shape) if noise else image).clip(0, 255).astype(np.uint8)


def corners(x: float) -> Quad:
    return ((x, 0.0), (x + 40.0, 0.0), (x + 40.0, 60.0), (x, 60.0))


class Reader:
    """Counts what it is given; one card at the first bright column."""

    def __init__(self) -> None:
        self.given: list[np.ndarray] = []
        self.fail = False

    def read(self, image: np.ndarray, /) -> Reading:
        self.given.append(image)
        if self.fail:
            raise RuntimeError("the lens is foggy")
        bright = np.flatnonzero((image > 200).any(axis=(0, 2)))
        cards = (CardSighting("card", corners(float(bright[0])), "9H", 0.9),) if len(bright) else ()
        return Reading(image.shape[1], image.shape[0], cards)


class Frames:
    """A source that gives what it is told to, each frame once."""

    def __init__(self) -> None:
        self.frame: Frame | None = None

    def show(self, image: np.ndarray) -> None:
        self.frame = Frame(self.frame.sequence + 1 if self.frame else 1, time.monotonic(), image)

    def newest(self, after: int, timeout: float) -> Frame | None:
        if self.frame is not None and self.frame.sequence > after:
            return self.frame
        Event().wait(min(timeout, 0.002))
        return None


class Bench:
    """A watch turned by hand, a frame every ``step`` seconds."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.reader, self.published = Reader(), list[Observation]()
        self.watch = Watch(Frames(), self.reader, self.published.append, settings=settings)
        self.sequence, self.at = 0, 100.0

    def turn(self, image: np.ndarray, still: bool = False, step: float = 0.03) -> Observation | None:
        self.sequence += 1
        self.at += step
        return self.watch.turn(Frame(self.sequence, self.at, image, still))


def eventually(wanted: Callable[[], bool]) -> None:
    end = time.monotonic() + 3
    while not wanted():
        assert time.monotonic() < end
        time.sleep(0.002)


def test_an_unchanged_picture_is_not_read_twice() -> None:
    bench = Bench()
    for _ in range(6):
        bench.turn(table((50, 50), noise=3.0))
    assert bench.watch.read_count == len(bench.reader.given) == 1
    assert [seen.settled for seen in bench.published] == [False, True]


def test_a_little_more_light_is_no_change() -> None:
    bench = Bench()
    bench.turn(table((50, 50)))
    bench.turn((table((50, 50)).astype(int) + 10).clip(0, 255).astype(np.uint8))
    assert bench.watch.read_count == 1


def under_bands(image: np.ndarray, phase: float, strength: float = 0.15) -> np.ndarray:
    """As a rolling shutter sees it by a lamp that flickers with the mains."""
    rows = np.arange(image.shape[0])[:, None, None] / image.shape[0]
    return (image * (1 + strength * np.sin(2 * np.pi * 2.5 * rows + phase))).clip(0, 255).astype(np.uint8)


def test_a_table_rests_under_bands_of_light_that_wander_over_it() -> None:
    bench = Bench()
    for n in range(40):
        bench.turn(under_bands(table((50, 50), (200, 150), noise=2.0), 0.7 * n))
    assert bench.watch.read_count == 1


def test_a_card_laid_under_bands_of_light_is_read_as_often_as_by_steady_light() -> None:
    def reads(strength: float) -> list[int]:
        bench, read = Bench(), []
        for n in range(60):
            cards = [(200, 150)] if n < 20 else [(200, 150), (50, 50)]
            image = table(*cards, noise=2.0)
            bench.turn(under_bands(image, 0.7 * n, strength))
            read.append(bench.watch.read_count)
        assert bench.published[-1].settled
        assert bench.published[-1].view.reading.cards[0].corners[0][0] == 50
        return read

    assert reads(0.15) == reads(0.0)


def test_a_new_card_is_read_once_it_rests() -> None:
    bench = Bench()
    for _ in range(2):
        bench.turn(table())
    for x in (40, 80, 120):
        assert bench.turn(table((x, 50))) is None, "a card in flight is not worth reading"
    seen = bench.turn(table((120, 50)))
    assert seen is not None and seen.settled
    assert seen.view.reading.cards[0].corners[0][0] == 120
    assert (seen.view.sequence, seen.view.at) == (bench.sequence, bench.at)
    assert bench.watch.read_count == 2


def test_a_picture_that_never_rests_is_read_now_and_then_and_not_trusted() -> None:
    bench = Bench(Settings(restless=0.6, let_go=99))
    for k in range(40):
        bench.turn(table((10 + 6 * k, 50)), step=0.1)
    assert 5 <= bench.watch.read_count <= 9
    assert not any(seen.settled for seen in bench.published)


def test_what_moved_last_is_read_when_no_more_frames_come() -> None:
    bench = Bench()
    for _ in range(2):
        bench.turn(table())
    bench.turn(table((80, 50)))
    seen = bench.watch.pause()
    assert seen is not None and len(seen.view.reading.cards) == 1 and not seen.settled
    assert bench.watch.pause() is None


def test_a_photograph_is_settled_at_once() -> None:
    bench = Bench()
    for x in (50, 150):
        seen = bench.turn(table((x, 50)), still=True)
        assert seen is not None and seen.settled
    assert bench.watch.read_count == 2


def test_a_change_of_resolution_is_a_change() -> None:
    bench = Bench()
    bench.turn(table(), still=True)
    assert bench.turn(np.full((120, 160, 3), 60, np.uint8), still=True) is not None


class Resting(Frames):
    """A source that hears whether anything moves."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[bool] = []

    def rest(self, resting: bool) -> None:
        self.heard.append(resting)


def test_the_source_is_told_to_rest_while_nothing_moves_and_at_the_first_movement_to_hurry() -> None:
    frames = Resting()
    watch = Watch(frames, Reader(), lambda seen: None, settings=Settings(wait=0.02, idle=0.15))

    def shown(image: np.ndarray) -> bool:
        before = len(frames.heard)
        frames.show(image)
        eventually(lambda: len(frames.heard) > before)
        return frames.heard[-1]

    watch.start()
    assert [shown(table((50, 50))) for _ in range(2)] == [False, False], "it was read just now"
    time.sleep(0.2)
    assert shown(table((50, 50), noise=2.0))
    assert not shown(table((90, 50))), "one picture of a movement is enough"
    assert not shown(table((90, 50))), "and what came to rest is read from the very next one"
    assert watch.read_count == 2
    watch.stop()


def test_the_watch_survives_an_exception_and_forgets_it_once_all_is_well(caplog: pytest.LogCaptureFixture) -> None:
    frames, reader, published = Frames(), Reader(), list[Observation]()
    watch = Watch(frames, reader, published.append, settings=Settings(wait=0.02))
    reader.fail = True
    watch.start()
    frames.show(table((50, 50)))
    eventually(lambda: watch.errors == 1)
    assert "the lens is foggy" in watch.last_error and watch.last_error.endswith(".")
    assert "could not be read" in caplog.text
    reader.fail = False
    frames.show(table((50, 50)))
    eventually(lambda: len(published) == 1)
    assert (watch.errors, watch.last_error, watch.read_count) == (1, "", 1)
    watch.stop()


def test_a_failing_listener_does_not_end_the_watch() -> None:
    frames = Frames()
    calls: list[int] = []

    def listen(seen: Observation) -> None:
        calls.append(seen.view.sequence)
        if len(calls) == 1:
            raise ValueError("nobody home")

    watch = Watch(frames, Reader(), listen, settings=Settings(wait=0.02))
    watch.start()
    for k in (1, 2):
        frames.show(table((50, 50)))
        eventually(lambda k=k: len(calls) == k)  # type: ignore[misc]
    assert watch.errors == 1
    watch.stop()


def test_stopping_does_not_wait_for_a_reading_that_hangs() -> None:
    hang = Event()

    class Stuck:
        def read(self, image: np.ndarray, /) -> Reading:
            hang.wait(30)
            return Reading(1, 1)

    frames = Frames()
    watch = Watch(frames, Stuck(), lambda seen: None)
    watch.start()
    frames.show(table())
    began = time.monotonic()
    watch.stop(0.05)
    assert time.monotonic() - began < 10
    hang.set()


def test_a_card_that_was_read_as_it_came_is_believed_once_it_rests_though_others_move() -> None:
    def seen_with(settling: float) -> int:
        """Frames until the card is on the table; the hand at the right never rests."""
        bench = Bench(Settings(restless=0.3, calm=0.06, settling=settling, let_go=99))
        for _ in range(2):
            bench.turn(table())
        for k in range(60):
            bench.turn(table((min(10 + 4 * k, 50), 0), (150 + 5 * (k % 6), 0)))
            if any(seen.tracked for seen in bench.published):
                assert bench.published[-1].moving
                return k
        return 60

    assert seen_with(0.03) < seen_with(1e9), "or for the next picture that is read while the hand moves"


def test_a_card_that_is_put_down_is_shown_while_the_hand_still_moves_over_it() -> None:
    def seen_with(let_go: float) -> int:
        """Frames until the card is on the table; the hand (another card) hangs together with it and never rests."""
        bench = Bench(Settings(let_go=let_go))
        for _ in range(2):
            bench.turn(table())
        for k in range(60):
            put_down = min(10 + 8 * k, 50)
            bench.turn(table((put_down, 0), (put_down + 38 + 3 * (k % 3), 0)))
            labels = [len(seen.tracked) for seen in bench.published]
            if labels and labels[-1]:
                assert bench.published[-1].moving
                return k
        return 60

    assert seen_with(0.3) < seen_with(99)


def test_a_card_whose_place_comes_to_rest_piece_by_piece_is_told_of_whole() -> None:
    card = ((10.0, 10.0), (30.0, 10.0), (30.0, 40.0), (10.0, 40.0))
    unsettled = np.zeros((60, 60), bool)
    unsettled[5:50, 15:50] = True
    rests = np.zeros_like(unsettled)
    rests[:, :22] = True
    now, told = believed(unsettled, rests, [card], 1.0)
    assert not now[12:38, 12:28].any() and not told[12:38, 12:28].any(), "half of it still moves"
    assert now[45, 18], "no card is there"
    rests[:, :33] = True
    now, told = believed(unsettled, rests, [card], 1.0)
    assert told[12:38, 12:28].all(), "what of it lay still before is told of with it"
    assert not now[20, 12], "but was settled before"


def test_what_was_let_go_of_is_worth_reading_once() -> None:
    changed, motion = np.zeros((40, 40), bool), np.zeros((40, 40), bool)
    changed[10:30, 5:35] = True
    motion[10:30, 25:35] = True
    moved_at = np.where(changed, 9.9, -1e9)
    read_at = np.full((40, 40), 5.0)
    (part,) = let_go(changed, motion, moved_at, read_at, 10.0, 0.07, 50)
    assert part.box[2] <= 26
    assert widened(part, 0.5).box[0] == 0, "not beyond the picture"
    assert let_go(changed, motion, moved_at, read_at, 9.95, 0.07, 50) == [], "it has not lain for long enough"
    assert let_go(changed, motion, moved_at, np.full((40, 40), 9.95), 10.0, 0.07, 50) == [], "it was read since"
