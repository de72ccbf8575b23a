"""A camera that shows all as a mirror does, as selfie cameras and many webcam programs do: frames are turned back."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from vision.sources.values import Frame

SELDOM: Final = 0.5
"""Seconds between two looks at whether a picture is a mirror's."""


class Mirror:
    """Whether frames are turned back; a camera's program may change it while it is watched."""

    def __init__(self) -> None:
        self.turned = False
        self._at: float | None = None

    def upright(self, frame: Frame) -> Frame:
        """The frame as the table looks, as far as is known."""
        return _mirrored(frame) if self.turned else frame

    def asks(self, frame: Frame) -> bool:
        """Whether it is time to look whether ``frame``, an `upright` one, is a mirror's picture."""
        if self._at is not None and abs(frame.at - self._at) < SELDOM:
            return False
        self._at = frame.at
        return True

    def turn(self, frame: Frame) -> Frame:
        """``frame``, an `upright` one that turned out to be a mirror's, turned round, as all after it will be."""
        self.turned = not self.turned
        return _mirrored(frame)


def _mirrored(frame: Frame) -> Frame:
    return replace(frame, image=np.ascontiguousarray(frame.image[:, ::-1]))
