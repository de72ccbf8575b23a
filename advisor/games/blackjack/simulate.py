"""Whole rounds dealt from shuffled shoes and played by the advice: a check on the odds by other means.

Each round begins with a full shoe, as the exact value of the game does, and is played as that value supposes: the best
play of the cards held, after a split by the same rule (CDZ-), pairs split again whenever the rules allow, insurance and
even money declined. The dealing, the legality and the payouts are the round's own, which share nothing with the odds.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import sqrt
from typing import Protocol

import numpy as np

from advisor.games.blackjack.dealing import ShoeDealer
from advisor.games.blackjack.decision import Action, Values, best_action
from advisor.games.blackjack.game import column
from advisor.games.blackjack.play import Matchup, Play, play
from advisor.games.blackjack.round import Operation, Round, Step, StepKind
from advisor.games.blackjack.round import operations as ops
from advisor.games.blackjack.round.state import PlayerHand
from advisor.games.blackjack.rules import HouseRules
from advisor.games.blackjack.shoe import full_shoe
from advisor.games.blackjack.tree import EMPTY, all_hands
from advisor.games.blackjack.values import count_values, value_index
from advisor.games.cards import FULL_PACK

SEAT = 4
"""Where the player sits; it makes no difference to one player."""


class Chance(Protocol):
    """Where the randomness comes from: `random.Random` is one."""

    def randrange(self, stop: int, /) -> int:
        """A whole number from 0 to below `stop`, each as likely."""
        ...


@dataclass(frozen=True, slots=True)
class Tally:
    """Rounds played, and their results in units of the first bet: exact sums of them and of their squares."""

    rounds: int = 0
    total: Fraction = Fraction(0)
    squares: Fraction = Fraction(0)

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.rounds + other.rounds, self.total + other.total, self.squares + other.squares)

    @property
    def mean(self) -> float:
        """The average result of a round."""
        return float(self.total / self.rounds)

    @property
    def standard_error(self) -> float:
        """Of the mean."""
        variance = self.squares / self.rounds - (self.total / self.rounds) ** 2
        return sqrt(variance / max(self.rounds - 1, 1))


@dataclass(frozen=True, slots=True)
class _Against:
    """What the advice says against one upcard, from a full shoe."""

    two_cards: dict[tuple[int, ...], Values]
    played: Play

    def decide(self, held: PlayerHand, actions: tuple[Action, ...]) -> Action:
        """The play for a hand among what it may do."""
        counts = count_values(held.cards)
        if held.from_split:
            if Action.SPLIT in actions:
                return Action.SPLIT
        elif len(held.cards) == 2:
            return best_action({action: v for action, v in self.two_cards[counts].items() if action in actions})
        place = all_hands().place[counts]
        worth = {Action.STAND: self.played.stand, Action.HIT: self.played.hit, Action.DOUBLE: self.played.double}
        return max((action for action in worth if action in actions), key=lambda action: worth[action][place])


@lru_cache(maxsize=32)
def _against(rules: HouseRules, upcard: int) -> _Against:
    shoe = full_shoe(rules.decks)
    values = {
        tuple((v == low) + (v == high) for v in range(10)): worth
        for (low, high), worth in column(rules, upcard, shoe).hands.items()
    }
    left = np.array(shoe, dtype=np.float64) - (np.arange(10) == upcard)
    return _Against(values, play(Matchup(rules, upcard), left, EMPTY))


def _choose(dealer: ShoeDealer, step: Step) -> Operation:
    """The advised answer to an offer or a decision."""
    state = dealer.state
    if step.kind in (StepKind.OFFER_INSURANCE, StepKind.CHECK_INSURANCE):
        return ops.CloseInsurance()
    seat = state.seat(SEAT)
    assert seat is not None and state.dealer.upcard is not None
    number = step.hand or 1
    held = seat.hands[number - 1]
    against = _against(state.rules, value_index(state.dealer.upcard))
    if step.kind is StepKind.OFFER_SURRENDER:
        best = best_action(against.two_cards[count_values(held.cards)])
        return ops.Surrender(SEAT) if best is Action.SURRENDER else ops.CloseSurrender()
    match against.decide(held, step.actions):
        case Action.HIT:
            return ops.Hit(SEAT, dealer.draw(), number)
        case Action.DOUBLE:
            return ops.Double(SEAT, held.bet, number)
        case Action.SPLIT:
            return ops.Split(SEAT, number)
        case Action.SURRENDER:
            return ops.Surrender(SEAT)
        case _:
            return ops.Stand(SEAT, number)


def play_round(rules: HouseRules, chance: Chance) -> Round:
    """One round from a freshly shuffled shoe, played by the advice."""
    # Drawing any card of those left is a shuffle of just the cards that the round needs.
    cards = [card for card in FULL_PACK for _ in range(rules.decks)]
    dealer = ShoeDealer(Round.start(rules), lambda: cards.pop(chance.randrange(len(cards))), _choose)
    dealer.do(ops.PlaceBet(SEAT, rules.minimum))
    return dealer.finish()


def simulate(rules: HouseRules, rounds: int, chance: Chance) -> Tally:
    """So many rounds."""
    tally = Tally()
    for _ in range(rounds):
        result = play_round(rules, chance).net(SEAT) / rules.minimum
        tally += Tally(1, result, result * result)
    return tally
