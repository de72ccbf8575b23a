"""A camera that sees a film: frames are rendered ahead in another process and come when they are due.

The renderer's work is therefore no part of what the table costs, and it is done while the table rests: the process
gives way to any other and is some seconds ahead. A frame that could not be rendered in time is left out, as a camera's
would be, and counted.
"""

from __future__ import annotations

import multiprocessing as mp
import os
import shutil
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.shared_memory import SharedMemory
from threading import Event
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.rounds.film import Conditions, Film
from datasets.rounds.script import Script
from vision.sources import Frame, Source
from vision.sources.feeds import SELDOM
from vision.sources.values import FeedEnded, FeedLost, Image

AHEAD: Final = 3.0
"""Seconds that a film is rendered ahead, where shared memory has the room."""
SPARE: Final = 5
"""Frames that shared memory holds besides: one is written, the newest is read, the others give time to copy it."""
GIVES_WAY: Final = 5
"""How far behind others the renderer gets the processor (`os.nice`): with more it would starve on a busy machine."""
ROOM: Final = 1 << 30
"""Bytes of shared memory that a film may take."""
PATIENCE: Final = 120.0
"""Seconds that setting up a film may take on a busy machine."""


@dataclass(frozen=True)
class Shot:
    """A film as another process makes it."""

    script: Script
    seed: int
    conditions: Conditions


class FilmCamera:
    """The process that renders one film. `begin` starts its clock; `close` ends it whatever it does."""

    def __init__(self, shot: Shot) -> None:
        self.shot = shot
        c = shot.conditions
        self.shape = (c.height, c.width, 3)
        self.late = 0
        """Frames left out because they were not rendered in time."""
        self.began = 0.0
        """When the film's first second began, on the monotonic clock; 0 before."""
        each = int(np.prod(self.shape))
        self._slots = SPARE + max(1, min(round(AHEAD * c.fps), _room() // each - SPARE))
        self._memory = SharedMemory(create=True, size=self._slots * each)
        self._rendered: deque[tuple[int, int]] = deque()
        """Numbers of frames that lie ready, in order, and how many had been left out before each."""
        self._over = False
        context = mp.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        told = (shot, self._memory.name, self._slots, theirs)
        self._process = context.Process(target=_render, args=told, daemon=True)
        self._process.start()
        theirs.close()

    def ready(self) -> None:
        """Wait until the film is set up; raises `RuntimeError` where it cannot be."""
        if not self._pipe.poll(PATIENCE) or self._received() != "ready":
            raise RuntimeError("the film could not be set up")

    def begin(self) -> float:
        """Start the film's clock; the second at which it begins."""
        self.began = time.monotonic() + 0.3
        self._pipe.send(self.began)
        return self.began

    def newest(self, timeout: float, passed_over: bool = False) -> Image | None:
        """The newest frame that is due, as a copy; None where none came. Raises `EOFError` at the film's end.

        One that is `passed_over` is taken off the camera and not copied.
        """
        until = time.monotonic() + timeout
        found = None
        while found is None:
            self._collect(max(0.0, until - time.monotonic()) if not self._rendered else 0.0)
            while self._rendered and self._due(self._rendered[0][0]) <= time.monotonic():
                found = self._rendered.popleft()
            if found is None:
                if not self._rendered and self._over:
                    raise EOFError("the film is over")
                following = self._due(self._rendered[0][0]) if self._rendered else until
                time.sleep(max(0.0, min(following, until) - time.monotonic()))
                if following > until or time.monotonic() >= until:
                    return None
        number, self.late = found
        if passed_over:
            return None
        return np.array(_frames(self._memory, self._slots, self.shape)[number % self._slots])

    def _due(self, number: int) -> float:
        return self.began + number / self.shot.conditions.fps

    def _collect(self, timeout: float) -> None:
        """Take what was rendered meanwhile; where nothing was, wait for it."""
        while not self._over and self._pipe.poll(timeout):
            try:
                self._rendered.append(self._received())
            except EOFError:
                self._over = True
            timeout = 0.0

    def _received(self) -> Any:
        try:
            return self._pipe.recv()
        except (EOFError, ConnectionResetError) as error:
            raise EOFError("the film is over") from error

    def check(self) -> None:
        """Raise `RuntimeError` where the process ended before its film did, such as one that was killed for memory."""
        if self._process.exitcode not in (None, 0):
            raise RuntimeError("the film broke off: the process that renders it ended before the film did")

    def close(self) -> None:
        """End the process and give its memory back."""
        self._process.terminate()
        self._process.join(5)
        self._pipe.close()
        self._memory.close()
        self._memory.unlink()


def _room() -> int:
    """Bytes that a film may take: half of what is left where the system says so, and `ROOM` at most."""
    try:
        return min(ROOM, shutil.disk_usage("/dev/shm").free // 2)
    except OSError:
        return ROOM


def _frames(memory: SharedMemory, slots: int, shape: tuple[int, int, int]) -> NDArray[np.uint8]:
    """The slots as pictures; a frame lies in the slot of its number."""
    return np.ndarray((slots, *shape), np.uint8, memory.buf)


def _render(shot: Shot, name: str, slots: int, pipe: Connection) -> None:
    """The other process: renders each frame while the one that lay in its slot is past, and says that it is there."""
    cv2.setNumThreads(1)
    film = Film(shot.script, shot.seed, shot.conditions)
    memory = SharedMemory(name=name)
    frames = _frames(memory, slots, (shot.conditions.height, shot.conditions.width, 3))
    rate = shot.conditions.fps
    film.frame(0)
    if hasattr(os, "nice"):
        os.nice(GIVES_WAY)
    try:
        pipe.send("ready")
        began = float(pipe.recv())
        number, late = 0, 0
        while number < film.frames:
            time.sleep(max(0.0, began + (number - slots + SPARE) / rate - time.monotonic()))
            frames[number % slots] = film.frame(number)
            pipe.send((number, late))
            # What should be shown by now is not rendered any more.
            following = max(number + 1, int((time.monotonic() - began) * rate))
            # The newest frame may be copied just now.
            following += int((following - number) % slots == 0)
            late += following - number - 1
            number = following
    except (BrokenPipeError, EOFError, ConnectionResetError):
        pass
    finally:
        del frames
        memory.close()
        pipe.close()


class FilmFeed:
    """A connection of `vision.sources` to a film's camera."""

    still = False

    def __init__(self, camera: FilmCamera) -> None:
        self.message = "Showing a film."
        self.resting = False
        self._camera, self._cancelled = camera, Event()
        self._copied_at = -1e9

    def open(self, cancelled: Event) -> None:
        """Nothing to connect: the process runs already."""
        self._cancelled = cancelled

    def grab(self) -> Image | None:
        """The newest frame, while nothing moves ten a second as of a camera; raises `FeedEnded` after the last."""
        passed_over = self.resting and time.monotonic() - self._copied_at < SELDOM
        try:
            image = self._camera.newest(0.2, passed_over)
        except EOFError:
            raise FeedEnded("The film has ended.") from None
        except OSError as error:
            raise FeedLost(f"The film's camera has stopped ({error}).") from error
        if image is not None:
            self._copied_at = time.monotonic()
        return image

    def close(self) -> None:
        """The camera is closed by whoever made it."""


class FilmSource(Source):
    """A source that notes how old each frame was when somebody took it: where a queue grew, so would their age."""

    def __init__(self, camera: FilmCamera) -> None:
        connect: Callable[[], FilmFeed] = lambda: FilmFeed(camera)  # noqa: E731 - a connection is made when asked for
        super().__init__("The film", connect)
        self.ages: list[float] = []

    def newest(self, after: int = 0, timeout: float = 0.0) -> Frame | None:
        """As `Source.newest`."""
        frame = super().newest(after, timeout)
        if frame is not None:
            self.ages.append(time.monotonic() - frame.at)
        return frame
