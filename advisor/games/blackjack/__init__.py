"""Blackjack: house rules, hands, the shoe, exact odds, advice and charts. Pure code; amounts are exact."""

from advisor.games.blackjack.advice import Action, Advice, advise
from advisor.games.blackjack.hand import Hand
from advisor.games.blackjack.loader import load_rules
from advisor.games.blackjack.position import ImpossiblePosition, status
from advisor.games.blackjack.presets import PRESETS
from advisor.games.blackjack.rules import HouseRules, RulesError, dealer_draws
from advisor.games.blackjack.shoe import ShoeError, parse_shoe, remaining, shoe_problems

__all__ = [
    "PRESETS",
    "Action",
    "Advice",
    "Hand",
    "HouseRules",
    "ImpossiblePosition",
    "RulesError",
    "ShoeError",
    "advise",
    "dealer_draws",
    "load_rules",
    "parse_shoe",
    "remaining",
    "shoe_problems",
    "status",
]
