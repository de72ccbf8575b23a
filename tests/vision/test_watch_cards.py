"""The loop knows the cards over time, reads only what changed, heals, and believes nothing of a faulty camera."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from vision.identity import Tracked
from vision.motion import Box
from vision.sightings import FACES, CardSighting, Reading
from vision.sources import Frame
from vision.trouble import SENTENCES, Trouble
from vision.watch import Observation, Settings, Watch

HIGH, WIDE = 360, 640
RNG = np.random.default_rng(8)
CLOTH = np.clip(np.array([58, 92, 28]) + RNG.normal(0, 12, (HIGH // 4, WIDE // 4, 1)), 0, 255).repeat(4, 0).repeat(4, 1)
CLOTH = CLOTH.astype(np.int16)
NOISE = [np.rint(RNG.normal(0, 2, CLOTH.shape)).astype(np.int16) for _ in range(7)]
Card = tuple[int, int, int]
"""Left and top in pixels, and the number of the label, which is painted as the card's shade of blue."""


def table(*cards: Card, hand: Box | None = None) -> np.ndarray:
    image = CLOTH.copy()
    for x, y, face in cards:
        image[y : y + 60, x : x + 42] = (200 + face, 240, 240)
        image[y + 10 : y + 30, x + 10 : x + 20] = (200 + face, 40, 40)
    if hand is not None:
        image[hand[1] : hand[3], hand[0] : hand[2]] = (110, 140, 200)
    return noisy(image)


def noisy(image: np.ndarray) -> np.ndarray:
    return np.clip(image + NOISE[int(RNG.integers(len(NOISE)))], 0, 255).astype(np.uint8)


@dataclass(frozen=True)
class FakeLook:
    reading: Reading
    boxes: tuple[Box, ...]


class PartReader:
    """Finds the painted cards of a picture or of boxes of it; counts what it is given, and is unsure on order."""

    def __init__(self) -> None:
        self.given: list[Sequence[Box] | None] = []
        self.unsure = False
        self.blind = False

    def read(self, image: np.ndarray, /) -> Reading:
        return self.look(image).reading

    def look(self, image: np.ndarray, before: Any = None, boxes: Sequence[Box] | None = None, /) -> FakeLook:
        self.given.append(boxes)
        high, wide = image.shape[:2]
        now = tuple(boxes) if boxes is not None else ((0, 0, wide, high),)
        kept = [] if boxes is None else [s for s in before.reading.sightings if not self.inside(s, now)]
        found = [s for s in self.cards(image) if self.inside(s, now)]
        return FakeLook(Reading(wide, high, (*kept, *found)), now)

    def inside(self, s: CardSighting, boxes: Sequence[Box]) -> bool:
        x, y = s.centre
        return any(a <= x < c and b <= y < d for a, b, c, d in boxes)

    def cards(self, image: np.ndarray) -> list[CardSighting]:
        pale = ((image[..., 1] > 215) & (image[..., 2] > 215)).astype(np.uint8)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(pale)
        out = []
        for k in range(1, count):
            x, y, w, h = (int(v) for v in stats[k, :4])
            if (w, h) != (42, 60) or self.blind:
                continue
            shade = image[y : y + 60, x : x + 42, 0][labels[y : y + 60, x : x + 42] == k].mean()
            face = FACES[round(float(shade)) - 200]
            quad = ((x, y), (x + 42, y), (x + 42, y + 60), (x, y + 60))
            kind = "unsure" if self.unsure else "card"
            out.append(CardSighting(kind, quad, face, 0.5 if self.unsure else 0.95))
        return out


class Bench:
    """A watch turned by hand, thirty frames a second."""

    def __init__(self, settings: Settings | None = None, **others: Any) -> None:
        self.reader, self.published = PartReader(), list[Observation]()
        self.watch = Watch(None, self.reader, self.published.append, settings=settings, **others)  # type: ignore[arg-type]
        self.sequence, self.at = 0, 100.0

    def turn(self, image: np.ndarray, times: int = 1) -> Observation | None:
        seen = None
        for _ in range(times):
            self.sequence += 1
            self.at += 1 / 30
            seen = self.watch.turn(Frame(self.sequence, self.at, image.copy()))
        return seen

    def rest(self, *cards: Card, hand: Box | None = None, frames: int = 30) -> tuple[Tracked, ...]:
        for _ in range(frames):
            self.turn(table(*cards, hand=hand))
        return self.published[-1].tracked

    def move(self, *cards: Card, hand: Box, frames: int = 8) -> None:
        """A hand that comes in from the right."""
        for k in range(frames):
            shift = 12 * (frames - k)
            self.turn(table(*cards, hand=(hand[0] + shift, hand[1], hand[2] + shift, hand[3])))


def names(seen: Sequence[Tracked]) -> list[tuple[int, str | None]]:
    return [(t.card, t.label) for t in seen]


A, B, C = (100, 100, 3), (130, 180, 9), (400, 120, 20)


def test_a_card_is_published_with_the_first_frame_that_shows_it_at_rest() -> None:
    bench = Bench(first_card=7)
    bench.rest()
    bench.turn(table(A))
    seen = bench.turn(table(A))
    assert seen is not None and names(seen.tracked) == [(7, FACES[3])] and seen.settled


def test_only_what_changed_is_read() -> None:
    bench = Bench()
    bench.rest(A, C)
    bench.reader.given.clear()
    bench.rest(A, C, B)
    (boxes,) = bench.reader.given
    assert boxes is not None
    (box,) = boxes
    assert box[0] <= 130 and box[2] >= 172 and (box[2] - box[0]) * (box[3] - box[1]) < 80 * 100
    assert [label for _, label in names(bench.published[-1].tracked)] == [FACES[3], FACES[20], FACES[9]]


def test_a_card_is_read_while_a_hand_moves_elsewhere() -> None:
    bench = Bench()
    bench.rest(A)
    for k in range(12):
        bench.turn(table(A, C, hand=(40 + 6 * k, 250, 120 + 6 * k, 350)))
    tracked = bench.published[-1].tracked
    assert [(t.label, t.covered) for t in tracked] == [(FACES[3], False), (FACES[20], False)]


def test_a_hand_that_rests_on_a_card_covers_it_and_lets_it_out_again() -> None:
    bench = Bench()
    bench.rest(A, C)
    hand = (80, 80, 200, 200)
    bench.move(A, C, hand=hand)
    covered = bench.rest(A, C, hand=hand, frames=150)
    assert [(t.label, t.covered) for t in covered] == [(FACES[3], True), (FACES[20], False)]
    free = bench.rest(A, C)
    assert [(t.card, t.label, t.covered) for t in free] == [(1, FACES[3], False), (2, FACES[20], False)]


def test_a_hand_that_never_rests_hides_nothing_beside_it_and_erases_nothing() -> None:
    bench = Bench()
    bench.rest(A, C)
    for k in range(90):
        bench.turn(table(A, C, B, hand=(380 + 5 * (k % 3), 100, 480 + 5 * (k % 3), 220)))
    assert [(t.label, t.covered) for t in bench.published[-1].tracked] == [
        (FACES[3], False),
        (FACES[20], True),
        (FACES[9], False),
    ]


def test_a_card_taken_away_is_gone() -> None:
    bench = Bench()
    bench.rest()
    bench.rest(A, C)
    bench.move(C, hand=(80, 80, 200, 200))
    assert names(bench.rest(C)) == [(2, FACES[20])]


def test_an_unsure_card_is_read_again_soon_without_a_change() -> None:
    bench = Bench()
    bench.rest()
    bench.reader.unsure = True
    bench.rest(A, frames=4)
    assert not bench.published[-1].tracked
    bench.rest(A, frames=10)
    assert [t.sure for t in bench.published[-1].tracked] == [False]
    bench.reader.unsure = False
    bench.rest(A, frames=10)
    assert [t.sure for t in bench.published[-1].tracked] == [True]
    bench.rest(A)
    bench.reader.given.clear()
    bench.rest(A, frames=60)
    assert not bench.reader.given, "what is sure is left alone"


def test_all_is_read_again_at_rest_ever_more_seldom_and_heals_an_error() -> None:
    bench = Bench(Settings(heal=1.0, heal_longest=4.0))
    bench.reader.blind = True
    bench.rest(A)
    bench.reader.blind = False
    assert names(bench.rest(A, frames=45)) == [(1, FACES[3])]
    bench.reader.given.clear()
    bench.rest(A, frames=300)
    assert 2 <= len(bench.reader.given) <= 5 and set(bench.reader.given) == {None}


def test_more_light_is_no_reason_to_read_part_after_part() -> None:
    bench = Bench()
    bench.rest(A, C)
    bench.reader.given.clear()
    for k in range(60):
        bench.turn(np.clip(table(A, C, B).astype(int) + 10 + k // 20, 0, 255).astype(np.uint8))
    assert len(bench.reader.given) == 1


def test_while_the_lens_is_covered_nothing_goes_and_nothing_comes() -> None:
    bench = Bench()
    bench.rest(A, C, frames=60)
    dark = np.full((HIGH, WIDE, 3), 6, np.int16)
    reads = bench.watch.read_count
    for _ in range(60):
        bench.turn(noisy(dark))
    seen = bench.published[-1]
    assert seen.trouble is not None and seen.trouble.text == SENTENCES["dark"] and not seen.settled
    assert names(seen.tracked) == [(1, FACES[3]), (2, FACES[20])]
    assert bench.watch.read_count == reads
    assert names(bench.rest(A, C)) == [(1, FACES[3]), (2, FACES[20])]
    assert bench.published[-1].trouble is None and bench.published[-1].settled


def test_a_frozen_camera_is_said_once_and_heals() -> None:
    bench = Bench()
    bench.rest(A)
    bench.turn(table(A), times=330)
    assert [s.trouble.kind for s in bench.published if s.trouble] == ["frozen"]
    assert names(bench.rest(A)) == [(1, FACES[3])]
    assert bench.published[-1].trouble is None


def test_a_moved_camera_is_asked_for_and_carries_the_cards_along() -> None:
    moved: list[Trouble | None] = [None]
    bench = Bench(steady=lambda frame: moved[0])
    bench.rest(A, C)
    moved[0] = Trouble("moved", SENTENCES["moved"], bench.at)
    away = [(x + 60, y + 40, f) for x, y, f in (A, C)]
    assert names(bench.rest(*away)) == [(1, FACES[3]), (2, FACES[20])]
    assert bench.published[-1].trouble == moved[0]
    bench.watch.carry([[1, 0, 60], [0, 1, 40], [0, 0, 1]])
    moved[0] = None
    assert names(bench.rest(*away)) == [(1, FACES[3]), (2, FACES[20])]
    assert bench.published[-1].trouble is None


def test_a_failed_reading_forgets_no_card() -> None:
    bench = Bench()
    bench.rest(A, C)
    bench.watch._forget()
    assert names(bench.rest(A, C)) == [(1, FACES[3]), (2, FACES[20])]
