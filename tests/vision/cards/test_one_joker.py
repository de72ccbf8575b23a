"""Marks that are one joker's by how they lie, without an outline; and those of two jokers stay apart."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from laid_cards import CARD_MM, reading, seen

from vision.cards.detector import CARD, Found
from vision.cards.groups import Group
from vision.cards.indices import IndexReading
from vision.cards.naming import as_quad
from vision.cards.one_joker import of_one_joker, with_far_marks_parted, without_words_between
from vision.sightings import CardSighting

STAR = np.array([[2.5, 3], [8.5, 3], [8.5, 9], [2.5, 9]], np.float32)
FAR_STAR = np.roll(np.array([63.5, 88.9], np.float32) - STAR, 1, axis=0)
MIDDLE_WORD = np.array([[20, 41], [44, 41], [44, 48], [20, 48]], np.float32)
WORD = np.array([[2.5, 3], [7.0, 3], [7.0, 27], [2.5, 27]], np.float32)
FAR_WORD = np.array([63.5, 88.9], np.float32) - WORD
ANGLE, X, Y = 0.3, 300.0, 300.0


def marks(*shapes: np.ndarray, label: str = "JOKER", angle: float = ANGLE) -> list[IndexReading]:
    return [reading(label, seen(shape, angle, X, Y)) for shape in shapes]


def apart(readings: list[IndexReading]) -> list[Group]:
    return [Group([k]) for k in range(len(readings))]


def joined(groups: list[Group]) -> list[list[int]]:
    return sorted(sorted(g.members) for g in groups)


@pytest.mark.parametrize("angle", [0.0, 0.3, 1.9])
def test_a_word_between_two_stars_is_their_cards(angle: float) -> None:
    readings = marks(STAR, FAR_STAR, MIDDLE_WORD, angle=angle)
    assert joined(of_one_joker(apart(readings), readings)) == [[0, 1, 2]]
    assert joined(of_one_joker([Group([0, 1]), Group([2])], readings)) == [[0, 1, 2]]
    aside = marks(STAR, FAR_STAR, MIDDLE_WORD + np.array([14, 0]), angle=angle)
    assert joined(of_one_joker(apart(aside), aside)) == [[0], [1], [2]]


def test_two_far_stars_or_such_with_a_card_between_are_two_jokers() -> None:
    far = marks(STAR * 4, FAR_STAR * 4, MIDDLE_WORD * 4)
    small = [replace(r, quad=r.quad.mean(0) + (r.quad - r.quad.mean(0)) / 4) for r in far]
    assert joined(of_one_joker(apart(small), small)) == [[0], [1], [2]]
    between = [*marks(STAR, FAR_STAR, MIDDLE_WORD), reading("4H", seen(STAR + np.array([20, 38]), ANGLE, X, Y))]
    assert joined(of_one_joker(apart(between), between)) == [[0], [1], [2], [3]]


def test_three_jokers_of_a_fan_stay_three() -> None:
    stars = [reading("JOKER", seen(STAR, ANGLE + 0.1 * k, X + 30 * k, Y)) for k in range(3)]
    assert joined(of_one_joker(apart(stars), stars)) == [[0], [1], [2]]
    words = [reading("JOKER", seen(WORD, ANGLE + 0.1 * k, X + 30 * k, Y)) for k in range(3)]
    assert joined(of_one_joker(apart(words), words)) == [[0], [1], [2]]


@pytest.mark.parametrize("angle", [0.0, 0.3, 1.9])
def test_two_words_on_their_heads_where_a_cards_ends_are_are_one_cards(angle: float) -> None:
    readings = marks(WORD, FAR_WORD, angle=angle)
    assert joined(of_one_joker(apart(readings), readings)) == [[0, 1]]
    farther = marks(WORD, FAR_WORD + np.array([0, 30]), angle=angle)
    assert joined(of_one_joker(apart(farther), farther)) == [[0], [1]], "no card is so long"
    alike = marks(WORD, FAR_WORD[[2, 3, 0, 1]], angle=angle)
    assert joined(of_one_joker(apart(alike), alike)) == [[0], [1]], "both stand upright"
    covered = [*readings, reading("4H", seen(STAR + np.array([25, 40]), angle, X, Y))]
    assert joined(of_one_joker(apart(covered), covered)) == [[0], [1], [2]], "another card lies there"
    others = marks(WORD, FAR_WORD, label="8S", angle=angle)
    assert joined(of_one_joker(apart(others), others)) == [[0], [1]], "of other cards the grouping knows more"


def test_a_mark_beside_the_outline_that_two_others_fill_is_another_jokers() -> None:
    outline = Found(CARD, seen(CARD_MM, ANGLE, X, Y), 0.7)
    readings = marks(STAR, STAR - np.array([40, 0]), FAR_STAR)
    assert joined(with_far_marks_parted([Group([0, 1, 2])], readings, [outline])) == [[0, 2], [1]]
    inside = marks(STAR, MIDDLE_WORD, FAR_STAR)
    assert joined(with_far_marks_parted([Group([0, 1, 2])], inside, [outline])) == [[0, 1, 2]]
    assert joined(with_far_marks_parted([Group([0, 1, 2])], readings, [])) == [[0, 1, 2]]


def test_sightings_of_a_word_and_both_stars_are_one_card() -> None:
    quads = [as_quad(seen(shape, ANGLE, X, Y)) for shape in (STAR, FAR_STAR, MIDDLE_WORD)]
    one, other, word = (
        CardSighting("card", quad, "JOKER", chance, {"JOKER": chance}, (quad,))
        for quad, chance in zip(quads, (0.9, 0.97, 0.8), strict=True)
    )
    ace = replace(word, label="AS", probabilities={"AS": 0.8})
    (seen_once,) = without_words_between([one, word, other])
    assert seen_once.confidence == 0.97 and len(seen_once.indices) == 3
    both = replace(one, indices=(*one.indices, *other.indices))
    assert len(without_words_between([both, word])) == 1
    assert without_words_between([one, ace, other]) == [one, ace, other]
