"""Noticing at once that the camera was pushed, so that what is known of the cards can be carried along.

`vision.felt.moved` watches over a calibration, once a second, and is in no hurry. This knows no felt: it remembers a
picture at rest, and when much of the picture has changed it asks whether the same things lie there, all of them moved
alike. A verdict counts once two pictures at rest agree on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.felt.background import Background, Shift, compare, remember
from vision.motion import Mask
from vision.sources.values import Image

Homography = NDArray[np.float64]
"""3 x 3; takes pixels before to pixels now."""
State = Literal["still", "shaking", "pushed"]
PARTS: Final = (4, 3)
"""The picture's parts, across and down, that are asked whether something changed in them;"""
WIDELY: Final = 5
"""in so many of them: a hand changes fewer at a time, and a camera that moves changes nearly all."""
REFRESHED: Final = 20.0
"""Seconds after which the picture at rest is remembered anew: glasses, chairs and people come and go."""
ASKED: Final = 0.1
"""Seconds for which it counts, while much moves, that the camera stands still."""
SAME: Final = 3.0
"""Pixels, at 1920 across, that two verdicts may differ and still agree."""
STAYED: Final = 1.0
"""Pixels that the picture may have moved and still be where it was."""
PATIENCE: Final = 3.0
"""Seconds after which a camera that finds no rest is read as well as may be."""


@dataclass(frozen=True, eq=False)
class Push:
    """``shaking``: the camera moves, or has just come to rest; ``pushed``: it rests, and ``matrix`` says where."""

    state: State
    matrix: Homography | None = None


STILL: Final = Push("still")


def widely(masks: Sequence[Mask]) -> bool:
    """Whether the masks (H x W, of one size) together touch most parts of the picture."""
    if not masks:
        return False
    mask = np.logical_or.reduce(masks) if len(masks) > 1 else masks[0]
    rows = np.array_split(mask, PARTS[1], axis=0)
    return sum(bool(part.any()) for row in rows for part in np.array_split(row, PARTS[0], axis=1)) >= WIDELY


class Bumps:
    """Compares pictures with the last one at rest. Used by one thread."""

    def __init__(self) -> None:
        self._background: Background | None = None
        self._remembered_at = -1e9
        self._still_at = -1e9
        self.asks = False
        """Whether much moved just now: `look` wants to see how it came to rest, however little is new by then."""
        self._shaking_since: float | None = None
        self._before: Homography | None = None

    def rests(self, image: Image, at: float) -> None:
        """This picture (H x W x 3, BGR) is as it was before: remember it, once in a while."""
        self._calm()
        if at - self._remembered_at >= REFRESHED:
            self._renew(image, at)

    def look(self, image: Image, at: float, moving: Mask) -> Push:
        """What became of the camera, by a picture in which much has changed; ``moving`` (H x W) is where it moves."""
        shakes = widely([moving])
        self.asks = shakes
        if self._background is None and not shakes:
            self._renew(image, at)
            return STILL
        if self._background is None or (shakes and self._before is None and at - self._still_at < ASKED):
            return STILL
        shift, off = self._shift(image)
        if shift.state == "moved":
            if not shakes and off <= SAME * max(1.0, image.shape[1] / 1920):
                self._calm()
                self._renew(image, at)
                return Push("pushed", shift.homography)
            self._before = shift.homography
            self._shaking_since = at if self._shaking_since is None else self._shaking_since
        waits = self._shaking_since is not None and at - self._shaking_since < PATIENCE
        if waits and shift.state != "still":
            return Push("shaking")
        # Where too little shows to tell it is taken to stand: the cards are then followed by their faces.
        if shift.state != "still" and (not shakes or self._shaking_since is not None):
            # What is read from now on may already be where the camera sees it now.
            self._background, self._remembered_at = None, -1e9
            if not shakes:
                self._renew(image, at)
        self._calm()
        self._still_at = at
        return STILL

    def _renew(self, image: Image, at: float) -> None:
        self._background, self._remembered_at = remember(image), at

    def _calm(self) -> None:
        self._before = self._shaking_since = None

    def _shift(self, image: Image) -> tuple[Shift, float]:
        """How the background lies now, and how many pixels that is from the verdict before."""
        assert self._background is not None
        if self._before is not None and (image.shape[1], image.shape[0]) == self._background.full:
            # Seen as it would be had the camera not been moved so, it shows everything near its old place.
            flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
            back = cv2.warpPerspective(image, self._before, self._background.full, flags=flags)
            rest = compare(self._background, np.asarray(back, np.uint8), far=False)
            if rest.state != "unsure":
                now = np.asarray(self._before @ rest.homography, np.float64)
                home = self._apart(now, np.eye(3)) <= STAYED
                return Shift("still" if home else "moved", now), self._apart(now, self._before)
        return compare(self._background, image), np.inf

    def _apart(self, one: Homography, other: Homography) -> float:
        """How many pixels two movements differ near the picture's corners, at most."""
        assert self._background is not None
        width, height = self._background.full
        places = np.array([[[u * width, v * height]] for u in (0.1, 0.9) for v in (0.1, 0.9)], np.float64)
        return float(np.abs(cv2.perspectiveTransform(places, one) - cv2.perspectiveTransform(places, other)).max())
