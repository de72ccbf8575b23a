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
"""So surely a row must be found,"""
PLAINLY: Final = 0.72
"""one of a picture's rows so surely,"""
MANY: Final = 4
"""and where there are fewer, or all of them lie in one stack (a bet of several colours looks like a rack whose rows run
across),"""
SURER: Final = 0.1
"""all of them by so much more surely, on average, than the stacks in which they lie."""
LEAST: Final = 0.2
WAYS: Final = {"stack": (2, 0), "tube": (1, 3)}
"""By how many quarters, anticlockwise, the picture is turned for a row to stand with its nearer end up: rows that run
up and down the picture, which the finder calls "stack", and those that run across it. Either the one or the other."""
SAME: Final = 0.65
"""Two finds that share so much of the smaller one's box are of one row."""
ASIDE, OVERLAP = 0.5, 0.8
"""Two rows are one that lie so little beside each other, in chip widths, and overlap along their trough by more than
what is left of this."""
FULL: Final = 20
"""Chips that a trough holds (``rules/chips-and-payouts.md``: "a rack tube or full column holds 20 chips"); some racks
take one or two more."""
PAD: Final = 0.6
"""How much of the picture is taken round the rows, over the longest side of one's box."""
WITHIN: Final = 0.5
"""A stack of whose box so much is taken up by rows of a rack is a part of it."""


@dataclass(frozen=True, eq=False)
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
    def plainly(self) -> float:
        """How plain its count is."""
        return float(self.count.chances[1:].max())

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
            Counter(folder / COUNTER_FILE, threads, usual=FULL),
        )

    def find(self, levels: Sequence[Image], stacks: Sequence[Find]) -> list[Find]:
        """Rows in the picture whose pyramid is given: their ``shape`` says how they run (`WAYS`). None where what was
        found as ``stacks`` is likelier to stand there.
        """
        native = max(levels[0].shape[:2])
        passes = [self._finder.at_scale(levels, z, LEAST) for z in SCALES if z <= native]
        rows = apart([f for f in merged(passes) if f.shape in WAYS and f.confidence >= FOUND])
        return rows if a_rack(rows, stacks) else []

    def read(self, levels: Sequence[Image], finds: Sequence[Find]) -> list[Row]:
        """What each of the finds holds, in the order in which they lie: from the left, or from the top."""
        rows: list[Row] = []
        for (shape, turns), side in zip(WAYS.items(), (0, 1), strict=True):
            alike = sorted((f for f in finds if f.shape == shape), key=lambda f: f.box[side])
            if not alike:
                continue
            ways = [self._turned(levels[0], alike, turn) for turn in turns]
            rows += each_once(max(ways, key=lambda way: sum(row.plainly for row in way)))
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


def a_rack(rows: Sequence[Find], stacks: Sequence[Find]) -> bool:
    """Whether ``rows`` lie in a rack, and are not stacks whose colours look like rows one above the other."""
    if not rows or max(row.confidence for row in rows) < PLAINLY:
        return False
    standing = [f for f in stacks if f.shape == "stack"]
    none = Find("stack", (0.0, 0.0, 1.0, 1.0), 0.0)
    instead = [
        max((f for f in standing if _within(row.box, f.box) > WITHIN), key=lambda f: f.confidence, default=none)
        for row in rows
    ]
    if len(rows) >= MANY and len({f.box for f in instead}) > 1:  # no single stack is all of them
        return True
    return sum(row.confidence - f.confidence for row, f in zip(rows, instead, strict=True)) > SURER * len(rows)


def apart(finds: Sequence[Find]) -> list[Find]:
    """The finds without those that share most of their box, or of the other's, with a surer one: a row with the empty
    part of its trough, or a half of it."""
    kept: list[Find] = []
    for f in sorted(finds, key=lambda f: -f.confidence):
        if all(shared(f.box, k.box)[1] < SAME for k in kept):
            kept.append(f)
    return kept


def each_once(rows: Sequence[Row]) -> list[Row]:
    """The rows, each once: of two that lie in one place of a trough the one that was found and read more plainly."""
    kept: list[Row] = []
    for row in sorted(rows, key=lambda it: -it.found * it.plainly):
        if not any(_in_one_place(row, other) for other in kept):
            kept.append(row)
    return [row for row in rows if row in kept]


def _in_one_place(one: Row, other: Row) -> bool:
    """Whether both are about as far aside, and overlap along the trough."""
    (middle, half, across, up), (middle2, half2, across2, _) = (_lies(row) for row in (one, other))
    apart_x, apart_y = middle2[0] - middle[0], middle2[1] - middle[1]
    along, aside = abs(apart_x * up[0] + apart_y * up[1]), abs(apart_x * up[1] - apart_y * up[0])
    return bool(aside < ASIDE * min(across, across2) and along < OVERLAP * (half + half2))


def _lies(row: Row) -> tuple[tuple[float, float], float, float, tuple[float, float]]:
    """The middle of its axis in what was turned, half its length, its width, and the direction of the axis."""
    stand = row.count.stand
    up = (float(np.sin(stand.roll)), -float(np.cos(stand.roll)))
    half = max(stand.tall * stand.across / 2, 1.0)
    return (stand.foot[0] + up[0] * half, stand.foot[1] + up[1] * half), half, stand.across, up


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
