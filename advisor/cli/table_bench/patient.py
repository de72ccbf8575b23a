"""A camera whose film waits: between two frames so much of the film passes as the table took of the processor.

So a crowded machine is no reason for a wrong result, and the delays are those of a machine with nothing else to do: the
table's own work is what time is counted by. Everything runs in the table's own thread, in the same order each time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from threading import Event
from typing import Final

from datasets.rounds.camera import Shot
from datasets.rounds.film import Film
from vision.sources import Frame, Source, SourceStatus
from vision.sources.values import Feed, FeedLost

LATE: Final = 600.0
"""The film's first second on the table's clock, which may begin anywhere."""


class PatientSource(Source):
    """Gives the film's frames one by one; `due` are things to do at their second of the film, in order."""

    def __init__(self, shot: Shot, due: Sequence[tuple[float, Callable[[], None]]] = ()) -> None:
        super().__init__("The film", _nothing)
        self.film = Film(shot.script, shot.seed, shot.conditions)
        self.over = Event()
        self.ages: list[float] = []
        self.work: list[tuple[float, float]] = []
        """For each frame its second, and the seconds of the processor that the table spent on it."""
        self._due = list(due)
        self._at, self._mark = 0.0, 0.0
        self._given = 0

    @property
    def now(self) -> float:
        """The film's second now: that of the frame last given, and the work done since."""
        return self._at + self._spent()

    def start(self) -> Source:
        """Nothing to begin: each frame is made when it is asked for."""
        return self

    def newest(self, after: int = 0, timeout: float = 0.0) -> Frame | None:
        """The frame that is due; None once the film is over."""
        fps = self.film.conditions.fps
        if self._given:
            spent = self._spent()
            self.work.append((self._at, spent))
            self._at = (round(self._at * fps) + max(1, -int(-spent * fps // 1))) / fps
        number = round(self._at * fps)
        if number >= self.film.frames or self.over.is_set():
            self.over.set()
            time.sleep(timeout)
            return None
        image = self.film.frame(number)
        self._mark = time.process_time()
        while self._due and self._due[0][0] <= self._at:
            self._due.pop(0)[1]()
        self._given += 1
        self.ages.append(0.0)
        return Frame(self._given, LATE + self._at, image)

    def status(self) -> SourceStatus:
        """As `Source.status`."""
        passed = round(self._at * self.film.conditions.fps)
        return SourceStatus("live", "Showing a film.", passed, max(0, passed - self._given))

    def close(self) -> None:
        """End the film."""
        self.over.set()

    def share(self, begins: float, ends: float) -> float:
        """The share of one core that the table took between two seconds."""
        spent = [work for at, work in self.work if begins <= at < ends]
        return sum(spent) / max(1e-6, ends - begins)

    def _spent(self) -> float:
        return time.process_time() - self._mark if self._given else 0.0


def _nothing() -> Feed:
    raise FeedLost("the film needs no connection")
