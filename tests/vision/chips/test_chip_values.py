"""Readings of chips are checked when they are made."""

from __future__ import annotations

from typing import Any

import pytest

from vision.chips.values import ChipReading, ChipStack

BOX = (10.0, 20.0, 60.0, 90.0)


def test_a_stack_counts_its_chips_and_colours() -> None:
    stack = ChipStack(BOX, ("black", "red", "red"), 0.9)
    assert (stack.sure, stack.count, dict(stack.colours)) == (True, 3, {"black": 1, "red": 2})
    assert stack.centre == (35.0, 55.0)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"box": (60.0, 20.0, 10.0, 90.0)}, "x0 < x1"),
        ({"confidence": 1.2}, "between 0 and 1"),
        ({"order": ()}, "must say why"),
        ({"likely": True}, "why it is not sure"),
        ({"likely": True, "order": (), "reason": "hidden"}, "has a guess"),
    ],
)
def test_what_cannot_be_is_refused(change: dict[str, Any], said: str) -> None:
    fields: dict[str, Any] = {"box": BOX, "order": ("red",), "confidence": 0.5, **change}
    with pytest.raises(ValueError, match=said):
        ChipStack(**fields)


def test_a_reading_parts_the_sure_from_the_unsure() -> None:
    sure, unsure = ChipStack(BOX, ("red",), 0.9), ChipStack(BOX, (), 0.0, "hidden")
    reading = ChipReading(640, 480, (sure, unsure))
    assert reading.sure == (sure,) and reading.unsure == (unsure,)


def test_a_likely_stack_is_listed_and_still_unsure() -> None:
    sure = ChipStack(BOX, ("red",), 0.9)
    likely = ChipStack(BOX, ("red",) * 9, 0.7, "its chips could not be counted surely", likely=True)
    hint = ChipStack(BOX, ("red",), 0.2, "hidden")
    reading = ChipReading(640, 480, (sure, likely, hint))
    assert reading.listed == (sure, likely)
    assert reading.sure == (sure,) and reading.unsure == (likely, hint)
