"""Cards of a row that were hardly found: sure once they are read plainly, and counted once."""

from __future__ import annotations

import numpy as np
import pytest

from vision.cards.groups import IndexSize
from vision.cards.hardly_found import asked_about, hardly_found, marks_of, twins
from vision.cards.indices import IndexReading
from vision.cards.profile import NONE
from vision.cards.settings import LIVE, Settings
from vision.sightings import FACES, JOKER, CardSighting, Quad


def test_what_only_a_row_speaks_for_is_sure_once_it_is_read_plainly_but_never_for_a_watched_camera() -> None:
    quad = np.array([[0, 0], [12, 0], [12, 20], [0, 20]], np.float32)

    def seen(chance: float, settings: Settings, name: str = "7S", rival: float = 0.0, gap: bool = False) -> str:
        chances = np.full(NONE + 1, (1 - chance - rival) / NONE, np.float32)
        chances[FACES.index(name)] = chance
        chances[FACES.index("AS")] += rival
        return hardly_found(IndexReading(quad, chances, 0.12), IndexSize(), settings, gap).kind

    assert seen(0.98, Settings()) == "card"
    assert seen(0.945, Settings()) == "unsure", "more is asked than of an index that was found surely"
    assert seen(0.945, Settings(), gap=True) == "card", "but not where one must stand"
    assert seen(0.92, Settings(), gap=True) == seen(0.98, LIVE) == seen(0.98, LIVE, gap=True) == "unsure"
    assert seen(0.9, Settings(), JOKER) == "card", "a joker's corner may hold anything: being found faintly is no doubt"
    assert seen(0.7, Settings(), JOKER) == "card", "nor is that it may be no index, where it is like no other name"
    assert seen(0.7, Settings(), JOKER, rival=0.1) == seen(0.5, Settings(), JOKER) == "unsure"
    assert seen(0.7, LIVE, JOKER) == seen(0.98, LIVE, JOKER) == "unsure"


def index(
    label: str, x: float, chance: float, found: float, y: float = 0, wide: float = 12, high: float = 20
) -> IndexReading:
    quad = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32) + np.array([x, y], np.float32)
    chances = np.full(NONE + 1, (1 - chance) / NONE, np.float32)
    chances[FACES.index(label)] = chance
    return IndexReading(quad, chances, found)


def test_a_second_faint_find_of_an_index_that_was_read_is_no_card_more() -> None:
    row = [index("7S", 0, 0.98, 0.8), index("KD", 50, 0.98, 0.8)]
    faint, poor = index("QD", 25, 0.95, 0.1), index("QH", 29, 0.45, 0.3)
    assert asked_about([faint], row, row) == [faint]
    assert asked_about([faint], [*row, poor], [*row, poor]) == []


def test_a_joker_that_was_found_faintly_twice_is_asked_about_once() -> None:
    row = [index("7S", 0, 0.98, 0.8), index("KD", 50, 0.98, 0.8)]
    star, again = index(JOKER, 25, 0.95, 0.17), index(JOKER, 26, 0.97, 0.1)
    assert asked_about([again, star], row, row) == [star]


def test_tall_indices_side_by_side_are_two_though_they_stand_nearer_than_half_their_height() -> None:
    six = index("6H", 0, 0.97, 0.5, wide=38, high=110)
    beside = index("7D", 31, 0.97, 0.5, y=4, wide=36, high=106)
    assert not twins(six, beside) and not twins(beside, six)
    again = index("6H", 31, 0.97, 0.4, y=4, wide=36, high=106)
    lower = index("6D", 31, 0.97, 0.4, y=34, wide=36, high=106)
    its_pip = index("8H", 28, 0.97, 0.4, y=45, wide=38, high=55)
    sliver = index("4C", 40, 0.97, 0.4, wide=24, high=110)
    assert all(twins(six, other) and twins(other, six) for other in (again, lower, sliver))
    assert twins(six, its_pip)


def test_how_wide_cards_are_is_told_by_those_that_show_both_their_ends() -> None:
    """Narrow letters make the outlines of covered cards narrow."""

    def seen(wide: float, *indices: Quad) -> CardSighting:
        corners = ((0.0, 0.0), (wide, 0.0), (wide, 140.0), (0.0, 140.0))
        return CardSighting("card", corners, "9S", 0.99, {}, indices)

    upper: Quad = ((5, 5), (13, 5), (13, 25), (5, 25))
    lower: Quad = ((95, 135), (87, 135), (87, 115), (95, 115))
    covered = [seen(60.0, upper) for _ in range(4)]
    assert marks_of([*covered, seen(100.0, upper, lower)])[1] == pytest.approx(100)
    assert marks_of(covered)[1] == pytest.approx(60)
    assert marks_of([]) == ([], None)
