"""What is read in a row's gaps and beyond its ends, by an index reader that knows what stands where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.cards.detector import Found
from vision.cards.groups import IndexSize
from vision.cards.hardly_found import in_gaps, with_jokers_between
from vision.cards.indices import NONE, IndexReader, IndexReading
from vision.cards.patches import Floats, pyramid
from vision.cards.settings import Settings
from vision.sightings import FACES, JOKER, CardSighting, Quad

WIDE, HIGH, STEP = 16.0, 40.0, 50.0
TOP = 100.0


def quad(x: float, y: float = TOP) -> Floats:
    return np.array([[0, 0], [WIDE, 0], [WIDE, HIGH], [0, HIGH]], np.float32) + np.array([x, y], np.float32)


class Told:
    """Reads what stands within ``reach`` pixels of where it is asked to, as surely as it is told; else nothing."""

    def __init__(self, stands: Mapping[tuple[float, float], tuple[str, float]], reach: float = 12) -> None:
        self.stands, self.reach = stands, reach

    def read(self, levels: Sequence[Any], found: Sequence[Found]) -> list[IndexReading]:
        return [self._one(f.quad) for f in found]

    def _one(self, place: Floats) -> IndexReading:
        chances = np.full(NONE + 1, 0.001, np.float32)
        chances[NONE] = 1
        for (x, y), (label, sure) in self.stands.items():
            there = quad(x, y)
            if np.abs(there.mean(0) - place.mean(0)).max() <= self.reach:
                chances[:] = (1 - sure) / NONE
                chances[FACES.index(label)] = sure
                return IndexReading(there, chances, 0.0)
        return IndexReading(place, chances, 0.0)


def as_quad(points: Floats) -> Quad:
    return tuple((float(x), float(y)) for x, y in points)  # type: ignore[return-value]


def card(label: str, *indices: Floats) -> CardSighting:
    x, y = indices[0][0] - np.array([5, 5])
    corners = ((x, y), (x + 190, y), (x + 190, y + 270), (x, y + 270))
    return CardSighting("card", corners, label, 0.98, {}, tuple(as_quad(it) for it in indices))


LABELS = ("2H", "JC", "7S", "9D", "KS", "10C", "3D", "QH")


def row(*without: int) -> list[CardSighting]:
    return [card(label, quad(k * STEP)) for k, label in enumerate(LABELS) if k not in without]


def found(cards: Sequence[CardSighting], told: Told) -> list[tuple[str, str | None]]:
    said = in_gaps(cast(IndexReader, told), [], cards, IndexSize(), Settings())
    return [(s.kind, s.label) for s in said]


def test_a_gap_is_read_and_asked_about_where_nothing_can_be_read() -> None:
    assert found(row(4), Told({(4 * STEP, TOP): ("KS", 0.98)})) == [("card", "KS")]
    assert found(row(4), Told({})) == [("unsure", None)]


def test_a_gap_on_a_card_that_shows_both_its_ends_holds_none() -> None:
    """A card lies across the hand; were another there, it would lie on it and hide one of them."""
    upper = np.array([[340, 90], [340, 106], [300, 106], [300, 90]], np.float32)
    corners = ((345.0, 85.0), (345.0, 345.0), (75.0, 345.0), (75.0, 85.0))
    lower = (np.array([420, 430], np.float32) - upper).astype(np.float32)
    whole = CardSighting("card", corners, "AS", 0.98, {}, (as_quad(upper), as_quad(lower)))
    beside = replace(whole, corners=tuple((x, y + 120) for x, y in corners))
    assert found([*row(4), whole], Told({})) == []
    assert found([*row(4), beside], Told({})) == [("unsure", None)]


def test_what_is_read_between_two_places_of_a_gap_fills_both() -> None:
    """A gap of 2.6 steps was taken for two cards, and one stood in its middle."""
    wider = [*row(4, 5, 6, 7), *(card(label, quad((3 + 2.6 + k) * STEP)) for k, label in enumerate(LABELS[4:]))]
    middle = (3 + 1.2) * STEP
    assert found(wider, Told({(middle, TOP): (JOKER, 0.95)}, reach=18)) == [("card", JOKER)]
    assert found(wider, Told({((3 + 0.87) * STEP, TOP): ("4S", 0.98)})) == [("card", "4S"), ("unsure", None)]


def test_the_other_end_of_a_listed_card_in_a_gap_is_no_card_more() -> None:
    below = quad(4 * STEP + 150, TOP + 200)
    lone = card("AC", below[[2, 3, 0, 1]])
    told = Told({(4 * STEP, TOP): ("AC", 0.92)})
    assert found([*row(4), lone], told) == []
    assert found(row(4), told) == [("unsure", "AC")]


@pytest.mark.parametrize(
    ("label", "sure", "lower", "said"),
    [
        (JOKER, 0.97, -14, [("card", JOKER)]),
        (JOKER, 0.7, -14, []),
        ("4S", 0.97, -14, []),
        (JOKER, 0.97, -45, []),
    ],
    ids=["a star near by", "read poorly", "any other card", "far off"],
)
def test_a_jokers_corner_near_the_place_beyond_a_rows_end_is_found(
    label: str, sure: float, lower: float, said: list[tuple[str, str]]
) -> None:
    """A star of its own size stands higher than the letters of the others, and no detector knows it."""
    assert found(row(), Told({(-STEP, TOP + lower): (label, sure)})) == said


def test_a_card_that_shows_one_side_alone_hides_nothing_beyond_the_row() -> None:
    """The next card lay on the rest of it: a joker that showed whole was inside of what was drawn for its neighbour."""
    under = card("4S", quad(8 * STEP), quad(8 * STEP, TOP + 200)[[2, 3, 0, 1]])
    told = Told({(9 * STEP, TOP): (JOKER, 0.95)})
    assert found([*row(), under], told) == [("card", JOKER)]
    whole = card("4S", quad(8 * STEP), quad(8 * STEP + 150, TOP + 200)[[2, 3, 0, 1]])
    assert found([*row(), whole], told) == []


def printed(seed: int = 0) -> list[NDArray[np.uint8]]:
    """A picture with something printed everywhere."""
    return pyramid(np.random.default_rng(seed).integers(0, 256, (400, 800, 3), np.uint8))


def with_jokers(cards: Sequence[CardSighting], told: Told) -> list[tuple[str, str | None]]:
    out = with_jokers_between(cast(IndexReader, told), printed(), cards, Settings())
    return [(s.kind, s.label) for s in out[len(cards) :]] if out[: len(cards)] == list(cards) else [("changed", None)]


def test_a_star_in_a_gap_is_a_joker_though_it_is_not_where_an_index_would_be() -> None:
    told = Told({(4 * STEP, TOP - 14): (JOKER, 0.97)})
    assert found(row(4), told) == [("card", JOKER)]


def test_a_star_between_two_cards_that_lie_a_little_too_far_apart_is_a_joker() -> None:
    apart = [*row(4, 5, 6, 7), *(card(label, quad((4.4 + k) * STEP)) for k, label in enumerate(LABELS[4:]))]
    told = Told({(3.7 * STEP, TOP - 14): (JOKER, 0.97)})
    assert found(apart, told) == []
    assert with_jokers(apart, told) == [("card", JOKER)]
    assert with_jokers(apart, Told({(3.7 * STEP, TOP - 14): (JOKER, 0.75)})) == [("unsure", JOKER)]
    assert with_jokers(apart, Told({(3.7 * STEP, TOP - 14): (JOKER, 0.25)})) == []
    assert with_jokers(apart, Told({(3.7 * STEP, TOP - 14): ("4S", 0.97)})) == []
    assert with_jokers(row(), Told({(3.5 * STEP, TOP - 14): (JOKER, 0.97)})) == [], "in an even row nothing is missing"


@pytest.mark.parametrize("more", [1, 2, 3])
def test_several_jokers_beyond_a_rows_end_are_all_found(more: int) -> None:
    told = Told({(-STEP * k, TOP - 14): (JOKER, 0.97) for k in range(1, more + 1)})
    assert with_jokers(row(), told) == [("card", JOKER)] * more
    assert with_jokers([card(JOKER, quad(-STEP)), *row()], told) == [("card", JOKER)] * (more - 1)


def test_a_melds_joker_is_found_at_its_end_or_in_it() -> None:
    meld = row()[:3]
    assert with_jokers(meld, Told({(-STEP, TOP - 14): (JOKER, 0.97)})) == [("card", JOKER)]
    assert with_jokers(meld, Told({(3 * STEP, TOP - 14): (JOKER, 0.97)})) == [("card", JOKER)]
    assert with_jokers(row(2, 4, 5, 6, 7), Told({(2 * STEP, TOP - 14): (JOKER, 0.97)})) == [("card", JOKER)]
    assert with_jokers(meld, Told({})) == []


def test_a_star_that_is_asked_about_already_becomes_a_joker_and_a_sure_card_stays() -> None:
    star = quad(4 * STEP, TOP - 14)
    told = Told({(4 * STEP, TOP - 14): (JOKER, 0.97)})
    asked = replace(card("7H", star), kind="unsure")
    after = with_jokers_between(cast(IndexReader, told), printed(), [*row(4), asked], Settings())
    assert after[:-1] == row(4) and (after[-1].kind, after[-1].label) == ("card", JOKER)
    aside = card("7H", star)
    assert with_jokers([*row(4), aside], told) == []


def test_how_far_a_jokers_word_is_from_the_last_card_says_nothing() -> None:
    """It stands in the middle of a joker that lies on top: three cards seemed to be missing beside it."""
    word = card(JOKER, quad((len(LABELS) + 1.5) * STEP))
    assert found([*row(), word], Told({})) == []
    assert found([*row(), card("4C", quad((len(LABELS) + 1) * STEP))], Told({})) == [("unsure", None)]
    few = [*row(2, 6, 7), card(JOKER, quad(6 * STEP))]
    assert found(few, Told({})) == [("unsure", None)], "the gap elsewhere is one all the same"
    inside = [*row(3, 4), card(JOKER, quad(3 * STEP))]
    assert found(inside, Told({})) == [("unsure", None)], "between a joker and a card that is listed one is missing"


def test_a_joker_at_the_end_that_shows_both_corners_is_one() -> None:
    end = len(LABELS) * STEP
    told = Told({(end, TOP - 14): (JOKER, 0.97)})
    assert with_jokers(row(), told) == [("card", JOKER)]
    far = quad(end + 150, TOP + 190)[[2, 3, 0, 1]]
    assert with_jokers([*row(), card(JOKER, far)], told) == [], "its other corner is listed"
