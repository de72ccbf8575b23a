"""Who is who: the pairing of two lists whose costs add up to the least."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Costs = NDArray[np.float64]


def assign(costs: Costs, alone: float) -> list[tuple[int, int]]:
    """The pairs (row, column) of least total cost, where each row or column may stay ``alone`` at that cost.

    ``costs`` is rows x columns, infinite where a pair is impossible. A pair is made only where it is cheaper than
    leaving both alone. Exact: what belongs to different islands of possible pairs is solved apart (cards lie in
    hands, so islands are small), each by the Hungarian method in O(n^3).
    """
    possible = np.isfinite(costs) & (costs < 2 * alone)
    pairs: list[tuple[int, int]] = []
    for rows, columns in _islands(possible):
        square = np.where(possible, costs, 1e9)[np.ix_(rows, columns)]
        # Beside each row a place of its own, where it stays alone; what that leaves alone on the other side costs too.
        own = np.where(np.eye(len(rows), dtype=bool), 2 * alone, 1e9)
        chosen = _hungarian(np.hstack([square, own]))
        pairs += [(rows[r], columns[c]) for r, c in enumerate(chosen) if c < len(columns)]
    return sorted(pairs)


def _islands(possible: NDArray[np.bool_]) -> list[tuple[list[int], list[int]]]:
    """Rows and columns that are connected by possible pairs, directly or by way of others."""
    left = {int(r) for r in np.flatnonzero(possible.any(1))}
    out = []
    while left:
        rows: set[int] = set()
        columns: set[int] = set()
        fresh = {min(left)}
        while fresh:
            rows |= fresh
            columns |= {int(c) for c in np.flatnonzero(possible[sorted(fresh)].any(0))}
            fresh = {int(r) for r in np.flatnonzero(possible[:, sorted(columns)].any(1))} - rows
        left -= rows
        out.append((sorted(rows), sorted(columns)))
    return out


def _hungarian(costs: Costs) -> list[int]:
    """The column of each row (rows <= columns) at least total cost: shortest augmenting paths with potentials.

    Method: Jonker and Volgenant, "A shortest augmenting path algorithm for dense and sparse linear assignment
    problems", Computing 38 (1987).
    """
    n, m = costs.shape
    row_price, column_price = np.zeros(n), np.zeros(m + 1)
    # Column m stands for "the row that is being placed".
    owner = np.full(m + 1, -1)
    for row in range(n):
        owner[m] = row
        at = m
        nearest, before = np.full(m, np.inf), np.full(m, m)
        done = np.zeros(m + 1, bool)
        while owner[at] != -1:
            done[at] = True
            mine = owner[at]
            reach = costs[mine] - row_price[mine] - column_price[:m]
            better = ~done[:m] & (reach < nearest)
            nearest[better], before[better] = reach[better], at
            step = int(np.argmin(np.where(done[:m], np.inf, nearest)))
            delta = nearest[step]
            row_price[owner[done]] += delta
            column_price[done] -= delta
            nearest[~done[:m]] -= delta
            at = step
        while at != m:
            owner[at] = owner[before[at]]
            at = int(before[at])
    out = [-1] * n
    for column in range(m):
        if owner[column] != -1:
            out[owner[column]] = column
    return out
