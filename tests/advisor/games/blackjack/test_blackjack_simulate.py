"""Rounds played at random by the advice come out as the odds say."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from advisor.games.blackjack import PRESETS, HouseRules
from advisor.games.blackjack.game import game_value
from advisor.games.blackjack.simulate import SEAT, Tally, play_round, simulate

pytestmark = pytest.mark.slow

TABLES = [
    PRESETS["six-deck-s17"],
    PRESETS["home"],
    PRESETS["british"],
    HouseRules(decks=1, hit_split_aces=True, resplit_aces=True, charlie="five-card", surrender="early"),
    HouseRules(decks=2, hole_card="none", no_hole_card_loss="original", bonus_678="2:1", bonus_777="3:1"),
    HouseRules(decks=1, split_on="same-rank", dealer_soft_17="hit", surrender="early-ten", blackjack_pays="6:5"),
]


@pytest.mark.parametrize("rules", TABLES, ids=range(len(TABLES)))
def test_simulation_and_odds_agree_within_four_standard_errors(rules: HouseRules) -> None:
    tally = simulate(rules, 1200, random.Random(11))
    assert tally.rounds == 1200
    assert abs(tally.mean - game_value(rules)) <= 4 * tally.standard_error


def test_the_same_chance_gives_the_same_rounds() -> None:
    first, second = (play_round(TABLES[0], random.Random(3)) for _ in range(2))
    assert first == second and first.finished and first.net(SEAT) == -first.house_net


def test_tallies_add_up_exactly() -> None:
    parts = [
        Tally(1, Fraction(3, 2), Fraction(9, 4)),
        Tally(1, Fraction(-1), Fraction(1)),
        Tally(2, Fraction(0), Fraction(0)),
    ]
    whole = parts[0] + parts[1] + parts[2]
    assert whole == Tally(4, Fraction(1, 2), Fraction(13, 4))
    assert whole.mean == 0.125
    assert whole.standard_error == pytest.approx(((13 / 16 - 1 / 64) / 3) ** 0.5)
