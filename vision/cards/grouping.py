"""From indices and card outlines to physical cards, each counted once however many of its indices show.

Two kinds of evidence join indices: a card outline that holds them in its corners, and the geometry of a card itself
(the opposite index of the same card lies turned by half a circle, a card's diagonal away). Two equal cards from two
decks fit neither, so they stay two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.detector import Found, overlap_of
from vision.cards.indices import IndexReading
from vision.cards.patches import Floats

UNIT: Floats = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
CARD_W, CARD_H = 63.5, 88.9
"""Poker size in millimetres; bridge cards are narrower, which the tolerances below allow for."""
CORNER_U, CORNER_V = 0.32, 0.3
"""How far into a card (shares of its width and height) an index's centre may lie."""


@dataclass
class Group:
    """Indices of one physical card, and its outline where one was found."""

    members: list[int]
    outline: Found | None = None


def _axes(quad: Floats) -> tuple[Floats, Floats]:
    """The quad's own right and down vectors, pixels."""
    ex = (quad[1] - quad[0] + quad[2] - quad[3]) / 2
    ey = (quad[3] - quad[0] + quad[2] - quad[1]) / 2
    return np.asarray(ex, np.float32), np.asarray(ey, np.float32)


def _cosine(a: Floats, b: Floats) -> float:
    return float(a @ b / max(float(np.linalg.norm(a) * np.linalg.norm(b)), 1e-9))


def opposite(a: Floats, b: Floats) -> bool:
    """Whether two index quads can be the two indices of one card: half a turn apart, a card's diagonal away."""
    ax, ay = _axes(a)
    bx, by = _axes(b)
    if _cosine(ay, by) > -0.85 or _cosine(ax, bx) > -0.75:
        return False
    ratio = np.linalg.norm(ay) / max(float(np.linalg.norm(by)), 1e-6)
    if not 0.5 < ratio < 2.0:
        return False
    basis = np.column_stack([(ax - bx) / 2, (ay - by) / 2])
    if abs(np.linalg.det(basis)) < 1e-6:
        return False
    u, v = np.linalg.solve(basis, b.mean(0) - a.mean(0))
    # An index is about 0.5 to 0.75 as wide as it is tall; a card spans 2.4 to 10 index heights.
    across = u * 0.6
    return bool(2.0 < v < 10.5 and 0.42 < across / v < 1.15)


def neighbouring(a: Floats, b: Floats) -> bool:
    """Whether two index quads can be two of a four-index card's along one side: its width or its height apart.

    The next card in a row lies farther off: its index is a whole card's width away, not a card less two margins.
    """
    ax, ay = _axes(a)
    bx, by = _axes(b)
    turn = _cosine(ay, by)
    if abs(turn) < 0.9 or abs(_cosine(ax, bx)) < 0.85:
        return False
    ratio = np.linalg.norm(ay) / max(float(np.linalg.norm(by)), 1e-6)
    if not 0.6 < ratio < 1.67:
        return False
    sign = 1.0 if turn > 0 else -1.0
    basis = np.column_stack([(ax + sign * bx) / 2, (ay + sign * by) / 2])
    if abs(np.linalg.det(basis)) < 1e-6:
        return False
    u, v = np.linalg.solve(basis, b.mean(0) - a.mean(0))
    across = u * 0.6
    if turn > 0:
        return bool(2.0 < abs(across) < 5.6 and abs(v) < 0.22 * abs(across))
    return bool(2.8 < v < 9.5 and abs(across) < 0.15 * v)


def _corner_fit(outline: Floats, index: Floats) -> tuple[float, tuple[int, int]] | None:
    """How badly an index sits in a corner of a card (0 is perfect), and which corner; None where it does not."""
    m = cv2.getPerspectiveTransform(outline.astype(np.float32), UNIT)
    placed = np.asarray(cv2.perspectiveTransform(index.reshape(1, -1, 2).astype(np.float32), m)[0], np.float32)
    u, v = (float(x) for x in placed.mean(0))
    if not (-0.05 < u < 1.05 and -0.05 < v < 1.05):
        return None
    _, down = _axes(placed)
    # On a card an index stands upright in the upper corners and on its head in the lower ones.
    if abs(_cosine(down * np.array([CARD_W, CARD_H], np.float32), np.array([0, 1], np.float32))) < 0.85:
        return None
    lower = v > 0.5
    if (down[1] < 0) != lower:
        return None
    du, dv = min(u, 1 - u), min(v, 1 - v)
    if du > CORNER_U or dv > CORNER_V:
        return None
    return abs(du - 0.11) + abs(dv - 0.13), (int(u > 0.5), int(lower))


def group(readings: Sequence[IndexReading], outlines: Sequence[Found]) -> list[Group]:
    """Partition the readings into physical cards; outlines without any index come back as groups without members."""
    groups = [Group([k]) for k in range(len(readings))]
    owner = list(range(len(readings)))

    def join(a: int, b: int) -> None:
        ga, gb = owner[a], owner[b]
        if ga == gb:
            return
        for k in groups[gb].members:
            owner[k] = ga
        groups[ga].members += groups[gb].members
        groups[gb].members = []

    for a in range(len(readings)):
        for b in range(a + 1, len(readings)):
            if readings[a].best != readings[b].best:
                continue
            one, other = readings[a].quad, readings[b].quad
            if opposite(one, other) or neighbouring(one, other):
                join(a, b)
    claims = []
    for n, outline in enumerate(outlines):
        for k, reading in enumerate(readings):
            fit = _corner_fit(outline.quad, reading.quad) if not _degenerate(outline.quad) else None
            if fit:
                claims.append((fit[0] - 0.1 * outline.confidence, n, k, fit[1]))
    taken_corner: set[tuple[int, tuple[int, int]]] = set()
    home: dict[int, int] = {}
    for _, n, k, corner in sorted(claims, key=lambda c: c[0]):
        if k in home or (n, corner) in taken_corner:
            continue
        partners = [j for j, m in home.items() if m == n]
        if partners and not any(_fits_together(readings[k], readings[j]) for j in partners):
            # A corner of this outline seems to hold another card's index: trust geometry over the outline.
            continue
        home[k] = n
        taken_corner.add((n, corner))
        for j in partners:
            join(j, k)
    for k, n in home.items():
        g = groups[owner[k]]
        if g.outline is None or outlines[n].confidence > g.outline.confidence:
            g.outline = outlines[n]
    used = {id(g.outline) for g in groups if g.outline is not None}
    empty = [Group([], o) for o in outlines if id(o) not in used]
    return [g for g in groups if g.members] + empty


def _fits_together(a: IndexReading, b: IndexReading) -> bool:
    """Whether two indices in two corners of one outline may belong to one card."""
    if a.best == b.best:
        return True
    # Different names: only if the geometry says one card, so that the weaker reading is a misreading.
    return opposite(a.quad, b.quad)


def _degenerate(quad: Floats) -> bool:
    return abs(float(cv2.contourArea(quad.astype(np.float32)))) < 16 or not cv2.isContourConvex(quad.astype(np.float32))


def combined(readings: Sequence[IndexReading]) -> NDArray[np.float64]:
    """The chances of each face (and none) from all indices of one card, as if each were an independent witness."""
    logs = np.zeros(len(readings[0].chances))
    for r in readings:
        logs += np.log(np.clip(r.chances.astype(np.float64), 1e-4, 1.0))
    logs -= logs.max()
    out = np.exp(logs)
    return np.asarray(out / out.sum(), np.float64)


def corners_of(members: Sequence[IndexReading], outline: Found | None) -> Floats:
    """The card's corners from its own top-left: the outline turned to fit its surest index, or drawn from indices."""
    lead = max(members, key=lambda r: r.sure * r.found)
    ex, ey = _axes(lead.quad)
    if outline is not None:
        q = outline.quad
        turned = [np.roll(q, -k, axis=0) for k in range(4)]
        return np.asarray(max(turned, key=lambda t: _cosine(_axes(t)[1], ey)), np.float32)
    others = [m for m in members if m is not lead and opposite(lead.quad, m.quad)]
    if others:
        a, b = lead.quad.mean(0), others[0].quad.mean(0)
        u, v = np.linalg.solve(np.column_stack([ex, ey]), b - a)
        right, down = ex * u / 0.82, ey * v / 0.78
        middle = (a + b) / 2
    else:
        right, down = ex / 0.105, ey / 0.125
        middle = lead.quad.mean(0) + right * 0.41 + down * 0.39
    return np.asarray(
        middle + np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) @ np.stack([right, down]), np.float32
    )


def covered(outline: Found, cards: Sequence[Floats]) -> bool:
    """Whether an outline mostly repeats cards that were already read."""
    return any(overlap_of(outline.quad, c) > 0.6 for c in cards)
