"""What peeps out at the far end of a fan is no card more, and an upper end that is read poorly is not lost."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from laid_cards import CARD_MM, INDEX_MM, both, reading, seen
from test_grouping import four

from vision.cards.detector import CARD, Found
from vision.cards.geometry import opposite
from vision.cards.grouping import group
from vision.cards.groups import Group
from vision.cards.indices import IndexReading
from vision.cards.patches import Floats
from vision.cards.weeds import without_far_ends, without_own_corners
from vision.sightings import FACES

BELOW = np.array([0, 88.9], np.float32) + INDEX_MM * np.array([1, -1], np.float32)
LOWER = np.asarray(BELOW[[1, 0, 3, 2]], np.float32)
"""The index in a four-index card's lower left corner, on its head."""


def fan(*cards: tuple[str, str, float], turn: float = 0.1) -> list[IndexReading]:
    """Cards of a four-index deck by their left sides, each turned from the one before: the upper end's name, the lower
    end's and how surely it is read; no lower end where that name is empty."""
    out = []
    for k, (upper, lower, sure) in enumerate(cards):
        angle, x, y = turn * k, 200 + 46 * k, 200 + 5 * k
        out.append(reading(upper, seen(INDEX_MM, angle, x, y)))
        if lower:
            out.append(reading(lower, seen(LOWER, angle, x, y), sure))
    return out


def names(readings: list[IndexReading]) -> list[str]:
    return [FACES[readings[g.members[0]].best] for g in group(readings, [])]


def test_a_half_covered_far_end_with_a_poor_name_is_no_card_more() -> None:
    whole = [("QD", "QD", 0.97), ("2S", "2S", 0.97), ("5H", "5H", 0.97), ("10C", "10C", 0.97)]
    readings = fan(*whole, ("8D", "3H", 0.6), ("KC", "", 0.0))
    assert sorted(names(readings)) == sorted(["QD", "2S", "5H", "10C", "8D", "KC"])


@pytest.mark.parametrize("turn", [0.0, 0.1])
def test_of_two_that_each_would_be_the_others_far_end_the_one_with_more_room_or_found_more_surely_stays(
    turn: float,
) -> None:
    whole = [("QD", "QD", 0.97), ("4S", "4S", 0.97), ("5H", "5H", 0.97), ("KS", "KS", 0.97)]
    *readings, upper, lower = fan(*whole, ("QS", "2S", 0.97), turn=turn)
    short = np.asarray(lower.quad[[0, 1, 1, 0]] + 0.9 * (lower.quad - lower.quad[[0, 1, 1, 0]]), np.float32)
    lower = replace(lower, quad=short)
    for first, second in ((0.7, 0.6), (0.6, 0.7)):
        found = names([*readings, replace(upper, found=first), replace(lower, found=second)])
        assert sorted(found) == sorted(["QD", "4S", "5H", "KS", "QS" if turn or first > second else "2S"])


def test_letters_beside_a_jokers_tall_word_are_no_half_of_its_other_end() -> None:
    """A joker's word stands on its side: two plain cards were lost for being shorter than it is long."""

    def taller(quad: Floats, times: float) -> Floats:
        return np.asarray(quad.mean(0) + (quad - quad.mean(0)) * [1, times], np.float32)

    upper, lower = both("JOKER", 0.0, 300, 300)
    word = replace(upper, quad=taller(upper.quad, 1.4))
    beside = [reading(name, seen(INDEX_MM, 0.0, x, 300)) for name, x in (("3D", 700), ("9S", 800), ("KH", 900))]
    for name, times, left in (("6C", 0.95, 5), ("6C", 0.6, 4), ("JOKER", 0.95, 5)):
        end = replace(reading(name, lower.quad, 0.97), quad=taller(lower.quad, times))
        outline = Found(CARD, seen(CARD_MM, 0.0, 300, 300), 0.8)
        groups = [Group([0]), Group([1], outline), *(Group([k]) for k in (2, 3, 4))]
        assert len(without_far_ends(groups, [word, end, *beside], [], False)) == left
    half = replace(reading("QC", lower.quad, 0.97), quad=taller(lower.quad, 0.6))
    two = [Group([0]), Group([1], Found(CARD, seen(CARD_MM, 0.0, 300, 300), 0.8))]
    assert len(without_far_ends(two, [word, half], [], False)) == 1, "by itself alone it is as tall as it is"


def test_an_outline_that_a_poorly_read_far_end_has_taken_is_given_to_its_card() -> None:
    upper, lower = both("KC", 0.1, 300, 300)
    low = np.array([63.5, 88.9], np.float32) - INDEX_MM * np.array([1, 0.4], np.float32)
    quad = seen(low, 0.1, 300, 300)
    assert not opposite(upper.quad, quad), "half covered it is found too small"
    misread = IndexReading(quad, reading("QC", lower.quad, 0.57).chances, 0.41)
    outline = Found(CARD, seen(CARD_MM, 0.1, 300, 300), 0.8)
    beside = reading("JH", seen(INDEX_MM, 0.1, 360, 260))
    groups = [Group([0]), Group([1], outline), Group([2])]
    left = without_far_ends(groups, [upper, misread, beside], [], False)
    assert [g.members for g in left] == [[0], [2]] and left[0].outline is outline
    elsewhere = Found(CARD, seen(CARD_MM, 0.1, 330, 330), 0.8)
    assert len(without_far_ends([Group([0]), Group([1], elsewhere)], [upper, misread], [], False)) == 2


def test_half_an_index_that_is_a_good_other_name_is_still_the_far_end() -> None:
    upper, lower = both("8S", 0.1, 300, 300)
    low = np.array([63.5, 88.9], np.float32) - INDEX_MM * np.array([1, 0.5], np.float32)
    outline = Found(CARD, seen(CARD_MM, 0.1, 300, 300), 0.8)
    half = IndexReading(seen(low, 0.1, 300, 300), reading("QC", lower.quad, 0.96).chances, 0.41)
    left = without_far_ends([Group([0]), Group([1], outline)], [upper, half], [], False)
    assert [g.members for g in left] == [[0]] and left[0].outline is outline
    whole = IndexReading(lower.quad, half.chances, 0.41)
    assert len(without_far_ends([Group([0]), Group([1], outline)], [upper, whole], [], False)) == 2
    sure = IndexReading(half.quad, reading("QC", lower.quad, 0.995).chances, 0.41)
    assert len(without_far_ends([Group([0]), Group([1], outline)], [upper, sure], [], False)) == 2


def test_a_doubtful_index_in_a_four_index_cards_own_corner_is_that_cards() -> None:
    ten, king = four("10C", 0.3, 300, 300), four("KC", 0.3, 500, 300)
    half = reading("QC", ten[1].quad, 0.9)
    assert names([ten[0], half, ten[2], *king]) == ["10C", "KC"]
    assert sorted(names([ten[0], reading("QC", ten[1].quad, 0.97), ten[2], *king])) == ["10C", "KC", "QC"]
    assert sorted(names([*both("10C", 0.3, 300, 300), half, *both("KC", 0.3, 500, 300)])) == ["10C", "KC", "QC"], (
        "of two"
    )


@pytest.mark.parametrize(
    ("name", "sure", "aside", "cards"),
    [("10C", 0.96, 0, 1), ("10C", 0.98, 0, 2), ("10C", 0.96, 8, 2), ("10C", 0.94, 8, 1), ("QC", 0.96, 0, 2)],
    ids=["just there", "beyond doubt", "a step aside", "aside and doubtful", "of another name"],
)
def test_a_card_of_the_same_name_is_read_surely_just_where_a_card_has_its_own_corner_and_is_that_one(
    name: str, sure: float, aside: float, cards: int
) -> None:
    ten = four("10C", 0.3, 300, 300)
    moved = ten[1].quad + seen(np.array([[aside, 0]], np.float32), 0.3, 0, 0)
    readings = [ten[0], ten[2], reading(name, moved, sure)]
    assert len(without_own_corners([Group([0, 1]), Group([2])], readings, [])) == cards


def test_of_a_card_that_shows_three_indices_whatever_is_read_just_where_the_fourth_belongs_is_that() -> None:
    jack = four("JH", 0.3, 300, 300)
    for aside, cards in ((0, 1), (8, 2)):
        moved = jack[1].quad + seen(np.array([[aside, 0]], np.float32), 0.3, 0, 0)
        readings = [jack[0], jack[2], jack[3], reading("3H", moved, 0.967)]
        assert len(without_own_corners([Group([0, 1, 2]), Group([3])], readings, [])) == cards, aside


def test_two_doubtful_indices_that_agree_in_a_four_index_cards_own_corners_are_that_cards() -> None:
    ten, king = four("10C", 0.3, 300, 300), four("KC", 0.3, 500, 300)
    one, other = [reading("QC", ten[k].quad, 0.9) for k in (1, 3)]
    assert names([ten[0], one, ten[2], other, *king]) == ["10C", "KC"]
    known = [reading("QC", ten[k].quad, 0.97) for k in (1, 3)]
    assert sorted(names([ten[0], known[0], ten[2], known[1], *king])) == ["10C", "KC", "QC"]


def test_two_doubtful_indices_beside_a_card_that_shows_one_side_are_the_next_card_of_a_row() -> None:
    ten, king = four("10C", 0.3, 300, 300), four("KC", 0.3, 500, 300)
    upper = ten[0]
    lower = next(q for q in ten if not opposite(q.quad, upper.quad) and q is not upper and q.quad[0, 1] > 350)
    others = [reading("QC", q.quad, 0.9) for q in ten if q is not upper and q is not lower]
    outlines = [Found(CARD, seen(CARD_MM, 0.3, 500, 300), 0.9)]
    found = group([upper, lower, *others, *king], outlines)
    readings = [upper, lower, *others, *king]
    assert sorted(FACES[readings[g.members[0]].best] for g in found if g.members) == ["10C", "KC", "QC"]


def test_a_doubtful_index_across_from_a_four_index_cards_side_is_that_cards() -> None:
    queen, king = four("QH", 0.3, 300, 300), four("KC", 0.3, 500, 300)
    upper, lower = [next(q for q in queen if np.allclose(q.quad, seen(it, 0.3, 300, 300))) for it in (INDEX_MM, LOWER)]
    (far,) = [q for q in queen if opposite(q.quad, upper.quad) and q is not lower]
    outlines = [Found(CARD, seen(CARD_MM, 0.3, 500, 300), 0.9)]

    def cards(*others: IndexReading) -> list[str]:
        readings = [upper, lower, *others, *king]
        return sorted(FACES[readings[g.members[0]].best] for g in group(readings, outlines) if g.members)

    assert cards(reading("QD", far.quad, 0.86)) == ["KC", "QH"]
    assert cards(reading("QD", far.quad, 0.97)) == ["KC", "QD", "QH"]
    assert cards(reading("QD", far.quad + np.float32(30), 0.86)) == ["KC", "QD", "QH"], "elsewhere"
    aside = far.quad + seen(np.array([[0, 11]], np.float32), 0.3, 0, 0)
    assert cards(reading("QC", aside, 0.86)) == ["KC", "QH"], "its suit is covered, so it is found a little aside"
    assert cards(reading("2C", aside, 0.86)) == ["2C", "KC", "QH"]


def test_the_half_of_a_four_index_cards_corner_that_peeps_out_from_under_another_card_is_that_cards() -> None:
    eight, jack = four("8C", 0.0, 300, 300), four("JD", 0.0, 330, 281)
    far = seen(np.array([63.5, 88.9], np.float32) - INDEX_MM, 0.0, 300, 300)
    aside = np.array([14, 8], np.float32)
    half = np.asarray([far[0], far[1], (far[1] + far[2]) / 2, (far[0] + far[3]) / 2], np.float32) + aside
    shown = [q for q in eight if any(np.allclose(q.quad, seen(it, 0.0, 300, 300)) for it in (INDEX_MM, LOWER))]
    outlines = [Found(CARD, seen(CARD_MM, 0.0, 330, 281), 0.9)]

    def cards(*others: IndexReading) -> list[str]:
        readings = [*shown, *others]
        return sorted(FACES[readings[g.members[0]].best] for g in group(readings, outlines) if g.members)

    assert cards(reading("QC", half, 0.87), *jack) == ["8C", "JD"]
    assert cards(reading("QC", half, 0.97), *jack) == ["8C", "JD", "QC"], "read well"
    assert cards(reading("QC", half - np.float32([50, 0]), 0.87), *jack) == ["8C", "JD", "QC"], "elsewhere"
    assert "QC" in cards(reading("QC", half, 0.87), *four("JD", 0.0, 530, 281)), "nothing covers the rest of it"


def test_a_far_end_that_is_read_well_is_a_card_of_its_own_unless_it_lies_just_where_the_others_have_theirs() -> None:
    whole = [("QD", "QD", 0.97), ("2S", "2S", 0.97), ("5H", "5H", 0.97), ("10C", "10C", 0.97)]
    readings = fan(*whole, ("8D", "3H", 0.97))
    assert "3H" not in names(readings) and len(names(readings)) == 5
    aside = reading("3H", readings[-1].quad + np.array([24, 0], np.float32))
    assert "3H" in names([*readings[:-1], aside])
    assert "3H" in names(fan(*whole[:2], ("8D", "3H", 0.97))), "two cards do not tell where"


def test_a_poor_upper_end_beside_cards_that_show_both_theirs_stays() -> None:
    whole = [("QD", "QD", 0.97), ("2S", "2S", 0.97), ("5H", "5H", 0.97), ("10C", "10C", 0.97)]
    readings = fan(*whole)
    readings.append(reading("2D", seen(INDEX_MM, 0.4, 384, 220), 0.6))
    assert "2D" in names(readings)


def test_a_pip_that_is_hardly_read_is_no_card_on_a_card_that_shows_both_its_ends() -> None:
    pip = seen(INDEX_MM + np.array([22, 30], np.float32), 0.3, 300, 300)
    assert names([*both("4S", 0.3, 300, 300), reading("6S", pip, 0.15)]) == ["4S"]
    assert sorted(names([*both("4S", 0.3, 300, 300), reading("6S", pip, 0.8)])) == ["4S", "6S"]


def test_half_an_index_of_its_cards_suit_where_other_cards_have_their_second_one_is_no_card_more() -> None:
    whole = [("QD", "QD", 0.97), ("2S", "2S", 0.97), ("5H", "5H", 0.97), ("10C", "10C", 0.97)]
    readings = fan(*whole, ("8D", "3D", 0.965))

    def halved(name: str, share: float, sure: float) -> list[str]:
        # A little aside: just where the others have theirs it would be this card's whatever its name.
        lower = readings[-1].quad + np.array([10, 0], np.float32)
        cut = lower + (lower[[1, 0, 3, 2]] - lower) * np.array([[1 - share], [0], [0], [1 - share]], np.float32)
        return names([*readings[:-1], reading(name, np.asarray(cut, np.float32), sure)])

    assert "3D" not in halved("3D", 0.75, 0.965)
    assert "8D" in halved("3D", 0.75, 0.965), "the plain one stays"
    assert "3C" in halved("3C", 0.75, 0.965), "of another suit"
    assert "3D" in halved("3D", 0.75, 0.99), "beyond doubt"


def test_a_courts_pip_beside_its_index_is_no_queen() -> None:
    """The pip of the picture with the crown beside it was read as a queen, surely."""
    beside = INDEX_MM + np.array([10, 2.5], np.float32)

    def cards(court: str, pip: str, place: np.ndarray = beside, turn: float = 0.1) -> list[str]:
        return names([*both(court, 0.1, 300, 300), reading(pip, seen(place, turn, 300, 300), 0.9)])

    assert cards("JC", "QC") == ["JC"]
    assert sorted(cards("JC", "QH")) == ["JC", "QH"], "of another suit"
    assert sorted(cards("8C", "QC")) == ["8C", "QC"], "numbers have no picture"
    assert sorted(cards("JC", "QC", INDEX_MM + np.array([28, 33], np.float32))) == ["JC", "QC"], "not beside it"
    assert sorted(cards("JC", "QC", turn=1.2)) == ["JC", "QC"], "a card that lies across"


@pytest.mark.parametrize(
    ("card", "label", "turn", "sure", "cards"),
    [
        ("QH", "2H", 0.6, 0.93, 1),
        ("QH", "2H", 1.6, 0.93, 1),
        ("QH", "2S", 0.6, 0.93, 2),
        ("QH", "2H", 3.1, 0.93, 2),
        ("QH", "2H", 1.6, 0.98, 2),
        ("9H", "5H", 1.6, 0.93, 2),
    ],
    ids=["turned", "across", "another suit", "upright", "read well", "no court"],
)
def test_half_a_courts_index_taken_together_with_its_pip_is_no_card_more(
    card: str, label: str, turn: float, sure: float, cards: int
) -> None:
    """Under another card a queen's far end shows its letter's half and the picture's heart, turned, as a good two."""
    assert len(beside_its_far_end(card, label, turn, sure)) == cards


def test_an_index_beside_a_courts_edge_is_another_cards() -> None:
    assert len(beside_its_far_end("QH", "2H", 0.0, 0.93, aside=15.0)) == 2


def beside_its_far_end(card: str, label: str, turn: float, sure: float, aside: float = 0.0) -> list[Group]:
    """The cards where a second index stands at a card's far end, turned against that and so many millimetres aside."""
    near, far = both(card, 0.0, 300, 300)
    middle = far.quad.mean(0)
    c, s = np.cos(turn), np.sin(turn)
    askew = (far.quad - middle) @ np.array([[c, s], [-s, c]]) + middle + np.array([2.0 * aside, 0.0])
    outline = Found(CARD, seen(CARD_MM, 0.0, 300, 300), 0.66)
    return [g for g in group([near, reading(label, askew.astype(np.float32), sure)], [outline]) if g.members]


@pytest.mark.parametrize(
    ("label", "found", "cards"),
    [("6D", 0.26, 1), ("6D", 0.4, 2), ("8D", 0.26, 2)],
    ids=["faint", "plainly found", "another rank"],
)
def test_a_faint_far_end_of_another_suit_is_its_cards_own(label: str, found: float, cards: int) -> None:
    """Under a back with a pattern of diamonds a six shows its far rank, and a diamond where its pip would be."""
    near, far = both("6S", 0.0, 300, 300)
    half = IndexReading(far.quad, reading(label, far.quad, 0.94).chances, found)
    beside = both("KD", 0.1, 520, 300)
    outline = Found(CARD, seen(CARD_MM, 0.1, 520, 300), 0.9)
    assert len([g for g in group([near, half, *beside], [outline]) if g.members]) == 1 + cards


def test_beside_print_taken_for_a_large_index_the_others_are_not_half_covered() -> None:
    """A scrap read as a seven, twice as tall as any index, made seven plain cards its far ends."""
    labels = ("10C", "4H", "AH", "8S", "JS")
    uppers = [both(label, 0.05, 300 + 40 * k, 300)[0] for k, label in enumerate(labels)]
    (_, lower) = both("7S", 0.05, 300, 300)
    middle = lower.quad.mean(0)
    large = reading("7S", ((lower.quad - middle) * 1.8 + middle).astype(np.float32), 0.92)
    assert set(names([*uppers, large])) >= set(labels)


def test_one_whole_card_tells_where_the_others_have_their_second_index() -> None:
    """Half a four at the lower rim of a fan was an ace, surely: the card on top alone showed both indices of a side."""
    top = four("QD", 0.4, 420, 240)
    plain, lower = (
        reading("4D", seen(INDEX_MM, 0.0, 200, 200)),
        seen(LOWER, 0.0, 200, 200) + np.array([6, 0], np.float32),
    )
    cut = lower + (lower[[1, 0, 3, 2]] - lower) * np.array([[0.2], [0], [0], [0.2]], np.float32)

    def beside(label: str, *more: IndexReading) -> list[str]:
        return names([*more, plain, reading(label, np.asarray(cut, np.float32), 0.965)])

    assert "AD" not in beside("AD", *top)
    assert "AD" in beside("AD"), "nothing tells"
    assert "AC" in beside("AC", *top), "of another suit"
