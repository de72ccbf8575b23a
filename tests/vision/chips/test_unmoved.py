"""What two pictures say of a stack that nobody touched, and of one that somebody did, whatever was read there."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.chips.covered import Look
from vision.chips.crops import Image
from vision.chips.spots import PlacedStack, SpotReading, chip_zones
from vision.chips.unmoved import NONE, ONCE, SAME, TOUCHED, UNTOUCHED, alike, found_once, overlooked, untouched
from vision.chips.values import Box, ChipStack
from vision.felt import Calibration, load_layout

LAYOUT = load_layout("three-seats")
ZONE = chip_zones(LAYOUT)[0]
WIDTH, HEIGHT = 640, 480
THICK = 5
BOX: Box = (280.0, 180.0, 340.0, 260.0)


def camera(aside: float = 0.0) -> Calibration:
    """One pixel a millimetre, seen from straight above."""
    return Calibration(LAYOUT.name, ((1.0, 0.0, aside), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)), WIDTH, HEIGHT, "points")


def picture(chips: int = 8, seed: int = 0, light: float = 1.0, shadow: bool = False, restacked: bool = False) -> Image:
    """A stack of red chips with white inserts on a green felt, each turned otherwise, as a noisy camera shows it."""
    image = np.full((HEIGHT, WIDTH, 3), (60, 110, 50), np.float32)
    turns = np.random.default_rng(7 + restacked).uniform(0, 360, 30)
    for k in range(chips):
        centre = (310, 250 - k * THICK)
        cv2.ellipse(image, centre, (30, 18), 0, 0, 360, (30, 30, 90), -1)
        centre = (310, 250 - (k + 1) * THICK + 1)
        cv2.ellipse(image, centre, (30, 18), 0, 0, 360, (50, 50, 200), -1)
        for at in range(0, 360, 60):
            cv2.ellipse(image, centre, (30, 18), 0, turns[k] + at, turns[k] + at + 18, (230, 230, 230), -1)
        cv2.ellipse(image, centre, (20, 12), 0, 0, 360, (50, 50, 200), -1)
    if shadow:
        image[:, 325:] *= 0.85
    noisy = image * light + np.random.default_rng(seed).normal(0, 5, image.shape)
    return np.asarray(np.clip(noisy, 0, 255), np.uint8)


def look(image: Image, *boxes: Box, at: Calibration | None = None, stack: ChipStack | None = None) -> Look:
    """The picture with a stack at each of ``boxes``, the first where `picture` shows it."""
    read = stack or ChipStack(BOX, ("red",) * 8, 0.99)
    stacks = tuple(PlacedStack(replace(read, box=box), (310.0 + k, 240.0), 0.0) for k, box in enumerate(boxes))
    return Look(image, at or camera(), SpotReading(ZONE, stacks))


def kept(before: Look, after: Look) -> float | None:
    return untouched(before, after, before.reading.stacks[0], after.reading.stacks[0])


@pytest.mark.parametrize("light", [0.7, 1.0, 1.15])
def test_nobody_touched_what_looks_the_same_but_for_noise_and_light(light: float) -> None:
    assert kept(look(picture(), BOX), look(picture(seed=1, light=light), BOX)) == UNTOUCHED


def test_a_light_shadow_is_no_touch() -> None:
    assert kept(look(picture(), BOX), look(picture(seed=1, shadow=True), BOX)) != TOUCHED


@pytest.mark.parametrize("chips", [6, 7, 9])
def test_a_chip_more_or_less_is_seen_even_where_the_same_is_read(chips: int) -> None:
    assert kept(look(picture(), BOX), look(picture(chips, seed=1), BOX)) == TOUCHED


def test_chips_that_were_stacked_anew_are_not_the_same() -> None:
    assert kept(look(picture(), BOX), look(picture(seed=1, restacked=True), BOX)) == TOUCHED


def test_a_camera_that_was_nudged_by_a_pixel_sees_the_same() -> None:
    nudged = np.roll(picture(seed=1), 1, axis=1)
    assert kept(look(picture(), BOX), look(nudged, BOX, at=camera(1.0))) == UNTOUCHED


def test_of_another_view_nothing_is_said() -> None:
    assert kept(look(picture(), BOX), look(picture(), BOX, at=camera(4.0))) is None


def test_of_pictures_of_other_sizes_or_without_anything_to_see_nothing_is_said() -> None:
    other = cv2.resize(picture(), (WIDTH // 2, HEIGHT // 2))
    assert kept(look(picture(), BOX), look(np.asarray(other), BOX)) is None
    dark = np.full((HEIGHT, WIDTH, 3), 12, np.uint8)
    assert kept(look(dark, BOX), look(dark, BOX)) is None
    beyond = (-90.0, -90.0, -40.0, -40.0)
    assert kept(look(picture(), beyond), look(picture(), beyond)) is None


def test_noise_alone_is_no_touch_where_hardly_anything_stands_out() -> None:
    """Plain black chips on a dark felt, in a noisy picture."""

    def dark(seed: int) -> Image:
        image = np.full((HEIGHT, WIDTH, 3), (36, 40, 34), np.float32)
        image[185:260, 285:338] = (24, 24, 26)
        noisy = image + np.random.default_rng(seed).normal(0, 5, image.shape)
        return np.asarray(np.clip(noisy, 0, 255), np.uint8)

    one, other = look(dark(0), BOX), look(dark(1), BOX)
    assert kept(one, other) is None


def test_what_other_chips_hide_is_not_compared() -> None:
    """Chips laid down beside it cover a part of the stack; where they cover most, nothing is said."""
    covered = picture(seed=1)
    covered[170:270, 322:360] = (40, 40, 40)
    beside = (322.0, 170.0, 360.0, 270.0)
    before, after = look(picture(), BOX), look(covered, BOX, beside)
    assert kept(before, after) == UNTOUCHED
    assert kept(before, look(covered, BOX)) == TOUCHED, "what nobody read there may be anything"
    assert kept(before, look(covered, BOX, (285.0, 170.0, 360.0, 270.0))) is None


def test_the_likeness_is_a_correlation() -> None:
    one = look(picture(), BOX)
    same = alike(one, one, one.reading.stacks[0], one.reading.stacks[0])
    assert same is not None and same == pytest.approx(1.0)
    assert SAME < 1


HARDLY = ChipStack(BOX, ("red",), 0.7, "smaller than a chip: perhaps a coin", found=0.35)


def test_what_is_found_in_one_of_two_pictures_that_show_the_same_is_most_likely_none() -> None:
    one, other = look(picture(), BOX, stack=HARDLY), look(picture(seed=1))
    (found,) = found_once(one, other).stacks
    assert found.stack.open and found.stack.reason == ONCE
    assert found.stack.readings == (((), NONE), (("red",), pytest.approx(1 - NONE)))
    assert found_once(other, one).stacks == ()


@pytest.mark.parametrize(
    ("stack", "after"),
    [
        (HARDLY, look(picture(6, seed=1))),  # something changed there
        (HARDLY, look(picture(seed=1), BOX, stack=HARDLY)),  # found in both
        (replace(HARDLY, found=0.8), look(picture(seed=1))),  # plainly found
        (replace(HARDLY, reason=""), look(picture(seed=1))),  # surely read
        (replace(HARDLY, order=("red",) * 6), look(picture(seed=1))),  # many chips
        (replace(HARDLY, order=()), look(picture(seed=1))),  # no chip at all
    ],
)
def test_else_what_is_found_stays_what_it_was_read_as(stack: ChipStack, after: Look) -> None:
    one = look(picture(), BOX, stack=stack)
    assert found_once(one, after) == one.reading


TALL = ChipStack(BOX, ("red",) * 8, 0.99)


def test_a_stack_that_was_overlooked_stands_there_where_both_pictures_show_the_same() -> None:
    one, other = look(picture(), BOX, stack=TALL), look(picture(seed=1))
    assert overlooked(other, one).stacks == one.reading.stacks
    assert overlooked(one, other) == one.reading


@pytest.mark.parametrize(
    ("stack", "then"),
    [
        (TALL, look(picture(6, seed=1))),  # chips were taken
        (TALL, look(np.full((HEIGHT, WIDTH, 3), (60, 110, 50), np.uint8))),  # all were
        (TALL, look(picture(seed=1), BOX, stack=replace(TALL, order=("red",) * 7))),  # it was found in both
        (HARDLY, look(picture(seed=1))),  # it is hardly a chip
        (replace(TALL, order=(), reason="cut off by the picture's frame"), look(picture(seed=1))),  # nothing was read
    ],
)
def test_else_nothing_is_added(stack: ChipStack, then: Look) -> None:
    assert overlooked(then, look(picture(), BOX, stack=stack)) == then.reading
