"""Whether two neighbours in a stack are of one colour, by how alike the pixels between their seams look.

The network looks at rows with what lies above and below them, so near a change of colour it errs by a chip; the pixels
between two seams do not. Inserts turn from chip to chip, hence not single pixels are compared but how light and of
which tint the darkest, the lightest and those in between are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.chips.crops import FOOT, Floats, Image

QUANTILES = (0.1, 0.3, 0.5, 0.7, 0.9)
ASIDE = 18
"""Columns to either side of the axis that are compared; beyond, the rim turns away."""
SEAM = 0.15
"""Share of a chip's thickness at each seam that is left out: shadow."""
BIAS, LIGHT, TINT = 1.0, 0.09, 0.43
"""How alike two chips are, as a logarithm of odds: the bias, less lightness and tint apart (CIELAB units) times
these. From 26 000 pairs of rendered chips; the bias is halved, for the word of neighbours is not independent."""


def looks(column: Image, rows: Sequence[int] | NDArray[np.intp]) -> Floats:
    """What lies between each two seams: chips x quantiles x 3 (lightness and two tints, CIELAB)."""
    return looks_of(tints(column), rows)


def tints(column: Image) -> Floats:
    """The column's middle, which is all that is compared, in CIELAB: as high as it is, x 2 `ASIDE` x 3."""
    middle = int(FOOT[0])
    seen = column[:, middle - ASIDE : middle + ASIDE].astype(np.float32) / 255
    return np.asarray(cv2.cvtColor(seen, cv2.COLOR_BGR2Lab), np.float32)


def looks_of(seen: Floats, rows: Sequence[int] | NDArray[np.intp]) -> Floats:
    """As `looks`, of a column's `tints`."""
    return np.stack([_quantiles(seen[first:last].reshape(-1, 3)) for first, last in _between(rows)])


def _quantiles(values: Floats) -> Floats:
    """`QUANTILES` of each column, as `numpy.quantile` has them, at a tenth of its time for so few values."""
    ordered = np.sort(values, axis=0)
    places = np.array(QUANTILES, np.float32) * (len(values) - 1)
    lower = places.astype(np.intp)
    upper = np.minimum(lower + 1, len(values) - 1)
    return np.asarray(ordered[lower] + (ordered[upper] - ordered[lower]) * (places - lower)[:, None], np.float32)


def bands(column: NDArray[Any], rows: Sequence[int] | NDArray[np.intp]) -> Iterator[NDArray[Any]]:
    """The column's pixels (N x 3) between each two seams, from the bottom up."""
    middle = int(FOOT[0])
    for first, last in _between(rows):
        yield column[first:last, middle - ASIDE : middle + ASIDE].reshape(-1, 3)


def _between(rows: Sequence[int] | NDArray[np.intp]) -> Iterator[tuple[int, int]]:
    for low, high in pairwise(rows):
        trim = SEAM * (low - high)
        first = max(round(float(high + trim)), 0)
        yield first, max(round(float(low - trim)), first + 1)


def alike(seen: Floats) -> Floats:
    """For each two neighbours (chips - 1), how much more likely one colour is than two (a logarithm of odds)."""
    apart = np.abs(seen[1:] - seen[:-1]).mean(1)
    return np.asarray(BIAS - LIGHT * apart[:, 0] - TINT * apart[:, 1:].mean(1), np.float32)
