"""Hypothesis strategies that draw whole variants, and hands that often have something to lay down."""

from __future__ import annotations

from hypothesis import strategies as st

from advisor.games.cards import Card
from advisor.games.rummy.cards import JOKER, RummyCard
from advisor.games.rummy.fields import with_values
from advisor.games.rummy.loader import shipped_variant
from advisor.games.rummy.variant import Variant

CONTRACTS = ("S3", "R3", "R4", "S3 S3", "S3 R3", "S2 R3", "R3 R3", "R3 R4", "S3+ R3", "S3 R3+", "S2 S2 R3", "S2 R3 R3")


@st.composite
def variants(draw: st.DrawFn, contract: str | None = None) -> Variant:
    """Any variant, with one deal; its smallest melds have two cards in a set and three in a sequence."""
    text = contract or draw(st.sampled_from([*CONTRACTS, "S3 / R4", "R3 R3 / S3"]))
    values = {
        "set_min": 2,
        "run_min": 3,
        "deals": f"10: {text}",
        "wild": draw(st.sampled_from(["joker", "joker", "joker,2", "joker,2C,2S", "none", "3"])),
        "ace": draw(st.sampled_from(["low", "high", "both", "both_ends", "wrap"])),
        "meld_size": draw(st.sampled_from(["exact", "at_least"])),
        "same_suit_runs": "free" if text == "any" else draw(st.sampled_from(["gap", "free"])),
        "max_wilds_per_meld": draw(st.sampled_from(["any", "any", "any", "0", "1", "2", "S3:1,R3:1,R5:2"])),
        "naturals_majority": draw(st.sampled_from(["no", "no", "yes"])),
        "wilds_may_touch": draw(st.sampled_from(["yes", "yes", "no"])),
        "points.joker": draw(st.sampled_from(["0", "15", "25", "50"])),
        "points.wild": draw(st.sampled_from(["joker", "20", "0"])),
        "points.ace": draw(st.sampled_from(["1", "15", "20"])),
        "points.number": draw(st.sampled_from(["pip", "5"])),
    }
    return with_values(shipped_variant("contract-b"), values)


@st.composite
def small_hands(draw: st.DrawFn, most: int = 8, jokers: int = 3) -> list[RummyCard]:
    """Few ranks and suits, so that melds are common; a card comes three times at most."""
    ranks = draw(st.sampled_from(["A23", "A234", "2345", "9JQKA", "QKA2", "A2345", "34567"]))
    suits = draw(st.sampled_from(["CS", "C", "CDH", "HS"]))
    names = [rank.replace("9", "10") if ranks == "9JQKA" else rank for rank in ranks]
    kinds: list[RummyCard] = [Card(rank, suit) for rank in names for suit in suits]
    number = draw(st.integers(3, most))
    cards = draw(
        st.lists(st.sampled_from([*kinds, JOKER]), min_size=number, max_size=number).filter(
            lambda hand: all(hand.count(card) <= (jokers if card == JOKER else 3) for card in hand)
        )
    )
    return cards
