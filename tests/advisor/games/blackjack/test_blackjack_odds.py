"""Values of actions against plain dealing, published values of whole games, and what must always hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import blackjack_oracle as oracle
import numpy as np
import pytest
from blackjack_strategies import deals, house_rules
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from advisor.games.blackjack import HouseRules, kernel
from advisor.games.blackjack.decision import Action, action_values, before_peek, best_action, dealer_results
from advisor.games.blackjack.game import column, game_value, two_cards, whole_game
from advisor.games.blackjack.moves import Moves, moves_for
from advisor.games.blackjack.play import Matchup, play
from advisor.games.blackjack.shoe import full_shoe, remaining
from advisor.games.blackjack.tree import EMPTY, all_hands, single
from advisor.games.blackjack.values import count_values, value_index
from advisor.games.cards import Card

PUBLISHED = dict(json.loads((Path(__file__).parent / "published.json").read_text())["value_percent_of_bet"]["rows"])


def less(shoe: tuple[int, ...], *values: int) -> tuple[int, ...]:
    return tuple(count - values.count(value) for value, count in enumerate(shoe))


# A few games stand for all, since each takes seconds; together they cover decks, both soft-17 rules, doubling after a
# split, surrender, one split only, six to five, and no hole card.
@pytest.mark.parametrize(
    ("name", "rules", "digits"),
    [
        ("1 deck S17 no DAS", HouseRules(decks=1, double_after_split=False), 6),
        ("6 decks S17 DAS late surrender", HouseRules(surrender="late"), 6),
        ("6 decks H17 DAS late surrender", HouseRules(surrender="late", dealer_soft_17="hit"), 6),
        ("6 decks S17 DAS one split only", HouseRules(split_hands=2), 6),
        ("6 decks S17 DAS no hole card, all bets lost", HouseRules(hole_card="none"), 4),
    ],
)
def test_the_value_of_the_game_equals_the_published_one(name: str, rules: HouseRules, digits: int) -> None:
    assert 100 * game_value(rules) == pytest.approx(PUBLISHED[name], abs=0.5001 * 10**-digits)


@pytest.mark.parametrize("upcard", [0, 9, 5])
def test_losing_original_bets_only_is_worth_as_much_as_a_peek(upcard: int) -> None:
    shoe = (2, 1, 2, 1, 2, 2, 1, 2, 1, 6)
    original = HouseRules(hole_card="none", no_hole_card_loss="original", surrender="late")
    peek = HouseRules(surrender="late")
    assert column(original, upcard, shoe).value == pytest.approx(column(peek, upcard, shoe).value, abs=1e-12)


@settings(max_examples=12, deadline=None)
@given(
    st.tuples(*[st.integers(0, 1)] * 4, *[st.integers(1, 2)] * 5, st.integers(2, 4)),
    st.integers(0, 9),
    st.integers(1, 9),
    st.integers(5, 9),
    st.booleans(),
    st.booleans(),
)
def test_values_equal_plain_dealing(
    shoe: tuple[int, ...], upcard: int, first: int, second: int, hit_soft_17: bool, peek: bool
) -> None:
    rules = HouseRules(dealer_soft_17="hit" if hit_soft_17 else "stand", hole_card="peek" if peek else "none")
    hand = count_values([two_cards((first, second)).cards[0], two_cards((first, second)).cards[1]])
    found = action_values(Matchup(rules, upcard), hand, shoe, Moves(double=True))
    ways = {Action.STAND: oracle.stand, Action.HIT: oracle.hit, Action.DOUBLE: oracle.double}
    for action, value in ways.items():
        expected = value(hand, shoe, upcard, hit_soft_17=hit_soft_17, peek=peek)
        assert found[action] == pytest.approx(expected, abs=1e-10), action


@pytest.mark.parametrize(
    ("value", "upcard", "shoe", "most", "peek"),
    [
        (7, 9, (0, 1, 1, 0, 0, 0, 0, 3, 3, 6), 2, True),
        (7, 9, (0, 1, 1, 0, 0, 0, 0, 3, 3, 6), 3, True),
        (7, 9, (1, 1, 1, 0, 0, 0, 0, 3, 2, 6), 4, True),
        (7, 9, (1, 1, 1, 0, 0, 0, 0, 3, 2, 6), 4, False),
        (8, 5, (0, 0, 1, 0, 0, 0, 2, 0, 2, 7), 4, True),
        (0, 9, (3, 0, 0, 0, 0, 1, 0, 3, 3, 5), 4, True),
        (0, 0, (2, 0, 0, 0, 0, 1, 0, 3, 3, 5), 3, True),
    ],
)
def test_splits_equal_playing_each_hand_in_turn(
    value: int, upcard: int, shoe: tuple[int, ...], most: int, peek: bool
) -> None:
    rules = HouseRules(hole_card="peek" if peek else "none", resplit_aces=True, split_hands=most)
    matchup = Matchup(rules, upcard)
    pool = np.add(shoe, single(value, 2)).astype(np.float64)
    unsplit = play(matchup, pool, EMPTY)

    def strategy(hand: tuple[int, ...]) -> str:
        if value == 0:
            return "stand"
        place = all_hands().place[hand]
        ways = {"stand": unsplit.stand[place], "hit": unsplit.hit[place], "double": unsplit.double[place]}
        return max(ways, key=lambda way: ways[way])

    found = action_values(matchup, single(value, 2), shoe, Moves(hands=most))[Action.SPLIT]
    assert found == pytest.approx(oracle.split(value, shoe, upcard, most, strategy, peek=peek), abs=1e-10)


@settings(max_examples=25, deadline=None)
@given(house_rules(), st.data())
def test_drawing_is_worth_the_average_of_what_it_leads_to(rules: HouseRules, data: st.DataObject) -> None:
    first, second, up, *seen = data.draw(deals(rules.decks, most=20))
    hand, upcard = count_values([first, second]), value_index(up)
    unseen = remaining(rules.decks, [first, second, up, *seen])
    assume(max(hand[5:]) > 0 and not (hand[0] and hand[9]))  # small hands have wide trees; blackjacks have no draw
    matchup = Matchup(rules, upcard)
    found = action_values(matchup, hand, unseen, Moves())
    average = 0.0
    chances = oracle.next_cards(unseen, upcard, peek=matchup.conditioned)
    for value, chance in chances.items():
        longer = oracle.take(hand, value, -1)
        if oracle.best_total(longer)[0] > 21:
            average -= chance
            continue
        left = oracle.take(unseen, value)
        open_moves = Moves(hit=oracle.best_total(longer)[0] < 21)
        after = action_values(matchup, longer, left, open_moves)
        average += chance * after[best_action(after)]
    assert found[Action.HIT] == pytest.approx(average, abs=1e-10)


@settings(max_examples=25, deadline=None)
@given(house_rules(), st.data())
def test_every_action_is_worth_no_more_than_the_best_and_no_more_than_can_be_won(
    rules: HouseRules, data: st.DataObject
) -> None:
    first, second, up, *seen = data.draw(deals(rules.decks, most=20))
    hand = two_cards((value_index(first), value_index(second)))
    unseen = remaining(rules.decks, [first, second, up, *seen])
    moves = moves_for(rules, hand, value_index(up))
    values = action_values(Matchup(rules, value_index(up)), count_values([first, second]), unseen, moves)
    assert values[best_action(values)] == max(values.values())
    assert list(values.values()) == sorted(values.values(), reverse=True)
    most_bets = {Action.DOUBLE: 2, Action.SPLIT: 2 * rules.split_hands}
    for action, value in values.items():
        bets = most_bets.get(action, 1)
        # A charlie or a bonus may pay up to four to one on an undoubled hand.
        assert -bets - 1e-12 <= value <= 4 * bets + 1e-12
    dealer = dealer_results(Matchup(rules, value_index(up)), unseen)
    assert sum(dealer.values()) == pytest.approx(1)
    assert ("blackjack" in dealer) == (rules.hole_card == "none")


def test_a_charlie_is_paid_before_a_dealer_blackjack_can_show_whatever_that_takes() -> None:
    four = (0, 2, 2, 0, 0, 0, 0, 0, 0, 0)
    unseen = less(full_shoe(6), 1, 1, 2, 2, 0)
    for loss in ("all", "original"):
        rules = HouseRules(hole_card="none", no_hole_card_loss=loss, charlie="five-card")
        assert action_values(Matchup(rules, 0), four, unseen, Moves())[Action.HIT] == pytest.approx(2.0)


def test_original_bets_only_gives_back_a_double_and_nothing_else() -> None:
    unseen = less(full_shoe(6), 5, 4, 9)
    hand = count_values(two_cards((4, 5)).cards)
    takes_all, original = (
        action_values(
            Matchup(HouseRules(hole_card="none", no_hole_card_loss=loss), 9), hand, unseen, Moves(double=True)
        )
        for loss in ("all", "original")
    )
    assert original[Action.HIT] == takes_all[Action.HIT] and original[Action.STAND] == takes_all[Action.STAND]
    assert original[Action.DOUBLE] == pytest.approx(takes_all[Action.DOUBLE] + 24 / 309)


def test_under_original_bets_only_split_bonus_hands_are_paid_before_a_dealer_blackjack() -> None:
    # One ten is left among sevens: if it is the dealer's, each hand gets its 7-7-7 and the first bet alone is lost.
    shoe = (0, 0, 0, 0, 0, 0, 12, 0, 0, 1)
    rules = HouseRules(hole_card="none", no_hole_card_loss="original", bonus_777="3:1", split_hands=2)
    peek = HouseRules(bonus_777="3:1", split_hands=2)
    values = [action_values(Matchup(r, 0), single(6, 2), shoe, Moves(hands=2))[Action.SPLIT] for r in (rules, peek)]
    assert values[0] == pytest.approx(12 / 13 * values[1] + 1 / 13 * (2 * 3 - 1))


def test_a_certain_dealer_blackjack_still_lets_early_surrender_save_half() -> None:
    each = {c.upcard: c for c in whole_game(HouseRules(surrender="early"), (1, 0, 0, 0, 0, 0, 0, 0, 0, 4))}
    assert each[0].value == -0.5


def test_equal_moves_after_a_split_are_decided_by_quiet_not_by_rounding() -> None:
    # Held after the split, A-2-2-9 is worth -121/140 both standing and hitting: found by an independent calculation.
    rules = HouseRules(decks=2, split_hands=2, double_on="9-11", hit_split_aces=True, blackjack_pays="1:1")
    shoe = (6, 3, 0, 0, 0, 0, 0, 3, 0, 0)
    value = action_values(Matchup(rules, 9), single(8, 2), shoe, Moves(hands=2))[Action.SPLIT]
    assert value == pytest.approx(0.837229, abs=5e-7)


SURRENDERS: list[tuple[dict[str, Any], int, float]] = [
    ({"surrender": "late"}, 9, -0.5),
    ({"surrender": "early"}, 6, -0.5),
    ({"surrender": "late", "hole_card": "none"}, 6, -0.5),
    ({"surrender": "early", "hole_card": "none"}, 9, -0.5),
    ({"surrender": "early", "hole_card": "none", "no_hole_card_loss": "original"}, 0, -0.5),
]


@pytest.mark.parametrize(("fields", "upcard", "expected"), SURRENDERS)
def test_surrender_saves_half(fields: dict[str, Any], upcard: int, expected: float) -> None:
    rules = HouseRules(**fields)
    unseen = less(full_shoe(6), 9, 5, upcard)
    values = action_values(Matchup(rules, upcard), count_values(two_cards((5, 9)).cards), unseen, Moves(surrender=True))
    assert values[Action.SURRENDER] == pytest.approx(expected)


def test_early_surrender_before_a_peek_is_half_a_bet_whatever_the_dealer_has() -> None:
    matchup = Matchup(HouseRules(surrender="early"), 0)
    unseen = less(full_shoe(6), 9, 5, 0)
    value = action_values(matchup, single(5, 2), unseen, Moves(surrender=True))[Action.SURRENDER]
    assert value > -0.5
    assert before_peek(matchup, value, matchup.blackjack_chance(unseen)) == pytest.approx(-0.5)


def test_late_surrender_without_a_hole_card_still_loses_all_to_a_blackjack() -> None:
    matchup = Matchup(HouseRules(surrender="late", hole_card="none"), 9)
    unseen = less(full_shoe(6), 9, 5, 9)
    value = action_values(matchup, single(5, 2), unseen, Moves(surrender=True))[Action.SURRENDER]
    assert value == pytest.approx(-0.5 - 0.5 * 24 / 309)


def test_a_charlie_and_a_bonus_are_worth_what_they_pay() -> None:
    rules = HouseRules(decks=1, charlie="five-card", bonus_678="2:1", bonus_777="3:1")
    unseen = less(full_shoe(1), 6, 6, 9)
    matchup = Matchup(rules, 9)
    played = play(matchup, np.add(unseen, single(6, 2)).astype(np.float64), single(6, 2))
    assert played.stand[all_hands().place[single(6, 3)]] == 3
    five = oracle.take(single(6, 2), 0, -3)
    assert played.stand[all_hands().place[five]] == 2
    without = action_values(Matchup(HouseRules(decks=1), 9), single(6, 2), unseen, Moves())[Action.HIT]
    assert action_values(matchup, single(6, 2), unseen, Moves())[Action.HIT] > without


@pytest.mark.parametrize("upcard", [9, 5])
def test_more_freedom_is_worth_more(upcard: int) -> None:
    shoe = (2, 1, 2, 1, 2, 2, 1, 2, 1, 6)
    plain, doubles, late, early = (
        column(rules, upcard, shoe).value
        for rules in (
            HouseRules(double_after_split=False, split_hands=2),
            HouseRules(split_hands=2),
            HouseRules(double_after_split=False, split_hands=2, surrender="late"),
            HouseRules(double_after_split=False, split_hands=2, surrender="early"),
        )
    )
    assert plain <= doubles
    assert plain <= late <= early


def test_a_shoe_without_a_value_deals_none() -> None:
    shoe = (2, 1, 2, 1, 2, 0, 1, 2, 1, 6)
    columns = whole_game(HouseRules(split_hands=2), shoe)
    assert 5 not in {each.upcard for each in columns}
    for each in columns:
        assert sum(each.chances.values()) == pytest.approx(1)
        assert all(5 not in pair for pair in each.chances)
    assert sum(each.chance for each in columns) == pytest.approx(1)


def test_cards_of_hand_and_upcard_leave_the_shoe() -> None:
    assert remaining(1, [Card("7", "H"), Card("K", "S"), Card("A", "C")]) == (3, 4, 4, 4, 4, 4, 3, 4, 4, 15)


def test_odds_work_where_nothing_compiled_can_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []
    compile_it = kernel.numba.njit

    def nowhere(**options: Any) -> Any:
        asked.append("cache" in options)
        if options.pop("cache", False):
            raise RuntimeError("cannot cache function: no locator available")
        return compile_it(**options)

    monkeypatch.setattr(kernel.numba, "njit", nowhere)
    assert kernel._compiled(lambda x: x + 1)(1) == 2
    assert asked == [True, False]
