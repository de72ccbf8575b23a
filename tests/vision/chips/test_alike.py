"""Neighbours of one colour are told from those of two by their pixels."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.chips.alike import alike, looks
from vision.chips.crops import FOOT, HEIGHT, WIDTH, Image

STEP = 7
RED, BLACK, WHITE = (40, 40, 200), (25, 25, 25), (225, 225, 225)


def stack(chips: list[tuple[int, int, int]], seed: int = 3) -> tuple[Image, list[int]]:
    """A straightened column with these chips from the bottom up, each with white inserts turned at random."""
    rng = np.random.default_rng(seed)
    image = np.full((HEIGHT, WIDTH, 3), 90, np.uint8)
    rows = [round(FOOT[1]) - STEP * k for k in range(len(chips) + 1)]
    for colour, low, high in zip(chips, rows[:-1], rows[1:], strict=True):
        image[high:low, 8:56] = colour
        at = int(rng.integers(8, 44))
        image[high:low, at : at + 8] = WHITE
        image[low - 1, 8:56] = 10
    return image, rows


def test_neighbours_of_one_colour_look_alike_whichever_way_their_inserts_are_turned() -> None:
    image, rows = stack([RED] * 4 + [BLACK] * 5)
    odds = alike(looks(image, rows))
    assert odds.shape == (8,) and odds[3] < np.delete(odds, 3).min() - 10


def test_a_lone_odd_chip_is_like_neither_neighbour() -> None:
    image, rows = stack([RED] * 4 + [BLACK] + [RED] * 4)
    odds = alike(looks(image, rows))
    assert odds[3:5].max() < np.delete(odds, [3, 4]).min() - 10


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from([RED, BLACK]), min_size=1, max_size=20), st.integers(0, 99))
def test_every_two_neighbours_are_compared(chips: list[tuple[int, int, int]], seed: int) -> None:
    odds = alike(looks(*stack(chips, seed)))
    assert [bool(v > -10) for v in odds] == [low == high for low, high in pairwise(chips)]


def test_chips_too_thin_for_their_seams_are_still_compared() -> None:
    image, _ = stack([RED] * 3)
    assert np.isfinite(alike(looks(image, [240, 239, 238, 237]))).all()
