"""Grouping of jokers: their words have sizes and places of their own, and each joker counts once all the same."""

from __future__ import annotations

import numpy as np
from laid_cards import CARD_MM, both, reading, seen

from vision.cards.detector import CARD, Found
from vision.cards.grouping import group
from vision.cards.indices import IndexReading

WORD_MM = np.array([[3, 4], [9, 4], [9, 34], [3, 34]], np.float32)
"""A joker's index may be the whole word, downwards."""


def joker(angle: float, x: float, y: float) -> tuple[list[IndexReading], Found]:
    turned = np.array([63.5, 88.9], np.float32) - WORD_MM
    words = [reading("JOKER", seen(q, angle, x, y)) for q in (WORD_MM, turned)]
    return words, Found(CARD, seen(CARD_MM, angle, x, y), 0.85)


def test_jokers_one_above_the_other_are_as_many_as_their_outlines() -> None:
    laid = [joker(0.04 * k, 300 - 6 * k, 150 + 205 * k) for k in range(3)]
    readings = [r for words, _ in laid for r in words]
    groups = group(readings, [outline for _, outline in laid])
    assert sorted(sorted(g.members) for g in groups) == [[0, 1], [2, 3], [4, 5]]
    assert all(g.outline is not None for g in groups)


def test_a_joker_that_lies_on_another_cards_corner_is_one() -> None:
    words, own = joker(0.0, 300, 300)
    under = Found(CARD, seen(CARD_MM, 0.0, 395, 420), 0.85)
    groups = group(words, [own, under])
    assert [sorted(g.members) for g in groups if g.members] == [[0, 1]]


LONG_WORD_MM = np.array([[2, 4], [5.5, 4], [5.5, 28], [2, 28]], np.float32)
"""The letters of JOKER one below the other."""


def test_a_jokers_far_end_is_its_own_though_the_outline_ends_before_it() -> None:
    turned = np.array([63.5, 88.9], np.float32) - LONG_WORD_MM
    words = [reading("JOKER", seen(q, 0.1, x, 300)) for x in (200, 345) for q in (LONG_WORD_MM, turned)]
    short = np.minimum(CARD_MM, np.array([54.5, 88.9], np.float32))
    outlines = [Found(CARD, seen(short, 0.1, x, 300), 0.82) for x in (200, 345)]
    groups = group(words, outlines)
    assert sorted(sorted(g.members) for g in groups if g.members) == [[0, 1], [2, 3]]


def test_jokers_one_below_the_other_are_two_where_another_cards_outline_says_how_long_cards_are() -> None:
    turned = np.array([63.5, 88.9], np.float32) - LONG_WORD_MM
    tops = (100, 305)
    words = [reading("JOKER", seen(q, 0.0, 100, top)) for top in tops for q in (LONG_WORD_MM, turned)]
    faint = [Found(CARD, seen(CARD_MM, 0.0, 100, top), 0.65) for top in tops]
    other, beside = both("9S", 0.0, 420, 180), Found(CARD, seen(CARD_MM, 0.0, 420, 180), 0.85)
    groups = group([*words, *other], [*faint, beside])
    assert sorted(sorted(g.members) for g in groups if g.members) == [[0, 1], [2, 3], [4, 5]]


def test_words_that_reach_to_the_cards_middle_are_its_ends() -> None:
    tall = np.array([[2, 4], [7, 4], [7, 56], [2, 56]], np.float32)
    words = [reading("JOKER", seen(q, 0.2, 200, 200)) for q in (tall, np.array([63.5, 88.9], np.float32) - tall)]
    groups = group(words, [Found(CARD, seen(CARD_MM, 0.2, 200, 200), 0.8)])
    assert [sorted(g.members) for g in groups] == [[0, 1]]
