"""Plays a round to its end from a shoe of real cards by doing whatever the next step says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from advisor.games.blackjack import Action, HouseRules
from advisor.games.blackjack.dealing import ShoeDealer
from advisor.games.blackjack.round import Operation, Round, Step, StepKind
from advisor.games.blackjack.round import operations as ops
from advisor.games.cards import Card, parse_cards
from advisor.money.amounts import AmountLike, parse_amount


class Driver(ShoeDealer):
    """A dealer whose shoe is a list of cards, the next one first."""

    def __init__(self, state: Round, shoe: Iterable[Card], choose: Choose, hole_first: bool = False) -> None:
        self.shoe = list(shoe)
        super().__init__(state, lambda: self.shoe.pop(0), lambda _, step: choose(self, step), hole_first)

    @property
    def words(self) -> list[str]:
        """What the dealer was told to do so far."""
        return [step.words for step in self.steps]


Choose = Callable[[Driver, Step], Operation]
"""Answers an offer or a decision."""


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
        Round.start(rules, new_shuffle=new_shuffle), parse_cards(cards), script(*lines), hole_first=hole_first
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
