"""Stacks of chips as the camera sees them: short cylinders with marks on their edges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from datasets.deck import Floats, Image
from datasets.rounds.layers import FULL
from datasets.rounds.script import Colour
from datasets.rounds.stage import Stage
from vision.sightings import Point

RADIUS, THICK = 19.5, 3.3
"""Millimetres: notes on sizes at the table."""
PAINT: Final[dict[Colour, tuple[int, int, int]]] = {
    "white": (226, 230, 232),
    "red": (44, 36, 176),
    "blue": (164, 84, 34),
    "green": (62, 116, 30),
    "black": (40, 38, 38),
    "purple": (126, 44, 104),
    "yellow": (40, 176, 224),
}
"""Blue, green, red."""
MARKS: Final = 6
"""Marks round the edge of a chip."""
FAR: Final = 100_000
"""Makes any place on a felt a number above 0, as seeds must be."""
FINE: Final = 3
"""Drawn so many times larger, then shrunk."""


def draw_stack(picture: Image, stage: Stage, point: Point, chips: Sequence[Colour], seed: int) -> None:
    """Draw the chips, the lowest first, standing on the felt at `point`; in place."""
    rng = np.random.default_rng([seed, 71, round(point[0]) + FAR, round(point[1]) + FAR])
    slips = np.cumsum(rng.normal(0, 0.5, (len(chips), 2)), axis=0)
    turns = rng.uniform(0, 2 * np.pi, len(chips))
    whole = np.concatenate([_ring(stage, point, 1.15, 0.0), _ring(stage, point, 1.15, THICK * len(chips))])
    box = stage.box(whole, 8)
    if box.empty:
        return
    region = box.of(picture)
    large = cv2.resize(region, None, fx=FINE, fy=FINE, interpolation=cv2.INTER_LINEAR)
    shadow = np.full(large.shape[:2], 255, np.uint8)
    origin = np.array([box.x0, box.y0])

    def fill(points: Floats, colour: tuple[int, int, int], bright: float) -> None:
        corners = ((points + 0.5 - origin) * FINE * 16).round().astype(np.int32)
        cv2.fillConvexPoly(
            large, cv2.convexHull(corners), tuple(min(255.0, v * bright) for v in colour), cv2.LINE_AA, 4
        )

    foot = ((_ring(stage, (point[0] + 3, point[1] + 3), 1.1, 0.0) + 0.5 - origin) * FINE * 16).round().astype(np.int32)
    cv2.fillConvexPoly(shadow, foot, 120, cv2.LINE_AA, 4)
    shadow = cv2.GaussianBlur(shadow, (0, 0), 2.0 * FINE)
    large = cv2.multiply(large, cv2.cvtColor(shadow, cv2.COLOR_GRAY2BGR), scale=1 / 255)
    for k, colour in enumerate(chips):
        at = (point[0] + float(slips[k, 0]), point[1] + float(slips[k, 1]))
        paint = PAINT[colour]
        mark = (70, 70, 66) if colour == "white" else (222, 228, 230)
        low, high = THICK * k, THICK * (k + 1)
        fill(np.concatenate([_ring(stage, at, 1.0, low), _ring(stage, at, 1.0, high)]), paint, 0.62)
        for j in range(MARKS):
            arc = turns[k] + 2 * np.pi * (j + np.array([0.0, 0.15, 0.3])) / MARKS
            fill(np.concatenate([_ring(stage, at, 1.0, low, arc), _ring(stage, at, 1.0, high, arc)]), mark, 0.6)
        fill(_ring(stage, at, 1.0, high), paint, 1.0)
        for j in range(MARKS):
            arc = turns[k] + 2 * np.pi * (j + np.linspace(0, 0.3, 5)) / MARKS
            fill(np.concatenate([_ring(stage, at, 1.0, high, arc), _ring(stage, at, 0.78, high, arc)]), mark, 1.0)
        fill(_ring(stage, at, 0.66, high), paint, 1.16)
        fill(_ring(stage, at, 0.56, high), paint, 0.94)
    small = cv2.resize(large, box.size, interpolation=cv2.INTER_AREA)
    # What was the felt is lit already; only the chips take the lamp's colour.
    changed = cv2.absdiff(small, region).max(axis=2) > 0
    lit = cv2.multiply(small, box.of(stage.light), scale=1 / FULL)
    tops = cv2.GaussianBlur(lit, (3, 3), 0.5)
    mask = np.zeros(changed.shape, np.uint8)
    body = np.concatenate([_ring(stage, point, 1.02, 0.0), _ring(stage, point, 1.02, THICK * len(chips))])
    cv2.fillConvexPoly(mask, cv2.convexHull((body - origin).round().astype(np.int32)), 1)
    region[:] = np.where((mask > 0)[..., None], tops, small)


def _ring(stage: Stage, at: Point, share: float, height: float, arc: Floats | None = None) -> Floats:
    """Points on a circle of `share` radii at a height."""
    t = np.linspace(0, 2 * np.pi, 40, endpoint=False) if arc is None else arc
    flat = np.column_stack([at[0] + np.cos(t) * RADIUS * share, at[1] + np.sin(t) * RADIUS * share])
    return stage.view.project_lifted(flat, np.full(len(flat), height))
