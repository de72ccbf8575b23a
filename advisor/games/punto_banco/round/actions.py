"""For every operation three functions of a coup: `verify_x` raises, `can_x` answers, and `x` gives the operation.

Amounts may be int, text, `Decimal` or `Fraction`, never float. See `advisor.games.operations.triple`.
"""

from __future__ import annotations

from advisor.games.operations import exact, triple
from advisor.games.punto_banco.bets import Bet
from advisor.games.punto_banco.round import operations as ops
from advisor.games.punto_banco.round.play import Round, verify
from advisor.money.amounts import AmountLike


def _verify(state: Round, operation: ops.Operation) -> None:
    verify(state, operation)


def _bet(seat: int, amount: AmountLike, bet: Bet) -> ops.PlaceBet:
    return ops.PlaceBet(seat, exact(amount, f"Seat {seat}"), bet)


verify_place_bet, can_place_bet, place_bet = triple(_verify, _bet)
verify_take_back_bets, can_take_back_bets, take_back_bets = triple(_verify, ops.TakeBackBets)
verify_collect_commission, can_collect_commission, collect_commission = triple(_verify, ops.CollectCommission)
verify_close_bets, can_close_bets, close_bets = triple(_verify, ops.CloseBets)
verify_deal, can_deal, deal = triple(_verify, ops.Deal)
verify_draw, can_draw, draw = triple(_verify, ops.Draw)
verify_settle, can_settle, settle = triple(_verify, ops.Settle)
verify_call_off, can_call_off, call_off = triple(_verify, ops.CallOff)
verify_clear_cards, can_clear_cards, clear_cards = triple(_verify, ops.ClearCards)
