"""Two pictures of one place: stacks that stayed and are read alike bear each other out, and nothing else does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from vision.chips.spots import PlacedStack, SpotReading, chip_zones
from vision.chips.twice import OTHERWISE, borne_out
from vision.chips.values import ChipStack
from vision.felt import load_layout
from vision.sightings import Point

ZONE = chip_zones(load_layout("three-seats"))[0]
COUNTED = "its chips could not be counted surely"


def reading(*stacks: tuple[Point, tuple[str, ...], float, str, bool]) -> SpotReading:
    """A place's stacks: where, order, confidence, reason, whether only count and colours are in doubt."""
    placed = (
        PlacedStack(ChipStack((0, 0, 9, 9), order, sure, why, open=open_), at, 0.0)
        for at, order, sure, why, open_ in stacks
    )
    return SpotReading(ZONE, tuple(placed))


def doubtful(at: Point, count: int, sure: float) -> tuple[Point, tuple[str, ...], float, str, bool]:
    return at, ("red",) * count, sure, COUNTED, True


def plain(at: Point, count: int) -> tuple[Point, tuple[str, ...], float, str, bool]:
    return at, ("red",) * count, 0.97, "", False


def test_one_sure_look_settles_the_other() -> None:
    lay, lies = borne_out(reading(doubtful((0, 0), 7, 0.6)), reading(plain((1, 0), 7), doubtful((60, 0), 3, 0.8)), {})
    assert lay.stacks[0].stack.sure
    assert [it.stack.sure for it in lies.stacks] == [True, False], "what was put down since stays in doubt"


@pytest.mark.parametrize(
    "other",
    [
        plain((0, 0), 8),  # another count
        plain((20, 0), 7),  # elsewhere
        doubtful((0, 0), 7, 0.86),  # no surer, if alike
        ((0.0, 0.0), ("red",) * 7, 0.99, "something hides a part of it", False),
    ],
)
def test_nothing_else_makes_a_look_sure(other: tuple[Point, tuple[str, ...], float, str, bool]) -> None:
    lay, lies = reading(doubtful((0, 0), 7, 0.78)), reading(other)
    assert borne_out(lay, lies, {}) == (lay, lies)


def test_two_stacks_near_one_spot_say_nothing() -> None:
    lay = reading(doubtful((0, 0), 7, 0.89), doubtful((6, 0), 7, 0.89))
    lies = reading(plain((3, 0), 7))
    assert borne_out(lay, lies, {}) == (lay, lies)


def test_a_sure_reading_stays_as_it_is() -> None:
    lay, lies = reading(plain((0, 0), 7)), reading(plain((0, 0), 7))
    assert borne_out(lay, lies, {}) == (lay, lies)
    assert borne_out(replace(lay, stacks=()), lies, {}) == (replace(lay, stacks=()), lies)


def test_what_was_seen_to_be_touched_bears_nothing_out() -> None:
    lay, lies = reading(doubtful((0, 0), 7, 0.6)), reading(plain((0, 0), 7))
    assert borne_out(lay, lies, {0: 0.05}) == (lay, lies)
    assert borne_out(lay, lies, {0: 0.99})[0].stacks[0].stack.sure


def test_the_same_chips_that_are_surely_two_things_are_sure_in_neither_picture() -> None:
    lay, lies = reading(plain((0, 0), 7)), reading(plain((0, 0), 8))
    assert borne_out(lay, lies, {0: None}) == borne_out(lay, lies, {0: 0.05}) == (lay, lies)
    for count, seen in zip((7, 8), borne_out(lay, lies, {0: 0.99}), strict=True):
        stack = seen.stacks[0].stack
        assert stack.open and stack.reason == OTHERWISE
        assert stack.readings == ((("red",) * count, 0.97),)


@pytest.mark.parametrize("why", ["something hides a part of it", "a chip of a colour that is not in the set"])
def test_a_doubt_of_what_it_is_at_all_goes_only_where_nobody_touched_it(why: str) -> None:
    lay, lies = reading(plain((0, 0), 7)), reading(((0.0, 0.0), ("red",) * 7, 0.8, why, True))
    assert borne_out(lay, lies, {0: None}) == (lay, lies)
    assert borne_out(lay, lies, {0: 0.99})[1].stacks[0].stack.sure
