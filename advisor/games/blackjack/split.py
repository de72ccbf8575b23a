"""Expected value of splitting, with resplits, under the CDZ- convention.

CDZ- is the usual convention of published figures: after a split every hand is played by a *c*omposition-*d*ependent,
*z*ero-memory strategy, namely the one that is best for the same cards held as an unsplit hand (the minus: it is not
tuned to the split). A hand's play depends on its own cards and the upcard only; pairs are split again whenever the
rules allow it.

Under a zero-memory strategy the value is exact, resplits included. What the other hands draw is unseen, and unseen
cards are exchangeable, so a hand from the split is worth the same wherever it comes in the order; only what is known of
the other hands' second cards matters: some were the pair's value (and became hands themselves), some were not. "Was
not" is worked out from "was" by inclusion and exclusion, which needs the value of one hand with 0 to 4 further cards of
the pair's value out of the shoe.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np

from advisor.games.blackjack.dealer import Floats, Ints, draw_chances
from advisor.games.blackjack.moves import hits_after_split
from advisor.games.blackjack.play import (
    Matchup,
    Play,
    doubling_allowed,
    paid_at_once,
    stand_values,
    with_bust,
)
from advisor.games.blackjack.tree import BUST, single

_STAND, _HIT, _DOUBLE = 0, 1, 2

_MOST_OUT = 5
"""How many depletions of the pair's value four hands can need: none to four further cards out."""


def split_value(matchup: Matchup, played: Play, pool: Floats, value: int, most: int) -> float:
    """What splitting a pair is worth, in units of the first bet, when it may become `most` hands (2, 3 or 4).

    `played` is the best play of unsplit hands from `pool`, over a tree that holds the single card of this value index;
    `pool` (10,) holds the unseen cards and both cards of the pair.
    """
    hands = _one_hand(matchup, played, pool, value, 1 if most == 2 else _MOST_OUT)
    total = 0.0
    for resplits in range(most - 2):
        count = 2 + resplits
        total += _orders(resplits, count) * hands.all_others_known(resplits, count)
    resplits = most - 2
    for known in range(resplits + 1):
        ways = _orders_before_last(resplits, known)
        total += ways * hands.full_seat(resplits, known, most)
    return total


def _orders(pairs: int, others: int, waiting: int = 2) -> int:
    """Orders of second cards, `pairs` of them splitting again, after the last of which (and not before) none waits."""
    if pairs < 0 or others < 0:
        return 0
    if waiting == 0:
        return int(pairs == 0 and others == 0)
    return _orders(pairs - 1, others, waiting + 1) + _orders(pairs, others - 1, waiting - 1)


def _orders_before_last(pairs: int, others: int) -> int:
    """Orders of second cards in which the last resplit comes last of all, with a hand still waiting for it."""
    return int(others == 0) if pairs == 0 else _orders_still_waiting(pairs - 1, others, 2)


def _orders_still_waiting(pairs: int, others: int, waiting: int) -> int:
    """Orders of second cards throughout which, and after which, some hand still waits for its own."""
    if pairs < 0 or others < 0 or waiting == 0:
        return 0
    if pairs == 0 and others == 0:
        return 1
    return _orders_still_waiting(pairs - 1, others, waiting + 1) + _orders_still_waiting(pairs, others - 1, waiting - 1)


@dataclass(frozen=True, slots=True)
class _OneHand:
    """One hand of the split, by how many further cards of the pair's value are known to be out."""

    any_second: list[float]
    """Its value, whatever its second card."""
    not_pair: list[float]
    """Its value times the chance that its second card is not the pair's value."""
    pair: list[float]
    """The chance that one more unseen card is the pair's value."""

    def _run(self, out: int, more: int) -> float:
        """The chance that `more` given unseen cards are all the pair's value, once `out` are out."""
        chance = 1.0
        for step in range(more):
            chance *= self.pair[out + step]
        return chance

    def _given_others(self, values: list[float], out: int, others: int) -> float:
        """The value together with `others` other second cards all not being the pair's value."""
        signed = (comb(others, j) * (-1.0) ** j for j in range(others + 1))
        return sum(sign * self._run(out, j) * values[out + j] for j, sign in enumerate(signed))

    def all_others_known(self, resplits: int, count: int) -> float:
        """All hands, when after so many resplits every second card was something else."""
        return self._run(0, resplits) * count * self._given_others(self.not_pair, resplits, count - 1)

    def full_seat(self, resplits: int, known: int, count: int) -> float:
        """All hands, when the last resplit filled the seat after `known` hands had got another second card."""
        value = (count - known) * self._given_others(self.any_second, resplits, known)
        if known:
            value += known * self._given_others(self.not_pair, resplits, known - 1)
        return self._run(0, resplits) * value


def _one_hand(matchup: Matchup, played: Play, pool: Floats, value: int, depletions: int) -> _OneHand:
    """The value of one hand of the split for each number of further cards of the pair's value that are out."""
    tree = played.tree
    root = tree.place[single(value)]
    strategy = _strategy(matchup, played, value)
    reached = _reached(played, strategy, root)
    ends = _ends(played, strategy, reached)
    out = np.zeros((depletions, 1, 10))
    out[:, 0, value] = 1 + np.arange(depletions)
    dealer = matchup.results(_left(pool, tree.counts[ends], out).reshape(-1, 10))
    plain = np.full((depletions, len(tree.hands)), np.nan)
    plain[:, ends] = stand_values(np.tile(tree.total[ends], depletions), dealer).reshape(depletions, -1)
    draw = draw_chances(_left(pool, tree.counts[reached], out).reshape(-1, 10), matchup.barred)
    draw = draw.reshape(depletions, len(reached), 10)
    paid = paid_at_once(matchup.rules, tree)
    worth = with_bust(np.where(np.isnan(paid), plain, paid))
    doubled = with_bust(plain)
    for place in range(len(reached) - 1, -1, -1):
        hand = reached[place]
        if strategy[hand] != _STAND:
            after = worth if strategy[hand] == _HIT else doubled
            stake = 1.0 if strategy[hand] == _HIT else 2.0
            worth[:, hand] = stake * (draw[:, place] * after[:, tree.drawn[hand]]).sum(axis=1)
    pair = draw[:, reached.tolist().index(root), value]
    any_second = worth[:, root]
    not_pair = any_second - pair * worth[:, tree.drawn[root, value]]
    return _OneHand(any_second.tolist(), not_pair.tolist(), pair.tolist())


def _strategy(matchup: Matchup, played: Play, value: int) -> Ints:
    """What is done with each hand of the tree, held after a split: stand, hit or double."""
    tree = played.tree
    hits = played.hit > played.stand
    strategy = np.where(hits, _HIT, _STAND)
    allowed = doubling_allowed(matchup.rules, tree, from_split=True)
    strategy[allowed & (played.double > np.maximum(played.hit, played.stand))] = _DOUBLE
    if not hits_after_split(matchup.rules, value):
        strategy[:] = _STAND
    strategy[tree.cards < 2] = _HIT
    return strategy


def _reached(played: Play, strategy: Ints, root: int) -> Ints:
    """The hands that the strategy can come to from one card, lowest hard total first."""
    reached = np.zeros(len(strategy), dtype=np.bool_)
    reached[root] = True
    for level in played.tree.levels:
        here = np.flatnonzero(reached[level] & (strategy[level] != _STAND)) + level.start
        after = played.tree.drawn[here]
        reached[after[after != BUST]] = True
    return np.flatnonzero(reached)


def _ends(played: Play, strategy: Ints, reached: Ints) -> Ints:
    """The hands that may be compared with the dealer's: those stood on, and those that a doubled card makes."""
    ends = np.zeros(len(strategy), dtype=np.bool_)
    ends[reached] = strategy[reached] == _STAND
    after = played.tree.drawn[reached[strategy[reached] == _DOUBLE]]
    ends[after[after != BUST]] = True
    return np.flatnonzero(ends)


def _left(pool: Floats, held: Floats, out: Floats) -> Floats:
    """The shoes left by hands (n, 10) and further cards out (k, 1, 10): (k, n, 10)."""
    return np.maximum(pool - held - out, 0.0)
