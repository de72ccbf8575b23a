"""What a hand comes to and why, as a function of the rules, the cards and the bet."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from advisor.games.blackjack import PRESETS, Hand, HouseRules
from advisor.games.blackjack.round import (
    Outcome,
    Settlement,
    UnfinishedDealer,
    settle_hand,
    settle_insurance,
    settle_side_bet,
)
from advisor.games.cards import parse_cards

SIX = HouseRules()
EUROPEAN = PRESETS["european"]
OBO = EUROPEAN.with_values({"no_hole_card_loss": "original"})
HOME = SIX.with_values({"charlie": "five-card", "bonus_777": "3:1", "bonus_678": "2:1"})
DOUBLED = {"added": Fraction(10)}


@pytest.mark.parametrize(
    ("rules", "cards", "dealer", "extra", "outcome", "amount"),
    [
        (SIX, "10C 9C", "10D 8D", {}, Outcome.WIN, 10),
        (SIX, "10C 9C", "10D 9D", {}, Outcome.PUSH, 0),
        (SIX, "10C 9C", "10D KD", {}, Outcome.LOSE, -10),
        (SIX, "10C 2C", "10D 6D 8D", {}, Outcome.DEALER_BUST, 10),
        (SIX, "10C 2C KH", "10D 6D 8D", {}, Outcome.BUST, -10),
        (SIX, "6C 5C 10H", "10D 8D", DOUBLED, Outcome.WIN, 20),
        (SIX, "6C 5C 2H", "10D 8D", DOUBLED, Outcome.LOSE, -20),
        (SIX, "6C 5C 8H", "10D 9D", DOUBLED, Outcome.PUSH, 0),
        (SIX, "6C 5C 2H", "10D 6D 8D", {"added": Fraction(4)}, Outcome.DEALER_BUST, 14),
        (SIX, "AC KC", "10D 8D", {}, Outcome.BLACKJACK, 15),
        (SIX, "AC KC", "10D 5D 6D", {}, Outcome.BLACKJACK, 15),
        (SIX, "AC KC", "AD KD", {}, Outcome.BOTH_BLACKJACK, 0),
        (SIX, "7C 7D 7H", "AD KD", {}, Outcome.DEALER_BLACKJACK, -10),
        (SIX, "AC KC", "AD KD", {"even_money": True}, Outcome.EVEN_MONEY, 10),
        (SIX, "10C 6C", "10D", {"surrendered": True}, Outcome.SURRENDER, -5),
        (HOME, "7C 7D 7H", "10D KD", {}, Outcome.BONUS, 30),
        (HOME, "8C 6D 7H", "10D KD", {}, Outcome.BONUS, 20),
        (HOME, "7C 7D 7H", "10D KD", DOUBLED, Outcome.WIN, 20),
        (HOME, "2C 2D 3H 4C 5D", "10D KD", {}, Outcome.CHARLIE, 20),
        (HOME, "2C 2D 3H 10C 5D", "10D KD", {}, Outcome.BUST, -10),
        (EUROPEAN, "10C 9C", "AD KD", DOUBLED, Outcome.DEALER_BLACKJACK, -20),
        (OBO, "10C 9C", "AD KD", DOUBLED, Outcome.DEALER_BLACKJACK, -10),
        (OBO, "10C 9C", "AD KD", {"carries_original": False}, Outcome.RETURNED, 0),
        (EUROPEAN, "10C 6C", "AD KD", {"surrendered": True}, Outcome.SURRENDER, -5),
    ],
)
def test_a_hand_ends_for_a_reason(
    rules: HouseRules, cards: str, dealer: str, extra: dict[str, Any], outcome: Outcome, amount: int
) -> None:
    if extra.get("surrendered"):
        rules = rules.with_values({"surrender": "early"})
    settled = settle_hand(rules, Hand.of(cards), Fraction(10), parse_cards(dealer), **extra)
    assert settled == Settlement(outcome, Fraction(amount))


def test_an_ace_and_a_ten_after_a_split_lose_to_a_blackjack_and_win_evenly() -> None:
    split = Hand.of("AC KC", from_split=True)
    assert settle_hand(SIX, split, Fraction(10), parse_cards("10D 8D")).outcome is Outcome.WIN
    assert settle_hand(SIX, split, Fraction(10), parse_cards("AD KD")).outcome is Outcome.DEALER_BLACKJACK


@pytest.mark.parametrize(
    ("rules", "cards", "dealer", "surrendered"),
    [
        (SIX, "10C 9C", "", False),
        (SIX, "10C 9C", "10D", False),
        (SIX, "10C 9C", "10D 6D", False),
        (SIX.with_values({"dealer_soft_17": "hit"}), "10C 9C", "AD 6D", False),
        (EUROPEAN, "AC KC", "AD", False),
        (EUROPEAN.with_values({"surrender": "late"}), "10C 6C", "KD", True),
    ],
)
def test_nothing_is_settled_before_the_dealers_cards_decide_it(
    rules: HouseRules, cards: str, dealer: str, surrendered: bool
) -> None:
    with pytest.raises(UnfinishedDealer):
        settle_hand(rules, Hand.of(cards), Fraction(10), parse_cards(dealer), surrendered=surrendered)


def test_insurance_pays_2_to_1_or_is_lost() -> None:
    assert settle_insurance(Fraction(15, 2), dealer_blackjack=True).amount == 15
    assert settle_insurance(Fraction(15, 2), dealer_blackjack=False).amount == Fraction(-15, 2)


def test_exactly_13_loses_over_and_under() -> None:
    cards = parse_cards("10C 3D")
    assert settle_side_bet("over", Fraction(5), cards).outcome is Outcome.OVER_LOST
    assert settle_side_bet("under", Fraction(5), cards).outcome is Outcome.UNDER_LOST
