"""Two indices of one name are one card's ends, unless each stands in the corner of an outline of its own."""

from __future__ import annotations

from laid_cards import CARD_MM, both, seen

from vision.cards.detector import CARD, Found
from vision.cards.grouping import group


def outline(x: float, y: float, confidence: float) -> Found:
    return Found(CARD, seen(CARD_MM, 0.0, x, y), confidence)


def test_an_equal_card_over_half_of_another_is_two_though_each_shows_one_index() -> None:
    """The lower one's far end is covered, and of the upper one an index was not found: the two lie as one card's do."""
    lower, _ = both("5S", 0.0, 300, 300)
    _, upper = both("5S", 0.0, 324, 269)
    cards = [outline(300, 300, 0.74), outline(324, 269, 0.82)]
    assert sorted(sorted(g.members) for g in group([lower, upper], cards)) == [[0], [1]]
    assert [sorted(g.members) for g in group([lower, upper], [outline(300, 300, 0.5)])] == [[0, 1]], "nothing says so"


def test_a_card_that_was_outlined_twice_is_one() -> None:
    cards = [outline(300, 300, 0.9), outline(309, 291, 0.8)]
    assert [sorted(g.members) for g in group(both("5S", 0.0, 300, 300), cards) if g.members] == [[0, 1]]
