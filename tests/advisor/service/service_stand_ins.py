"""Stand-ins for the service's tests: drawn tables with a mark that says which one it is, a reader of marks, a served
table."""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from advisor.games.catalogue import game
from advisor.service.app import create_app
from advisor.service.felt_view import FeltView
from advisor.service.live import LiveTable
from advisor.service.table_log import MemoryLog, TableLog
from advisor.table import Change, TableState, begin
from advisor.table.changes import CardCame
from vision.cards.settings import Settings
from vision.sightings import CardSighting, Quad, Reading
from vision.sources import Pacing, Source, SourceStatus, open_source
from vision.sources.feeds import PictureFeed
from vision.sources.values import Frame

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

HERE = "http://127.0.0.1:8765"
LINE = {"host": "127.0.0.1:8765", "origin": HERE}
QUICK = Pacing(first_pause=0.05, longest_pause=0.1)
ABSENT = "97"
"""A webcam that no machine has."""
WIDTH, HEIGHT = 640, 360
Lying = tuple[str | None, float, float]
"""A label (None: face down, "9H?": unsure) and the card's centre in pixels."""

ROUND: tuple[Lying, ...] = (("10H", 300, 80), (None, 370, 80), ("5C", 300, 280), ("6D", 325, 270))
TABLES: dict[int, tuple[Lying, ...]] = {
    40: (),
    80: ROUND,
    120: (*ROUND, ("2H", 350, 260)),
    160: (*ROUND, ("2H?", 350, 260)),
}
"""Nothing; hard 11 against a ten (double); hard 13 (hit); a doubtful card (no advice)."""
BROKEN = 200
"""The reader fails on this picture."""
MARKS = 8
"""Rows of the picture in which the mark is."""


class LiveCamera:
    """A source that shows its `picture` thirty times a second."""

    def __init__(self) -> None:
        self.sequence = 0

    def picture(self) -> np.ndarray:
        raise NotImplementedError

    def start(self) -> None: ...

    def newest(self, after: int, timeout: float) -> Frame | None:
        time.sleep(0.03)
        self.sequence += 1
        return Frame(self.sequence, time.monotonic(), self.picture())

    def status(self) -> SourceStatus:
        return SourceStatus("live", "Camera 0 is live.")

    def close(self) -> None: ...


def sighting(label: str | None, x: float, y: float) -> CardSighting:
    corners: Quad = ((x - 30, y - 42), (x + 30, y - 42), (x + 30, y + 42), (x - 30, y + 42))
    if label is None:
        return CardSighting("back", corners, None, 0.7)
    if label.endswith("?"):
        return CardSighting("unsure", corners, label[:-1], 0.5, {label[:-1]: 0.5})
    return CardSighting("card", corners, label, 0.97)


class MarkReader:
    """Knows which table a picture shows by its mark."""

    def with_settings(self, settings: Settings, /) -> MarkReader:
        """A mark is a mark, however closely it is looked at."""
        return self

    def read(self, image: np.ndarray, /) -> Reading:
        place = int(image[:MARKS].mean(axis=(0, 2)).argmax()) // 2
        if abs(place - BROKEN) < 5:
            raise RuntimeError("odd")
        known: Sequence[Lying] = TABLES[min(TABLES, key=lambda p: abs(p - place))]
        return Reading(image.shape[1], image.shape[0], tuple(sighting(*c) for c in known), {"total": 1.0})


def picture_of(place: int) -> np.ndarray:
    """The picture of a table: its mark, and each card with a pattern of its own."""
    image = np.full((HEIGHT, WIDTH, 3), 60, np.uint8)
    image[:MARKS, 2 * place : 2 * place + 40] = 250
    for label, x, y in TABLES.get(place, ()):
        blocks = np.random.default_rng(zlib.crc32(str(label).encode())).integers(90, 240, (6, 4, 3), np.uint8)
        card = cv2.resize(blocks, (60, 84), interpolation=cv2.INTER_NEAREST)
        image[int(y) - 42 : int(y) + 42, int(x) - 30 : int(x) + 30] = card
    return image


class Filmed(PictureFeed):
    """A camera over a picture file: it shows what the file holds, frame after frame."""

    still = False

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._last: np.ndarray | None = None

    def grab(self) -> np.ndarray | None:
        image = super().grab()
        if image is None and self._last is not None:
            image = self._last.copy()
        self._last = image
        return image


def put_picture(path: Path, place: int) -> None:
    """Write the picture of a table; it is never seen half written."""
    part = path.with_suffix(".part")
    part.write_bytes(cv2.imencode(".png", picture_of(place))[1].tobytes())
    part.replace(path)


def table_of(name: str = "blackjack", rules: str = "home", layout: str = "", seats: int = 7) -> TableState:
    """A table before its first card."""
    chosen = game(name)
    loaded = chosen.load(rules) if rules in chosen.presets() else next(iter(chosen.presets().values()))
    return begin(name, loaded, rules, layout, min(seats, chosen.seats))


def came(*cards: tuple[int, str], first: int = 1) -> list[Change]:
    """Cards as the camera reports them, to the first hands of seats."""
    return [CardCame(card=n, seat=seat, hand=1, face=face) for n, (seat, face) in enumerate(cards, first)]


TWO_SEATS = came((1, "10H"), (2, "10S"), (0, "6H"), (1, "5S"), (2, "6S"), (0, "back"))
"""Hard 15 and hard 16 against a six."""


def live_table(spec: str, log: TableLog | None = None, felt: FeltView | None = None) -> LiveTable:
    path = Path(spec)
    source = Source(path.name, lambda: Filmed(path), QUICK) if path.suffix else open_source(spec, pacing=QUICK)
    return LiveTable(source, MarkReader(), log or MemoryLog(table_of()), felt=felt)


def serving(spec: str = ABSENT, log: TableLog | None = None, felt: FeltView | None = None) -> TestClient:
    """A client of a whole server, to be entered."""
    from fastapi.testclient import TestClient

    return TestClient(create_app(live_table(spec, log, felt)), base_url=HERE)


def state_of(client: TestClient) -> dict[str, Any]:
    state: dict[str, Any] = client.get("/api/state").json()
    return state


def actions(state: dict[str, Any]) -> list[str | None]:
    return [hand["action"] for hand in state["played"]["hands"]]


def until(condition: Callable[[], bool], seconds: float = 8.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end and not condition():
        time.sleep(0.02)
    return condition()
