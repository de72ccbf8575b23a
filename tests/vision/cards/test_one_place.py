"""Two lone indices at the two ends of one place are one card that was misread."""

from __future__ import annotations

from laid_cards import CARD_MM, both, reading, seen

from vision.cards.detector import CARD, Found
from vision.cards.groups import Group, IndexSize
from vision.cards.naming import named
from vision.cards.one_place import with_places_of_their_own
from vision.sightings import JOKER

SIZE = IndexSize(6 / 63.5, 11 / 88.9)


def outline(x: float, y: float) -> Found:
    return Found(CARD, seen(CARD_MM, 0.3, x, y), 0.8)


def test_a_card_whose_ends_are_both_surely_named_and_differ_is_one_that_is_unsure() -> None:
    first, far = both("JH", 0.3, 300, 300)
    readings = [first, reading("3H", far.quad)]
    (card,) = with_places_of_their_own([Group([0], outline(300, 300)), Group([1])], readings, SIZE)
    assert sorted(card.members) == [0, 1] and card.outline is not None
    assert named(readings, first.quad).confidence < 0.85


def test_two_cards_one_stepped_off_the_other_stay_two() -> None:
    first, _ = both("JH", 0.3, 300, 300)
    _, far = both("3H", 0.3, 324, 282)
    assert len(with_places_of_their_own([Group([0]), Group([1])], [first, far], SIZE)) == 2


def test_jokers_and_cards_that_show_two_indices_are_left_alone() -> None:
    first, far = both("JH", 0.3, 300, 300)
    jokers = [reading(JOKER, first.quad), reading("3H", far.quad)]
    assert len(with_places_of_their_own([Group([0]), Group([1])], jokers, SIZE)) == 2
    whole = [*both("9C", 0.3, 302, 301), first]
    assert len(with_places_of_their_own([Group([0, 1]), Group([2])], whole, SIZE)) == 2


def test_an_end_drawn_too_wide_is_the_found_card_s_that_holds_both_in_facing_corners() -> None:
    """A small card looked at from aside, of which one end was read as spades: 76 % of the two places are common."""
    first, far = both("4C", 0.3, 300, 300)
    readings = [first, reading("4S", far.quad)]
    wide = IndexSize(5.1 / 63.5, 9.35 / 88.9)
    assert len(with_places_of_their_own([Group([0]), Group([1])], readings, wide)) == 2
    (card,) = with_places_of_their_own([Group([0], outline(300, 300)), Group([1])], readings, wide)
    assert sorted(card.members) == [0, 1]
