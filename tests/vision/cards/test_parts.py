"""Reading a part gives what reading all of the picture gives there."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from datasets.backgrounds import felt
from datasets.demo_clip import WIDTH, last_picture
from datasets.drawn import Style, drawn_deck
from datasets.layouts import Place
from datasets.scene import BACK, camera_view, compose
from vision.cards.detector import CARD, INDEX, Found
from vision.cards.parts import around, grown_to, joined, work_share
from vision.cards.patches import Image
from vision.cards.reader import LIVE, CardReader, Look, Settings
from vision.sightings import CardSighting, Reading

pytestmark = pytest.mark.slow

HAND, OTHER = [("8S", 0), ("3H", 1), ("KC", 2)], [("AD", 0), ("6C", 1)]


@pytest.fixture(scope="module")
def reader() -> CardReader:
    """As a watched camera is read: nothing else reads parts."""
    return CardReader.load(settings=LIVE)


def table(cards: list[tuple[Place, str]], seed: int = 5) -> Image:
    """Cards on felt, 1280 x 720, with the sensor's noise of one moment."""
    deck = drawn_deck(Style(rank_height=0.1, suit_height=0.08))
    view = camera_view(1280, 720, 150, np.radians(70), -np.pi / 2, 0.0, np.radians(50))
    placed = [(place, deck, label) for place, label in cards]
    image, _ = compose(felt(np.random.default_rng(2), 720, 1280), view, placed, np.random.default_rng(3), clutter=False)
    noise = np.random.default_rng(seed).normal(0, 2.0, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8)


def hand(cards: list[tuple[str, int]], x: float) -> list[tuple[Place, str]]:
    return [(Place(x + 19 * k, 40 - 15 * k, 0.03 * k), label) for label, k in cards]


def alike(one: CardSighting, other: CardSighting, within: float) -> bool:
    apart = np.hypot(one.centre[0] - other.centre[0], one.centre[1] - other.centre[1])
    return (one.kind, one.label) == (other.kind, other.label) and bool(apart <= within)


def agree(one: Reading, other: Reading, within: float = 6.0) -> bool:
    return len(one.sightings) == len(other.sightings) and all(
        any(alike(a, b, within) for b in other.sightings) for a in one.sightings
    )


def test_a_card_dealt_to_a_hand_is_read_with_its_hand_and_the_rest_is_kept(reader: CardReader) -> None:
    # The hand comes last: each card's shade is drawn from the one before.
    apart = [(Place(0, -150, 0.0, True), BACK), *hand(OTHER, 120)]
    before, after = table([*apart, *hand(HAND[:2], -190)], 1), table([*apart, *hand(HAND, -190)], 2)
    first = reader.look(before)
    moved = np.abs(after.astype(int) - before).max(2) > 25
    ys, xs = np.nonzero(moved)
    box = (int(xs.min()), int(ys.min()), int(xs.max()) + 1, int(ys.max()) + 1)
    part = reader.look(after, first, [box])
    whole = reader.look(after)
    assert Counter(s.label for s in part.reading.sightings) == Counter(["8S", "3H", "KC", "AD", "6C", None])
    # The outline of a card that is mostly covered is loose: a tenth of a card's height.
    assert agree(part.reading, whole.reading, within=15.0)
    (read_now,) = part.boxes
    assert (read_now[2] - read_now[0]) * (read_now[3] - read_now[1]) < 0.2 * 1280 * 720
    far = [s for s in first.reading.sightings if s.label in ("AD", "6C")]
    assert all(s in part.reading.sightings for s in far), "what lies apart is the same to the last digit"
    assert sum(work_share(part.boxes, side, 1280, 720) for side in part.scales) < 0.6 * len(part.scales)


def test_a_card_that_was_taken_away_is_not_kept(reader: CardReader) -> None:
    first = reader.look(table([*hand(OTHER, 120), *hand(HAND, -190)], 1))
    gone = next(s for s in first.reading.sightings if s.label == "KC")
    xs, ys = [int(p[0]) for p in gone.corners], [int(p[1]) for p in gone.corners]
    after = table([*hand(OTHER, 120), *hand(HAND[:2], -190)], 2)
    part = reader.look(after, first, [(min(xs), min(ys), max(xs), max(ys))])
    assert Counter(s.label for s in part.reading.cards) == Counter(["8S", "3H", "AD", "6C"])


def test_parts_of_the_demo_round_read_as_all_of_it(reader: CardReader) -> None:
    image = last_picture()
    whole = reader.look(image)
    nothing = Look(Reading(image.shape[1], image.shape[0]), (), whole.scales, (), ())
    for left in (0, 640):
        box = (left, 0, left + 640, image.shape[0])
        part = reader.look(image, nothing, [box])
        middle = [
            s
            for s in whole.reading.sightings
            if all((left == 0 or x > left + 40) and (left + 640 == WIDTH or x < left + 600) for x, _ in s.corners)
        ]
        missing = [s for s in middle if not any(alike(s, p, 6.0) for p in part.reading.sightings)]
        # A card in the middle may lie under one that is cut by the edge; those are few.
        assert not missing


def test_without_a_look_before_or_at_another_size_all_is_read_and_without_boxes_nothing(reader: CardReader) -> None:
    image = np.ascontiguousarray(table(hand(OTHER, 0))[180:540, 320:960])
    whole = reader.look(image, None, [(0, 0, 10, 10)])
    assert whole.boxes == ((0, 0, 640, 360),)
    small = np.ascontiguousarray(image[:180, :320])
    assert reader.look(small, whole, [(0, 0, 10, 10)]).boxes == ((0, 0, 320, 180),)
    again = reader.look(image, whole, [])
    assert again.reading.sightings == whole.reading.sightings and again.boxes == ()


def test_boxes_grow_to_hold_what_reaches_into_them_and_are_joined() -> None:
    quad = np.array([[80, 80], [160, 80], [160, 200], [80, 200]], np.float32)
    found = [Found(CARD, quad, 0.9), Found(CARD, quad + 400, 0.9)]
    assert grown_to([(100, 100, 110, 110)], found, 1000, 1000) == [(80, 80, 160, 200)]
    assert grown_to([(100, 100, 110, 110), (150, 190, 300, 300)], found, 1000, 1000) == [(80, 80, 300, 300)]
    assert grown_to([(-50, -50, -10, -10)], found, 1000, 1000) == []
    assert joined([(0, 0, 10, 10), (20, 0, 30, 10), (5, 5, 25, 8)]) == [(0, 0, 30, 10)]


def test_a_closer_look_at_what_was_seen_finds_what_one_at_everything_finds(reader: CardReader) -> None:
    image = table([*hand(HAND, -110), *hand(OTHER, 60)])
    parted = CardReader.load(settings=Settings(seen_index=0.0, worth_parting=1.0, small_index=60.0))
    everything = CardReader.load(settings=Settings(seen_index=1e9, small_index=60.0))
    one, other = parted.look(image), everything.look(image)
    assert one.scales == other.scales and len(one.scales) > 1
    assert agree(one.reading, other.reading)


def test_room_is_left_around_finds_and_more_around_indices() -> None:
    quad = np.array([[80, 80], [160, 80], [160, 200], [80, 200]], np.float32)
    assert around([Found(CARD, quad, 0.9)], 0.5, 1000, 1000) == [(40, 20, 200, 260)]
    assert around([Found(INDEX, quad, 0.9)], 0.5, 1000, 1000) == [(0, 0, 320, 440)]
    assert around([], 0.5, 1000, 1000) == []


def test_parts_that_fill_the_picture_are_as_much_work_as_it() -> None:
    assert work_share([(0, 0, 1920, 1080)], 896, 1920, 1080) == pytest.approx(1.0)
    assert work_share([(900, 500, 960, 560)], 896, 1920, 1080) < 0.15
    assert work_share([], 896, 1920, 1080) == 0
