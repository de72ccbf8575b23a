"""A round's outcomes and what the house rules owe for each."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from typing import Final, Protocol

from advisor.money.amounts import MoneyError, format_amount, parse_odds
from advisor.money.chips import DEFAULT_CHIPS, Chips, ChipSet
from advisor.money.payout import PayoutPlan, half_back, knock, payout_plan, take
from advisor.money.rack import UNLIMITED, Rack


class Outcome(StrEnum):
    """How a bet ended. A doubled bet is a win, push or loss of twice the chips."""

    WIN = "win"
    BLACKJACK = "blackjack"
    PUSH = "push"
    LOSE = "lose"
    INSURANCE = "insurance"
    SURRENDER = "surrender"
    EVEN_MONEY = "even-money"
    CHARLIE = "charlie"
    BONUS_678 = "6-7-8"
    BONUS_777 = "7-7-7"


DOUBLES: Final = frozenset({Outcome.WIN, Outcome.PUSH, Outcome.LOSE})
"""Outcomes that a doubled hand may have: a bonus is for hands drawn card by card, as in the odds and the round."""
INSURANCE_ODDS: Final = Fraction(2)
"""rules/blackjack.md: insurance pays 2:1 wherever it is offered."""


class BetLimits(Protocol):
    """The fields of a game's rules that limit a bet; ``unit`` is above 0."""

    @property
    def minimum(self) -> Fraction: ...
    @property
    def maximum(self) -> Fraction: ...
    @property
    def unit(self) -> Fraction: ...


class PayingRules(BetLimits, Protocol):
    """The fields of blackjack's house rules that decide what is owed."""

    @property
    def blackjack_odds(self) -> Fraction: ...
    @property
    def charlie_odds(self) -> Fraction: ...
    @property
    def bonus_678(self) -> str: ...
    @property
    def bonus_777(self) -> str: ...
    @property
    def surrender(self) -> str: ...
    @property
    def insurance(self) -> str: ...
    @property
    def even_money(self) -> bool: ...


def outcome_odds(outcome: Outcome, rules: PayingRules) -> Fraction:
    """What the outcome pays as a multiple of its bet; 0 where nothing is paid on top (push, loss, surrender).

    Raises `MoneyError` for an outcome that the house rules do not have.
    """
    offered = {
        Outcome.INSURANCE: (rules.insurance != "none", "insurance=any"),
        Outcome.SURRENDER: (rules.surrender != "none", "surrender=late"),
        Outcome.EVEN_MONEY: (rules.even_money, "even_money=yes"),
        Outcome.CHARLIE: (rules.charlie_odds > 0, "charlie=five-card"),
        Outcome.BONUS_678: (rules.bonus_678 != "none", "bonus_678=2:1"),
        Outcome.BONUS_777: (rules.bonus_777 != "none", "bonus_777=3:1"),
    }
    there, setting = offered.get(outcome, (True, ""))
    if not there:
        raise MoneyError(f"these house rules pay no {outcome}: a table that does sets for example {setting}")
    match outcome:
        case Outcome.WIN | Outcome.EVEN_MONEY:
            return Fraction(1)
        case Outcome.BLACKJACK:
            return rules.blackjack_odds
        case Outcome.INSURANCE:
            return INSURANCE_ODDS
        case Outcome.CHARLIE:
            return rules.charlie_odds
        case Outcome.BONUS_678:
            return parse_odds(rules.bonus_678)
        case Outcome.BONUS_777:
            return parse_odds(rules.bonus_777)
        case _:
            return Fraction(0)


def check_bet(amount: Fraction, rules: PayingRules) -> None:
    """Raises `MoneyError` for a bet that is nothing, negative, or no whole number of the rules' units."""
    if amount <= 0:
        raise MoneyError(f"a bet of {format_amount(amount)} cannot be: a bet is more than 0")
    if amount % rules.unit:
        raise MoneyError(
            f"a bet of {format_amount(amount)} is not a whole number of units of {format_amount(rules.unit)}"
        )


def outcome_plan(
    outcome: Outcome,
    bet: Chips,
    rules: PayingRules,
    chipset: ChipSet = DEFAULT_CHIPS,
    rack: Rack = UNLIMITED,
    *,
    doubled: bool = False,
) -> PayoutPlan:
    """How the bet is settled under the rules.

    ``bet`` is the first stack of a doubled bet; for insurance it is the insurance bet, which need be no whole unit.
    Raises `MoneyError` for a bet or an outcome that the rules do not allow, `CannotPay` where chips cannot make it.
    """
    odds = outcome_odds(outcome, rules)
    total = bet.total(chipset)
    if outcome is not Outcome.INSURANCE or total <= 0:
        check_bet(total, rules)
    if doubled:
        if outcome not in DOUBLES:
            raise MoneyError(f"a doubled bet has no {outcome}: say win, push or lose")
        bet = bet.times(2)
    match outcome:
        case Outcome.PUSH:
            return knock(bet)
        case Outcome.LOSE:
            return take(bet, chipset)
        case Outcome.SURRENDER:
            return half_back(bet, chipset, rack)
        case _:
            return payout_plan(bet, odds, chipset, rack, blackjack=outcome is Outcome.BLACKJACK)
