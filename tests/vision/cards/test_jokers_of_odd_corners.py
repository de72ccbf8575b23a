"""A joker's two corners that are read any way round: one card where they stand alone on one outline."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from laid_cards import CARD_MM, INDEX_MM, both, reading, seen

from vision.cards.detector import CARD, Found
from vision.cards.groups import Group
from vision.cards.indices import IndexReading
from vision.cards.naming import as_quad
from vision.cards.odd_jokers import (
    each_once,
    hopeful,
    joker_about,
    with_both_corners,
    with_stray_ones_open,
    with_two_for_one,
)
from vision.cards.patches import Floats, pyramid
from vision.sightings import CardSighting

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


def test_an_outline_that_was_found_a_little_off_the_card_still_holds_its_two_stars() -> None:
    skewed = CARD_MM - np.array([[20, 0], [20, 0], [0, 0], [0, 0]], np.float32)
    off = Found(CARD, seen(skewed, ANGLE, X, Y), 0.3)
    (one,) = with_both_corners([Group([0]), Group([1])], stars(), [off])
    assert sorted(one.members) == [0, 1]


def test_the_word_in_a_jokers_middle_is_no_joker_more() -> None:
    word = reading("JOKER", seen(np.array([[29, 30], [35, 30], [35, 60], [29, 60]], np.float32), ANGLE, X, Y))
    (one,) = with_both_corners([Group([0, 1]), Group([2])], [*stars(), word], [outline()])
    assert sorted(one.members) == [0, 1, 2]


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


def hand(count: int) -> list[IndexReading]:
    return [r for k in range(count) for r in both(f"{k + 2}S", 0.1 * k, 100.0 + 30 * k, 100.0)]


def pairs(count: int) -> list[Group]:
    return [Group([2 * k, 2 * k + 1]) for k in range(count)]


def test_stars_nearer_together_than_the_ends_of_other_cards_are_two_jokers() -> None:
    beside = [reading("JOKER", seen(STAR_MM + np.array([x, 0], np.float32), 0.0, 500, 300)) for x in (0, 30)]
    apart = with_two_for_one([*pairs(3), Group([6, 7])], [*hand(3), *beside])
    assert members(apart) == [[0, 1], [2, 3], [4, 5], [6], [7]]
    few = with_two_for_one([*pairs(2), Group([4, 5])], [*hand(2), *beside])
    assert members(few) == [[0, 1], [2, 3], [4, 5]], "two cards say little of the deck"


def test_the_two_corners_of_one_joker_stay_together() -> None:
    one = with_two_for_one([*pairs(3), Group([6, 7])], [*hand(3), *stars()])
    assert members(one) == [[0, 1], [2, 3], [4, 5], [6, 7]]


def test_a_star_beside_the_outline_of_another_is_another_jokers() -> None:
    """The upper of two jokers runs out of the picture; of the lower one the far corner shows beside it."""
    card = Found(CARD, seen(CARD_MM, ANGLE, X, Y), 0.75)
    beside = [stars()[0], reading("JOKER", seen(FAR_MM + np.array([20, -5], np.float32), ANGLE, X, Y))]
    assert members(with_two_for_one([Group([0, 1], card)], beside)) == [[0], [1]]
    assert members(with_two_for_one([Group([0, 1], card)], stars())) == [[0, 1]]
    faint = Found(CARD, card.quad, 0.5)
    assert members(with_two_for_one([Group([0, 1], faint)], beside)) == [[0, 1]], "where the card ends is not known"


class Star:
    """Reads a joker from what covers a star by more than half, and holds little else."""

    def __init__(self, middle: tuple[float, float], size: float, sure: float = 0.95) -> None:
        self.middle, self.size, self.sure = np.array(middle, np.float32), size, sure

    def read(self, levels: Sequence[Any], found: Sequence[Found]) -> list[IndexReading]:
        return [self._one(f.quad) for f in found]

    def _one(self, quad: Floats) -> IndexReading:
        near = float(np.abs(quad.mean(0) - self.middle).max()) < self.size / 2
        alike = np.linalg.norm(quad[3] - quad[0]) < 3 * self.size
        about = (np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * self.size / 2 + self.middle).astype(np.float32)
        return reading("JOKER", about, self.sure) if near and alike else reading("JOKER", quad, 0.02)


def test_a_small_star_beside_tall_letters_is_a_joker() -> None:
    """The place is where a tall index would stand; the star takes its upper third alone."""
    place = np.array([[100, 100], [140, 100], [140, 200], [100, 200]], np.float32)
    found = joker_about(Star((118.0, 112.0), 34.0), [], place)
    assert found is not None and np.allclose(found.centre, [118, 112])
    assert joker_about(Star((118.0, 112.0), 34.0, 0.7), [], place) is None
    assert joker_about(Star((300.0, 118.0), 34.0), [], place) is None


def test_a_star_at_the_rim_of_where_it_is_looked_for_is_looked_for_again_about_itself() -> None:
    place = np.array([[100, 100], [140, 100], [140, 200], [100, 200]], np.float32)
    star = Star((150.0, 110.0), 34.0)
    asked: list[int] = []

    class Counted:
        def read(self, levels: Sequence[Any], found: Sequence[Found]) -> list[IndexReading]:
            asked.append(len(found))
            return star.read(levels, found)

    found = joker_about(Counted(), [], place)
    assert found is not None and np.allclose(found.centre, [150, 110]) and len(asked) == 2
    assert joker_about(Star((220.0, 140.0), 34.0), [], place) is None


def test_a_few_looks_at_what_is_printed_on_a_card_tell_where_more_are_worth_it() -> None:
    table = np.full((500, 1100, 3), 40, np.uint8)
    table[10:400, 10:800] = 230
    mark, star, blank, felt = (
        np.array([[x, y], [x + 40, y], [x + 40, y + 90], [x, y + 90]], np.float32)
        for x, y in ((100, 100), (200, 100), (420, 110), (980, 200))
    )
    table[110:180, 110:130] = table[105:140, 205:235] = 30
    levels = pyramid(table)
    stars = Star((220.0, 122.0), 36.0)
    assert hopeful(stars, levels, [star, blank, felt], [mark]) == [True, False, False]
    assert hopeful(Star((220.0, 122.0), 36.0, 0.1), levels, [star], [mark]) == [False]
    assert hopeful(Star((440.0, 132.0), 36.0), levels, [blank], [mark]) == [False], "nothing is printed there"
    assert hopeful(stars, levels, [], [mark]) == [] and hopeful(stars, levels, [star], []) == [False]


class PaleStar(Star):
    """Is read surely by itself, and likely with more around it."""

    def _one(self, quad: Floats) -> IndexReading:
        whole = np.linalg.norm(quad[3] - quad[0]) > 2 * self.size
        read = super()._one(quad)
        return reading("JOKER", read.quad, 0.65) if whole and read.sure > 0.5 else read


def test_a_pale_star_is_a_joker_where_one_step_reads_it_surely() -> None:
    place = np.array([[100, 100], [140, 100], [140, 200], [100, 200]], np.float32)
    assert joker_about(PaleStar((118.0, 112.0), 36.0), [], place) is not None
    assert joker_about(PaleStar((118.0, 112.0), 36.0, 0.7), [], place) is None


def test_what_is_never_read_surely_but_often_is_to_be_asked_about() -> None:
    place = np.array([[100, 100], [140, 100], [140, 200], [100, 200]], np.float32)
    faint = joker_about(Star((118.0, 112.0), 40.0, 0.4), [], place)
    assert faint is not None and faint.sure < 0.5
    assert joker_about(Star((118.0, 112.0), 40.0, 0.25), [], place) is None
    assert joker_about(Star((118.0, 112.0), 6.0, 0.4), [], place) is None, "one step or two"


class FadedJack(Star):
    """Looks like a joker as a whole, its suit bleached by a lamp, and like a jack when looked at closely."""

    def _one(self, quad: Floats) -> IndexReading:
        close = np.linalg.norm(quad[3] - quad[0]) < 2 * self.size
        return reading("JD", super()._one(quad).quad, 0.7) if close else super()._one(quad)


def test_what_reads_as_another_card_from_any_step_is_no_joker_of_unknown_corners() -> None:
    place = np.array([[100, 100], [140, 100], [140, 200], [100, 200]], np.float32)
    assert joker_about(Star((118.0, 112.0), 40.0), [], place) is not None
    assert joker_about(FadedJack((118.0, 112.0), 40.0), [], place) is None


class LargeStar(Star):
    """Is read where most of it is in view."""

    def _one(self, quad: Floats) -> IndexReading:
        whole = np.linalg.norm(quad[3] - quad[0]) > 2 * self.size
        return super()._one(quad) if whole else reading("JOKER", quad, 0.02)


def test_a_star_larger_than_letters_is_looked_for_between_two_cards_alone() -> None:
    place = np.array([[100, 100], [140, 100], [140, 200], [100, 200]], np.float32)
    star = LargeStar((130.0, 150.0), 60.0)
    assert joker_about(star, [], place, in_gap=True) is not None
    assert joker_about(star, [], place) is None, "beyond a row's end a joker's large picture lies as near"


def sighted(r: IndexReading, label: str = "JOKER", sure: float = 0.95) -> CardSighting:
    return CardSighting("card", as_quad(r.quad), label, sure, {}, (as_quad(r.quad),))


def test_a_joker_that_was_found_by_two_of_its_corners_or_by_its_word_is_listed_once() -> None:
    near, far = (sighted(r, sure=sure) for r, sure in zip(stars(), (0.97, 0.92), strict=True))
    word = sighted(reading("JOKER", seen(np.array([[29, 30], [35, 30], [35, 60], [29, 60]], np.float32), ANGLE, X, Y)))
    assert each_once([near, far], [outline()]) == [near]
    assert each_once([far, word], [outline()]) == [word]
    assert each_once([near, far], []) == [near, far]
    upon = sighted(reading("9D", seen(STAR_MM + np.array([30, 30], np.float32), ANGLE, X, Y)), "9D")
    assert each_once([near, far, upon], [outline()]) == [near, far, upon], "something lies on that outline"
    beside = sighted(reading("JOKER", seen(STAR_MM + np.array([38, 0], np.float32), ANGLE, X, Y)))
    assert each_once([near, beside], [outline()]) == [near, beside], "two corners of one side are two jokers'"


def test_a_small_mark_far_from_all_cards_is_asked_about() -> None:
    hand = [sighted(reading(f"{k}D", seen(INDEX_MM, ANGLE, X + 20 * k, Y)), f"{k}D") for k in (2, 3, 4)]
    small = np.array([[0, 0], [8, 0], [8, 4], [0, 4]], np.float32)
    far = sighted(reading("JOKER", seen(small, ANGLE, X, Y + 300)))
    assert [s.kind for s in with_stray_ones_open([*hand, far], [])] == ["card"] * 3 + ["unsure"]
    near = sighted(reading("JOKER", seen(small, ANGLE, X, Y + 60)))
    tall = sighted(reading("JOKER", seen(INDEX_MM, ANGLE, X, Y + 300)))
    around = Found(CARD, seen(CARD_MM, ANGLE, X - 40, Y + 270), 0.6)
    for cards in ([*hand, near], [*hand, tall], [*hand[:2], far]):
        assert with_stray_ones_open(cards, []) == cards
    assert with_stray_ones_open([*hand, far], [around]) == [*hand, far]


def test_two_words_that_stand_alike_are_two_jokers() -> None:
    word = np.array([[2.5, 3], [7.0, 3], [7.0, 27], [2.5, 27]], np.float32)
    near = reading("JOKER", seen(word, ANGLE, X, Y))
    beside = reading("JOKER", seen(word + np.array([50, 50]), ANGLE + 0.2, X, Y))
    far = reading("JOKER", seen(np.array([63.5, 88.9], np.float32) - word, ANGLE, X, Y))
    assert members(with_two_for_one([Group([0, 1], outline())], [near, beside])) == [[0], [1]]
    assert members(with_two_for_one([Group([0, 1], outline())], [near, far])) == [[0, 1]]
