"""What the chips cannot pay exactly is said before the deal."""

from __future__ import annotations

from fractions import Fraction

import pytest

from advisor.games.blackjack import PRESETS, HouseRules
from advisor.money import ChipSet, Rack, can_pay, unpayable


@pytest.mark.parametrize("name", PRESETS)
def test_the_presets_can_be_paid_with_the_standard_chips(name: str) -> None:
    assert unpayable(PRESETS[name]) == ()


def test_six_to_five_needs_bets_in_fives() -> None:
    (problem,) = unpayable(HouseRules(blackjack_pays="6:5", minimum=Fraction(1)))
    assert problem.sentence == (
        "a blackjack on 1 pays 1.20 at 6:5, which these chips cannot make: use bets in multiples of 5"
    )
    assert (problem.what, problem.bet, problem.owed, problem.step) == ("blackjack", 1, Fraction(6, 5), 5)


def test_every_kind_is_told_with_its_lowest_bet() -> None:
    whole = ChipSet({"white": 1, "red": 5})
    rules = HouseRules(surrender="late", bonus_678="5:4", minimum=Fraction(4))
    told = {problem.what: problem for problem in unpayable(rules, whole)}
    assert list(told) == ["blackjack", "6-7-8", "surrender", "insurance"]
    assert told["blackjack"].sentence.startswith("a blackjack on 5 pays 7.50 at 3:2")
    assert told["surrender"].sentence == (
        "a surrender on 5 gives back 2.50, which these chips cannot make: use bets in multiples of 2"
    )
    assert told["insurance"].sentence.startswith("full insurance on 5 is 2.50")
    assert told["6-7-8"].step == 4


def test_bets_that_these_chips_cannot_make_are_told() -> None:
    problems = unpayable(HouseRules(unit=Fraction(1), minimum=Fraction(5)), ChipSet({"red": 5, "green": 25}))
    assert problems[0].sentence == ("a bet of 6 cannot be made with these chips: use bets in multiples of 5")
    assert problems[1].bet == 5 and problems[1].step == 10


def test_odds_that_no_bet_can_be_paid_at_are_told() -> None:
    rules = HouseRules(blackjack_pays="7:9", minimum=Fraction(5), maximum=Fraction(8))
    (problem,) = unpayable(rules)
    assert problem.step is None and problem.sentence.endswith(": use other chips or other odds")


def test_a_rack_that_runs_short_is_told_with_what_is_missing() -> None:
    told = {p.what: p.sentence for p in unpayable(HouseRules(), rack=Rack.of({"red": 40, "white": 20, "yellow": 1}))}
    assert told == {
        "win": "a win on 221 pays 221: the rack cannot pay 221: it holds 220.50",
        "blackjack": "a blackjack on 148 pays 222: the rack cannot pay 222: it holds 220.50",
    }
    told = {p.what: p.sentence for p in unpayable(HouseRules(), rack=Rack.of({"red": 400, "white": 40}))}
    assert told["blackjack"].startswith("a blackjack on 5 pays 7.50: the rack cannot pay 7.50 exactly")


def test_the_advised_step_is_enough() -> None:
    for odds in ("6:5", "3:2", "7:5", "11:10"):
        rules = HouseRules(blackjack_pays=odds, minimum=Fraction(1), maximum=Fraction(200))
        for chips in (ChipSet({"white": 1, "red": 5}), ChipSet({"a": 20, "b": 25, "c": 1}), ChipSet({"half": "0.5"})):
            for problem in unpayable(rules, chips):
                assert problem.step is not None
                share = problem.owed / problem.bet
                assert not can_pay(problem.owed, chips)
                assert all(can_pay(share * problem.step * n, chips) for n in range(1, int(200 / problem.step) + 1))


def test_a_wide_range_of_bets_is_no_wait() -> None:
    rules = HouseRules(blackjack_pays="6:5", minimum=Fraction(1), maximum=Fraction(10**6))
    assert [problem.step for problem in unpayable(rules)] == [5]
