"""Hands, the shoe, and positions that cannot be."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.games.blackjack import PRESETS, Hand, HouseRules, remaining, shoe_problems, status
from advisor.games.blackjack.shoe import full_shoe
from advisor.games.cards import FULL_PACK, Card, parse_card, parse_cards


@pytest.mark.parametrize(
    ("cards", "text"),
    [
        ("AC 6D", "soft 17"),
        ("10H 6S", "hard 16"),
        ("AC KD", "blackjack"),
        ("AC 5D 5H", "soft 21"),
        ("AC 6D 10H", "hard 17"),
        ("AC AD", "soft 12"),
        ("AC AD 10C", "hard 12"),
        ("10C 9C 4D", "bust 23"),
        ("7C 7D 7H", "hard 21"),
        ("", "hard 0"),
    ],
)
def test_a_hand_in_words(cards: str, text: str) -> None:
    assert Hand.of(cards).text == str(Hand.of(cards)) == text


def test_an_ace_and_a_ten_after_a_split_are_an_ordinary_21() -> None:
    hand = Hand.of("AC KD", from_split=True)
    assert (hand.text, hand.blackjack, hand.total) == ("soft 21", False, 21)


def test_a_pair_is_of_value_and_may_be_of_two_ranks() -> None:
    assert (Hand.of("KC 10D").pair, Hand.of("KC 10D").same_rank) == (True, False)
    assert (Hand.of("8C 8D").pair, Hand.of("8C 8D").same_rank) == (True, True)
    assert not Hand.of("8C 8D 8H").pair


@given(st.lists(st.sampled_from(FULL_PACK), max_size=12))
def test_a_total_is_the_best_that_does_not_bust(cards: list[Card]) -> None:
    hand = Hand(tuple(cards))
    assert hand.total in (hand.hard_total, hand.hard_total + 10)
    assert hand.bust == (hand.hard_total > 21)
    assert not (hand.soft and hand.total > 21)


@given(st.integers(1, 8), st.lists(st.sampled_from(FULL_PACK), max_size=60))
def test_a_shoe_holds_what_was_not_seen(decks: int, seen: list[Card]) -> None:
    left = remaining(decks, seen)
    assert min(left) >= 0
    if not shoe_problems(decks, seen):
        assert sum(left) == 52 * decks - len(seen)
        assert all(here <= whole for here, whole in zip(left, full_shoe(decks), strict=True))


def test_a_fifth_seven_of_hearts_is_reported_and_not_raised() -> None:
    assert shoe_problems(1, parse_cards("7H 7H 7H 7H 7H 8H")) == (
        "5 sevens of hearts seen in 1 deck, which holds only 1",
    )
    assert shoe_problems(4, parse_cards("7H 7H 7H 7H 7H")) == ("5 sevens of hearts seen in 4 decks, which hold only 4",)
    assert shoe_problems(5, parse_cards("7H 7H 7H 7H 7H")) == ()


HOME, SIX = PRESETS["home"], PRESETS["six-deck-s17"]
SPLIT = {"from_split": True, "hands_in_seat": 2}


@pytest.mark.parametrize(
    ("rules", "hand", "upcard", "seen", "seat", "said"),
    [
        (SIX, "", "10C", "", {}, "the hand has no cards"),
        (SIX, "10H", "10C", "", {}, "only one card"),
        (SIX, "10H 6S", None, "", {}, "upcard has not been seen"),
        (HOME, "10H 6S", "10H", "", {}, "2 tens of hearts seen in 1 deck"),
        (HOME, "10H 6S", "9H", "6S", {}, "2 sixes of spades seen in 1 deck"),
        (SIX, "10H 9S 2C 10D", "9H", "", {}, "finished before its last card"),
        (SIX, "10H 9S 8C 7D", "9H", "", {}, "finished before its last card"),
        (SIX, "AH 9S 2D", "9H", "", SPLIT, "a split ace takes one card only"),
        (SIX, "8H 9S", "9H", "", {"hands_in_seat": 2}, "is not from a split"),
        (SIX, "8H 9S", "9H", "", {"from_split": True}, "cannot be the only hand"),
        (SIX, "8H 9S", "9H", "", {"from_split": True, "hands_in_seat": 5}, "split to 4 at most"),
        (SIX, "8H 9S", "9H", "", {"hands_in_seat": 0}, "cannot hold 0 hands"),
    ],
)
def test_what_is_wrong_is_said(
    rules: HouseRules, hand: str, upcard: str | None, seen: str, seat: dict[str, Any], said: str
) -> None:
    problems = status(rules, parse_cards(hand), (upcard and parse_card(upcard)) or None, parse_cards(seen), **seat)
    assert any(said in problem for problem in problems), problems


@pytest.mark.parametrize(
    ("hand", "seat"),
    [("10H 6S", {}), ("10H 10S 8C", {}), ("AH 9S 2D 10C", {}), ("AC AD", SPLIT), ("5H 2S 4C", SPLIT)],
)
def test_a_possible_position_has_no_problems(hand: str, seat: dict[str, Any]) -> None:
    assert status(SIX, parse_cards(hand), parse_card("10C"), **seat) == ()


def test_a_shoe_too_short_for_the_dealer_is_reported() -> None:
    pack = list(FULL_PACK)
    twos_and_a_six = [card for card in pack if card.rank != "2"]
    hand, upcard = parse_cards("10H 6S"), parse_card("5C")
    seen = [card for card in twos_and_a_six if card not in hand and card != upcard]
    assert any("4 cards are unseen" in problem for problem in status(HOME, hand, upcard, seen))


def test_a_peek_that_cannot_have_passed_is_reported() -> None:
    hand, upcard = parse_cards("10H 6S"), parse_card("AC")
    seen = [card for card in FULL_PACK if card.rank not in ("J", "Q", "K") and card not in hand and card != upcard]
    problems = status(HOME, hand, upcard, seen)
    assert problems == ("every unseen card would give the dealer a blackjack, so the round is over",)
