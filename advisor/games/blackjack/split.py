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

from dataclasses import dataclass, replace
from math import comb
from typing import Final

import numpy as np

from advisor.games.blackjack import kernel
from advisor.games.blackjack.dealer import barred_hole_card
from advisor.games.blackjack.kernel import DOUBLE, HIT, MOST_OUT, STAND, Floats, Ints
from advisor.games.blackjack.moves import hits_after_split
from advisor.games.blackjack.play import Matchup, Play, doubling_allowed, paid_at_once
from advisor.games.blackjack.tree import all_hands, grown_from, single

TIE: Final = 1e-12
"""Values nearer to each other than this are equal, and differ by rounding only."""


def split_value(
    matchup: Matchup, played: Play, pool: Floats, value: int, most: int, like: float | None = None
) -> float:
    """What splitting a pair is worth, in units of the first bet, when it may become `most` hands (2, 3 or 4).

    `played` is the best play of unsplit hands from `pool` for the single card of this value index and all it can grow
    into; `pool` (10,) holds the unseen cards and both cards of the pair. `like` is how many unseen cards could split
    again where that is not all of the value: kings beside a pair of kings, where only equal ranks split.
    """
    strategy = _strategy(matchup, played, value)
    if not matchup.original_only:
        return _all_hands(_one_hand(matchup, strategy, pool, value, most, like), most)
    # All hands count where there is no dealer blackjack; where there is one, the first bet is lost, and only hands paid
    # at once (charlies, bonuses) have won before it shows. (At the table the first bet is not lost where every hand was
    # paid; that needs two charlies or bonuses from one split and is left out.)
    chance = matchup.blackjack_chance(pool - np.array(single(value, 2)))
    peeked = replace(matchup, rules=replace(matchup.rules, hole_card="peek"))
    without = _all_hands(_one_hand(peeked, strategy, pool, value, most, like), most) if chance < 1 else 0.0
    return (1 - chance) * without + chance * (_paid_before(matchup, strategy, pool, value, most, like) - 1)


def _paid_before(matchup: Matchup, strategy: Ints, pool: Floats, value: int, most: int, like: float | None) -> float:
    """What all hands of the split are paid at once, on average, given that the dealer will have a blackjack."""
    barred = barred_hole_card(matchup.upcard)
    if barred is None or np.isnan(paid_at_once(matchup.rules)).all():
        return 0.0
    # The card that will make the blackjack is out of the players' reach.
    left = pool - (np.arange(10) == barred)
    return _all_hands(_one_hand(matchup, strategy, left, value, most, like, only_paid=True), most)


def _all_hands(hands: _OneHand, most: int) -> float:
    """The value of all hands together, when there may be `most` of them."""
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


def _one_hand(
    matchup: Matchup,
    strategy: Ints,
    pool: Floats,
    value: int,
    most: int,
    like: float | None,
    *,
    only_paid: bool = False,
) -> _OneHand:
    """The value of one hand of the split for each number of further cards of the pair's value that are out.

    `only_paid` counts nothing but what is paid at once.
    """
    tree = all_hands()
    root = single(value)
    depletions = 1 if most == 2 else MOST_OUT
    dealer = matchup.finishes.dealer
    found = kernel.split_values(
        matchup.shoe(pool),
        matchup.upcard,
        matchup.barred_or_none,
        value,
        depletions,
        tree.place[root],
        tree.hands,
        *grown_from(root),
        strategy,
        paid_at_once(matchup.rules),
        dealer._replace(weights=np.zeros_like(dealer.weights)) if only_paid else dealer,
        0.0 if only_paid else -1.0,
    )
    any_second, when_pair, pair = found.T
    if like is not None:
        out = np.arange(depletions)
        left = np.maximum(pool[value] - 2 - out, 1.0)
        pair = pair * np.minimum(np.maximum(like - out, 0) / left, 1.0)
    return _OneHand(any_second.tolist(), (any_second - pair * when_pair).tolist(), pair.tolist())


def _strategy(matchup: Matchup, played: Play, value: int) -> Ints:
    """What is done with each hand of the tree, held after a split: stand, hit or double."""
    # Of moves that are worth the same, the quieter: rounding must not choose.
    strategy = np.where(played.hit > played.stand + TIE, HIT, STAND)
    allowed = doubling_allowed(matchup.rules, from_split=True)
    strategy[allowed & (played.double > np.maximum(played.hit, played.stand) + TIE)] = DOUBLE
    if not hits_after_split(matchup.rules, value):
        strategy[:] = STAND
    strategy[all_hands().hands.cards < 2] = HIT
    return strategy
