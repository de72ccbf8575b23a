"""Sightings check themselves and name the bad value."""

from __future__ import annotations

import pytest

from vision.sightings import CARDS, FACES, CardSighting, Quad, Reading

SQUARE: Quad = ((0.0, 0.0), (10.0, 0.0), (10.0, 20.0), (0.0, 20.0))


def test_the_deck_has_52_cards_and_a_joker() -> None:
    assert len(set(CARDS)) == 52 and len(FACES) == 53
    assert "10H" in CARDS and "TH" not in CARDS


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"kind": "card", "corners": SQUARE, "label": "11H"}, "11H"),
        ({"kind": "card", "corners": SQUARE, "label": None}, "no label"),
        ({"kind": "back", "corners": SQUARE, "label": "2C"}, "no label"),
        ({"kind": "card", "corners": SQUARE, "label": "2C", "confidence": 1.2}, "1.2"),
        ({"kind": "back", "corners": SQUARE[:3]}, "4 points"),
    ],
)
def test_bad_values_are_named(values: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        CardSighting(**values)  # type: ignore[arg-type]


def test_a_reading_sorts_its_sightings_by_kind() -> None:
    made = (
        CardSighting("card", SQUARE, "2C", 0.9),
        CardSighting("back", SQUARE),
        CardSighting("unsure", SQUARE, None),
        CardSighting("unsure", SQUARE, "9H", 0.4),
    )
    reading = Reading(100, 100, made)
    assert (len(reading.cards), len(reading.backs), len(reading.unsure)) == (1, 1, 2)
    assert made[0].centre == (5.0, 10.0)
