"""For every operation three functions of a deal: `verify_x` raises, `can_x` answers, and `x` gives the operation.

Amounts may be int, text, `Decimal` or `Fraction`, never float. See `advisor.games.operations.triple`.
"""

from __future__ import annotations

from advisor.games.cards import Card
from advisor.games.operations import exact, triple
from advisor.games.pontoon.round import operations as ops
from advisor.games.pontoon.round.play import Round
from advisor.games.pontoon.round.verify import verify
from advisor.money.amounts import AmountLike


def _verify(state: Round, operation: ops.Operation) -> None:
    verify(state, operation)


def _stake(seat: int, amount: AmountLike) -> ops.Stake:
    return ops.Stake(seat, exact(amount, f"Seat {seat}"))


def _buy(seat: int, amount: AmountLike, card: Card | None = None, hand: int = 1) -> ops.Buy:
    return ops.Buy(seat, exact(amount, f"Seat {seat}"), card, hand)


verify_deal, can_deal, deal = triple(_verify, ops.Deal)
verify_stake, can_stake, stake = triple(_verify, _stake)
verify_show_pontoon, can_show_pontoon, show_pontoon = triple(_verify, ops.ShowPontoon)
verify_stick, can_stick, stick = triple(_verify, ops.Stick)
verify_buy, can_buy, buy = triple(_verify, _buy)
verify_twist, can_twist, twist = triple(_verify, ops.Twist)
verify_split, can_split, split = triple(_verify, ops.Split)
verify_go_bust, can_go_bust, go_bust = triple(_verify, ops.GoBust)
verify_give_up, can_give_up, give_up = triple(_verify, ops.GiveUp)
verify_turn_banker, can_turn_banker, turn_banker = triple(_verify, ops.TurnBanker)
verify_draw_banker, can_draw_banker, draw_banker = triple(_verify, ops.DrawBanker)
verify_stay, can_stay, stay = triple(_verify, ops.Stay)
verify_show, can_show, show = triple(_verify, ops.Show)
verify_settle, can_settle, settle = triple(_verify, ops.Settle)
verify_call_off, can_call_off, call_off = triple(_verify, ops.CallOff)
verify_clear_cards, can_clear_cards, clear_cards = triple(_verify, ops.ClearCards)
