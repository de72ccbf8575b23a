"""How much lighter one frame is than another that shows the same: all of it, or band by band.

A lamp that flickers with the mains lights the rows of a rolling shutter one after another: bands of light and shade
wander over the picture, or all of it pulses. What is white changes most by it, as light multiplies.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Grey = NDArray[np.uint8]
DARK = 8.0
"""Added to every level, so that dark pixels, which are mostly noise, do not make a band's light."""
WEAKEST, STRONGEST = 0.6, 1.7
"""A band is not darker or lighter than this by the light alone."""
SMOOTH = 5
"""Rows over which a band's light is evened out: their median, then their mean."""
LEAST, STEEPEST = 0.02, 9.0
"""So much more or less light somewhere is worth calling bands, and so much more at most over a picture's height, were
it as steep all over as where it is steepest: .05 from row to row of 180. Between two frames with bands of 15 % more and
less light, three over the picture, it is .03; the edge of an arm that lies across the picture is steeper."""
MIDDLE, LENIENT, MUCH = 128, 8, 0.15
"""Above the first of these levels every eighth counts as a level more that a pixel may be off where there is so much
more or less light: what was white beyond measure was taken for darker in less light than it is."""
WHITE = 250
"""From here on a pixel may have been lighter than it shows, and stays white in less light."""


def light_between(one: Grey, other: Grey) -> int:
    """How many levels lighter most of the second picture is: a lamp, a cloud, or the camera's exposure."""
    # Every second pixel of every second row tells as much.
    few, others = one[::2, ::2], other[::2, ::2]
    counts = np.bincount((others.astype(np.int16) - few + 255).ravel(), minlength=511)
    return int(np.searchsorted(np.cumsum(counts), few.size / 2)) - 255


@dataclass(frozen=True, eq=False)
class Bands:
    """So many times as light is each row (H x 1) or column (1 x W) of a picture as it was before."""

    gains: NDArray[np.float32]

    def lit(self, grey: Grey) -> Grey:
        """A picture of before in the light of now."""
        return _times(grey, self.gains)

    def unlit(self, grey: Grey) -> Grey:
        """A picture of now in the light of before."""
        return _times(grey, np.float32(1) / self.gains)

    def changed(self, one: Grey, other: Grey, step: int) -> NDArray[np.bool_]:
        """Where the second picture is more than ``step`` levels from the first in the light of now."""
        lit = self.lit(one).astype(np.int16)
        share = np.minimum(np.abs(self.gains - 1) / MUCH, 1)
        most = step + (np.maximum(lit - MIDDLE, 0) / LENIENT * share).astype(np.int16)
        difference = other - lit
        return np.asarray((difference < -most) | ((difference > most) & (one < WHITE)), np.bool_)


def bands_between(one: Grey, other: Grey, across: bool) -> Bands | None:
    """The light of each row (or column, as a phone held upright shows them) by the middle one of its pixels.

    None where there is hardly more or less light than before, or where it does not go over from row to row as light
    does: an arm that lies across the picture ends somewhere.
    """
    first, second = (one[:, ::2], other[:, ::2]) if across else (one[::2].T, other[::2].T)
    gains = np.median((second + np.float32(DARK)) / (first + np.float32(DARK)), axis=1).astype(np.float32)
    column = cv2.medianBlur(np.clip(gains, WEAKEST, STRONGEST)[:, None], 3)
    if np.abs(column - 1).max() < LEAST or np.abs(np.diff(column[:, 0])).max(initial=0.0) > STEEPEST / len(column):
        return None
    even = cv2.blur(cv2.medianBlur(column, SMOOTH), (1, SMOOTH), borderType=cv2.BORDER_REPLICATE)
    column = np.asarray(even, np.float32).reshape(-1, 1)
    return Bands(column if across else column.T)


def _times(grey: Grey, gains: NDArray[np.float32]) -> Grey:
    lit = (grey + np.float32(DARK)) * gains - np.float32(DARK - 0.5)
    return np.asarray(np.clip(lit, 0, 255), np.uint8)
