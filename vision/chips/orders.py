"""The likeliest order of colours in one stack, all chips considered together, and how likely that order is.

What the network says of a chip, whether the pixels of two neighbours look alike, and that chips are stacked by colour
more often than not, make a chain: its best paths are found exactly (A. J. Viterbi, 1967; several of them: N. Seshadri
and C.-E. W. Sundberg, 1994), and the sum over all paths (the forward algorithm) says what share of the chances each
has.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import nlargest

import numpy as np

from vision.chips.crops import Floats

CHANGES = 0.15
"""How often the next chip up is of another colour, before anything is seen."""


@dataclass(frozen=True)
class Order:
    """``colours`` are the numbers of each chip's colour from the bottom up, ``chance`` that of all being right."""

    colours: tuple[int, ...]
    chance: float


def several(chances: Floats, alike: Floats, most: int) -> list[Order]:
    """The ``most`` best orders of a stack, the likeliest first.

    ``chances`` N x C are each chip's chances of C colours; ``alike`` (N - 1) says how the pixels of each two
    neighbours speak for one colour against two (a logarithm of odds).
    """
    logs = np.log(np.maximum(chances.astype(np.float64), 1e-9))
    colours = logs.shape[1]
    unlike = np.log(CHANGES / max(colours - 1, 1))
    total = logs[0]
    # For each colour that a stack may end in so far, its best beginnings.
    ways: list[list[tuple[float, tuple[int, ...]]]] = [[(float(logs[0, c]), (c,))] for c in range(colours)]
    for chip, same in zip(logs[1:], alike.tolist(), strict=True):
        alike_ = np.log(1 - CHANGES) + same
        change = np.full((colours, colours), unlike)
        np.fill_diagonal(change, alike_)
        total = np.logaddexp.reduce(total[:, None] + change, 0) + chip
        # Of twice as many at least ``most`` end in another colour than the next chip's, whichever that is.
        best = nlargest(2 * most, (way for each in ways for way in each))
        ways = [
            nlargest(
                most,
                [(score + alike_ + chip[c], (*path, c)) for score, path in ways[c]]
                + [(score + unlike + chip[c], (*path, c)) for score, path in best if path[-1] != c],
            )
            for c in range(colours)
        ]
    whole = np.logaddexp.reduce(total)
    found = nlargest(most, (way for each in ways for way in each))
    return [Order(path, float(np.exp(score - whole))) for score, path in found]


def likeliest(chances: Floats, alike: Floats) -> Order:
    """The best order of a stack; see `several`."""
    return several(chances, alike, 1)[0]
