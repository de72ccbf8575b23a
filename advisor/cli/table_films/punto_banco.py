"""Coups of punto banco for a film: the bets are drawn by chance, the third cards follow from the tableau."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial

from advisor.cli.table_films.timing import Pace, StagedRound, closed
from advisor.games.cards import Card
from advisor.games.punto_banco import Bet, PuntoBancoRules, Side
from advisor.games.punto_banco.round import LOG, Operation, Round, StepKind
from advisor.games.punto_banco.round import operations as ops
from advisor.games.punto_banco.round.steps import SETTLES
from datasets.rounds import script as acts

HANDS = {Side.PLAYER: 1, Side.BANKER: 2}
"""The house's hands, as the table numbers them."""


def play(
    pace: Pace,
    rules: PuntoBancoRules,
    bets: Sequence[tuple[int, Bet, Fraction]],
    draw: Callable[[], Card],
    before: Round | None = None,
    pays: bool = False,
) -> tuple[StagedRound, Round]:
    """One coup, written into `pace`, after `before` from the same shoe; and the coup as it ended."""
    begins, state = pace.now, Round.start(rules) if before is None else before.following()
    log: list[Operation] = []

    def do(operation: Operation) -> None:
        nonlocal state
        log.append(operation)
        state = state.after(operation)

    for seat, bet, amount in bets:
        do(ops.PlaceBet(seat, amount, bet))
        pace.tell(LOG.as_dict(log[-1]))
        pace.put(seat, amount, "bet" if bet in (Bet.PLAYER, Bet.BANKER) else "side")
        pace.wait(0.15)
    pace.wait(acts.CHIPS_S)
    do(ops.CloseBets())
    while (step := state.next_step).kind is not StepKind.CLEAR_CARDS:
        if step.kind in (StepKind.DEAL, StepKind.DRAW):
            assert step.side is not None
            side, third, card = step.side, step.kind is StepKind.DRAW, draw()
            do(ops.Draw(side, card) if third else ops.Deal(side, card))
            if third:
                pace.wait(0.6)
            pace.dealer(partial(acts.Deal, seat=acts.HOUSE, card=str(card), hand=HANDS[side], crosswise=third))
        elif step.kind in SETTLES:
            assert step.seat is not None and step.bet is not None and step.amount is not None
            do(ops.Settle(step.seat, step.bet))
            if pays and step.amount:
                spot: acts.Spot = "bet" if step.bet in (Bet.PLAYER, Bet.BANKER) else "side"
                if step.amount > 0:
                    pace.put(step.seat, step.amount, spot, by="dealer")
                else:
                    pace.take(step.seat, spot)
        else:
            raise AssertionError(f"nothing to do for {step}")
    net = {seat: state.net(seat) for seat in sorted({it.seat for it in state.bets})}
    do(ops.ClearCards())
    return closed(pace, begins, [LOG.as_dict(it) for it in log], net), state
