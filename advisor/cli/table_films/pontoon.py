"""Deals of pontoon for a film: cards lie face down until somebody turns them, the dealer holds the bank."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from random import Random
from typing import Final, TypeVar

from advisor.cli.table_films.timing import LOOK, Pace, StagedRound, closed
from advisor.games.cards import Card
from advisor.games.pontoon import Action, PontoonRules, RunningPack
from advisor.games.pontoon.hand import TWENTY_ONE, best_total, count_values, hard_total, is_pontoon
from advisor.games.pontoon.round import LOG, Operation, Round, Step, StepKind
from advisor.games.pontoon.round import operations as ops
from advisor.games.pontoon.turns import may_split, may_stick
from datasets.rounds import script as acts

T = TypeVar("T")
DEALER: Final = ops.SEATS[-1]
"""How the round numbers the dealer, whose cards lie at the house's place."""
UNSEEN: Final = (ops.Stake, ops.Buy)
"""Operations that decide about money and leave no trace that the cards show."""
Chooser = Callable[["FilmBanker", Step, Sequence[Card]], str]
"""Answers a decision: an amount to stake, "stick", "buy 3", "twist", "split", "draw" or "stay"."""


@dataclass
class FilmBanker:
    """Plays a deal to its end and writes down what hands do; he alone knows the cards face down."""

    state: Round
    draw: Callable[[], Card]
    choose: Chooser
    pace: Pace
    pays: bool
    log: list[Operation] = field(default_factory=list)
    cards: dict[tuple[int, int], list[Card]] = field(default_factory=dict)
    up: dict[tuple[int, int], list[bool]] = field(default_factory=dict)

    def do(self, operation: Operation) -> None:
        """Carry the deal on."""
        self.log.append(operation)
        self.state = self.state.after(operation)
        if isinstance(operation, UNSEEN):
            self.pace.tell(LOG.as_dict(operation))

    def finish(self) -> None:
        """Play on until only the clearing is left."""
        while (step := self.state.next_step).kind is not StepKind.CLEAR_CARDS:
            self.step(step)

    def step(self, step: Step) -> None:
        """Do the next step."""
        seat, hand = step.seat or DEALER, step.hand or 1
        match step.kind:
            case StepKind.DEAL:
                self.deal(seat, hand, up=False)
                self.do(ops.Deal(seat, None, hand))
            case StepKind.TAKE_STAKE:
                amount = Fraction(self.choose(self, step, self.cards[seat, 1]))
                self.pace.put(seat, amount)
                self.pace.wait(0.25)
                self.do(ops.Stake(seat, amount))
            case StepKind.DECIDE | StepKind.COLLECT_BUST:
                self.turn(step, seat, hand)
            case StepKind.TURN_BANKER:
                self.turn_up(DEALER, 1)
                self.do(ops.TurnBanker(tuple(self.cards[DEALER, 1])))
            case StepKind.BANKER_DECIDES:
                self.pace.think()
                if self.choose(self, step, self.cards[DEALER, 1]) == "draw":
                    self.do(ops.DrawBanker(self.deal(DEALER, 1, up=True)))
                else:
                    self.do(ops.Stay())
            case StepKind.SHOW:
                self.turn_up(seat, hand)
                self.do(ops.Show(seat, tuple(self.cards[seat, hand]), hand))
            case StepKind.PAY | StepKind.COLLECT:
                self.do(ops.Settle(seat, hand))
                if self.pays and step.amount:
                    if step.amount > 0:
                        self.pace.put(seat, step.amount, by="dealer")
                    else:
                        self.pace.take(seat)
            case StepKind.OUT_OF_CARDS:
                self.do(ops.CallOff())
            case _:
                raise AssertionError(f"nothing to do for {step}")

    def deal(self, seat: int, hand: int, up: bool) -> Card:
        """A card from the pack to a hand."""
        card, place = self.draw(), acts.HOUSE if seat == DEALER else seat
        self.pace.dealer(lambda at: acts.Deal(at, place, str(card), hand, up))
        self.cards.setdefault((seat, hand), []).append(card)
        self.up.setdefault((seat, hand), []).append(up)
        if not up and place != acts.HOUSE:
            self.pace.rest_hand(place)
        return card

    def turn_up(self, seat: int, hand: int) -> None:
        """Every card of a hand that lies face down is turned."""
        place = acts.HOUSE if seat == DEALER else seat
        for number, up in enumerate(self.up[seat, hand], 1):
            if not up:
                self.pace.dealer(partial(acts.Turn, seat=place, card=number, hand=hand))
        self.up[seat, hand] = [True] * len(self.up[seat, hand])

    def turn(self, step: Step, seat: int, hand: int) -> None:
        """A punter's decision."""
        held = tuple(self.cards[seat, hand])
        if hard_total(count_values(held)) > TWENTY_ONE:
            self.turn_up(seat, hand)
            self.do(ops.GoBust(seat, held, hand))
            self.pace.dealer(lambda at: acts.PickUp(at, seat, hand), LOOK)
            if self.pays:
                self.pace.take(seat)
            return
        self.pace.think()
        if Action.PONTOON in step.actions and is_pontoon(count_values(held)):
            self.turn_up(seat, hand)
            self.do(ops.ShowPontoon(seat, held, hand))
            return
        word, *amount = self.choose(self, step, held).split()
        match word:
            case "stick":
                self.do(ops.Stick(seat, hand))
            case "buy":
                self.pace.put(seat, Fraction(amount[0]), "double")
                self.deal(seat, hand, up=False)
                self.do(ops.Buy(seat, Fraction(amount[0]), None, hand))
            case "twist":
                self.do(ops.Twist(seat, self.deal(seat, hand, up=True), hand))
            case "split":
                self.split(seat, hand, held)
            case _:
                raise AssertionError(f"{word!r} answers no question: {step}")

    def split(self, seat: int, hand: int, held: tuple[Card, ...]) -> None:
        """A pair is turned up and taken apart."""
        self.turn_up(seat, hand)
        self.pace.dealer(lambda at: acts.Split(at, seat, hand))
        self.do(ops.Split(seat, held, hand))
        self.cards, self.up = _parted(self.cards, seat, hand), _parted(self.up, seat, hand)


def _parted(table: dict[tuple[int, int], list[T]], seat: int, hand: int) -> dict[tuple[int, int], list[T]]:
    """The hands after a split: the two halves of one, and those after it moved up."""
    moved = {(s, h + (s == seat and h > hand)): it for (s, h), it in table.items()}
    left, right = moved.pop((seat, hand))
    return {**moved, (seat, hand): [left], (seat, hand + 1): [right]}


def play(
    pace: Pace,
    rules: PontoonRules,
    seats: Sequence[int],
    draw: Callable[[], Card],
    choose: Chooser,
    pack: RunningPack | None = None,
    pays: bool = False,
) -> tuple[StagedRound, Round]:
    """One deal, the bank at the house, written into `pace`; and the deal as it ended."""
    begins = pace.now
    banker = FilmBanker(Round.start(rules, [*seats, DEALER], DEALER, pack), draw, choose, pace, pays)
    banker.finish()
    net = {seat: banker.state.net(seat) for seat in seats}
    banker.do(ops.ClearCards())
    return closed(pace, begins, [LOG.as_dict(it) for it in banker.log], net), banker.state


class Anybody:
    """Answers every decision with one that is allowed to somebody who sees his own cards."""

    def __init__(self, random: Random, most_hands: int) -> None:
        self.random, self.most_hands = random, most_hands

    def __call__(self, banker: FilmBanker, step: Step, held: Sequence[Card]) -> str:
        rules, random = banker.state.rules, self.random
        if step.kind is StepKind.TAKE_STAKE:
            return str(self.amount(rules, step))
        if step.kind is StepKind.BANKER_DECIDES:
            return "draw" if best_total(count_values(held)) < 17 else "stay"
        assert step.seat is not None and step.hand is not None
        there = banker.state.seat(step.seat)
        hands = len(there.hands) if there is not None else 1
        total = best_total(count_values(held))
        if (
            Action.SPLIT in step.actions
            and may_split(rules, held, hands)
            and hands < self.most_hands
            and random.random() < 0.6
        ):
            return "split"
        sticks = Action.STICK in step.actions and (may_stick(rules, held) or not banker.state.pack.cards)
        if sticks and (total >= 17 or random.random() < 0.6):
            return "stick"
        if Action.BUY in step.actions and random.random() < 0.5:
            return f"buy {self.amount(rules, step)}"
        if Action.TWIST in step.actions:
            return "twist"
        return "stick" if sticks else f"buy {self.amount(rules, step)}"

    def amount(self, rules: PontoonRules, step: Step) -> Fraction:
        assert step.least is not None and step.most is not None
        return step.least + rules.unit * self.random.randint(0, int((step.most - step.least) / rules.unit))
