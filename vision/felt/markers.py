"""The printed markers: finding them in a picture, and the cells of one for printing.

They are ArUco markers of 5 x 5 cells (S. Garrido-Jurado et al., Pattern Recognition 47, 2014). Fewer cells would be
read from farther away but turn up by chance in printed card backs; more need a larger sheet or a sharper camera.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.felt.layout import MODULES
from vision.sightings import Quad
from vision.sources.values import Image

DICTIONARY = "5X5_100"
WIDE = 1600
"""Pictures narrower than this are doubled for the search: the cells of a far marker are only a few pixels wide."""


@dataclass(frozen=True)
class SeenMarker:
    """A marker in a picture; ``corners`` in pixels, from the marker's own top-left, clockwise as seen."""

    id: int
    corners: Quad


def find_markers(image: Image) -> tuple[SeenMarker, ...]:
    """All markers in a picture (H x W x 3 BGR, or H x W grey), by id; of equal ids the largest."""
    grey = np.asarray(image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    scale = 2 if grey.shape[1] < WIDE else 1
    if scale == 2:
        grey = np.asarray(cv2.resize(grey, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC), np.uint8)
    found: dict[int, SeenMarker] = {}
    corners, ids, _ = _detector().detectMarkers(grey)
    for quad, number in zip(corners, [] if ids is None else ids.ravel(), strict=True):
        # Pixel centres are whole numbers: doubling moves them by half a pixel.
        a, b, c, d = ((float(x + 0.5) / scale - 0.5, float(y + 0.5) / scale - 0.5) for x, y in quad.reshape(4, 2))
        seen = SeenMarker(int(number), (a, b, c, d))
        if seen.id not in found or _area(seen) > _area(found[seen.id]):
            found[seen.id] = seen
    return tuple(found[number] for number in sorted(found))


def cells(number: int) -> NDArray[np.bool_]:
    """Which of a marker's ``MODULES`` x ``MODULES`` cells are black, row by row from its top-left."""
    return np.asarray(cv2.aruco.generateImageMarker(_dictionary(), number, MODULES, borderBits=1) < 128)


def _area(seen: SeenMarker) -> float:
    return float(cv2.contourArea(np.array(seen.corners, np.float32)))


@cache
def _dictionary() -> cv2.aruco.Dictionary:
    return cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, f"DICT_{DICTIONARY}"))


def _detector() -> cv2.aruco.ArucoDetector:
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    settings.minMarkerPerimeterRate = 0.02
    return cv2.aruco.ArucoDetector(_dictionary(), settings)
