"""Finding stacks, loose chips, tubes and other round things at low resolution, each with its box."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.cards.runtime import open_network
from vision.chips.crops import Floats, Image
from vision.chips.values import Box, Shape

SHAPES: tuple[Shape, ...] = ("stack", "tube", "other")
CELL, BLOCK = 4, 32
"""Side of the network's grid cells, and what a picture is padded to a multiple of, in pixels."""
MOST_FINDS = 300
PLAIN_WIDTH, LEAST_WEIGHT = 18.0, 0.5
"""Finds that were shown narrower, in pixels, count the less, down to that share: each of four chips that lay in a heap
was found at two scales, and a fifth thing, made of two of them, a little more surely at the coarsest."""
OVERLAP = 0.55
"""Two boxes of one kind that share more than this of their union are one find."""
PART = 0.62
"""A find narrower than this share of another that it lies in is a part of it: chips before a stack are as wide."""
LARGE_PART, WITHIN, ASIDE = 0.8, 0.85, 0.1
"""The same for larger parts, such as the middle of a chip without its rim, of which so much lies within the other. What
has its middle so far aside of the other's, over that one's sides, is no such middle."""
HALF, SURER = 0.5, 1.4
"""A find is less than a part of it that is at least so wide, over it, lies aside and is so much weightier: it is that
and something beside it."""
NESTED = 0.8
"""The same for a box that lies so far inside another of about its size."""
PARTS, PARTS_WIDE, PARTS_WITHIN, PARTS_SHARE = 0.8, 0.25, 0.6, 0.1
"""A find is made of others, and none itself, where it holds two that are so likely and so wide, over it, and of whose
boxes so much lies in it, while they share no more than that with each other: two chips, one behind the other."""


@dataclass(frozen=True)
class Find:
    """One thing in the picture: its kind, box in picture pixels, and how sure (0..1).

    ``shown`` is how wide it was at the scale at which it was looked for, in pixels.
    """

    shape: Shape
    box: Box
    confidence: float
    shown: float = math.inf

    @property
    def weight(self) -> float:
        """How much it counts against other finds: where chips are small, two side by side look like one."""
        return self.confidence * min(max(self.shown / PLAIN_WIDTH, LEAST_WEIGHT), 1.0)


class Finder:
    """The trained network, run at one or more scales over a picture."""

    def __init__(self, weights: Path, threads: int) -> None:
        self._session = open_network(weights, threads)
        self._input = self._session.get_inputs()[0].name

    def at_scale(self, levels: Sequence[Image], long_side: int, least: float) -> list[Find]:
        """Finds surer than ``least``, in native pixels, with the picture's longer side brought to ``long_side``.

        ``levels`` is the picture's pyramid.
        """
        h, w = levels[0].shape[:2]
        image = next((level for level in reversed(levels) if max(level.shape[:2]) >= long_side), levels[0])
        scale = long_side / max(h, w)
        nw, nh = max(1, round(w * scale)), max(1, round(h * scale))
        mode = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        small = cv2.resize(image, (nw, nh), interpolation=mode)
        ph, pw = -nh % BLOCK, -nw % BLOCK
        padded = cv2.copyMakeBorder(small, 0, ph, 0, pw, cv2.BORDER_CONSTANT, value=(114, 114, 114))
        scores, sides = self._session.run(None, {self._input: padded[None]})
        finds = decode(scores[0], sides[0], least)
        sx, sy = w / nw, h / nh
        return [Find(f.shape, _inside((f.box[0] * sx, f.box[1] * sy, f.box[2] * sx, f.box[3] * sy), w, h), f.confidence,
                     f.box[2] - f.box[0])
                for f in finds if f.box[0] * sx < w - 1 and f.box[1] * sy < h - 1]  # fmt: skip


def _inside(box: Box, width: int, height: int) -> Box:
    x0, y0 = max(box[0], 0.0), max(box[1], 0.0)
    return x0, y0, max(min(box[2], float(width)), x0 + 1), max(min(box[3], float(height)), y0 + 1)


def decode(scores: Floats, sides: Floats, least: float) -> list[Find]:
    """Raw output to finds without duplicates.

    ``scores`` is 3 kinds x rows x columns of cells, nothing where a neighbour is higher; ``sides`` 4 x rows x columns:
    cells to the left, upper, right and lower side.
    """
    best = scores.max(0)
    rows, columns = np.nonzero(best > least)
    if len(rows) > MOST_FINDS * 4:
        surest = np.argsort(-best[rows, columns])[: MOST_FINDS * 4]
        rows, columns = rows[surest], columns[surest]
    kinds = scores[:, rows, columns].argmax(0)
    middle = np.column_stack([columns, rows]) + 0.5
    reach = sides[:, rows, columns].T
    low, high = (middle - reach[:, :2]) * CELL, (middle + reach[:, 2:]) * CELL
    rects = np.column_stack([low, np.maximum(high - low, 1)])
    # One list for all kinds: what might be a chip or a coin is one thing.
    chances = best[rows, columns]
    chosen = cv2.dnn.NMSBoxes(rects.tolist(), chances.tolist(), least, OVERLAP) if len(rows) else []
    out = []
    for n in np.asarray(chosen, int).ravel()[:MOST_FINDS]:
        x0, y0, x1, y1 = (float(v) for v in (*low[n], *high[n]))
        out.append(Find(SHAPES[int(kinds[n])], (x0, y0, x1, y1), float(min(chances[n], 1.0))))
    return out


def shared(a: Box, b: Box) -> tuple[float, float]:
    """Intersection over union, and intersection over the smaller."""
    w, h = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    if w <= 0 or h <= 0:
        return 0.0, 0.0
    first, second = (a[2] - a[0]) * (a[3] - a[1]), (b[2] - b[0]) * (b[3] - b[1])
    return w * h / (first + second - w * h), w * h / min(first, second)


def merged(passes: Sequence[Sequence[Find]]) -> list[Find]:
    """One list from several scales: of two finds of one thing the weightier stays, and a part of one is nothing."""
    kept: list[Find] = []
    for f in _themselves(sorted((f for one in passes for f in one), key=lambda f: -f.weight)):
        for k in kept:
            union, inside = shared(f.box, k.box)
            wide = (f.box[2] - f.box[0]) / (k.box[2] - k.box[0])
            if union > OVERLAP or (inside > NESTED and 0.7 < wide < 1.4):
                break
        else:
            kept.append(f)
    whole = [f for f in kept if not any(_part_of(f, k) for k in kept)]
    return [f for f in whole if not any(_less_than(f, k) for k in whole)]


def _themselves(finds: Sequence[Find]) -> list[Find]:
    """The finds, the weightiest first, without those that are made of others of them."""
    if not finds:
        return []
    x0, y0, x1, y1 = np.array([f.box for f in finds]).T
    wide, weight = x1 - x0, np.array([f.weight for f in finds])
    room = wide * (y1 - y0)
    across = np.minimum(x1[:, None], x1) - np.maximum(x0[:, None], x0)
    down = np.minimum(y1[:, None], y1) - np.maximum(y0[:, None], y0)
    both = np.maximum(across, 0) * np.maximum(down, 0)
    union, inside = both / (room[:, None] + room - both), both / np.minimum(room[:, None], room)
    things: list[int] = []  # each found once
    for k, find in enumerate(finds):
        if find.shape != "tube" and not (union[k, things] > OVERLAP).any():
            things.append(k)
    gone = np.zeros(len(finds), bool)
    each = np.array(things, int)
    for k in things:
        may_be = (room[each] < room[k]) & (weight[each] >= PARTS * weight[k]) & (wide[each] > PARTS_WIDE * wide[k])
        parts = each[may_be & (inside[k, each] > PARTS_WITHIN)]
        if len(parts) > 1 and inside[parts[0], parts[1:]].min() < PARTS_SHARE:
            gone |= (union[k] > OVERLAP) & (weight <= weight[k])
    return [f for f, out in zip(finds, gone, strict=True) if not out]


def _part_of(f: Find, whole: Find) -> bool:
    """Whether ``f`` is but an insert, a rim or a few chips of ``whole``.

    Of a small part the whole must be the surer: a chip that lies in a printed circle, or on a round table, is none.
    """
    wide = (f.box[2] - f.box[0]) / (whole.box[2] - whole.box[0])
    inside = shared(f.box, whole.box)[1]
    if wide < PART and inside > 0.6:
        return whole.weight > f.weight
    if wide >= LARGE_PART or inside <= WITHIN:
        return False
    return whole.weight > (1.0 if _aside(f, whole) else 0.6) * f.weight


def _less_than(whole: Find, f: Find) -> bool:
    """Whether ``whole`` is but ``f``, found far more surely, and something beside it."""
    if whole.shape == "tube" or f.weight <= SURER * whole.weight or not _aside(f, whole):
        return False
    wide = (f.box[2] - f.box[0]) / (whole.box[2] - whole.box[0])
    return HALF < wide < 1 and shared(f.box, whole.box)[1] > WITHIN


def _aside(f: Find, whole: Find) -> bool:
    """Whether one's middle is not about where the other's is."""
    (a, b, c, d), (x0, y0, x1, y1) = f.box, whole.box
    return max(abs(a + c - x0 - x1) / (x1 - x0), abs(b + d - y0 - y1) / (y1 - y0)) > 2 * ASIDE
