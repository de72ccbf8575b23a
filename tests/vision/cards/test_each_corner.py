"""A card of which two sightings show some indices each is listed once."""

from __future__ import annotations

import numpy as np
import pytest
from laid_cards import CARD_MM, LOWER, LOWER_LEFT, UPPER, UPPER_RIGHT, seen

from vision.cards.detector import CARD, Found
from vision.cards.each_corner import each_corner_once, each_jumbo_once
from vision.cards.naming import as_quad
from vision.cards.patches import Floats
from vision.sightings import CardSighting

ANGLE, X, Y = 0.6, 300.0, 200.0


def card(
    label: str, *indices: Floats, chances: dict[str, float] | None = None, aside: float = 0.0, kind: str = "card"
) -> CardSighting:
    names = chances or {label: 0.97}
    move = np.array([aside, 0], np.float32)
    quads = tuple(as_quad(seen(q + move, ANGLE, X, Y)) for q in indices)
    place = as_quad(seen(CARD_MM + move, ANGLE, X, Y))
    return CardSighting(kind, place, label, names[label], names, quads)  # type: ignore[arg-type]


def listed(*seen_cards: CardSighting) -> list[tuple[str, str | None, int]]:
    return [(s.kind, s.label, len(s.indices)) for s in each_corner_once(seen_cards, 0.9)]


def test_two_of_one_name_with_a_corner_each_are_one_card() -> None:
    assert listed(card("5C", UPPER), card("5C", UPPER_RIGHT, LOWER, aside=-5)) == [("card", "5C", 3)]
    three = card("5C", UPPER), card("5C", LOWER), card("5C", UPPER_RIGHT)
    assert listed(*three) == [("card", "5C", 3)]


def test_a_lower_card_shows_the_same_corner_again() -> None:
    assert len(listed(card("5C", UPPER, LOWER), card("5C", UPPER, aside=-8))) == 2
    assert len(listed(card("5C", UPPER), card("5C", LOWER, aside=40))) == 2, "that lies elsewhere"


def test_two_equal_cards_of_a_fan_that_show_a_side_each_stay_two() -> None:
    assert len(listed(card("8H", UPPER), card("8H", UPPER_RIGHT))) == 2
    assert len(listed(card("8H", UPPER), card("8H", LOWER_LEFT))) == 2
    crosswise = card("8H", UPPER, LOWER), card("8H", UPPER_RIGHT, LOWER_LEFT, aside=5)
    assert len(listed(*crosswise)) == 2


def test_the_surer_suit_of_one_rank_and_colour_is_the_cards() -> None:
    king, other = {"KC": 0.99}, {"KS": 0.9, "KC": 0.08}
    assert listed(card("KC", UPPER, chances=king), card("KS", LOWER, chances=other)) == [("unsure", "KC", 2)]
    sure = {"KC": 0.99, "KS": 0.001}, {"KS": 0.5, "KC": 0.5}
    assert listed(card("KC", UPPER, chances=sure[0]), card("KS", LOWER, chances=sure[1])) == [("card", "KC", 2)]
    joined = each_corner_once([card("KC", UPPER, chances=king), card("KS", LOWER, chances=other)], 0.9)[0]
    assert joined.confidence == pytest.approx(0.99 * 0.08 / (0.99 * 0.08 + 0.02 * 0.9))


@pytest.mark.parametrize("other", ["KH", "QC", "JOKER"])
def test_other_ranks_and_colours_are_other_cards(other: str) -> None:
    assert len(listed(card("KC", UPPER), card(other, LOWER))) == 2


def test_two_jokers_are_another_matter() -> None:
    assert len(listed(card("JOKER", UPPER), card("JOKER", LOWER))) == 2


LONG = np.array([[4, 6], [20, 6], [20, 48], [4, 48]], np.float32)
"""Rank and pip of a card with four jumbo indices."""
LONG_RIGHT = (LONG + np.array([CARD_MM[2, 0] - 24, 0])).astype(np.float32)
WHOLE = Found(CARD, seen(CARD_MM, ANGLE, X, Y), 0.66)


def jumbo(*cards: CardSighting, outline: Found = WHOLE) -> list[tuple[str | None, int]]:
    return [(s.label, len(s.indices)) for s in each_jumbo_once(cards, [outline])]


def test_two_equal_jumbo_indices_side_by_side_in_one_outline_are_one_cards() -> None:
    two = card("7D", LONG), card("7D", LONG_RIGHT, aside=2)
    assert jumbo(*two, card("7C", UPPER, aside=90)) == [("7D", 2), ("7C", 1)]
    joined = each_jumbo_once(two, [WHOLE])[0]
    assert np.allclose(joined.corners, WHOLE.quad)


def test_jumbo_indices_of_two_cards_stay_two() -> None:
    step = np.array([20, 0], np.float32)
    assert len(jumbo(card("7D", LONG), card("7D", LONG + step))) == 2, "a card lies on the other"
    assert len(jumbo(card("7D", LONG), card("7C", LONG_RIGHT))) == 2
    assert len(jumbo(card("7D", UPPER), card("7D", UPPER_RIGHT))) == 2, "small ones of a fan, outlined as one"
    faint = Found(CARD, WHOLE.quad, 0.4)
    assert len(jumbo(card("7D", LONG), card("7D", LONG_RIGHT), outline=faint)) == 2
    assert len(jumbo(card("JOKER", LONG), card("JOKER", LONG_RIGHT))) == 2
