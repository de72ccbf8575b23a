"""Cards that are not flat: bowed across, along or askew by a few millimetres, as worn cards are."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.camera import Rng
from datasets.deck import Floats, Image

STRIPS = 8
"""A bent card is drawn as so many flat strips across its bend."""
MOST_BENT = 6.0
"""Millimetres by which the middle or the ends of a worn card stand off the table."""


@dataclass(frozen=True)
class Bend:
    """``height`` in millimetres: of the middle where ``arched``, else of two edges; ``along`` the card or across."""

    height: float = 0.0
    arched: bool = True
    along: bool = False

    def lift(self, across: NDArray[np.floating], down: NDArray[np.floating]) -> NDArray[np.float64]:
        """Height off the table, in millimetres, of points given as shares (0..1) of the card's width and height."""
        t = 2 * np.asarray(down if self.along else across, np.float64) - 1
        return self.height * (1 - t * t if self.arched else t * t)


FLAT = Bend()


def random_bend(rng: Rng) -> Bend:
    """Most cards lie nearly flat; some are bowed."""
    if rng.random() < 0.55:
        return FLAT
    height = float(min(rng.exponential(1.6), MOST_BENT))
    return Bend(height, bool(rng.random() < 0.5), bool(rng.random() < 0.4))


def strips(bend: Bend) -> NDArray[np.float64]:
    """The corners of the strips as shares of the card: (strips, 4, 2), each clockwise from its top-left."""
    edges = np.linspace(0, 1, (STRIPS if bend.height else 1) + 1)
    out = []
    for a, b in pairwise(edges.tolist()):
        quad = [(0, a), (1, a), (1, b), (0, b)] if bend.along else [(a, 0), (b, 0), (b, 1), (a, 1)]
        out.append(quad)
    return np.array(out, np.float64)


def warped(texture: Image, shares: NDArray[np.float64], seen: Floats, size: tuple[int, int]) -> NDArray[np.float32]:
    """The texture (BGRA) drawn strip by strip into a picture of ``size`` (width, height), transparent around it.

    ``shares`` are the strips' corners on the texture (0..1), ``seen`` the same corners in the picture.
    """
    h, w = texture.shape[:2]
    where = np.full((size[1], size[0], 2), -2.0, np.float32)
    rim = np.zeros((size[1], size[0]), np.uint8)
    for source, target in zip(shares * [w, h], seen, strict=True):
        m = cv2.getPerspectiveTransform(target.astype(np.float32), source.astype(np.float32))
        rim[:] = 0
        corners = target.round().astype(np.int32)
        cv2.fillConvexPoly(rim, corners, 1)
        cv2.polylines(rim, [corners], True, 1, 2)  # one pixel more, so that edges stay smooth and strips meet
        y, x = np.nonzero(rim)
        if len(x):
            points = cv2.perspectiveTransform(np.stack([x, y], 1).astype(np.float32)[None], m)[0]
            where[y, x] = points
    drawn = cv2.remap(texture, where[..., 0] - 0.5, where[..., 1] - 0.5, cv2.INTER_LINEAR, borderValue=(0, 0, 0, 0))
    return np.asarray(drawn, np.float32)
