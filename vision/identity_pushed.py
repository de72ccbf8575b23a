"""What is known of the table and of its cards' places, taken along when the camera was pushed."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.identity_places import Ground, Look, Picture, look_at
from vision.sightings import Quad

Homography = NDArray[np.float64]
"""3 x 3, pixels before to pixels now."""


def in_shrunken(matrix: Homography, scale: float) -> Homography:
    """A movement of the frame's pixels as one of the shrunken picture's; whole numbers are pixels' middles."""
    shrink = np.array([[scale, 0, 0.5 * scale - 0.5], [0, scale, 0.5 * scale - 0.5], [0, 0, 1]])
    return np.asarray(shrink @ matrix @ np.linalg.inv(shrink), np.float64)


def moved_ground(ground: Ground, matrix: Homography) -> Ground:
    """The table where it is seen now. None of it is believed for good: half a pixel off, its edges are learned anew."""
    size = (ground.known.shape[1], ground.known.shape[0])
    known = cv2.warpPerspective((ground.known > 0).astype(np.uint8), matrix, size, flags=cv2.INTER_NEAREST)
    since = cv2.warpPerspective(ground.since, matrix, size, flags=cv2.INTER_NEAREST)
    return replace(
        ground,
        table=_moved(ground.table, matrix),
        before=_moved(ground.before, matrix),
        known=np.asarray(known, np.uint8),
        latest=_moved(ground.latest, matrix),
        since=np.asarray(since, np.float64),
    )


def moved_look(look: Look, ground: Ground, matrix: Homography, quad: Quad, scale: float) -> Look | None:
    """How a card looked, at ``quad`` of the frame now; None where that lies outside of the picture."""
    before = ground.latest.copy()
    before[look.window] = look.patch
    return look_at(_moved(before, matrix), quad, scale, look.light)


def _moved(picture: Picture, matrix: Homography) -> Picture:
    size = (picture.shape[1], picture.shape[0])
    return np.asarray(cv2.warpPerspective(picture, matrix, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)
