"""Change, colouring up, and a payout checked: value is never made or lost."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from money_strategies import chipsets, handfuls, racks

from advisor.money import (
    PULL_BACK,
    CannotPay,
    Chips,
    MoneyError,
    Rack,
    Verdict,
    breakdown,
    change,
    colour_up,
    verify_payment,
)


def test_cheque_change_is_announced_before_anything_moves() -> None:
    plan = change(Chips.parse("black:1"), "red")
    assert plan.announcement == "cheque change: one hundred"
    assert plan.outgoing == Chips.parse("red:20")
    assert plan.words == (
        "Left of the line one black; right of it twenty red.",
        'Announce "cheque change: one hundred".',
        "Both sides are 100: now move them.",
    )


@pytest.mark.parametrize(
    ("given_in", "wanted", "outgoing"),
    [
        ("green:1", "white", "white:25"),
        ("green:1 white:2", "red", "red:5 white:2"),
        ("black:1", Chips.parse("green:3 red:5"), "green:3 red:5"),
        (Fraction(15, 2), None, "red:1 white:2 yellow:1"),
        ("white:5", None, "red:1"),
    ],
)
def test_change_as_it_is_asked_for(given_in: str | Fraction, wanted: Chips | str | None, outgoing: str) -> None:
    incoming = Chips.parse(given_in) if isinstance(given_in, str) else given_in
    assert change(incoming, wanted).outgoing == Chips.parse(outgoing)


def test_change_that_cannot_be_given_is_a_sentence() -> None:
    with pytest.raises(MoneyError, match="totals must match before anything moves: 100 in, 75 out"):
        change(Chips.parse("black:1"), Chips.parse("green:3"))
    with pytest.raises(CannotPay, match="the rack does not hold two red"):
        change(10, Chips.parse("red:2"), rack=Rack.of({"red": 1}))
    with pytest.raises(CannotPay, match="5 cannot be changed into green"):
        change(Chips.parse("red:1"), "green")
    with pytest.raises(MoneyError, match="0 cannot be changed"):
        change(Chips())
    with pytest.raises(MoneyError, match="there is no pink chip"):
        change(10, "pink")


@pytest.mark.parametrize(
    ("held", "handed_in", "given_back", "stays"),
    [
        ("white:12 red:3", "white:10 red:3", "green:1", "white:2"),
        ("white:4", "", "", "white:4"),
        ("red:20", "red:20", "black:1", ""),
    ],
)
def test_colouring_up(held: str, handed_in: str, given_back: str, stays: str) -> None:
    done = colour_up(Chips.parse(held))
    assert (done.handed_in, done.given, done.stays) == tuple(map(Chips.parse, (handed_in, given_back, stays)))


def test_colouring_up_nothing_is_refused() -> None:
    with pytest.raises(MoneyError, match="nothing to colour up"):
        colour_up(Chips())


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_colouring_up_conserves_value_and_never_adds_chips(data: st.DataObject) -> None:
    chipset = data.draw(chipsets())
    held = data.draw(handfuls(chipset, least=1))
    rack = data.draw(racks(chipset))
    done = colour_up(held, chipset, rack)
    assert done.handed_in + done.stays == held
    assert done.handed_in.total(chipset) == done.given.total(chipset)
    assert done.leaves_with.size <= held.size and rack.holds(done.given)
    assert not {c for c, _ in done.given} & {c for c, _ in done.handed_in}


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_change_conserves_value_out_of_the_rack(data: st.DataObject) -> None:
    chipset = data.draw(chipsets())
    held = data.draw(handfuls(chipset, least=1))
    rack = data.draw(racks(chipset))
    try:
        plan = change(held, data.draw(st.sampled_from([None, *chipset.colours])), chipset, rack)
    except CannotPay:
        return
    assert plan.outgoing.total(chipset) == held.total(chipset) == plan.amount
    assert rack.holds(plan.outgoing)


@pytest.mark.parametrize(
    ("paid", "verdict", "difference", "add", "back"),
    [
        ("red:1 white:2 yellow:1", "correct", "0", "", ""),
        ("white:7 yellow:1", "correct", "0", "", ""),
        ("red:1", "short", "2.50", "white:2 yellow:1", ""),
        ("red:1 white:3 yellow:1", "over", "1", "", "white:1"),
        ("red:2", "over", "2.50", "white:2 yellow:1", "red:1"),
        ("", "short", "7.50", "red:1 white:2 yellow:1", ""),
    ],
)
def test_a_payout_is_checked(paid: str, verdict: str, difference: str, add: str, back: str) -> None:
    check = verify_payment("7.50", Chips.parse(paid))
    assert (check.verdict, check.difference) == (Verdict(verdict), Fraction(difference))
    assert (check.add, check.take_back) == (Chips.parse(add), Chips.parse(back))
    assert (PULL_BACK in check.words) == (verdict != "correct")


def test_a_payout_that_no_chips_make_says_so() -> None:
    check = verify_payment("7.20", Chips.parse("red:1"))
    assert check.verdict is Verdict.SHORT and not check.add and not check.take_back
    assert "7.20 cannot be paid exactly with the chips at hand." in check.words
    with pytest.raises(MoneyError, match="-1 cannot be owed"):
        verify_payment(-1, Chips())


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_what_the_check_advises_makes_the_payout_right(data: st.DataObject) -> None:
    chipset = data.draw(chipsets())
    paid = data.draw(handfuls(chipset))
    rack = data.draw(racks(chipset))
    owed = data.draw(handfuls(chipset)).total(chipset)
    check = verify_payment(owed, paid, chipset, rack)
    if check.add or check.take_back:
        right = paid - check.take_back + check.add
        assert right.total(chipset) == owed
        assert (rack + check.take_back).holds(check.add)
    else:
        with_all = rack + paid
        assert check.verdict is Verdict.CORRECT or not _payable(owed, chipset, with_all)


def _payable(owed: Fraction, chipset: object, rack: Rack) -> bool:
    try:
        breakdown(owed, chipset, rack)  # type: ignore[arg-type]
    except CannotPay:
        return False
    return True
