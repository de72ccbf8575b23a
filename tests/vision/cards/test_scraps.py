"""In a picture of many cards nobody is asked about what is too unlike them to be one; what may be a card stays."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.cards.patches import Floats
from vision.cards.scraps import without_scraps
from vision.sightings import CardSighting, Quad

WIDE, HIGH = 12.0, 30.0


def box(x: float, y: float, wide: float, high: float) -> Quad:
    return ((x, y), (x + wide, y), (x + wide, y + high), (x, y + high))


def card(label: str, x: float, kind: str = "card", sure: float = 0.98) -> CardSighting:
    return CardSighting(kind, box(x, 100, 150, 210), label, sure, {}, (box(x + 6, 108, WIDE, HIGH),))  # type: ignore[arg-type]


FAN = [card(label, 30.0 * k) for k, label in enumerate(("2H", "JC", "7S", "9D", "KS", "10C"))]


def asked(label: str | None, sure: float, corners: Quad, *indices: Quad) -> CardSighting:
    return CardSighting("unsure", corners, label, sure, {}, indices)


def stays(one: CardSighting, among: list[CardSighting] = FAN) -> bool:
    return one in without_scraps([*among, one])


@pytest.mark.parametrize(
    ("sure", "x", "high", "there"),
    [(0.28, 500, 18, False), (0.28, 500, 30, True), (0.6, 500, 18, True), (0.28, 60, 18, True)],
    ids=["a speck of stone", "as tall as theirs", "read better", "half covered on a card"],
)
def test_a_poorly_read_index_of_another_size_beside_the_cards_is_none(
    sure: float, x: float, high: float, there: bool
) -> None:
    assert stays(asked("JC", sure, box(x, 100, 90, 120), box(x, 120, WIDE * high / HIGH, high))) is there


def test_an_outline_much_smaller_than_the_cards_is_none() -> None:
    assert not stays(asked(None, 0.0, box(60, 120, 70, 90)))
    assert stays(asked(None, 0.0, box(260, 120, 120, 180)))


@pytest.mark.parametrize(
    ("label", "wide", "x", "there"),
    [("QC", 20, 56, False), ("QC", 11, 56, True), ("QS", 20, 56, True), ("QC", 20, 140, True)],
    ids=["its pip", "as narrow as an index", "of another suit", "not beside it"],
)
def test_the_pip_of_a_courts_picture_beside_its_index_is_no_card(
    label: str, wide: float, x: float, there: bool
) -> None:
    assert stays(asked(label, 0.9, box(x, 100, 150, 210), box(x, 112, wide, 20))) is there


@pytest.mark.parametrize(
    ("wide", "high", "there"),
    [(22, 16, False), (22, 30, True), (11, 16, True)],
    ids=["its pip", "as tall as the index", "hardly broader"],
)
def test_a_courts_pip_that_is_surely_read_is_no_card_but_an_index_set_wide_is(
    wide: float, high: float, there: bool
) -> None:
    """A jack's pip was a queen at .97; tens are broad and stand as tall as a court's letter."""
    pip = asked("QC", 0.97, box(56, 100, 150, 210), box(56, 112, wide, high))
    assert stays(replace(pip, kind="card")) is there


def test_a_few_cards_say_nothing_of_what_else_may_be_one() -> None:
    few = FAN[:5]
    assert stays(asked("JC", 0.28, box(500, 100, 90, 120), box(500, 120, 7, 18)), few)


def test_cards_read_surely_stay_whatever_their_size() -> None:
    large: Floats = np.array(box(600, 100, 20, 30), np.float32)
    other = CardSighting("card", box(600, 100, 20, 30), "3C", 0.97, {}, (box(*large[0].tolist(), 4, 8),))
    assert other in without_scraps([*FAN, other])


def test_a_tiny_joker_beside_the_cards_is_the_grounds_however_plainly_it_is_read() -> None:
    def tiny(x: float, high: float) -> CardSighting:
        return asked("JOKER", 0.98, box(x - 6, 112, 150, 210), box(x, 120, 4, high))

    assert not stays(tiny(600, 11))
    assert stays(tiny(600, 14)), "a small pack's star"
    assert stays(tiny(60, 11)), "on a card"
