"""Two equal cards of two packs, close upon each other in a fan of four-index cards, stay two."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from laid_cards import INDEX_MM, reading, seen

from vision.cards.detector import CARD, Found
from vision.cards.equals import apart_where_others_lie_between, parted
from vision.cards.grouping import group
from vision.cards.groups import Group
from vision.cards.indices import IndexReading
from vision.sightings import FACES, JOKER

STEP = 22.0
"""Millimetres from one card to the next."""


def card(label: str, k: float, corners: str = "ad") -> list[IndexReading]:
    """Indices of the card at place ``k`` of a row, in the corners named: a, b, c, d clockwise from its own top-left."""
    w, h = 63.5, 88.9
    places = {
        "a": INDEX_MM,
        "b": INDEX_MM + np.array([w - 12, 0]),
        "c": np.array([w, h]) - INDEX_MM,
        "d": np.array([12, h]) - INDEX_MM,
    }
    at = np.array([k * STEP, 0], np.float32)
    return [reading(label, seen((places[c] + at).astype(np.float32), 0.05, 100, 100)) for c in corners]


def hand(*labels: str) -> list[str]:
    """The names of the cards found in a row whose last one lies on top."""
    *under, top = labels
    readings = [r for k, label in enumerate(under) for r in card(label, k)] + card(top, len(under), "abcd")
    return sorted(FACES[readings[g.members[0]].best] for g in group(readings, []) if g.members)


def test_two_equal_cards_side_by_side_are_two() -> None:
    assert hand("KS", "4H", "4H", "2C", "9D", "7S", "QD") == ["2C", "4H", "4H", "7S", "9D", "KS", "QD"]


def test_two_equal_cards_with_another_between_them_are_two() -> None:
    assert hand("KS", "4H", "4S", "4H", "9D", "7S", "QD") == ["4H", "4H", "4S", "7S", "9D", "KS", "QD"]


def test_what_peeps_out_from_under_a_card_lies_not_between_two(tall: float = 0.74) -> None:
    """Of a five beneath a three the lower end showed beyond the three's edge, half as wide a step away."""
    three, five = card("3S", 0, "cdab"), card("5H", 0, "c")[0]
    sides = [r for k in range(3) for r in card(f"{k + 2}H", k - 6)]
    others = [Group([0, 1]), Group([2, 3]), Group([4, 5]), Group([6])]
    below = five.quad + (three[0].quad - five.quad).mean(0)
    aside = (three[1].centre - three[0].centre) / 4
    for part, parts in ((tall, 1), (1.0, 2)):
        rank = below.copy()
        rank[2:] += (1 - part) * (below[[1, 0]] - below[2:])
        spread = [*sides, replace(five, quad=(rank + aside).astype(np.float32)), *three]
        assert len(parted([*others, Group([7, 8, 9, 10])], spread)[4:]) == parts


EDGE = (63.5 - 12) / STEP
"""Steps from one upper index of a four-index card to the other."""


def named(readings: list[IndexReading]) -> list[str]:
    return sorted(FACES[readings[g.members[0]].best] for g in group(readings, []) if g.members)


def test_two_equal_cards_as_far_apart_as_upper_indices_are_two_where_a_card_on_top_shows_two_in_all() -> None:
    spread = card("6S", 0, "a") + card("6S", EDGE, "a") + card("2C", EDGE + 1, "a")
    assert named(spread + card("QD", EDGE + 2, "ac")) == ["2C", "6S", "6S", "QD"]


def test_a_cards_upper_indices_are_one_cards_where_another_shows_more_than_two() -> None:
    spread = card("6S", 0, "ab") + card("2C", EDGE + 1, "a")
    assert named(spread + card("QD", EDGE + 2, "abc")) == ["2C", "6S", "QD"]


def test_the_card_on_top_that_shows_all_its_indices_is_one() -> None:
    assert hand("KS", "2C", "9D", "7S", "QD").count("QD") == 1


def test_of_two_equal_cards_one_may_show_a_single_index() -> None:
    """The next card hides the lower left index of the one below it."""
    under = [r for k, label in enumerate(("KS", "2D", "5C", "9D")) for r in card(label, k)]
    for away in (1, 2):
        between = card("JC", 5) if away == 2 else []
        spread = [*under, *card("4H", 4, "a"), *between, *card("4H", 4 + away), *card("7S", 5 + away, "abcd")]
        assert named(spread).count("4H") == 2, away


def test_two_upper_indices_with_another_card_s_between_them_are_two_cards_and_jokers_too() -> None:
    for label in ("3D", JOKER):
        groups = [Group([0, 1]), Group([2]), Group([3])]
        readings = card(label, 0, "a") + card(label, 2, "a") + card("KS", 1, "a") + card("9C", 3, "a")
        parted = apart_where_others_lie_between(groups, readings)
        assert sorted(g.members for g in parted) == [[0], [1], [2], [3]]
        beside = [Group([0, 1]), Group([3])]
        assert apart_where_others_lie_between(beside, readings) == beside, "nothing between, nothing parted"


def test_a_cards_two_upper_indices_stay_one_cards_where_none_stands_between_them() -> None:
    groups = [Group([0, 1]), Group([2])]
    readings = card("3D", 0, "ab") + card("KS", EDGE + 1, "a")
    assert apart_where_others_lie_between(groups, readings) == groups


FAN = [r for k, label in enumerate(("KS", "2D", "JH", "8C", "9S")) for r in card(label, k - 6, "a")]
"""Five cards that show one index each, and their groups."""
LONE = [Group([k]) for k in range(len(FAN))]


def of_three(*three: IndexReading, among: list[IndexReading] = FAN) -> list[int]:
    """How many indices each card shows that three indices are found to be of."""
    lone = [Group([k]) for k in range(len(among))]
    group = Group([len(among) + k for k in range(3)])
    return sorted(len(g.members) for g in parted([*lone, group], [*among, *three])[len(lone) :])


def test_two_equal_cards_of_a_deck_with_two_indices_do_not_share_the_one_that_shows_below() -> None:
    """The next card hides the lower end of all but the last."""
    assert of_three(*card("3D", 0, "a"), *card("3D", 1, "ac")) == [1, 2]
    assert of_three(*card("3D", 0, "a"), *card("3D", 2, "ac")) == [3], "as far apart as a card's own"
    assert of_three(*card("3D", 0, "a"), *card("3D", 1, "ac"), among=FAN[1:]) == [3], "no fan, but cards seen aslant"
    assert of_three(*card("3D", 0, "ac"), *card("3D", 1, "c")) == [3], "half a queen below is a good 2"


def turned(label: str, angle: float, x: float) -> list[IndexReading]:
    """The left side of a card of a fan that is held by its lower end."""
    lower_left = np.array([12, 88.9], np.float32) - INDEX_MM
    about = np.array([0, 88.9 * 2], np.float32)
    return [reading(label, seen(q - about, angle, x, 600)) for q in (INDEX_MM, lower_left)]


def test_two_equal_cards_of_a_fan_are_two_though_few_others_show_how_the_deck_is_printed() -> None:
    spread = [*turned("7S", -0.5, 500), *turned("7S", 0.0, 500)]
    assert [sorted(g.members) for g in parted([*LONE, Group([5, 6, 7, 8])], [*FAN, *spread])[5:]] == [[5, 6], [7, 8]]


def test_of_a_fan_no_card_is_much_narrower_at_one_end() -> None:
    """Its neighbours show how the deck is printed, and the two stand nearly alike, as far apart as one's own."""
    sides = [r for k in range(3) for r in card(f"{k + 2}H", k - 6)]
    others = [Group([2 * k, 2 * k + 1]) for k in range(3)]
    tapered = [*turned("9S", 0.0, 600), *turned("9S", 0.25, 630)]
    even = [*card("9S", 0), *card("9S", 2)]
    for four, parts in ((tapered, [[6, 7], [8, 9]]), (even, [[6, 7, 8, 9]])):
        found = parted([*others, Group([6, 7, 8, 9])], [*sides, *four])
        assert sorted(sorted(g.members) for g in found[3:]) == parts


def test_two_equal_cards_of_a_fan_are_two_where_one_on_top_shows_how_wide_the_deck_is() -> None:
    """The next card hides all but the upper index of the lower one, and large indices leave a card not much longer than
    wide."""
    low = np.array([0, -45], np.float32)

    def short(label: str, k: float, corners: str) -> list[IndexReading]:
        moved = [
            replace(r, quad=r.quad + (low if c in "cd" else 0))
            for c, r in zip(corners, card(label, k, corners), strict=True)
        ]
        return [replace(r, quad=np.asarray(r.quad, np.float32)) for r in moved]

    sides = [r for k in range(3) for r in short(f"{k + 2}H", k - 6, "ad")]
    others = [Group([2 * k, 2 * k + 1]) for k in range(3)]
    top = short("QD", 4, "abcd")
    three = [*short("9S", 0, "a"), *short("9S", 1.3, "ad")]
    groups = [*others, Group([6, 7, 8, 9]), Group([10, 11, 12])]
    found = parted(groups, [*sides, *top, *three])
    assert sorted(sorted(g.members) for g in found[4:]) == [[10], [11, 12]]
    alone = parted([*others, Group([6, 7, 8])], [*sides, *three])
    assert sorted(sorted(g.members) for g in alone[3:]) == [[6, 7, 8]], "nothing says how wide"
    broad = [*short("7H", -12, "ad"), *short("7H", -8, "ad"), *short("9S", 0, "a"), *short("9S", 1.6, "ad")]
    found = parted([*others, Group([6, 7, 8, 9]), Group([10, 11, 12])], [*sides, *broad])
    assert sorted(found[-1].members) == [10, 11, 12], "nor do two cards taken for one"


def test_an_equal_card_s_index_is_not_the_fourth_corner_of_the_card_on_top() -> None:
    """Of the one on top the upper right corner was not read; the other one's stands where a side's index might."""
    top, other = card("6S", 0, "acd"), seen(INDEX_MM - np.array([26, 16], np.float32), -0.25, 100, 100)
    spread = [*FAN, *top, reading("6S", other)]
    found = parted([*LONE, Group([5, 6, 7, 8])], spread)
    assert sorted(sorted(g.members) for g in found[5:]) == [[5, 6, 7], [8]]
    small = [replace(r, quad=(r.quad + 2 * r.centre) / 3) for r in card("6S", 0, "abcd")]
    whole = parted([*LONE, Group([5, 6, 7, 8])], [*FAN, *small])
    assert sorted(whole[-1].members) == [5, 6, 7, 8], "print too small to say which two are one side's"


def test_an_index_that_stands_in_no_corner_of_the_outline_is_not_one_of_the_four_of_the_card_that_fills_it() -> None:
    """Of a three of spades the upper left index was not found; half that of the clubs beneath was a spade."""
    sides = [r for k in range(3) for r in card(f"{k + 2}H", k - 6)]
    others = [Group([2 * k, 2 * k + 1]) for k in range(3)]
    aside = reading("3S", seen(INDEX_MM + np.array([18, 0], np.float32), 0.05, 100, 100), 0.67)
    edges = np.array([[0, 0], [63.5, 0], [63.5, 88.9], [0, 88.9]], np.float32)
    outline = Found(CARD, seen(edges, 0.05, 100, 100), 0.7)
    spread = [*sides, aside, *card("3S", 0, "bcd")]
    found = parted([*others, Group([6, 7, 8, 9], outline)], spread)[3:]
    assert [(g.members, g.outline) for g in found] == [([6], None), ([7, 8, 9], outline)]
    assert sorted(len(g.members) for g in parted([*others, Group([6, 7, 8, 9])], spread)[3:]) == [2, 2]
    # With two of its own, across from each other, the odd one makes three.
    outline, spread = replace(outline, confidence=0.8), [*sides, aside, *card("3S", 0, "bd")]
    found = parted([*others, Group([6, 7, 8], outline)], spread)[3:]
    assert [(g.members, g.outline) for g in found] == [([6], None), ([7, 8], outline)]
    edges[0] = (-22, 20)
    askew = Found(CARD, seen(edges, 0.05, 100, 100), 0.7)
    spread = [*sides, *card("3S", 0, "abcd")]
    assert [g.members for g in parted([*others, Group([6, 7, 8, 9], askew)], spread)[3:]] == [[6, 7, 8, 9]], "all four"


def test_the_side_that_was_taken_together_with_its_like_s_goes_back_to_its_own_card() -> None:
    """Two jacks of diamonds of a meld, of which the one on top shows all its indices, were three."""
    sides = [r for k in range(3) for r in card(f"{k + 2}H", k - 9)]
    others = [Group([0, 1]), Group([2, 3]), Group([4, 5]), Group([6, 7, 8, 9])]
    whole, under, top = card("9C", -5, "abcd"), card("JD", 0, "ad"), card("JD", 1, "adbc")
    spread = [*sides, *whole, *under, *top]
    taken = [Group([10, 12, 13, 11]), Group([14, 15])]
    found = parted([*others, *taken], spread)
    assert sorted(sorted(g.members) for g in found[4:]) == [[10, 11], [12, 13, 14, 15]]
    beside = parted([*others, Group([10, 12, 13, 11])], spread)
    assert sorted(sorted(g.members) for g in beside[4:]) == [[10, 11], [12, 13]], "not with its like again"


def test_an_index_that_was_misread_and_lies_askew_is_not_a_card_of_its_own() -> None:
    """Of a card's three indices the one that the next card half covers has another name."""
    askew = reading("7S", seen(INDEX_MM + np.array([16, 2], np.float32), 0.4, 100, 100), 0.5)
    assert of_three(*card("3C", 0), askew) == [3]


def test_the_sides_of_two_equal_cards_of_a_fan_stay_whole_where_one_outline_holds_three_of_their_ends() -> None:
    """Two queens of a fan, one card apart: an outline of the lower one took the other's lower end for its own."""
    sides = [r for k in range(3) for r in card(f"{k + 2}H", k - 6)]
    others = [Group([2 * k, 2 * k + 1]) for k in range(3)]
    one, pivot = card("QC", 0), seen(np.array([[0, 250]], np.float32), 0.05, 100, 100)[0]
    c, s = np.cos(0.3), np.sin(0.3)
    turn = np.array([[c, -s], [s, c]], np.float32)
    two = [replace(r, quad=((r.quad - pivot) @ turn.T + pivot).astype(np.float32)) for r in one]
    # As wide as the other card's lower end is off.
    edges = seen(np.array([[0, 0], [63.5, 0], [63.5, 88.9], [0, 88.9]], np.float32), 0.05, 100, 100)
    edges[1:3] += two[1].centre - card("QC", 0, "c")[0].centre
    outline = Found(CARD, edges, 0.7)
    found = parted([*others, Group([6, 7, 8, 9], outline)], [*sides, *one, *two])[3:]
    assert sorted(sorted(g.members) for g in found) == [[6, 7], [8, 9]]
