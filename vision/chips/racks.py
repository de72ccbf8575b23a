"""Racks: rows of chips on edge in the troughs of a tray, a case or a dealer's float.

A row is a stack that lies on its side with its lower part hidden. Networks of their own find such rows, say how each
lies and read its seams; what turns a row into a count is what counts stacks (`vision.chips.counter`). Rows are read
with their far or left end at the foot, in a picture turned by whole quarters; from which end they are seen, all rows
of a rack that run alike say together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from vision.cards.patches import pyramid
from vision.chips.counter import Count, Counter
from vision.chips.crops import Image
from vision.chips.finder import Find, Finder, merged, shared
from vision.chips.stands import Placer
from vision.chips.values import Box

FINDER_FILE, PLACER_FILE, COUNTER_FILE = (
    "chips_rack_finder.onnx",
    "chips_rack_placer.onnx",
    "chips_rack_counter.onnx",
)
SCALES: Final = (96, 160, 320, 640)
"""Sides of the picture, in pixels, at which rows are looked for."""
FOUND: Final = 0.4
"""So surely a row must be found."""
LEAST: Final = 0.2
WAYS: Final = {"stack": (2, 0), "tube": (1, 3)}
"""By how many quarters, anticlockwise, the picture is turned for a row to stand with its nearer end up: rows that run
up and down the picture, which the finder calls "stack", and those that run across it. Either the one or the other."""
SAME: Final = 0.65
"""Two finds that share so much of the smaller one's box are of one row."""
PAD: Final = 0.6
"""How much of the picture is taken round the rows, over the smallest one's width."""
WITHIN: Final = 0.5
"""A stack of whose box so much is taken up by rows of a rack is a part of it."""


@dataclass(frozen=True)
class Row:
    """One row as it was found (``box`` in picture pixels) and read in the picture turned by ``turn`` quarters.

    ``size`` is the width and height of the part of the picture that was turned, ``inner`` the row's box there.
    """

    box: Box
    found: float
    turn: int
    count: Count
    inner: Box
    size: tuple[int, int]

    @property
    def backwards(self) -> bool:
        """Whether it was read from its near or right end on."""
        return self.turn in (0, 3)


class RackReader:
    """The three networks that read rows."""

    def __init__(self, finder: Finder, placer: Placer, counter: Counter) -> None:
        self._finder, self._placer, self._counter = finder, placer, counter

    @classmethod
    def load(cls, folder: Path, threads: int) -> RackReader:
        """Open them. Raises :class:`ModelError`."""
        return cls(
            Finder(folder / FINDER_FILE, threads),
            Placer(folder / PLACER_FILE, threads),
            Counter(folder / COUNTER_FILE, threads),
        )

    def find(self, levels: Sequence[Image]) -> list[Find]:
        """Rows in the picture whose pyramid is given: their ``shape`` says how they run (`WAYS`)."""
        native = max(levels[0].shape[:2])
        passes = [self._finder.at_scale(levels, z, LEAST) for z in SCALES if z <= native]
        return apart([f for f in merged(passes) if f.shape in WAYS and f.confidence >= FOUND])

    def read(self, levels: Sequence[Image], finds: Sequence[Find]) -> list[Row]:
        """What each of the finds holds."""
        rows: list[Row] = []
        for shape, turns in WAYS.items():
            alike = [f for f in finds if f.shape == shape]
            if not alike:
                continue
            ways = [self._turned(levels[0], alike, turn) for turn in turns]
            rows += max(ways, key=lambda way: sum(float(row.count.chances[1:].max()) for row in way))
        return rows

    def _turned(self, image: Image, finds: Sequence[Find], turn: int) -> list[Row]:
        h, w = image.shape[:2]
        boxes = np.array([f.box for f in finds])
        pad = PAD * float((boxes[:, 2:] - boxes[:, :2]).max())
        a, b = (max(int(v), 0) for v in boxes[:, :2].min(0) - pad)
        c, d = (min(int(v), end) for v, end in zip(boxes[:, 2:].max(0) + pad, (w, h), strict=True))
        part = image[b:d, a:c]
        view = pyramid(np.ascontiguousarray(np.rot90(part, turn)))
        inner = [_turned((x0 - a, y0 - b, x1 - a, y1 - b), c - a, d - b, turn) for x0, y0, x1, y1 in boxes.tolist()]
        counts = self._counter.read(view, self._placer.place(view, inner))
        size = (view[0].shape[1], view[0].shape[0])
        return [
            Row(f.box, f.confidence, turn, count, box, size) for f, count, box in zip(finds, counts, inner, strict=True)
        ]


def apart(finds: Sequence[Find]) -> list[Find]:
    """The finds without those that share most of their box, or of the other's, with a surer one: a row with the empty
    part of its trough, or a half of it."""
    kept: list[Find] = []
    for f in sorted(finds, key=lambda f: -f.confidence):
        if all(shared(f.box, k.box)[1] < SAME for k in kept):
            kept.append(f)
    return kept


def beside(finds: Sequence[Find], rows: Sequence[Find]) -> list[Find]:
    """Those of the ``finds`` that are no part of the racks whose ``rows`` were found, nor a row themselves."""
    return [f for f in finds if f.shape != "tube" and sum(_within(f.box, row.box) for row in rows) < WITHIN]


def _within(box: Box, other: Box) -> float:
    """What share of the box lies in the other."""
    w, h = min(box[2], other[2]) - max(box[0], other[0]), min(box[3], other[3]) - max(box[1], other[1])
    return max(w, 0.0) * max(h, 0.0) / ((box[2] - box[0]) * (box[3] - box[1]))


def _turned(box: Box, width: int, height: int, quarters: int) -> Box:
    """A box after ``numpy.rot90`` of its picture (anticlockwise quarters)."""
    x0, y0, x1, y1 = box
    for _ in range(quarters):
        x0, y0, x1, y1 = y0, width - x1, y1, width - x0
        width, height = height, width
    return x0, y0, x1, y1
