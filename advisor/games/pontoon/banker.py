"""What drawing and staying are worth to the banker, exactly, for his cards, what lies face up, and the stakes.

The banker plays on as serves him best, card by card. What he knows of a punter's hand is what everybody sees: its
stake, its face-up cards, how many lie face down, and that it stuck, so that it is not bust and was allowed to stick.
Within that all hidden cards are equally likely; what a punter's buying says beyond it is left out.

The hidden cards of all hands are weighed together. Only how many of each value they are in sum bears on the cards left
for the banker, so hands are joined one after another, and what is kept for each sum of cards is in how many orders it
comes and what it then gains. Where many hands hide many cards the sums become too many for a live table; each hand is
then weighed on its own, and the answer says that it is not exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Final

import numpy as np

from advisor.games.pontoon.chances import BUST, ImpossiblePosition, weights_of
from advisor.games.pontoon.hand import TWENTY_ONE, VALUES, Counts, best_total, full_pack
from advisor.games.pontoon.punter import check_pool, gains
from advisor.games.pontoon.rules import PontoonRules
from advisor.games.pontoon.trees import NONE, Floats, Ints, Tree, hidden_hands, tree

MOST_PAIRS: Final = 30_000
"""How many sums of cards and hands may be joined at a time."""
MOST_WEIGHTS: Final = 250_000
"""How many sums of cards times banker's hands may be weighed."""
_DIGIT: Final = 6
"""Bits that hold how many cards of one value are hidden."""


@dataclass(frozen=True, slots=True)
class OpenHand:
    """A punter's hand that is not settled, as everybody sees it."""

    stake: Fraction
    """All chips on it."""
    hidden: int
    """How many cards lie face down."""
    shown: Counts = (0,) * len(VALUES)
    """The cards that lie face up, by value."""
    from_split: bool = False


@dataclass(frozen=True, slots=True)
class BankerWorth:
    """What the banker's moves are worth, in units of all stakes that are still open."""

    stay: float
    draw: float
    exact: bool
    """Whether all hidden cards could be weighed together."""


class _TooMany(Exception):  # noqa: N818 - it names why it is given up
    """The hidden cards cannot be weighed together in time."""


@dataclass(frozen=True, slots=True)
class _Sums:
    """All that is hidden, by sums of cards (S of them)."""

    cards: Ints
    """(S, 10): the cards of all hidden hands together."""
    orders: Floats
    """(S,): in how many orders they can have been dealt."""
    gained: Floats
    """(S, columns): orders times what the punters gain, by the banker's result, in units of all stakes."""


@lru_cache(maxsize=512)
def banker_worth(rules: PontoonRules, banker: Counts, hands: tuple[OpenHand, ...], pool: Counts) -> BankerWorth:
    """What staying and drawing are worth for a banker's hand of two cards or more that is neither bust nor a pontoon.

    `pool` are the unseen cards, those face down before punters among them. Raises `ImpossiblePosition`.
    """
    check_pool(pool)
    if not hands:
        raise ImpossiblePosition("no hand is open, so there is nothing to draw for")
    grown = tree(banker, TWENTY_ONE, full_pack(rules.decks))
    staked = sum((hand.stake for hand in hands), Fraction(0))
    try:
        stay, bust = _weighed(rules, grown, pool, hands, staked)
        exact = True
    except _TooMany:
        alone = [_weighed(rules, grown, pool, [hand], staked, limited=False) for hand in _alike(hands)]
        stay, bust = (np.sum(parts, axis=0) for parts in zip(*alone, strict=True))
        exact = False
    return _played(grown, stay, bust, exact)


def _alike(hands: Sequence[OpenHand]) -> list[OpenHand]:
    """The hands with those that look the same taken as one of their stakes together: alone they are worth the same."""
    stakes: dict[OpenHand, Fraction] = {}
    for hand in hands:
        look = replace(hand, stake=Fraction(0))
        stakes[look] = stakes.get(look, Fraction(0)) + hand.stake
    return [replace(look, stake=stake) for look, stake in stakes.items()]


def _weighed(
    rules: PontoonRules, grown: Tree, pool: Counts, hands: Sequence[OpenHand], staked: Fraction, limited: bool = True
) -> tuple[Floats, Floats]:
    """The banker's gain where he stays on each of his hands, and were he bust, times the chance of coming to it.

    In units of all stakes; the chance is that of drawing the banker's cards in one given order.
    """
    found = _joined(rules, pool, hands, staked, limited)
    if limited and len(found.cards) * len(grown.hands) > MOST_WEIGHTS:
        raise _TooMany
    chance = weights_of(pool, grown.added, found.cards)
    likely = float((chance[0] * found.orders).sum())
    if not likely:
        raise ImpossiblePosition("no hands that may stick can be made of the unseen cards and those face up")
    # Below the lowest total that sticks all of the banker's totals are alike.
    columns = [max(best_total(hand) - rules.stick_at + 1, 0) for hand in grown.hands]
    stay = -(chance * found.gained[:, columns].T).sum(axis=1)
    return stay / likely, -(chance * found.gained[:, -1]).sum(axis=1) / likely


def _joined(rules: PontoonRules, pool: Counts, hands: Sequence[OpenHand], staked: Fraction, limited: bool) -> _Sums:
    """All open hands joined one after another, those with the fewest possibilities first."""
    singles = sorted((_single(rules, hand, staked) for hand in hands), key=lambda it: len(it.orders))
    found = singles[0]
    for other in singles[1:]:
        if limited and len(found.orders) * len(other.orders) > MOST_PAIRS:
            raise _TooMany
        found = _joined_two(found, other, pool)
    return found


def _single(rules: PontoonRules, hand: OpenHand, staked: Fraction) -> _Sums:
    hidden = hidden_hands(rules, hand.hidden, hand.shown, hand.from_split)
    results = [*range(rules.stick_at - 1, TWENTY_ONE + 1), BUST]
    pays = [gains(rules, *it)[results] for it in zip(hidden.kinds, hidden.totals.tolist(), strict=True)]
    gained = np.array(pays).reshape(-1, len(results)) * (hidden.orders[:, None] * float(hand.stake / staked))
    return _Sums(hidden.counts, hidden.orders, gained)


def _joined_two(one: _Sums, other: _Sums, pool: Counts) -> _Sums:
    """Both together, sums that the pool cannot hold left out."""
    places = _DIGIT * np.arange(len(VALUES))
    keys = ((one.cards << places).sum(axis=1)[:, None] + (other.cards << places).sum(axis=1)[None, :]).ravel()
    found, where = np.unique(keys, return_inverse=True)
    cards = (found[:, None] >> places) & ((1 << _DIGIT) - 1)
    able = (cards <= np.array(pool)).all(axis=1)

    def summed(pairs: Floats) -> Floats:
        return np.bincount(where, weights=pairs.ravel(), minlength=len(found)).astype(np.float64)[able]

    orders = summed(one.orders[:, None] * other.orders[None, :])
    columns = [
        summed(one.gained[:, it, None] * other.orders[None, :] + one.orders[:, None] * other.gained[None, :, it])
        for it in range(one.gained.shape[1])
    ]
    return _Sums(cards[able], orders, np.stack(columns, axis=1))


def _played(grown: Tree, stay: Floats, bust: Floats, exact: bool) -> BankerWorth:
    """The best play from the longest hands back to the first.

    All cards that bust are taken together: over all next cards the chances of a hand's going on sum to its own, so
    what is not in the hands that follow is in those that bust.
    """
    best = stay.copy()
    draw = np.zeros_like(stay)
    for layer in reversed(grown.layers):
        children = grown.children[layer]
        followed = np.where(children != NONE, best[children] - bust[children], 0.0).sum(axis=1)
        draw[layer] = bust[layer] + followed
        best[layer] = np.maximum(stay[layer], draw[layer])
    return BankerWorth(float(stay[0]), float(draw[0]), exact)
