"""Advice: the best action, its reasons, and when there is none."""

from __future__ import annotations

from typing import Any

import pytest
from blackjack_strategies import deals, house_rules
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.games.blackjack import PRESETS, Action, Advice, HouseRules, ImpossiblePosition, advise, status
from advisor.games.cards import parse_card, parse_cards

SIX = PRESETS["six-deck-s17"]
NO_SURRENDER = HouseRules()


def ask(rules: HouseRules, hand: str, upcard: str, seen: str = "", **seat: Any) -> Advice:
    return advise(rules, parse_cards(hand), parse_card(upcard), parse_cards(seen), **seat)


@pytest.mark.parametrize(
    ("rules", "hand", "upcard", "action"),
    [
        (SIX, "10H 6S", "10C", Action.SURRENDER),
        (NO_SURRENDER, "10H 6S", "10C", Action.HIT),
        (NO_SURRENDER, "10H 2S 4C", "10C", Action.STAND),  # a four in the hand is a four fewer to draw
        (SIX, "8H 8S", "10C", Action.SPLIT),
        (SIX, "AH AS", "AC", Action.SPLIT),
        (SIX, "6H 5S", "6C", Action.DOUBLE),
        (SIX, "AH 7S", "9C", Action.HIT),
        (SIX, "AH 7S", "4C", Action.DOUBLE),
        (SIX, "AH 2S 5C", "4C", Action.STAND),  # soft 18 that can no longer double
        (PRESETS["home"], "AH 7S", "4C", Action.STAND),
        (PRESETS["home"], "6H 5S", "6C", Action.DOUBLE),
        (PRESETS["home"], "4H 4S", "6C", Action.HIT),
        (PRESETS["british"], "8H 8S", "10C", Action.HIT),
        (PRESETS["european"], "6H 5S", "10C", Action.HIT),
    ],
)
def test_the_best_action(rules: HouseRules, hand: str, upcard: str, action: Action) -> None:
    advice = ask(rules, hand, upcard)
    assert advice.action is action
    assert advice.why.startswith(str(action).capitalize())
    assert next(iter(advice.values)) is action
    ranked = list(advice.values.values())
    assert advice.margin == pytest.approx(ranked[0] - ranked[1])


def test_cards_seen_change_the_advice_and_the_words_say_so() -> None:
    advice = ask(NO_SURRENDER, "10H 6S", "10C", "5C 5D 4C 4D 5H 5S")
    assert advice.action is Action.STAND
    assert "from a fresh shoe hitting would be best" in advice.why


@pytest.mark.parametrize(
    ("hand", "seat", "said"),
    [
        ("AC KD", {}, "Blackjack: it pays 3:2"),
        ("10C 9D 4H", {}, "Bust with 23"),
        ("10C 9D 2H", {}, "The hand has 21"),
        ("AC KD", {"from_split": True, "hands_in_seat": 2}, "The hand has 21"),
        ("AC 5D", {"from_split": True, "hands_in_seat": 2}, "A split ace gets one card only"),
    ],
)
def test_a_finished_hand_has_no_move_and_a_reason(hand: str, seat: dict[str, Any], said: str) -> None:
    advice = ask(SIX, hand, "9C", **seat)
    assert (advice.action, dict(advice.values), advice.margin) == (Action.DONE, {}, 0.0)
    assert advice.why.startswith(said)
    assert sum(advice.dealer.values()) == pytest.approx(1)


def test_a_charlie_is_finished() -> None:
    rules = HouseRules(charlie="five-card")
    assert "a charlie: it pays 2:1" in ask(rules, "2C 3D 2H 4D 3C", "9C").why


def test_a_bonus_hand_is_finished() -> None:
    rules = HouseRules(bonus_678="2:1", bonus_777="3:1")
    assert "it pays 2:1" in ask(rules, "6C 8D 7H", "9C").why
    assert "it pays 3:1" in ask(rules, "7C 7D 7H", "9C").why
    assert "no card can better it" in ask(rules, "6C 5D 10H", "9C").why


@pytest.mark.parametrize(
    ("rules", "hand", "seat", "allowed"),
    [
        (SIX, "8H 8S", {}, {"stand", "hit", "double", "split", "surrender"}),
        (SIX, "8H 8S", {"from_split": True, "hands_in_seat": 2}, {"stand", "hit", "double", "split"}),
        (SIX, "8H 8S", {"from_split": True, "hands_in_seat": 4}, {"stand", "hit", "double"}),
        (SIX, "8H 2S 3D", {}, {"stand", "hit"}),
        (SIX, "KH QS", {}, {"stand", "hit", "double", "split", "surrender"}),
        (HouseRules(split_on="same-rank"), "KH QS", {}, {"stand", "hit", "double"}),
        (HouseRules(double_after_split=False), "8H 3S", {"from_split": True, "hands_in_seat": 2}, {"stand", "hit"}),
        (HouseRules(resplit_aces=True), "AC AD", {"from_split": True, "hands_in_seat": 2}, {"stand", "split"}),
        (PRESETS["british"], "4H 4S", {}, {"stand", "hit"}),
        (PRESETS["home"], "AH 8S", {}, {"stand", "hit"}),
        (PRESETS["home"], "7H 2S", {}, {"stand", "hit", "double"}),
    ],
)
def test_only_what_the_rules_allow_is_weighed(
    rules: HouseRules, hand: str, seat: dict[str, Any], allowed: set[str]
) -> None:
    assert {str(action) for action in ask(rules, hand, "9C", **seat).values} == allowed


def test_surrender_against_an_ace_is_not_part_of_early_surrender_against_a_ten() -> None:
    rules = HouseRules(surrender="early-ten")
    assert Action.SURRENDER not in ask(rules, "10H 6S", "AC").values
    assert ask(rules, "10H 4S", "10C").action is Action.SURRENDER


def test_insurance_is_worth_what_the_tens_make_it() -> None:
    plain = ask(SIX, "9H 7S", "AC")
    assert plain.insurance_value == pytest.approx(3 * 96 / 309 - 1)
    assert not plain.take_insurance
    rich = ask(PRESETS["home"], "9H 7S", "AC", "2C 3C 4C 5C 6C 7C 8C 9C 2D 3D 4D 5D 6D")
    assert rich.take_insurance
    assert "Insurance is worth taking: 16 of 36" in rich.why
    assert ask(SIX, "9H 7S", "10C").insurance_value is None
    assert ask(PRESETS["british"], "9H 7S", "AC").insurance_value is None
    assert ask(PRESETS["british"], "AH KS", "AC").insurance_value is not None


def test_even_money_is_weighed_against_waiting() -> None:
    advice = ask(SIX, "AH KS", "AC")
    assert advice.even_money_value == pytest.approx(1 - (1 - 95 / 309) * 1.5)
    assert not advice.take_even_money
    assert ask(HouseRules(blackjack_pays="6:5"), "AH KS", "AC").take_even_money
    assert ask(SIX, "AH KS", "10C").even_money_value is None


def test_no_advice_on_an_impossible_position() -> None:
    with pytest.raises(ImpossiblePosition, match="2 tens of hearts seen in 1 deck") as caught:
        ask(PRESETS["home"], "10H 6S", "10H")
    assert caught.value.problems == status(PRESETS["home"], parse_cards("10H 6S"), parse_card("10H"))
    with pytest.raises(ImpossiblePosition, match="at least two"):
        ask(SIX, "10H", "9C")
    with pytest.raises(ImpossiblePosition, match="upcard has not been seen"):
        advise(SIX, parse_cards("10H 6C"), None)


@settings(max_examples=30, deadline=None)
@given(house_rules(), st.data())
def test_every_position_is_either_faulted_or_advised_on(rules: HouseRules, data: st.DataObject) -> None:
    cards = data.draw(deals(rules.decks, most=30))
    held = data.draw(st.integers(2, min(4, len(cards) - 1)))
    hand, upcard, seen = cards[:held], cards[held], cards[held + 1 :]
    problems = status(rules, hand, upcard, seen)
    if problems:
        with pytest.raises(ImpossiblePosition):
            advise(rules, hand, upcard, seen)
        return
    advice = advise(rules, hand, upcard, seen)
    assert (advice.action is Action.DONE) == (not advice.values)
    assert advice.why.endswith(".")
    assert sum(advice.dealer.values()) == pytest.approx(1)
