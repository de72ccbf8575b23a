"""The loop knows the cards over time, reads only what changed, heals, and believes nothing of a faulty camera."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import pytest

from vision.identity import Tracked
from vision.motion import Box
from vision.sightings import FACES, CardSighting, Reading
from vision.sources import Frame
from vision.trouble import SENTENCES
from vision.watch import Observation, Settings, Watch

pytestmark = pytest.mark.slow

HIGH, WIDE = 360, 640
RNG = np.random.default_rng(8)
CLOTH = np.clip(np.array([58, 92, 28]) + RNG.normal(0, 12, (HIGH // 4, WIDE // 4, 1)), 0, 255).repeat(4, 0).repeat(4, 1)
CLOTH = CLOTH.astype(np.int16)
NOISE = [np.rint(RNG.normal(0, 2, CLOTH.shape)).astype(np.int16) for _ in range(7)]
BEGINNING = RNG.bit_generator.state
Card = tuple[int, int, int]
"""Left and top in pixels, and the number of the label, which is painted as the card's shade of blue."""


@pytest.fixture(autouse=True)
def own_noise() -> None:
    """The same noise for a test whichever ran before it."""
    RNG.bit_generator.state = BEGINNING


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
    may_be_mirrored: bool = False


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

    def turned_back(self, image: np.ndarray, seen: FakeLook, /) -> FakeLook | None:
        return None

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

    def turn(self, image: np.ndarray, times: int = 1, still: bool = False) -> Observation | None:
        seen = None
        for _ in range(times):
            self.sequence += 1
            self.at += 1 / 30
            seen = self.watch.turn(Frame(self.sequence, self.at, image.copy(), still))
        return seen

    def turn_all(self, make: Callable[[], np.ndarray], times: int) -> None:
        for _ in range(times):
            self.turn(make())

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


def test_an_unsure_card_is_read_again_soon_while_a_hand_moves_elsewhere() -> None:
    bench = Bench()
    bench.rest()
    bench.reader.unsure = True
    bench.rest(A, frames=4)
    bench.reader.unsure = False
    for k in range(15):
        bench.turn(table(A, hand=(40 + 6 * k, 250, 120 + 6 * k, 350)))
    assert [t.sure for t in bench.published[-1].tracked] == [True]


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


def room() -> np.ndarray:
    """A table in a room: things all round it, wider and higher than the camera's picture."""
    rng = np.random.default_rng(11)
    blocks = rng.integers(20, 200, (17, 27, 3)).astype(np.uint8)
    image = cv2.resize(blocks, (WIDE + 240, HIGH + 160), interpolation=cv2.INTER_NEAREST).astype(np.int16)
    image[80 + 60 : 80 + 300, 120 + 80 : 120 + 560] = CLOTH[60:300, 80:560]
    return image


ROOM = room()


def seen_from(*cards: Card, right: int = 0, down: int = 0, hand: Box | None = None) -> np.ndarray:
    """The room with the cards on its table, by a camera that was turned so many pixels."""
    image = ROOM.copy()
    for x, y, face in cards:
        image[y + 80 : y + 140, x + 120 : x + 162] = (200 + face, 240, 240)
        image[y + 90 : y + 110, x + 130 : x + 140] = (200 + face, 40, 40)
    view = image[80 + down : 80 + down + HIGH, 120 + right : 120 + right + WIDE].copy()
    if hand is not None:
        view[hand[1] : hand[3], hand[0] : hand[2]] = (110, 140, 200)
    return noisy(view)


TWINS = ((160, 120, 7), (220, 120, 7), (280, 120, 7), (400, 200, 30))
"""Three equal cards in a row, 60 pixels from one to the next, and another."""


@pytest.mark.parametrize("push", [(-60, 0), (60, 25), (3, -4), (110, 60)], ids=str)
def test_a_pushed_camera_carries_the_cards_along(push: tuple[int, int]) -> None:
    bench = Bench()
    bench.turn_all(seen_from, 40)
    bench.turn_all(lambda: seen_from(*TWINS), 40)
    before = bench.published[-1].tracked
    assert len(before) == 4
    for k in range(1, 5):
        bench.turn(seen_from(*TWINS, right=push[0] * k // 5, down=push[1] * k // 5))
    rested = bench.at
    bench.turn_all(lambda: seen_from(*TWINS, right=push[0], down=push[1]), 30)
    tracked = bench.published[-1].tracked
    assert names(tracked) == names(before)
    for was, now in zip(before, tracked, strict=True):
        moved = np.array(now.sighting.centre) - was.sighting.centre
        assert np.allclose(moved, (-push[0], -push[1]), atol=2), "each card where it was, and no other's number"
    assert bench.published[-1].trouble is None and bench.published[-1].settled
    pushes = [seen for seen in bench.published if seen.pushed is not None]
    if max(map(abs, push)) > 20:
        assert [seen.trouble.kind for seen in bench.published if seen.trouble] == ["moved"]
        assert len(pushes) == 1 and pushes[0].view.at - rested <= 0.15, "soon after it came to rest"
        places = np.array([[was.sighting.centre for was in before]])
        assert np.allclose(cv2.perspectiveTransform(places, pushes[0].pushed) - places, (-push[0], -push[1]), atol=3)
    bench.turn_all(lambda: seen_from(*TWINS[1:], right=push[0], down=push[1]), 12)
    assert names(bench.published[-1].tracked) == names(before)[1:], "what lay under the cards is still known"
    bench.turn_all(lambda: seen_from(*TWINS[1:], (200, 220, 12), right=push[0], down=push[1]), 30)
    assert names(bench.published[-1].tracked) == [*names(before)[1:], (5, FACES[12])]


def test_hands_over_the_table_and_other_light_are_no_pushed_camera() -> None:
    bench = Bench()
    bench.turn_all(lambda: seen_from(*TWINS), 40)
    for k in range(20):
        bench.turn(seen_from(*TWINS, hand=(520 - 20 * k, 40, 620 - 10 * k, 360)))
    bench.turn_all(lambda: seen_from(*TWINS, hand=(140, 40, 430, 360)), 40)
    bench.turn_all(lambda: np.clip(seen_from(*TWINS) * 0.7, 0, 255).astype(np.uint8), 5)
    assert not [seen for seen in bench.published if seen.trouble or seen.pushed is not None]
    bench.turn_all(lambda: seen_from(*TWINS), 40)
    assert names(bench.published[-1].tracked) == [(1, FACES[7]), (2, FACES[7]), (3, FACES[7]), (4, FACES[30])]


def test_a_camera_that_was_turned_while_its_lens_was_covered_carries_the_cards_along() -> None:
    bench = Bench()
    bench.turn_all(lambda: seen_from(*TWINS), 40)
    before = names(bench.published[-1].tracked)
    bench.turn_all(lambda: noisy(np.full((HIGH, WIDE, 3), 6, np.int16)), 40)
    assert bench.published[-1].trouble is not None
    bench.turn_all(lambda: seen_from(*TWINS, right=60), 30)
    assert names(bench.published[-1].tracked) == before and bench.published[-1].trouble is None
    assert np.allclose(bench.published[-1].tracked[0].sighting.centre, (160 + 21 - 60, 120 + 30), atol=2)


@pytest.mark.parametrize("still", [True, False], ids=["photograph", "paused film"])
def test_a_picture_that_stays_gets_the_second_look_that_a_doubtful_card_needs(still: bool) -> None:
    bench = Bench()
    bench.reader.unsure = True
    bench.turn(table(A, C), still=still)
    if not still:
        bench.turn(table(A, C))
    assert bench.published[-1].tracked == ()
    for _ in range(8):
        bench.watch.pause()
    assert names(bench.published[-1].tracked) == [(1, FACES[3]), (2, FACES[20])]
    assert len(bench.reader.given) == 2, "a third look at the same picture tells nothing new"
    bench.turn(table(A, B, C), still=still)
    for _ in range(8):
        bench.watch.pause()
    assert len(names(bench.published[-1].tracked)) == (3 if still else 2), "one that still moved is not believed"


def test_a_photograph_that_another_follows_settles_in_time() -> None:
    bench = Bench()
    bench.turn(table(A, C), still=True)
    bench.watch.pause()
    bench.reader.unsure = True
    bench.turn(table(B), still=True)
    for _ in range(20):
        bench.watch.pause()
    assert [label for _, label in names(bench.published[-1].tracked)] == [FACES[9]]


def test_a_failed_reading_forgets_no_card() -> None:
    bench = Bench()
    bench.rest(A, C)
    bench.watch._forget()
    assert names(bench.rest(A, C)) == [(1, FACES[3]), (2, FACES[20])]


def test_what_turns_out_to_be_printed_on_the_felt_goes_and_the_cards_keep_their_numbers() -> None:
    bench = Bench()
    assert names(bench.rest(C, A)) == [(1, FACES[3]), (2, FACES[20])]
    bench.watch.without_printed = lambda reading: Reading(
        reading.width, reading.height, tuple(s for s in reading.sightings if s.label != FACES[3])
    )
    assert names(bench.rest(C, A)) == [(1, FACES[3]), (2, FACES[20])], "nobody has said that anything changed"
    bench.watch.look_anew()
    assert names(bench.rest(C, A, frames=2)) == [(2, FACES[20])]
    assert names(bench.rest(C, A, B)) == [(2, FACES[20]), (3, FACES[9])]


def test_a_picture_that_stays_is_looked_at_anew_without_another_one() -> None:
    bench = Bench()
    bench.turn(table(A, C), still=True)
    bench.watch.without_printed = lambda reading: Reading(reading.width, reading.height)
    assert bench.watch.pause() is None
    bench.watch.look_anew()
    seen = bench.watch.pause()
    assert seen is not None and seen.tracked == ()
