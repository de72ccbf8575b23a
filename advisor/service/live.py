"""The running table: what was read last, folded into state, kept for whoever asks."""

from __future__ import annotations

import threading
from collections.abc import Callable

import cv2

from advisor.games.blackjack import HouseRules
from advisor.service.wire import CameraWire, RulesWire, StateWire, camera_wire, state_wire
from advisor.table import TableMemory, TableState, fold
from advisor.table.state import DealerSide
from vision.sources import Source
from vision.watch import CanRead, Observation, Watch

JPEG_QUALITY = 82
LONGEST_SHOWN = 1600
"""Pixels of the longer side of pictures sent to the display; coordinates stay those of the camera's picture."""


class LiveTable:
    """Owns the source and the watch loop; thread-safe. ``on_change`` is called from the watch's thread."""

    def __init__(
        self, source: Source, reader: CanRead, rules: HouseRules, rules_name: str, dealer_side: DealerSide = "top"
    ) -> None:
        self._source = source
        self._rules, self._side = rules, dealer_side
        self._rules_wire = RulesWire(name=rules_name, summary=summary(rules))
        self._lock = threading.Lock()
        self._memory, self._table = TableMemory(), TableState()
        self._seen: Observation | None = None
        self._sequence = 0
        self._jpeg: tuple[int, bytes] | None = None
        self._watch = Watch(source, reader, self._take)
        self.on_change: Callable[[], None] = lambda: None

    def start(self) -> None:
        """Begin watching."""
        self._source.start()
        self._watch.start()

    def stop(self) -> None:
        """Stop watching and let go of the camera; returns within a few seconds whatever the camera does."""
        self._watch.stop()
        self._source.close()

    def _take(self, seen: Observation) -> None:
        with self._lock:
            memory = self._memory
        memory, table = fold(memory, seen.view.reading, self._rules, self._side)
        with self._lock:
            # A picture taken while cards move shows cards that are not yet anywhere: show it, remember nothing.
            if seen.settled:
                self._memory, self._table = memory, table
            self._seen = seen
            self._sequence += 1
        self.on_change()

    @property
    def pictures_read(self) -> int:
        """How many pictures the reader was given."""
        return self._watch.read_count

    def camera(self) -> CameraWire:
        """The source's health now."""
        return camera_wire(self._source.status(), self._watch.errors)

    def state(self) -> StateWire:
        """Everything the display shows, now."""
        with self._lock:
            seen, table, sequence = self._seen, self._table, self._sequence
        reading = seen.view.reading if seen else None
        settled = seen.settled if seen else False
        problems = [self._watch.last_error] if self._watch.last_error else []
        state = state_wire(sequence, self.camera(), self._rules_wire, reading, settled, table)
        return state.model_copy(update={"problems": [*state.problems, *problems]})

    def jpeg(self) -> bytes | None:
        """The newest picture that was read, as JPEG; None before the first."""
        with self._lock:
            seen, sequence, kept = self._seen, self._sequence, self._jpeg
        if seen is None:
            return None
        if kept and kept[0] == sequence:
            return kept[1]
        image = seen.image
        scale = LONGEST_SHOWN / max(image.shape[:2])
        if scale < 1:
            image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
        _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        encoded = data.tobytes()
        with self._lock:
            self._jpeg = (sequence, encoded)
        return encoded


def summary(rules: HouseRules) -> str:
    """The rules in one line for the display's footer."""
    decks = "1 deck" if rules.decks == 1 else f"{rules.decks} decks"
    soft = "stands on" if rules.dealer_soft_17 == "stand" else "hits"
    hole = "" if rules.hole_card == "peek" else ", no hole card"
    return f"{decks}, dealer {soft} soft 17, blackjack pays {rules.blackjack_pays}{hole}"
