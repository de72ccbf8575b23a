"""For every operation three functions of a round: `verify_x` raises, `can_x` answers, and `x` gives the operation.

Each takes the round and then what the operation is built from. `verify_x` raises `IllegalMove` with a sentence where
the round does not allow it; `can_x` says whether it would; `x` verifies and returns the frozen operation, which
`Round.after` carries out. Amounts may be int, text, `Decimal` or `Fraction`, never float.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from advisor.games.blackjack.round import operations as ops
from advisor.games.blackjack.round.play import Round
from advisor.games.blackjack.round.verify import verify
from advisor.games.operations import Triple, exact, triple
from advisor.money.amounts import AmountLike

P = ParamSpec("P")
Op = TypeVar("Op", bound=ops.Operation)


def _triple(make: Callable[P, Op]) -> Triple[Round, P, Op]:
    """`verify_x`, `can_x` and `x` for the operation that `make` builds."""
    return triple(verify, make)


def _bet(seat: int, amount: AmountLike) -> ops.PlaceBet:
    return ops.PlaceBet(seat, exact(amount, f"Seat {seat}"))


def _side_bet(seat: int, amount: AmountLike, side: ops.Side) -> ops.PlaceSideBet:
    return ops.PlaceSideBet(seat, exact(amount, f"Seat {seat}"), side)


def _insure(seat: int, amount: AmountLike) -> ops.Insure:
    return ops.Insure(seat, exact(amount, f"Seat {seat}"))


def _double(seat: int, amount: AmountLike, hand: int = 1) -> ops.Double:
    return ops.Double(seat, exact(amount, f"Seat {seat}"), hand)


verify_place_bet, can_place_bet, place_bet = _triple(_bet)
verify_take_back_bet, can_take_back_bet, take_back_bet = _triple(ops.TakeBackBet)
verify_place_side_bet, can_place_side_bet, place_side_bet = _triple(_side_bet)
verify_sweep_bets, can_sweep_bets, sweep_bets = _triple(ops.SweepBets)
verify_burn, can_burn, burn = _triple(ops.Burn)
verify_deal, can_deal, deal = _triple(ops.Deal)
verify_deal_dealer, can_deal_dealer, deal_dealer = _triple(ops.DealDealer)
verify_turn_upcard, can_turn_upcard, turn_upcard = _triple(ops.TurnUpcard)
verify_settle_side_bets, can_settle_side_bets, settle_side_bets = _triple(ops.SettleSideBets)
verify_insure, can_insure, insure = _triple(_insure)
verify_take_even_money, can_take_even_money, take_even_money = _triple(ops.TakeEvenMoney)
verify_close_insurance, can_close_insurance, close_insurance = _triple(ops.CloseInsurance)
verify_close_surrender, can_close_surrender, close_surrender = _triple(ops.CloseSurrender)
verify_peek, can_peek, peek = _triple(ops.Peek)
verify_hit, can_hit, hit = _triple(ops.Hit)
verify_stand, can_stand, stand = _triple(ops.Stand)
verify_double, can_double, double = _triple(_double)
verify_split, can_split, split = _triple(ops.Split)
verify_surrender, can_surrender, surrender = _triple(ops.Surrender)
verify_reveal_hole, can_reveal_hole, reveal_hole = _triple(ops.RevealHole)
verify_draw_dealer, can_draw_dealer, draw_dealer = _triple(ops.DrawDealer)
verify_turn_doubled, can_turn_doubled, turn_doubled = _triple(ops.TurnDoubled)
verify_settle, can_settle, settle = _triple(ops.Settle)
verify_settle_insurance, can_settle_insurance, settle_insurance = _triple(ops.SettleInsurance)
verify_give_back, can_give_back, give_back = _triple(ops.GiveBack)
verify_cut_card, can_cut_card, cut_card = _triple(ops.CutCard)
verify_call_off, can_call_off, call_off = _triple(ops.CallOff)
verify_clear_cards, can_clear_cards, clear_cards = _triple(ops.ClearCards)
