"""Hypothesis strategies that draw whole rule sets, shoes and hands."""

from __future__ import annotations

from hypothesis import strategies as st

from advisor.games.blackjack import HouseRules
from advisor.games.cards import FULL_PACK, Card


def house_rules(max_decks: int = 8) -> st.SearchStrategy[HouseRules]:
    """Any house rules."""
    return st.builds(
        HouseRules,
        decks=st.integers(1, max_decks),
        dealer_soft_17=st.sampled_from(["stand", "hit"]),
        hole_card=st.sampled_from(["peek", "none"]),
        no_hole_card_loss=st.sampled_from(["all", "original"]),
        blackjack_pays=st.sampled_from(["3:2", "6:5", "1:1", "2:1"]),
        double_on=st.sampled_from(["any", "9-11", "10-11", "none"]),
        double_soft=st.booleans(),
        double_after_split=st.booleans(),
        split_on=st.sampled_from(["same-rank", "ten-values", "not-4-5-10"]),
        split_hands=st.sampled_from([2, 3, 4]),
        resplit_aces=st.booleans(),
        hit_split_aces=st.booleans(),
        surrender=st.sampled_from(["none", "late", "early-ten", "early"]),
        insurance=st.sampled_from(["any", "blackjack-only", "none"]),
        even_money=st.booleans(),
        charlie=st.sampled_from(["none", "none", "five-card", "six-card"]),
        bonus_678=st.sampled_from(["none", "none", "2:1"]),
        bonus_777=st.sampled_from(["none", "none", "3:1"]),
    )


@st.composite
def deals(draw: st.DrawFn, decks: int, least: int = 3, most: int = 40) -> list[Card]:
    """Different physical cards from so many packs, in the order drawn."""
    packs = [card for card in FULL_PACK for _ in range(decks)]
    places = draw(st.lists(st.integers(0, len(packs) - 1), min_size=least, max_size=most, unique=True))
    return [packs[place] for place in places]
