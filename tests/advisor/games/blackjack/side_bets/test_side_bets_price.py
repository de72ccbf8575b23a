"""Side bets priced exactly: published figures, every deal of tiny shoes, and what must hold on any shoe."""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.games.blackjack.side_bets import (
    BETS,
    FaceShoe,
    Paytable,
    ShoeTooSmall,
    default_paytable,
    paytables,
    price,
    settle,
)
from advisor.games.cards import FULL_PACK, Card, parse_cards


def table(bet: str, name: str) -> Paytable:
    return next(t for t in paytables(bet) if t.name == name)


@pytest.mark.parametrize(
    ("bet", "name", "edge"),
    [
        ("perfect-pairs", "25-12-6", 0.06109324758842444),
        ("21+3", "9", 0.03238572443011817),
        ("lucky-ladies", "1000-125-19-9-4", 0.2470890557264186),
        ("super-sevens", "5000-500-100-50-3", 0.11400030319229572),
        ("over-13", "1", 0.06554538708879545),
        ("under-13", "1", 0.10066782092505565),
    ],
)
def test_reference_figures_of_six_decks(bet: str, name: str, edge: float) -> None:
    assert float(price(bet, table(bet, name), FaceShoe.of(6)).house_edge) == pytest.approx(edge, abs=1e-12)


@pytest.mark.parametrize(
    ("bet", "name", "decks", "percent", "places"),
    [
        ("kings-bounty", "1000-100-30-20-9-6-4", 6, "23.164", 3),
        ("kings-bounty", "1000-200-50-25-9-6-4", 2, "24.733489", 6),
        ("super-sevens", "5000-500-100-50-3", 4, "15.92", 2),
        ("super-sevens", "5000-500-100-50-3", 5, "13.25", 2),
        ("super-sevens", "5000-500-100-50-3", 8, "9.01", 2),
        ("perfect-pairs", "25-12-6", 2, "22.3301", 4),
        ("perfect-pairs", "25-12-6", 8, "4.0964", 4),
        ("perfect-pairs", "30-10-5", 8, "3.3735", 4),
    ],
)
def test_figures_published_elsewhere(bet: str, name: str, decks: int, percent: str, places: int) -> None:
    edge = 100 * float(price(bet, table(bet, name), FaceShoe.of(decks)).house_edge)
    assert f"{edge:.{places}f}" == percent


def test_published_combinations_of_super_sevens() -> None:
    priced = price("super-sevens", default_paytable("super-sevens"), FaceShoe.of(6))
    deals = 312 * 311 * 310
    assert {o.name: o.probability * deals for o in priced.outcomes} == {
        "three-suited-sevens": 480,
        "three-sevens": 11664,
        "two-suited-sevens": 34560,
        "two-sevens": 124416,
        "one-seven": 2142720,
    }


def every_deal(bet: str, cards: list[Card]) -> dict[str | None, Fraction]:
    """The chance of each outcome, by settling every order of five cards out of these: all the bets need no more."""
    paid = default_paytable(bet)
    tally: Counter[str | None] = Counter()
    for first, second, up, hole, third in itertools.permutations(cards, 5):
        tally[settle(bet, paid, (first, second, third), (up, hole)).outcome] += 1
    deals = sum(tally.values())
    return {name: Fraction(count, deals) for name, count in tally.items() if name is not None}


TINY = [
    "QH QH QH AS KD 10C 9S",
    "KS KS KS AH KH KC QD",
    "7H 7H 7H 7D 7S 8C 6D",
    "AS 2S 3S KS QS QS QH",
    "10H 10H AD 9D 5C 8C 3C",
]


@pytest.mark.parametrize("text", TINY)
@pytest.mark.parametrize("bet", BETS)
def test_the_price_is_what_every_deal_of_a_tiny_shoe_gives(bet: str, text: str) -> None:
    cards = list(parse_cards(text))
    priced = price(bet, default_paytable(bet), FaceShoe.from_cards(cards))
    assert {o.name: o.probability for o in priced.outcomes if o.probability} == every_deal(bet, cards)


def tiny_shoes(least: int = 5) -> st.SearchStrategy[list[Card]]:
    near = parse_cards("QH KS KH KD 7H 7D 7S AH AS 9H 8H 10C QD JH 2C 3C 4D 6H 5S")
    return st.lists(st.sampled_from(near), min_size=least, max_size=6)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(list(BETS)), tiny_shoes())
def test_any_tiny_shoe_agrees_with_every_deal(bet: str, cards: list[Card]) -> None:
    priced = price(bet, default_paytable(bet), FaceShoe.from_cards(cards))
    assert {o.name: o.probability for o in priced.outcomes if o.probability} == every_deal(bet, cards)


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from([name for name in BETS if name != "21+3"]), st.lists(st.integers(0, 9), min_size=52, max_size=52)
)
def test_chances_are_chances_and_the_value_follows_from_them(bet: str, counts: list[int]) -> None:
    shoe = FaceShoe(tuple(counts))
    if shoe.size < 4:
        return
    for paid in paytables(bet):
        priced = price(bet, paid, shoe)
        assert all(0 <= o.probability <= 1 for o in priced.outcomes)
        assert priced.win_probability <= 1
        won = sum(o.probability * o.pays for o in priced.outcomes)
        assert priced.expected == won - (1 - priced.win_probability) == -priced.house_edge
        assert priced.cards == shoe.size


@settings(max_examples=25, deadline=None)
@given(st.sampled_from([name for name in BETS if name != "21+3"]), st.data())
def test_the_next_card_seen_changes_nothing_on_average(bet: str, data: st.DataObject) -> None:
    """A card burnt unseen is any card: the price is the mean of the prices after each."""
    cards = data.draw(tiny_shoes(least=6))
    shoe = FaceShoe.from_cards(cards)
    paid = default_paytable(bet)
    after = [price(bet, paid, shoe.without([card])).expected for card in cards]
    assert sum(after) / len(after) == price(bet, paid, shoe).expected


def test_cards_seen_change_the_price() -> None:
    paid = default_paytable("lucky-ladies")
    fresh, poor = FaceShoe.of(6), FaceShoe.of(6, parse_cards("QH QH QH QH QH"))
    chances = {o.name: o.probability for o in price("lucky-ladies", paid, poor).outcomes}
    assert chances["queen-of-hearts-pair"] == chances["queen-of-hearts-pair-with-dealer-blackjack"] == 0
    assert price("lucky-ladies", paid, poor).house_edge > price("lucky-ladies", paid, fresh).house_edge
    no_sevens = FaceShoe.of(6, [card for card in FULL_PACK for _ in range(6) if card.rank == "7"])
    assert price("super-sevens", default_paytable("super-sevens"), no_sevens).house_edge == 1


def test_a_shoe_may_favour_the_player() -> None:
    sevens = FaceShoe.from_cards(parse_cards("7H 7D 7S 7C"))
    assert price("super-sevens", default_paytable("super-sevens"), sevens).expected == 500


@pytest.mark.parametrize("bet", BETS)
def test_too_few_cards_are_said(bet: str) -> None:
    with pytest.raises(ShoeTooSmall, match=r"needs \d more cards here, and the shoe holds 0"):
        price(bet, default_paytable(bet), FaceShoe.of(0))


def test_a_paytable_of_another_bet_is_refused() -> None:
    with pytest.raises(ValueError, match=r"is for 21\+3, not for over-13"):
        price("over-13", default_paytable("21+3"), FaceShoe.of(1))


def test_a_shoe_checks_itself() -> None:
    with pytest.raises(ValueError, match="a count for each of 52 faces, not 3"):
        FaceShoe((1, 2, 3))
    with pytest.raises(ValueError, match="cannot hold -1 aces of clubs"):
        FaceShoe((-1,) + (0,) * 51)
    shoe = FaceShoe.of(2, parse_cards("QH QH QH"))
    assert shoe.size == 102 and shoe.count(Card("Q", "H")) == 0
    with pytest.raises(ValueError, match="the queen of hearts is not in the shoe"):
        shoe.without(parse_cards("QH"))
