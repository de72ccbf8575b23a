"""A name that would do in a good picture does not in one whose other cards are hardly read."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from vision.cards.company import FEWEST, less_sure_in_a_poor_picture
from vision.sightings import CardSighting

QUAD = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def cards(*chances: float) -> list[CardSighting]:
    return [CardSighting("card" if c >= 0.85 else "unsure", QUAD, "KS", c) for c in chances]


def kinds(seen: list[CardSighting]) -> list[str]:
    return [s.kind for s in less_sure_in_a_poor_picture(seen, 0.93, 0.95)]


def test_among_poor_readings_a_middling_one_is_unsure_and_a_good_one_is_not() -> None:
    assert kinds(cards(0.9, 0.97, *[0.7] * FEWEST)) == ["unsure", "card", *["unsure"] * FEWEST]


def test_among_good_readings_a_middling_one_stays_sure() -> None:
    assert kinds(cards(0.9, *[0.99] * FEWEST)) == ["card"] * (FEWEST + 1)


def test_a_few_poor_ones_among_good_ones_are_clutter() -> None:
    assert kinds(cards(0.9, 0.2, 0.3, 0.99, 0.99, 0.99))[0] == "card"


def test_a_few_others_or_ones_without_a_name_say_nothing() -> None:
    backs = [CardSighting("back", QUAD, None, 0.4)] * 9
    assert kinds([*cards(0.9, 0.6), *backs]) == ["card", "unsure", *["back"] * 9]


@given(st.lists(st.floats(0.0, 1.0), max_size=12))
def test_nothing_becomes_sure_and_nothing_else_changes(chances: list[float]) -> None:
    before = cards(*chances)
    for was, now in zip(before, less_sure_in_a_poor_picture(before, 0.93, 0.95), strict=True):
        assert now == was or (was.kind == "card" and now.kind == "unsure" and now.confidence == was.confidence < 0.95)
