"""What holds in every round, whatever the rules, the shoe and the choices."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from round_driver import Driver
from round_strategies import any_operation, random_table, tables

from advisor.games.blackjack import Hand, HouseRules
from advisor.games.blackjack.round import (
    IllegalMove,
    Outcome,
    PlayerHand,
    Round,
    StepKind,
    as_dict,
    operation_from_dict,
    replay,
    settle_hand,
)
from advisor.games.blackjack.round import operations as ops
from advisor.games.blackjack.round.hands import carries_original
from advisor.games.cards import FULL_PACK

pytestmark = pytest.mark.slow

MANY = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
ANYTHING = any_operation(st.sampled_from(FULL_PACK))
LONGEST = 1000
"""No round takes so many steps."""


def play_out(table: Driver) -> Driver:
    for _ in range(LONGEST):
        if table.state.finished:
            return table
        table.step()
    raise AssertionError("the round does not end")


@MANY
@given(tables())
def test_every_round_ends_and_keeps_what_a_round_must_keep(table: Driver) -> None:
    all_cards = len(table.shoe)
    final = play_out(table).state
    assert final.next_step.kind is StepKind.OVER
    money_is_conserved(table)
    cards_are_conserved(table, all_cards)
    log_replays(table)
    every_hand_is_owed_what_the_rules_say(final)
    every_step_says_something(table)


def money_is_conserved(table: Driver) -> None:
    """The chips put down come back, or go to the house; none are lost, and none settled twice."""
    final = table.state
    for seat in final.seats:
        back = [hand.stake + hand.settlement.amount for hand in seat.hands if hand.settlement is not None]
        assert len(back) == len(seat.hands)
        assert min(back) >= 0
        others = [entry.amount for entry in final.ledger if entry.seat == seat.number and entry.hand is None]
        back.append(seat.insurance + seat.over + seat.under + sum(others))
        assert sum(back) - chips_put_down(table, seat.number) == final.net(seat.number)
    assert sum(final.net(seat.number) for seat in final.seats) == -final.house_net
    assert all(isinstance(entry.amount, Fraction) for entry in final.ledger)


def chips_put_down(table: Driver, seat: int) -> Fraction:
    """All chips that a seat's operations put on the table."""
    bet, total = Fraction(0), Fraction(0)
    for operation in table.operations:
        match operation:
            case ops.PlaceBet(number, amount) if number == seat:
                bet = amount
                total += amount
            case ops.PlaceSideBet(number, amount) | ops.Insure(number, amount) | ops.Double(number, amount):
                total += amount if number == seat else 0
            case ops.Split(number) if number == seat:
                total += bet
    return total


def cards_are_conserved(table: Driver, all_cards: int) -> None:
    """Every card came from the shoe, and none came twice."""
    final = table.state
    packs = Counter(FULL_PACK * final.rules.decks)
    assert not Counter(final.known_cards) - packs
    assert not Counter((*final.known_cards, *table.shoe)) - packs
    assert final.cards_left == len(table.shoe)
    hidden = all_cards - len(table.shoe) - (len(final.known_cards) - len(final.seen))
    called_off = any(isinstance(operation, ops.CallOff) for operation in table.operations)
    assert hidden == len(final.burned) or called_off


def log_replays(table: Driver) -> None:
    final = table.state
    log = [as_dict(operation) for operation in table.operations]
    assert all(type(value) in (str, int) for entry in log for value in entry.values())
    again = [operation_from_dict(entry) for entry in log]
    assert again == table.operations
    assert replay(final.rules, again, seen=final.seen, new_shuffle=final.new_shuffle) == final


def every_hand_is_owed_what_the_rules_say(final: Round) -> None:
    """What was settled along the way is what the finished table says, and what a plain reckoning says."""
    if final.called_off:
        return
    for seat, number, held in final.hands():
        settled = settle_hand(
            final.rules,
            held.hand,
            held.bet,
            final.dealer.cards,
            added=held.added,
            surrendered=held.surrendered,
            even_money=held.even_money,
            carries_original=carries_original(seat, number),
        )
        assert settled == held.settlement
        assert sum(e.amount for e in final.ledger if (e.seat, e.hand) == (seat.number, number)) == settled.amount
        if final.rules.no_hole_card_loss == "all" and not (held.surrendered or held.even_money):
            assert settled.amount == reckoned(final, held)


def reckoned(final: Round, held: PlayerHand) -> Fraction:
    """What an ordinary hand comes to, worked out another way: by ranking both hands."""
    mine, his = held.hand, Hand(final.dealer.cards)
    if not mine.bust and held.added is None:
        if final.rules.charlie_cards and len(mine.cards) >= final.rules.charlie_cards:
            return held.bet * final.rules.charlie_odds
        ranks = "".join(sorted(card.rank for card in mine.cards))
        bonus = {"678": final.rules.bonus_678, "777": final.rules.bonus_777}.get(ranks, "none")
        if bonus != "none":
            return held.bet * int(bonus[0])
    rank = -1 if mine.bust else 22 if mine.blackjack else mine.total
    dealers = 0 if his.bust else 22 if his.blackjack else his.total
    # Hands that were settled at once left the dealer's hand unfinished.
    if rank == 22 and dealers < 22:
        return held.bet * final.rules.blackjack_odds
    return held.stake * ((rank > dealers) - (rank < dealers))


def every_step_says_something(table: Driver) -> None:
    for step in table.steps:
        assert step.words[0].isupper()
        assert step.words[-1] in ".?"
        if step.kind is StepKind.DECIDE:
            assert step.actions


@MANY
@given(tables(), st.data())
def test_whatever_is_tried_is_carried_out_or_refused_with_a_sentence(table: Driver, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(0, 60))):
        if not table.state.finished:
            table.step()
    before = table.state
    tries = data.draw(st.lists(ANYTHING, min_size=5, max_size=5))
    for operation in tries:
        try:
            after = before.after(operation)
        except IllegalMove as refused:
            assert str(refused)[-1] in ".?", str(refused)
            assert before == replay(before.rules, table.operations, seen=before.seen, new_shuffle=before.new_shuffle)
        else:
            assert after.next_step.words
            assert after != before or isinstance(operation, ops.PlaceBet | ops.Insure)
    log = table.operations
    assert before == replay(before.rules, log, seen=before.seen, new_shuffle=before.new_shuffle)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(tables(), st.integers(0, 80))
def test_a_round_called_off_anywhere_gives_back_what_was_open(table: Driver, steps: int) -> None:
    for _ in range(steps):
        if not table.state.finished and not table.state.called_off:
            table.step()
    if table.state.finished:
        with pytest.raises(IllegalMove):
            table.do(ops.CallOff())
        return
    if not table.state.called_off:
        before = table.state
        table.do(ops.CallOff())
        assert table.state.house_net == before.house_net
    assert play_out(table).state.finished
    money_is_conserved(table)


def test_random_rounds_reach_every_way_a_bet_can_end() -> None:
    """Not a claim about rounds but about the tests above: the rounds they play are not all ordinary ones."""
    generous = {"over_under_13": True, "charlie": "five-card", "bonus_678": "2:1", "bonus_777": "3:1", "decks": 2}
    rules = [
        HouseRules().with_values({**generous, "surrender": "early"}),
        HouseRules().with_values({**generous, "hole_card": "none", "no_hole_card_loss": "original"}),
    ]
    missing = set(Outcome) - {Outcome.CALLED_OFF}
    for seed in range(1000):
        table = random_table(rules[seed % 2], Random(seed), seats=5, rich=True)
        missing -= {entry.reason for entry in play_out(table).state.ledger}
        if not missing:
            return
    raise AssertionError(f"never reached: {missing}")
