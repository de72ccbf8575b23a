"""Before the deal: the bets whose payouts these chips cannot make, so that nothing is ever rounded silently."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from advisor.money.amounts import MoneyError, format_amount, odds_text
from advisor.money.breakdown import Breaker, breakdown
from advisor.money.chips import DEFAULT_CHIPS, ChipSet
from advisor.money.outcomes import Outcome, PayingRules, outcome_odds
from advisor.money.rack import UNLIMITED, Rack

MOST_BETS: Final = 2000
"""How many bets from the minimum up are tried; what the chips' values forbid shows long before."""


@dataclass(frozen=True, slots=True)
class Unpayable:
    """One thing that cannot be paid exactly."""

    what: str
    """The outcome, or "bet" where the bet itself cannot be made of these chips."""
    bet: Fraction
    """The lowest bet that it concerns."""
    owed: Fraction
    """What would have to be paid on it."""
    step: Fraction | None
    """Bets in multiples of this are free of the problem; `None` where there are none, or where the rack is short."""
    sentence: str


def unpayable(rules: PayingRules, chipset: ChipSet = DEFAULT_CHIPS, rack: Rack = UNLIMITED) -> tuple[Unpayable, ...]:
    """Every kind of payout that some allowed bet cannot be given exactly, with its lowest bet; empty when all is well.

    Tries the bets in whole units from the minimum to the maximum, at most `MOST_BETS` of them. What the denominations
    cannot make comes first, then what a finite rack is too short for.
    """
    last = min(rules.maximum, rules.minimum + rules.unit * (MOST_BETS - 1))
    bets = [rules.minimum + rules.unit * i for i in range(int((last - rules.minimum) / rules.unit) + 1)]
    all_chips = _Payable(Breaker(chipset))
    found: list[Unpayable] = []
    makeable = [bet for bet in bets if all_chips(bet)]
    unmakeable = set(bets) - set(makeable)
    if unmakeable:
        bad = sorted(unmakeable)
        step = _step(bets, unmakeable, rules.unit)
        said = f"a bet of {format_amount(bad[0])} cannot be made with these chips"
        found.append(Unpayable("bet", bad[0], bad[0], step, said + _advice(step)))
    for what, multiple, words in _kinds(rules):
        bad = [bet for bet in makeable if not all_chips(bet * multiple)]
        if bad:
            step = _step(bets, unmakeable.union(bad), rules.unit)
            owed = bad[0] * multiple
            said = words.format(bet=format_amount(bad[0]), owed=format_amount(owed))
            found.append(Unpayable(what, bad[0], owed, step, f"{said}, which these chips cannot make{_advice(step)}"))
    if rack.chips is not None:
        found += _rack_problems(rules, makeable, all_chips, chipset, rack)
    return tuple(found)


class _Payable:
    """Whether amounts can be made, each asked once."""

    def __init__(self, breaker: Breaker) -> None:
        self._breaker = breaker

    def __call__(self, amount: Fraction) -> bool:
        try:
            return self._breaker.break_down(amount) is not None
        except MoneyError:
            return False


def _kinds(rules: PayingRules) -> list[tuple[str, Fraction, str]]:
    """What may have to be paid on a bet: its name, how many times the bet, and the words for it."""
    kinds = [
        (str(outcome), odds, f"a {outcome} on {{bet}} pays {{owed}} at {odds_text(odds)}")
        for outcome, odds in _paying(rules)
    ]
    half = Fraction(1, 2)
    if rules.surrender != "none":
        kinds.append(("surrender", half, "a surrender on {bet} gives back {owed}"))
    if rules.insurance != "none":
        kinds.append(("insurance", half, "full insurance on {bet} is {owed}"))
    return kinds


def _paying(rules: PayingRules) -> list[tuple[Outcome, Fraction]]:
    found = []
    for outcome in (Outcome.BLACKJACK, Outcome.CHARLIE, Outcome.BONUS_678, Outcome.BONUS_777):
        try:
            found.append((outcome, outcome_odds(outcome, rules)))
        except MoneyError:  # the table does not offer it
            continue
    return found


def _step(bets: list[Fraction], bad: set[Fraction], unit: Fraction) -> Fraction | None:
    """The smallest number of units whose multiples among the bets are all good."""
    for count in range(1, len(bets) + 1):
        multiples = [bet for bet in bets if bet % (unit * count) == 0]
        if multiples and not bad.intersection(multiples):
            return unit * count
    return None


def _advice(step: Fraction | None) -> str:
    return f": use bets in multiples of {format_amount(step)}" if step else ": use other chips or other odds"


def _rack_problems(
    rules: PayingRules,
    bets: list[Fraction],
    all_chips: Callable[[Fraction], bool],
    chipset: ChipSet,
    rack: Rack,
) -> list[Unpayable]:
    """For each outcome the lowest bet that the denominations could pay and this rack cannot."""
    in_rack = _Payable(Breaker(chipset, rack))
    found = []
    for outcome, odds in [(Outcome.WIN, Fraction(1)), *_paying(rules)]:
        for bet in bets:
            owed = bet * odds
            if all_chips(owed) and not in_rack(owed):
                said = f"a {outcome} on {format_amount(bet)} pays {format_amount(owed)}: {_short(owed, chipset, rack)}"
                found.append(Unpayable(str(outcome), bet, owed, None, said))
                break
    return found


def _short(owed: Fraction, chipset: ChipSet, rack: Rack) -> str:
    try:
        breakdown(owed, chipset, rack)
    except MoneyError as error:
        return str(error)
    return ""
