"""Jokers of no known design: one for each seed, with something in the corner and its box round it."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.drawn import Style
from datasets.jokers import joker_face
from datasets.odd_jokers import odd_design, odd_shape


@pytest.mark.parametrize("seed", range(24))
def test_every_seeds_joker_has_its_index_in_both_corners(seed: int) -> None:
    style = Style(rank_height=0.12, suit_height=0.08)
    face = joker_face(odd_design(seed), style, red=bool(seed % 2))
    tall, wide = face.texture.shape[:2]
    upper, lower = face.indices
    assert (upper.min(0) >= 0).all() and (upper.max(0) <= [wide / 2, tall / 2]).all()
    assert np.allclose(lower, [wide, tall] - upper)
    (x0, y0), (x1, y1) = upper[0].astype(int), upper[2].astype(int)
    ink = np.abs(face.texture[y0:y1, x0:x1, :3].astype(int) - style.paper).max(2) > 60
    assert 0.04 < ink.mean() < 0.95, "something is printed there"


def test_a_seed_gives_one_joker_and_seeds_differ() -> None:
    style = Style()
    corners = [joker_face(odd_design(seed), style, red=True).texture[:120, :60].tobytes() for seed in (1, 1, 2, 3, 4)]
    assert corners[0] == corners[1] and len(set(corners)) == 4


def test_shapes_differ_and_are_neither_empty_nor_full() -> None:
    shapes = [odd_shape(np.random.default_rng(seed)) for seed in range(40)]
    assert len({shape.tobytes() for shape in shapes}) == 40
    assert all(0.1 < (shape > 127).mean() < 0.95 for shape in shapes)
