"""Chips of one stack that look alike are of one colour: what the network says of each is shared among its likes.

The network looks at rows with what lies above and below them, so near a change of colour it errs by a chip; the pixels
between two seams do not. Inserts turn from chip to chip, hence not single pixels are compared but how light and of
which tint the darkest, the lightest and those in between are.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.chips.crops import FOOT, Floats, Image

QUANTILES = (0.1, 0.3, 0.5, 0.7, 0.9)
ASIDE = 18
"""Columns to either side of the axis that are compared; beyond, the rim turns away."""
SEAM = 0.15
"""Share of a chip's thickness at each seam that is left out: shadow."""
BIAS, LIGHT, TINT = 6.0, 0.27, 1.3
"""How alike two chips are, as a logarithm of chances: the bias, less lightness and tint apart (CIELAB units) times
these. From 26 000 pairs of rendered chips, made three times as steep, since the chips compared are many."""


def looks(column: Image, rows: Sequence[int] | NDArray[np.intp]) -> Floats:
    """What lies between each two seams: chips x quantiles x 3 (lightness and two tints, CIELAB)."""
    lab = cv2.cvtColor(column.astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
    middle = int(FOOT[0])
    out = np.zeros((len(rows) - 1, len(QUANTILES), 3), np.float32)
    for k, (low, high) in enumerate(pairwise(rows)):
        trim = SEAM * (low - high)
        first = max(round(float(high + trim)), 0)
        last = max(round(float(low - trim)), first + 1)
        band = lab[first:last, middle - ASIDE : middle + ASIDE].reshape(-1, 3)
        out[k] = np.quantile(band, QUANTILES, axis=0)
    return out


def shared_words(words: Floats, seen: Floats) -> Floats:
    """Each chip's words (chips x colours) and those of its likes, averaged by how alike they look (`looks`)."""
    apart = np.abs(seen[:, None] - seen[None]).mean(2)
    logs = BIAS - LIGHT * apart[..., 0] - TINT * apart[..., 1:].mean(2)
    weights = 1 / (1 + np.exp(-np.clip(logs, -30, 30)))
    np.fill_diagonal(weights, 1.0)
    return np.asarray(weights @ words / weights.sum(1, keepdims=True), np.float32)
