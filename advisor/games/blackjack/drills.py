"""Practice in basic strategy: a hand to decide, and whether the answer was the best one. Chance is passed in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

from advisor.games.blackjack.advice import Action, Advice, advise
from advisor.games.blackjack.hand import Hand
from advisor.games.blackjack.rules import HouseRules
from advisor.games.cards import FULL_PACK, Card

T = TypeVar("T")


class Chance(Protocol):
    """What draws: `random.Random`, which the games do not know."""

    def choice(self, seq: Sequence[T], /) -> T:
        """One of them."""
        ...


CLOSE: Final = 0.02
"""Units of the bet: an answer that costs less is called close."""
KINDS: Final = ("pair", "soft", "hard")
"""Drawn equally often, for most hands that are dealt are hard and easy."""


@dataclass(frozen=True, slots=True)
class Question:
    """Two cards against the dealer's upcard, with nothing else seen of the shoe."""

    cards: tuple[Card, Card]
    upcard: Card


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an answer was worth."""

    right: bool
    close: bool
    """Whether a wrong answer costs next to nothing."""
    best: Action
    cost: float
    """What the answer loses against the best, in units of the bet."""
    why: tuple[str, ...]


def question(rules: HouseRules, random: Chance) -> Question:
    """A hand with something to decide."""
    wanted = random.choice(KINDS)
    while True:
        first, second, upcard = (random.choice(FULL_PACK) for _ in range(3))
        hand = Hand((first, second))
        kind = "pair" if hand.pair else "soft" if hand.soft else "hard"
        if kind != wanted or hand.blackjack or (kind == "hard" and not 8 <= hand.total <= 17):
            continue
        if max([first, second, upcard].count(card) for card in (first, second, upcard)) <= rules.decks:
            return Question((first, second), upcard)


def answers(rules: HouseRules, asked: Question) -> tuple[Action, ...]:
    """What the hand may do."""
    return tuple(action for action in Action if action in _advice(rules, asked).values)


def judge(rules: HouseRules, asked: Question, answer: Action) -> Verdict:
    """Whether the answer is the best move; raises `ValueError` for one that the hand may not make."""
    advice = _advice(rules, asked)
    if answer not in advice.values:
        raise ValueError(f"this hand cannot {answer}: it may {', '.join(advice.values)}")
    cost = advice.values[advice.action] - advice.values[answer]
    return Verdict(answer is advice.action, 0 < cost < CLOSE, advice.action, cost, advice.reasons)


def _advice(rules: HouseRules, asked: Question) -> Advice:
    return advise(rules, asked.cards, asked.upcard)
