"""Two equal cards of two packs, close upon each other in a fan of four-index cards, stay two."""

from __future__ import annotations

import numpy as np
from laid_cards import INDEX_MM, reading, seen

from vision.cards.equals import apart_where_others_lie_between
from vision.cards.grouping import group
from vision.cards.groups import Group
from vision.cards.indices import IndexReading
from vision.sightings import FACES, JOKER

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


def test_of_two_equal_cards_one_may_show_a_single_index() -> None:
    """The next card hides the lower left index of the one below it."""
    under = [r for k, label in enumerate(("KS", "2D", "5C", "9D")) for r in card(label, k)]
    for away in (1, 2):
        between = card("JC", 5) if away == 2 else []
        spread = [*under, *card("4H", 4, "a"), *between, *card("4H", 4 + away), *card("7S", 5 + away, "abcd")]
        assert named(spread).count("4H") == 2, away


def test_two_upper_indices_with_another_card_s_between_them_are_two_cards_and_jokers_too() -> None:
    for label in ("3D", JOKER):
        groups = [Group([0, 1]), Group([2]), Group([3])]
        readings = card(label, 0, "a") + card(label, 2, "a") + card("KS", 1, "a") + card("9C", 3, "a")
        parted = apart_where_others_lie_between(groups, readings)
        assert sorted(g.members for g in parted) == [[0], [1], [2], [3]]
        beside = [Group([0, 1]), Group([3])]
        assert apart_where_others_lie_between(beside, readings) == beside, "nothing between, nothing parted"


def test_a_cards_two_upper_indices_stay_one_cards_where_none_stands_between_them() -> None:
    groups = [Group([0, 1]), Group([2])]
    readings = card("3D", 0, "ab") + card("KS", EDGE + 1, "a")
    assert apart_where_others_lie_between(groups, readings) == groups
