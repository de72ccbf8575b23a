"""The pairing costs as little as any."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision.assignment import assign


def total(costs: np.ndarray, pairs: list[tuple[int, int]], alone: float) -> float:
    rows, columns = costs.shape
    return sum(costs[p] for p in pairs) + alone * (rows + columns - 2 * len(pairs))


def least(costs: np.ndarray, alone: float) -> float:
    """By trying all."""
    rows, columns = costs.shape
    best = alone * (rows + columns)
    for count in range(1, min(rows, columns) + 1):
        for some in combinations(range(rows), count):
            for others in permutations(range(columns), count):
                best = min(best, total(costs, list(zip(some, others, strict=True)), alone))
    return best


COSTS = st.floats(0, 2) | st.just(float("inf"))


@given(st.integers(1, 4), st.integers(1, 4), st.data())
def test_no_pairing_costs_less(rows: int, columns: int, data: st.DataObject) -> None:
    cells = data.draw(st.lists(COSTS, min_size=rows * columns, max_size=rows * columns))
    costs = np.array(cells).reshape(rows, columns)
    pairs = assign(costs, 0.6)
    assert len({r for r, _ in pairs}) == len({c for _, c in pairs}) == len(pairs)
    assert total(costs, pairs, 0.6) <= least(costs, 0.6) + 1e-9


def test_a_pair_dearer_than_two_alone_is_not_made() -> None:
    assert assign(np.array([[1.3]]), 0.6) == []
    assert assign(np.array([[1.1]]), 0.6) == [(0, 0)]
    assert assign(np.full((2, 3), np.inf), 0.6) == []


def test_the_near_one_is_given_up_where_all_together_come_off_better() -> None:
    assert assign(np.array([[0.1, 0.2], [0.15, np.inf]]), 0.6) == [(0, 1), (1, 0)]
