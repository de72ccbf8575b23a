"""What two pictures of a spot show together: each bears the other out, and what lies over it is a doubt."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from advisor.money import SpotSeen
from advisor.table import spots_seen
from advisor.table.spots_seen import COVERED, both_read
from vision.chips.covered import UNREAD, Look
from vision.chips.crops import Image
from vision.chips.spots import PlacedStack, SpotReading, chip_zones
from vision.chips.unmoved import TOUCHED, UNTOUCHED
from vision.chips.values import ChipStack
from vision.felt import Calibration, load_layout

LAYOUT = load_layout("three-seats")
ZONE = chip_zones(LAYOUT)[0]
ABOVE = Calibration(LAYOUT.name, ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)), 640, 480, "points")
SURE = ChipStack((10, 10, 40, 50), ("red",) * 5, 0.99)
OPEN = replace(SURE, confidence=0.7, reason="its chips could not be counted surely", open=True)


def look(*stacks: ChipStack, in_view: bool = True) -> Look:
    placed = tuple(PlacedStack(it, (400.0, 600.0), 0.0) for it in stacks)
    return Look(np.zeros((480, 640, 3), np.uint8), ABOVE, SpotReading(ZONE, placed, in_view))


def patches() -> Image:
    """A picture in which every place looks otherwise."""
    few = np.random.default_rng(0).integers(0, 255, (80, 107, 3))
    return np.asarray(few.repeat(6, axis=0).repeat(6, axis=1)[:480, :640], np.uint8)


def seen_in(image: Image, *stacks: ChipStack) -> Look:
    """The picture with stacks that stand where `look` has them."""
    placed = tuple(PlacedStack(it, (25.0, 50.0), 0.0) for it in stacks)
    return Look(image, ABOVE, SpotReading(ZONE, placed))


def seen_both(before: Look, after: Look) -> tuple[SpotSeen, SpotSeen]:
    return spots_seen.both_seen("seat 1", both_read(before, after))


def changed(monkeypatch: pytest.MonkeyPatch, area: float) -> None:
    """So many square millimetres differ between the two pictures."""
    monkeypatch.setattr(spots_seen, "unread", lambda one, other: area)


def test_both_pictures_bear_each_other_out(monkeypatch: pytest.MonkeyPatch) -> None:
    changed(monkeypatch, 0.0)
    lay, lies = seen_both(look(OPEN), look(SURE))
    assert lay.doubts() == lies.doubts() == ()


def test_what_lies_over_the_spot_makes_what_lies_there_doubtful(monkeypatch: pytest.MonkeyPatch) -> None:
    changed(monkeypatch, UNREAD + 1)
    lay, lies = seen_both(look(SURE), look())
    assert lay.doubts() == () and lies.doubts() == (COVERED,)
    changed(monkeypatch, UNREAD)
    assert seen_both(look(SURE), look())[1].stacks == ()


def test_of_a_spot_that_is_not_in_view_only_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    changed(monkeypatch, UNREAD + 1)
    _, lies = seen_both(look(SURE), look(in_view=False))
    assert lies.doubts() == ("the camera does not see all of the spot",)


def test_both_pictures_say_whether_somebody_touched_a_stack(monkeypatch: pytest.MonkeyPatch) -> None:
    changed(monkeypatch, 0.0)
    image = patches()
    other = np.roll(image, 5, axis=0)
    for after, kept in ((image, UNTOUCHED), (other, TOUCHED)):
        lay, lies = seen_both(seen_in(image, SURE), seen_in(after, SURE))
        assert [it.kept for it in lay.stacks] == [None] and [it.kept for it in lies.stacks] == [kept]


def test_one_stack_that_is_surely_two_things_is_neither(monkeypatch: pytest.MonkeyPatch) -> None:
    changed(monkeypatch, 0.0)
    image = patches()
    lay, lies = seen_both(seen_in(image, SURE), seen_in(image, replace(SURE, order=("red",) * 6)))
    assert lay.stacks[0].open and lies.stacks[0].open


def test_what_is_hardly_a_chip_and_found_in_one_picture_alone_is_most_likely_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    changed(monkeypatch, 0.0)
    image = patches()
    faint = ChipStack((10, 10, 40, 50), ("red",), 0.7, "smaller than a chip: perhaps a coin", found=0.35)
    lay, lies = seen_both(seen_in(image, faint), seen_in(image))
    assert lay.stacks[0].open and lay.stacks[0].readings[0][0] == () and not lies.stacks
