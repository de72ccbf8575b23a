"""A camera that sees a film: frames are rendered ahead in another process and come when they are due.

The renderer's work is therefore no part of what the table costs. A frame that could not be rendered in time is left
out, as a camera's would be, and counted.
"""

from __future__ import annotations

import multiprocessing as mp
import time
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

SLOTS: Final = 6
"""Frames that shared memory holds: one is written, the newest is read, the others give time to copy it."""
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
        self._memory = SharedMemory(create=True, size=SLOTS * int(np.prod(self.shape)))
        context = mp.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_render, args=(shot, self._memory.name, theirs), daemon=True)
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
        if not self._pipe.poll(timeout):
            return None
        told = self._received()
        while self._pipe.poll(0):
            told = self._received()
        slot, self.late = told
        if passed_over:
            return None
        return np.array(_frames(self._memory, self.shape)[slot])

    def _received(self) -> Any:
        try:
            return self._pipe.recv()
        except (EOFError, ConnectionResetError) as error:
            raise EOFError("the film is over") from error

    def close(self) -> None:
        """End the process and give its memory back."""
        self._process.terminate()
        self._process.join(5)
        self._pipe.close()
        self._memory.close()
        self._memory.unlink()


def _frames(memory: SharedMemory, shape: tuple[int, int, int]) -> NDArray[np.uint8]:
    """The slots as pictures."""
    return np.ndarray((SLOTS, *shape), np.uint8, memory.buf)


def _render(shot: Shot, name: str, pipe: Connection) -> None:
    """The other process: renders each frame, waits until it is due, and says in which slot it lies."""
    cv2.setNumThreads(1)
    film = Film(shot.script, shot.seed, shot.conditions)
    memory = SharedMemory(name=name)
    frames = _frames(memory, (shot.conditions.height, shot.conditions.width, 3))
    rate = shot.conditions.fps
    film.frame(0)
    try:
        pipe.send("ready")
        began = float(pipe.recv())
        number, late, sent = 0, 0, 0
        while number < film.frames:
            slot = sent % SLOTS
            frames[slot] = film.frame(number)
            due = began + number / rate
            time.sleep(max(0.0, due - time.monotonic()))
            pipe.send((slot, late))
            sent += 1
            # What should be shown by now is not rendered any more.
            now = int((time.monotonic() - began) * rate)
            late += max(0, now - number - 1)
            number = max(number + 1, now)
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
