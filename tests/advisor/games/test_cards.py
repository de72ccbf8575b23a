"""Cards and their text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.games.cards import FULL_PACK, AmbiguousCard, Card, CardError, cards_text, parse_card, parse_cards


@pytest.mark.parametrize("text", ["10H", "10h", "TH", "th", " Th ", "10♥", "T♡"])
def test_a_card_is_read_however_it_is_written(text: str) -> None:
    assert parse_card(text) == Card("10", "H")


@pytest.mark.parametrize(
    ("text", "said"), [("10", "add its suit"), ("k", "add its suit"), ("H", "rank before the suit")]
)
def test_half_a_card_is_ambiguous_and_says_what_to_add(text: str, said: str) -> None:
    with pytest.raises(AmbiguousCard, match=said):
        parse_card(text)


@pytest.mark.parametrize("text", ["1H", "Z9", "", "11H", "10HH", "1OH", "JOKER", "back", "H10", "10X"])
def test_text_that_is_no_card_is_refused_with_what_is_allowed(text: str) -> None:
    with pytest.raises(CardError, match="is not a card: expected a rank") as caught:
        parse_card(text)
    assert repr(text) in str(caught.value)
    assert isinstance(caught.value, ValueError)


def test_a_card_cannot_be_built_from_an_unknown_rank_or_suit() -> None:
    with pytest.raises(CardError, match="'1H'"):
        Card("1", "H")
    with pytest.raises(CardError, match="'10h'"):
        Card("10", "h")


def test_a_pack_holds_fifty_two_different_cards() -> None:
    assert len(FULL_PACK) == len(set(FULL_PACK)) == 52


@given(st.lists(st.sampled_from(FULL_PACK)))
def test_canonical_text_reads_back(cards: list[Card]) -> None:
    assert list(parse_cards(cards_text(cards))) == cards
    assert list(parse_cards(", ".join(map(str, cards)).lower())) == cards


def test_the_part_that_is_no_card_is_named() -> None:
    with pytest.raises(CardError, match="'Z9'"):
        parse_cards("10H Z9 6S")


def test_cards_have_names() -> None:
    assert parse_card("7H").plural == "sevens of hearts"
    assert parse_card("6C").plural == "sixes of clubs"
    assert parse_card("AS").name == "ace of spades"
