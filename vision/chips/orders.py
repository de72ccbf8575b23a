"""The likeliest order of colours in one stack, all chips considered together, and how likely that order is.

What the network says of a chip, whether the pixels of two neighbours look alike, and that chips are stacked by colour
more often than not, make a chain: its best path is found exactly (A. J. Viterbi, 1967), and the sum over all paths
(the forward algorithm) says what share of the chances that path has.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.chips.crops import Floats

CHANGES = 0.15
"""How often the next chip up is of another colour, before anything is seen."""


@dataclass(frozen=True)
class Order:
    """``colours`` are the numbers of each chip's colour from the bottom up, ``chance`` that of all being right."""

    colours: tuple[int, ...]
    chance: float


def likeliest(chances: Floats, alike: Floats) -> Order:
    """The best order of a stack.

    ``chances`` N x C are each chip's chances of C colours; ``alike`` (N - 1) says how the pixels of each two
    neighbours speak for one colour against two (a logarithm of odds).
    """
    logs = np.log(np.maximum(chances.astype(np.float64), 1e-9))
    number, colours = logs.shape
    change = np.full((colours, colours), np.log(CHANGES / max(colours - 1, 1)))
    best = total = logs[0]
    came: list[NDArray[np.intp]] = []
    for chip, same in zip(logs[1:], alike.tolist(), strict=True):
        np.fill_diagonal(change, np.log(1 - CHANGES) + same)
        came.append((best[:, None] + change).argmax(0))
        best = (best[:, None] + change).max(0) + chip
        total = np.logaddexp.reduce(total[:, None] + change, 0) + chip
    path = [int(best.argmax())]
    for back in reversed(came):
        path.append(int(back[path[-1]]))
    assert len(path) == number
    return Order(tuple(path[::-1]), float(np.exp(best.max() - np.logaddexp.reduce(total))))
