"""Where a spread has room for a card that was not read, and where it only looks so."""

from __future__ import annotations

from math import cos, pi, sin

import pytest

from advisor.table.hand_doubts import gaps
from vision.sightings import CardSighting, Point, Quad

HELD, ARM = 100.0, 300.0


def quad(middle: Point, turn: float, wide: float, high: float) -> Quad:
    (x, y), (c, s) = middle, (cos(turn), sin(turn))
    corners = ((-wide / 2, -high / 2), (wide / 2, -high / 2), (wide / 2, high / 2), (-wide / 2, high / 2))
    a, b, d, e = ((x + u * c - v * s, y + u * s + v * c) for u, v in corners)
    return (a, b, d, e)


def held(turn: float, label: str) -> CardSighting:
    """A card of a fan with its index in the upper left corner, pixels: 126 wide and 178 high."""
    away = HELD + 89
    index = (-ARM * sin(-turn) - 50 * cos(turn), -ARM * cos(turn) - 50 * sin(turn))
    body = quad((away * sin(turn), -away * cos(turn)), turn, 126, 178)
    return CardSighting("card", body, label, 0.98, {label: 0.98}, (quad(index, turn, 12, 24),))


def fan(labels: str, spread: float) -> list[CardSighting]:
    """A fan over so much of a circle (radians); "_" is a card that was not read."""
    words = labels.split()
    step = spread / (len(words) - 1)
    return [held(step * k - spread / 2, word) for k, word in enumerate(words) if word != "_"]


def found(cards: list[CardSighting]) -> list[tuple[str | None, str | None]]:
    return [(a.label, b.label) for a, b in gaps(cards)]


@pytest.mark.parametrize("spread", [1.2, 2.0, 2.6, 1.1 * pi])
def test_an_even_fan_has_no_room_for_a_card_however_wide_it_is(spread: float) -> None:
    assert found(fan("2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC", spread)) == []


@pytest.mark.parametrize("spread", [1.2, 2.0])
def test_where_a_card_was_not_read_the_step_is_wide(spread: float) -> None:
    assert [set(pair) for pair in found(fan("2C 3C 4C 5C _ 7C 8C 9C 10C JC QC KC", spread))] == [{"5C", "7C"}]


def test_how_far_a_joker_stands_says_nothing() -> None:
    assert found(fan("2C 3C 4C JOKER _ 7C 8C 9C 10C JC QC KC", 1.2)) == []


def test_a_heap_has_no_order_and_no_steps() -> None:
    spots = [(0, 0), (90, 60), (20, 130), (170, 20), (140, 150), (60, 220), (230, 110), (30, 40), (200, 210)]
    heap = [
        CardSighting("card", quad((float(x), float(y)), 0.7 * k, 126, 178), f"{k + 2}H", 0.98)
        for k, (x, y) in enumerate(spots)
    ]
    assert found(heap) == []


def test_a_run_that_leaves_one_out_where_there_is_room_for_it_may_hold_it() -> None:
    assert [set(pair) for pair in found(fan("9H _ JH QH", 0.3))] == [{"9H", "JH"}]
    assert [set(pair) for pair in found(fan("JD QD _ AD", 0.3))] == [{"QD", "AD"}]
    for other in ("9H JH QH", "9H _ JS QH", "9H _ QH KH", "9H 9S _ 9D", "9H _ JOKER QH", "2C _ 4C"):
        assert found(fan(other, 0.3)) == [], other


def test_too_few_cards_have_no_usual_step() -> None:
    assert found(fan("2C _ 5C 6C", 0.4)) == []
    assert found([]) == []
