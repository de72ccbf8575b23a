"""Expected value of standing, hitting and doubling, for a hand and all it can grow into.

Exact for the given shoe: every multiset of cards that the player can draw, and for each the dealer's results from the
cards then left. The best play of every hand is found from the highest totals down, so hitting is worth what the best
play of the drawn-to hands is worth.

Where the dealer has peeked and has no blackjack, every chance is conditioned on that: the unseen hole card is known not
to be the value that would have made it. Where only original bets are lost to a dealer blackjack drawn later, the
player's choices matter only when there is none, so the same conditioning serves. Where all bets are lost, nothing is
conditioned and a dealer blackjack beats every hand.

Where the shoe runs out before a hand is finished, that hand counts as neither won nor lost.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from advisor.games.blackjack.dealer import (
    BLACKJACK,
    Floats,
    Ints,
    after_peek,
    barred_hole_card,
    dealer_chances,
    draw_chances,
)
from advisor.games.blackjack.moves import bonus_odds, may_double_total
from advisor.games.blackjack.rules import HouseRules
from advisor.games.blackjack.tree import Tree
from advisor.games.blackjack.values import Counts


@dataclass(frozen=True, slots=True)
class Matchup:
    """House rules and the dealer's upcard, a value index 0 to 9: what a player's hand is up against."""

    rules: HouseRules
    upcard: int

    @property
    def conditioned(self) -> bool:
        """Whether values are given that the dealer has no blackjack."""
        return self.rules.hole_card == "peek" or self.rules.no_hole_card_loss == "original"

    @property
    def barred(self) -> int | None:
        """The value that the hole card is known not to be, if any."""
        return barred_hole_card(self.upcard) if self.conditioned else None

    def blackjack_chance(self, unseen: Counts | Floats) -> float:
        """The chance, before any peek, that the dealer's second card makes a blackjack."""
        barred = barred_hole_card(self.upcard)
        return 0.0 if barred is None or not sum(unseen) else float(unseen[barred] / sum(unseen))

    def results(self, shoes: Floats) -> Floats:
        """Chances of the dealer's results for each shoe (n, 10), conditioned as `conditioned` says: (n, 7)."""
        chances = dealer_chances(shoes, self.upcard, self.rules.dealer_soft_17)
        return after_peek(chances) if self.conditioned else chances


@dataclass(frozen=True, slots=True)
class Play:
    """What each hand of a tree is worth, in units of its bet, by what is done with it."""

    tree: Tree
    stand: Floats
    """(n,): standing; a charlie or bonus hand is worth what it pays."""
    hit: Floats
    """(n,): drawing, then playing on in the best way without doubling; minus infinity where the hand is finished."""
    double: Floats
    """(n,): doubling the bet for one card; minus infinity where the rules forbid it to an unsplit hand."""


def stand_values(totals: Ints, dealer: Floats) -> Floats:
    """Chance of winning less chance of losing for totals (n,) of 21 or less, against dealer's results (n, 7)."""
    column = np.clip(totals, 16, 21) - 16
    up_to = np.cumsum(dealer[:, :BLACKJACK], axis=1)
    rows = np.arange(len(totals))
    win = up_to[rows, np.maximum(column - 1, 0)]
    lose = up_to[:, -1] - up_to[rows, column] + dealer[:, BLACKJACK]
    return np.asarray(win - lose)


def paid_at_once(rules: HouseRules, tree: Tree) -> Floats:
    """What charlies and three-card bonuses pay whatever the dealer draws, (n,); not-a-number for all other hands."""
    paid = np.full(len(tree.hands), np.nan)
    if rules.charlie_cards:
        paid[tree.cards >= rules.charlie_cards] = float(rules.charlie_odds)
    if rules.bonus_678 != "none" or rules.bonus_777 != "none":
        for place in np.flatnonzero(tree.cards == 3).tolist():
            odds = bonus_odds(rules, tree.hands[place])
            if odds is not None:
                paid[place] = float(odds)
    return paid


def with_bust(values: Floats) -> Floats:
    """Values of hands with a last entry for a bust, so that `BUST` as a place finds it: (..., n + 1)."""
    return np.concatenate([values, np.full((*values.shape[:-1], 1), -1.0)], axis=-1)


def doubling_allowed(rules: HouseRules, tree: Tree, *, from_split: bool) -> NDArray[np.bool_]:
    """Which hands of the tree, (n,), are two cards that may double."""
    return np.array(
        [
            cards == 2 and total < 21 and may_double_total(rules, hard, soft=hard != total, from_split=from_split)
            for cards, hard, total in zip(tree.cards.tolist(), tree.hard.tolist(), tree.total.tolist(), strict=True)
        ],
        dtype=np.bool_,
    )


def play(matchup: Matchup, tree: Tree, pool: Floats) -> Play:
    """The value of every hand of the tree in each way of playing it.

    `pool` (10,) holds the unseen cards together with the player's own: holding a hand, the shoe is `pool` less its
    cards.
    """
    shoes = np.maximum(pool - tree.counts, 0.0)
    dealer = matchup.results(shoes)
    draw = draw_chances(shoes, matchup.barred)
    plain = stand_values(tree.total, dealer)
    paid = paid_at_once(matchup.rules, tree)
    over = (tree.total == 21) | ~np.isnan(paid)
    stand = np.where(np.isnan(paid), plain, paid)
    best = with_bust(stand)
    hit = np.full(len(stand), -np.inf)
    for level in reversed(tree.levels):
        hit[level] = np.where(over[level], -np.inf, (draw[level] * best[tree.drawn[level]]).sum(axis=1))
        best[:-1][level] = np.maximum(stand[level], hit[level])
    double = np.full(len(stand), -np.inf)
    may = doubling_allowed(matchup.rules, tree, from_split=False) & ~over
    double[may] = 2.0 * (draw[may] * with_bust(plain)[tree.drawn[may]]).sum(axis=1)
    return Play(tree, stand, hit, double)
