"""Money at the table: exact amounts, chips, the rack, payouts, change. Pure code; amounts are exact, never float."""

from advisor.money.amounts import (
    MoneyError,
    amount_words,
    format_amount,
    odds_text,
    parse_amount,
    parse_odds,
    typed_amount,
)
from advisor.money.before_deal import Unpayable, unpayable
from advisor.money.bet_sweep import BetFault, BetTrouble, SweptBet, amount_faults, bet_changed, sweep, sweep_bet
from advisor.money.breakdown import CannotPay, breakdown, can_pay
from advisor.money.change import ChangePlan, ColourUp, change, colour_up
from advisor.money.check import PULL_BACK, PaymentCheck, Verdict, verify_payment
from advisor.money.chips import DEFAULT_CHIPS, Chips, ChipSet, chips_words
from advisor.money.loader import load_chips
from advisor.money.outcomes import BetLimits, Outcome, PayingRules, check_bet, outcome_odds, outcome_plan
from advisor.money.payout import Method, PayoutPlan, payout_plan
from advisor.money.rack import UNLIMITED, Rack
from advisor.money.settling import ENDINGS, Ended, Settling, parse_ended, settle
from advisor.money.spot_check import SpotCheck, check_spot, verify_spot
from advisor.money.spot_chips import SpotSeen, StackSeen
from advisor.money.weighing import likely_worth

__all__ = [
    "DEFAULT_CHIPS",
    "ENDINGS",
    "PULL_BACK",
    "UNLIMITED",
    "BetFault",
    "BetLimits",
    "BetTrouble",
    "CannotPay",
    "ChangePlan",
    "ChipSet",
    "Chips",
    "ColourUp",
    "Ended",
    "Method",
    "MoneyError",
    "Outcome",
    "PayingRules",
    "PaymentCheck",
    "PayoutPlan",
    "Rack",
    "Settling",
    "SpotCheck",
    "SpotSeen",
    "StackSeen",
    "SweptBet",
    "Unpayable",
    "Verdict",
    "amount_faults",
    "amount_words",
    "bet_changed",
    "breakdown",
    "can_pay",
    "change",
    "check_bet",
    "check_spot",
    "chips_words",
    "colour_up",
    "format_amount",
    "likely_worth",
    "load_chips",
    "odds_text",
    "outcome_odds",
    "outcome_plan",
    "parse_amount",
    "parse_ended",
    "parse_odds",
    "payout_plan",
    "settle",
    "sweep",
    "sweep_bet",
    "typed_amount",
    "unpayable",
    "verify_payment",
    "verify_spot",
]
