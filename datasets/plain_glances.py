"""Small pictures of single indices for the baseline to begin with, so that it learns names before places.

On whole scenes a small network with 52 classes learns for hours where indices are before it learns to name any. The
indices are those that the reader learns from (`datasets.patches`), turned, scaled and lit anew each time: at first
upright and large, in the end any way round and as small as they are in scenes.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from datasets.camera import Rng
from datasets.deck import Floats
from datasets.patches import Patches
from vision.sightings import CARDS, FACES

SIDE = 64
"""Side of a glance in pixels."""
EASIEST, HARDEST, LARGEST = 34.0, 13.0, 50.0
"""How high the smallest index is at first and in the end, and the largest one always, in pixels."""
SHARP = 0.5
"""Shrunk by more than that, a patch is blurred first, or its print would turn to grain."""


def cards_of(patches: Patches) -> np.ndarray:
    """Each patch's number among the 52 cards; -1 where it is no card's index or nobody knows where it lies."""
    numbers = np.array([CARDS.index(face) if face in CARDS else -1 for face in FACES] + [-1])
    placed = np.isfinite(patches.corners).all((1, 2))
    return np.where(placed, numbers[patches.labels], -1)


def glances(patches: Patches, which: Sequence[int] | np.ndarray, rng: Rng, hard: float) -> tuple[Floats, Floats]:
    """N x ``SIDE`` x ``SIDE`` x 3 (BGR, 0 to 255) of the patches ``which``, and the middles of their indices, N x 2.

    ``hard`` goes from 0, upright and large, to 1, turned any way and small.
    """
    pictures = np.empty((len(which), SIDE, SIDE, 3), np.uint8)
    middles = np.empty((len(which), 2), np.float32)
    for k, number in enumerate(which):
        patch, corners = patches.images[number], patches.corners[number]
        middle = corners.mean(0)
        high = np.exp(rng.uniform(np.log(EASIEST + (HARDEST - EASIEST) * hard), np.log(LARGEST)))
        scale = float(high) / max(float(np.linalg.norm(corners[3] - corners[0])), 20.0)
        turn = float(rng.uniform(-1, 1)) * (10 + 170 * hard)
        to = cv2.getRotationMatrix2D((float(middle[0]), float(middle[1])), turn, scale)
        middles[k] = SIDE / 2 + rng.uniform(-8, 8, 2) * (0.3 + 0.7 * hard)
        to[:, 2] += middles[k] - middle
        if scale < SHARP:
            patch = np.asarray(cv2.GaussianBlur(patch, (0, 0), 0.4 / scale), np.uint8)
        pictures[k] = cv2.warpAffine(patch, to, (SIDE, SIDE), borderMode=cv2.BORDER_REPLICATE)
    n = len(pictures)
    lit = pictures * rng.uniform(0.75, 1.25, (n, 1, 1, 1)) + rng.normal(0, 10, (n, 1, 1, 3))
    lit += rng.standard_normal(lit.shape) * rng.uniform(0, 5, (n, 1, 1, 1))
    return np.clip(lit, 0, 255).astype(np.float32), middles
