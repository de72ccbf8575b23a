"""The sweep before the deal: each fault is named with its spot and what to do, and nothing is claimed of a doubt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from money_strategies import chipsets, handfuls

from advisor.money import (
    BetTrouble,
    Chips,
    MoneyError,
    SpotSeen,
    StackSeen,
    SweptBet,
    bet_changed,
    parse_amount,
    sweep,
    sweep_bet,
)


@dataclass(frozen=True)
class Limits:
    minimum: Fraction = Fraction(5)
    maximum: Fraction = Fraction(500)
    unit: Fraction = Fraction(1)


def spot(*stacks: str, name: str = "seat 3") -> SpotSeen:
    """Stacks written from the bottom: "green red red"; "? red" is a doubt with a guess."""
    return SpotSeen(name, tuple(stack(text) for text in stacks))


def stack(text: str) -> StackSeen:
    words = text.split()
    return StackSeen(tuple(w for w in words if w != "?"), "something hides a part of it" if "?" in words else "")


def swept(*stacks: str) -> SweptBet:
    return sweep_bet(spot(*stacks), Limits())


def troubles(bet: SweptBet) -> list[str]:
    return [str(fault.trouble) for fault in bet.faults]


@pytest.mark.parametrize(
    ("stacks", "amount"),
    [
        ((), "0"),
        (("red",), "5"),
        (("green red red white",), "36"),
        (("black", "red red"), "110"),
        (("purple",), "500"),
        (("red yellow yellow",), "6"),
    ],
)
def test_a_proper_bet_has_its_amount_and_no_fault(stacks: Sequence[str], amount: str) -> None:
    bet = swept(*stacks)
    assert (bet.amount, bet.faults) == (parse_amount(amount), ())


@pytest.mark.parametrize(
    ("stacks", "found", "says"),
    [
        (("white white",), ["below minimum"], "Seat 3 bets 2, below the minimum of 5: add 3, or take the bet back."),
        (("purple red",), ["above maximum"], "Seat 3 bets 505, above the maximum of 500: take 5 off."),
        (
            ("red yellow",),
            ["not whole units"],
            "Seat 3 bets 5.50, which is not a whole number of units of 1: take 0.50 off or add 0.50.",
        ),
        (
            ("white yellow",),
            ["below minimum"],
            "Seat 3 bets 1.50, below the minimum of 5, and not a whole number of units of 1: "
            "add 3.50, or take the bet back.",
        ),
        (
            ("purple black yellow",),
            ["above maximum"],
            "Seat 3 bets 600.50, above the maximum of 500, and not a whole number of units of 1: take 100.50 off.",
        ),
        (
            ("red red green",),
            ["dirty"],
            "Seat 3: the highest is not at the bottom (from the bottom: two red, one green). "
            "Restack it from the bottom: one green and two red.",
        ),
        (
            ("red red green red",),
            ["sandwiched"],
            "Seat 3: one green chip lies between red ones. "
            "Ask whose it is, and restack the bet with the highest at the bottom.",
        ),
        (("red white red white red",), ["sandwiched"], "two white chips lie singly between red ones. Ask whose they"),
        (("red white red green",), ["sandwiched", "dirty"], "one white chip lies between red ones"),
        (("red white white red",), ["dirty"], "one red, two white, one red"),
        (("red red white white red",), ["dirty"], "two red, two white, one red"),
        (("white red white red",), ["dirty"], "Restack it from the bottom: two red and two white."),
        (("? red red",), ["unsure"], "Seat 3: the bet could not be read surely (something hides a part of it)."),
        (("?",), ["unsure"], "Count it by hand."),
        (("red pink",), ["unknown colour"], "Seat 3: no value is known for pink. Change it for this table's chips"),
        (("? red", "red green"), ["unsure", "dirty"], "could not be read surely"),
    ],
)
def test_each_fault_names_the_spot_and_what_to_do(stacks: Sequence[str], found: list[str], says: str) -> None:
    bet = swept(*stacks)
    assert troubles(bet) == found
    assert any(says in fault.words for fault in bet.faults)
    assert all(fault.words.startswith("Seat 3") and fault.spot == "seat 3" for fault in bet.faults)


@pytest.mark.parametrize("stacks", [("? red red",), ("? red", "green"), ("red pink",)])
def test_no_amount_is_given_of_a_doubtful_spot(stacks: Sequence[str]) -> None:
    bet = swept(*stacks)
    assert bet.amount is None and bet.chips is None
    assert not {"below minimum", "above maximum", "not whole units"} & set(troubles(bet))


def test_limits_that_are_no_whole_units_are_reached_by_whole_units() -> None:
    limits = Limits(Fraction(7), Fraction(33), Fraction(5))
    assert "add 5, or" in sweep_bet(spot("red"), limits).faults[0].words
    assert "take 5 off" in sweep_bet(spot("green red red"), limits).faults[0].words


def test_all_spots_are_swept_in_order() -> None:
    found = sweep([spot("red", name="seat 1"), spot(name="seat 2"), spot("white", name="seat 3")], Limits())
    assert [(bet.spot, bet.amount, troubles(bet)) for bet in found] == [
        ("seat 1", 5, []),
        ("seat 2", 0, []),
        ("seat 3", 1, ["below minimum"]),
    ]


@pytest.mark.parametrize(
    ("before", "now", "expected", "says"),
    [
        ("red red", "red red", None, ""),
        ("green", "red red red red red", None, ""),
        ("red red", "red red red", None, "the bet was 10 when the first card came and 15 lies there now: take off one"),
        ("red red", "red", None, "put back one red before the next card"),
        ("red red", "green", None, "take off one green and put back two red before the next card"),
        ("red red", "", None, "no chips are seen there now: put back two red"),
        ("red red", "red red red red", "20", ""),
        ("red red", "red red red", "20", "20 should lie there by now and 15 lies there now: add 5"),
        ("red", "red red red", "10", "take back 5 before"),
        ("red red", "? red red red", None, "whether the bet was changed cannot be told, because now it could not be"),
        ("? red", "red red", None, "because when the first card came it could not be read surely"),
    ],
)
def test_a_bet_changed_after_the_first_card_is_said(before: str, now: str, expected: str | None, says: str) -> None:
    fault = bet_changed(
        spot(*filter(None, [before])),
        spot(*filter(None, [now])),
        expected=None if expected is None else Fraction(expected),
    )
    if not says:
        assert fault is None
        return
    assert fault is not None and says in fault.words and fault.words.startswith("Seat 3: ")
    assert fault.trouble is (BetTrouble.UNSURE if "?" in before + now else BetTrouble.CHANGED)


@given(st.data())
def test_the_highest_at_the_bottom_is_never_a_fault_and_its_reverse_is(data: st.DataObject) -> None:
    chipset = data.draw(chipsets())
    chips = data.draw(handfuls(chipset, least=1))
    proper = StackSeen(chips.stack(chipset))
    free = Limits(Fraction(0), Fraction(10**9), Fraction(1, 10))
    bet = sweep_bet(SpotSeen("seat 1", (proper,)), free, chipset)
    assert (bet.chips, bet.amount, bet.faults) == (chips, chips.total(chipset), ())
    turned = sweep_bet(SpotSeen("seat 1", (StackSeen(proper.order[::-1]),)), free, chipset)
    values = {chipset.value(colour) for colour, _ in chips}
    assert troubles(turned) == (["dirty"] if len(values) > 1 else [])


@given(st.data())
def test_an_amount_without_a_fault_is_one_that_the_limits_allow(data: st.DataObject) -> None:
    chipset = data.draw(chipsets())
    chips = data.draw(handfuls(chipset, least=1))
    unit = Fraction(data.draw(st.integers(1, 20)), data.draw(st.sampled_from([1, 2, 5])))
    least = unit * data.draw(st.integers(1, 5))
    limits = Limits(least, least + unit * data.draw(st.integers(0, 20)), unit)
    bet = sweep_bet(SpotSeen("seat 1", (StackSeen(chips.stack(chipset)),)), limits, chipset)
    assert bet.amount is not None
    allowed = limits.minimum <= bet.amount <= limits.maximum and bet.amount % unit == 0
    assert allowed == (not bet.faults)


def test_a_stack_of_nothing_cannot_be() -> None:
    with pytest.raises(MoneyError, match="must say why"):
        StackSeen(())
    assert spot("green red red", "red").chips() == Chips({"green": 1, "red": 3})
