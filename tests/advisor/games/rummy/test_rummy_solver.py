"""The solver against brute force, on whole variants and hands drawn together; and hands worked out by hand."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given, settings
from rummy_oracle import free_points_left, gap_between, points_left
from rummy_strategies import small_hands, variants

from advisor.games.rummy.cards import RummyCard, parse_rummy_cards
from advisor.games.rummy.contract import Slot
from advisor.games.rummy.fields import with_values
from advisor.games.rummy.loader import shipped_variant
from advisor.games.rummy.melds import readings
from advisor.games.rummy.solver import LayDown, lay_down
from advisor.games.rummy.variant import Variant

PLENTY = settings(max_examples=40, deadline=None)


def fills(found: LayDown, slots: tuple[Slot, ...]) -> bool:
    """Whether the melds are those slots, one by one."""
    return len(slots) == len(found.melds) and all(
        meld.kind == slot.kind and (len(meld.cards) == slot.size or (slot.open and len(meld.cards) > slot.size))
        for meld, slot in zip(found.melds, slots, strict=True)
    )


def check(variant: Variant, hand: list[RummyCard], found: LayDown) -> None:
    """What is laid down is legal, is the contract, and together with what is left is the hand."""
    laid = [card for meld in found.melds for card in meld.cards]
    assert Counter(laid) + Counter(found.left) == Counter(hand)
    assert found.points_left == sum(map(variant.points_of, found.left))
    for meld in found.melds:
        assert (meld.kind, meld.stands) in {(m.kind, m.stands) for m in readings(variant, meld.cards)}
        assert len(meld.wilds) == meld.wild_count
    if not variant.deal(1).contract.free and found.possible:
        assert any(fills(found, order) for choice in variant.slots(1) for order in permutations(choice))
        if variant.same_suit_runs == "gap":
            runs = [(m.stands[0].suit, tuple(p + 1 for p in m.window)) for m in found.melds if m.kind == "sequence"]
            for k, (suit, place) in enumerate(runs):
                assert all(suit != s or gap_between(variant, place, p) for s, p in runs[:k])


@PLENTY
@given(variants(), small_hands())
def test_the_lay_down_leaves_as_few_points_as_brute_force_finds(variant: Variant, hand: list[RummyCard]) -> None:
    found = lay_down(variant, hand)
    ways = [points_left(variant, hand, slots) for slots in variant.slots(1)]
    possible = [points for points in ways if points is not None]
    assert found.possible == bool(possible)
    assert found.points_left == (min(possible) if possible else sum(map(variant.points_of, hand)))
    check(variant, hand, found)


@PLENTY
@given(variants("any"), small_hands(most=7, jokers=2))
def test_the_best_melding_with_any_melds_is_what_brute_force_finds(variant: Variant, hand: list[RummyCard]) -> None:
    found = lay_down(variant, hand)
    assert found.points_left == free_points_left(variant, hand)
    check(variant, hand, found)


A, B = shipped_variant("contract-a"), shipped_variant("contract-b")


@pytest.mark.parametrize(
    ("variant", "deal", "hand", "points"),
    [
        pytest.param(B, 1, "9S 9D JOKER 4C 4D 4H KS QH 2C 7D", 29, id="a joker completes the second set"),
        pytest.param(A, 1, "9S 9D 9H 4C 4D 4H KS QH 2C JOKER", 26, id="a joker takes the place of a low card"),
        pytest.param(B, 1, "9S 9D KS QH 2C 7D 4C 4D 3H 8H", None, id="nothing"),
        pytest.param(B, 1, "9S 9D 9H 9C 9S 9D KS QH 2C 7D", 29, id="two sets of one rank"),
        pytest.param(B, 2, "9S 9D 9H 9C 10H JH QH KC 2C 7D", 19, id="a card that set and sequence both want"),
        pytest.param(B, 3, "3H 4H 5H 6H 7H 8H 9H 10H KC 2C", None, id="one sequence cut up is not two"),
        pytest.param(B, 3, "3H 4H 5H 6H 8H 9H 10H JH KC 2C", 12, id="a gap parts two sequences"),
        pytest.param(B, 3, "3H 4H 5H 6H 6H 7H 8H 9H KC 2C", None, id="sequences that share a rank have no gap"),
        pytest.param(B, 3, "AH 2H 3H 4H JH QH KH AH KC 2C", 12, id="the ace low and the ace high"),
        pytest.param(B, 7, "AH 2H 3H 4H 6C 7C 8C 9C JS QS KS AS JOKER", 2, id="a joker for the lowest card"),
        pytest.param(
            with_values(B, {"wild": "joker,2C,2S", "points.wild": 20}), 1, "2C 2C 2C 2D KH KS KD", 2, id="black deuces"
        ),
        pytest.param(B, 2, "9S 9D 9H 4C 5C 6C 7C 8C 9C 2C KD", 21, id="the highest four of a long one"),
    ],
)
def test_hands_worked_out_by_hand(variant: Variant, deal: int, hand: str, points: int | None) -> None:
    cards = parse_rummy_cards(hand)
    found = lay_down(variant, cards, deal)
    assert found.possible == (points is not None)
    assert found.points_left == (sum(map(variant.points_of, cards)) if points is None else points)
