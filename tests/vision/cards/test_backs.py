"""A card lying face down is one, however often it is found; two that lie stepped are two."""

from __future__ import annotations

import numpy as np
from laid_cards import reading

from vision.cards.backs import repeats_a_back, repeats_a_card
from vision.cards.detector import BACK, Found
from vision.cards.patches import Floats

UNDER, ASIDE = 30.0, 12.0


def card(x: float, y: float) -> Floats:
    return np.array([[x, y], [x + 80, y], [x + 80, y + 120], [x, y + 120]], np.float32)


def test_a_back_found_together_with_the_edge_of_the_face_under_it_is_the_same_back() -> None:
    """A double was dealt face down on a seven, and found once as it lay and once with a strip of the seven."""
    double, again = card(100, 100), card(100 - ASIDE, 100 + ASIDE)
    seven = card(100 - UNDER, 100 + UNDER / 2)
    assert repeats_a_back(again, [double], [seven, card(300, 100)])
    partly = [seven, card(100 - UNDER - 20, 100)]
    assert repeats_a_back(card(100 - ASIDE, 122), [double], partly), "a third of the strip is beside the faces"
    assert not repeats_a_back(again, [double], []), "stepped on the bare felt they are two cards face down"
    assert not repeats_a_back(again, [double], [card(100 + ASIDE, 100 - ASIDE)]), "the face lies on the other side"
    assert not repeats_a_back(card(160, 100), [double], [card(180, 100)]), "side by side"


def test_one_found_twice_in_one_place_is_one() -> None:
    assert repeats_a_back(card(102, 101), [card(100, 100)], [])


def test_a_back_beside_which_the_face_under_it_shows_its_index_is_no_repetition_of_that() -> None:
    """A face's outline was found half way to the double upon it, and hid that whenever it was looked at closely."""
    double, half_way = Found(BACK, card(100, 100), 0.6), card(93, 104)
    beside, on_it = card(91, 140).copy(), card(112, 112).copy()
    for quad in (beside, on_it):
        quad[[1, 2], 0], quad[[2, 3], 1] = quad[0, 0] + 8, quad[0, 1] + 14
    assert not repeats_a_card(double, [half_way], [reading("6S", beside)])
    assert repeats_a_card(double, [half_way], [reading("6S", on_it)]), "a face taken for a back"
    hardly = reading("6S", on_it, 0.3)
    assert not repeats_a_card(double, [half_way], [hardly, reading("6S", beside)]), "its own pattern"
    assert repeats_a_card(double, [half_way], [hardly]), "nothing shows beside it"
