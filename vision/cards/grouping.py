"""From indices and card outlines to physical cards, each counted once however many of its indices show.

Two kinds of evidence join indices: a card outline that holds them in its corners, and the geometry of a card itself
(the opposite index of the same card lies turned by half a circle, a card's diagonal away). Two equal cards from two
decks fit neither, so they stay two.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

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

ALIKE = 4
"""So many cards with two equal indices equally far apart are not chance: the deck has four indices."""
WELL_READ = 0.7
"""Two indices this well read that differ are on two cards, whatever an outline says."""


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


def _diagonal(a: Floats, b: Floats) -> tuple[float, float] | None:
    """From one index to the other, in widths and heights of an index, if they stand half a turn apart; else None."""
    ax, ay = _axes(a)
    bx, by = _axes(b)
    if _cosine(ay, by) > -0.85 or _cosine(ax, bx) > -0.75:
        return None
    ratio = np.linalg.norm(ay) / max(float(np.linalg.norm(by)), 1e-6)
    if not 0.5 < ratio < 2.0:
        return None
    basis = np.column_stack([(ax - bx) / 2, (ay - by) / 2])
    if abs(np.linalg.det(basis)) < 1e-6:
        return None
    u, v = np.linalg.solve(basis, b.mean(0) - a.mean(0))
    return float(u), float(v)


def opposite(a: Floats, b: Floats) -> bool:
    """Whether two index quads can be the upper left and lower right index of one card: half a turn apart, a card's
    diagonal away."""
    return _leaning(a, b, 2.0) > 0


def _leaning(a: Floats, b: Floats, shortest: float = 1.2) -> int:
    """1 for a diagonal that every card has, -1 for the other diagonal of a four-index card, 0 for none.

    ``shortest`` is how many index heights a card is at least: jumbo indices take nearly half of it each.
    """
    offset = _diagonal(a, b)
    if offset is None:
        return 0
    u, v = offset
    # An index is 0.22 to 0.85 as wide as it is tall; between its two indices a card is 0.65 to 0.85 as wide as tall,
    # and up to 10 index heights tall.
    if not (shortest < v < 10.5 and 0.75 < abs(u / v) < 4.0):
        return 0
    return 1 if u > 0 else -1


def _beside(a: Floats, b: Floats, cosine_x: float, cosine_y: float) -> tuple[float, float, float] | None:
    """From one index to the other, in mean widths and heights of an index, and 1 or -1: whether they stand alike or
    half a turn apart. None where they stand otherwise, or differ much in size."""
    (ax, ay), (bx, by) = _axes(a), _axes(b)
    turn = _cosine(ay, by)
    if abs(turn) < cosine_y or abs(_cosine(ax, bx)) < cosine_x:
        return None
    if not 0.6 < float(np.linalg.norm(ay)) / max(float(np.linalg.norm(by)), 1e-6) < 1.67:
        return None
    sign = 1.0 if turn > 0 else -1.0
    basis = np.column_stack([(ax + sign * bx) / 2, (ay + sign * by) / 2])
    if abs(np.linalg.det(basis)) < 1e-6:
        return None
    u, v = np.linalg.solve(basis, b.mean(0) - a.mean(0))
    return float(u), float(v), sign


def neighbouring(a: Floats, b: Floats, loose: bool = False) -> bool:
    """Whether two index quads can be two of a four-index card's along one side: its width or its height apart.

    An equal card of another deck lies this exactly in line, and this far off, far more rarely. ``loose`` allows for
    the slant of a quad's own axes, which a card's length multiplies; it is for pictures whose deck is known to have
    four indices.
    """
    offset = _beside(a, b, *((0.55, 0.85) if loose else (0.85, 0.9)))
    if offset is None:
        return False
    u, v, turn = offset
    (ax, ay), (bx, by) = _axes(a), _axes(b)
    across = abs(u) * float(np.linalg.norm(ax + turn * bx)) / 2
    along = abs(v) * float(np.linalg.norm(ay + turn * by)) / 2
    if turn > 0:
        wide = across / float(np.linalg.norm(ay))
        if loose:
            return bool(0.9 < wide < 5.5 and 3.2 < abs(u) < 9.5 and along < 0.75 * across)
        return bool(2.0 < wide < 7.0 and 4.0 < abs(u) < 14.0 and along < 0.2 * across)
    return bool(1.2 < v < 7.0 and across < 0.45 * along) if loose else bool(2.5 < v < 9.0 and across < 0.15 * along)


def _all_alike(readings: Sequence[IndexReading]) -> bool:
    """Whether several cards show two indices along their left side, all equally far apart: a deck with four indices,
    spread so that no card shows its right side."""
    apart: dict[int, float] = {}
    well = [r for r in readings if r.sure > WELL_READ]
    for a, b in combinations(well, 2):
        if a.best == b.best and neighbouring(a.quad, b.quad, loose=True):
            offset = _beside(a.quad, b.quad, 0.55, 0.85)
            if offset is not None and offset[2] < 0:
                apart[a.best] = min(offset[1], apart.get(a.best, offset[1]))
    if len(apart) < ALIKE:
        return False
    usual = float(np.median(list(apart.values())))
    return sum(abs(v - usual) < 0.15 * usual for v in apart.values()) >= max(ALIKE, 0.7 * len(apart))


def _completing(a: IndexReading, b: IndexReading, others: Sequence[tuple[int, IndexReading]]) -> list[int]:
    """Which of ``others`` sit in the two corners that opposite indices leave (four-index cards); one for each corner.

    Only a pair says how large the card is: an index alone cannot tell its neighbour from that of the next card.
    """
    offset = _diagonal(a.quad, b.quad)
    if offset is None:
        return []
    ax, ay = _axes(a.quad)
    first, last = a.centre, b.centre
    reach = 0.22 * float(np.linalg.norm(last - first))
    aside = offset[0] * ax
    found = []
    for corner in (first + aside, last - aside):
        near = [
            (float(np.linalg.norm(c.centre - corner)), k)
            for k, c in others
            if c.best == a.best and abs(_cosine(ay, _axes(c.quad)[1])) > 0.9
        ]
        if near and min(near)[0] < reach:
            found.append(min(near)[1])
    return found


def _corner_fit(onto: NDArray[np.float64], index: Floats) -> tuple[float, tuple[int, int]] | None:
    """How badly an index sits in a corner of a card (0 is perfect), and which corner; None where it does not.

    ``onto`` is the homography from picture pixels to the card's unit square.
    """
    placed = np.asarray(cv2.perspectiveTransform(index.reshape(1, -1, 2).astype(np.float32), onto)[0], np.float32)
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


def _may_be_misread(a: IndexReading, b: IndexReading) -> bool:
    """Whether one of two differing readings is weak and gives the other's well-read name a chance."""
    weak, strong = sorted((a, b), key=lambda r: r.sure)
    return bool(weak.sure < WELL_READ < strong.sure and weak.chances[strong.best] > 0.05)


def _pairs(readings: Sequence[IndexReading]) -> list[tuple[int, int]]:
    """Readings on one diagonal of a card, nearest first: equal ones on the diagonal that every deck has, then on that
    of four-index decks, then a weak reading with a well-read one that it does not rule out."""
    possible = []
    for a, b in combinations(range(len(readings)), 2):
        one, other = readings[a], readings[b]
        if one.best == other.best and (lean := _leaning(one.quad, other.quad)):
            possible.append((-lean, float(np.linalg.norm(one.centre - other.centre)), a, b))
        elif _may_be_misread(one, other) and opposite(one.quad, other.quad):
            possible.append((2, float(np.linalg.norm(one.centre - other.centre)), a, b))
    pairs: list[tuple[int, int]] = []
    taken: set[int] = set()
    for _, _, a, b in sorted(possible):
        if a not in taken and b not in taken:
            pairs.append((a, b))
            taken |= {a, b}
    return pairs


def _sides(
    readings: Sequence[IndexReading], besides: Collection[int], owner: Sequence[int], loose: bool
) -> Iterator[tuple[int, int]]:
    """Equal readings of different groups that lie along one side of a four-index card, the surest finds first."""
    free = sorted((k for k in range(len(readings)) if k not in besides), key=lambda k: -readings[k].found)
    for a, b in combinations(free, 2):
        one, other = readings[a], readings[b]
        if owner[a] != owner[b] and one.best == other.best and neighbouring(one.quad, other.quad, loose):
            yield a, b


def _four_indices(members: Sequence[IndexReading]) -> bool:
    """Whether a card shows more indices than others have, or where only four-index decks have them."""
    return len(members) > 2 or any(neighbouring(a.quad, b.quad) for a, b in combinations(members, 2))


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

    pairs = _pairs(readings)
    paired = {k for pair in pairs for k in pair}
    for a, b in pairs:
        join(a, b)
        others = [(k, r) for k, r in enumerate(readings) if k not in (a, b)]
        for c in _completing(readings[a], readings[b], others):
            join(a, c)
            paired.add(c)

    def join_sides(besides: Collection[int], loose: bool) -> None:
        for a, b in _sides(readings, besides, owner, loose):
            if len(groups[owner[a]].members) + len(groups[owner[b]].members) <= 4:
                join(a, b)

    def four_known() -> bool:
        return any(_four_indices([readings[k] for k in g.members]) for g in groups)

    join_sides(paired, loose=False)
    if known := four_known() or _all_alike(readings):
        join_sides((), loose=True)
    claims = []
    for n, outline in enumerate(outlines):
        if _degenerate(outline.quad):
            continue
        onto = np.asarray(cv2.getPerspectiveTransform(outline.quad.astype(np.float32), UNIT), np.float64)
        for k, reading in enumerate(readings):
            if np.linalg.norm(reading.centre - outline.centre) > 1.5 * outline.size:
                continue
            if fit := _corner_fit(onto, reading.quad):
                claims.append((fit[0] - 0.1 * outline.confidence, n, k, fit[1]))
    taken_corner: set[tuple[int, tuple[int, int]]] = set()
    home: dict[int, int] = {}
    for _, n, k, corner in sorted(claims, key=lambda c: c[0]):
        if k in home or (n, corner) in taken_corner:
            continue
        partners = [j for j, m in home.items() if m == n]
        company = {j for p in partners for j in groups[owner[p]].members}
        own = groups[owner[k]].members
        if company and not _fit_together([readings[j] for j in own], [readings[j] for j in company]):
            # A corner of this outline seems to hold another card's index: trust geometry over the outline.
            continue
        home[k] = n
        taken_corner.add((n, corner))
        for j in partners:
            join(j, k)
    if not known and four_known():
        join_sides((), loose=True)
    for k, n in home.items():
        g = groups[owner[k]]
        if g.outline is None or outlines[n].confidence > g.outline.confidence:
            g.outline = outlines[n]
    used = {id(g.outline) for g in groups if g.outline is not None}
    empty = [Group([], o) for o in outlines if id(o) not in used]
    return [g for g in groups if g.members] + empty


def _fit_together(some: Sequence[IndexReading], others: Sequence[IndexReading]) -> bool:
    """Whether indices that sit in corners of one outline may belong to one card."""
    differ = [(a, b) for a, b in product(some, others) if a.best != b.best]
    if not differ:
        return True
    # Different names: only where one of them is a weak reading, and the geometry says one card.
    if any(min(a.sure, b.sure) > WELL_READ for a, b in differ):
        return False
    return any(opposite(a.quad, b.quad) for a, b in differ)


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
