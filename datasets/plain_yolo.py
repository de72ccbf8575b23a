"""The baseline that public card readers use: one YOLO network with a class for each of the 52 cards.

It finds corner indices and names them in one step, at one scale; a card counts once however many of its indices are
found. Trained on the same rendered scenes (``models.recipes.plain``), it shows what finding and reading apart is worth.
"""

from __future__ import annotations

import time
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.deck import Floats, Image
from datasets.scene import Scene
from datasets.yolo import INDEX_SHOWS, SMALLEST_INDEX
from vision.cards.runtime import open_network
from vision.sightings import CARDS, CardSighting, Reading

SIZE, CELL = 640, 32
"""Longer side in pixels that the network sees, and what both sides are padded to a multiple of."""
LEAST, OVERLAP = 0.25, 0.5
"""How sure a find must be (as the library has it, and best for its F1), and how far two of one class may overlap."""


def face_lines(scene: Scene) -> list[str]:
    """A line for each index that shows: its card's number and its upright box, as shares of the picture."""
    h, w = scene.image.shape[:2]
    lines = []
    for card in scene.cards:
        for index in card.indices:
            side = float(np.linalg.norm(index.quad[3] - index.quad[0]))
            if card.label not in CARDS or index.visible < INDEX_SHOWS or side < SMALLEST_INDEX:
                continue
            (x0, y0), (x1, y1) = np.clip(index.quad, 0, [w, h]).min(0), np.clip(index.quad, 0, [w, h]).max(0)
            if x1 - x0 >= 2 and y1 - y0 >= 2:
                box = ((x0 + x1) / 2 / w, (y0 + y1) / 2 / h, (x1 - x0) / w, (y1 - y0) / h)
                lines.append(" ".join([str(CARDS.index(card.label)), *(f"{v:.5f}" for v in box)]))
    return lines


class PlainYolo:
    """Reads pictures as a reader does, so that the benchmark can set both side by side."""

    def __init__(self, weights: Path, threads: int = 2) -> None:
        """Raises `ModelError` for a network file that cannot be used."""
        self._session = open_network(weights, threads)
        self._input = self._session.get_inputs()[0].name

    def read(self, image: Image) -> Reading:
        """The cards in ``image`` (H x W x 3, BGR); everything found is claimed as sure."""
        began = time.perf_counter()
        h, w = image.shape[:2]
        scale = SIZE / max(h, w)
        nw, nh = max(1, round(w * scale)), max(1, round(h * scale))
        small = cv2.resize(image, (nw, nh), interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
        padded = cv2.copyMakeBorder(small, 0, -nh % CELL, 0, -nw % CELL, cv2.BORDER_CONSTANT, value=(114, 114, 114))
        blob = np.ascontiguousarray(padded[None, ..., ::-1].transpose(0, 3, 1, 2), np.float32) / 255
        (raw,) = self._session.run(None, {self._input: blob})
        cards = once_each(raw[0], (w / nw, h / nh))
        ms = round(1000 * (time.perf_counter() - began), 1)
        return Reading(w, h, tuple(cards), {"total": ms})


def once_each(raw: NDArray[np.floating], scale: tuple[float, float]) -> list[CardSighting]:
    """The surest find of each card in the network's output (4 + 52, places): centre, size, and a score for each."""
    best: dict[int, tuple[float, Floats]] = {}
    scores = raw[4:].max(0)
    for place in np.flatnonzero(scores >= LEAST):
        number = int(raw[4:, place].argmax())
        if number not in best or scores[place] > best[number][0]:
            best[number] = (float(scores[place]), np.asarray(raw[:4, place] * [*scale, *scale], np.float32))
    out = []
    for number, (score, (x, y, width, height)) in sorted(best.items()):
        a, b, c, d = x - width / 2, y - height / 2, x + width / 2, y + height / 2
        corners = ((float(a), float(b)), (float(c), float(b)), (float(c), float(d)), (float(a), float(d)))
        out.append(CardSighting("card", corners, CARDS[number], min(score, 1.0)))
    return out
