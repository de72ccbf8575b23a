"""The shoe as text, the count, the memory aid, and doubling for less."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.games.blackjack import HouseRules, ShoeError, advise, parse_shoe
from advisor.games.blackjack.count import HI_LO, shoe_count
from advisor.games.blackjack.decision import Action, double_for_less_value
from advisor.games.blackjack.explain import rule_of_nine
from advisor.games.blackjack.hand import Hand
from advisor.games.blackjack.shoe import full_shoe, remaining, shoe_text
from advisor.games.cards import parse_card, parse_cards


@given(st.tuples(*[st.integers(0, 400)] * 10).filter(any))
def test_a_shoe_reads_back_as_written(shoe: tuple[int, ...]) -> None:
    assert parse_shoe(shoe_text(shoe)) == shoe


@pytest.mark.parametrize("text", ["", "A", "A:x", "A:1.5", "A:0", "B:3", "A:1,A:1", "A:-2", "1:4", "A:9999999"])
def test_text_that_is_no_shoe_is_refused(text: str) -> None:
    with pytest.raises(ShoeError):
        parse_shoe(text)


def test_hi_lo_counts_what_has_gone() -> None:
    seen = parse_cards("2C 3C 4C 5C 6C 7C 8C 9C 10C KC AC")
    found = shoe_count(full_shoe(2), remaining(2, seen))
    assert found.running == 5 - 3
    assert found.true == Fraction(2 * 52, 93)
    assert (found.unseen, found.tens) == (93, Fraction(30, 93))
    assert found.ten_richness == Fraction(30, 93) / Fraction(32, 104)


def test_hi_lo_is_balanced_over_a_whole_shoe() -> None:
    assert sum(tag * count for tag, count in zip(HI_LO, full_shoe(1), strict=True)) == 0
    assert shoe_count(full_shoe(1), (0,) * 10).true == 0


@pytest.mark.parametrize(
    ("hand", "upcard", "says"),
    [
        ("AC 2D", "5H", True),
        ("AC 7D", "6H", True),
        ("AC 7D", "2H", False),
        ("AC 6D", "3H", True),
        ("AC 5D", "3H", False),
        ("AC 5D", "4H", True),
        ("AC 4D", "4H", False),
        ("AC 8D", "5H", None),
        ("AC 2D", "7H", None),
        ("10C 3D", "5H", None),
        ("AC 2D 3H", "5H", None),
    ],
)
def test_the_rule_of_nine_says_what_the_page_says(hand: str, upcard: str, says: bool | None) -> None:
    value = "A23456789".index(upcard[0])
    assert rule_of_nine(HouseRules(), Hand.of(hand), value) is says


def test_advice_says_where_the_memory_aid_is_wrong() -> None:
    wrong = advise(HouseRules(), parse_cards("AC 4D"), parse_card("4H"))
    assert wrong.action is Action.DOUBLE and "which is wrong here" in wrong.why
    right = advise(HouseRules(), parse_cards("AC 6D"), parse_card("3H"))
    assert "which is right here" in right.why
    assert "Rule of 9" not in advise(HouseRules(double_soft=False), parse_cards("AC 6D"), parse_card("3H")).why


def test_doubling_for_less_grows_with_the_stake_and_never_beats_the_best_of_hit_and_double() -> None:
    for cards, up in (("6C 5D", "6H"), ("AC 7D", "9H"), ("10C 6D", "10H"), ("AC 4D", "4H")):
        values = advise(HouseRules(), parse_cards(cards), parse_card(up)).values
        assert double_for_less_value(values, 1) == pytest.approx(values[Action.DOUBLE])
        best = max(values[Action.HIT], values[Action.DOUBLE])
        assert all(double_for_less_value(values, part / 4) <= best + 1e-12 for part in range(1, 5))
    assert double_for_less_value({Action.STAND: 0.1}, 0.5) is None


def test_kings_split_again_only_beside_kings_where_ranks_must_be_equal() -> None:
    by_rank, by_value = HouseRules(split_on="same-rank"), HouseRules()
    few = [card for card in parse_cards("KC KD KH KS") for _ in range(5)]
    position = parse_cards("KC KD"), parse_card("6H")
    # With hardly a king left to split again, tens of other ranks are as good as no pair.
    once = advise(HouseRules(split_hands=2), *position, few).values[Action.SPLIT]
    assert advise(by_rank, *position, [*few, *parse_cards("KH KS")]).values[Action.SPLIT] == pytest.approx(
        advise(HouseRules(split_hands=2), *position, [*few, *parse_cards("KH KS")]).values[Action.SPLIT]
    )
    some = advise(by_rank, *position, few).values[Action.SPLIT]
    assert some != pytest.approx(once, abs=1e-6)
    assert some != pytest.approx(advise(by_value, *position, few).values[Action.SPLIT], abs=1e-6)
