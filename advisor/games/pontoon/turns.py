"""What a punter may do with a hand, and how much he may buy for."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction

from advisor.games.cards import Card
from advisor.games.pontoon.hand import FIVE_CARDS, Kind, best_total, count_values, kind
from advisor.games.pontoon.rules import PontoonRules


class Action(StrEnum):
    """What a punter may do on his turn."""

    PONTOON = "turn up a pontoon"
    STICK = "stick"
    BUY = "buy"
    TWIST = "twist"
    SPLIT = "split"
    BUST = "throw in"
    """Turn up a hand over 21."""


def buy_limits(rules: PontoonRules, stakes: Sequence[Fraction]) -> tuple[Fraction, Fraction]:
    """The least and the most that may be put down for the next card, after the first stake and the buys so far.

    rules/pontoon.md: each buy is at least the previous one and at most all staked so far; where it may be less, it is
    never more than the previous one. The first buy has none before it: its least is the minimum and its most the stake.
    """
    *before, last = stakes
    if rules.buying == "may-be-less":
        return rules.minimum, last
    return (last if before else rules.minimum), sum(stakes, Fraction(0))


def may_stick(rules: PontoonRules, cards: Sequence[Card]) -> bool:
    """Whether a hand of these known cards may stick."""
    counts = count_values(cards)
    return kind(rules, counts) is Kind.FIVE_CARDS or best_total(counts) >= rules.stick_at


def may_split(rules: PontoonRules, cards: Sequence[Card], hands: int) -> bool:
    """Whether these two known cards may be split where the punter has so many hands."""
    ranks = {card.rank for card in cards}
    return len(cards) == 2 and len(ranks) == 1 and hands < rules.split_hands and rules.may_split(cards[0].rank)


def actions(
    rules: PontoonRules,
    size: int,
    cards: Sequence[Card] | None,
    *,
    twisted: bool,
    from_split: bool,
    hands: int,
    cards_left: bool,
) -> tuple[Action, ...]:
    """What may be done with a hand of `size` cards; `cards` are None where the table does not know them all.

    What depends on cards nobody else sees is then left to the punter, as at the table.
    """
    unknown = cards is None
    found = None if cards is None else kind(rules, count_values(cards), from_split)
    if found is Kind.BUST:
        return (Action.BUST,)
    if found is Kind.PONTOON and rules.pontoons_shown:
        return (Action.PONTOON,)
    done = rules.five_card_trick and size >= FIVE_CARDS
    may = {
        Action.PONTOON: size == 2 and (found is Kind.PONTOON or (unknown and (rules.split_pontoon or not from_split))),
        Action.STICK: cards is None or may_stick(rules, cards) or not cards_left,
        Action.BUY: not twisted and not done and cards_left,
        Action.TWIST: not done and cards_left,
        Action.SPLIT: cards_left
        and (
            (size == 2 and hands < rules.split_hands and rules.split != "none")
            if cards is None
            else may_split(rules, cards, hands)
        ),
        Action.BUST: unknown and size > 2,
    }
    return tuple(action for action, allowed in may.items() if allowed)
