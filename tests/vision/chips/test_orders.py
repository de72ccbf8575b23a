"""The order of a stack's colours is the likeliest one as a whole, and its chance is what all other orders leave it."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from vision.chips.orders import CHANGES, likeliest, several

SHARES = st.floats(0.01, 1.0)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 5).flatmap(lambda n: st.tuples(arrays(float, (n, 3), elements=SHARES), st.just(n))), st.data())
def test_it_is_the_best_of_all_orders_tried_one_by_one(drawn: tuple[np.ndarray, int], data: st.DataObject) -> None:
    chances, number = drawn
    alike = data.draw(arrays(float, number - 1, elements=st.floats(-4, 4)))

    def weight(order: tuple[int, ...]) -> float:
        out = float(np.prod([chances[k, c] for k, c in enumerate(order)]))
        for k, (low, high) in enumerate(pairwise(order)):
            out *= (1 - CHANGES) * np.exp(alike[k]) if low == high else CHANGES / 2
        return out

    everything = {order: weight(order) for order in product(range(3), repeat=number)}
    found = likeliest(chances.astype(np.float32), alike.astype(np.float32))
    assert everything[found.colours] >= max(everything.values()) * 0.999
    assert abs(found.chance - everything[found.colours] / sum(everything.values())) < 1e-3

    best = several(chances.astype(np.float32), alike.astype(np.float32), 4)
    assert len({order.colours for order in best}) == len(best) == min(4, len(everything))
    for order, weight_there in zip(best, sorted(everything.values(), reverse=True), strict=False):
        assert np.isclose(everything[order.colours], weight_there, rtol=1e-3), "as likely as the order of that rank"
        assert abs(order.chance - weight_there / sum(everything.values())) < 1e-3


def test_a_chip_that_nothing_is_said_of_is_what_its_neighbours_are() -> None:
    chances = np.array([[0.9, 0.1], [0.5, 0.5], [0.9, 0.1]], np.float32)
    assert likeliest(chances, np.zeros(2, np.float32)).colours == (0, 0, 0)


def test_pixels_that_differ_part_what_the_network_leaves_open() -> None:
    chances = np.array([[0.9, 0.1], [0.55, 0.45], [0.5, 0.5], [0.1, 0.9]], np.float32)
    assert likeliest(chances, np.array([2, -4, 2], np.float32)).colours == (0, 0, 1, 1)
    assert likeliest(chances, np.array([-4, 2, 2], np.float32)).colours == (0, 1, 1, 1)
