"""Card text, points in hand, and hands that cannot be."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.games.cards import FULL_PACK, AmbiguousCard, CardError
from advisor.games.rummy import (
    JOKER,
    RummyCard,
    VariantError,
    hand_problems,
    parse_rummy_card,
    parse_rummy_cards,
    rummy_text,
    score,
    shipped_variant,
    with_values,
)

A, B = shipped_variant("contract-a"), shipped_variant("contract-b")


@pytest.mark.parametrize("text", ["JOKER", "joker", "Jk", "*", " jk "])
def test_jokers_are_read_leniently(text: str) -> None:
    assert parse_rummy_card(text) == JOKER


@given(st.lists(st.sampled_from([*FULL_PACK, JOKER])))
def test_text_reads_back(cards: list[RummyCard]) -> None:
    assert parse_rummy_cards(rummy_text(cards)) == tuple(cards)


def test_what_is_no_card_is_an_error() -> None:
    with pytest.raises(CardError):
        parse_rummy_cards("10H JOKERS")
    with pytest.raises(AmbiguousCard):
        parse_rummy_cards("J")


@pytest.mark.parametrize(
    ("name", "text", "points"),
    [
        ("contract-a", "JOKER AH KD 10C 9S 2H", 25 + 15 + 10 + 10 + 9 + 2),
        ("contract-b", "JOKER AH KD 10C 9S 2H", 15 + 15 + 10 + 10 + 9 + 2),
        ("shanghai", "JOKER AH KD 10C 9S 2H", 25 + 15 + 10 + 10 + 5 + 5),
        ("carioca", "JOKER AH KD 2H", 50 + 20 + 10 + 2),
        ("rummy", "AH KD 2H", 1 + 10 + 2),
        ("gin", "KH KD KS 2C 3C 4C 5D 9S 10H AS", 5 + 9 + 10 + 1),
        ("contract-b", "", 0),
    ],
)
def test_points_in_hand(name: str, text: str, points: int) -> None:
    found = score(shipped_variant(name), parse_rummy_cards(text))
    assert found.points == points == sum(found.by_card.values())


def test_copies_of_a_card_are_added_up() -> None:
    found = score(B, parse_rummy_cards("KD 9S KD JOKER"))
    assert {str(card): points for card, points in found.by_card.items()} == {"KD": 20, "9S": 9, "JOKER": 15}


@pytest.mark.parametrize(
    ("text", "deal", "players", "says"),
    [
        ("10H 10H 10H 10H", None, None, "10H is there 4 times, but the packs of contract-b hold 3 tens of hearts"),
        ("10H 10H 10H", None, 4, "the packs of contract-b for 4 players hold 2 tens of hearts"),
        ("JOKER JOKER", None, 3, "hold 1 joker"),
        ("JOKER " * 8, None, None, "hold 7 jokers"),
        ("2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC " * 2, 1, None, "24 cards are too many: 10 are dealt in deal 1"),
    ],
)
def test_a_hand_that_cannot_be_is_said(text: str, deal: int | None, players: int | None, says: str) -> None:
    assert any(says in problem for problem in hand_problems(B, parse_rummy_cards(text), deal, players))


def test_a_hand_that_can_be_has_no_problems() -> None:
    assert hand_problems(B, parse_rummy_cards("10H 10H 10H JOKER JOKER"), 3) == ()
    assert hand_problems(B, parse_rummy_cards("2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AC"), 1) == ()


def test_bought_cards_count_where_buys_are_limited() -> None:
    hand = parse_rummy_cards("2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AC 2D 3D 4D 5D 6D")
    shanghai = shipped_variant("shanghai")
    assert hand_problems(shanghai, hand, 1) == ()
    assert "with 3 buys 18 at most" in hand_problems(shanghai, (*hand, hand[0]), 1)[0]
    assert hand_problems(shanghai, (*hand, hand[0]), 9) == ()
    gin = hand_problems(shipped_variant("gin"), hand[:12], 1)
    assert gin == ("12 cards are too many: 10 are dealt in deal 1 of gin, and one drawn",)
    assert hand_problems(with_values(B, {"buys_per_deal": 0}), hand[:12], 1) != ()


def test_plain_rummy_deals_by_the_number_of_players() -> None:
    hand = parse_rummy_cards("2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC")
    rummy = shipped_variant("rummy")
    assert hand_problems(rummy, hand, 1, 2) == () and hand_problems(rummy, hand, 1) == ()
    assert "7 are dealt" in hand_problems(rummy, hand, 1, 4)[0]


def test_a_number_of_players_that_the_variant_is_not_for() -> None:
    with pytest.raises(VariantError, match="contract-b is not for 9 players: it is for 3 to 8"):
        hand_problems(B, (), None, 9)
    with pytest.raises(VariantError, match="gin is not for 3 players: it is for 2"):
        hand_problems(shipped_variant("gin"), (), None, 3)
