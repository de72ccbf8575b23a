"""A camera whose film waits: so much of it passes as the table's own work took, or was charged with.

So a crowded machine is no reason for a wrong result, and the delays are those of a machine with nothing else to do.
Everything runs in the table's own thread, in the same order each time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from threading import Event
from typing import Final

from advisor.cli.table_bench.ledger import FRAME, Ledger
from datasets.rounds.camera import Shot
from datasets.rounds.film import Film
from vision.sources import Frame, Source, SourceStatus
from vision.sources.feeds import SELDOM
from vision.sources.values import Feed, FeedLost

LATE: Final = 600.0
"""The film's first second on the table's clock, which may begin anywhere."""


class PatientSource(Source):
    """Gives the newest of the film's frames; `due` are things to do at their second of the film, in order.

    Time is the processor's, or what is charged to a `ledger`.
    """

    def __init__(
        self, shot: Shot, due: Sequence[tuple[float, Callable[[], None]]] = (), ledger: Ledger | None = None
    ) -> None:
        super().__init__("The film", _nothing)
        self.film = Film(shot.script, shot.seed, shot.conditions)
        self.over = Event()
        self.ages: list[float] = []
        self.work: list[tuple[float, float]] = []
        """For each frame the second at which it was taken, and the seconds of work that the table spent on it."""
        self._due = list(due)
        self._ledger = ledger
        self._clock: Callable[[], float] = ledger or time.process_time
        self._at, self._mark = 0.0, 0.0
        self._given, self._number = 0, -1

    @property
    def now(self) -> float:
        """The film's second now: that at which the last frame was taken, and the work done since."""
        return self._at + self._spent()

    def start(self) -> Source:
        """Nothing to begin: each frame is made when it is asked for."""
        return self

    def newest(self, after: int = 0, timeout: float = 0.0) -> Frame | None:
        """The newest frame, or the next where that was given already; None once the film is over."""
        fps = self.film.conditions.fps
        if self._given:
            spent = self._spent()
            self.work.append((self._at, spent))
            self._at += spent
        number = int(self._at * fps + 1e-6)
        following = self._number + (max(1, round(SELDOM * fps)) if self._resting and self._given else 1)
        if number < following:
            number = following
            self._at = number / fps
        if number >= self.film.frames or self.over.is_set():
            self.over.set()
            self._mark = self._clock()
            time.sleep(timeout)
            return None
        image = self.film.frame(number)
        self._mark = self._clock()
        while self._due and self._due[0][0] <= self._at:
            self._due.pop(0)[1]()
        self._given, self._number = self._given + 1, number
        self.ages.append(self._at - number / fps)
        if self._ledger is not None:
            self._ledger.charge(FRAME)
        return Frame(self._given, LATE + number / fps, image)

    def status(self) -> SourceStatus:
        """As `Source.status`."""
        passed = self._number + 1
        return SourceStatus("live", "Showing a film.", passed, passed - self._given)

    def close(self) -> None:
        """End the film."""
        self.over.set()

    def share(self, begins: float, ends: float) -> float:
        """The share of one core that the table took between two seconds."""
        spent = [work for at, work in self.work if begins <= at < ends]
        return sum(spent) / max(1e-6, ends - begins)

    def _spent(self) -> float:
        return self._clock() - self._mark if self._given else 0.0


def _nothing() -> Feed:
    raise FeedLost("the film needs no connection")
