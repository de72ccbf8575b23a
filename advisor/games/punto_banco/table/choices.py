"""What may be said of a coup now, as operations in its own plain form."""

from __future__ import annotations

from fractions import Fraction

from advisor.games.contract.played import Choice
from advisor.games.punto_banco.bets import Bet
from advisor.games.punto_banco.round import LOG, Operation, Round, StepKind, actions
from advisor.games.punto_banco.round import operations as ops
from advisor.games.punto_banco.round.steps import SETTLES
from advisor.games.punto_banco.rules import PuntoBancoRules
from advisor.games.punto_banco.table.views import BET_NAMES, bet_place
from advisor.money.amounts import format_amount


def betting(rules: PuntoBancoRules, seat: int) -> tuple[Choice, ...]:
    """The bets that a seat may put down, the amount left open."""
    if not 1 <= seat <= rules.seats:
        return ()
    return tuple(
        Choice(
            f"Bet on {name}",
            {**LOG.as_dict(ops.PlaceBet(seat, Fraction(0), bet)), "amount": ""},
            bet_place(seat, bet),
        )
        for bet, name in BET_NAMES.items()
    )


def choices(state: Round) -> tuple[Choice, ...]:
    """Everything that may be said now, what usually follows first."""
    step = state.next_step
    found: list[Choice] = []
    if step.kind is StepKind.CLOSE_BETS:
        found.append(_choice("No more bets", ops.CloseBets(), main=True))
    elif step.kind is StepKind.TAKE_BETS:
        found.append(_choice("Deal without bets", ops.CloseBets()))
    elif step.kind in SETTLES:
        assert step.seat is not None and step.bet is not None and step.amount is not None
        amount = format_amount(abs(step.amount))
        words = {StepKind.COLLECT: f"Collected {amount}", StepKind.PAY: f"Paid {amount}"}.get(
            step.kind, "Left as it is"
        )
        settle = LOG.as_dict(ops.Settle(step.seat, step.bet))
        found.append(Choice(words, settle, bet_place(step.seat, step.bet), main=True))
    elif step.kind is StepKind.CLEAR_CARDS:
        found.append(_choice("Cards cleared", ops.ClearCards(), main=True))
    if step.kind in (StepKind.TAKE_BETS, StepKind.CLOSE_BETS):
        for seat in range(1, state.rules.seats + 1):
            found += betting(state.rules, seat)
        found += [
            _choice(f"Seat {seat} takes its bets back", ops.TakeBackBets(seat), seat)
            for seat in sorted({it.seat for it in state.bets})
        ]
    found += [
        _choice(f"Seat {seat} pays {format_amount(owed)} commission", ops.CollectCommission(seat), seat)
        for seat, owed in state.commission.items()
        if actions.can_collect_commission(state, seat)
    ]
    if actions.can_call_off(state):
        found.append(_choice("Call the coup off", ops.CallOff()))
    return tuple(found)


def _choice(words: str, operation: Operation, seat: int | None = None, main: bool = False) -> Choice:
    place = None if seat is None else bet_place(seat, Bet.PLAYER)
    return Choice(words, LOG.as_dict(operation), place, main)
