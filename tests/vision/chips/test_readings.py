"""What a stack may be is told from several counts and several orders of each, the likeliest first."""

from __future__ import annotations

import numpy as np
import pytest

from vision.chips.naming import Named
from vision.chips.readings import LEAST, MOST_SAID, ORDERS, readings


def named(*chances: float, alike: float = 0.0) -> Named:
    """Chips that are red so likely, and else white."""
    words = np.array([[it, 1 - it] for it in chances], np.float32)
    return Named(("red", "white"), words, np.full(len(chances) - 1, alike, np.float32))


def test_counts_and_orders_are_told_together_and_come_to_no_more_than_one() -> None:
    found = readings([(named(0.99, 0.99), 0.7), (named(0.99, 0.99, 0.2, alike=-4.0), 0.3)])
    assert found[0][0] == ("red", "red") and found[0][1] == pytest.approx(0.7, abs=0.02)
    assert found[1][0] == ("red", "red", "white"), "what its pixels part"
    chances = [chance for _, chance in found]
    assert chances == sorted(chances, reverse=True) and sum(chances) <= 1 + 1e-6
    assert len(found) <= MOST_SAID and min(chances) >= LEAST
    assert len({order for order, _ in found}) == len(found)


def test_what_is_hardly_likely_is_left_out() -> None:
    assert [order for order, _ in readings([(named(1.0), 0.999), (named(1.0, 1.0), 0.001)])] == [("red",)]


def test_of_chips_that_may_be_either_colour_more_orders_are_told_than_of_plain_ones() -> None:
    doubtful = readings([(named(0.6, 0.4, 0.6, 0.4, 0.6, alike=-2.0), 1.0)])
    plain = readings([(named(0.99, 0.01, 0.99, 0.01, 0.99, alike=-2.0), 1.0)])
    assert ORDERS < len(doubtful) <= MOST_SAID and doubtful[0][0][:2] == ("red", "white")
    assert len(plain) <= ORDERS
