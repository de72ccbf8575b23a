"""Where a card's indices stand to each other and to its outline, in a picture taken from anywhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import hypot
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.patches import Floats

UNIT: Floats = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
CARD_W, CARD_H = 63.5, 88.9
"""Poker size in millimetres; bridge cards are narrower, which the tolerances below allow for."""
CORNER_U, CORNER_V = 0.32, 0.3
"""How far into a card (shares of its width and height) an index's centre may lie;"""
OUTSIDE = 0.05
"""and how far outside of its outline, which may lie askew."""
WORD_V, WORD_OUTSIDE = 0.38, 0.16
"""The same for a joker's word, whose letters stand one below the other: outlines of such cards are looser, too."""


Pair = tuple[float, float]
_STEPS: Floats = np.array([[-0.5, 0.5, 0.5, -0.5], [-0.5, -0.5, 0.5, 0.5]], np.float32)
_QUARTERS: Floats = np.full(4, 0.25, np.float32)


def axes(quad: Floats) -> tuple[Floats, Floats]:
    """The quad's own right and down vectors, pixels."""
    right, down = _STEPS @ quad
    return np.asarray(right, np.float32), np.asarray(down, np.float32)


def centre(quad: Floats) -> Floats:
    """Mean of a quad's corners: as ``quad.mean(0)``, at a fifth of its time."""
    return np.asarray(_QUARTERS @ quad, np.float32)


def length(step: NDArray[np.floating[Any]]) -> float:
    """Of a vector of two: as ``np.linalg.norm``, at a tenth of its time, and pairs of indices ask for thousands."""
    return hypot(step[0], step[1])


def cosine(a: Floats, b: Floats) -> float:
    """Of the angle between two vectors; 0 where one has no length."""
    (ax, ay), (bx, by) = a.tolist(), b.tolist()
    return float((ax * bx + ay * by) / max(hypot(ax, ay) * hypot(bx, by), 1e-9))


def _frame(quad: Floats) -> tuple[float, float, float, float, float, float]:
    """`axes` and `centre` in plain numbers: right x and y, down x and y, middle x and y. For two or three vectors of
    two, arrays cost ten times the reckoning."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad.tolist()
    rx, ry = (bx + cx - ax - dx) / 2, (by + cy - ay - dy) / 2
    return rx, ry, (cx + dx - ax - bx) / 2, (cy + dy - ay - by) / 2, (ax + bx + cx + dx) / 4, (ay + by + cy + dy) / 4


def _cosine(ax: float, ay: float, bx: float, by: float) -> float:
    return (ax * bx + ay * by) / max(hypot(ax, ay) * hypot(bx, by), 1e-9)


def _solved(
    right: tuple[float, float], down: tuple[float, float], step: tuple[float, float]
) -> tuple[float, float] | None:
    """``step`` in so many of ``right`` and so many of ``down``; None where they are of one direction."""
    (rx, ry), (dx, dy), (x, y) = right, down, step
    area = rx * dy - ry * dx
    return None if abs(area) < 1e-6 else ((x * dy - y * dx) / area, (rx * y - ry * x) / area)


def diagonal(a: Floats, b: Floats) -> tuple[float, float] | None:
    """From one index to the other, in widths and heights of an index, if they stand half a turn apart; else None."""
    arx, ary, adx, ady, ax, ay = _frame(a)
    brx, bry, bdx, bdy, bx, by = _frame(b)
    if _cosine(adx, ady, bdx, bdy) > -0.85 or _cosine(arx, ary, brx, bry) > -0.75:
        return None
    if not 0.5 < hypot(adx, ady) / max(hypot(bdx, bdy), 1e-6) < 2.0:
        return None
    return _solved(((arx - brx) / 2, (ary - bry) / 2), ((adx - bdx) / 2, (ady - bdy) / 2), (bx - ax, by - ay))


def opposite(a: Floats, b: Floats) -> bool:
    """Whether two index quads can be the upper left and lower right index of one card: half a turn apart, a card's
    diagonal away."""
    return leaning(a, b, 2.0) > 0


def stands_as_most(quad: Floats, others: Sequence[Floats]) -> bool:
    """Whether an index stands upright to more than half of others, rather than on its head."""
    down = axes(quad)[1]
    return sum(cosine(down, axes(other)[1]) > 0 for other in others) > len(others) / 2


JUMBO = 1.2
"""Index heights between two ends of a card below which indices take nearly half of it each."""


def leaning(a: Floats, b: Floats, shortest: float = 0.6) -> int:
    """1 for a diagonal that every card has, -1 for the other diagonal of a four-index card, 0 for none.

    ``shortest`` is how many index heights a card is at least: jumbo indices take nearly half of it each.
    """
    offset = diagonal(a, b)
    if offset is None:
        return 0
    u, v = offset
    # An index is 0.22 to 0.85 as wide as it is tall; between its two indices a card is 0.65 to 0.85 as wide as tall,
    # and up to 10 index heights tall. Jumbo indices leave less of its height between them than of its width.
    if not (shortest < v < 10.5 and 0.75 < abs(u / v) < (5.5 if v < JUMBO else 4.0)):
        return 0
    return 1 if u > 0 else -1


def other_corners(a: Floats, b: Floats) -> tuple[Floats, Floats] | None:
    """Where a four-index card has its other two indices, by two on a diagonal: the one upright as ``a``, then the one
    upright as ``b``; None where the two lie on no diagonal."""
    offset = diagonal(a, b)
    if offset is None:
        return None
    aside = offset[0] * axes(a)[0]
    return np.asarray(centre(a) + aside, np.float32), np.asarray(centre(b) - aside, np.float32)


def beside(a: Floats, b: Floats, cosine_x: float, cosine_y: float) -> tuple[float, float, float] | None:
    """From one index to the other, in mean widths and heights of an index, and 1 or -1: whether they stand alike or
    half a turn apart. None where they stand otherwise, or differ much in size."""
    arx, ary, adx, ady, ax, ay = _frame(a)
    brx, bry, bdx, bdy, bx, by = _frame(b)
    turn = _cosine(adx, ady, bdx, bdy)
    if abs(turn) < cosine_y or abs(_cosine(arx, ary, brx, bry)) < cosine_x:
        return None
    if not 0.6 < hypot(adx, ady) / max(hypot(bdx, bdy), 1e-6) < 1.67:
        return None
    sign = 1.0 if turn > 0 else -1.0
    right, down = ((arx + sign * brx) / 2, (ary + sign * bry) / 2), ((adx + sign * bdx) / 2, (ady + sign * bdy) / 2)
    found = _solved(right, down, (bx - ax, by - ay))
    return None if found is None else (*found, sign)


def neighbouring(a: Floats, b: Floats, loose: bool = False) -> bool:
    """Whether two index quads can be two of a four-index card's along one side: its width or its height apart.

    An equal card of another deck lies this exactly in line, and this far off, far more rarely. ``loose`` allows for
    the slant of a quad's own axes, which a card's length multiplies; it is for pictures whose deck is known to have
    four indices.
    """
    offset = beside(a, b, *((0.55, 0.85) if loose else (0.85, 0.9)))
    if offset is None:
        return False
    u, v, turn = offset
    (ax, ay), (bx, by) = axes(a), axes(b)
    if turn < 0 and abs(u) < 0.6 and 0.65 < v < 1.2:
        return True  # Foot to foot: indices so large that they meet; two cards never lie like that by chance.
    across = abs(u) * length(ax + turn * bx) / 2
    along = abs(v) * length(ay + turn * by) / 2
    if turn > 0:
        wide = across / length(ay)
        if loose:
            return bool(0.9 < wide < 5.5 and 3.2 < abs(u) < 9.5 and along < 0.75 * across)
        return bool(2.0 < wide < 7.0 and 4.0 < abs(u) < 14.0 and along < 0.2 * across)
    return bool(0.65 < v < 7.0 and across < 0.45 * along) if loose else bool(2.5 < v < 9.0 and across < 0.15 * along)


def corner_fit(onto: NDArray[np.float64], index: Floats, word: bool = False) -> tuple[float, tuple[int, int]] | None:
    """How badly an index sits in a corner of a card (0 is perfect), and which corner; None where it does not.

    ``onto`` is the homography from picture pixels to the card's unit square. Where it may be a joker's ``word``, that
    may reach to the card's middle and beyond the outline, but only in the two corners that every deck prints in.
    """
    placed = np.asarray(cv2.perspectiveTransform(index.reshape(1, -1, 2).astype(np.float32), onto)[0], np.float32)
    u, v = (float(x) for x in placed.mean(0))
    word = word and (u > 0.5) == (v > 0.5)
    if max(-u, u - 1, -v, v - 1) >= (WORD_OUTSIDE if word else OUTSIDE):
        return None
    _, down = axes(placed)
    # On a card an index stands upright in the upper corners and on its head in the lower ones.
    if abs(cosine(down * np.array([CARD_W, CARD_H], np.float32), np.array([0, 1], np.float32))) < 0.85:
        return None
    lower = v > 0.5
    if (down[1] < 0) != lower:
        return None
    du, dv = min(u, 1 - u), min(v, 1 - v)
    if du > CORNER_U or dv > (WORD_V if word else CORNER_V):
        return None
    return off_corner(u, v), (int(u > 0.5), int(lower))


def off_corner(u: float, v: float) -> float:
    """How far a point of a card's unit square is from where the nearest index is printed."""
    return abs(min(u, 1 - u) - 0.11) + abs(min(v, 1 - v) - 0.13)


def on_any(point: Floats, quads: Iterable[Floats]) -> bool:
    """Whether a point (pixels) lies in any of the quads."""
    at = (float(point[0]), float(point[1]))
    return any(cv2.pointPolygonTest(quad, at, False) >= 0 for quad in quads)


def degenerate(quad: Floats) -> bool:
    """Whether a quad is no picture of a card: folded, or of hardly any area (16 square pixels)."""
    return abs(float(cv2.contourArea(quad.astype(np.float32)))) < 16 or not cv2.isContourConvex(quad.astype(np.float32))


@dataclass(frozen=True, eq=False)
class Measure:
    """A card's outline as a measure for what lies about it: the table there, and how far apart a card's indices are.

    ``onto`` (2 x 2) turns steps in the picture into millimetres; ``across`` and ``along`` are from centre to centre of
    two indices of one card, in millimetres; ``centre`` is the outline's, in pixels.
    """

    onto: NDArray[np.float64]
    centre: Floats
    across: float
    along: float

    def fits(self, a: Floats, b: Floats) -> bool:
        """Whether two indices may be as far apart as a card has them: on the diagonal, along its side or across."""
        apart = length(self.onto @ (centre(b) - centre(a)))
        if cosine(axes(a)[1], axes(b)[1]) > 0:
            return self.across / NARROWER < apart < self.across * APART
        return self.along / FARTHER < apart < float(np.hypot(self.across, self.along)) * APART

    def reaches(self, a: Floats, b: Floats) -> bool:
        """Whether a card is large enough for two indices of any size in its corners: across it, or on its diagonal."""
        alike = cosine(axes(a)[1], axes(b)[1]) > 0
        most = self.across if alike else float(np.hypot(self.across, self.along))
        return length(self.onto @ (centre(b) - centre(a))) < most * APART

    def across_from(self, a: Floats, b: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Where a four-index card has its other two indices, by two along one of its sides: beside ``a`` and beside
        ``b``, to the one hand and then to the other, since either side may be theirs."""
        along = self.onto @ (centre(b) - centre(a)).astype(np.float64)
        across = np.array([-along[1], along[0]]) / max(hypot(*along), 1e-6) * self.across
        aside = np.linalg.solve(self.onto, across).astype(np.float32)
        here, there = centre(a), centre(b)
        return here + aside, there + aside, here - aside, there - aside

    def misfit(self, a: Floats, b: Floats) -> float:
        """How far the second of two indices on a card's diagonal is from where it should be, in diagonals."""
        (_, down), (_, up) = axes(a), axes(b)
        straight = down / max(length(down), 1e-6) - up / max(length(up), 1e-6)
        x, y = self.onto @ straight.astype(np.float64)
        reach = max(hypot(x, y), 1e-6)
        dx, dy = self.onto @ (centre(b) - centre(a)).astype(np.float64)
        along, across = (dx * x + dy * y) / reach, abs(dx * y - dy * x) / reach
        return float(np.hypot(along - self.along, across - self.across) / np.hypot(self.along, self.across))


APART = 1.45
"""By so much a distance may differ from what an outline beside it says: outlines are found a little askew."""
NARROWER = 1.7
"""The same for indices that stand alike: a card seen aslant is narrow, and equal cards in a fan are nearer still."""
FARTHER = 2.0
"""By so much it may fall short for indices half a turn apart: their card may lie farther away than the outline."""
UNTOLD = 0.2
"""The misfit where no outline tells."""
BESIDE = 3
"""So many outlines, the nearest ones, are asked."""


def measure_of(onto: NDArray[np.float64], outline: Floats, index: Floats) -> Measure | None:
    """What an outline says with an index in its corner; None where that reaches past the card's middle.

    ``onto`` is the homography from picture pixels to the outline's unit square.
    """
    placed = np.asarray(cv2.perspectiveTransform(index.reshape(1, -1, 2).astype(np.float32), onto)[0], np.float32)
    middle = placed.mean(0)
    inside = 1 - 2 * np.minimum(middle, 1 - middle)
    steps = np.column_stack(axes(outline)).astype(np.float64)
    if inside.min() < 0.2 or abs(np.linalg.det(steps)) < 16:
        return None
    straight = np.diag([CARD_W, CARD_H]) @ np.linalg.inv(steps)
    return Measure(
        straight,
        centre(outline),
        float(inside[0]) * CARD_W,
        float(inside[1]) * CARD_H,
    )


def beside_them(measures: Sequence[Measure], a: Floats, b: Floats) -> list[Measure]:
    """The outlines nearest to the middle between two indices, the nearest first."""
    middle = (centre(a) + centre(b)) / 2
    return sorted(measures, key=lambda m: length(m.centre - middle))[:BESIDE]


def agrees(measures: Sequence[Measure], a: Floats, b: Floats) -> bool:
    """Whether two indices may be one card's, by the distances of any outline beside them; where none is, they may."""
    near = beside_them(measures, a, b)
    return not near or any(m.fits(a, b) for m in near)


def reaches(measures: Sequence[Measure], a: Floats, b: Floats) -> bool:
    """Whether two indices lie no farther apart than a card's ends, by any outline beside them; where none is, they
    may."""
    near = beside_them(measures, a, b)
    return not near or any(m.reaches(a, b) for m in near)


def misfit(measures: Sequence[Measure], a: Floats, b: Floats) -> float:
    """How badly two indices lie for a card's diagonal, by the outline beside them that fits best; where there is none,
    neither well nor badly."""
    return min((m.misfit(a, b) for m in beside_them(measures, a, b)), default=UNTOLD)
