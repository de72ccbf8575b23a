"""Plays a coup to its end by doing whatever the next step says, and draws coups at random."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from random import Random

from hypothesis import strategies as st

from advisor.games.cards import FULL_PACK, Card, parse_cards
from advisor.games.punto_banco import Bet, PuntoBancoRules
from advisor.games.punto_banco.round import Operation, Round, Step, StepKind
from advisor.games.punto_banco.round import operations as ops
from advisor.games.punto_banco.round.steps import SETTLES

Bets = Iterable[tuple[int, object, Bet]]


class Table:
    """A round, the cards to come, and everything that was said and done."""

    def __init__(self, state: Round, shoe: Iterable[Card]) -> None:
        self.state, self.shoe = state, list(shoe)
        self.steps: list[Step] = []
        self.operations: list[Operation] = []

    @property
    def words(self) -> list[str]:
        return [step.words for step in self.steps]

    def do(self, operation: Operation) -> None:
        self.state = self.state.after(operation)
        self.operations.append(operation)

    def step(self) -> None:
        """Does what the dealer is told to do."""
        step = self.state.next_step
        self.steps.append(step)
        self.do(self._answer(step))

    def _answer(self, step: Step) -> Operation:
        if step.kind in SETTLES:
            assert step.seat is not None and step.bet is not None
            return ops.Settle(step.seat, step.bet)
        if step.kind in (StepKind.DEAL, StepKind.DRAW):
            assert step.side is not None
            make = ops.Deal if step.kind is StepKind.DEAL else ops.Draw
            return make(step.side, self.shoe.pop(0))
        return {
            StepKind.CLOSE_BETS: ops.CloseBets(),
            StepKind.OUT_OF_CARDS: ops.CallOff(),
            StepKind.CLEAR_CARDS: ops.ClearCards(),
        }[step.kind]

    def play(self) -> Table:
        """Plays the coup out."""
        for _ in range(200):
            if self.state.finished:
                return self
            self.step()
        raise AssertionError("the coup does not end")


def played(rules: PuntoBancoRules, bets: Bets, cards: str) -> Table:
    """A coup with these bets and cards, played to its end."""
    table = Table(Round.start(rules), parse_cards(cards))
    for seat, amount, bet in bets:
        table.do(ops.PlaceBet(seat, amount, bet))  # type: ignore[arg-type]
    return table.play()


@st.composite
def punto_rules(draw: st.DrawFn) -> PuntoBancoRules:
    """Any house rules."""
    odds = st.sampled_from(["1:1", "1:2", "8:1", "9:1", "11:1", "3:2"])
    low, high, unit = draw(st.sampled_from([("5", "500", "1"), ("2.50", "100", "0.50"), ("10", "1000", "5")]))
    return PuntoBancoRules(
        decks=draw(st.integers(1, 8)),
        player_pays=draw(odds),
        banker_pays=draw(odds),
        banker_six_pays=draw(odds),
        commission=draw(st.fractions(0, 99, max_denominator=8)),
        commission_taken=draw(st.sampled_from(["later", "at-once"])),
        tie_pays=draw(odds),
        pair_pays=draw(odds),
        seats=draw(st.integers(1, 14)),
        minimum=Fraction(low),
        maximum=Fraction(high),
        unit=Fraction(unit),
    )


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """A table with its bets placed, commission owed, and a shuffled shoe, some cards of which are gone."""
    rules = draw(punto_rules())
    random = Random(draw(st.integers(0, 2**32 - 1)))
    shoe = [card for card in FULL_PACK for _ in range(rules.decks)]
    random.shuffle(shoe)
    gone = random.randint(0, len(shoe) - 6)
    owed = {seat: Fraction(random.randint(1, 9), 4) for seat in range(1, rules.seats + 1) if random.random() < 0.2}
    table = Table(Round.start(rules, seen=shoe[:gone], commission=owed), shoe[gone:])
    most = int((rules.maximum - rules.minimum) / rules.unit)
    for _ in range(random.randint(1, 20)):
        amount = rules.minimum + rules.unit * random.randint(0, most)
        table.do(ops.PlaceBet(random.randint(1, rules.seats), amount, random.choice(list(Bet))))
    return table
