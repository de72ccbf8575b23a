"""Plays a round to its end from a shoe of real cards by doing whatever the next step says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from advisor.games.blackjack import Action, Hand, HouseRules
from advisor.games.blackjack.round import Operation, Round, Step, StepKind
from advisor.games.blackjack.round import operations as ops
from advisor.games.blackjack.round.steps import SETTLES
from advisor.games.cards import Card, parse_cards
from advisor.money.amounts import AmountLike, parse_amount

Choose = Callable[["Driver", Step], Operation]
"""Answers an offer or a decision."""
OFFERS = (StepKind.DECIDE, StepKind.OFFER_INSURANCE, StepKind.CHECK_INSURANCE, StepKind.OFFER_SURRENDER)


@dataclass
class Driver:
    """The dealer, who alone knows the cards face down."""

    state: Round
    shoe: list[Card]
    choose: Choose
    steps: list[Step] = field(default_factory=list)
    operations: list[Operation] = field(default_factory=list)
    hole: Card | None = None
    doubled: dict[tuple[int, int], Card] = field(default_factory=dict)
    hole_first: bool = False

    def do(self, operation: Operation) -> None:
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

    @property
    def words(self) -> list[str]:
        return [step.words for step in self.steps]

    def _routine(self, step: Step) -> Operation:
        seat, hand = step.seat or 0, step.hand or 1
        if step.kind in SETTLES.values():
            return ops.Settle(seat, hand)
        match step.kind:
            case StepKind.SWEEP_BETS:
                return ops.SweepBets()
            case StepKind.BURN:
                self.shoe.pop(0)
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
            case StepKind.REVEAL:
                assert self.hole is not None
                return ops.RevealHole(self.hole)
            case StepKind.DRAW:
                return ops.DrawDealer(self.shoe.pop(0))
            case StepKind.TURN_DOUBLED:
                return ops.TurnDoubled(seat, self.doubled[seat, hand], hand)
            case StepKind.OUT_OF_CARDS:
                return ops.CallOff()
            case StepKind.CLEAR_CARDS:
                return ops.ClearCards()
        raise AssertionError(f"nothing to do for {step}")

    def _deal(self, step: Step, seat: int, hand: int) -> Operation:
        card = self.shoe.pop(0)
        if step.face_down:
            self.doubled[seat, hand] = card
        return ops.Deal(seat, None if step.face_down else card, hand)

    def _deal_dealer(self) -> Operation:
        card = self.shoe.pop(0)
        first = self.state.dealer.first_cards == 0
        if self.state.rules.hole_card == "peek" and first == self.hole_first:
            self.hole = card
            return ops.DealDealer(None)
        return ops.DealDealer(card)


def script(*lines: str) -> Choose:
    """Answers in order: an action's name, "double 5", "insure 1 5", "even 2", "surrender 3".

    Offers of insurance and early surrender are closed once the next line is none of theirs.
    """
    left = list(lines)

    def choose(table: Driver, step: Step) -> Operation:
        word, *numbers = left[0].split() if left else [""]
        insurance = step.kind in (StepKind.OFFER_INSURANCE, StepKind.CHECK_INSURANCE)
        if insurance and word not in ("insure", "even"):
            return ops.CloseInsurance()
        if step.kind is StepKind.OFFER_SURRENDER and not (word == "surrender" and numbers):
            return ops.CloseSurrender()
        left.pop(0)
        if word == "insure":
            return ops.Insure(int(numbers[0]), parse_amount(numbers[1]))
        if word == "even":
            return ops.TakeEvenMoney(int(numbers[0]))
        if step.kind is StepKind.OFFER_SURRENDER:
            return ops.Surrender(int(numbers[0]))
        assert step.seat is not None and step.hand is not None, f"{word!r} answers no question: {step}"
        match word:
            case Action.HIT:
                return ops.Hit(step.seat, table.shoe.pop(0), step.hand)
            case Action.STAND:
                return ops.Stand(step.seat, step.hand)
            case Action.DOUBLE:
                there = table.state.seat(step.seat)
                assert there is not None
                whole = there.hands[step.hand - 1].bet
                return ops.Double(step.seat, parse_amount(numbers[0]) if numbers else whole, step.hand)
            case Action.SPLIT:
                return ops.Split(step.seat, step.hand)
            case Action.SURRENDER:
                return ops.Surrender(step.seat)
        raise AssertionError(f"{word!r} answers no question: {step}")

    return choose


def table(
    rules: HouseRules,
    bets: Mapping[int, AmountLike],
    cards: str,
    *lines: str,
    sides: Iterable[Operation] = (),
    new_shuffle: bool = False,
    hole_first: bool = False,
) -> Driver:
    """A round with these bets placed, cards to come in the order dealt, and answers to come as `script` reads them.

    The dealer's upcard is his first card dealt, unless `hole_first`.
    """
    dealer = Driver(
        Round.start(rules, new_shuffle=new_shuffle), list(parse_cards(cards)), script(*lines), hole_first=hole_first
    )
    for seat, amount in bets.items():
        dealer.do(ops.PlaceBet(seat, parse_amount(amount)))
    for operation in sides:
        dealer.do(operation)
    return dealer


def played(rules: HouseRules, bets: Mapping[int, AmountLike], cards: str, *lines: str) -> Driver:
    """The same, played to its end."""
    dealer = table(rules, bets, cards, *lines)
    dealer.until(StepKind.OVER)
    return dealer
