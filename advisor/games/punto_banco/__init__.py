"""Punto banco: house rules, third-card rules, exact chances, the round and the scoreboard. Pure code; exact amounts."""

from advisor.games.punto_banco.bets import Bet, Outcome, Settlement, settle_bet
from advisor.games.punto_banco.loader import load_rules
from advisor.games.punto_banco.odds import Chances, chances, house_edge
from advisor.games.punto_banco.rules import PRESETS, PuntoBancoRules
from advisor.games.punto_banco.shoe import Shoe, ShoeError, parse_shoe, remaining
from advisor.games.punto_banco.tableau import Coup, Result, Side
from advisor.games.rule_fields import RulesError

__all__ = [
    "PRESETS",
    "Bet",
    "Chances",
    "Coup",
    "Outcome",
    "PuntoBancoRules",
    "Result",
    "RulesError",
    "Settlement",
    "Shoe",
    "ShoeError",
    "Side",
    "chances",
    "house_edge",
    "load_rules",
    "parse_shoe",
    "remaining",
    "settle_bet",
]
