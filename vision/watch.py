"""The live loop: take the newest frame, read it if the table changed, publish what was read.

A frame that differs from the one before shows something moving, and what moves is not worth reading: the loop waits
until the picture rests. Where it never rests (a hand that stays, a shaking camera) it reads every so often all the
same, and trusts a reading once the next one agrees.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Event, Lock, Thread
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.sightings import CardSighting, Reading, TableView
from vision.sources.values import Frame, Image

log = logging.getLogger(__name__)
STOPPING = 1.5
"""Seconds that stopping waits for a reading under way; the thread is a daemon."""


class CanRead(Protocol):
    """What finds cards: :class:`vision.cards.reader.CardReader`, or a stand-in."""

    def read(self, image: Image, /) -> Reading:
        """Everything seen in ``image``."""


class Frames(Protocol):
    """What gives frames: :class:`vision.sources.Source`, or a stand-in."""

    def newest(self, after: int, timeout: float) -> Frame | None:
        """The newest frame above ``after``."""


@dataclass(frozen=True)
class Settings:
    """How the loop decides; grey levels are 0 to 255, seconds are seconds."""

    width: int = 320
    """Frames are compared at this width, in grey."""
    step: int = 14
    """A pixel whose grey differs by more has changed; sensor noise, averaged by the shrinking, stays far below."""
    least: int = 3
    """So many changed pixels make a changed picture: a card of 30 pixels in a 1080p frame covers about 30 of them."""
    restless: float = 0.6
    """While the picture moves it is read this often all the same."""
    wait: float = 0.25
    """How long one turn of the loop waits for a frame."""


@dataclass(frozen=True, eq=False)
class Observation:
    """A frame and what was read in it.

    ``settled`` is whether the reading may be relied on, ``moving`` whether the picture moved when it was taken.
    """

    view: TableView
    image: Image
    settled: bool
    moving: bool


@dataclass(frozen=True)
class WatchStatus:
    """How the loop is doing: frames taken, read and passed over, failures, the last failure in words, a read's time."""

    taken: int = 0
    read: int = 0
    skipped: int = 0
    failures: int = 0
    failure: str = ""
    read_ms: float = 0.0


class Watch:
    """The loop; ``on_view`` gets every reading, ``show`` (optional) every frame that looks new, read or not."""

    def __init__(
        self,
        source: Frames,
        reader: CanRead,
        on_view: Callable[[Observation], None],
        show: Callable[[Frame], None] | None = None,
        settings: Settings | None = None,
    ) -> None:
        self._source, self._reader, self._on_view, self._show = source, reader, on_view, show
        self.settings = settings or Settings()
        self._lock = Lock()
        self._status = WatchStatus()
        self._before: tuple[Frame, NDArray[np.uint8]] | None = None
        self._last: tuple[Observation, NDArray[np.uint8]] | None = None
        self._passed_over = False
        self._read_at = -1e9
        self._stop = Event()
        self._thread: Thread | None = None

    def start(self) -> None:
        """Run the loop in a thread of its own."""
        if self._thread is None:
            self._thread = Thread(target=self.run, args=(self._stop,), name="watch", daemon=True)
            self._thread.start()

    def stop(self, timeout: float = STOPPING) -> None:
        """End that thread, for good; waits ``timeout`` seconds at most for the picture that is being read."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout)

    @property
    def read_count(self) -> int:
        """How many pictures were read."""
        return self.status().read

    @property
    def errors(self) -> int:
        """How many pictures could not be read."""
        return self.status().failures

    @property
    def last_error(self) -> str:
        """The last failure as a sentence; empty once a picture was read again."""
        return self.status().failure

    def status(self) -> WatchStatus:
        """Safe to ask from another thread."""
        with self._lock:
            return self._status

    def run(self, stop: Event) -> None:
        """Loop until ``stop`` is set; a failure in one frame is counted and logged, never the end."""
        sequence = 0
        while not stop.is_set():
            try:
                frame = self._source.newest(sequence, self.settings.wait)
                if frame is None:
                    self.pause()
                    continue
                sequence = frame.sequence
                self.turn(frame)
            except Exception as error:
                log.exception("frame %d could not be read", sequence)
                self._before = self._last = None
                self._passed_over = False
                self._count(failures=1, failure=f"A picture could not be read ({type(error).__name__}: {error}).")
                # A fault that repeats must not become a busy loop.
                stop.wait(self.settings.wait)

    def turn(self, frame: Frame) -> Observation | None:
        """One turn of the loop with ``frame``; what it published, if anything."""
        self._count(taken=1)
        before = self._before
        same = before is not None and frame.image is before[0].image
        small = before[1] if before is not None and same else self._small(frame.image)
        moving = not frame.still and (before is None or (not same and self.changed(before[1], small)))
        self._before = (frame, small)
        self._passed_over = False
        if self._last is None or self.changed(self._last[1], small):
            if self._show is not None:
                self._show(frame)
            if moving and frame.at - self._read_at < self.settings.restless:
                self._passed_over = True
                self._count(skipped=1)
                return None
            return self._read(frame, small, moving)
        last = self._last[0]
        if not moving and not last.settled:
            return self._send(replace(last, settled=True, moving=False), small)
        self._count(skipped=1)
        return None

    def pause(self) -> Observation | None:
        """No frame came: one passed over while it moved is read now, for it may be the last for long."""
        if not self._passed_over or self._before is None:
            return None
        self._passed_over = False
        return self._read(*self._before, moving=True)

    def _read(self, frame: Frame, small: NDArray[np.uint8], moving: bool) -> Observation:
        began = time.perf_counter()
        self._read_at = frame.at
        reading = self._reader.read(frame.image)
        settled = not moving or (self._last is not None and agree(self._last[0].view.reading, reading))
        self._count(read=1, read_ms=(time.perf_counter() - began) * 1000)
        view = TableView(frame.sequence, frame.at, reading)
        return self._send(Observation(view, frame.image, settled, moving), small)

    def _send(self, seen: Observation, small: NDArray[np.uint8]) -> Observation:
        self._last = (seen, small)
        self._on_view(seen)
        return seen

    def _small(self, image: Image) -> NDArray[np.uint8]:
        height, width = image.shape[:2]
        # Even a small picture is shrunk by three, so that its noise is averaged.
        scale = min(1 / 3, self.settings.width / width)
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        grey = cv2.cvtColor(cv2.resize(image, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
        return np.asarray(grey, np.uint8)

    def changed(self, one: NDArray[np.uint8], other: NDArray[np.uint8]) -> bool:
        """Whether two shrunken frames show different things; a little more light over all of it is no change."""
        if one is other:
            return False
        if one.shape != other.shape:
            return True
        difference = other.astype(np.int16) - one
        difference -= np.int16(np.median(difference))
        return int(np.count_nonzero(np.abs(difference) > self.settings.step)) >= self.settings.least

    def _count(
        self,
        taken: int = 0,
        read: int = 0,
        skipped: int = 0,
        failures: int = 0,
        failure: str | None = None,
        read_ms: float | None = None,
    ) -> None:
        with self._lock:
            s = self._status
            self._status = WatchStatus(
                s.taken + taken,
                s.read + read,
                s.skipped + skipped,
                s.failures + failures,
                # A good reading ends what the last failure had to say.
                failure if failure is not None else ("" if read else s.failure),
                s.read_ms if read_ms is None else read_ms,
            )


def agree(one: Reading, other: Reading, reach: float = 0.35) -> bool:
    """Whether two readings hold the same cards in the same places, within ``reach`` of a card's diagonal."""
    left = list(other.sightings)
    if len(left) != len(one.sightings):
        return False
    for sighting in one.sightings:
        limit = reach * _diagonal(sighting)
        match = next(
            (
                s
                for s in left
                if (s.kind, s.label) == (sighting.kind, sighting.label) and _distance(s, sighting) <= limit
            ),
            None,
        )
        if match is None:
            return False
        left.remove(match)
    return True


def _diagonal(s: CardSighting) -> float:
    (ax, ay), _, (cx, cy), _ = s.corners
    return float(np.hypot(cx - ax, cy - ay))


def _distance(a: CardSighting, b: CardSighting) -> float:
    return float(np.hypot(a.centre[0] - b.centre[0], a.centre[1] - b.centre[1]))
