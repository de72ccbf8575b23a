"""Jokers of no known design: one for each seed, with something in the corner and its box round it."""

from __future__ import annotations

import numpy as np
import pytest
from test_hands import has_its_index_in_both_corners

from datasets.drawn import Style
from datasets.jokers import joker_face
from datasets.odd_jokers import odd_design, odd_shape


@pytest.mark.parametrize("seed", range(24))
def test_every_seeds_joker_has_its_index_in_both_corners(seed: int) -> None:
    style = Style(rank_height=0.12, suit_height=0.08)
    has_its_index_in_both_corners(joker_face(odd_design(seed), style, red=bool(seed % 2)), style)


def test_a_seed_gives_one_joker_and_seeds_differ() -> None:
    style = Style()
    corners = [joker_face(odd_design(seed), style, red=True).texture[:120, :60].tobytes() for seed in (1, 1, 2, 3, 4)]
    assert corners[0] == corners[1] and len(set(corners)) == 4


def test_shapes_differ_and_are_neither_empty_nor_full() -> None:
    shapes = [odd_shape(np.random.default_rng(seed)) for seed in range(40)]
    assert len({shape.tobytes() for shape in shapes}) == 40
    assert all(0.1 < (shape > 127).mean() < 0.95 for shape in shapes)
