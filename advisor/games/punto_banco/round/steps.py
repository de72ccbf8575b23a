"""The dealer's next step in words and as data. The order of a coup stands here and nowhere else.

Lost bets are collected before anything is paid, and both go from the highest seat down, so that no chips are paid next
to chips that are still to be taken.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final

from advisor.games.punto_banco.bets import Bet, Outcome, Settlement, settle_bet, winning_odds
from advisor.games.punto_banco.round.state import PlacedBet, RoundState
from advisor.games.punto_banco.shoe import COUP
from advisor.games.punto_banco.tableau import Result, Side
from advisor.money.amounts import format_amount, odds_text


class StepKind(StrEnum):
    """What kind of thing the dealer does next."""

    TAKE_BETS = "take bets"
    CLOSE_BETS = "close bets"
    OUT_OF_CARDS = "out of cards"
    DEAL = "deal"
    DRAW = "draw"
    COLLECT = "collect"
    PAY = "pay"
    PUSH = "push"
    CLEAR_CARDS = "clear cards"
    OVER = "over"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """The dealer's next step. A field that does not apply is None."""

    kind: StepKind
    words: str
    """One or two short English sentences."""
    side: Side | None = None
    """The hand that takes the next card."""
    why: str = ""
    """For a third card, why it is drawn, as a clause."""
    seat: int | None = None
    bet: Bet | None = None
    amount: Fraction | None = None
    """What the seat gains by the step: negative where chips are collected, 0 at a push."""
    commission: Fraction | None = None
    """What the seat comes to owe by the step."""
    outcome: Outcome | None = None
    result: Result | None = None
    """Who won the coup, once it is known."""


_SETTLES: Final = {
    Outcome.LOSE: StepKind.COLLECT,
    Outcome.PUSH: StepKind.PUSH,
    Outcome.WIN: StepKind.PAY,
    Outcome.BANKER_SIX: StepKind.PAY,
}
"""The step that settles a bet, by how it ended; collecting comes first, paying last."""
SETTLES: Final = frozenset(_SETTLES.values())


def next_step(state: RoundState) -> Step:
    """What the dealer does next; there is always something until the round is over."""
    if state.cleared:
        return Step(kind=StepKind.OVER, words=f"The coup is over.{_owed_words(state)}", result=state.coup.result)
    if state.called_off:
        return Step(kind=StepKind.CLEAR_CARDS, words="Clear the cards.")
    if not state.coup.dealt and (state.cards_left < COUP or not state.closed):
        return _before(state)
    card = state.coup.next_card
    if card is None:
        return _settlement(state)
    if not card.third:
        which = "first" if len(state.coup.cards(card.side)) == 0 else "second"
        said = f"Deal {card.side.words}'s {which} card, face up."
        return Step(kind=StepKind.DEAL, words=said, side=card.side)
    return Step(
        kind=StepKind.DRAW, words=f"{card.side.words} draws a third card: {card.why}.", side=card.side, why=card.why
    )


def result_words(state: RoundState) -> str:
    """The call at the end of a coup, such as "Banker wins, 7 against 4"; raises `ValueError` before it."""
    result, player, banker = state.coup.result, state.coup.player_total, state.coup.banker_total
    if result is None:
        raise ValueError("the coup is not finished")
    how = " with a natural" if state.coup.natural else ""
    if result is Result.TIE:
        return f"Tie, both have {player}{how}"
    high, low = max(player, banker), min(player, banker)
    return f"{result.value.capitalize()} wins{how}, {high} against {low}"


def _before(state: RoundState) -> Step:
    if state.cards_left < COUP:
        said = f"The shoe holds {state.cards_left} cards, too few for a coup: give the bets back and shuffle."
        return Step(
            kind=StepKind.OUT_OF_CARDS, words=said if state.bets else said.replace("give the bets back and ", "")
        )
    low, high, unit = (format_amount(it) for it in (state.rules.minimum, state.rules.maximum, state.rules.unit))
    if not state.bets:
        return Step(kind=StepKind.TAKE_BETS, words=f"Take the bets: {low} to {high}, in whole units of {unit}.")
    placed = ", ".join(f"seat {it.seat} {format_amount(it.amount)} on {it.bet.words}" for it in state.bets)
    return Step(kind=StepKind.CLOSE_BETS, words=f"No more bets: {placed}.")


def _settlement(state: RoundState) -> Step:
    owed = [(it, settle_bet(state.rules, it.bet, it.amount, state.coup)) for it in reversed(state.open_bets)]
    for kind in (StepKind.COLLECT, StepKind.PUSH, StepKind.PAY):
        for placed, settled in owed:
            if _SETTLES[settled.outcome] is kind:
                return _settle_step(state, placed, settled, kind)
    return Step(kind=StepKind.CLEAR_CARDS, words=f"{result_words(state)}. Clear the cards.", result=state.coup.result)


def _settle_step(state: RoundState, placed: PlacedBet, settled: Settlement, kind: StepKind) -> Step:
    place, amount = f"Seat {placed.seat}", format_amount(abs(settled.amount))
    if kind is StepKind.COLLECT:
        said = f"{place} loses on {placed.bet.words}: collect {amount}."
    elif kind is StepKind.PUSH:
        said = f"{place}: a tie, {placed.bet.words} stays. Knock."
    else:
        said = f"{place} wins on {placed.bet.words}: pay {amount}{_terms(state, placed, settled)}."
    return Step(
        kind=kind,
        words=f"{result_words(state)}. {said}" if len(state.open_bets) == len(state.bets) else said,
        seat=placed.seat,
        bet=placed.bet,
        amount=settled.amount,
        commission=settled.commission,
        outcome=settled.outcome,
        result=state.coup.result,
    )


def _terms(state: RoundState, placed: PlacedBet, settled: Settlement) -> str:
    """The odds where they are not even, and what becomes of the commission."""
    odds = winning_odds(state.rules, placed.bet, state.coup.banker_total)
    terms = "" if odds == 1 else f" ({odds_text(odds)} on {format_amount(placed.amount)})"
    if settled.commission:
        return f"{terms}, and mark {format_amount(settled.commission)} commission"
    taken = placed.amount * odds - settled.amount
    return f"{terms}, which is less {format_amount(taken)} commission" if taken else terms


def _owed_words(state: RoundState) -> str:
    owed = ", ".join(f"seat {seat} {format_amount(amount)}" for seat, amount in state.commission.items())
    return f" Commission owed: {owed}." if owed else ""
