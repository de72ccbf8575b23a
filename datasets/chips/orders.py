"""Which chips are played with, and in which order they lie in a bet."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from datasets.camera import Rng
from vision.chips.values import COLOURS

SALT, EVERY, SIX, OF_ITS_OWN = 77, 0.3, 6, 0.8
"""Of the chance by which colours are drawn. So many tables are played with all twelve, the others with six, which most
draw among all: a network that always saw the same six gained nothing where another one was among them (EXPERIMENTS,
C87)."""
STANDARD = ("yellow", "white", "red", "green", "black", "purple")
"""The colours of the standard set."""


def played(number: int) -> tuple[str, ...]:
    """The colours that a crowded table is played with, or that lie in a rack."""
    rng = np.random.default_rng([number, SALT, 1])
    if rng.random() < EVERY:
        return COLOURS
    drawn = rng.permutation(COLOURS)[:SIX] if rng.random() < OF_ITS_OWN else STANDARD
    return tuple(str(c) for c in drawn)


def bet_order(rng: Rng, colours: Sequence[str], most: int = 20) -> tuple[str, ...]:
    """1 to ``most`` chips in one to three of ``colours``, from the bottom up.

    Nine in ten are stacked as dealers ask for (``colours``' order, the first at the bottom), the others anyhow.
    """
    count = int(rng.integers(1, most + 1))
    chosen = rng.choice(len(colours), min(int(rng.integers(1, 4)), len(colours), count), replace=False)
    order = np.concatenate([chosen, rng.choice(chosen, count - len(chosen))])
    if rng.random() < 0.9:
        order = np.sort(order)
    return tuple(colours[int(k)] for k in order)
