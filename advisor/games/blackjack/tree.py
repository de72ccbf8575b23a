"""Every hand a player can hold, as one table that all decisions share.

A hand matters only by how many cards of each value it holds. There are about three thousand such hands that are not
bust, and drawing a card leads from one to another; which is which never depends on the shoe. So they are listed once,
and a decision works on the part of the table that its hand can grow into.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from advisor.games.blackjack.values import ACE, Counts

BUST: Final = -1
"""In place of a hand's number: the drawn card passes 21."""
EMPTY: Final[Counts] = (0,) * 10
"""The hand before its first card."""


def single(value: int, count: int = 1) -> Counts:
    """So many cards of one value index, and no other."""
    return (*EMPTY[:value], count, *EMPTY[value + 1 :])


@dataclass(frozen=True, slots=True)
class Tree:
    """Hands that one hand can grow into, itself first, in order of their hard totals.

    A drawn card always raises the hard total, so every hand comes before those it can become.
    """

    hands: tuple[Counts, ...]
    counts: NDArray[np.float64]
    """(n, 10): each hand's cards by value."""
    cards: NDArray[np.int64]
    """(n,): how many cards."""
    hard: NDArray[np.int64]
    """(n,): total with aces as one."""
    total: NDArray[np.int64]
    """(n,): best total."""
    drawn: NDArray[np.int64]
    """(n, 10): the hand that drawing each value makes, by its place here, or `BUST`."""
    levels: tuple[slice, ...]
    """The stretches of equal hard total, lowest first."""
    place: Mapping[Counts, int]
    """Where each hand is."""


def _tree(hands: list[Counts]) -> Tree:
    counts = np.array(hands, dtype=np.float64)
    hard = (counts @ np.arange(1.0, 11.0)).astype(np.int64)
    soft = (counts[:, ACE] > 0) & (hard <= 11)
    place = {hand: number for number, hand in enumerate(hands)}
    drawn = np.array(
        [[place.get((*hand[:v], hand[v] + 1, *hand[v + 1 :]), BUST) for v in range(10)] for hand in hands],
        dtype=np.int64,
    ).reshape(len(hands), 10)
    edges = [0, *(np.flatnonzero(np.diff(hard)) + 1).tolist(), len(hands)]
    return Tree(
        hands=tuple(hands),
        counts=counts,
        cards=counts.sum(axis=1).astype(np.int64),
        hard=hard,
        total=hard + 10 * soft,
        drawn=drawn,
        levels=tuple(slice(start, end) for start, end in pairwise(edges)),
        place=place,
    )


@lru_cache(maxsize=1024)
def tree_from(start: Counts) -> Tree:
    """The hands that `start` can grow into without busting; `start` must not be bust itself."""
    by_total: dict[int, dict[Counts, None]] = {total: {} for total in range(22)}
    by_total[sum((value + 1) * count for value, count in enumerate(start))][start] = None
    for total in range(22):
        for hand in by_total[total]:
            for value in range(min(10, 21 - total)):
                by_total[total + value + 1][(*hand[:value], hand[value] + 1, *hand[value + 1 :])] = None
    return _tree([hand for hands in by_total.values() for hand in hands])
