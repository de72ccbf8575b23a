"""After the lay-down: laying off, taking jokers, the discard, and the melds of the table against a contract."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rummy_oracle import is_set, sequences
from rummy_strategies import small_hands, variants

from advisor.games.cards import FULL_PACK
from advisor.games.rummy import (
    JOKER,
    Meld,
    RummyCard,
    Variant,
    VariantError,
    check_table,
    discards,
    judge,
    lay_down,
    lay_offs,
    lay_offs_with_swap,
    parse_rummy_cards,
    rummy_text,
    shipped_variant,
    swaps,
    with_values,
)

pytestmark = pytest.mark.slow

B = shipped_variant("contract-b")


def meld(text: str, variant: Variant = B) -> Meld:
    found = judge(variant, parse_rummy_cards(text)).meld
    assert found is not None
    return found


def fewest_left(variant: Variant, hand: list[RummyCard], table: list[Meld]) -> int:
    """Laying off by brute force: any card on any meld that stays legal with it, one after another.

    A meld is only what it is: a wild card in it keeps the place that it stands for.
    """
    best = sum(map(variant.points_of, hand))
    for card in dict.fromkeys(hand):
        for number, lying in enumerate(table):
            for longer in longer_melds(variant, lying, card):
                rest = list(hand)
                rest.remove(card)
                best = min(best, fewest_left(variant, rest, [*table[:number], longer, *table[number + 1 :]]))
    return best


def longer_melds(variant: Variant, lying: Meld, card: RummyCard) -> list[Meld]:
    if lying.kind == "set":
        cards = (*lying.cards, card)
        same = card == JOKER or variant.is_wild(card) or card.rank == lying.stands[0].rank
        return [Meld("set", cards, (*lying.stands, lying.stands[0]))] if same and is_set(variant, cards) else []
    found = []
    for cards in ((*lying.cards, card), (card, *lying.cards)):
        up = cards[-1] is card and cards[:-1] == lying.cards
        for suit, place in sequences(variant, cards):
            ring = tuple((p - 1) % 13 if variant.ace == "wrap" else p - 1 for p in place)
            if suit != lying.stands[0].suit or (ring[:-1] if up else ring[1:]) != lying.window:
                continue
            stands = tuple(FULL_PACK["CDHS".index(suit) * 13 + p % 13] for p in ring)
            if not variant.is_wild(card) and card != (stands[-1] if up else stands[0]):
                continue
            found.append(Meld("sequence", cards, stands, ring))
    return found


TABLES = ("4C 5C 6C", "9H 9S 9D", "2S 3S 4S", "2C 3C JOKER", "AS AC AH", "4S 4C", "10S JS QS KS", "4C 5C 6C / 4C 4S")


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(["low", "high", "both", "both_ends", "wrap"]),
    st.sampled_from(TABLES),
    st.sampled_from(TABLES),
    small_hands(most=5, jokers=2),
)
def test_laying_off_leaves_as_few_points_as_brute_force(ace: str, one: str, two: str, hand: list[RummyCard]) -> None:
    variant = with_values(B, {"ace": ace, "set_min": 2, "run_min": 3})
    groups = [g for text in (one, two) for g in text.split("/")]
    table = [m for g in groups if (m := judge(variant, parse_rummy_cards(g)).meld) is not None]
    found = lay_offs(variant, hand, table)
    assert found.points_left == fewest_left(variant, hand, table)
    assert Counter(found.left) + Counter(each.card for each in found.cards) == Counter(hand)
    for each in found.melds:
        assert each in {*table} or judge(variant, each.cards).legal


def test_laying_off_takes_natural_cards_wild_cards_and_bridges() -> None:
    found = lay_offs(B, parse_rummy_cards("8H JOKER 10H 9C KD"), [meld("4H 5H 6H 7H"), meld("9S 9D 9H")])
    assert [(str(each.card), str(each.stands), each.meld) for each in found.cards if each.card == JOKER] == [
        ("JOKER", "9H", 0)
    ]
    assert rummy_text(found.left) == "KD" and found.points_left == 10
    assert rummy_text(found.melds[0].cards) == "4H 5H 6H 7H 8H JOKER 10H"


def test_nothing_is_laid_off_where_the_variant_has_no_laying_off() -> None:
    found = lay_offs(with_values(B, {"lay_off": "none"}), parse_rummy_cards("9C"), [meld("9S 9D 9H")])
    assert found.cards == () and found.points_left == 9


def test_limits_on_wild_cards_hold_for_longer_melds() -> None:
    limited = with_values(B, {"max_wilds_per_meld": 1})
    found = lay_offs(limited, parse_rummy_cards("JOKER"), [meld("9S 9D JOKER")])
    assert found.cards == ()


def test_a_joker_is_taken_by_the_card_that_it_stands_for() -> None:
    table = [meld("9S 9D JOKER"), meld("4H JOKER 6H 7H")]
    assert [(str(s.card), str(s.wild), s.meld, rummy_text(s.after.cards)) for s in swaps(
        B, parse_rummy_cards("5H 9C 9H 5H"), table
    )] == [("9C", "JOKER", 0, "9S 9D 9C"), ("5H", "JOKER", 1, "4H 5H 6H 7H")]  # fmt: skip
    others = with_values(B, {"joker_swap": "others_only"})
    assert [s.meld for s in swaps(others, parse_rummy_cards("5H 9C"), table, own=[0])] == [1]
    assert swaps(with_values(B, {"joker_swap": "none"}), parse_rummy_cards("5H"), table) == []


def fewest_with_swaps(
    variant: Variant,
    hand: list[RummyCard],
    table: list[Meld],
    taken: bool = False,
    known: dict[object, int] | None = None,
) -> int:
    """The same by brute force where one wild card may be taken at any moment."""
    known = {} if known is None else known
    key = (tuple(sorted(map(str, hand))), tuple(table), taken)
    if key not in known:
        known[key] = sum(map(variant.points_of, hand))
        after = [
            (
                [card for k, card in enumerate(hand) if k != hand.index(each)],
                [*table[:n], longer, *table[n + 1 :]],
                taken,
            )
            for each in dict.fromkeys(hand)
            for n, lying in enumerate(table)
            for longer in longer_melds(variant, lying, each)
        ]
        for swap in swaps(variant, hand, table) if not taken else []:
            rest = [card for k, card in enumerate(hand) if k != hand.index(swap.card)]
            after.append(([*rest, swap.wild], [*table[: swap.meld], swap.after, *table[swap.meld + 1 :]], True))
        known[key] = min([known[key], *(fewest_with_swaps(variant, *each, known=known) for each in after)])
    return known[key]


@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from(["low", "high", "both"]),
    st.sampled_from(("2C 3C JOKER", "JOKER 5C 6C", "9H JOKER 9D", "10S JOKER QS")),
    st.sampled_from(TABLES),
    small_hands(most=4, jokers=1),
)
def test_swaps_and_laying_off_leave_as_few_points_as_brute_force(
    ace: str, one: str, two: str, hand: list[RummyCard]
) -> None:
    variant = with_values(B, {"ace": ace, "set_min": 2, "run_min": 3})
    groups = [g for text in (one, two) for g in text.split("/")]
    table = [m for g in groups if (m := judge(variant, parse_rummy_cards(g)).meld) is not None]
    done, off = lay_offs_with_swap(variant, hand, table)
    assert off.points_left == fewest_with_swaps(variant, hand, table)
    plain = lay_offs(variant, hand, table)
    assert (off.points_left < plain.points_left) is (done is not None)


def test_a_wild_card_that_must_be_played_at_once_is_not_taken_into_the_hand() -> None:
    table, hand = [meld("4H 5H 6H JOKER"), meld("9S 9D 9C")], parse_rummy_cards("7H KD")
    kept = with_values(B, {"joker_taken": "kept", "max_wilds_per_meld": "0"})
    # No meld takes a wild card any more, so that the joker would stay in hand.
    for variant in (kept, with_values(kept, {"joker_taken": "at_once"})):
        assert lay_offs_with_swap(variant, hand, table)[0] is None, "a joker counts more than a seven"
    cheap = with_values(kept, {"points.joker": "1"})
    swap, _ = lay_offs_with_swap(cheap, hand, table)
    assert swap is not None and swap.meld == 0
    assert lay_offs_with_swap(with_values(cheap, {"joker_taken": "at_once"}), hand, table)[0] is None


def useful_by_hand(variant: Variant, kept: tuple[RummyCard, ...], unseen: Counter[RummyCard]) -> int:
    now = lay_down(variant, kept)
    count = 0
    for card, copies in unseen.items():
        after = lay_down(variant, (*kept, card))
        if (after.possible and not now.possible) or (now.possible and after.points_left < now.points_left):
            count += copies
    return count


@settings(max_examples=8, deadline=None)
@given(variants(), small_hands(most=6, jokers=1))
def test_the_useful_cards_of_a_discard_are_counted_over_all_unseen_cards(
    variant: Variant, hand: list[RummyCard]
) -> None:
    hand = hand[:6]
    unseen: Counter[RummyCard] = Counter(dict.fromkeys(FULL_PACK, 2))
    unseen[JOKER] = 1
    unseen -= Counter(hand)
    found = discards(variant, hand)
    assert {each.card for each in found} == set(hand)
    by_hand = {}
    for each in found:
        kept = list(hand)
        kept.remove(each.card)
        by_hand[each.card] = useful_by_hand(variant, tuple(kept), unseen)
        assert each.unseen == sum(unseen.values())
        assert (each.short == 0) == lay_down(variant, kept).possible
        assert each.points_left == lay_down(variant, kept).points_left
    if any(by_hand.values()):
        assert {each.card: each.useful for each in found} == by_hand
    orders = [(each.short, -each.useful, each.points_left) for each in found]
    assert orders == sorted(orders)


def test_the_discard_that_keeps_the_most_chances() -> None:
    hand = parse_rummy_cards("10H JH QH 5C 5D 5S 9S 2C 7D")
    best = discards(B, hand, 2, players=4)[0]
    # 9H or KH makes the sequence (two of each) and so does the joker; nothing else helps.
    assert (str(best.card), best.useful, best.unseen, best.short) == ("9S", 5, 96, 1)
    assert best.chance.numerator == 5


def test_where_no_card_finishes_cards_that_bring_the_contract_nearer_count() -> None:
    hand = parse_rummy_cards("10H JH 5C 6C 9S 2D KD 8S")
    found = discards(B, hand, 3, players=4)
    # A third card for two of the three beginnings: 8H 9H QH KH, 3C 4C 7C 8C, 6S 7S 10S JS, two of each, or the joker.
    assert [(str(each.card), each.useful, each.short) for each in found[:2]] == [("KD", 25, 4), ("2D", 25, 4)]
    assert all(each.useful == 17 for each in found[2:])


@pytest.mark.parametrize(
    ("deal", "groups", "met", "says"),
    [
        (2, ["9S 9D JOKER", "4H 5H 6H 7H"], True, "1 set of 3 + 1 sequence of 4"),
        (2, ["9S 9D JOKER", "4H 5H 6H 7H 8H"], True, ""),
        (2, ["9S 9D JOKER", "4H 5H 7H 8H"], False, "a sequence of 4 is missing"),
        (3, ["4H 5H 6H 7H", "8H 9H 10H JH"], False, "need a gap"),
        (3, ["4H 5H 6H 7H", "9H 10H JH QH"], True, ""),
        (3, ["4H 5H 6H 7H 8H", "9H 10H JH QH"], True, ""),
        (1, ["9S 9D 9C", "4H 4C 4S", "KH KC KS"], False, "1 more on the table"),
        (1, [], False, "a set of 3 and a set of 3 are missing"),
    ],
)
def test_melds_on_the_table_against_a_contract(deal: int, groups: list[str], met: bool, says: str) -> None:
    found = check_table(B, [parse_rummy_cards(group) for group in groups], deal)
    assert found.met == met and says in found.sentence
    assert len(found.verdicts) == len(groups)


def test_without_a_deal_only_the_melds_are_judged() -> None:
    found = check_table(B, [parse_rummy_cards("9S 9D"), parse_rummy_cards("9S 9D 9C")])
    assert [verdict.legal for verdict in found.verdicts] == [False, True] and found.met is None


def test_any_melds_meet_a_free_contract() -> None:
    gin = shipped_variant("gin")
    assert check_table(gin, [parse_rummy_cards("9S 9D 9C")], 1).met
    assert not check_table(gin, [parse_rummy_cards("9S 9D 8C")], 1).met
    with pytest.raises(VariantError):
        check_table(gin, [], 2)
