"""A joker's two corners that are read any way round: one card where they stand alone on one outline."""

from __future__ import annotations

import numpy as np
from laid_cards import CARD_MM, reading, seen

from vision.cards.detector import CARD, Found
from vision.cards.groups import Group
from vision.cards.indices import IndexReading
from vision.cards.odd_jokers import with_both_corners

STAR_MM = np.array([[2.5, 3], [8.5, 3], [8.5, 9], [2.5, 9]], np.float32)
FAR_MM = np.roll(np.array([63.5, 88.9], np.float32) - STAR_MM, 1, axis=0)
"""The other corner's star, read a quarter turn off."""
ANGLE, X, Y = 0.3, 300.0, 300.0


def stars(near: str = "JOKER") -> list[IndexReading]:
    return [reading(near, seen(STAR_MM, ANGLE, X, Y)), reading("JOKER", seen(FAR_MM, ANGLE, X, Y))]


def outline() -> Found:
    return Found(CARD, seen(CARD_MM, ANGLE, X, Y), 0.5)


def members(groups: list[Group]) -> list[list[int]]:
    return sorted(sorted(g.members) for g in groups)


def test_two_stars_alone_on_an_outline_are_one_joker() -> None:
    own = outline()
    for groups in ([Group([0]), Group([1])], [Group([0], own), Group([1])], [Group([0]), Group([1]), Group([], own)]):
        (one,) = with_both_corners(groups, stars(), [own])
        assert sorted(one.members) == [0, 1] and one.outline is own


def test_stars_of_two_jokers_stay_two() -> None:
    apart = [Group([0]), Group([1])]
    assert members(with_both_corners(apart, stars(), [])) == [[0], [1]]
    beside = np.roll(STAR_MM, 1, axis=0) + np.array([40, 0], np.float32)
    side = [reading("JOKER", seen(q, ANGLE, X, Y)) for q in (STAR_MM, beside)]
    assert members(with_both_corners(apart, side, [outline()])) == [[0], [1]], "one side of a card"
    assert members(with_both_corners(apart, stars("4H"), [outline()])) == [[0], [1]]


def test_a_card_that_lies_on_the_outline_says_that_it_is_not_a_joker_on_top() -> None:
    upon = reading("9D", seen(STAR_MM + np.array([30, 30], np.float32), ANGLE, X, Y))
    groups = [Group([0]), Group([1]), Group([2])]
    assert members(with_both_corners(groups, [*stars(), upon], [outline()])) == [[0], [1], [2]]
