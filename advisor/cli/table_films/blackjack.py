"""Rounds of blackjack for a film: the round's own procedure, players who play well, badly or by chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from random import Random
from typing import Final

from advisor.cli.table_films.timing import LOOK, Pace, StagedRound, closed
from advisor.games.blackjack import Action, Hand, HouseRules
from advisor.games.blackjack.dealing import ShoeDealer
from advisor.games.blackjack.round import Operation, Round, Step, StepKind, as_dict
from advisor.games.blackjack.round import operations as ops
from advisor.games.cards import Card
from datasets.rounds import script as acts

UNSEEN: Final = (ops.PlaceBet, ops.Insure, ops.TakeEvenMoney, ops.Surrender)
"""Operations that decide about money and leave no trace that the cards show."""
ANSWERS: Final = (ops.Insure, ops.TakeEvenMoney, ops.Surrender)
"""Operations that answer a question; nobody answers before the card that it is about can have been read."""
ANSWERED_S: Final = 0.8
ROOM: Final = 4
"""Tables with more seats have room for two hands a seat, others for three."""
Chooser = Callable[["FilmDealer", Step], Operation]


class FilmDealer(ShoeDealer):
    """A dealer whose every operation is also written down as what his hands do."""

    def __init__(self, state: Round, draw: Callable[[], Card], choose: Chooser, pace: Pace, pays: bool) -> None:
        self.pace, self.pays, self.choose_as = pace, pays, choose
        self.doubling: set[tuple[int, int]] = set()
        super().__init__(state, draw, lambda _, step: choose(self, step))

    def do(self, operation: Operation) -> None:
        """Carry the round on and write down what that looks like."""
        before = self.state
        super().do(operation)
        pace = self.pace
        if isinstance(operation, ANSWERS):
            pace.wait(ANSWERED_S)
        if isinstance(operation, UNSEEN):
            pace.tell(as_dict(operation))
        match operation:
            case ops.PlaceBet(seat, amount):
                pace.put(seat, amount)
                pace.wait(0.12)
            case ops.SweepBets():
                pace.wait(acts.CHIPS_S)
            case ops.Insure(seat, amount):
                pace.put(seat, amount, "insurance")
                pace.wait(0.3)
            case ops.Deal(seat, card, hand):
                doubled = (seat, hand) in self.doubling
                face = card or self.doubled[seat, hand]
                pace.dealer(
                    lambda at: acts.Deal(at, seat, str(face), hand, card is not None, doubled and card is not None)
                )
                pace.rest_hand(seat)
            case ops.Hit(seat, card, hand):
                pace.dealer(lambda at: acts.Deal(at, seat, str(card), hand))
                pace.rest_hand(seat)
            case ops.DealDealer(card):
                assert card is not None or self.hole is not None
                pace.dealer(lambda at: acts.Deal(at, acts.HOUSE, str(card or self.hole), up=card is not None))
            case ops.DrawDealer(card):
                pace.dealer(lambda at: acts.Deal(at, acts.HOUSE, str(card)))
            case ops.RevealHole():
                pace.dealer(lambda at: acts.Turn(at, acts.HOUSE, 2))
            case ops.TurnDoubled(seat, _, hand):
                pace.dealer(lambda at: acts.Turn(at, seat, 3, hand))
            case ops.Double(seat, amount, hand):
                self.doubling.add((seat, hand))
                pace.put(seat, amount, "double")
                pace.think()
            case ops.Split(seat, hand):
                self.doubling = {(s, h + (s == seat and h > hand)) for s, h in self.doubling}
                pace.put(seat, self.bet(before, seat), "double")
                pace.think()
                pace.dealer(lambda at: acts.Split(at, seat, hand))
            case ops.Settle(seat, hand):
                self.settle(seat, hand)
            case _:
                pass

    @staticmethod
    def bet(state: Round, seat: int) -> Fraction:
        """The seat's first bet."""
        there = state.seat(seat)
        assert there is not None
        return there.hands[0].bet

    def settle(self, seat: int, hand: int) -> None:
        """A hand's chips move, where that is filmed; a hand that is lost early is picked up."""
        there = self.state.seat(seat)
        assert there is not None
        held = there.hands[hand - 1]
        assert held.settlement is not None
        if self.pays and len(there.hands) == 1:
            if held.settlement.amount > 0:
                self.pace.put(seat, held.settlement.amount, by="dealer")
            elif held.settlement.amount < 0:
                self.pace.take(seat)
                if held.added is not None:
                    self.pace.take(seat, "double")
        over = self.state.next_step.kind in (StepKind.CLEAR_CARDS, StepKind.OVER) or self.state.dealer.hole is not None
        if (held.hand.bust or held.surrendered) and not over and self.state.dealer_blackjack is not True:
            self.pace.dealer(lambda at: acts.PickUp(at, seat, hand), LOOK)


def play(
    pace: Pace,
    rules: HouseRules,
    bets: Mapping[int, Fraction],
    draw: Callable[[], Card],
    choose: Chooser,
    seen: tuple[Card, ...] = (),
    pays: bool = False,
) -> tuple[StagedRound, Round]:
    """One round from the bets to the clearing, written into `pace`; and the round as it ended."""
    begins = pace.now
    dealer = FilmDealer(Round.start(rules, seen=seen), draw, choose, pace, pays)
    for seat, amount in bets.items():
        dealer.do(ops.PlaceBet(seat, amount))
    dealer.until(StepKind.CLEAR_CARDS, StepKind.OVER)
    net = {seat.number: dealer.state.net(seat.number) for seat in dealer.state.seats}
    if dealer.state.next_step.kind is StepKind.CLEAR_CARDS:
        dealer.do(ops.ClearCards())
    return closed(pace, begins, [as_dict(it) for it in dealer.operations], net), dealer.state


class Anybody:
    """Answers every offer and decision: mostly as a sensible player would, now and then by chance."""

    def __init__(self, random: Random, seats: int) -> None:
        self.random = random
        self.most_hands = 2 if seats > ROOM else 3

    def __call__(self, dealer: FilmDealer, step: Step) -> Operation:
        if step.kind in (StepKind.OFFER_INSURANCE, StepKind.CHECK_INSURANCE):
            return self.insurance(dealer, step)
        if step.kind is StepKind.OFFER_SURRENDER:
            return ops.CloseSurrender()
        return self.decision(dealer, step)

    def insurance(self, dealer: FilmDealer, step: Step) -> Operation:
        for seat in step.seats:
            if self.random.random() < 0.5:
                return ops.TakeEvenMoney(seat)
        for seat, most in step.limits:
            there = dealer.state.seat(seat)
            if there is not None and not there.insured and self.random.random() < 0.3:
                whole = most // dealer.state.rules.unit * dealer.state.rules.unit
                if whole > 0:
                    return ops.Insure(seat, whole)
        return ops.CloseInsurance()

    def decision(self, dealer: FilmDealer, step: Step) -> Operation:
        assert step.seat is not None and step.hand is not None
        there = dealer.state.seat(step.seat)
        assert there is not None
        held = there.hands[step.hand - 1]
        dealer.pace.think()
        action = self.action(held.hand, step.actions, len(there.hands))
        match action:
            case Action.SPLIT:
                return ops.Split(step.seat, step.hand)
            case Action.DOUBLE:
                return ops.Double(step.seat, held.bet, step.hand)
            case Action.SURRENDER:
                return ops.Surrender(step.seat)
            case Action.HIT:
                return ops.Hit(step.seat, dealer.draw(), step.hand)
            case _:
                return ops.Stand(step.seat, step.hand)

    def action(self, hand: Hand, allowed: tuple[Action, ...], hands: int) -> Action:
        chance = self.random.random()
        if Action.SPLIT in allowed and hands < self.most_hands and chance < 0.75:
            return Action.SPLIT
        if Action.DOUBLE in allowed and (chance < 0.7 if 9 <= hand.total <= 11 else chance < 0.06):
            return Action.DOUBLE
        if Action.SURRENDER in allowed and hand.total in (15, 16) and chance < 0.35:
            return Action.SURRENDER
        if Action.HIT in allowed and (hand.total < 16 or (hand.soft and hand.total < 18) or chance < 0.12):
            return Action.HIT
        return Action.STAND if Action.STAND in allowed else allowed[0]
