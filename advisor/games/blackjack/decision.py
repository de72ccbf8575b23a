"""What every action is worth for one hand, upcard and shoe."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType

import numpy as np

from advisor.games.blackjack.dealer import OUTCOMES, after_peek, dealer_chances
from advisor.games.blackjack.kernel import BLACKJACK, Floats
from advisor.games.blackjack.moves import Moves, surrenders_early
from advisor.games.blackjack.play import Matchup, Play, play
from advisor.games.blackjack.split import split_value
from advisor.games.blackjack.tree import all_hands, single
from advisor.games.blackjack.values import Counts


class Action(StrEnum):
    """What a player may do with a hand."""

    STAND = "stand"
    HIT = "hit"
    DOUBLE = "double"
    SPLIT = "split"
    SURRENDER = "surrender"
    DONE = "done"
    """No move: the hand is bust, a 21, a blackjack, or a split ace that has had its card."""


Values = Mapping[Action, float]
"""Expected winnings of each allowed action in units of the hand's bet, best first.

Where the dealer peeks they are given that there is no dealer blackjack; early surrender too is put on that scale, by
what the saved half bet is worth once the blackjacks are taken out. Without a hole card they are plain expectations.
"""


@lru_cache(maxsize=4096)
def action_values(matchup: Matchup, hand: Counts, unseen: Counts, moves: Moves) -> Values:
    """The worth of each move for a hand (counts by value) when `unseen` cards are left, hole card among them.

    Answers are kept, since a live table asks the same question many times a second.
    """
    pool = np.add(unseen, hand).astype(np.float64)
    # The tree from one card of a pair holds both the pair itself and every hand that its split can make.
    start = single(hand.index(2)) if moves.hands >= 2 else hand
    played = play(matchup, pool, start)
    return weigh(matchup, played, pool, hand, moves)


def weigh(matchup: Matchup, played: Play, pool: Floats, hand: Counts, moves: Moves) -> Values:
    """The worth of each move for a hand already played from `pool`, the unseen cards and the hand's own."""
    place = all_hands().place[hand]
    values = {Action.STAND: float(played.stand[place])}
    if moves.hit:
        values[Action.HIT] = float(played.hit[place])
    if moves.double:
        values[Action.DOUBLE] = float(played.double[place])
    if moves.hands >= 2:
        values[Action.SPLIT] = split_value(matchup, played, pool, hand.index(2), moves.hands, moves.like)
    blackjack = matchup.blackjack_chance(pool - hand)
    if moves.surrender:
        values[Action.SURRENDER] = _surrender_value(matchup, blackjack)
    return MappingProxyType(dict(sorted(values.items(), key=lambda item: -item[1])))


@lru_cache(maxsize=4096)
def dealer_results(matchup: Matchup, unseen: Counts) -> Mapping[str, float]:
    """Chances of the dealer's results with these cards unseen, by the names of `OUTCOMES`.

    Where the dealer peeks they are given that there is no blackjack, and "blackjack" is not among them.
    """
    rules = matchup.rules
    chances = dealer_chances(np.array([unseen], dtype=np.float64), matchup.upcard, rules.dealer_soft_17)
    if rules.hole_card == "peek":
        return MappingProxyType(dict(zip(OUTCOMES[:BLACKJACK], after_peek(chances)[0].tolist(), strict=False)))
    return MappingProxyType(dict(zip(OUTCOMES, chances[0].tolist(), strict=True)))


def best_action(values: Values) -> Action:
    """The action worth most."""
    return next(iter(values))


def double_for_less_value(values: Values, share: float) -> float | None:
    """What doubling for less is worth, in units of the first bet: `share` (0 to 1) of it is added, not all.

    The hand gets the same one card whatever is added, so the value grows in step with the stake. It is never better
    than the best of hitting and doubling in full: one card for less is worth more only where one card loses, and there
    hitting, which may stop after that card, loses no more. None where the hand may not double.
    """
    double = values.get(Action.DOUBLE)
    return None if double is None else (1 + share) * double / 2


def _surrender_value(matchup: Matchup, dealer_blackjack: float) -> float:
    """Half the bet lost, and all of it to a dealer blackjack of this chance unless surrender comes early."""
    if surrenders_early(matchup.rules, matchup.upcard):
        if not matchup.conditioned or dealer_blackjack >= 1:
            return -0.5
        return (dealer_blackjack - 0.5) / (1.0 - dealer_blackjack)
    return -0.5 if matchup.conditioned else -0.5 - 0.5 * dealer_blackjack


def before_peek(matchup: Matchup, value: float, dealer_blackjack: float) -> float:
    """A decision's value, in units of the first bet, before the dealer has looked for a blackjack of this chance.

    A certain blackjack leaves nothing to decide but an early surrender, which is not on this scale: see `weigh`.
    """
    if matchup.rules.hole_card == "none":
        return value
    return (1.0 - dealer_blackjack) * value - dealer_blackjack
