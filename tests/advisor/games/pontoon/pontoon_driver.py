"""Plays a deal to its end by doing whatever the next step says, and draws rules and deals at random."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from random import Random

from hypothesis import strategies as st

from advisor.games.cards import FULL_PACK, Card, parse_cards
from advisor.games.pontoon import Action, PontoonRules, RunningPack
from advisor.games.pontoon.hand import TWENTY_ONE, best_total, count_values, hard_total, is_pontoon
from advisor.games.pontoon.round import Operation, Round, Step, StepKind
from advisor.games.pontoon.round import operations as ops
from advisor.games.pontoon.turns import may_split, may_stick

Choose = Callable[["Table", Step], str]
"""Answers a decision: "stick", "buy 3", "twist", "split", "draw", "stay"."""


class Table:
    """A deal whose pack is a list of real cards; the table is told of cards face down only when they are turned."""

    def __init__(self, state: Round, cards: Iterable[Card], choose: Choose, private: bool = False) -> None:
        self.state, self.cards, self.choose = state, list(cards), choose
        self.private = private
        """Whether the table is told every card as it is dealt."""
        self.hands: dict[int, list[list[Card]]] = {seat: [[]] for seat in state.order}
        self.steps: list[Step] = []
        self.operations: list[Operation] = []

    @property
    def words(self) -> list[str]:
        return [step.words for step in self.steps]

    def do(self, operation: Operation) -> None:
        self.state = self.state.after(operation)
        self.operations.append(operation)

    def step(self) -> None:
        step = self.state.next_step
        self.steps.append(step)
        self.do(self._answer(step))

    def play(self) -> Table:
        for _ in range(500):
            if self.state.finished:
                return self
            self.step()
        raise AssertionError("the deal does not end")

    def until(self, kind: StepKind) -> Table:
        while self.state.next_step.kind is not kind:
            self.step()
        return self

    def _take(self, seat: int, hand: int) -> Card:
        card = self.cards.pop(0)
        self.hands[seat][hand - 1].append(card)
        return card

    def _answer(self, step: Step) -> Operation:
        seat, hand = step.seat or 0, step.hand or 1
        match step.kind:
            case StepKind.DEAL:
                card = self._take(seat, hand)
                return ops.Deal(seat, card if self.private else None, hand)
            case StepKind.TAKE_STAKE:
                return ops.Stake(seat, Fraction(self.choose(self, step)))
            case StepKind.DECIDE | StepKind.COLLECT_BUST:
                return self._turn(step, seat, hand)
            case StepKind.TURN_BANKER:
                return ops.TurnBanker(tuple(self.hands[seat][0]))
            case StepKind.BANKER_DECIDES:
                return ops.DrawBanker(self._take(seat, 1)) if self.choose(self, step) == "draw" else ops.Stay()
            case StepKind.SHOW:
                return ops.Show(seat, tuple(self.hands[seat][hand - 1]), hand)
            case StepKind.PAY | StepKind.COLLECT:
                return ops.Settle(seat, hand)
            case StepKind.OUT_OF_CARDS:
                return ops.CallOff()
            case _:
                return ops.ClearCards()

    def _turn(self, step: Step, seat: int, hand: int) -> Operation:
        held = tuple(self.hands[seat][hand - 1])
        if hard_total(count_values(held)) > TWENTY_ONE:
            self.cards += held
            return ops.GoBust(seat, held, hand)
        if Action.PONTOON in step.actions and is_pontoon(count_values(held)):
            return ops.ShowPontoon(seat, held, hand)
        word, *amount = self.choose(self, step).split()
        match word:
            case "stick":
                return ops.Stick(seat, hand)
            case "buy":
                card = self._take(seat, hand)
                return ops.Buy(seat, Fraction(amount[0]), card if self.private else None, hand)
            case "twist":
                return ops.Twist(seat, self._take(seat, hand), hand)
            case "split":
                self.hands[seat][hand - 1 : hand] = [[card] for card in held]
                return ops.Split(seat, held, hand)
        raise AssertionError(f"{word!r} answers no question: {step}")


def script(stakes: Mapping[int, object], *lines: str) -> Choose:
    """These stakes, and answers in order."""
    left = list(lines)

    def choose(table: Table, step: Step) -> str:
        if step.kind is StepKind.TAKE_STAKE:
            return str(stakes[step.seat or 0])
        assert left, f"no answer left for {step}"
        return left.pop(0)

    return choose


def deal(
    rules: PontoonRules, banker: int, stakes: Mapping[int, object], cards: str, *lines: str, private: bool = False
) -> Table:
    """A deal with these stakes, cards in the order dealt, and answers in order."""
    start = Round.start(rules, [banker, *stakes], banker)
    return Table(start, parse_cards(cards), script(stakes, *lines), private)


class Anybody:
    """Answers every decision with one that is allowed to somebody who sees his own cards."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def __call__(self, table: Table, step: Step) -> str:
        rules = table.state.rules
        if step.kind is StepKind.TAKE_STAKE:
            return str(self._amount(rules, step))
        if step.kind is StepKind.BANKER_DECIDES:
            total = best_total(count_values(table.hands[step.seat or 0][0]))
            return "draw" if total < 16 or self.random.random() < 0.1 else "stay"
        assert step.seat is not None and step.hand is not None
        held = table.hands[step.seat][step.hand - 1]
        answers = []
        if Action.STICK in step.actions and (may_stick(rules, held) or not table.state.pack.cards):
            answers.append("stick")
        if Action.BUY in step.actions:
            answers.append(f"buy {self._amount(rules, step)}")
        if Action.TWIST in step.actions:
            answers.append("twist")
        if Action.SPLIT in step.actions and may_split(rules, held, len(table.hands[step.seat])):
            answers += ["split"] * 4
        return self.random.choice(answers)

    def _amount(self, rules: PontoonRules, step: Step) -> Fraction:
        assert step.least is not None and step.most is not None
        return step.least + rules.unit * self.random.randint(0, int((step.most - step.least) / rules.unit))


@st.composite
def pontoon_rules(draw: st.DrawFn) -> PontoonRules:
    """Any house rules."""
    odds = st.sampled_from(["1:1", "3:2", "2:1", "3:1"])
    low, high, unit = draw(st.sampled_from([("1", "10", "1"), ("0.50", "5", "0.50"), ("10", "100", "5")]))
    return PontoonRules(
        decks=draw(st.sampled_from([1, 1, 2])),
        stick_at=draw(st.sampled_from([15, 16, 17])),
        buying=draw(st.sampled_from(["at-least-previous", "may-be-less"])),
        pontoon_pays=draw(odds),
        pontoons_shown=draw(st.booleans()),
        five_card_trick=draw(st.booleans()),
        five_card_pays=draw(odds),
        royal_pontoon=draw(st.booleans()),
        royal_pays=draw(odds),
        split=draw(st.sampled_from(["none", "aces", "not-aces", "any"])),
        split_hands=draw(st.sampled_from([2, 3, 4])),
        split_pontoon=draw(st.booleans()),
        bank_passes=draw(st.sampled_from(["after-deals", "first-pontoon", "sale"])),
        bank_deals=draw(st.integers(1, 20)),
        banker_pontoon_keeps_bank=draw(st.booleans()),
        shuffle=draw(st.sampled_from(["after-pontoon", "every-deal"])),
        minimum=Fraction(low),
        maximum=Fraction(high),
        unit=Fraction(unit),
    )


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """A table before the first card of a deal, from a shuffled pack; a rich one begins with cards that pair up."""
    rules = draw(pontoon_rules())
    random = Random(draw(st.integers(0, 2**32 - 1)))
    cards = [card for card in FULL_PACK for _ in range(rules.decks)]
    random.shuffle(cards)
    if draw(st.booleans()):
        cards.sort(key=lambda card: card.rank not in ("A", "K", "7", "2"))  # stable, so shuffled within each kind
        front = cards[:16]
        random.shuffle(front)
        cards = front + cards[16:]
    seats = random.sample(list(ops.SEATS), draw(st.integers(2, 8)))
    start = Round.start(rules, seats, seats[0], RunningPack.shuffled(rules.decks))
    return Table(start, cards, Anybody(random), private=draw(st.booleans()))
