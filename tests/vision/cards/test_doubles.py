"""A card that was listed as two of its name is asked about; two equal cards that lie as cards do stay two."""

from __future__ import annotations

import numpy as np
import pytest
from laid_cards import CARD_MM, LOWER, LOWER_LEFT, UPPER, UPPER_RIGHT, seen

from vision.cards.doubles import with_doubles_open
from vision.cards.naming import as_quad
from vision.cards.patches import Floats
from vision.sightings import CardSighting

ANGLE, X, Y = 0.6, 300.0, 200.0
SQUASHED = np.array([0.75, 1.0], np.float32)


def moved(index: Floats, right: float, down: float) -> Floats:
    return np.asarray(index + np.array([right, down], np.float32), np.float32)


def card(
    label: str, *indices: Floats, sure: float = 0.99, kind: str = "card", shape: Floats = SQUASHED
) -> CardSighting:
    quads = tuple(as_quad(seen(q, ANGLE, X, Y) * shape) for q in indices)
    place = as_quad(seen(CARD_MM, ANGLE, X, Y) * shape)
    return CardSighting(kind, place, label, sure, {label: sure}, quads)  # type: ignore[arg-type]


def kinds(*cards: CardSighting) -> list[str]:
    return [s.kind for s in with_doubles_open(cards)]


@pytest.mark.parametrize("left_over", [UPPER_RIGHT, LOWER_LEFT, LOWER])
def test_one_index_where_the_other_card_has_its_next_is_asked_about(left_over: Floats) -> None:
    assert kinds(card("KD", UPPER), card("KD", left_over, sure=0.97)) == ["card", "unsure"]


def test_the_one_of_fewer_indices_is_asked_about() -> None:
    assert kinds(card("KD", LOWER_LEFT), card("KD", UPPER, LOWER)) == ["unsure", "card"]
    assert kinds(card("KD", UPPER, LOWER_LEFT), card("KD", UPPER_RIGHT)) == ["card", "unsure"]


def test_the_index_beside_a_court_cards_pip_that_was_paired_in_its_place_is_asked_about() -> None:
    pip = moved(UPPER, 9, 7)
    assert kinds(card("QS", pip, LOWER), card("QS", UPPER, sure=0.976)) == ["card", "unsure"]


def test_no_equal_card_lies_on_one_whose_two_ends_show() -> None:
    assert kinds(card("QS", UPPER, LOWER), card("QS", moved(UPPER, 9, 6), sure=0.97)) == ["card", "unsure"]
    assert kinds(card("QS", UPPER, LOWER), card("QS", moved(UPPER, 20, 25), sure=0.97)) == ["card", "unsure"]


def test_an_equal_card_beneath_or_aside_stays() -> None:
    whole = card("8H", UPPER, LOWER)
    for right, down in ((-10, 1), (-30, -40), (90, 0), (12, -20), (0, 95)):
        assert kinds(whole, card("8H", moved(UPPER, right, down))) == ["card", "card"], (right, down)


def test_in_a_row_another_cards_index_parts_two_equal_ones() -> None:
    two = card("8H", UPPER), card("8H", UPPER_RIGHT, sure=0.97)
    assert kinds(*two) == ["card", "unsure"]
    assert kinds(*two, card("3S", moved(UPPER, 25, 1))) == ["card", "card", "card"]


def test_two_equal_cards_beside_each_other_in_a_fan_stand_nearer_than_a_cards_two_upper_corners() -> None:
    narrow = np.array([[3, 4], [7, 4], [7, 15], [3, 15]], np.float32)
    two = card("8H", narrow), card("8H", moved(narrow, 24, 2), sure=0.97)
    assert kinds(*two) == ["card", "unsure"], "nothing says how wide a card is"
    whole = card("QS", moved(UPPER, 60, 20), moved(LOWER, 60, 20))
    assert kinds(*two, whole) == ["card", "card", "card"]
    abreast = card("8H", narrow), card("8H", moved(narrow, 42, 0), sure=0.97)
    assert kinds(*abreast, whole) == ["card", "unsure", "card"]


def test_two_indices_that_were_paired_across_two_equal_cards_of_a_fan_are_no_cards_ends() -> None:
    """The upper one of the first, and of the second the lower left one, a third of a card's width farther in."""
    lower_left = moved(LOWER_LEFT, 12, 2)
    paired, left = card("6D", UPPER, lower_left), card("6D", moved(UPPER, 12, 2), sure=0.97)
    whole = card("QS", moved(UPPER, 60, 20), moved(LOWER, 60, 20))
    assert kinds(paired, left, whole) == ["card", "card", "card"]


def test_other_names_jokers_and_what_is_asked_about_already_stay() -> None:
    assert kinds(card("KD", UPPER), card("KH", LOWER)) == ["card", "card"]
    assert kinds(card("JOKER", UPPER), card("JOKER", LOWER)) == ["card", "card"]
    assert kinds(card("KD", UPPER), card("KD", LOWER, kind="unsure")) == ["card", "unsure"]
    assert kinds(card("KD"), card("KD", LOWER)) == ["card", "card"]


def test_indices_in_one_line_with_themselves_are_no_frame() -> None:
    flat = np.array([0.75, 0.0], np.float32)
    assert kinds(card("KD", UPPER, LOWER, shape=flat), card("KD", UPPER_RIGHT, shape=flat)) == ["card", "card"]


def test_an_index_left_over_where_a_fans_other_cards_have_their_next_is_asked_about() -> None:
    """Another equal card's index was paired with its card's upper one."""

    def held(label: str, k: int, *indices: Floats) -> CardSighting:
        quads = tuple(as_quad(seen(q, 0.1 * k, 200.0 + 50 * k, 200.0)) for q in indices)
        return CardSighting("card", as_quad(seen(CARD_MM, 0.1 * k, 200.0 + 50 * k, 200.0)), label, 0.99, {}, quads)

    fan = [held(label, k, UPPER, LOWER_LEFT) for k, label in enumerate(("9D", "QC", "2C", "6D"))]
    upper, lower, another = held("10C", 4, UPPER), held("10C", 4, LOWER_LEFT), held("10C", 7, LOWER_LEFT)
    mispaired = CardSighting("card", upper.corners, "10C", 0.99, {}, (*upper.indices, *another.indices))
    assert kinds(*fan, mispaired, lower) == ["card"] * 5 + ["unsure"]
    whole = held("10C", 4, UPPER, LOWER_LEFT)
    assert kinds(*fan, whole, another) == ["card"] * 6
    assert kinds(*fan[:2], mispaired, lower) == ["card"] * 4, "two cards say nothing of where others have theirs"
