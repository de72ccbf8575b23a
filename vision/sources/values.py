"""What a source hands out, and the ways it can fail."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Event
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
"""H x W x 3, BGR. A frame's image is shared: nobody writes into it."""
State = Literal["starting", "live", "lost", "ended"]


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture: ``sequence`` counts up from 1 over the life of the source, taken ``at`` seconds (monotonic).

    ``still`` says that the picture is a photograph rather than a moment of a film: nothing in it is moving.
    """

    sequence: int
    at: float
    image: Image
    still: bool = False


@dataclass(frozen=True)
class SourceStatus:
    """How a source is doing.

    ``starting`` no picture yet, ``live`` pictures come, ``lost`` they stopped or never came (it is being tried again),
    ``ended`` there are no more by nature. ``message`` is a sentence for people. ``dropped`` frames were replaced by a
    newer one before anybody took them; ``reconnects`` counts how often the pictures came back.
    """

    state: State
    message: str
    frames: int = 0
    dropped: int = 0
    reconnects: int = 0


class SourceError(ValueError):
    """A source cannot be used at all; the text says why and what to do."""


class FeedLost(Exception):  # noqa: N818 - an event in a feed's life, named as one
    """No pictures for now; the text is a sentence for people. Opening again may help."""


class FeedEnded(Exception):  # noqa: N818
    """No more pictures, by nature; the text is a sentence for people."""


class Feed(Protocol):
    """One connection to something that gives pictures; used by one thread, opened once."""

    message: str
    """A sentence about what is shown, while it is live."""
    still: bool
    """Whether its pictures are photographs, each shown for a while."""

    def open(self, cancelled: Event) -> None:
        """Connect. Raises :class:`FeedLost`. Waits on ``cancelled`` wherever it would sleep, here and later."""

    def grab(self) -> Image | None:
        """The next picture, when it is due; None says that the last one still stands.

        Raises :class:`FeedLost` or :class:`FeedEnded`.
        """

    def close(self) -> None:
        """Let go; never raises."""


class Capture(Protocol):
    """The part of ``cv2.VideoCapture`` that is used, so that a camera can be played by something else."""

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        """Whether there is anything to read."""

    def read(self) -> tuple[bool, Any]:
        """Whether there was a picture, and the picture."""

    def get(self, prop: int, /) -> float:
        """One property."""

    def set(self, prop: int, value: float, /) -> bool:
        """Ask for a property; whether it was granted."""

    def release(self) -> None:
        """Let go of the device."""


@runtime_checkable
class CanSkip(Protocol):
    """A :class:`Capture` that takes a picture off the device without decoding it, as ``cv2.VideoCapture`` does."""

    def grab(self) -> bool:
        """Whether there was a picture."""


@runtime_checkable
class CanRest(Protocol):
    """A :class:`Feed` that can do with fewer pictures."""

    resting: bool
    """Whether nothing moves, so that a few pictures a second are enough."""


class OpenCapture(Protocol):
    """What makes a :class:`Capture`, called as ``cv2.VideoCapture`` is."""

    def __call__(self, target: int | str, backend: int, options: list[int], /) -> Capture:
        """Open the webcam ``target`` or the file or address ``target``."""
