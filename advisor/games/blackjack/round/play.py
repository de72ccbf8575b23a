"""A round of blackjack as a frozen value that operations carry on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from advisor.games.blackjack.decision import Action
from advisor.games.blackjack.round.apply import applied
from advisor.games.blackjack.round.operations import Operation
from advisor.games.blackjack.round.state import RoundState
from advisor.games.blackjack.round.steps import Step, StepKind, next_step
from advisor.games.blackjack.round.verify import verify
from advisor.games.blackjack.rules import HouseRules
from advisor.games.blackjack.shoe import shoe_problems
from advisor.games.cards import Card
from advisor.games.operations import IllegalMove


@dataclass(frozen=True, slots=True)
class Round(RoundState):
    """One round, from the bets to the clearing of the cards. A round never changes: `after` gives the next one."""

    @classmethod
    def start(cls, rules: HouseRules, *, seen: Sequence[Card] = (), new_shuffle: bool = False) -> Round:
        """A round before its bets. `seen` are cards gone from this shoe before.

        `new_shuffle` says that the shoe is fresh, so that a card is burned first. Raises `IllegalMove` where more cards
        were seen than the packs hold.
        """
        problems = shoe_problems(rules.decks, seen)
        if problems:
            raise IllegalMove(f"The cards seen before cannot be: {'; '.join(problems)}.")
        return cls(rules, tuple(seen), new_shuffle)

    def after(self, operation: Operation) -> Round:
        """The round after the operation; raises `IllegalMove` where it is not allowed now."""
        verify(self, operation)
        return applied(self, operation)

    @property
    def next_step(self) -> Step:
        """What the dealer does next."""
        return next_step(self)

    @property
    def active(self) -> tuple[int, int] | None:
        """The seat and hand whose decision is awaited; None while it is the dealer's move."""
        step = self.next_step
        if step.kind is not StepKind.DECIDE or step.seat is None or step.hand is None:
            return None
        return step.seat, step.hand

    @property
    def finished(self) -> bool:
        """Whether the cards are cleared, so that nothing is left to do."""
        return self.cleared

    def legal_actions(self, seat: int, hand: int = 1) -> tuple[Action, ...]:
        """What this hand's player may do now; nothing where its decision is not awaited.

        Before the peek, where surrender is offered to several seats at once, that is to surrender or to wait.
        """
        step = self.next_step
        if step.kind is StepKind.OFFER_SURRENDER:
            return step.actions if seat in step.seats and hand == 1 else ()
        return step.actions if (step.seat, step.hand) == (seat, hand) else ()


def replay(
    rules: HouseRules, operations: Iterable[Operation], *, seen: Sequence[Card] = (), new_shuffle: bool = False
) -> Round:
    """The round that a log of operations leads to; raises `IllegalMove` at the first that is not allowed."""
    state = Round.start(rules, seen=seen, new_shuffle=new_shuffle)
    for operation in operations:
        state = state.after(operation)
    return state
