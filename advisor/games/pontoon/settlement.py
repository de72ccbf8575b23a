"""What a stake comes to, and why: rules/pontoon.md, "Settlement", case by case. Pure; amounts are exact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from advisor.games.cards import Card
from advisor.games.pontoon.hand import TWENTY_ONE, Counts, Kind, best_total, count_values, is_pontoon, kind
from advisor.games.pontoon.rules import PontoonRules


class Outcome(StrEnum):
    """How a stake ended: why it is paid or collected."""

    PONTOON = "pontoon"
    ROYAL = "royal pontoon"
    FIVE_CARDS = "five-card trick"
    WIN = "win"
    """The higher total."""
    BANKER_BUST = "banker bust"
    LOSE = "lose"
    """An equal or lower total."""
    BUST = "bust"
    TOO_LOW = "too low"
    """A bust banker pays only hands that were allowed to stick."""
    BANKER_PONTOON = "banker pontoon"
    BANKER_21 = "banker 21"
    """The banker's 21 on three cards or more."""
    GIVEN_UP = "given up"
    """The punter threw his hand in without turning it up."""
    CALLED_OFF = "called off"


@dataclass(frozen=True, slots=True)
class Settlement:
    """How a stake ended and what it comes to."""

    outcome: Outcome
    amount: Fraction
    """What the punter gains: negative where chips are collected."""


def outcome_odds(
    rules: PontoonRules, counts: Counts, banker: Counts, from_split: bool = False
) -> tuple[Outcome, Fraction]:
    """How a hand ends against the banker's finished hand, both by values, and its gain as a multiple of the stake.

    The banker's own hand is a pontoon, a total or bust; the five-card trick and 7-7-7 are punters' hands only.
    """
    mine, his = kind(rules, counts, from_split), best_total(banker)
    if mine is Kind.BUST:
        return Outcome.BUST, Fraction(-1)
    if is_pontoon(banker):
        return Outcome.BANKER_PONTOON, Fraction(-1)
    if mine is Kind.PONTOON:
        return Outcome.PONTOON, rules.pontoon_odds
    if mine is Kind.ROYAL:
        return Outcome.ROYAL, rules.royal_odds
    if mine is Kind.FIVE_CARDS:
        return Outcome.FIVE_CARDS, rules.five_card_odds
    total = best_total(counts)
    if his > TWENTY_ONE:
        paid = total >= rules.stick_at
        return (Outcome.BANKER_BUST, Fraction(1)) if paid else (Outcome.TOO_LOW, Fraction(-1))
    if his == TWENTY_ONE:
        return Outcome.BANKER_21, Fraction(-1)
    return (Outcome.WIN, Fraction(1)) if total > his else (Outcome.LOSE, Fraction(-1))


def settle_hand(
    rules: PontoonRules, cards: Sequence[Card], stake: Fraction, banker: Sequence[Card], *, from_split: bool = False
) -> Settlement:
    """What all chips on a hand come to against the banker's finished cards, and why."""
    outcome, odds = outcome_odds(rules, count_values(cards), count_values(banker), from_split)
    return Settlement(outcome, stake * odds)
