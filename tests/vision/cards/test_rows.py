"""Faint finds that stand in a row of surer ones are asked about; others are not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.cards.indices import IndexReading
from vision.cards.naming import as_quad
from vision.cards.patches import Floats
from vision.cards.profile import NONE
from vision.cards.rows import in_row, likely, repeated, strayed, too_short
from vision.sightings import FACES, CardSighting

WIDE, HIGH = 12.0, 22.0


def index(x: float, y: float, angle: float = 0.0, size: float = 1.0) -> Floats:
    """An index's corners about (x, y), turned by ``angle``."""
    box = np.array([[-WIDE, -HIGH], [WIDE, -HIGH], [WIDE, HIGH], [-WIDE, HIGH]]) * size / 2
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.asarray(box @ turn.T + [x, y], np.float32)


def reading(label: str, chance: float, quad: Floats) -> IndexReading:
    chances = np.full(NONE + 1, (1 - chance) / NONE, np.float32)
    chances[FACES.index(label)] = chance
    return IndexReading(quad, chances, 0.2)


def fan(count: int, spread: float, radius: float = 300.0) -> list[Floats]:
    """Indices of a fan round (0, 0)."""
    angles = [(k - (count - 1) / 2) * spread for k in range(count)]
    return [index(radius * np.sin(a), -radius * np.cos(a), a) for a in angles]


@given(st.integers(3, 13), st.floats(0.08, 0.16), st.data())
def test_a_card_missed_in_a_fan_stands_in_its_row(count: int, spread: float, data: st.DataObject) -> None:
    cards = fan(count, spread)
    missed = data.draw(st.integers(1, count - 2))
    assert in_row(cards[missed], [c for k, c in enumerate(cards) if k != missed])


@pytest.mark.parametrize(
    ("quad", "why"),
    [
        (index(0, -260), "below the row: a pip"),
        (index(0, -300, 1.2), "turned otherwise"),
        (index(0, -300, size=0.4), "much smaller"),
        (index(47, -297, 0.16), "the index of the row itself, found twice"),
        (index(400, -300), "beside the row"),
    ],
)
def test_what_fits_into_no_row_is_not_asked_about(quad: Floats, why: str) -> None:
    row = [index(300 * np.sin(a), -300 * np.cos(a), a) for a in (-0.48, -0.32, -0.16, 0.16, 0.32)]
    assert in_row(index(0, -300), row)
    assert not in_row(quad, row), why


@pytest.mark.parametrize("step", [0.45, 0.5, 0.8])
def test_in_a_tight_row_the_next_index_is_no_second_find(step: float) -> None:
    one = index(0, 0)
    height = float(np.linalg.norm(one[3] - one[0]))
    row = [index(k * step * height, 0) for k in (-2, -1, 1, 2)]
    assert in_row(one, row)
    assert not in_row(index((1 - 0.3) * step * height, 0), row)
    # Read in its own place it is a card of its own, at its neighbour's that one over again.
    neighbour = row[2].mean(0)
    assert not strayed(one, one.mean(0), neighbour)
    assert strayed(one, neighbour - (0.1 * height, 0), neighbour)
    assert strayed(one, one.mean(0), one.mean(0))


def test_a_card_in_a_gap_of_a_name_that_lies_near_may_be_that_cards_other_index() -> None:
    def card(label: str, x: float) -> CardSighting:
        quad = as_quad(index(x, 0))
        return CardSighting("card", quad, label, 0.97, {}, (quad,))

    assert repeated(card("2H", 0), [card("7S", 30), card("2H", 60)])
    assert not repeated(card("2H", 0), [card("7S", 30), card("2H", 600)])
    assert not repeated(card("JOKER", 0), [card("JOKER", 30)])


def test_without_two_others_there_is_no_row() -> None:
    assert not in_row(index(0, 0), [])
    assert not in_row(index(0, 0), [index(-30, 0)])
    assert not in_row(index(0, 0), [index(-30, 0), index(400, 0)])


def test_a_faint_find_is_asked_about_where_it_is_named_and_no_neighbour_has_that_name() -> None:
    faint, beside, far = index(0, 0), index(60, 0), index(200, 0)
    assert likely(reading("7H", 0.9, faint), [reading("8H", 0.99, beside)])
    assert not likely(reading("7H", 0.6, faint), [])
    assert likely(replace(reading("7H", 0.65, faint), found=0.45), []), "found nearly as surely as a card is"
    assert not likely(reading("7H", 0.9, faint), [reading("7H", 0.99, beside)])
    assert likely(reading("7H", 0.9, faint), [reading("7H", 0.99, far)])
    assert likely(reading("JOKER", 0.5, faint), [reading("JOKER", 0.99, beside)])
    assert not likely(reading("JOKER", 0.3, faint), [])


def test_a_rank_without_its_pip_is_much_shorter_than_the_indices_beside_it() -> None:
    beside = [reading(label, 0.99, index(60.0 * k, 0)) for k, label in enumerate(("AD", "6C", "4S"))]
    assert too_short(reading("AH", 0.97, index(30, 20, 1.0, 0.5)), beside)
    assert not too_short(reading("AH", 0.97, index(30, 20, 1.0, 0.7)), beside), "as far as cards farther away"
    assert not too_short(reading("JOKER", 0.97, index(30, 20, 1.0, 0.3)), beside)
    assert not too_short(reading("AH", 0.97, index(30, 20, 1.0, 0.5)), beside[:2]), "two are no standard"
    assert not too_short(beside[0], beside)
