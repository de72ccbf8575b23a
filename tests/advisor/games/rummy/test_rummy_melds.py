"""Single melds: legal or why not, what wild cards stand for, and the same verdict as brute force."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from rummy_oracle import is_set, sequences
from rummy_strategies import small_hands, variants

from advisor.games.rummy import JOKER, RummyCard, Variant, Why, judge, parse_rummy_cards, readings, shipped_variant
from advisor.games.rummy.fields import with_values

B = shipped_variant("contract-b")
TWELVE = shipped_variant("twelve-step")
WRAP = with_values(B, {"ace": "wrap"})
SUIT = "AH 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH"


@pytest.mark.parametrize(
    ("variant", "text", "kind", "wilds"),
    [
        pytest.param(B, "9S 9D 9D", "set", {}, id="a set may hold a card twice"),
        pytest.param(B, "9S 9D JOKER", "set", {"JOKER": "9C"}, id="a joker is a suit that the set lacks"),
        pytest.param(B, "9S * JK", "set", {"JOKER": "9C", "JOKER#2": "9D"}, id="two jokers have two keys"),
        pytest.param(B, "4H 5H 6H 7H", "sequence", {}, id="a sequence"),
        pytest.param(B, "7H 6H 5H 4H", "sequence", {}, id="a sequence laid downwards"),
        pytest.param(B, "4H JOKER 6H 7H", "sequence", {"JOKER": "5H"}, id="a joker in the middle"),
        pytest.param(B, "JOKER 4H 5H 6H", "sequence", {"JOKER": "3H"}, id="a joker below, as it lies"),
        pytest.param(B, "4H 5H 6H JOKER", "sequence", {"JOKER": "7H"}, id="a joker above, as it lies"),
        pytest.param(B, "AH 2H 3H 4H", "sequence", {}, id="the ace low"),
        pytest.param(B, "JH QH KH AH", "sequence", {}, id="the ace high"),
        pytest.param(B, f"{SUIT} AH", "sequence", {}, id="an ace at both ends"),
        pytest.param(B, f"{SUIT} JOKER", "sequence", {"JOKER": "AH"}, id="a joker as the second ace"),
        pytest.param(WRAP, "QH KH AH 2H", "sequence", {}, id="round the corner"),
        pytest.param(TWELVE, "9S 9D 2C", "set", {"2C": "9C"}, id="a wild deuce"),
        pytest.param(TWELVE, "2S 2D 2C", "set", {}, id="deuces as themselves"),
        pytest.param(TWELVE, "2H 2C 4H 5H", "sequence", {"2C": "3H"}, id="a deuce in its own place beside a wild one"),
        pytest.param(B, "* * *", "set", {"JOKER": "KC", "JOKER#2": "KD", "JOKER#3": "KH"}, id="jokers only"),
    ],
)
def test_legal_melds(variant: Variant, text: str, kind: str, wilds: dict[str, str]) -> None:
    verdict = judge(variant, parse_rummy_cards(text))
    assert verdict.meld is not None, verdict.sentence
    assert verdict.legal and verdict.meld.kind == kind and dict(verdict.meld.wilds) == wilds


@pytest.mark.parametrize(
    ("variant", "text", "why", "says"),
    [
        pytest.param(B, "", Why.TOO_FEW, "no cards", id="nothing"),
        pytest.param(B, "9S 9D", Why.TOO_FEW, "a set needs 3 or more", id="two of a rank"),
        pytest.param(B, "4H 5H 6H", Why.TOO_FEW, "a sequence 4 or more", id="three in sequence"),
        pytest.param(B, "4H 5D 6H 7H", Why.MIXED, "neither of one rank nor of one suit", id="two suits"),
        pytest.param(B, "4H 4H 5H 6H", Why.TWICE, "4H comes 2 times", id="a card twice in a sequence"),
        pytest.param(B, "4H 5H 7H 8H", Why.GAP, "the six of hearts is missing", id="a card missing"),
        pytest.param(B, "4H JOKER 7H 9H", Why.GAP, "is missing", id="two missing, one joker"),
        pytest.param(B, "QH KH AH 2H", Why.ACE, "does not go round the corner", id="round the corner"),
        pytest.param(with_values(B, {"ace": "low"}), "JH QH KH AH", Why.ACE, "below the deuce only", id="ace is low"),
        pytest.param(with_values(B, {"ace": "high"}), "AH 2H 3H 4H", Why.ACE, "above the king only", id="ace is high"),
        pytest.param(with_values(B, {"ace": "both"}), f"{SUIT} JOKER", Why.TOO_MANY, "13 at most", id="too long"),
        pytest.param(
            shipped_variant("shanghai"), "9S JOKER JOKER", Why.TOO_MANY_WILDS, "2 wild cards", id="too many wild cards"
        ),
        pytest.param(
            with_values(B, {"naturals_majority": True}),
            "4H JOKER JOKER 7H",
            Why.WILDS_NOT_FEWER,
            "more natural cards",
            id="as many wild as natural",
        ),
        pytest.param(TWELVE, "3H 2C JOKER 6H", Why.WILDS_TOUCH, "side by side", id="wild cards touching"),
        pytest.param(
            shipped_variant("gin"), "9S 9D JOKER", Why.JOKER, "stands for nothing", id="a joker where none is wild"
        ),
    ],
)
def test_what_is_no_meld_says_why(variant: Variant, text: str, why: Why, says: str) -> None:
    verdict = judge(variant, parse_rummy_cards(text))
    assert (verdict.legal, verdict.why) == (False, why)
    assert says in verdict.sentence


@settings(max_examples=150, deadline=None)
@given(variants(), small_hands(most=6))
def test_the_verdict_is_that_of_brute_force(variant: Variant, cards: list[RummyCard]) -> None:
    places = set(sequences(variant, cards))
    legal = is_set(variant, cards) or bool(places)
    verdict = judge(variant, cards)
    assert verdict.legal == legal
    assert bool(verdict.sentence) != legal
    runs = [m for m in readings(variant, cards) if m.kind == "sequence"]
    found = {(m.stands[0].suit, tuple(p % 13 for p in m.window)) for m in runs}
    wanted = {(suit, tuple((p - 1) % 13 for p in place)) for suit, place in places}
    if any(card != JOKER and not variant.is_wild(card) for card in cards) and variant.ace != "wrap":
        assert found == wanted
    else:
        assert found <= wanted and bool(found) == bool(wanted)
