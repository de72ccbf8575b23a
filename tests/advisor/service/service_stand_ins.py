"""Stand-ins for the service's tests: pictures with a bar whose place stands for a table, and a reader of bars."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np

from vision.sightings import CardSighting, Quad, Reading
from vision.sources import Pacing

QUICK = Pacing(first_pause=0.05, longest_pause=0.1)
WIDTH, HEIGHT = 640, 360
Lying = tuple[str | None, float, float]
"""A label (None: face down, "9H?": unsure) and the card's centre in pixels."""

DEALER: tuple[Lying, ...] = (("10H", 300, 80), (None, 370, 80))
TABLES: dict[int, tuple[Lying, ...]] = {
    40: (),
    80: (*DEALER, ("5C", 300, 280), ("6D", 325, 270)),
    120: (*DEALER, ("AD", 300, 280), ("6C", 325, 270)),
    160: (*DEALER, ("AD", 300, 280), ("6C?", 325, 270)),
}
"""Nothing; hard 11 against a ten (double); soft 17 against a ten (hit); a doubtful card (no advice)."""
BROKEN = 200
"""The reader fails on this picture."""


def sighting(label: str | None, x: float, y: float) -> CardSighting:
    corners: Quad = ((x - 30, y - 42), (x + 30, y - 42), (x + 30, y + 42), (x - 30, y + 42))
    if label is None:
        return CardSighting("back", corners)
    if label.endswith("?"):
        return CardSighting("unsure", corners, label[:-1], 0.5, {label[:-1]: 0.5})
    return CardSighting("card", corners, label, 0.97)


class BarReader:
    """Reads a table from the place of the bar in its picture."""

    def read(self, image: np.ndarray, /) -> Reading:
        place = int(image.mean(axis=(0, 2)).argmax()) // 2
        if abs(place - BROKEN) < 5:
            raise RuntimeError("odd")
        known: Sequence[Lying] = TABLES[min(TABLES, key=lambda p: abs(p - place))]
        return Reading(image.shape[1], image.shape[0], tuple(sighting(*c) for c in known), {"total": 1.0})


def put_picture(path: Path, place: int) -> None:
    """Write the picture of a table; it is never seen half written."""
    image = np.full((HEIGHT, WIDTH, 3), 60, np.uint8)
    image[:, 2 * place : 2 * place + 40] = 200
    part = path.with_suffix(".part")
    part.write_bytes(cv2.imencode(".png", image)[1].tobytes())
    part.replace(path)


def until(condition: Callable[[], bool], seconds: float = 8.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end and not condition():
        time.sleep(0.02)
    return condition()
