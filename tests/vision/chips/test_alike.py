"""Chips that look alike get one name, those that do not keep their own."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.chips.alike import looks, shared_words
from vision.chips.crops import FOOT, HEIGHT, WIDTH, Floats, Image

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


def said(names: list[int], sure: float = 3.0) -> Floats:
    out = np.zeros((len(names), 12), np.float32)
    out[np.arange(len(names)), names] = sure
    return out


def test_a_chip_misnamed_at_a_change_of_colour_takes_the_name_of_its_likes() -> None:
    image, rows = stack([RED] * 4 + [BLACK] * 5)
    words = shared_words(said([1, 1, 1, 1, 1, 4, 4, 4, 4]), looks(image, rows))
    assert words.argmax(1).tolist() == [1, 1, 1, 1, 4, 4, 4, 4, 4]


def test_a_lone_odd_chip_between_others_keeps_its_own_name() -> None:
    image, rows = stack([RED] * 4 + [BLACK] + [RED] * 4)
    words = shared_words(said([1] * 4 + [4] + [1] * 4), looks(image, rows))
    assert words.argmax(1).tolist() == [1] * 4 + [4] + [1] * 4


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from([RED, BLACK]), min_size=1, max_size=20), st.integers(0, 99))
def test_words_that_agree_stay_as_they_are(chips: list[tuple[int, int, int]], seed: int) -> None:
    image, rows = stack(chips, seed)
    words = said([7] * len(chips))
    assert np.allclose(shared_words(words, looks(image, rows)), words, atol=1e-5)


def test_chips_too_thin_for_their_seams_are_still_compared() -> None:
    image, _ = stack([RED] * 3)
    assert np.isfinite(looks(image, [240, 239, 238, 237])).all()
