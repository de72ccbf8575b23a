"""Amounts into chips: exact, the fewest, and never more than the rack holds."""

from __future__ import annotations

import itertools
import time
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from money_strategies import chipsets, handfuls, racks

from advisor.money import UNLIMITED, CannotPay, Chips, ChipSet, MoneyError, Rack, breakdown, can_pay


@pytest.mark.parametrize(
    ("amount", "chips"),
    [
        ("7.50", "red:1 white:2 yellow:1"),
        ("0", ""),
        ("1033", "purple:2 green:1 red:1 white:3"),
        ("99.50", "green:3 red:4 white:4 yellow:1"),
    ],
)
def test_the_standard_chips(amount: str, chips: str) -> None:
    assert breakdown(Fraction(amount)) == Chips.parse(chips)


@pytest.mark.parametrize(
    ("values", "amount", "fewest"),
    [
        # Highest first would end in a dead end or in more chips.
        ((20, 25, 50), 60, {20: 3}),
        ((20, 25, 50), 90, {20: 2, 50: 1}),
        ((1, 15, 25), 30, {15: 2}),
        ((1, 3, 4), 6, {3: 2}),
        ((6, 9, 20), 10**9 + 1, {20: 49999998, 9: 5, 6: 0}),
    ],
)
def test_odd_denominations(values: tuple[int, ...], amount: int, fewest: dict[int, int]) -> None:
    chipset = ChipSet({f"c{value}": value for value in values})
    if amount > 10**6:
        with pytest.raises(CannotPay, match="more than 100000 chips"):
            breakdown(amount, chipset)
    else:
        assert breakdown(amount, chipset) == Chips({f"c{value}": count for value, count in fewest.items()})


def fewest_by_trying(amount: Fraction, chipset: ChipSet, rack: Rack) -> int | None:
    """The fewest chips, by trying every handful."""
    ranges = []
    for colour, value in chipset.values:
        supply = rack.supply(colour)
        most = int(amount // value)
        ranges.append(range((most if supply is None else min(most, supply)) + 1))
    totals = (
        sum(counts)
        for counts in itertools.product(*ranges)
        if sum(count * value for count, (_, value) in zip(counts, chipset.values, strict=True)) == amount
    )
    return min(totals, default=None)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_breakdown_is_exact_and_the_fewest_of_all(data: st.DataObject) -> None:
    chipset = data.draw(chipsets(most=3))
    rack = data.draw(racks(chipset))
    lowest = chipset.values[-1][1]
    amount = data.draw(st.integers(0, 25)) * data.draw(st.sampled_from([lowest, Fraction(1), Fraction(1, 2)]))
    fewest = fewest_by_trying(amount, chipset, rack)
    assert can_pay(amount, chipset, rack) == (fewest is not None)
    if fewest is None:
        with pytest.raises(CannotPay):
            breakdown(amount, chipset, rack)
    else:
        chips = breakdown(amount, chipset, rack)
        assert chips.total(chipset) == amount
        assert chips.size == fewest
        assert rack.holds(chips)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_what_is_in_the_rack_can_be_paid_from_it(data: st.DataObject) -> None:
    chipset = data.draw(chipsets(most=5))
    held = data.draw(handfuls(chipset, most=20))
    part = Chips({colour: data.draw(st.integers(0, count)) for colour, count in held})
    chips = breakdown(part.total(chipset), chipset, Rack(held))
    assert chips.total(chipset) == part.total(chipset)
    assert chips.size <= part.size and Rack(held).holds(chips)


@pytest.mark.parametrize(
    ("amount", "rack", "says"),
    [
        ("7.20", UNLIMITED, r"7\.20 cannot be made exactly with these chips \(the lowest is yellow, 0\.50\)"),
        ("7.20", Rack.of({"red": 9}), r"7\.20 cannot be made exactly with these chips"),
        ("7.50", Rack.of({"red": 1}), r"the rack cannot pay 7\.50: it holds 5"),
        ("7.50", Rack.of({"red": 9}), r"red, two white and one yellow would do, and it is short of two white and one"),
        ("-1", UNLIMITED, "-1 is negative"),
    ],
)
def test_what_cannot_be_paid_is_named(amount: str, rack: Rack, says: str) -> None:
    with pytest.raises(MoneyError, match=says):
        breakdown(Fraction(amount), rack=rack)


def test_a_rack_without_the_lower_chips_does_not_search_for_ever() -> None:
    began = time.perf_counter()
    rack = Rack.of({"purple": 100_000, "black": 100_000, "green": 100_000, "red": 100_000, "white": 3})
    assert not can_pay(10**7 + 4, rack=rack)
    assert not can_pay(10**12 - 1, ChipSet({"a": 97, "b": 89, "c": 2}))  # makeable, but with too many chips
    assert time.perf_counter() - began < 20
