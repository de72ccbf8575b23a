"""The dealer's results against figures from outside and against plain dealing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import blackjack_oracle as oracle
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.games.blackjack.dealer import (
    OUTCOMES,
    after_peek,
    barred_hole_card,
    dealer_chances,
    draw_chances,
)
from advisor.games.blackjack.kernel import BLACKJACK
from advisor.games.blackjack.shoe import full_shoe

PUBLISHED = json.loads((Path(__file__).parent / "published.json").read_text())
SHOES = st.tuples(*[st.integers(0, 6)] * 9, st.integers(0, 24)).filter(lambda shoe: sum(shoe) >= 2)


@pytest.mark.parametrize("row", PUBLISHED["dealer_six_decks"], ids=lambda row: f"{row['up']}-h17={row['h17']}")
def test_six_deck_results_equal_the_published_digits(row: dict[str, Any]) -> None:
    shoe = np.array([full_shoe(6)], dtype=np.float64)
    shoe[0, row["up"] - 1] -= 1
    before = dealer_chances(shoe, row["up"] - 1, "hit" if row["h17"] else "stand")
    for chances, figures in ((before, row["before_peek"]), (after_peek(before), row["after_peek"])):
        for name, figure in figures.items():
            found = chances[0, OUTCOMES.index("blackjack" if name == "bj" else name)]
            assert found == pytest.approx(figure, abs=1e-12), name


@pytest.mark.parametrize(
    ("upcard", "cut"),
    [("3", 0.3741), ("4", 0.3958), ("5", 0.4184), ("6", 0.4228), ("7", 0.2619), ("8", 0.2436), ("A", 0.1670)],
)
def test_printed_bust_figures_are_after_the_peek_and_cut(upcard: str, cut: float) -> None:
    value = "A23456789".index(upcard)
    shoe = np.array([full_shoe(6)], dtype=np.float64)
    shoe[0, value] -= 1
    bust = after_peek(dealer_chances(shoe, value, "stand"))[0, 0]
    assert int(bust * 10_000) / 10_000 == cut


@settings(max_examples=40, deadline=None)
@given(st.lists(SHOES, min_size=1, max_size=5), st.integers(0, 9), st.sampled_from(["stand", "hit"]))
def test_chances_sum_to_one_unless_the_shoe_may_run_out(
    shoes: list[tuple[int, ...]], upcard: int, soft_17: Any
) -> None:
    chances = dealer_chances(np.array(shoes, dtype=np.float64), upcard, soft_17)
    assert (chances >= 0).all()
    for shoe, total in zip(shoes, chances.sum(axis=1).tolist(), strict=True):
        # Twenty-two cards always finish a hand: even aces alone pass seventeen by then.
        assert total <= 1 + 1e-12
        if sum(shoe) >= 22:
            assert total == pytest.approx(1, abs=1e-12)


@settings(max_examples=15, deadline=None)
@given(st.tuples(*[st.integers(0, 1)] * 5, *[st.integers(0, 3)] * 5), st.integers(0, 9), st.booleans())
def test_results_equal_plain_dealing(shoe: tuple[int, ...], upcard: int, hit_soft_17: bool) -> None:
    if not sum(shoe):
        return
    found = dealer_chances(np.array([shoe], dtype=np.float64), upcard, "hit" if hit_soft_17 else "stand")[0]
    dealt = oracle.dealer(oracle.take((0,) * 10, upcard, -1), shoe, hit_soft_17)
    expected = [dealt.get(total, 0.0) for total in (22, 17, 18, 19, 20, 21, 99)]
    assert found.tolist() == pytest.approx(expected, abs=1e-12)


@given(SHOES, st.integers(0, 9))
def test_a_drawn_card_is_there_and_knowing_the_peek_is_exact(shoe: tuple[int, ...], upcard: int) -> None:
    barred = barred_hole_card(upcard)
    if barred is not None and shoe[barred] == sum(shoe):
        return
    chances = draw_chances(shoe, barred)
    expected = oracle.next_cards(shoe, upcard, peek=True) if barred is not None else dict(oracle.draws(shoe))
    assert chances.tolist() == pytest.approx([expected.get(value, 0.0) for value in range(10)], abs=1e-12)
    assert chances.sum() == pytest.approx(1)


def test_a_peek_takes_out_the_blackjack() -> None:
    shoe = np.array([full_shoe(1)], dtype=np.float64)
    assert after_peek(dealer_chances(shoe, 9, "stand"))[0, BLACKJACK] == 0
