"""In a fan of four-index cards, what lies where a card has its other end is no card more, whatever it was read as."""

from __future__ import annotations

import numpy as np
from laid_cards import INDEX_MM, seen

from vision.cards.detector import CARD, Found
from vision.cards.naming import as_quad
from vision.cards.other_ends import with_doubtful_ends, without_measured_ends, without_other_ends
from vision.cards.patches import Floats
from vision.sightings import JOKER, CardSighting

W, H = 63.5, 88.9
UPPER = INDEX_MM
LOWER = (np.array([12, H]) - INDEX_MM).astype(np.float32)
UPPER_RIGHT = (INDEX_MM + np.array([W - 12, 0])).astype(np.float32)
LOWER_RIGHT = (np.array([W, H]) - INDEX_MM).astype(np.float32)


def card(label: str, k: float, *indices: Floats, kind: str = "card") -> CardSighting:
    """A card at place ``k`` of a fan, with the indices (millimetres on the card) that it shows."""
    quads = tuple(as_quad(seen(q, 0.1 * k, 200.0 + 46 * k, 200.0 + 5 * k)) for q in indices)
    return CardSighting(kind, quads[0], label, 0.97, {label: 0.97}, quads)  # type: ignore[arg-type]


BOTH = [card(f"{k + 2}S", k, UPPER, LOWER) for k in range(4)]


def left(*more: CardSighting, among: list[CardSighting] = BOTH) -> list[str | None]:
    return [s.label for s in without_other_ends([*among, *more])[len(among) :]]


def test_half_a_ten_read_as_a_queen_is_the_tens_lower_end() -> None:
    others = [card("KC", 5, UPPER), card("4H", 6, UPPER)]
    assert left(*others, card("10H", 7, UPPER), card("QD", 7, LOWER)) == ["KC", "4H", "10H"]
    unsure = card("QD", 7, LOWER, kind="unsure")
    assert left(*others, card("10H", 7, UPPER), unsure) == ["KC", "4H", "10H", "QD"], "that is asked about"


def test_a_card_stays_that_shows_its_lower_end_elsewhere_and_the_upright_one_of_two_does() -> None:
    others = [card("KC", 5, UPPER), card("10H", 7, UPPER)]
    assert left(*others, card("QD", 8, LOWER)) == ["KC", "10H", "QD"]
    assert left(card("10H", 7, UPPER), card("QD", 7, LOWER)) == ["10H", "QD"], "either may be the whole one"


def test_where_few_cards_show_both_ends_nothing_is_known() -> None:
    others = [card("KC", 5, UPPER), card("4H", 6, UPPER)]
    assert left(*others, card("QD", 6, LOWER), among=BOTH[:2]) == ["KC", "4H", "QD"]
    assert left(*others, card("QD", 6, LOWER), among=BOTH[:3]) == ["KC", "4H"]


def test_a_joker_read_from_the_rest_of_a_lower_end_is_none_however_it_is_turned() -> None:
    turned = np.roll(LOWER, 1, axis=0).astype(np.float32)
    assert left(card("10D", 7, UPPER), card(JOKER, 7, turned)) == ["10D"]
    assert left(card("10D", 7, UPPER), card(JOKER, 8, UPPER)) == ["10D", JOKER]


def test_a_bleached_corner_of_the_card_on_top_is_its_own() -> None:
    """It shows both lower indices, the upper one's rank is lost in a lamp's light, and a seven is read there."""
    top = card("10D", 5, LOWER, LOWER_RIGHT)
    assert left(top, card("7D", 5, UPPER), card("8C", 7, UPPER)) == ["10D", "8C"]
    side = card("10D", 5, LOWER, UPPER)
    assert left(side, card("7D", 5, UPPER), card("8C", 7, UPPER)) == ["10D", "7D", "8C"], "a card with both its own"


def test_what_may_be_the_other_end_of_a_card_of_its_colour_is_doubtful() -> None:
    others = [card("KC", 3, UPPER), card("4S", 5, UPPER), card("10D", 7, UPPER)]

    def doubtful(*more: CardSighting) -> list[str | None]:
        return [s.label for s in with_doubtful_ends([*others, *more]) if s.kind == "unsure"]

    assert doubtful(card("QD", 7, LOWER)) == ["QD"], "half a ten"
    assert doubtful(card("10H", 7, LOWER)) == ["10H"], "half a diamond"
    assert doubtful(card("QH", 7, LOWER)) == ["QH"], "both"
    assert doubtful(card("QS", 7, LOWER)) == [], "of another colour"
    assert doubtful(card("QD", 9, LOWER)) == [], "of another card of the fan"
    assert doubtful(card("QD", 7, UPPER_RIGHT)) == []
    assert doubtful(card("QD", 7, UPPER, LOWER)) == [], "it shows both ends itself"


def test_an_end_is_not_doubtful_that_sits_in_an_outline_beside_which_the_other_card_lies() -> None:
    fan = [card("KC", 3, UPPER), card("4S", 5, UPPER), card("10D", 7, UPPER), card("QD", 7, LOWER)]

    def doubtful(top: float, sure: float) -> list[str | None]:
        place = np.array([[0, top], [W, top], [W, H], [0, H]], np.float32)
        outline = Found(CARD, seen(place, 0.7, 200.0 + 46 * 7, 200.0 + 5 * 7), sure)
        return [s.label for s in with_doubtful_ends(fan, [outline]) if s.kind == "unsure"]

    assert doubtful(H / 2, 0.6) == [], "a card of its own"
    assert doubtful(0, 0.6) == ["QD"], "both lie on it"
    assert doubtful(H / 2, 0.4) == ["QD"], "too faint an outline"


def test_what_lies_from_a_card_as_the_two_ends_of_the_uppermost_is_that_cards_other_end() -> None:
    whole = card("5H", 9, UPPER, UPPER_RIGHT, LOWER_RIGHT)
    fan = [whole, card("KC", 1, UPPER), card("4S", 3, UPPER), card("10D", 5, UPPER)]

    def left(*more: CardSighting, among: list[CardSighting] = fan) -> list[str | None]:
        return [s.label for s in without_measured_ends([*among, *more])[len(among) :]]

    assert left(card("QH", 5, LOWER_RIGHT)) == []
    assert left(card("QH", 5, LOWER_RIGHT, kind="unsure")) == ["QH"], "that is asked about"
    assert left(card("QS", 5, LOWER_RIGHT)) == ["QS"], "of another colour"
    assert left(card("QH", 7, LOWER_RIGHT)) == ["QH"], "of another card of the fan"
    assert left(card("QH", 5, LOWER_RIGHT), among=[card("5H", 9, UPPER), *fan[1:]]) == ["QH"], "nothing to measure by"
    assert left(card("QH", 5, LOWER_RIGHT), among=[whole, fan[3]]) == ["QH"], "either may be the whole one"
    assert left(card("QH", 5, UPPER_RIGHT)) == ["QH"]
