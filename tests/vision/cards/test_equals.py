"""Two equal cards of two packs, close upon each other in a fan of four-index cards, stay two."""

from __future__ import annotations

import numpy as np
from laid_cards import INDEX_MM, reading, seen

from vision.cards.grouping import group
from vision.cards.indices import IndexReading
from vision.sightings import FACES

STEP = 22.0
"""Millimetres from one card to the next."""


def card(label: str, k: float, corners: str = "ad") -> list[IndexReading]:
    """Indices of the card at place ``k`` of a row, in the corners named: a, b, c, d clockwise from its own top-left."""
    w, h = 63.5, 88.9
    places = {
        "a": INDEX_MM,
        "b": INDEX_MM + np.array([w - 12, 0]),
        "c": np.array([w, h]) - INDEX_MM,
        "d": np.array([12, h]) - INDEX_MM,
    }
    at = np.array([k * STEP, 0], np.float32)
    return [reading(label, seen((places[c] + at).astype(np.float32), 0.05, 100, 100)) for c in corners]


def hand(*labels: str) -> list[str]:
    """The names of the cards found in a row whose last one lies on top."""
    *under, top = labels
    readings = [r for k, label in enumerate(under) for r in card(label, k)] + card(top, len(under), "abcd")
    return sorted(FACES[readings[g.members[0]].best] for g in group(readings, []) if g.members)


def test_two_equal_cards_side_by_side_are_two() -> None:
    assert hand("KS", "4H", "4H", "2C", "9D", "7S", "QD") == ["2C", "4H", "4H", "7S", "9D", "KS", "QD"]


def test_two_equal_cards_with_another_between_them_are_two() -> None:
    assert hand("KS", "4H", "4S", "4H", "9D", "7S", "QD") == ["4H", "4H", "4S", "7S", "9D", "KS", "QD"]


EDGE = (63.5 - 12) / STEP
"""Steps from one upper index of a four-index card to the other."""


def named(readings: list[IndexReading]) -> list[str]:
    return sorted(FACES[readings[g.members[0]].best] for g in group(readings, []) if g.members)


def test_two_equal_cards_as_far_apart_as_upper_indices_are_two_where_a_card_on_top_shows_two_in_all() -> None:
    spread = card("6S", 0, "a") + card("6S", EDGE, "a") + card("2C", EDGE + 1, "a")
    assert named(spread + card("QD", EDGE + 2, "ac")) == ["2C", "6S", "6S", "QD"]


def test_a_cards_upper_indices_are_one_cards_where_another_shows_more_than_two() -> None:
    spread = card("6S", 0, "ab") + card("2C", EDGE + 1, "a")
    assert named(spread + card("QD", EDGE + 2, "abc")) == ["2C", "6S", "QD"]


def test_the_card_on_top_that_shows_all_its_indices_is_one() -> None:
    assert hand("KS", "2C", "9D", "7S", "QD").count("QD") == 1
