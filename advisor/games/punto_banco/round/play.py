"""A coup as a frozen value that operations carry on: what each needs to be allowed, and what it makes of the round."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import assert_never

from advisor.games.cards import Card
from advisor.games.operations import IllegalMove, bet_problems
from advisor.games.punto_banco.bets import Bet, Outcome, Settlement, settle_bet
from advisor.games.punto_banco.round.operations import (
    CallOff,
    ClearCards,
    CloseBets,
    CollectCommission,
    Deal,
    Draw,
    Operation,
    PlaceBet,
    Settle,
    TakeBackBets,
)
from advisor.games.punto_banco.round.state import Entry, PlacedBet, RoundState
from advisor.games.punto_banco.round.steps import SETTLES, Step, StepKind, next_step
from advisor.games.punto_banco.rules import PuntoBancoRules
from advisor.games.punto_banco.shoe import shoe_problems
from advisor.money.amounts import format_amount


@dataclass(frozen=True, slots=True)
class Round(RoundState):
    """One coup, from the bets to the clearing of the cards. A round never changes: `after` gives the next one."""

    @classmethod
    def start(
        cls,
        rules: PuntoBancoRules,
        *,
        seen: Sequence[Card] = (),
        commission: Mapping[int, Fraction] | None = None,
    ) -> Round:
        """A coup before its bets. `seen` are cards gone from this shoe before; `commission` is owed already, by seat.

        Raises `IllegalMove` where more cards were seen than the packs hold.
        """
        problems = shoe_problems(rules.decks, seen)
        if problems:
            raise IllegalMove(f"The cards seen before cannot be: {'; '.join(problems)}.")
        return cls(rules, tuple(seen), tuple(sorted((commission or {}).items())))

    def following(self, *, new_shoe: bool = False) -> Round:
        """The next coup: from the same shoe unless `new_shoe`, with the commission that is still owed."""
        if not self.cleared:
            raise IllegalMove(f"The next coup cannot begin. Next: {self.next_step.words}")
        return Round.start(self.rules, seen=() if new_shoe else self.known_cards, commission=self.commission)

    def after(self, operation: Operation) -> Round:
        """The round after the operation; raises `IllegalMove` where it is not allowed now."""
        verify(self, operation)
        return _applied(self, operation)

    @property
    def next_step(self) -> Step:
        """What the dealer does next."""
        return next_step(self)

    @property
    def finished(self) -> bool:
        """Whether the cards are cleared, so that nothing is left to do."""
        return self.cleared


def replay(
    rules: PuntoBancoRules,
    operations: Iterable[Operation],
    *,
    seen: Sequence[Card] = (),
    commission: Mapping[int, Fraction] | None = None,
) -> Round:
    """The round that a log of operations leads to; raises `IllegalMove` at the first that is not allowed."""
    state = Round.start(rules, seen=seen, commission=commission)
    for operation in operations:
        state = state.after(operation)
    return state


def placed_problems(rules: PuntoBancoRules, seat: int, bet: Bet, amount: Fraction) -> tuple[str, ...]:
    """Everything wrong with a bet that lies before a seat, a sentence each; empty when it may stay."""
    least = rules.minimum if bet in (Bet.PLAYER, Bet.BANKER) else rules.unit
    return bet_problems(f"Seat {seat}: a bet on {bet.words}", amount, least, rules.maximum, rules.unit)


def verify(state: RoundState, operation: Operation) -> None:
    """Raises `IllegalMove` with a sentence where the round does not allow the operation now."""
    match operation:
        case PlaceBet(seat, amount, bet):
            _bets_open(state, seat)
            problems = placed_problems(state.rules, seat, bet, amount)
            if problems:
                raise IllegalMove(" ".join(problems))
        case TakeBackBets(seat):
            _bets_open(state, seat)
            if not any(it.seat == seat for it in state.bets):
                raise IllegalMove(f"Seat {seat} has no bet to take back.")
        case CollectCommission(seat):
            if seat not in state.commission:
                raise IllegalMove(f"Seat {seat} owes no commission.")
            if state.coup.dealt and not state.cleared and state.open_bets:
                said = format_amount(state.commission[seat])
                raise IllegalMove(f"Seat {seat} pays its commission of {said} between coups, not while bets are open.")
        case CloseBets():
            _next_is(state, "The bets cannot be closed", StepKind.CLOSE_BETS, StepKind.TAKE_BETS)
        case Deal(side, card) | Draw(side, card):
            kind = StepKind.DEAL if isinstance(operation, Deal) else StepKind.DRAW
            step = _next_is(state, f"{side.words} cannot {kind.value} a card", kind)
            if step.side is not side:
                raise IllegalMove(f"The card is not {side.words}'s. Next: {step.words}")
            before = shoe_problems(state.rules.decks, state.known_cards)
            after = shoe_problems(state.rules.decks, (*state.known_cards, card))
            if wrong := [it for it in after if it not in before]:
                raise IllegalMove(f"{side.words} cannot have the {card.name}: {wrong[0]}.")
        case Settle(seat, bet):
            step = _next_is(state, f"Seat {seat}'s bet on {bet.words} cannot be settled", *SETTLES)
            if (step.seat, step.bet) != (seat, bet):
                raise IllegalMove(f"Seat {seat}'s bet on {bet.words} cannot be settled now. Next: {step.words}")
        case CallOff():
            if state.called_off or state.cleared or not (state.bets or state.closed or state.coup.dealt):
                raise IllegalMove("There is nothing to call off: no bets are open in this coup.")
        case ClearCards():
            _next_is(state, "The cards cannot be cleared", StepKind.CLEAR_CARDS)
        case _:
            assert_never(operation)


def _bets_open(state: RoundState, seat: int) -> None:
    if not 1 <= seat <= state.rules.seats:
        raise IllegalMove(f"Seat {seat} cannot bet: the seats are 1 to {state.rules.seats}.")
    if state.coup.dealt or state.called_off or state.cleared:
        raise IllegalMove(f"Seat {seat} cannot change its bets now: only before the first card is dealt.")


def _next_is(state: RoundState, doing: str, *kinds: StepKind) -> Step:
    """The next step, which must be of one of these kinds."""
    step = next_step(state)
    if step.kind not in kinds:
        raise IllegalMove(f"{doing} now. Next: {step.words}")
    return step


def _applied(state: Round, operation: Operation) -> Round:
    """The round after the operation, which must have been verified."""
    match operation:
        case PlaceBet(seat, amount, bet):
            others = [it for it in state.bets if (it.seat, it.bet) != (seat, bet)]
            order = list(Bet)
            bets = sorted((*others, PlacedBet(seat, bet, amount)), key=lambda it: (it.seat, order.index(it.bet)))
            return replace(state, bets=tuple(bets), closed=False)
        case TakeBackBets(seat):
            return replace(state, bets=tuple(it for it in state.bets if it.seat != seat), closed=False)
        case CollectCommission(seat):
            entry = Entry(seat, None, None, -state.commission[seat])
            return replace(state, ledger=(*state.ledger, entry))
        case CloseBets():
            return replace(state, closed=True)
        case Deal(side, card) | Draw(side, card):
            return replace(state, coup=state.coup.with_card(side, card))
        case Settle(seat, bet):
            placed = state.bet(seat, bet)
            assert placed is not None
            return _settled(state, placed, settle_bet(state.rules, bet, placed.amount, state.coup))
        case CallOff():
            for placed in state.open_bets:
                state = _settled(state, placed, Settlement(Outcome.CALLED_OFF, Fraction(0)))
            return replace(state, called_off=True)
        case ClearCards():
            return replace(state, cleared=True)
        case _:
            assert_never(operation)


def _settled(state: Round, placed: PlacedBet, settled: Settlement) -> Round:
    entry = Entry(placed.seat, placed.bet, settled.outcome, settled.amount)
    bets = tuple(replace(it, settlement=settled) if it == placed else it for it in state.bets)
    return replace(state, bets=bets, ledger=(*state.ledger, entry))
