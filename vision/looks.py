"""Looking at frames: part by part, and the right way round where the camera shows all as a mirror does.

Selfie cameras do, and many webcam programs. Once that is seen every frame is turned back before anything looks at it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from vision.bumps import Homography
from vision.motion import Box, Mask, area
from vision.sightings import Reading
from vision.sources.values import Frame
from vision.watch_values import CanLook, CanRead, Looked, Shot

SELDOM: Final = 0.5
"""Seconds between two looks at whether a picture is a mirror's."""


SAID: Final = 60.0
"""Seconds for which it is told that frames are turned back."""
MIRRORED: Final = (
    "The camera’s picture is mirrored; it is turned back from here on. Check the cards that were dealt before, and "
    "switch mirroring off in the camera’s program."
)


class Looks:
    """One look after another; each keeps of the last what lies elsewhere. ``whole`` is the share of a frame from which
    on all of it is read."""

    def __init__(self, reader: CanRead, whole: float) -> None:
        self._reader, self._whole = reader, whole
        self._last: Looked | None = None
        self.turned = False
        """Whether frames are turned back."""
        self._asked_at: float | None = None
        self._turned_at = 0.0

    @property
    def message(self) -> str:
        """That frames are turned back, as sentences, for as long as it is new; else empty."""
        return MIRRORED if self.turned and time.monotonic() - self._turned_at < SAID else ""

    def forget(self) -> None:
        """Keep nothing of the last look."""
        self._last = None

    def read(self, shot: Shot, boxes: Sequence[Box] | None) -> tuple[Reading, Mask]:
        """A reading of these boxes with the rest kept from before, and what was read in it."""
        image, shape = shot.frame.image, (shot.grey.shape[0], shot.grey.shape[1])
        everything = np.ones(shape, np.bool_)
        if not isinstance(self._reader, CanLook):
            return self._reader.read(image), everything
        if boxes is None or shot.frame.still or area(boxes, shot.scale, shape).mean() >= self._whole:
            self._last = self._reader.look(image)
            return self._last.reading, everything
        self._last = self._reader.look(image, self._last, boxes)
        return self._last.reading, area(self._last.boxes, shot.scale, shape)

    def upright(self, frame: Frame) -> Frame:
        """The frame as the table looks, as far as is known."""
        return _in_mirror(frame) if self.turned else frame

    def mirrored(self, frame: Frame) -> bool:
        """Whether the frame, which was just read, shows all as a mirror does."""
        reader, look = self._reader, self._last
        if not isinstance(reader, CanLook) or look is None or not look.may_be_mirrored or not self._asks(frame.at):
            return False
        return reader.turned_back(frame.image, look) is not None

    def turn(self, frame: Frame) -> Frame:
        """The frame, which is a mirror's picture, turned round, as all after it will be."""
        self.turned, self._turned_at = not self.turned, time.monotonic()
        return _in_mirror(frame)

    def _asks(self, at: float) -> bool:
        """What does not become plain is not looked at all the time."""
        if self._asked_at is not None and abs(at - self._asked_at) < SELDOM:
            return False
        self._asked_at = at
        return True


def in_mirror(width: int) -> Homography:
    """What takes a picture's pixels to those of its mirror image, of so many pixels across."""
    return np.array([[-1.0, 0.0, width - 1.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])


def _in_mirror(frame: Frame) -> Frame:
    return replace(frame, image=np.ascontiguousarray(frame.image[:, ::-1]))
