"""Chips at a calibrated felt's places: each stack goes to the place on which it stands, cut out whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from datasets.chips.draw import Camera, extent
from datasets.chips.scene import Plan, chips_camera, chips_of
from datasets.chips.styles import random_family
from vision.chips.colourless import NO_COLOUR
from vision.chips.crops import Image
from vision.chips.ground import Ground
from vision.chips.judging import NO_STACK
from vision.chips.spots import (
    FEW,
    NONE_OF_THEM,
    NOTHING,
    PRINT,
    REACH,
    SpotReading,
    chip_zones,
    read_spots,
    spot_box,
    standing_at,
)
from vision.chips.values import Box, ChipReading, ChipStack
from vision.felt import Calibration, Circle, Layout, calibrate_points, load_layout
from vision.felt.calibration import matrix
from vision.sightings import Point

LAYOUT = load_layout("three-seats")
MIDDLE = np.array([0.0, 430.0])
WIDTH, HEIGHT = 1920, 1080


def table(degrees: float, seed: int = 1) -> tuple[Camera, Calibration]:
    """A camera over the felt, a chip about 40 pixels wide, and what it is calibrated to."""
    camera = chips_camera(np.random.default_rng(seed), WIDTH, HEIGHT, (38, 42), float(np.radians(degrees)))
    places = [(x, y) for x in (-500.0, 0.0, 500.0) for y in (150.0, 430.0, 700.0)]
    pixels = camera.project(np.array([(x - MIDDLE[0], y - MIDDLE[1], 0.0) for x, y in places]))
    pairs = [((float(u), float(v)), place) for (u, v), place in zip(pixels, places, strict=True)]
    return camera, calibrate_points(LAYOUT, pairs, WIDTH, HEIGHT)


def felt() -> Image:
    """A picture of nothing but green felt."""
    return np.full((HEIGHT, WIDTH, 3), (0, 60, 0), np.uint8)


def stack_box(camera: Camera, at: Point, count: int, seed: int = 3) -> Box:
    """The box of a stack of ``count`` chips that stands at that place of the felt."""
    rng = np.random.default_rng(seed)
    family = random_family(rng)
    plan = Plan("stack", np.array([at[0] - MIDDLE[0], at[1] - MIDDLE[1], 0.0]), ("red",) * count, family)
    boxes = np.array([extent(camera, chip) for chip in chips_of(plan, rng)])
    (x0, y0), (x1, y1) = boxes[:, :2].min(0), boxes[:, 2:].max(0)
    return float(x0), float(y0), float(x1), float(y1)


class WhiteBoxes:
    """Takes every white patch of a picture for a stack of as many chips as its grey level is below white."""

    def __init__(self) -> None:
        self.sizes: list[tuple[int, int]] = []

    def read(self, image: Image, /, ground: Ground | None = None) -> ChipReading:
        height, width = image.shape[:2]
        self.sizes.append((width, height))
        grey = image[..., 0]
        stacks = []
        _, _, stats, _ = cv2.connectedComponentsWithStats((grey > 100).astype(np.uint8))
        for x, y, w, h, _ in stats[1:]:
            count = 255 - int(grey[y + h // 2, x + w // 2])
            stacks.append(ChipStack((float(x), float(y), float(x + w), float(y + h)), ("red",) * count, 0.9))
        return ChipReading(width, height, tuple(stacks))


def seen(camera: Camera, calibration: Calibration, laid: Sequence[tuple[Point, int]]) -> tuple[SpotReading, ...]:
    image = felt()
    for at, count in laid:
        x0, y0, x1, y1 = (round(v) for v in stack_box(camera, at, count))
        image[max(0, y0) : y1, max(0, x0) : x1] = 255 - count
    return read_spots(image, WhiteBoxes(), LAYOUT, calibration)


@pytest.mark.parametrize("degrees", [15, 25, 40, 60, 80])
def test_where_a_stack_stands_is_found_from_its_box(degrees: float) -> None:
    off = []
    for seed in range(6):
        camera, calibration = table(degrees, seed)
        for at in ((0.0, 640.0), (-380.0, 620.0), (150.0, 250.0)):
            for count in (1, 7, 20):
                found = standing_at(stack_box(camera, at, count, seed), calibration)
                assert found is not None
                off.append(np.hypot(found[0] - at[0], found[1] - at[1]))
    # Chips of other makes are up to a few millimetres larger, cameras are held askew, and stacks are sloppy.
    assert np.median(off) < 6 and max(off) < 20, (np.median(off), max(off))


@pytest.mark.parametrize("degrees", [20, 40, 65])
def test_each_stack_goes_to_the_place_it_stands_on(degrees: float) -> None:
    camera, calibration = table(degrees)
    bet, insurance = LAYOUT.zone("seat-bet", 2), LAYOUT.zone("insurance", 2)
    assert bet is not None and insurance is not None
    x, y = bet.shape.centre
    laid = [((x, y), 5), ((x + 50, y - 110), 3), (insurance.shape.centre, 2), ((x + 160, y - 150), 9)]
    found = {(r.zone.kind, r.zone.seat): r for r in seen(camera, calibration, laid)}
    here = {s.stack.count: s for s in found["seat-bet", 2].stacks}
    assert sorted(here) == [3, 5]
    assert here[5].outside == 0 and 10 < here[3].outside <= REACH and not here[5].shared
    assert [s.stack.count for s in found["insurance", 2].stacks] == [2]
    assert not found["seat-bet", 1].stacks and not found["seat-bet", 3].stacks
    want = stack_box(camera, (x, y), 5)
    assert np.allclose(here[5].stack.box, want, atol=2)


def read_alone(off: float, stack: ChipStack) -> SpotReading:
    """What is made of a place where nothing but that stack is read, so many millimetres off the place's nearer edge."""
    camera, calibration = table(40)
    bet = LAYOUT.zone("seat-bet", 2)
    assert bet is not None
    (x, _), edge = bet.shape.centre, max(py for _, py in bet.shape.outline)
    box = stack_box(camera, (x, edge + off), stack.count)

    class Once:
        def read(self, image: Image, /, ground: Ground | None = None) -> ChipReading:
            height, width = image.shape[:2]
            around = spot_box(bet, calibration)
            assert around is not None
            a, b = max(0, int(around[0])), max(0, int(around[1]))
            inner = (box[0] - a, box[1] - b, box[2] - a, box[3] - b)
            return ChipReading(width, height, (replace(stack, box=inner),))

    (reading,) = read_spots(felt(), Once(), LAYOUT, calibration, [bet])
    return reading


@pytest.mark.parametrize(
    ("off", "found", "chips", "reason", "said"),
    [
        (55, 0.5, 2, "something hides a part of it", None),
        (55, 0.5, 2, "", "it may be print"),
        (55, 0.5, FEW, "", ""),
        (55, 0.6, FEW, "its height does not fit its width", "does not fit"),
        (55, 0.4, FEW, "its height does not fit its width", None),
        (55, 0.7, 2, "something hides a part of it", "hides"),
        (30, 0.5, 2, "something hides a part of it", "hides"),
        (30, 0.5, 2, "", ""),
    ],
)
def test_what_may_be_print_on_the_cards_off_a_place_is_no_stack_or_a_doubtful_one(
    off: float, found: float, chips: int, reason: str, said: str | None
) -> None:
    reading = read_alone(off, ChipStack((0, 0, 1, 1), ("red",) * chips, 0.9, reason, found=found))
    reasons = [it.stack.reason for it in reading.stacks]
    assert (not reasons) if said is None else (said in reasons[0] and bool(said) == bool(reasons[0]))


@pytest.mark.parametrize(
    ("chips", "found", "confidence", "open_", "nothing"),
    [
        (1, 0.4, 0.9, True, True),
        (FEW - 1, 0.4, 0.9, True, True),
        (FEW, 0.4, 0.9, True, False),
        (FEW, 0.4, 0.3, True, True),
        (1, 0.6, 0.3, True, False),
        (1, 0.4, 0.9, False, False),
    ],
)
def test_what_was_hardly_found_and_is_a_few_chips_or_hardly_read_is_perhaps_none(
    chips: int, found: float, confidence: float, open_: bool, nothing: bool
) -> None:
    order = ("red",) * chips
    reason = "its chips could not be counted surely" if open_ else ""
    readings = ((order, confidence),)
    stack = ChipStack((0, 0, 1, 1), order, confidence, reason, open=open_, readings=readings, found=found)
    (placed,) = read_alone(0, stack).stacks
    chances = dict(placed.stack.readings)
    assert (() in chances) == nothing and sum(chances.values()) <= 1
    assert [chance for _, chance in placed.stack.readings] == sorted(chances.values(), reverse=True)
    assert ("no chip" in placed.stack.reason) == nothing and placed.stack.order == order
    if nothing:
        assert chances[()] == (NOTHING if chips == 1 else NONE_OF_THEM)


@pytest.mark.parametrize(("outside", "found", "perhaps_none"), [(30, 0.6, True), (30, 0.7, False), (10, 0.6, False)])
def test_what_was_not_read_surely_beside_a_place_is_most_likely_print_unless_it_is_plain(
    outside: float, found: float, perhaps_none: bool
) -> None:
    order = ("red",) * 8
    said = "its chips could not be counted surely"
    stack = ChipStack((0, 0, 1, 1), order, 0.9, said, open=True, readings=((order, 0.9),), found=found)
    (placed,) = read_alone(outside, stack).stacks
    assert dict(placed.stack.readings).get(()) == (PRINT if perhaps_none else None)


@pytest.mark.parametrize(("chips", "nothing"), [(1, NOTHING), (4, NONE_OF_THEM)])
def test_what_looks_like_a_lid_but_is_read_as_chips_is_perhaps_none(chips: int, nothing: float) -> None:
    order = ("red",) * chips
    stack = ChipStack((0, 0, 1, 1), order, 0.9, NO_STACK, open=True, readings=((order, 0.9),), found=0.7)
    (placed,) = read_alone(0, stack).stacks
    assert placed.stack.reason == NO_STACK and dict(placed.stack.readings)[()] == nothing


def test_a_stack_midway_between_two_places_is_shared() -> None:
    camera, calibration = table(50)
    one = LAYOUT.zone("seat-bet", 2)
    assert one is not None
    x, y = one.shape.centre
    other = replace(one, shape=Circle((x + 220, y), 78.0), seat=3)
    near = Layout("near", "two places near each other", LAYOUT.felt, (one, other))
    for off, expected in ((110, [[True], [True]]), (88, [[False], []]), (132, [[], [False]])):
        image = felt()
        x0, y0, x1, y1 = (round(v) for v in stack_box(camera, (x + off, y), 4))
        image[y0:y1, x0:x1] = 251
        both = read_spots(image, WhiteBoxes(), near, calibration)
        assert [[s.shared for s in r.stacks] for r in both] == expected


def test_the_highest_stack_lies_whole_in_what_is_read_and_little_else_does() -> None:
    for degrees in (12, 30, 60):
        camera, calibration = table(degrees)
        for zone in chip_zones(LAYOUT):
            around = spot_box(zone, calibration)
            assert around is not None
            x0, y0, x1, y1 = stack_box(camera, zone.shape.centre, 20)
            assert around[0] < x0 and around[1] < y0 and around[2] > x1 and around[3] > y1
            assert (around[2] - around[0]) * (around[3] - around[1]) < 0.25 * WIDTH * HEIGHT


def test_a_place_that_the_picture_does_not_show_is_said() -> None:
    _, calibration = table(40)
    shifted = np.array([[1, 0, 700.0], [0, 1, 0], [0, 0, 1]]) @ np.array(calibration.matrix)
    moved = replace(calibration, matrix=matrix(shifted))
    found = read_spots(felt(), WhiteBoxes(), LAYOUT, moved)
    views = {(r.zone.kind, r.zone.seat): r.in_view for r in found}
    assert not views["seat-bet", 1] and views["seat-bet", 3]


def test_only_the_asked_places_are_read_and_in_pixels_of_any_size() -> None:
    _, calibration = table(40)
    zone = LAYOUT.zone("seat-bet", 2)
    assert zone is not None
    reader = WhiteBoxes()
    (found,) = read_spots(np.zeros((HEIGHT // 2, WIDTH // 2, 3), np.uint8), reader, LAYOUT, calibration, [zone])
    assert found.stacks == () and found.box is not None and len(reader.sizes) == 1


class Unmeasured(WhiteBoxes):
    """As that, but surely so of ten chips and more alone; others are likelier right where their thickness was told."""

    def __init__(self, thickness: float | None = 1.1) -> None:
        super().__init__()
        self.thickness = thickness
        self.told: list[float] = []

    def read(self, image: Image, /, ground: Ground | None = None) -> ChipReading:
        read = super().read(image, ground)
        lie = None if ground is None else ground((self.sizes[-1][0] / 2, self.sizes[-1][1] / 2))
        assert lie is not None
        self.told += [] if lie.within is None else [lie.thick]
        return replace(read, stacks=tuple(self._one(stack, lie.within is not None) for stack in read.stacks))

    def _one(self, stack: ChipStack, told: bool) -> ChipStack:
        red, one_more = ("red",) * stack.count, ("red",) * (stack.count + 1)
        if stack.count >= 10:
            sure = ((red, 0.98),)
            return replace(stack, readings=sure, thickness=None if told else self.thickness)
        ways = ((red, 0.97), (one_more, 0.02)) if told else ((one_more, 0.5), (red, 0.4))
        return replace(
            stack, order=ways[0][0], confidence=ways[0][1], readings=ways, reason="" if told else "?", open=not told,
            thickness=None if told else self.thickness,
        )  # fmt: skip


def places_of(laid: Sequence[tuple[int, int]], reader: Unmeasured, asked: int) -> SpotReading:
    """What is read at a seat's place where so many chips lie on some."""
    camera, calibration = table(35)
    image = felt()
    for seat, count in laid:
        x0, y0, x1, y1 = (round(v) for v in stack_box(camera, LAYOUT.zone("seat-bet", seat).shape.centre, count))
        image[y0:y1, x0:x1] = 255 - count
    (read,) = read_spots(image, reader, LAYOUT, calibration, [LAYOUT.zone("seat-bet", asked)])
    return read


def test_a_doubtful_stack_is_read_again_at_the_thickness_that_the_others_tell_and_stays_doubtful() -> None:
    reader = Unmeasured()
    (placed,) = places_of([(1, 12), (2, 5), (3, 11)], reader, 2).stacks
    assert placed.stack.count == 5 and placed.stack.readings[0][1] == 0.97
    assert not placed.stack.sure and placed.stack.open and placed.stack.reason == "?"
    assert len(reader.told) == 1


@pytest.mark.parametrize(
    ("laid", "asked", "thickness"),
    [([(1, 12), (2, 11)], 2, 1.1), ([(2, 5)], 2, 1.1), ([(1, 12), (2, 5)], 2, None)],
    ids=["sure", "no others", "measured"],
)
def test_nothing_is_read_again_where_that_would_not_help(
    laid: Sequence[tuple[int, int]], asked: int, thickness: float | None
) -> None:
    reader = Unmeasured(thickness)
    (placed,) = places_of(laid, reader, asked).stacks
    assert reader.told == [] and placed.stack.readings[0][1] in (0.98, 0.5)


def test_of_a_picture_without_colour_nothing_is_sure_at_any_place() -> None:
    camera, calibration = table(40)
    bet = LAYOUT.zone("seat-bet", 2)
    assert bet is not None
    x0, y0, x1, y1 = (round(v) for v in stack_box(camera, bet.shape.centre, 4))
    for image, said in ((felt(), ""), (np.zeros((HEIGHT, WIDTH, 3), np.uint8), NO_COLOUR)):
        image[y0:y1, x0:x1] = 251
        (read,) = read_spots(image, WhiteBoxes(), LAYOUT, calibration, [bet])
        assert [it.stack.reason for it in read.stacks] == [said]
