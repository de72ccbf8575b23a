"""What a punter's moves are worth, exactly, for his hand, his stakes and the unseen cards.

What is assumed of the others, and why:

- The banker has free choice, and what he will do depends on stakes and cards that this punter cannot see. He is taken
  to draw below some total and to stay on it, aces as 11 where they fit. Unless it is given, that total is the one that
  serves him best, from these unseen cards, against one hand that stuck on two cards face down: the plainest thing he
  meets, and exact to reckon.
- All unseen cards, those face down before others among them, are equally likely to come. That others stuck says a
  little about their cards; it is left out.
- A split is worth two hands that each begin with one card of the pair, played on its own cards alone and not split
  again. The two have the same expectation, so this is exact for a punter who plays so.

Buys between the least and the most allowed are never better than one of these two: with every later move fixed, the
winnings are linear in each buy, and so are its bounds.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from advisor.games.pontoon.chances import BUST, ENOUGH, RESULTS, ImpossiblePosition, banker_results, weights_of
from advisor.games.pontoon.hand import ACE, TEN, TWENTY_ONE, VALUES, Counts, Kind, best_total, full_pack, kind
from advisor.games.pontoon.rules import PontoonRules
from advisor.games.pontoon.trees import NONE, PONTOON, Floats, Ints, Tree, banker_ends, hidden_hands, longest_hand, tree

STAYS: Final = range(12, TWENTY_ONE + 1)
"""The totals from which a banker may choose to stay."""
NEVER: Final = -np.inf
"""The worth of what is not allowed."""


@dataclass(frozen=True, slots=True)
class Buying:
    """The stakes as they bear on further buys, in units of all that is staked."""

    least: float
    """The least that the next buy may be."""
    most: float
    minimum: float
    """The table's minimum."""


@dataclass(frozen=True, slots=True)
class Worth:
    """What each move is worth in units of all that is staked; None where it is not allowed."""

    stick: float | None
    twist: float | None
    buy_least: float | None
    buy_most: float | None


def check_pool(pool: Counts) -> None:
    """Raises `ImpossiblePosition` for a pool that may run out within a hand."""
    if sum(pool) < ENOUGH:
        raise ImpossiblePosition(f"only {sum(pool)} cards are unseen: with fewer than {ENOUGH} the pack may run out")


@lru_cache(maxsize=1024)
def gains(rules: PontoonRules, what: Kind, total: int) -> Floats:
    """What such a hand gains by each of the banker's results (`RESULTS`), in units of the stake."""
    paid = {
        Kind.PONTOON: rules.pontoon_odds,
        Kind.ROYAL: rules.royal_odds,
        Kind.FIVE_CARDS: rules.five_card_odds,
    }.get(what)
    if what is Kind.BUST:
        found = np.full(RESULTS, -1.0)
    elif paid is not None:
        found = np.full(RESULTS, float(paid))
    else:
        found = np.where(np.arange(RESULTS) < total, 1.0, -1.0)
        found[TWENTY_ONE] = -1.0
        found[BUST] = 1.0 if total >= rules.stick_at else -1.0
    found[PONTOON] = -1.0
    found.setflags(write=False)
    return found


@lru_cache(maxsize=1024)
def banker_stays_on(rules: PontoonRules, pool: Counts) -> int:
    """The total on which a banker with these cards to come does best to stay, against one hand stuck on two cards.

    The lower one where two are worth the same.
    """
    check_pool(pool)
    hidden = hidden_hands(rules, 2, (0,) * len(VALUES))
    chance = weights_of(pool, np.zeros((1, len(VALUES)), dtype=np.int64), hidden.counts)[0] * hidden.orders
    able = chance > 0
    if not able.any():
        raise ImpossiblePosition("from these unseen cards nobody can stick on two cards")
    pools = np.array(pool, dtype=np.int64) - hidden.counts[able]
    pays = np.array([gains(rules, *it) for it in zip(hidden.kinds, hidden.totals.tolist(), strict=True)])[able]
    most = full_pack(rules.decks)
    worth = {
        total: float((chance[able][:, None] * banker_results(banker_ends(total, most), pools) * pays).sum())
        for total in STAYS
    }
    return min(STAYS, key=lambda total: (round(worth[total], 12), total))


@lru_cache(maxsize=1024)
def worth(
    rules: PontoonRules, hand: Counts, pool: Counts, buying: Buying | None, stays_on: int, from_split: bool = False
) -> Worth:
    """What each move is worth for a hand of two cards or more; `buying` is None after a twist.

    `pool` are the unseen cards, the hand's own not among them. Raises `ImpossiblePosition`.
    """
    check_pool(pool)
    grown, chances, stick, twist = _played(rules, hand, pool, stays_on, from_split)
    stick_now = None if stick[0] == NEVER else float(stick[0])
    if sum(hand) >= longest_hand(rules):
        return Worth(stick_now, None, None, None)
    if buying is None:
        return Worth(stick_now, float(twist[0]), None, None)
    low, high = _bought(rules, grown, chances, stick, twist, buying)[0].tolist()
    return Worth(stick_now, float(twist[0]), low, high)


def split_worth(rules: PontoonRules, value: int, pool: Counts, buying: Buying, stays_on: int) -> float:
    """What splitting a pair of this value is worth, in units of the stake before: two hands of one card each."""
    check_pool(pool)
    hand = tuple(int(place == value) for place in range(len(VALUES)))
    grown, chances, stick, twist = _played(rules, hand, pool, stays_on, True)
    second = grown.layers[1]
    bought = _bought(rules, grown, chances, stick, twist, buying, free=1).max(axis=1)
    best = np.maximum(np.maximum(stick, twist)[second], bought)
    return 2.0 * float(chances[0] @ best[grown.children[0] - second.start])


def _played(
    rules: PontoonRules, hand: Counts, pool: Counts, stays_on: int, from_split: bool
) -> tuple[Tree, Floats, Floats, Floats]:
    """The hands that can come, the chance of each next card, and what sticking and twisting are worth in each."""
    longest = longest_hand(rules)
    grown = tree(hand, longest, full_pack(rules.decks))
    pools = np.maximum(np.array(pool, dtype=np.int64) - grown.added, 0)
    chances = pools / np.maximum(pools.sum(axis=1), 1)[:, None]
    stick = _stuck(rules, grown, pools, stays_on, from_split)
    twist = np.full(len(grown.hands), NEVER)
    for layer in reversed(grown.layers):
        if sum(grown.hands[layer.start]) < longest:
            after = np.maximum(stick, twist)
            twist[layer] = (chances[layer] * _next(after, grown.children[layer])).sum(axis=1)
    return grown, chances, stick, twist


def _stuck(rules: PontoonRules, grown: Tree, pools: Ints, stays_on: int, from_split: bool) -> Floats:
    """What sticking is worth for each hand, `NEVER` where it may not."""
    kinds = [kind(rules, hand, from_split) for hand in grown.hands]
    totals = [best_total(hand) for hand in grown.hands]
    sizes = grown.added.sum(axis=1) + sum(grown.hands[0])
    stick = np.full(len(grown.hands), NEVER)
    able = [
        it for it, what in enumerate(kinds) if what is Kind.POINTS and totals[it] >= rules.stick_at and sizes[it] >= 2
    ]
    if able:
        results = banker_results(banker_ends(stays_on, full_pack(rules.decks)), pools[able])
        stick[able] = (results * [gains(rules, Kind.POINTS, totals[it]) for it in able]).sum(axis=1)
    # The others are paid whatever the banker draws, unless he has a pontoon: that needs no sum over his hands.
    fixed = [it for it, what in enumerate(kinds) if what is not Kind.POINTS]
    if fixed:
        cards = pools[fixed].sum(axis=1)
        pontoon = 2 * pools[fixed, ACE] * pools[fixed, TEN] / np.maximum(cards * (cards - 1), 1)
        paid = np.array([gains(rules, kinds[it], totals[it])[BUST] for it in fixed])
        stick[fixed] = paid - (1.0 + paid) * pontoon
    return stick


def _next(values: Floats, children: Ints) -> Floats:
    """The worth after each next card: that of the hand it makes, or the stake lost."""
    return np.where(children == NONE, -1.0, values[children])


def _stakes(rules: PontoonRules, buying: Buying, buys: int) -> tuple[Floats, Floats, Floats]:
    """After so many further buys, each the least or the most: all that is staked, and the bounds of the next buy.

    Number c of 2 ** buys begins with the bits of its choices, the first buy first; a bit set is the most.
    """
    staked, low, high = (np.array([it]) for it in (1.0, buying.least, buying.most))
    for _ in range(buys):
        paid = np.stack([low, high], axis=1).ravel()
        staked = np.repeat(staked, 2) + paid
        if rules.buying == "may-be-less":
            low, high = np.full(len(paid), buying.minimum), paid
        else:
            low, high = paid, staked
    return staked, low, high


def _bought(
    rules: PontoonRules, grown: Tree, chances: Floats, stick: Floats, twist: Floats, buying: Buying, free: int = 0
) -> Floats:
    """What the least and the most buy are worth for each hand with `free` cards added, all later moves being the best.

    (n, 2), in units of what is staked on such a hand.
    """
    rest = np.maximum(stick, twist)
    deepest = len(grown.layers) - 1
    value = rest[grown.layers[deepest]][:, None] * _stakes(rules, buying, deepest - free)[0]
    bought = np.full((len(value), 2), NEVER)
    for depth in range(deepest - 1, free - 1, -1):
        layer, below = grown.layers[depth], grown.layers[depth + 1]
        children = grown.children[layer]
        lost = children == NONE
        came = value[np.where(lost, 0, children - below.start)]
        came = np.where(lost[:, :, None], -_stakes(rules, buying, depth + 1 - free)[0], came)
        bought = np.einsum("nv,nvc->nc", chances[layer], came)
        staked = _stakes(rules, buying, depth - free)[0]
        value = np.maximum(np.maximum(bought[:, 0::2], bought[:, 1::2]), rest[layer][:, None] * staked)
    return bought
