"""Melds and hands told apart by where cards lie, seen straight from above and turned."""

from __future__ import annotations

from math import cos, pi, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.table.melds import hands_seen, in_order, meld_groups
from vision.sightings import CardSighting, Point

SCALE = 2.0
"""Pixels a millimetre."""


def card(label: str, x: float, y: float, angle: float = 0.0) -> CardSighting:
    """A card at x, y millimetres."""

    def corner(u: float, v: float) -> Point:
        return (SCALE * (x + u * cos(angle) - v * sin(angle)), SCALE * (y + u * sin(angle) + v * cos(angle)))

    w, h = 63.5 / 2, 88.9 / 2
    return CardSighting("card", (corner(-w, -h), corner(w, -h), corner(w, h), corner(-w, h)), label, 0.95)


def row(labels: str, x: float, y: float, step: float = 25.0) -> list[CardSighting]:
    return [card(label, x + step * k, y) for k, label in enumerate(labels.split())]


def texts(groups: tuple[tuple[CardSighting, ...], ...]) -> list[str]:
    return [" ".join(s.label or "" for s in group) for group in groups]


def test_melds_are_groups_in_reading_order() -> None:
    lying = [*row("4H 5H 6H 7H", 300, 0), *row("9S 9D JOKER", 0, 5), *row("KC KD KS KH", 20, 130, 70)]
    assert texts(meld_groups(lying[::-1])) == ["9S 9D JOKER", "4H 5H 6H 7H", "KC KD KS KH"]


def test_a_column_is_read_from_the_top() -> None:
    column = [card(label, 3 * k, 25.0 * k) for k, label in enumerate(("4H", "5H", "6H", "7H"))]
    assert texts(meld_groups(column[::-1])) == ["4H 5H 6H 7H"]


def test_melds_lying_close_are_parted_where_the_gap_is_wider_than_within() -> None:
    assert texts(meld_groups([*row("2C 3C 4C", 0, 0), *row("9S 9D 9H", 140, 0)])) == ["2C 3C 4C", "9S 9D 9H"]


def test_nothing_lies_nowhere() -> None:
    assert meld_groups([]) == () and hands_seen([]) == 1


@pytest.mark.parametrize(
    ("lying", "number"),
    [
        (row("2C 3C 4C 5C", 0, 0), 1),
        ([*row("2C 3C 4C", 0, 0), *row("5C 6C 7C", 160, 0)], 1),
        ([*row("2C 3C 4C", 0, 0), *row("5C 6C 7C", 0, 400)], 2),
        ([*row("2C 3C 4C", 0, 0), *row("5C", 0, 400)], 1),
    ],
    ids=["one fan", "heaps pushed apart", "two hands", "a stray card"],
)
def test_hands_far_apart_are_counted(lying: list[CardSighting], number: int) -> None:
    assert hands_seen(lying) == number


@given(st.floats(-pi, pi), st.permutations(range(5)))
def test_the_order_is_along_the_row_however_it_is_turned(angle: float, order: list[int]) -> None:
    cards = [card(f"{k + 2}H", 30 * k * cos(angle), 30 * k * sin(angle), angle) for k in range(5)]
    found = [s.label for s in in_order([cards[k] for k in order])]
    wanted = [s.label for s in cards]
    assert found in (wanted, wanted[::-1])
