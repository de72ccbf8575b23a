"""How thick chips are, told by a table's stacks: each has its say with every number of chips that it may be of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.chips.ground import Lie
from vision.chips.seams import KNOWN_WITHIN
from vision.chips.thickness import Thickness, of_thickness, told
from vision.chips.values import ChipStack


def stack(thickness: float | None, *counts: tuple[int, float], reason: str = "") -> ChipStack:
    """A stack that spans as its likeliest count of such chips does."""
    orders = tuple((("red",) * count, chance) for count, chance in counts)
    return ChipStack(
        (0, 0, 40, 90), orders[0][0], orders[0][1], reason, open=bool(reason), readings=orders, thickness=thickness
    )


@given(st.floats(0.9, 1.12), st.integers(8, 20))
def test_a_tall_stack_tells_what_it_spans_and_more_tell_it_better(thickness: float, count: int) -> None:
    one = told([stack(thickness, (count, 0.97))])
    assert one is not None and abs(one.factor - thickness) < one.off < 0.05
    three = told([stack(thickness, (count, 0.97))] * 3)
    assert three is not None and abs(three.factor - thickness) < 0.02 and three.off < one.off


def test_a_stack_that_may_be_of_one_chip_more_leaves_that_open() -> None:
    two_ways = stack(1.1, (10, 0.55), (11, 0.4), reason="?")
    alone = told([two_ways])
    assert alone is not None and alone.factor < 1.1 and alone.off > 0.03
    beside = told([two_ways, stack(1.0, (16, 0.98)), stack(1.0, (12, 0.98))])
    assert beside is not None and beside.factor == pytest.approx(1.0, abs=0.01)


def test_one_wrong_count_among_others_is_overruled() -> None:
    thin = told([stack(1.0, (16, 0.97)), stack(1.0, (13, 0.97)), stack(1.3, (10, 0.9))])
    assert thin is not None and thin.factor == pytest.approx(1.0, abs=0.01)


def test_a_stack_that_may_be_none_tells_less() -> None:
    sure, doubtful = told([stack(1.2, (4, 0.9))]), told([stack(1.2, (4, 0.6), (0, 0.3), reason="?")])
    assert sure is not None and doubtful is not None and 1 < doubtful.factor < sure.factor - 0.01


def test_low_stacks_measured_chips_and_what_could_not_be_read_tell_nothing() -> None:
    assert told([]) is None
    assert told([stack(1.0, (3, 0.99)), stack(None, (12, 0.99))]) is None
    assert told([ChipStack((0, 0, 9, 9), ("red",) * 8, 0.5, "cut off", thickness=1.0)]) is None


def test_what_is_told_is_what_a_stack_at_any_place_is_foretold() -> None:
    here = of_thickness(lambda foot: Lie(40, 0.4, 0.1, foot[0], 0.002), Thickness(1.1, 0.02))((10, 5))
    assert here is not None
    assert (here.across, here.thick, here.within) == (40, pytest.approx(11), 0.02) and here.growth == pytest.approx(
        0.0022
    )
    assert of_thickness(lambda _: None, Thickness(1.1, 0.02))((0, 0)) is None
    assert KNOWN_WITHIN > 0.02
