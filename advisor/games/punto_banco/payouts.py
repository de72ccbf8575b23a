"""Punto banco's payouts and commission in chips, and the bets that these chips could not pay exactly."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from advisor.games.punto_banco.bets import Bet, Outcome, Settlement, settle_bet, winning_odds
from advisor.games.punto_banco.rules import PuntoBancoRules
from advisor.games.punto_banco.tableau import Coup
from advisor.money import DEFAULT_CHIPS, UNLIMITED, Chips, ChipSet, PayoutPlan, Rack, breakdown, can_pay, chips_words
from advisor.money.amounts import format_amount
from advisor.money.payout import knock, payout_plan, take


@dataclass(frozen=True, slots=True)
class BetPayout:
    """How one bet is settled in chips."""

    settlement: Settlement
    plan: PayoutPlan
    words: tuple[str, ...]
    """What the dealer does, step by step; commission that is kept for later is said last."""


def bet_payout(
    rules: PuntoBancoRules,
    bet: Bet,
    chips: Chips,
    coup: Coup,
    chipset: ChipSet = DEFAULT_CHIPS,
    rack: Rack = UNLIMITED,
) -> BetPayout:
    """How the chips on a bet are settled when the coup is over.

    Raises `UnfinishedCoup` before that, `CannotPay` where no chips at hand make the amount exactly.
    """
    amount = chips.total(chipset)
    settled = settle_bet(rules, bet, amount, coup)
    if settled.outcome is Outcome.LOSE:
        plan = take(chips, chipset)
    elif settled.outcome is Outcome.PUSH:
        plan = knock(chips)
    else:
        plan = payout_plan(chips, settled.amount / amount, chipset, rack)
    words = plan.words
    if settled.commission:
        words = (*words, f"Mark {format_amount(settled.commission)} commission for the seat.")
    return BetPayout(settled, plan, words)


def commission_chips(owed: Fraction, chipset: ChipSet = DEFAULT_CHIPS) -> tuple[Chips, str]:
    """The fewest chips that pay a seat's commission, and the sentence that asks for them.

    Raises `CannotPay` where these chips cannot make it exactly; nothing is rounded.
    """
    chips = breakdown(owed, chipset)
    return chips, f"Collect the commission of {format_amount(owed)}: {chips_words(chips, chipset)}."


def unpayable_bets(
    rules: PuntoBancoRules,
    bets: Iterable[tuple[int, Bet, Fraction]],
    chipset: ChipSet = DEFAULT_CHIPS,
    rack: Rack = UNLIMITED,
) -> tuple[str, ...]:
    """Every bet (seat, bet, amount) whose win these chips could not pay exactly, a sentence each, before the deal.

    Commission that is kept for later is left out: it adds up, and is checked when it is collected.
    """
    found = []
    for seat, bet, amount in bets:
        wins = {winning_odds(rules, bet, total) for total in range(10)}
        share = 1 - rules.commission_rate if bet is Bet.BANKER and rules.commission_taken == "at-once" else 1
        for odds in sorted(wins):
            owed = amount * odds * share
            if not can_pay(owed, chipset, rack):
                said = f"Seat {seat}: {format_amount(amount)} on {bet.words} could be owed {format_amount(owed)}"
                found.append(f"{said}, which these chips cannot make: change the bet before the cards are dealt.")
    return tuple(found)
