"""Every hand a player can hold, as one table that all decisions share.

A hand matters only by how many cards of each value it holds. There are about three thousand such hands that are not
bust, and drawing a card leads from one to another; which is which never depends on the shoe. So they are listed once,
and a decision works on the part of the table that its hand can grow into.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final

import numpy as np

from advisor.games.blackjack.kernel import BUST, LOW, Hands, Ints
from advisor.games.blackjack.values import ACE, Counts

EMPTY: Final[Counts] = (0,) * 10
"""The hand before its first card."""


def single(value: int, count: int = 1) -> Counts:
    """So many cards of one value index, and no other."""
    return (*EMPTY[:value], count, *EMPTY[value + 1 :])


def cut(counts: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """Multisets (n, 10) cut in two: the places of their halves, then the low and the high halves, each once."""
    lows, low_of = np.unique(counts[:, :LOW], axis=0, return_inverse=True)
    highs, high_of = np.unique(counts[:, LOW:], axis=0, return_inverse=True)
    return (
        low_of.reshape(-1).astype(np.int64),
        high_of.reshape(-1).astype(np.int64),
        np.ascontiguousarray(lows),
        np.ascontiguousarray(highs),
    )


@dataclass(frozen=True, slots=True)
class Tree:
    """All hands that are not bust, in order of their hard totals.

    A drawn card always raises the hard total, so every hand comes before those it can become.
    """

    names: tuple[Counts, ...]
    """The hands as counts of the ten values."""
    hard: Ints
    """(n,): totals with aces as one."""
    hands: Hands
    """The same hands as the kernel needs them."""
    grouped: Ints
    """(n,): places sorted by high half, total and number of cards, as the dealer's side is shared."""
    place: Mapping[Counts, int]
    """Where each hand is."""


@lru_cache(maxsize=512)
def grown_from(start: Counts) -> tuple[Ints, Ints]:
    """The places of the hands that `start` can grow into, itself among them: by hard total, and grouped."""
    tree = all_hands()
    within = np.asarray(np.all(tree.hands.counts >= np.array(start), axis=1))
    return np.flatnonzero(within), tree.grouped[within[tree.grouped]]


@lru_cache(maxsize=1)
def all_hands() -> Tree:
    """The table; made once."""
    by_total: dict[int, dict[Counts, None]] = {total: {} for total in range(22)}
    by_total[0][EMPTY] = None
    for total in range(22):
        for hand in by_total[total]:
            for value in range(min(10, 21 - total)):
                by_total[total + value + 1][(*hand[:value], hand[value] + 1, *hand[value + 1 :])] = None
    names = tuple(hand for some in by_total.values() for hand in some)
    place = {hand: number for number, hand in enumerate(names)}
    counts: Ints = np.array(names, dtype=np.int64)
    hard: Ints = np.asarray(counts @ np.arange(1, 11), np.int64)
    totals: Ints = np.where((counts[:, ACE] > 0) & (hard <= 11), hard + 10, hard)
    cards: Ints = counts.sum(axis=1)
    drawn = [[place.get((*hand[:v], hand[v] + 1, *hand[v + 1 :]), BUST) for v in range(10)] for hand in names]
    low_of, high_of, lows, highs = cut(counts)
    return Tree(
        names=names,
        hard=hard,
        hands=Hands(counts, cards, totals, np.array(drawn, dtype=np.int64), low_of, high_of, lows, highs),
        grouped=np.lexsort((cards, np.maximum(totals, 16), high_of)).astype(np.int64),
        place=MappingProxyType(place),
    )
