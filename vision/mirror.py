"""A camera that shows all as a mirror does, as selfie cameras and many webcam programs do: frames are turned back."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from vision.sources.values import Frame

CERTAIN: Final = 8.0
"""From such a logarithm of odds on a camera is turned: three indices, at least, say plainly that it is mirrored."""
SELDOM: Final = 5.0
"""Seconds between two changes of mind: what tells both ways is no reason to turn the picture to and fro."""


class Mirror:
    """Whether frames are turned back; a camera's program may change it while it is watched."""

    def __init__(self) -> None:
        self.turned = False
        self._at: float | None = None

    def upright(self, frame: Frame) -> Frame:
        """The frame as the table looks, as far as is known."""
        return replace(frame, image=np.ascontiguousarray(frame.image[:, ::-1])) if self.turned else frame

    def caught(self, frame: Frame, mirrored: float) -> Frame | None:
        """``frame``, an `upright` one, turned round where a reading of it says that it is ``mirrored`` (a logarithm of
        odds), as all after it will be; None where it is not, or that was said just now of the opposite.
        """
        if mirrored < CERTAIN or (self._at is not None and abs(frame.at - self._at) < SELDOM):
            return None
        self.turned, self._at = not self.turned, frame.at
        return replace(frame, image=np.ascontiguousarray(frame.image[:, ::-1]))
