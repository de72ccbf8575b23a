"""Chances and house edges: published figures to the last digit, brute force on small shoes, and what always holds."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from punto_driver import punto_rules

from advisor.games.cards import FULL_PACK, RANKS, Card
from advisor.games.punto_banco import (
    Bet,
    Coup,
    PuntoBancoRules,
    Result,
    Shoe,
    ShoeError,
    chances,
    house_edge,
    parse_shoe,
)
from advisor.games.punto_banco import remaining as left_after
from advisor.games.punto_banco.bets import settle_bet
from advisor.games.punto_banco.shoe import shoe_problems

PUBLISHED = {
    # Orders of six cards by result, and in all; house edges and the chance of a pair.
    6: (
        {"player": 392220492728832, "banker": 403095751234560, "tie": 83552962932288},
        878869206895680,
        (0.01055848695481882, 0.005971959766565578, 0.01237414898644739),
        (0.1443815979778091, 0.04931288664201011, 0.11254019292604502, 0.07395498392282958),
    ),
    8: (
        {"player": 2230518282592256, "banker": 2292252566437888, "tie": 475627426473216},
        4998398275503360,
        (0.010579057842472012, 0.005993083616144382, 0.012350813289166138),
        (0.14359628778723826, 0.04844031976359808, 0.10361445783132531, 0.0746987951807229),
    ),
}


@pytest.mark.parametrize("decks", PUBLISHED)
def test_full_shoes_have_the_published_combinations(decks: int) -> None:
    orders, total, _, _ = PUBLISHED[decks]
    found = chances(Shoe.full(decks))
    assert {str(result): found.orders(result) for result in Result} == orders
    assert found.total == total


@pytest.mark.parametrize("decks", PUBLISHED)
def test_bets_have_the_published_house_edges(decks: int) -> None:
    _, _, main, (tie_8, tie_9, pair_edge, pair) = PUBLISHED[decks]
    found = chances(Shoe.full(decks))
    usual = PuntoBancoRules(decks=decks)
    cheap = usual.with_values({"commission": "4%", "tie_pays": "9:1"})
    edges = (
        house_edge(usual, found, Bet.BANKER),
        house_edge(cheap, found, Bet.BANKER),
        house_edge(usual, found, Bet.PLAYER),
    )
    assert [float(edge) for edge in edges if edge is not None] == list(main)
    assert float(house_edge(usual, found, Bet.TIE) or 0) == tie_8
    assert float(house_edge(cheap, found, Bet.TIE) or 0) == tie_9
    assert float(house_edge(usual, found, Bet.PLAYER_PAIR) or 0) == pair_edge
    assert house_edge(usual, found, Bet.BANKER_PAIR) == house_edge(usual, found, Bet.PLAYER_PAIR)
    assert found.pair is not None and float(found.pair) == pair


def test_eight_decks_have_the_printed_chances() -> None:
    found = chances(Shoe.full(8))
    printed = {Result.BANKER: 0.458597, Result.PLAYER: 0.446247, Result.TIE: 0.095156}
    assert {result: round(float(found.chance(result)), 6) for result in Result} == printed


def dealt_out(cards: list[Card]) -> tuple[Counter[tuple[int, int]], Counter[Result], int]:
    """Every order of six of these cards dealt by the coup itself: final totals, results, pairs of Player."""
    finals: Counter[tuple[int, int]] = Counter()
    results: Counter[Result] = Counter()
    pairs = 0
    for order in permutations(cards, 6):
        coup, left = Coup(), iter(order)
        while (turn := coup.next_card) is not None:
            coup = coup.with_card(turn.side, next(left))
        assert coup.result is not None
        finals[coup.player_total, coup.banker_total] += 1
        results[coup.result] += 1
        pairs += coup.player[0].rank == coup.player[1].rank
    return finals, results, pairs


@pytest.mark.parametrize(
    "ranks",
    ["A A 2 3 6 9 K", "4 4 5 5 6 6 7 8", "10 J Q K 3 3 8", "2 3 4 5 6 7 10", "6 6 6 2 2 A K", "9 9 9 9 A 2 3"],
)
def test_small_shoes_agree_with_dealing_every_order(ranks: str) -> None:
    cards = [Card(rank, "CDHS"[place % 4]) for place, rank in enumerate(ranks.split())]
    finals, results, pairs = dealt_out(cards)
    shoe = Shoe.of_ranks(Counter(card.rank for card in cards))
    found = chances(shoe)
    assert {(p, b): n for p, row in enumerate(found.finals) for b, n in enumerate(row) if n} == dict(finals)
    assert {result: found.orders(result) for result in Result if found.orders(result)} == dict(results)
    assert found.pair == Fraction(pairs, found.total)


shoes = st.lists(st.integers(0, 40), min_size=13, max_size=13).filter(lambda counts: sum(counts) >= 6)


@settings(max_examples=25, deadline=None)
@given(shoes, punto_rules())
def test_chances_sum_to_one_and_edges_are_what_settlement_pays(counts: list[int], rules: PuntoBancoRules) -> None:
    found = chances(Shoe.of_ranks(dict(zip(RANKS, counts, strict=True))))
    assert sum(found.orders(result) for result in Result) == found.total
    assert sum(found.chance(result) for result in Result) == 1
    won = Fraction(0)
    for player, row in enumerate(found.finals):
        for banker, orders in enumerate(row):
            if orders:
                settled = settle_bet(rules, Bet.BANKER, Fraction(1), FINISHED[player, banker])
                won += Fraction(orders, found.total) * (settled.amount - settled.commission)
    assert house_edge(rules, found, Bet.BANKER) == -won


def _finished_coups() -> dict[tuple[int, int], Coup]:
    """For every pair of final totals some coup that ended with it."""
    random, found = Random(1), {}
    while len(found) < 100:
        coup = Coup()
        while (turn := coup.next_card) is not None:
            coup = coup.with_card(turn.side, random.choice(FULL_PACK))
        found[coup.player_total, coup.banker_total] = coup
    return found


FINISHED = _finished_coups()


def test_cards_that_are_gone_change_the_chances() -> None:
    gone = [Card("4", suit) for suit in "CDHS"] + [Card("K", "S")]
    shoe = left_after(8, gone)
    assert shoe.cards == 411
    assert shoe.ranks is not None and shoe.ranks[3] == 28 and shoe.points[0] == 127
    assert chances(shoe) != chances(Shoe.full(8))


def test_values_alone_give_the_main_chances_and_no_pair() -> None:
    by_value = parse_shoe(",".join(f"{rank}:32" for rank in RANKS[:9]) + ",10:128")
    assert by_value.ranks is None
    found, full = chances(by_value), chances(Shoe.full(8))
    assert found.finals == full.finals
    assert found.pair is None
    assert house_edge(PuntoBancoRules(), found, Bet.PLAYER_PAIR) is None


def test_a_shoe_by_rank_is_read_back() -> None:
    assert parse_shoe(",".join(f"{rank}:32" for rank in RANKS)) == Shoe.full(8)
    assert parse_shoe(" a:4, t:2 ,j:0,q:1,k:3") == Shoe.of_ranks({"A": 4, "10": 2, "Q": 1, "K": 3})
    # Without any ten or court the values say the ranks.
    assert parse_shoe("A:4,5:4").ranks is not None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("10:64,J:32", "names J but not Q and K: name all of 10, J, Q and K"),
        ("A:4,J:1,Q:1,K:1", "but not 10"),
        ("", "has no cards"),
        ("A:0", "has no cards"),
        ("1:4", "'1:4' in the shoe is not"),
        ("A:-2", "there cannot be -2 cards"),
        ("A:two", "'TWO' is not a number of cards"),
        ("A:100001", "is not a number of cards"),
        ("A:2,a:3", "names A twice"),
    ],
)
def test_an_unclear_shoe_is_refused_with_a_sentence(text: str, said: str) -> None:
    with pytest.raises(ShoeError) as caught:
        parse_shoe(text)
    assert said in str(caught.value)


def test_fewer_than_six_cards_make_no_coup() -> None:
    with pytest.raises(ShoeError, match="5 cards are too few for a coup"):
        chances(Shoe.of_ranks({"A": 5}))
    with pytest.raises(ShoeError, match="'J' is not one of"):
        Shoe.of_values({"J": 4})
    with pytest.raises(ShoeError, match="give a whole number from 0"):
        Shoe.of_ranks({"A": -1})


def test_cards_seen_too_often_are_named() -> None:
    assert shoe_problems(1, [Card("7", "H")] * 2) == ("2 sevens of hearts seen in 1 deck, which holds only 1",)
