"""Two indices of one name are one card's ends, unless each stands in the corner of an outline of its own."""

from __future__ import annotations

import numpy as np
from laid_cards import CARD_MM, INDEX_MM, both, reading, seen

from vision.cards.detector import CARD, Found
from vision.cards.grouping import group
from vision.cards.indices import IndexReading
from vision.sightings import FACES

BELOW = np.array([[9, 84.9], [3, 84.9], [3, 73.9], [9, 73.9]], np.float32)
"""The lower index on a four-index card's left side, on its head."""


def outline(x: float, y: float, confidence: float) -> Found:
    return Found(CARD, seen(CARD_MM, 0.0, x, y), confidence)


def test_an_equal_card_over_half_of_another_is_two_though_each_shows_one_index() -> None:
    """The lower one's far end is covered, and of the upper one an index was not found: the two lie as one card's do."""
    lower, _ = both("5S", 0.0, 300, 300)
    _, upper = both("5S", 0.0, 324, 269)
    cards = [outline(300, 300, 0.74), outline(324, 269, 0.82)]
    assert sorted(sorted(g.members) for g in group([lower, upper], cards)) == [[0], [1]]
    assert [sorted(g.members) for g in group([lower, upper], [outline(300, 300, 0.5)])] == [[0, 1]], "nothing says so"


def test_of_two_equal_cards_the_far_end_is_the_ones_in_whose_outline_both_stand() -> None:
    """Seen askew, the lower one's index may lie better for it."""
    near, far = both("5S", 0.0, 300, 300)
    near = reading("5S", np.asarray(near.quad + np.array([6, 3]), np.float32))
    other = reading("5S", seen(INDEX_MM, 0.0, 255, 302))
    found = [near, far, other]
    assert sorted(sorted(g.members) for g in group(found, [outline(300, 300, 0.8)])) == [[0, 1], [2]]


def test_a_card_that_was_outlined_twice_is_one() -> None:
    cards = [outline(300, 300, 0.9), outline(309, 291, 0.8)]
    assert [sorted(g.members) for g in group(both("5S", 0.0, 300, 300), cards) if g.members] == [[0, 1]]


def test_a_weak_index_of_a_card_that_shows_its_other_end_is_not_the_far_end_of_an_equal_card_beside_it() -> None:
    """Two kings of clubs of a four-index deck, side by side: one with its weak upper right index, and of the other,
    whose outline a hand hides, the lower left one."""
    mirrored, far = np.array([63.5, 0], np.float32), np.array([63.5, 88.9], np.float32)
    right = (INDEX_MM * [-1, 1] + mirrored)[[1, 0, 3, 2]].astype(np.float32)
    weak = reading("KS", seen(right, 0.0, 300, 300), 0.62)
    weak.chances[FACES.index("KC")] = 0.3
    own = reading("KC", seen((far - right).astype(np.float32), 0.0, 300, 300))
    other = reading("KC", seen(BELOW, 0.0, 552, 300))
    together = [*both("KC", 0.0, 300, 300), own, weak, other]
    assert sorted(sorted(g.members) for g in group(together, [outline(300, 300, 0.8)])) == [[0, 1, 2, 3], [4]]


def side(label: str, x: float, upper: float = 0.97, lower: float = 0.97) -> list[IndexReading]:
    """Both indices along the left side of a four-index card, read so surely."""
    places = ((INDEX_MM, upper), (BELOW, lower))
    return [reading(label, seen(quad, 0.0, x, 300), chance) for quad, chance in places]


def test_a_weak_reading_borne_out_beside_is_no_misreading_of_a_card_farther_along() -> None:
    """The lower index of one and the upper of another lie as a card's ends do, and the weak one finds the other's name
    likely enough."""
    nine, seven = side("9H", 300), side("7H", 402, lower=0.3)
    seven[1].chances[FACES.index("9H")] = 0.2
    assert sorted(sorted(g.members) for g in group([*nine, *seven], [])) == [[0, 1], [2, 3]]
    groups = [sorted(g.members) for g in group([nine[0], seven[1]], [])]
    assert groups == [[0, 1]], "alone it may be the nine's other end"


def test_an_outline_over_two_cards_sides_does_not_join_names_that_were_each_read_twice() -> None:
    six, ten = side("6C", 300, 0.6, 0.6), side("10H", 402, 0.65, 0.65)
    assert sorted(sorted(g.members) for g in group([*six, *ten], [outline(300, 300, 0.9)]) if g.members) == [
        [0, 1],
        [2, 3],
    ]


def test_indices_that_take_most_of_a_card_are_one_cards_ends() -> None:
    """Rank over suit, more than half as tall as the card: in one rendered fan .64 of their height lay between."""
    upper = np.array([[3, 2], [25, 2], [25, 55], [3, 55]], np.float32)
    ends = (upper, np.array([63.5, 88.9], np.float32) - upper)
    readings = [reading("4H", seen(q, 1.0, 300, 300)) for q in ends]
    assert [sorted(g.members) for g in group(readings, [])] == [[0, 1]]
