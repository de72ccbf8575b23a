"""Payouts: the exact amount, the chips, the method and the dealer's words (rules/chips-and-payouts.md, "Payouts")."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from money_strategies import chipsets, handfuls, racks

from advisor.games.blackjack import PRESETS, HouseRules
from advisor.money import (
    CannotPay,
    Chips,
    Method,
    MoneyError,
    Outcome,
    Rack,
    can_pay,
    format_amount,
    outcome_plan,
    payout_plan,
)

ALL = HouseRules(surrender="late", charlie="five-card", bonus_678="2:1", bonus_777="3:1")
"""Rules that have every outcome."""

PLANS = [
    # bet, outcome, owed, chips, method
    ("red:1", "win", "5", "red:1", "size into"),
    ("red:4", "win", "20", "red:4", "size into"),
    ("red:5", "win", "25", "green:1", "colour up"),
    ("red:30", "win", "150", "black:1 green:2", "colour up"),
    ("red:7", "win", "35", "red:7", "size into"),
    ("green:1 red:2 white:3", "win", "38", "green:1 red:2 white:3", "by colour"),
    ("green:1 white:10", "win", "35", "green:1 red:2", "by colour"),
    ("red:2", "blackjack", "15", "red:3", "bridge"),
    ("white:10", "blackjack", "15", "white:15", "bridge"),
    ("red:1", "blackjack", "7.50", "red:1 white:2 yellow:1", "splash and heel"),
    ("green:1 red:1", "blackjack", "45", "green:1 red:4", "splash and heel"),
    ("red:1", "insurance", "10", "red:2", "size in twice"),
    ("white:2 yellow:1", "insurance", "5", "white:4 yellow:2", "size in twice"),
    ("red:1", "push", "0", "", "knock"),
    ("red:1", "lose", "0", "", "take"),
    ("red:2", "surrender", "5", "red:1", "half back"),
    ("red:1", "surrender", "2.50", "white:2 yellow:1", "half back"),
    ("red:1", "even-money", "5", "red:1", "size into"),
    ("red:1", "charlie", "10", "red:2", "size in twice"),
    ("red:1", "6-7-8", "10", "red:2", "size in twice"),
    ("red:1", "7-7-7", "15", "red:3", "size in"),
]


@pytest.mark.parametrize(("bet", "outcome", "owed", "chips", "method"), PLANS)
def test_each_outcome_is_paid_its_way(bet: str, outcome: str, owed: str, chips: str, method: str) -> None:
    plan = outcome_plan(Outcome(outcome), Chips.parse(bet), ALL)
    assert (format_amount(plan.owed), plan.chips, str(plan.method)) == (owed, Chips.parse(chips), method)
    assert plan.order == plan.chips.stack()
    assert plan.words and all(line[0].isupper() or line[0].isdigit() for line in plan.words)


@pytest.mark.parametrize(
    ("odds", "owed", "method"),
    [
        ("3:2", "7.50", Method.HEEL),
        ("6:5", "6", Method.HEEL),
        ("1:1", "5", Method.SIZE_INTO),
        ("2:1", "10", Method.HEEL),
    ],
)
def test_a_blackjack_is_paid_at_the_table_s_odds(odds: str, owed: str, method: Method) -> None:
    plan = outcome_plan(Outcome.BLACKJACK, Chips.parse("red:1"), HouseRules(blackjack_pays=odds))
    assert (format_amount(plan.owed), plan.method) == (owed, method)


def test_the_dealer_s_words() -> None:
    def words(bet: str, outcome: Outcome) -> str:
        return " ".join(outcome_plan(outcome, Chips.parse(bet), ALL).words)

    assert words("red:1", Outcome.PUSH) == "Push: knock, nothing moves."
    assert words("red:2", Outcome.WIN) == "Even money: size into the bet with the same colour, two red."
    assert "lay half as many, two red, across bet and payout" in words("red:4", Outcome.BLACKJACK)
    assert "Splash one red, two white and one yellow, then heel it" in words("red:1", Outcome.BLACKJACK)
    assert "five red make one green" in words("red:5", Outcome.WIN)
    assert "Size in twice" in words("red:1", Outcome.INSURANCE)
    assert "green nearest you, then red" in words("red:1 green:1", Outcome.WIN)
    assert "highest at the bottom: green, red" in words("red:1 green:1", Outcome.WIN)


def test_a_doubled_bet_is_twice_the_chips() -> None:
    plan = outcome_plan(Outcome.WIN, Chips.parse("red:2"), ALL, doubled=True)
    assert plan.bet == plan.chips == Chips.parse("red:4") and plan.owed == 20
    for outcome in (Outcome.BLACKJACK, Outcome.INSURANCE, Outcome.SURRENDER, Outcome.CHARLIE, Outcome.EVEN_MONEY):
        with pytest.raises(MoneyError, match=f"a doubled bet has no {outcome}"):
            outcome_plan(outcome, Chips.parse("red:2"), ALL, doubled=True)


def test_a_rack_that_lacks_the_colour_pays_in_others() -> None:
    rack = Rack.of({"red": 1, "white": 30})
    plan = payout_plan(Chips.parse("red:2"), 1, rack=rack)
    assert (plan.method, plan.chips) == (Method.HEEL, Chips.parse("red:1 white:5"))
    bridge = payout_plan(Chips.parse("red:2"), "3:2", rack=rack)
    assert (bridge.method, bridge.chips) == (Method.HEEL, Chips.parse("red:1 white:10"))
    with pytest.raises(CannotPay, match="the rack cannot pay 50: it holds 35"):
        payout_plan(Chips.parse("green:2"), 1, rack=rack)
    with pytest.raises(CannotPay, match=r"1\.20 cannot be made exactly"):
        payout_plan(Chips.parse("white:1"), "6:5")


@pytest.mark.parametrize(
    ("bet", "outcome", "says"),
    [
        ("", "win", "a bet of 0 cannot be"),
        ("", "insurance", "a bet of 0 cannot be"),
        ("white:2 yellow:1", "win", r"a bet of 2\.50 is not a whole number of units of 1"),
        ("red:1", "surrender", "these house rules pay no surrender: a table that does sets for example surrender=late"),
        ("red:1", "charlie", "no charlie"),
        ("red:1", "6-7-8", "no 6-7-8"),
        ("red:1", "7-7-7", "no 7-7-7"),
    ],
)
def test_bets_and_outcomes_that_the_rules_do_not_have_are_refused(bet: str, outcome: str, says: str) -> None:
    with pytest.raises(MoneyError, match=says):
        outcome_plan(Outcome(outcome), Chips.parse(bet), PRESETS["home"])


def test_no_bet_is_no_payout() -> None:
    with pytest.raises(MoneyError, match="no bet"):
        payout_plan(Chips(), "3:2")


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_plan_pays_exactly_what_is_owed_out_of_the_rack(data: st.DataObject) -> None:
    chipset = data.draw(chipsets())
    bet = data.draw(handfuls(chipset, least=1))
    rack = data.draw(racks(chipset))
    odds = data.draw(st.sampled_from(["1:1", "3:2", "6:5", "2:1", "3:1", "7:4"]))
    blackjack = data.draw(st.booleans())
    try:
        plan = payout_plan(bet, odds, chipset, rack, blackjack=blackjack)
    except CannotPay:
        assert not can_pay(bet.total(chipset) * Fraction(*map(int, odds.split(":"))), chipset, rack)
        return
    assert plan.chips.total(chipset) == plan.owed == bet.total(chipset) * Fraction(*map(int, odds.split(":")))
    assert rack.holds(plan.chips)
    assert plan.order == plan.chips.stack(chipset)
