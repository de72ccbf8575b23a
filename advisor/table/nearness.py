"""Which cards lie together, from their outlines alone.

A camera sees the table slanted, so pixels are worth different lengths in different directions and places. Every card is
its own ruler: a gap is measured in the millimetres of the two cards on either side of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import hypot

from vision.sightings import CardSighting, Point, Quad

CARD_WIDTH, CARD_HEIGHT = 63.5, 88.9
"""Poker size, millimetres."""
REACH = 0.6 * CARD_WIDTH
"""Cards with a smaller gap between them belong to one hand."""
FAR = 4 * CARD_HEIGHT
"""Cards with their centres farther apart cannot be neighbours; saves measuring them."""


Cluster = tuple[CardSighting, ...]
"""Cards that lie together, left to right."""


def clusters(sightings: Sequence[CardSighting], reach: float = REACH) -> tuple[Cluster, ...]:
    """The cards in groups whose members lie within ``reach`` millimetres of one another, groups left to right."""
    parent = list(range(len(sightings)))

    def root(k: int) -> int:
        while parent[k] != k:
            k = parent[k]
        return k

    for a in range(len(sightings)):
        for b in range(a):
            if root(a) != root(b) and gap(sightings[a], sightings[b]) <= reach:
                parent[root(a)] = root(b)
    groups: dict[int, list[CardSighting]] = {}
    for k, sighting in enumerate(sightings):
        groups.setdefault(root(k), []).append(sighting)
    found = [tuple(sorted(g, key=lambda s: s.centre)) for g in groups.values()]
    return tuple(sorted(found, key=centre_of))


def centre_of(cluster: Sequence[CardSighting]) -> Point:
    """The mean of the cards' centres, pixels."""
    return _mean([s.centre for s in cluster])


def size_of(cluster: Sequence[CardSighting]) -> float:
    """A card's size here: the mean diagonal, pixels."""
    return sum(diagonal(s.corners) for s in cluster) / len(cluster)


def gap(a: CardSighting, b: CardSighting) -> float:
    """Millimetres between two cards' edges (0 where they overlap), the mean of what either card's ruler says."""
    gaps = []
    for one, other in ((a, b), (b, a)):
        place = ruler(one.corners)
        if place is None:
            return _pixel_gap(a, b)
        mine, theirs = [place(p) for p in one.corners], [place(p) for p in other.corners]
        if _distance(_mean(mine), _mean(theirs)) > FAR:
            return FAR
        gaps.append(polygon_gap(mine, theirs))
    return sum(gaps) / 2


def ruler(quad: Quad) -> Callable[[Point], Point] | None:
    """From pixels to millimetres as this card lies (without perspective, which a card's own corners show too badly).

    None for an outline too flat to measure with.
    """
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad
    # Right and down along the card, pixels a millimetre.
    ux, uy = (bx - ax + cx - dx) / 2 / CARD_WIDTH, (by - ay + cy - dy) / 2 / CARD_WIDTH
    vx, vy = (dx - ax + cx - bx) / 2 / CARD_HEIGHT, (dy - ay + cy - by) / 2 / CARD_HEIGHT
    across, along = hypot(ux, uy), hypot(vx, vy)
    area = ux * vy - uy * vx
    if min(across, along) < 1e-6 or abs(area) < 0.15 * across * along:
        return None
    return lambda p: ((p[0] * vy - p[1] * vx) / area, (p[1] * ux - p[0] * uy) / area)


def polygon_gap(one: Sequence[Point], other: Sequence[Point]) -> float:
    """The distance between two convex polygons' edges; 0 where they touch or overlap."""
    if _inside(one[0], other) or _inside(other[0], one):
        return 0.0
    sides, others = _sides(one), _sides(other)
    if any(_cross(s, o) for s in sides for o in others):
        return 0.0
    return min(
        min(_to_side(p, s) for p in one for s in others),
        min(_to_side(p, s) for p in other for s in sides),
    )


Side = tuple[Point, Point]


def _sides(polygon: Sequence[Point]) -> list[Side]:
    return [(polygon[k - 1], polygon[k]) for k in range(len(polygon))]


def _turn(a: Point, b: Point, p: Point) -> float:
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])


def _inside(p: Point, polygon: Sequence[Point]) -> bool:
    turns = [_turn(a, b, p) for a, b in _sides(polygon)]
    return all(t >= 0 for t in turns) or all(t <= 0 for t in turns)


def _cross(one: Side, other: Side) -> bool:
    a, b = _turn(*one, other[0]), _turn(*one, other[1])
    c, d = _turn(*other, one[0]), _turn(*other, one[1])
    return a * b <= 0 and c * d <= 0 and (a, b, c, d) != (0, 0, 0, 0)


def _to_side(p: Point, side: Side) -> float:
    (ax, ay), (bx, by) = side
    dx, dy = bx - ax, by - ay
    length = dx * dx + dy * dy
    share = 0.0 if length == 0 else max(0.0, min(1.0, ((p[0] - ax) * dx + (p[1] - ay) * dy) / length))
    return hypot(p[0] - ax - share * dx, p[1] - ay - share * dy)


def diagonal(quad: Quad) -> float:
    """The mean of the two diagonals, pixels."""
    return (_distance(quad[0], quad[2]) + _distance(quad[1], quad[3])) / 2


def _pixel_gap(a: CardSighting, b: CardSighting) -> float:
    size = max(1e-6, (diagonal(a.corners) + diagonal(b.corners)) / 2)
    return polygon_gap(a.corners, b.corners) / size * hypot(CARD_WIDTH, CARD_HEIGHT)


def _mean(points: Sequence[Point]) -> Point:
    return (sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points))


def _distance(a: Point, b: Point) -> float:
    return hypot(a[0] - b[0], a[1] - b[1])
