"""Advice with reasons, for a punter who sees his own cards and for the banker who sees what lies face up.

What is assumed of the other side is said in `advisor.games.pontoon.punter` and `advisor.games.pontoon.banker`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from advisor.games.cards import Card
from advisor.games.operations import bet_problems
from advisor.games.pontoon.banker import OpenHand, banker_worth
from advisor.games.pontoon.chances import ImpossiblePosition
from advisor.games.pontoon.hand import (
    TWENTY_ONE,
    Counts,
    Kind,
    count_values,
    full_pack,
    hand_words,
    hard_total,
    is_pontoon,
    kind,
    total_words,
    value_index,
)
from advisor.games.pontoon.punter import STAYS, Buying, banker_stays_on, split_worth, worth
from advisor.games.pontoon.rules import PontoonRules
from advisor.games.pontoon.turns import Action, buy_limits, may_split
from advisor.money.amounts import format_amount


class BankerAction(StrEnum):
    """What a banker may do."""

    STAY = "stay"
    DRAW = "draw"


@dataclass(frozen=True, slots=True)
class Option:
    """One thing a punter may do, and what it is worth."""

    action: Action
    amount: Fraction | None
    """What to buy for; None for what costs nothing."""
    value: float
    """Expected winnings in units of all that is staked now."""


@dataclass(frozen=True, slots=True)
class PunterAdvice:
    """What a punter does best."""

    options: tuple[Option, ...]
    """Everything allowed, the best first. Of the buys the least and the most: those between are never better."""
    hand: str
    """The hand in words."""
    stays_on: int
    """The total on which the banker is taken to stay."""
    reasons: tuple[str, ...]

    @property
    def best(self) -> Option:
        """The best thing to do."""
        return self.options[0]


@dataclass(frozen=True, slots=True)
class BankerAdvice:
    """What the banker does best."""

    best: BankerAction
    stay: float
    """Expected winnings of staying, in units of all stakes that are open."""
    draw: float
    exact: bool
    """Whether all hidden cards could be weighed together; if not, each hand was weighed on its own."""
    hand: str
    reasons: tuple[str, ...]


def pool_after(rules: PontoonRules, seen: Iterable[Card]) -> Counts:
    """The cards by value that are left of the packs; raises `ImpossiblePosition` for a card seen too often."""
    cards = tuple(seen)
    for card, count in Counter(cards).items():
        if count > rules.decks:
            packs = "1 pack, which holds" if rules.decks == 1 else f"{rules.decks} packs, which hold"
            raise ImpossiblePosition(f"{count} {card.plural} seen in {packs} only {rules.decks}")
    out = count_values(cards)
    return tuple(all_ - gone for all_, gone in zip(full_pack(rules.decks), out, strict=True))


def advise_punter(
    rules: PontoonRules,
    cards: Sequence[Card],
    stakes: Sequence[Fraction],
    unseen: Counts,
    *,
    hands: int = 1,
    stays_on: int | None = None,
) -> PunterAdvice:
    """The best thing to do with a hand, which its punter alone sees.

    `stakes` are the first stake and then every buy, so that cards beyond those were twisted. `unseen` are the cards by
    value that he has not seen. `hands` says how many hands he has after splits. `stays_on` is the total on which the
    banker is taken to stay; without it, the one that serves him best. Raises `ImpossiblePosition`.
    """
    _check(rules, cards, stakes, hands)
    counts, split = count_values(cards), hands > 1
    if stays_on is not None and stays_on not in STAYS:
        raise ImpossiblePosition(f"the banker cannot be taken to stay on {stays_on}: give {STAYS[0]} to {STAYS[-1]}")
    stays = banker_stays_on(rules, unseen) if stays_on is None else stays_on
    total = sum(stakes, Fraction(0))
    twisted = len(cards) - 1 > len(stakes)
    least, most = buy_limits(rules, stakes)
    buying = Buying(float(least / total), float(most / total), float(rules.minimum / total))
    found = worth(rules, counts, unseen, None if twisted else buying, stays, split)
    options = []
    if kind(rules, counts, split) is Kind.PONTOON:
        assert found.stick is not None
        options.append(Option(Action.PONTOON, None, found.stick))
    if not options or not rules.pontoons_shown:
        offered = (
            (Action.STICK, None, found.stick),
            (Action.TWIST, None, found.twist),
            (Action.BUY, most, found.buy_most),
            (Action.BUY, least, None if least == most else found.buy_least),
        )
        options += [Option(action, amount, value) for action, amount, value in offered if value is not None]
        if may_split(rules, cards, hands):
            value = split_worth(rules, value_index(cards[0]), unseen, buying, stays)
            options.append(Option(Action.SPLIT, None, value))
    ordered = tuple(sorted(options, key=lambda it: -it.value))
    hand = hand_words(rules, counts, split)
    return PunterAdvice(ordered, hand, stays, _punter_reasons(ordered, hand, stays, stays_on is None))


def _check(rules: PontoonRules, cards: Sequence[Card], stakes: Sequence[Fraction], hands: int) -> None:
    if len(cards) < 2:
        raise ImpossiblePosition("a punter decides on two cards or more")
    counts = count_values(cards)
    if hard_total(counts) > TWENTY_ONE:
        raise ImpossiblePosition(f"the hand is {hand_words(rules, counts)}: it is thrown in")
    if not 1 <= len(stakes) <= len(cards) - 1:
        raise ImpossiblePosition(
            f"{len(cards)} cards go with 1 to {len(cards) - 1} stakes, the first and one for each card bought, "
            f"not {len(stakes)}"
        )
    if not 1 <= hands <= rules.split_hands:
        raise ImpossiblePosition(f"{hands} hands cannot be: these rules allow 1 to {rules.split_hands}")
    for number, amount in enumerate(stakes):
        least, most = (rules.minimum, rules.maximum) if number == 0 else buy_limits(rules, stakes[:number])
        problems = bet_problems("the first stake" if number == 0 else f"buy {number}", amount, least, most, rules.unit)
        if problems:
            raise ImpossiblePosition(" ".join(problems).rstrip("."))


def _punter_reasons(options: tuple[Option, ...], hand: str, stays: int, chosen: bool) -> tuple[str, ...]:
    best = options[0]
    reasons = [f"{_option_words(best).capitalize()} with {hand}: worth {best.value:+.3f} for each unit staked."]
    if len(options) > 1:
        reasons.append(f"Next best is to {_option_words(options[1])}, {best.value - options[1].value:.3f} less.")
    why = "which serves him best against two hidden cards" if chosen else "as you say"
    reasons.append(f"The banker is taken to stay on {stays}, {why}.")
    return tuple(reasons)


def _option_words(option: Option) -> str:
    return f"buy for {format_amount(option.amount)}" if option.amount is not None else str(option.action)


def advise_banker(
    rules: PontoonRules, cards: Sequence[Card], hands: Sequence[OpenHand], unseen: Counts
) -> BankerAdvice:
    """Whether the banker draws or stays, given his cards, the open hands as everybody sees them, and the unseen cards.

    Those face down before punters are among the unseen. Raises `ImpossiblePosition`.
    """
    counts = count_values(cards)
    if len(cards) < 2:
        raise ImpossiblePosition("the banker decides on two cards or more")
    if is_pontoon(counts) or hard_total(counts) > TWENTY_ONE:
        raise ImpossiblePosition(f"the banker has {hand_words(rules, counts)}, so nothing is left to decide")
    for open_ in hands:
        if open_.stake <= 0 or open_.hidden < 0 or open_.hidden + sum(open_.shown) < 2:
            raise ImpossiblePosition("an open hand has a stake of more than 0 and two cards or more")
    found = banker_worth(rules, counts, tuple(hands), unseen)
    stays = found.stay >= found.draw
    best, other = (BankerAction.STAY, BankerAction.DRAW) if stays else (BankerAction.DRAW, BankerAction.STAY)
    hand, many = total_words(counts), f"{len(hands)} open hand{'s' if len(hands) > 1 else ''}"
    value, margin = max(found.stay, found.draw), abs(found.stay - found.draw)
    reasons: tuple[str, ...] = (
        f"{best.capitalize()} with {hand} against {many}: worth {value:+.3f} for each unit staked.",
        f"To {other} is worth {margin:.3f} less.",
    )
    if not found.exact:
        reasons = (*reasons, "So many cards are hidden that each hand was weighed on its own; the values are close.")
    return BankerAdvice(best, found.stay, found.draw, found.exact, hand, reasons)
