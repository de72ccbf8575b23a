"""Where one card more may lie at a meld on the table: as its cards' steps say, and the other melds'."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.cards.patches import Floats
from vision.cards.short_rows import in_short_rows

CARD = 250.0
INDEX = np.array([[0, 0], [20, 0], [20, 44], [0, 44]], np.float32)


def meld(
    count: int, x: float, y: float, turn: float = 0.0, step: float = 60.0, without: int = -1
) -> list[list[Floats]]:
    """The indices of a row of cards, turned by ``turn`` about where its first one stands."""
    c, s = np.cos(turn), np.sin(turn)
    onto = np.array([[c, s], [-s, c]], np.float32)
    places = [np.asarray((INDEX + np.array([step * k, 0])) @ onto + np.array([x, y]), np.float32) for k in range(count)]
    return [[place] for k, place in enumerate(places) if k != without]


def middles(places: list[Floats]) -> list[tuple[int, int]]:
    return sorted((round(float(x)), round(float(y))) for x, y in (place.mean(0) for place in places))


def test_a_melds_ends_are_a_step_beyond_its_cards_and_as_many_more_as_are_asked_for() -> None:
    places = in_short_rows(meld(3, 100, 100), CARD, 2)
    assert places.between == []
    assert sorted(middles(side) for side in places.beyond) == [[(-10, 122), (50, 122)], [(290, 122), (350, 122)]]


@given(st.integers(2, 5), st.floats(-3.1, 3.1), st.floats(35.0, 150.0))
def test_it_is_so_whichever_way_a_meld_lies(count: int, turn: float, step: float) -> None:
    row = meld(count + 2, 400, 400, turn, step)
    places = in_short_rows(row[1:-1], CARD, 1)
    for gone in (row[0][0], row[-1][0]):
        assert any(np.abs(place - gone).max() < 1.0 for side in places.beyond for place in side)


def test_a_wide_step_has_room_for_a_card_in_a_meld_of_three_or_beside_other_melds() -> None:
    wide = meld(4, 100, 100, without=1)
    assert middles(in_short_rows(wide, CARD, 1).between) == [(170, 122)]
    two = meld(3, 100, 500, without=1)
    assert in_short_rows(two, CARD, 1).between == [], "what is usual is not known"
    assert middles(in_short_rows([*meld(3, 100, 100), *two], CARD, 1).between) == [(170, 522)]


@pytest.mark.parametrize(
    "cards",
    [
        meld(1, 100, 100),
        [*meld(1, 100, 100), *meld(1, 160, 100, 0.6)],
        [*meld(1, 100, 100), *meld(1, 100 + CARD, 100)],
        meld(6, 100, 100),
        [*meld(2, 100, 100), [np.asarray(INDEX + np.array([130, 230]), np.float32)]],
    ],
    ids=["one", "turned", "apart", "a hand", "round a corner"],
)
def test_what_makes_no_meld_has_no_ends(cards: list[list[Floats]]) -> None:
    places = in_short_rows(cards, CARD, 1)
    assert places.between == [] and places.beyond == []


def test_nothing_is_looked_for_where_something_is_known_to_stand_nor_without_a_cards_width() -> None:
    row = meld(3, 100, 100)
    beside = [np.asarray(INDEX @ np.array([[0, 1], [-1, 0]]) + np.array([300, 120]), np.float32)]
    places = in_short_rows([*row, beside], CARD, 1)
    assert middles([place for side in places.beyond for place in side]) == [(50, 122)]
    assert in_short_rows(row, None, 1).beyond == []
