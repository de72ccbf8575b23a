"""A dealer with a real shoe: deals a round to its end by doing whatever the round's next step says.

For simulations and rehearsals. Pure: the cards come from outside, and so do the players' choices.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from advisor.games.blackjack.hand import Hand
from advisor.games.blackjack.round import Operation, Round, Step, StepKind
from advisor.games.blackjack.round import operations as ops
from advisor.games.blackjack.round.steps import SETTLES
from advisor.games.cards import Card

OFFERS = (StepKind.DECIDE, StepKind.OFFER_INSURANCE, StepKind.CHECK_INSURANCE, StepKind.OFFER_SURRENDER)
"""Steps that a player answers."""
_SETTLING = frozenset(SETTLES.values())


@dataclass
class ShoeDealer:
    """The dealer, who alone knows the cards face down.

    `draw` gives the shoe's next card; `choose` answers offers and decisions, and draws the card of a hit itself.
    """

    state: Round
    draw: Callable[[], Card]
    choose: Callable[[ShoeDealer, Step], Operation]
    hole_first: bool = False
    """Whether the hole card is dealt before the upcard."""
    steps: list[Step] = field(default_factory=list)
    operations: list[Operation] = field(default_factory=list)
    hole: Card | None = None
    doubled: dict[tuple[int, int], Card] = field(default_factory=dict)

    def do(self, operation: Operation) -> None:
        """Carry the round on; raises `IllegalMove`."""
        self.operations.append(operation)
        self.state = self.state.after(operation)

    def step(self) -> None:
        """Do the next step."""
        step = self.state.next_step
        self.steps.append(step)
        self.do(self.choose(self, step) if step.kind in OFFERS else self._routine(step))

    def until(self, *kinds: StepKind) -> Round:
        """Go on until one of these steps is next."""
        while self.state.next_step.kind not in kinds:
            self.step()
        return self.state

    def finish(self) -> Round:
        """The round, played to its end."""
        return self.until(StepKind.OVER)

    def _routine(self, step: Step) -> Operation:
        seat, hand = step.seat or 0, step.hand or 1
        if step.kind in _SETTLING:
            return ops.Settle(seat, hand)
        match step.kind:
            case StepKind.SWEEP_BETS:
                return ops.SweepBets()
            case StepKind.BURN:
                self.draw()
                return ops.Burn(None)
            case StepKind.DEAL:
                return self._deal(step, seat, hand)
            case StepKind.DEAL_DEALER:
                return self._deal_dealer()
            case StepKind.SETTLE_SIDE_BETS:
                return ops.SettleSideBets(seat)
            case StepKind.PEEK:
                assert self.hole is not None and self.state.dealer.upcard is not None
                return ops.Peek(Hand((self.state.dealer.upcard, self.hole)).blackjack)
            case StepKind.COLLECT_INSURANCE | StepKind.PAY_INSURANCE:
                return ops.SettleInsurance(seat)
            case StepKind.GIVE_BACK:
                return ops.GiveBack(seat)
            case StepKind.REVEAL:
                assert self.hole is not None
                return ops.RevealHole(self.hole)
            case StepKind.DRAW:
                return ops.DrawDealer(self.draw())
            case StepKind.TURN_DOUBLED:
                return ops.TurnDoubled(seat, self.doubled[seat, hand], hand)
            case StepKind.OUT_OF_CARDS:
                return ops.CallOff()
            case StepKind.CLEAR_CARDS:
                return ops.ClearCards()
        raise AssertionError(f"nothing to do for {step}")

    def _deal(self, step: Step, seat: int, hand: int) -> Operation:
        card = self.draw()
        if step.face_down:
            self.doubled[seat, hand] = card
        return ops.Deal(seat, None if step.face_down else card, hand)

    def _deal_dealer(self) -> Operation:
        card = self.draw()
        first = self.state.dealer.first_cards == 0
        if self.state.rules.hole_card == "peek" and first == self.hole_first:
            self.hole = card
            return ops.DealDealer(None)
        return ops.DealDealer(card)
