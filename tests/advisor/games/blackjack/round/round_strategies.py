"""Hypothesis strategies that draw whole rule sets, and rounds played at random from a shuffled shoe."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from hypothesis import strategies as st
from round_driver import Driver

from advisor.games.blackjack import Action, HouseRules
from advisor.games.blackjack.round import Operation, Round, Step, StepKind
from advisor.games.blackjack.round import operations as ops
from advisor.games.cards import FULL_PACK, Card


@st.composite
def round_rules(draw: st.DrawFn) -> HouseRules:
    """Any house rules, with every field that a round heeds."""
    choices = {
        "decks": st.sampled_from([1, 1, 2, 6, 8]),
        "dealer_soft_17": st.sampled_from(["stand", "hit"]),
        "hole_card": st.sampled_from(["peek", "none"]),
        "no_hole_card_loss": st.sampled_from(["all", "original"]),
        "blackjack_pays": st.sampled_from(["3:2", "6:5", "1:1", "2:1"]),
        "double_on": st.sampled_from(["any", "9-11", "10-11", "none"]),
        "double_soft": st.booleans(),
        "double_after_split": st.booleans(),
        "double_for_less": st.booleans(),
        "doubled_card_face_down": st.booleans(),
        "split_on": st.sampled_from(["same-rank", "ten-values", "not-4-5-10"]),
        "split_hands": st.sampled_from([2, 3, 4]),
        "resplit_aces": st.booleans(),
        "hit_split_aces": st.booleans(),
        "surrender": st.sampled_from(["none", "late", "early-ten", "early"]),
        "insurance": st.sampled_from(["any", "blackjack-only", "none"]),
        "even_money": st.booleans(),
        "charlie": st.sampled_from(["none", "five-card", "six-card"]),
        "bonus_678": st.sampled_from(["none", "2:1"]),
        "bonus_777": st.sampled_from(["none", "3:1"]),
        "over_under_13": st.booleans(),
    }
    low, high, unit = draw(st.sampled_from([("5", "500", "1"), ("2.50", "100", "0.50"), ("10", "1000", "5")]))
    values = {name: draw(choice) for name, choice in choices.items()}
    return HouseRules().with_values({**values, "minimum": low, "maximum": high, "unit": unit})


class Player:
    """Answers every offer and decision with one of the answers allowed."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def __call__(self, table: Driver, step: Step) -> Operation:
        if step.kind in (StepKind.OFFER_INSURANCE, StepKind.CHECK_INSURANCE):
            return self._insurance(table.state, step)
        if step.kind is StepKind.OFFER_SURRENDER:
            offered: list[Operation] = [ops.CloseSurrender(), ops.Surrender(self.random.choice(step.seats))]
            return self.random.choice(offered)
        assert step.seat is not None and step.hand is not None
        seat = table.state.seat(step.seat)
        assert seat is not None
        # Splits and doubles are what goes wrong, if anything does.
        rare = [action for action in step.actions if action in (Action.SPLIT, Action.DOUBLE)]
        match self.random.choice([*step.actions, *rare, *rare]):
            case Action.HIT:
                return ops.Hit(step.seat, table.shoe.pop(0), step.hand)
            case Action.STAND:
                return ops.Stand(step.seat, step.hand)
            case Action.DOUBLE:
                return ops.Double(step.seat, self._double(table.state, seat.hands[step.hand - 1].bet), step.hand)
            case Action.SPLIT:
                return ops.Split(step.seat, step.hand)
            case _:
                return ops.Surrender(step.seat)

    def _insurance(self, state: Round, step: Step) -> Operation:
        answers: list[Operation] = [ops.CloseInsurance()]
        if step.limits:
            seat, limit = self.random.choice(step.limits)
            there = state.seat(seat)
            half = state.rules.unit / 2
            if there is not None and not there.insured:
                answers += [ops.Insure(seat, half * self.random.randint(1, int(limit / half)))] * 2
        if step.seats:
            answers += [ops.TakeEvenMoney(self.random.choice(step.seats))] * 3
        return self.random.choice(answers)

    def _double(self, state: Round, bet: Fraction) -> Fraction:
        unit = state.rules.unit
        return unit * self.random.randint(1, int(bet / unit)) if state.rules.double_for_less else bet


@st.composite
def tables(draw: st.DrawFn) -> Driver:
    """A table with its bets placed and a shuffled shoe, some cards of which are gone already."""
    random = Random(draw(st.integers(0, 2**32 - 1)))
    return random_table(
        draw(round_rules()),
        random,
        seats=draw(st.integers(1, 7)),
        rich=draw(st.booleans()),
        new_shuffle=draw(st.booleans()),
        hole_first=draw(st.booleans()),
    )


def random_table(
    rules: HouseRules, random: Random, *, seats: int, rich: bool, new_shuffle: bool = False, hole_first: bool = False
) -> Driver:
    """Such a table; a `rich` shoe begins with the cards that make rare hands."""
    shoe = [card for card in FULL_PACK for _ in range(rules.decks)]
    random.shuffle(shoe)
    if rich:
        shoe.sort(key=_ordinary)  # stable, so shuffled within each kind
        front = shoe[: 24 * rules.decks]
        random.shuffle(front)
        shoe = front[:40] + shoe[24 * rules.decks :] + front[40:]
    gone = random.randint(0, 10)
    start = Round.start(rules, seen=shoe[:gone], new_shuffle=new_shuffle)
    table = Driver(start, shoe[gone:], Player(random), hole_first=hole_first)
    most = int((rules.maximum - rules.minimum) / rules.unit)
    for seat in random.sample(list(ops.SEATS), seats):
        table.do(ops.PlaceBet(seat, rules.minimum + rules.unit * random.randint(0, most)))
        if rules.over_under_13 and random.random() < 0.5:
            table.do(ops.PlaceSideBet(seat, rules.unit * random.randint(1, 5), random.choice(["over", "under"])))
    return table


def _ordinary(card: Card) -> bool:
    """Not one of the cards that make pairs, blackjacks, charlies and bonuses."""
    return card.rank not in ("A", "K", "6", "7", "8", "2")


def any_operation(cards: st.SearchStrategy[Card]) -> st.SearchStrategy[Operation]:
    """Any operation at all, whether or not it makes sense."""
    seat, hand = st.integers(-1, 9), st.integers(0, 4)
    amount = st.sampled_from(["-5", "0", "1/3", "2.50", "5", "10", "501"]).map(Fraction)
    maybe = st.none() | cards
    kinds: list[st.SearchStrategy[Operation]] = [
        st.builds(ops.PlaceBet, seat, amount),
        st.builds(ops.TakeBackBet, seat),
        st.builds(ops.PlaceSideBet, seat, amount, st.sampled_from(["over", "under"])),
        st.builds(ops.Burn, maybe),
        st.builds(ops.Deal, seat, maybe, hand),
        st.builds(ops.DealDealer, maybe),
        st.builds(ops.TurnUpcard, cards),
        st.builds(ops.SettleSideBets, seat),
        st.builds(ops.Insure, seat, amount),
        st.builds(ops.TakeEvenMoney, seat),
        st.builds(ops.Peek, st.booleans()),
        st.builds(ops.Hit, seat, cards, hand),
        st.builds(ops.Stand, seat, hand),
        st.builds(ops.Double, seat, amount, hand),
        st.builds(ops.Split, seat, hand),
        st.builds(ops.Surrender, seat),
        st.builds(ops.RevealHole, cards),
        st.builds(ops.DrawDealer, cards),
        st.builds(ops.TurnDoubled, seat, cards, hand),
        st.builds(ops.Settle, seat, hand),
        st.builds(ops.SettleInsurance, seat),
    ]
    bare = [ops.SweepBets, ops.CloseInsurance, ops.CloseSurrender, ops.CutCard, ops.CallOff, ops.ClearCards]
    return st.one_of(*kinds, *(st.builds(kind) for kind in bare))
