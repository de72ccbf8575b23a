"""Jokers with corners of no known design: a shape or a word drawn anew from a seed.

A reader that has seen a dozen designs takes the next deck's joker for nothing at all. What jokers have in common is
that *something* stands in the corner that is no rank over a suit; so the scenes for training show as many such things
as there are seeds. The five-pointed star is not among them, nor "JOKER" in small letters down the edge: those are kept
for the benchmark of rummy hands.
"""

from __future__ import annotations

import cv2
import numpy as np

from datasets.camera import Rng
from datasets.deck import Image
from datasets.jokers import DESIGNS, Corner, Design, down, letter_over, symbol, turned_word

WORDS = ("JOLLY", "WILD", "JOK", "JKR", "MATTA", "FOU", "Joker", "JOKER", "JK", "ЖОКЕР", "JÓKER")
LETTERS = ("", "", "J", "JK", "W")
FOLDS = (6, 7, 8, 9, 12)
"""How often a shape's edge comes and goes on its way round: five times is the benchmark's star, and fewer look like
suits, which under a hidden rank must not be learned as jokers."""


def odd_design(seed: int) -> Design:
    """A corner of its own and one of the known middles."""
    rng = np.random.default_rng([seed, 53])
    middles = list(DESIGNS.values())
    return _corner(rng), middles[int(rng.integers(len(middles)))][1]


def _corner(rng: Rng) -> Corner:
    kind = rng.random()
    if kind < 0.55:
        return symbol(odd_shape(rng), str(rng.choice(LETTERS)), float(rng.uniform(0.7, 1.15)))
    if kind < 0.7:
        return letter_over(odd_shape(rng))
    word = str(rng.choice(WORDS))
    if kind < 0.9:
        # "JOKER" is learned large only.
        return down(word, float(rng.uniform(0.55, 0.8) if word == "JOKER" else rng.uniform(0.35, 0.8)))
    return turned_word(word)


def odd_shape(rng: Rng, size: int = 160) -> Image:
    """A shape like nothing in particular, as an opacity mask: its edge swings about a circle, with holes and a stem."""
    y, x = (np.mgrid[:size, :size] + 0.5) / size * 2 - 1
    x, y = x / float(rng.uniform(0.7, 1.0)), y / float(rng.uniform(0.8, 1.0))
    away, round_ = np.hypot(x, y), np.arctan2(y, x) + float(rng.uniform(0, 2 * np.pi))
    folds, depth = int(rng.choice(FOLDS)), float(rng.uniform(0.1, 0.65))
    swing = np.abs(np.cos(folds * round_ / 2)) ** float(rng.uniform(0.4, 4))
    inside = away < (1 - depth + depth * swing) * 0.95
    for _ in range(int(rng.integers(0, 4))):
        u, v, r = rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5), rng.uniform(0.08, 0.22)
        hole = np.hypot(x - u, y - v) < r
        # Two alike, as eyes and bells are.
        inside &= ~(hole | (np.hypot(x + u, y - v) < r))
    if rng.random() < 0.25:
        inside &= away > float(rng.uniform(0.3, 0.55))
    if rng.random() < 0.25:
        inside |= (np.abs(x) < rng.uniform(0.06, 0.15)) & (y > 0) & (y < 0.95)
    return np.asarray(cv2.GaussianBlur(inside.astype(np.uint8) * 255, (3, 3), 0), np.uint8)
