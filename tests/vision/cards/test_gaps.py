"""A card that is missing from an even row, or from its end, is noticed; uneven rows and grids are left alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.cards.gaps import beyond, missing, onward
from vision.cards.patches import Floats

WIDE, HIGH = 14.0, 24.0


def index(x: float, y: float, turn: float = 0.0) -> Floats:
    corners = np.array([[-WIDE, -HIGH], [WIDE, -HIGH], [WIDE, HIGH], [-WIDE, HIGH]]) / 2
    c, s = np.cos(turn), np.sin(turn)
    return np.asarray(corners @ np.array([[c, s], [-s, c]]) + (x, y), np.float32)


def fan(count: int, step: float, radius: float = 400.0, jitter: float = 0.0, seed: int = 1) -> list[list[Floats]]:
    """The first indices of a fan's cards, ``step`` pixels apart; the last card shows its other end too."""
    rng = np.random.default_rng(seed)
    turns = (np.arange(count) - (count - 1) / 2 + rng.uniform(-jitter, jitter, count)) * step / radius
    cards = [[index(600 + radius * np.sin(t), 600 - radius * np.cos(t), t)] for t in turns]
    last = turns[-1]
    cards[-1].append(index(600 + 60 + 200 * np.sin(last), 600 - 200 * np.cos(last), last + np.pi))
    return cards


@given(st.integers(7, 13), st.floats(16.0, 45.0), st.floats(250.0, 900.0), st.floats(0, 0.12), st.integers(0, 999))
def test_a_card_that_is_missing_is_missed_where_it_stood(
    count: int, step: float, radius: float, jitter: float, seed: int
) -> None:
    cards = fan(count, step, radius, jitter, seed)
    assert missing(cards) == []
    gone = 1 + seed % (count - 2)
    stood = cards[gone][0].mean(0)
    found = missing(cards[:gone] + cards[gone + 1 :])
    # An arc that is cut across moves what is between its ends inwards a little.
    assert [bool(np.linalg.norm(quad.mean(0) - stood) < 0.4 * step) for quad in found] == [True]


def test_two_cards_that_are_missing_beside_each_other_are_both_missed() -> None:
    cards = fan(13, 24.0)
    assert len(missing(cards[:5] + cards[7:])) == 2


def test_three_cards_that_are_missing_near_each_other_are_all_missed() -> None:
    cards = fan(15, 24.0)
    assert len(missing([c for k, c in enumerate(cards) if k not in (4, 6, 8)])) == 3


def test_a_row_that_is_held_unevenly_has_no_gaps() -> None:
    assert missing(fan(13, 24.0, jitter=0.45, seed=3)) == []


def test_few_cards_are_no_row() -> None:
    cards = fan(6, 24.0)
    assert missing(cards[:2] + cards[3:]) == []


def test_cards_that_lie_in_a_zigzag_or_apart_have_no_gaps() -> None:
    zigzag = [[index(200.0 + 30 * k, 300.0 + 25 * (k % 2))] for k in range(11)]
    assert missing(zigzag[:5] + zigzag[6:]) == []
    apart = [[index(100.0 + 80 * k, 300.0)] for k in range(9) if k != 4]
    assert missing(apart) == []


@pytest.mark.parametrize("step", [26.0, 36.0, 50.0])
def test_two_runs_laid_end_to_end_have_no_gap_between_them(step: float) -> None:
    def run(left: float) -> list[list[Floats]]:
        cards = [[index(left + step * k, 300.0)] for k in range(4)]
        cards[-1].append(index(left + step * 3 + 64, 390.0, np.pi))
        return cards

    assert missing(run(100.0) + run(100.0 + 3 * step + 84 + 4)) == []


def test_a_joker_whose_word_is_no_index_of_the_row_leaves_no_gap() -> None:
    cards = fan(11, 24.0)
    (middle,) = cards[5][:1]
    word = np.asarray((middle - middle.mean(0)) * 2.2 + middle.mean(0) + (3, 18), np.float32)
    assert len(missing(cards[:5] + cards[6:])) == 1
    assert missing([*cards[:5], [word], *cards[6:]]) == []
    elsewhere = np.asarray(word + np.array([0, 150]), np.float32)
    assert len(missing([*cards[:5], [elsewhere], *cards[6:]])) == 1


@given(st.integers(8, 13), st.floats(16.0, 45.0), st.floats(250.0, 900.0), st.floats(0, 0.08), st.integers(0, 999))
def test_where_the_row_would_go_on_is_foretold_on_both_sides(
    count: int, step: float, radius: float, jitter: float, seed: int
) -> None:
    cards = [card[:1] for card in fan(count, step, radius, jitter, seed)]
    places = beyond(cards[1:-1])
    for gone in (cards[0][0], cards[-1][0]):
        (near,) = [quad for quad in places if np.linalg.norm(quad.mean(0) - gone.mean(0)) < 0.5 * step]
        assert np.abs(near - gone).max() < 0.5 * step + 0.1 * HIGH  # turned as it was, too
    assert len(places) == 2


def test_several_cards_more_would_lie_on_along_the_fans_turn() -> None:
    cards = [card[:1] for card in fan(12, 24.0)]
    (places,) = (side for side in onward(cards[2:], None, 2) if side[0].mean(0)[0] < 600)
    for place, gone in zip(places, (cards[1][0], cards[0][0]), strict=True):
        assert np.abs(place - gone).max() < 4
    x, y = cards[0][0].mean(0).tolist()
    across = index(x, y, 2.0)
    (one,) = (side for side in onward([[across], *cards[2:]], None, 2) if side[0].mean(0)[0] < 600)
    assert len(one) == 1, "where a card is known nothing is looked for"


def test_a_joker_whose_word_ends_the_row_is_not_looked_for_beyond_it() -> None:
    cards = [card[:1] for card in fan(11, 24.0)]
    (last,) = cards[-1]
    word = np.asarray((last - last.mean(0)) * 2.2 + last.mean(0) + (3, 18), np.float32)
    assert len(beyond(cards[:-1])) == 2
    (other,) = beyond([*cards[:-1], [word]])
    assert np.linalg.norm(other.mean(0) - last.mean(0)) > 5 * 24


def test_rows_that_are_short_uneven_or_apart_say_nothing_of_what_comes_next() -> None:
    assert beyond(fan(5, 24.0)) == []
    zigzag = [[index(200.0 + 30 * k, 300.0 + 25 * (k % 2))] for k in range(11)]
    assert beyond(zigzag) == []
    apart = [[index(100.0 + 80 * k, 300.0)] for k in range(9)]
    assert beyond(apart) == []
    uneven = fan(9, 24.0)
    uneven = [*uneven[:7], *fan(14, 24.0)[11:13]]
    assert len(beyond(uneven)) == 1  # the other end is even
    assert len(beyond([*fan(9, 24.0)[:7], *fan(12, 24.0)[9:11]])) == 2, "as a hand is held"


def test_a_known_width_of_cards_says_what_lies_apart() -> None:
    row = [[index(100.0 + 60 * k, 300.0)] for k in range(9)]
    assert beyond(row) == [] and missing(row[:4] + row[5:]) == []  # for indices of 24 pixels far apart
    assert len(beyond(row, wide=120.0)) == 2 and len(missing(row[:4] + row[5:], wide=120.0)) == 1
    assert beyond(row, wide=80.0) == [] and missing(row[:4] + row[5:], wide=80.0) == []


def test_the_card_on_top_counts_where_its_corner_next_to_its_neighbours_stands() -> None:
    """Turned a little, it shows an upper corner farther off to the same side, which looked like a gap of three."""
    cards = fan(10, 24.0)[::-1]
    top = cards[-1][0].mean(0)
    cards[-1] = [index(top[0] - 70, top[1] + 30), *cards[-1]]
    assert missing(cards) == []
    assert len(missing(cards[:-2] + cards[-1:])) == 1, "a card that is missing beside it is missed"


def test_an_index_taken_for_a_cards_other_one_does_not_end_the_row() -> None:
    """It lies nearer to the card's first than a right one's would: the card that is missing there is asked about."""
    cards = fan(12, 24.0)
    del cards[5]
    x, y = cards[4][0].mean(0)
    cards[4].append(index(x + 40.0, y + 60.0, 24.0 / 400.0 + np.pi))
    assert missing(cards, wide=40.0) == [] and len(missing(cards, wide=75.0)) == 1


def wide_fan(lower: float, count: int = 13) -> list[list[Floats]]:
    """Cards from 70 degrees on the left to 60 on the right, each with its upper index and, unless it is the second, the
    lower one, ``lower`` pixels nearer to where the fan is held."""
    turns = np.linspace(-1.2, 1.05, count)
    uppers = [index(600 + 400 * np.sin(t), 600 - 400 * np.cos(t), t) for t in turns]
    lowers = [index(600 + (400 - lower) * np.sin(t), 600 - (400 - lower) * np.cos(t), t + np.pi) for t in turns]
    return [[u, low] for u, low in zip(uppers, lowers, strict=True)]


def test_a_card_missing_from_a_fan_whose_lower_ends_show_is_missed_at_its_upper_end() -> None:
    """Half covered, the lower ends are nearer to each other, and what is read between them is not trusted."""
    cards = wide_fan(180.0)
    stood = cards[1][0].mean(0)
    for gone in ([], [cards[1][1]]):  # not found at all, or by the lower end of another row
        (place,) = missing([cards[0], *([gone] if gone else []), *cards[2:]], wide=300.0)
        assert np.linalg.norm(place.mean(0) - stood) < 30


def test_the_lower_index_of_a_wide_fans_last_card_is_not_taken_for_its_place_in_the_row() -> None:
    """It stands as the first card's upper index does: more than a right angle lies between the fan's ends."""
    fan = wide_fan(180.0, 11)
    (place,) = missing([*(c[:1] for c in fan[:9]), fan[10]], wide=300.0)
    assert np.linalg.norm(place.mean(0) - fan[9][0].mean(0)) < 30
