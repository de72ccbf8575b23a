"""Pontoon, the British home game: house rules, settlement, bank, running pack, round and exact advice. Pure code."""

from advisor.games.pontoon.advice import (
    BankerAction,
    BankerAdvice,
    Option,
    PunterAdvice,
    advise_banker,
    advise_punter,
    pool_after,
)
from advisor.games.pontoon.bank import Bank, BankSale
from advisor.games.pontoon.banker import OpenHand
from advisor.games.pontoon.chances import ImpossiblePosition
from advisor.games.pontoon.hand import Kind
from advisor.games.pontoon.loader import load_rules
from advisor.games.pontoon.pack import RunningPack
from advisor.games.pontoon.rules import PRESETS, PontoonRules
from advisor.games.pontoon.settlement import Outcome, Settlement, settle_hand
from advisor.games.pontoon.turns import Action, buy_limits
from advisor.games.rule_fields import RulesError

__all__ = [
    "PRESETS",
    "Action",
    "Bank",
    "BankSale",
    "BankerAction",
    "BankerAdvice",
    "ImpossiblePosition",
    "Kind",
    "OpenHand",
    "Option",
    "Outcome",
    "PontoonRules",
    "PunterAdvice",
    "RulesError",
    "RunningPack",
    "Settlement",
    "advise_banker",
    "advise_punter",
    "buy_limits",
    "load_rules",
    "pool_after",
    "settle_hand",
]
