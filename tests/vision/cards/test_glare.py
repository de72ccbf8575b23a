"""A lamp that burns out the place where a hand goes on is said; white cards and white tables are none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.cards.glare import INKLESS, burnt_ends, with_inkless_jokers_open
from vision.cards.patches import pyramid
from vision.sightings import CardSighting, Quad, Reading

STEP, FIRST, COUNT = 40, 200, 8


def box(x: float, y: float, wide: float, tall: float) -> Quad:
    return ((x, y), (x + wide, y), (x + wide, y + tall), (x, y + tall))


def ribbon() -> Reading:
    """Eight cards from left to right, each on the one before; the last one shows both its ends."""
    seen = []
    for k in range(COUNT):
        x = FIRST + k * STEP
        quads = (box(x + 8, 110, 20, 44),)
        if k == COUNT - 1:
            a, b, c, d = box(x + 122, 256, 20, 44)
            quads = (*quads, (c, d, a, b))
        seen.append(CardSighting("card", box(x, 100, 150, 210), f"{k + 2}S", 0.99, {}, quads))
    return Reading(900, 500, tuple(seen))


@pytest.fixture
def table() -> np.ndarray:
    image = np.full((500, 900, 3), 90, np.uint8)
    image[100:310, FIRST : FIRST + (COUNT - 1) * STEP + 150] = 225
    return image


def test_a_lamp_on_the_covered_end_is_said_with_its_place(table: np.ndarray) -> None:
    table[60:260, 100:230] = 255
    (place,) = burnt_ends(table, ribbon())
    x = sum(x for x, _ in place) / 4
    assert x == pytest.approx(FIRST - STEP + 18, abs=6)


def test_a_lamp_elsewhere_is_nothing(table: np.ndarray) -> None:
    table[60:260, 20:130] = 255
    assert burnt_ends(table, ribbon()) == ()


def test_the_uppermost_card_may_be_white_all_over(table: np.ndarray) -> None:
    table[100:310, FIRST + (COUNT - 1) * STEP : FIRST + (COUNT - 1) * STEP + 150] = 255
    assert burnt_ends(table, ribbon()) == ()


def test_a_white_table_is_no_lamp(table: np.ndarray) -> None:
    table[table == 90] = 255
    assert burnt_ends(table, ribbon()) == ()


def test_what_lies_beyond_the_picture_is_not_burnt(table: np.ndarray) -> None:
    left = table[:, FIRST:].copy()
    left[:, :9] = 255
    seen = tuple(
        replace(
            it,
            corners=box(it.corners[0][0] - FIRST, 100, 150, 210),
            indices=tuple(tuple((x - FIRST, y) for x, y in quad) for quad in it.indices),  # type: ignore[arg-type]
        )
        for it in ribbon().sightings
    )
    assert burnt_ends(left, Reading(left.shape[1], 500, seen)) == ()


def test_without_a_row_nothing_is_asked(table: np.ndarray) -> None:
    table[60:260, 100:230] = 255
    few = ribbon().sightings[:3]
    assert burnt_ends(table, Reading(900, 500, few)) == ()


@pytest.mark.parametrize(("ink", "sure"), [(30, True), (INKLESS - 20, True), (INKLESS + 30, False)])
def test_a_joker_is_sure_where_its_word_has_ink(table: np.ndarray, ink: int, sure: bool) -> None:
    joker = replace(ribbon().sightings[0], label="JOKER")
    (x0, y0), _, (x1, y1), _ = joker.indices[0]
    table[int(y0) : int(y1), int(x0) : int(x1)] = 255
    table[int(y0) + 12 : int(y1) - 12, int(x0) + 6 : int(x1) - 6] = ink
    letter = replace(joker, label="JS")
    assert with_inkless_jokers_open(pyramid(table), [joker, letter]) == [
        joker if sure else replace(joker, kind="unsure"),
        letter,
    ]


def test_one_of_a_jokers_two_ends_with_ink_is_enough(table: np.ndarray) -> None:
    joker = replace(ribbon().sightings[-1], label="JOKER")
    (x0, y0), _, (x1, y1), _ = joker.indices[0]
    table[int(y0) : int(y1), int(x0) : int(x1)] = 255
    ends = [(min(x for x, _ in q), min(y for _, y in q)) for q in joker.indices]
    x, y = (int(v) for v in ends[1])
    table[y + 12 : y + 32, x + 6 : x + 14] = 20
    assert with_inkless_jokers_open(pyramid(table), [joker]) == [joker]
