"""Areas of the felt: circles and polygons in millimetres, and how cards lie on them.

All shapes bulge outwards everywhere (they are convex), which keeps every question about them short and exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import cos, hypot, isfinite, pi, radians, sin

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.sightings import Point

Outline = NDArray[np.float32]
"""Corners, N x 2 millimetres, clockwise seen from above."""
ROUND = 72
"""Corners that stand for a circle: its rim is off by 0.1 % of the radius at most."""


class ShapeError(ValueError):
    """A shape that encloses no area, or bends inwards; the message says which."""


@dataclass(frozen=True)
class Circle:
    """A disc around ``centre`` with a ``radius``, both in millimetres."""

    centre: Point
    radius: float

    def __post_init__(self) -> None:
        if not all(isfinite(v) for v in (*self.centre, self.radius)) or self.radius <= 0:
            raise ShapeError(f"a circle needs a centre and a radius above 0, got {self.centre!r} and {self.radius!r}")

    @cached_property
    def outline(self) -> Outline:
        """The rim as a polygon of ``ROUND`` corners."""
        turns = [2 * pi * k / ROUND for k in range(ROUND)]
        x, y = self.centre
        return np.array([(x + self.radius * cos(t), y + self.radius * sin(t)) for t in turns], np.float32)

    @property
    def area(self) -> float:
        """Square millimetres."""
        return pi * self.radius**2

    def contains(self, point: Point) -> bool:
        """Whether the point lies in it or on its rim; a point that is no number lies nowhere."""
        return hypot(point[0] - self.centre[0], point[1] - self.centre[1]) <= self.radius


@dataclass(frozen=True)
class Polygon:
    """Three or more corners in millimetres, in either order round; it may not bend inwards."""

    points: tuple[Point, ...]

    def __post_init__(self) -> None:
        if len(self.points) < 3 or not all(len(p) == 2 and isfinite(p[0]) and isfinite(p[1]) for p in self.points):
            raise ShapeError(f"a polygon needs three or more corners of two numbers, got {self.points!r}")
        if abs(_signed_area(self.points)) < 1:
            raise ShapeError("its corners lie on one line, or its sides cross, so that it encloses nothing")
        if not _convex(self.points):
            raise ShapeError("it bends inwards or its sides cross: give its corners in order round, or use two areas")

    @cached_property
    def outline(self) -> Outline:
        """The corners, clockwise seen from above."""
        points = self.points if _signed_area(self.points) > 0 else self.points[::-1]
        return np.array(points, np.float32)

    @property
    def centre(self) -> Point:
        """The centre of its area."""
        x0, y0 = self.points[0]
        sums = [0.0, 0.0, 0.0]
        for (ax, ay), (bx, by) in zip(self.points[1:], self.points[2:], strict=False):
            turn = (ax - x0) * (by - y0) - (ay - y0) * (bx - x0)
            sums[0] += turn
            sums[1] += turn * (x0 + ax + bx) / 3
            sums[2] += turn * (y0 + ay + by) / 3
        return (sums[1] / sums[0], sums[2] / sums[0])

    @property
    def area(self) -> float:
        """Square millimetres."""
        return abs(_signed_area(self.points))

    def contains(self, point: Point) -> bool:
        """Whether the point lies in it or on its edge; a point that is no number lies nowhere."""
        return isfinite(point[0] + point[1]) and bool(cv2.pointPolygonTest(self.outline, point, False) >= 0)


Shape = Circle | Polygon


def box(centre: Point, size: Point, turn: float = 0.0) -> Polygon:
    """A rectangle ``size`` = (across, along) millimetres, turned by ``turn`` degrees clockwise seen from above."""
    if not all(isfinite(v) and v > 0 for v in size):
        raise ShapeError(f"a box needs two sizes above 0, got {size!r}")
    c, s = cos(radians(turn)), sin(radians(turn))
    ends = [(sx * size[0] / 2, sy * size[1] / 2) for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    return Polygon(tuple((centre[0] + u * c - v * s, centre[1] + u * s + v * c) for u, v in ends))


def shared_area(one: Outline, other: Outline) -> float:
    """The area that two outlines share, square millimetres."""
    return max(0.0, float(cv2.intersectConvexConvex(one, other)[0]))


def common(one: Outline, other: Outline) -> tuple[float, Point]:
    """The area that two outlines share, square millimetres, and its middle (the first one's where they share none)."""
    area, shared = cv2.intersectConvexConvex(one, other)
    if area <= 0 or shared is None:
        return 0.0, middle(one)
    return float(area), middle(np.asarray(shared, np.float32).reshape(-1, 2))


def gap(one: Outline, other: Outline) -> float:
    """Millimetres between two outlines; 0 where they touch or share an area."""
    if shared_area(one, other) > 0:
        return 0.0
    return min(_nearest(one, other), _nearest(other, one))


def farthest_out(inner: Outline, outer: Outline) -> tuple[float, Point]:
    """How many millimetres ``inner`` reaches out of ``outer`` at most (0 where it lies in it), and where."""
    reach = [(-float(cv2.pointPolygonTest(outer, (float(x), float(y)), True)), (float(x), float(y))) for x, y in inner]
    most = max(reach)
    return max(0.0, most[0]), most[1]


def middle(outline: Outline) -> Point:
    """The mean of the corners."""
    x, y = outline.mean(axis=0)
    return (float(x), float(y))


def _nearest(points: Outline, outline: Outline) -> float:
    return min(-float(cv2.pointPolygonTest(outline, (float(x), float(y)), True)) for x, y in points)


def _signed_area(points: Sequence[Point]) -> float:
    """Positive where the corners run clockwise seen from above (x to the right, y down)."""
    return sum(points[k - 1][0] * p[1] - points[k - 1][1] * p[0] for k, p in enumerate(points)) / 2


def _convex(points: Sequence[Point]) -> bool:
    """Every corner turns the same way, and all of them together turn once round."""
    count, turns, round_ = len(points), [], 0.0
    for k in range(count):
        (ax, ay), (bx, by), (cx, cy) = points[k - 2], points[k - 1], points[k]
        ux, uy, vx, vy = bx - ax, by - ay, cx - bx, cy - by
        long = hypot(ux, uy) * hypot(vx, vy)
        if long == 0:
            return False
        turns.append((ux * vy - uy * vx) / long)
        round_ += float(np.arctan2(ux * vy - uy * vx, ux * vx + uy * vy))
    return (min(turns) > -1e-6 or max(turns) < 1e-6) and abs(abs(round_) - 2 * pi) < 1e-3
