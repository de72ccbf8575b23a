"""Finding corner indices, cards and backs at low resolution, each with its four corners."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np

from vision.cards.geometry import length
from vision.cards.patches import Floats, Image
from vision.cards.runtime import open_network

INDEX, CARD, BACK = 0, 1, 2
CELLS = (8, 16, 32)
"""Sides of the network's grid cells, in pixels; a picture is padded to a multiple of the last."""
MOST = 400
"""More objects than this in one pass are noise; the surest are kept."""


@dataclass(frozen=True)
class Found:
    """One object: ``kind`` (INDEX, CARD or BACK), 4 x 2 corners in picture pixels, and how sure (0..1)."""

    kind: int
    quad: Floats
    confidence: float

    @cached_property
    def centre(self) -> Floats:
        """Mean of the corners."""
        return np.asarray(self.quad.mean(0), np.float32)

    @cached_property
    def size(self) -> float:
        """Half the length of the diagonals, in pixels."""
        return (length(self.quad[2] - self.quad[0]) + length(self.quad[3] - self.quad[1])) / 4


class Detector:
    """The trained network, run at one or more scales over a picture."""

    def __init__(self, weights: Path, threads: int) -> None:
        self._session = open_network(weights, threads)
        self._input = self._session.get_inputs()[0].name

    def at_scale(self, levels: Sequence[Image], long_side: int, least: float) -> list[Found]:
        """Objects surer than ``least``, in native pixels, with the picture's longer side brought to ``long_side``.

        ``levels`` is the picture's pyramid: shrinking from the nearest level saves half the time on large pictures.
        """
        h, w = levels[0].shape[:2]
        image = next((level for level in reversed(levels) if max(level.shape[:2]) >= long_side), levels[0])
        scale = long_side / max(h, w)
        nw, nh = max(1, round(w * scale)), max(1, round(h * scale))
        mode = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        small = cv2.resize(image, (nw, nh), interpolation=mode)
        ph, pw = -nh % CELLS[-1], -nw % CELLS[-1]
        padded = cv2.copyMakeBorder(small, 0, ph, 0, pw, cv2.BORDER_CONSTANT, value=(114, 114, 114))
        scores, points = self._session.run(None, {self._input: padded[None]})
        return _decode(scores[0], points[0], (nh + ph, nw + pw), (w / nw, h / nh), least)


def _decode(
    logits: Floats, points: Floats, size: tuple[int, int], scale: tuple[float, float], least: float
) -> list[Found]:
    """Raw output to objects without duplicates.

    ``logits`` is 3 kinds x places, ``points`` 4 corners x (x, y, shown) x places, where the places are the cells of
    each of ``CELLS``' grids over a picture of ``size`` (height, width), row by row.
    """
    bar = float(np.log(least / (1 - least)))
    keep = np.flatnonzero(logits.max(0) > bar)
    if len(keep) > MOST * 8:
        keep = keep[np.argsort(-logits.max(0)[keep])[: MOST * 8]]
    scores = 1 / (1 + np.exp(-logits[:, keep]))
    grids = [np.mgrid[: size[0] // c, : size[1] // c][::-1].reshape(2, -1).T for c in CELLS]
    cell = np.repeat(CELLS, [len(g) for g in grids])[keep]
    corner = np.concatenate(grids)[keep]
    raw = points[:, keep].T.reshape(-1, 4, 3)[..., :2]
    quads = (raw * 2 + corner[:, None]) * cell[:, None, None] * np.array(scale)
    low, high = quads.min(1), quads.max(1)
    rects = np.column_stack([low, high - low])
    out: list[Found] = []
    for kind in (INDEX, CARD, BACK):
        # Each kind by its own score: what might be a card or a back is both, until its indices are read.
        mine = np.flatnonzero(scores[kind] > least)
        overlap = 0.45 if kind == INDEX else 0.7
        chosen = (
            cv2.dnn.NMSBoxes(rects[mine].tolist(), scores[kind, mine].tolist(), least, overlap) if len(mine) else []
        )
        for k in np.asarray(chosen, int).ravel()[:MOST]:
            n = mine[k]
            out.append(Found(kind, quads[n].astype(np.float32), float(scores[kind, n])))
    return out


def overlap_of(a: Floats, b: Floats) -> float:
    """Intersection of two convex quads over the smaller one's area."""
    hull_a, hull_b = cv2.convexHull(a), cv2.convexHull(b)
    smaller = min(cv2.contourArea(hull_a), cv2.contourArea(hull_b))
    if smaller < 1:
        return 0.0
    area, _ = cv2.intersectConvexConvex(hull_a, hull_b)
    return float(area) / smaller


def merged(passes: Sequence[Sequence[Found]]) -> list[Found]:
    """One list from several scales: of two readings of one object the surer stays, nested duplicates go."""
    everything = sorted((f for one in passes for f in one), key=lambda f: -f.confidence)
    kept: list[Found] = []
    for f in everything:
        limit = 0.5 if f.kind == INDEX else 0.85
        for k in kept:
            if k.kind != f.kind:
                continue
            ratio = f.size / max(k.size, 1e-6)
            if length(f.centre - k.centre) > 1.2 * max(f.size, k.size):
                continue
            close = overlap_of(f.quad, k.quad)
            if f.kind == INDEX and close > limit:
                break
            if (
                f.kind != INDEX
                and close > limit
                and 0.75 < ratio < 1.34
                and length(f.centre - k.centre) < 0.25 * k.size
            ):
                break
        else:
            kept.append(f)
    return kept
