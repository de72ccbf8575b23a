"""Whether printed markers still lie where the layout has them, under a camera that stands still.

Each marker's surroundings are seen from straight above and its pattern is looked for in them: hundreds of times cheaper
than finding markers anew, and exact to a fraction of a millimetre.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.felt.calibration import Calibration
from vision.felt.layout import MODULES, Layout, Marker
from vision.felt.markers import SeenMarker, cells
from vision.sightings import Point
from vision.sources.values import Image

FINE: Final = 6
"""Pixels a cell that a marker is looked at with."""
ROOM: Final = 12
"""Such pixels that it may have slid and still be found: two cells."""
LIKE: Final = 0.6
"""Correlation with the pattern from which on it is the marker."""
TOLD: Final = 6.0
"""Millimetres that markers must have slid for the felt to have moved: paper curls and is nudged."""
Floats = NDArray[np.float64]


def offset(image: Image, marker: Marker, calibration: Calibration) -> Point | None:
    """How far a marker lies from its place, millimetres along the felt's x and y; None where it is not near it."""
    side = (MODULES + 2) * FINE + 2 * ROOM
    a, b, _, d = np.array(marker.corners)
    across, down = (b - a) / (MODULES * FINE), (d - a) / (MODULES * FINE)
    # The view from above; whole numbers are pixel centres. Over so small a place no lens bends anything.
    first = a + (0.5 - FINE - ROOM) * (across + down)
    ends = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
    there = calibration.to_picture([(float(x), float(y)) for x, y in first + ends[:, :1] * across + ends[:, 1:] * down])
    if not np.isfinite(there).all():
        return None
    to_picture = cv2.getPerspectiveTransform(ends, np.array(there, np.float32))
    seen = cv2.warpPerspective(
        image, to_picture, (side, side), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
    )
    grey = seen if seen.ndim == 2 else cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY)
    likeness = cv2.matchTemplate(grey, _pattern(marker.id), cv2.TM_CCOEFF_NORMED)
    _, best, _, (column, row) = cv2.minMaxLoc(likeness)
    if not best >= LIKE:
        return None
    u = column - ROOM + _peak(likeness[row].astype(np.float64), column)
    v = row - ROOM + _peak(likeness[:, column].astype(np.float64), row)
    away = across * u + down * v
    return (float(away[0]), float(away[1]))


def slid(image: Image, layout: Layout, calibration: Calibration, error_mm: float) -> tuple[Floats | None, int]:
    """How the felt moved under the camera, as a map of its millimetres; and how many markers were found near by.

    None where it did not: a marker that still lies right says so, whatever was done to the others.
    """
    before: list[Point] = []
    after: list[Point] = []
    for marker in layout.markers:
        if marker.id not in calibration.markers:
            continue
        away = offset(image, marker, calibration)
        if away is None:
            continue
        if np.hypot(*away) <= TOLD + error_mm:
            return None, len(before) + 1
        before.append(marker.centre)
        after.append((marker.centre[0] + away[0], marker.centre[1] + away[1]))
    return _rigid(before, after, len(calibration.markers)), len(before)


def slid_far(seen: Sequence[SeenMarker], layout: Layout, calibration: Calibration) -> Floats | None:
    """The same from markers found anywhere in the picture."""
    known = {m.id: m for m in layout.markers if m.id in calibration.markers}
    pairs = [(known[s.id].corners, calibration.to_felt(s.corners)) for s in seen if s.id in known]
    before = [p for one, _ in pairs for p in one]
    after = [p for _, one in pairs for p in one]
    if not pairs or not np.isfinite(after).all():
        return None
    off = [np.linalg.norm(np.mean(one, axis=0) - np.mean(other, axis=0)) for one, other in pairs]
    return _rigid(before, after, 4 * len(calibration.markers)) if min(off) > TOLD else None


def _rigid(before: list[Point], after: list[Point], all_of_them: int) -> Floats | None:
    """The shift and turn that takes two or more places to others; None where they do not tell of one."""
    if len(before) < 2 or 2 * len(before) < all_of_them:
        return None
    found, kept = cv2.estimateAffinePartial2D(np.array(before), np.array(after), ransacReprojThreshold=8.0)
    if found is None or kept is None or not kept.all() or abs(np.hypot(found[0, 0], found[0, 1]) - 1) > 0.03:
        return None
    return np.vstack([found, [0.0, 0.0, 1.0]])


@cache
def _pattern(number: int) -> NDArray[np.uint8]:
    """A marker with its white rim, ``FINE`` pixels a cell, as softly as a lens shows it."""
    white = np.pad(~cells(number), 1, constant_values=True)
    sharp = np.kron(white, np.ones((FINE, FINE))) * 200 + 25
    return np.asarray(cv2.GaussianBlur(sharp, (0, 0), 1.2), np.uint8)


def _peak(values: Floats, at: int) -> float:
    """Where between pixels a peak lies: the top of the parabola through it and its neighbours, -0.5 to 0.5."""
    if not 0 < at < len(values) - 1:
        return 0.0
    low, top, high = (float(v) for v in values[at - 1 : at + 2])
    bend = low - 2 * top + high
    return 0.0 if bend >= 0 else 0.5 * (low - high) / bend
