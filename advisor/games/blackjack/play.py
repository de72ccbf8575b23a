"""Expected value of standing, hitting and doubling, for a hand and all it can grow into.

Exact for the given shoe: every multiset of cards that the player can draw, and for each the dealer's results from the
cards then left. The best play of every hand is found from the highest totals down, so hitting is worth what the best
play of the drawn-to hands is worth.

Where the dealer has peeked and has no blackjack, every chance is conditioned on that: the unseen hole card is known not
to be the value that would have made it. Without a hole card nothing is conditioned, and a dealer blackjack beats every
hand but those paid at once; where it takes original bets only, a doubled hand gets its second bet back.

Where the shoe runs out before a hand is finished, that hand counts as neither won nor lost.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from advisor.games.blackjack import kernel
from advisor.games.blackjack.dealer import Finishes, barred_hole_card, finishes
from advisor.games.blackjack.kernel import Bools, Floats
from advisor.games.blackjack.moves import bonus_odds, may_double_total
from advisor.games.blackjack.rules import HouseRules
from advisor.games.blackjack.tree import all_hands, grown_from
from advisor.games.blackjack.values import Counts


@dataclass(frozen=True, slots=True)
class Matchup:
    """House rules and the dealer's upcard, a value index 0 to 9: what a player's hand is up against."""

    rules: HouseRules
    upcard: int

    @property
    def conditioned(self) -> bool:
        """Whether values are given that the dealer has no blackjack."""
        return self.rules.hole_card == "peek"

    @property
    def original_only(self) -> bool:
        """Whether a dealer blackjack drawn later takes no more than the seat's first bet."""
        return self.rules.hole_card == "none" and self.rules.no_hole_card_loss == "original"

    @property
    def barred(self) -> int | None:
        """The value that the hole card is known not to be, if any."""
        return barred_hole_card(self.upcard) if self.conditioned else None

    @property
    def barred_or_none(self) -> int:
        """`barred`, with -1 for none."""
        return -1 if self.barred is None else self.barred

    @property
    def finishes(self) -> Finishes:
        """How the dealer's hand may end."""
        return finishes(self.upcard, self.rules.dealer_soft_17)

    def blackjack_chance(self, unseen: Counts | Floats) -> float:
        """The chance, before any peek, that the dealer's second card makes a blackjack."""
        barred = barred_hole_card(self.upcard)
        return 0.0 if barred is None or not sum(unseen) else float(unseen[barred] / sum(unseen))

    def shoe(self, pool: Floats) -> Floats:
        """The cards of `pool` and the upcard."""
        return np.asarray(pool + (np.arange(10) == self.upcard), np.float64)


@dataclass(frozen=True, slots=True)
class Play:
    """What each hand of the tree is worth, in units of its bet, by what is done with it; zero where not asked for."""

    plain: Floats
    """(n,): standing, without what charlies and bonuses pay: what a doubled hand stands on."""
    stand: Floats
    """(n,): standing; a charlie or bonus hand is worth what it pays."""
    hit: Floats
    """(n,): drawing, then playing on in the best way without doubling; minus infinity where the hand is finished."""
    double: Floats
    """(n,): doubling the bet for one card; minus infinity where the rules forbid it to an unsplit hand."""


@lru_cache(maxsize=64)
def paid_at_once(rules: HouseRules) -> Floats:
    """What charlies and three-card bonuses pay whatever the dealer draws, (n,); not-a-number for all other hands."""
    tree = all_hands()
    paid = np.full(len(tree.names), np.nan)
    if rules.charlie_cards:
        paid[tree.hands.cards >= rules.charlie_cards] = float(rules.charlie_odds)
    if rules.bonus_678 != "none" or rules.bonus_777 != "none":
        for place in np.flatnonzero(tree.hands.cards == 3).tolist():
            odds = bonus_odds(rules, tree.names[place])
            if odds is not None:
                paid[place] = float(odds)
    return paid


@lru_cache(maxsize=64)
def doubling_allowed(rules: HouseRules, *, from_split: bool) -> Bools:
    """Which hands of the tree, (n,), are two cards that may double."""
    tree = all_hands()
    allowed = np.zeros(len(tree.names), dtype=np.bool_)
    for place in np.flatnonzero((tree.hands.cards == 2) & (tree.hands.totals < 21)).tolist():
        hard, soft = int(tree.hard[place]), bool(tree.hands.totals[place] != tree.hard[place])
        allowed[place] = may_double_total(rules, hard, soft=soft, from_split=from_split)
    return allowed


def play(matchup: Matchup, pool: Floats, start: Counts) -> Play:
    """The value of `start`, and of every hand that it can grow into, in each way of playing it.

    `pool` (10,) holds the unseen cards together with the player's own: holding a hand, the shoe is `pool` less its
    cards.
    """
    tree = all_hands()
    which, grouped = grown_from(start)
    doubles = doubling_allowed(matchup.rules, from_split=False)
    paid = paid_at_once(matchup.rules)
    known = (matchup.shoe(pool), matchup.upcard, matchup.barred_or_none)
    played = Play(*kernel.play_values(*known, tree.hands, which, grouped, paid, doubles, matchup.finishes.dealer))
    blackjack = barred_hole_card(matchup.upcard)
    if matchup.original_only and blackjack is not None:
        unseen = pool.sum() - tree.hands.cards
        makes = np.maximum(pool[blackjack] - tree.hands.counts[:, blackjack], 0.0)
        played.double[:] += np.divide(makes, unseen, out=np.zeros_like(makes), where=unseen > 0)
    return played
