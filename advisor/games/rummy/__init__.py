"""The rummy family: variants as data, scores, melds, and the exact best lay-down. Pure code; points are integers."""

from advisor.games.rummy.cards import JOKER, Joker, RummyCard, parse_rummy_card, parse_rummy_cards, rummy_text
from advisor.games.rummy.contract import Contract, ContractError, Slot, parse_contract
from advisor.games.rummy.discard import Discard, discards
from advisor.games.rummy.fields import as_data, from_data, with_values
from advisor.games.rummy.layoff import LaidOff, LayOffs, Swap, lay_offs, lay_offs_with_swap, swaps
from advisor.games.rummy.limits import hand_problems, most_cards, pack_problems
from advisor.games.rummy.loader import load_variant, shipped_variant, variant_names
from advisor.games.rummy.melds import Meld, Verdict, Why, judge, readings
from advisor.games.rummy.score import Score, score
from advisor.games.rummy.solver import LayDown, can_lay_down, lay_down
from advisor.games.rummy.table import TableCheck, check_table
from advisor.games.rummy.variant import Deal, Packs, Points, Variant, VariantError

__all__ = [
    "JOKER",
    "Contract",
    "ContractError",
    "Deal",
    "Discard",
    "Joker",
    "LaidOff",
    "LayDown",
    "LayOffs",
    "Meld",
    "Packs",
    "Points",
    "RummyCard",
    "Score",
    "Slot",
    "Swap",
    "TableCheck",
    "Variant",
    "VariantError",
    "Verdict",
    "Why",
    "as_data",
    "can_lay_down",
    "check_table",
    "discards",
    "from_data",
    "hand_problems",
    "judge",
    "lay_down",
    "lay_offs",
    "lay_offs_with_swap",
    "load_variant",
    "most_cards",
    "pack_problems",
    "parse_contract",
    "parse_rummy_card",
    "parse_rummy_cards",
    "readings",
    "rummy_text",
    "score",
    "shipped_variant",
    "swaps",
    "variant_names",
    "with_values",
]
