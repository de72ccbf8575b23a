"""A source: a feed kept alive by a thread of its own, so that neither a slow reader nor a dead camera blocks anybody.

One thread, the keeper, starts a worker for each connection and watches it. A worker that hangs inside a driver cannot
be stopped from outside; it is left behind (its pictures no longer count) and a new one is tried, at a growing pace.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Condition, Event, Thread
from types import TracebackType

from vision.sources.values import CanRest, Feed, FeedEnded, FeedLost, Frame, Image, SourceStatus, State

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Pacing:
    """Seconds: patience with a connection, and pauses between attempts."""

    opening: float = 20.0
    """A connection without its first picture for so long is given up."""
    stalled: float = 6.0
    """A live connection without a new picture for so long is given up."""
    first_pause: float = 0.5
    longest_pause: float = 5.0
    growth: float = 2.0
    closing: float = 1.0
    """How long closing waits for the threads; they are daemons, so a hung one cannot keep the program alive."""
    abandoned: int = 3
    """With so many hung connections still stuck, no new one is tried until one returns."""


class Source:
    """Pictures from whatever ``connect`` connects to; newest frame wins. Safe to use from several threads."""

    def __init__(self, name: str, connect: Callable[[], Feed], pacing: Pacing | None = None) -> None:
        self.name = name
        self.pacing = pacing or Pacing()
        self._connect = connect
        self._changed = Condition()
        self._closed = Event()
        self._keeper: Thread | None = None
        self._worker: _Worker | None = None
        self._left_behind: list[_Worker] = []
        self._newest: Frame | None = None
        self._taken = True
        self._resting = False
        self._state: State = "starting"
        self._message = f"Opening {name}."
        self._frames = self._dropped = self._reconnects = 0

    def start(self) -> Source:
        """Begin to connect, in the background. Returns itself."""
        with self._changed:
            if self._keeper is None and not self._closed.is_set():
                self._keeper = Thread(target=self._keep, name=f"source {self.name}", daemon=True)
                self._keeper.start()
        return self

    def newest(self, after: int = 0, timeout: float = 0.0) -> Frame | None:
        """The newest frame if its sequence is above ``after``, waiting ``timeout`` seconds for one; None without."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed.is_set() or self._is_newer(after), timeout)
            if not self._is_newer(after):
                return None
            self._taken = True
            return self._newest

    def rest(self, resting: bool) -> None:
        """Say whether nothing moves: then about ten pictures a second are decoded, where that saves anything."""
        self._resting = resting

    def status(self) -> SourceStatus:
        """How the source is doing now."""
        with self._changed:
            message = self._message
            if self._state == "live" and self._worker is not None:
                message = self._worker.feed.message
            return SourceStatus(self._state, message, self._frames, self._dropped, self._reconnects)

    def close(self) -> None:
        """Stop, for good; waits a moment for the threads."""
        with self._changed:
            self._closed.set()
            worker, keeper = self._worker, self._keeper
            if worker:
                worker.cancelled.set()
            self._changed.notify_all()
        until = time.monotonic() + self.pacing.closing
        for thread in (keeper, worker.thread if worker else None):
            if thread is not None:
                thread.join(max(0.0, until - time.monotonic()))

    def __enter__(self) -> Source:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _is_newer(self, after: int) -> bool:
        return self._newest is not None and self._newest.sequence > after

    def _keep(self) -> None:
        pause = self.pacing.first_pause
        while not self._closed.is_set():
            if sum(w.thread.is_alive() for w in self._left_behind) < self.pacing.abandoned:
                worker = _Worker(self._connect(), self)
                with self._changed:
                    self._worker = worker
                worker.thread.start()
                self._watch(worker)
                if self._conclude(worker):
                    return
                if worker.frames:
                    pause = self.pacing.first_pause
            self._closed.wait(pause)
            pause = min(pause * self.pacing.growth, self.pacing.longest_pause)

    def _watch(self, worker: _Worker) -> None:
        """Return when the worker is done, hangs, or the source is closed."""
        with self._changed:
            while not (worker.done or self._closed.is_set()):
                patience = self.pacing.stalled if worker.frames else self.pacing.opening
                left = worker.heard + patience - time.monotonic()
                if left <= 0:
                    worker.cancelled.set()
                    self._left_behind = [w for w in self._left_behind if w.thread.is_alive()] + [worker]
                    worker.trouble = f"{self.name} has sent no picture for {patience:.0f} seconds."
                    return
                self._changed.wait(left)

    def _conclude(self, worker: _Worker) -> bool:
        """Say how the connection ended; whether that was the end of it all."""
        with self._changed:
            self._worker = None
            if self._closed.is_set():
                return True
            self._state = "ended" if worker.ended else "lost"
            self._message = worker.trouble if worker.ended else f"{worker.trouble} Trying again."
            self._changed.notify_all()
            if not worker.ended:
                log.info("%s", self._message)
            return worker.ended

    def _post(self, worker: _Worker, image: Image | None) -> None:
        with self._changed:
            if worker.cancelled.is_set() or worker is not self._worker:
                return
            worker.heard = time.monotonic()
            if image is None:
                return
            if not worker.frames and self._frames:
                self._reconnects += 1
            worker.frames += 1
            self._frames += 1
            self._dropped += not self._taken
            self._taken = False
            self._state = "live"
            self._newest = Frame(self._frames, worker.heard, image, worker.feed.still)
            self._changed.notify_all()

    def _finished(self, worker: _Worker) -> None:
        with self._changed:
            worker.done = True
            self._changed.notify_all()


class _Worker:
    """One connection and its thread."""

    def __init__(self, feed: Feed, source: Source) -> None:
        self.feed = feed
        self.cancelled = Event()
        self.heard = time.monotonic()
        self.frames = 0
        self.done = self.ended = False
        self.trouble = ""
        self._source = source
        self.thread = Thread(target=self._run, name=f"feed {source.name}", daemon=True)

    def _run(self) -> None:
        try:
            self.feed.open(self.cancelled)
            while not self.cancelled.is_set():
                if isinstance(self.feed, CanRest):
                    self.feed.resting = self._source._resting
                self._source._post(self, self.feed.grab())
        except FeedLost as lost:
            self.trouble = str(lost)
        except FeedEnded as ended:
            self.trouble, self.ended = str(ended), True
        except Exception as error:  # a driver's surprise must not end the watching
            log.exception("%s failed", self._source.name)
            self.trouble = f"{self._source.name} failed ({error})."
        finally:
            self.feed.close()
            self._source._finished(self)
