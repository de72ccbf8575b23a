"""Chances of multisets drawn from a pool of cards, for many pools or many multisets at once.

A multiset E drawn in one given order from a pool has the probability: product over the values of
falling(cards of that value, cards drawn) / falling(cards in all, cards drawn), where falling(n, k) is
n (n - 1) ... (n - k + 1).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from advisor.games.pontoon.hand import TWENTY_ONE, VALUES, Counts
from advisor.games.pontoon.trees import PONTOON, Ends, Floats, Ints

ENOUGH: Final = 20
"""Cards without which a pool may run out within a hand, so that its sums would not be exact."""
RESULTS: Final = PONTOON + 2
"""The banker's results: totals 0 to 21, `PONTOON`, and `BUST`."""
BUST: Final = PONTOON + 1


class ImpossiblePosition(ValueError):  # noqa: N818 - it names what the position is
    """A position that cannot be, or that cannot be reckoned; the message says why, without a full stop."""


def falling(counts: Ints, most: int) -> Floats:
    """falling(n, k) for each n and k up to `most`: the shape of `counts` with one more axis of `most` + 1."""
    steps = np.maximum(counts[..., None] - np.arange(most), 0).astype(np.float64)
    ones = np.ones((*counts.shape, 1))
    table: Floats = np.concatenate([ones, np.cumprod(steps, axis=-1)], axis=-1)
    return table


def banker_results(ends: Ends, pools: Ints) -> Floats:
    """The chances of the banker's results from each pool (M, 10): (M, 24), by `RESULTS`."""
    weights = np.ones((1, len(pools)))
    for value in range(len(VALUES)):
        counts = ends.counts[value]
        table = falling(pools[:, value], int(counts.max(initial=0)))
        weights = weights[ends.parents[value]] * table.T[counts]
    sizes = falling(pools.sum(axis=1), int(ends.cards.max(initial=0)))
    weights *= ends.orders[:, None] / np.maximum(sizes.T[ends.cards], 1.0)
    results = np.zeros((len(pools), RESULTS))
    # Summed without matrix products: their threads would stall a machine that is busy seeing.
    results[:, ends.results] = np.add.reduceat(weights, ends.starts, axis=0).T
    results[:, BUST] = 1.0 - results.sum(axis=1)
    return results


def weights_of(pool: Counts, drawn: Ints, hidden: Ints) -> Floats:
    """The chance, in one given order, that `drawn` (N, 10) and `hidden` (H, 10) both come from the pool: (N, H)."""
    table = falling(np.array(pool, dtype=np.int64), TWENTY_ONE + TWENTY_ONE)
    weights = np.ones((len(drawn), len(hidden)))
    for value in range(len(VALUES)):
        ours, theirs = drawn[:, value], hidden[:, value]
        if ours.any() or theirs.any():
            weights *= table[value][ours[:, None] + theirs[None, :]]
    total = falling(np.array(sum(pool), dtype=np.int64), TWENTY_ONE + TWENTY_ONE)
    sizes = total[drawn.sum(axis=1)[:, None] + hidden.sum(axis=1)[None, :]]
    return weights / np.where(sizes > 0, sizes, np.inf)
