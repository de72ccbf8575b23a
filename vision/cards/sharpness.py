"""Whether a picture is sharp where its cards show something: how wide the edges of indices are."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.cards.patches import PATCH_HEIGHT, Floats, Image, cut_patch, pyramid
from vision.sightings import Quad, Reading

LEAST_CONTRAST = 40.0
"""Between the darkest and the lightest of an index, of 255; a fainter one has no edges to measure."""


def edge_width(patch: Image) -> float | None:
    """From dark to light, in shares of the patch's height; None where it has no contrast.

    The steepest slopes of a sharp index cross its whole range within a few of the patch's pixels.
    """
    grey = cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY).astype(np.float32)
    low, high = np.percentile(grey, (3, 97))
    if high - low < LEAST_CONTRAST:
        return None
    across = cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=1 / 8)
    down = cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=1 / 8)
    steepest = float(np.percentile(np.hypot(across, down), 97))
    return float((high - low) / max(steepest, 1e-3) / PATCH_HEIGHT)


def typical_edge(image: Image, quads: Sequence[Quad]) -> float | None:
    """The median `edge_width` of the indices in these quads; None where none can be measured."""
    levels = pyramid(image)
    widths = [edge_width(cut_patch(levels, _as_array(quad))[0]) for quad in quads]
    found = [width for width in widths if width is not None]
    return float(np.median(found)) if found else None


def _as_array(quad: Quad) -> Floats:
    return np.array(quad, np.float32)


def index_edges(image: Image, reading: Reading) -> float | None:
    """`typical_edge` of every index that was read in the picture."""
    return typical_edge(image, [quad for s in reading.sightings for quad in s.indices])
