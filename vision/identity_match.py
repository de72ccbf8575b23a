"""What it costs to take a sighting for a card that is known: how far it lies, and how well the names agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import hypot, inf

import cv2
import numpy as np

from vision.identity_names import Name
from vision.sightings import CardSighting, Point, Quad, akin, middle

ALONE = 0.6
"""What it costs to leave a card or a sighting without a partner, in card diagonals as all costs here."""
SLID, TURNED, UNKNOWN, MISREAD = 1.0, 0.6, 0.4, 0.25
"""How far a card may have come (in its diagonals) and still be taken for itself: with the same sure name; turned over
(which takes it a width aside); with no sure name on one side; and read surely as another one."""
SAME_INDEX, MARKS = 0.04, 6
"""An index this near to a card's own, in that card's diagonals, is the same one; a card has four, and odd finds."""
ALIKE = 0.7
"""Cosine of the angle by which two readings of one index may be turned from each other."""
FAINT = 0.5
"""Backs found less surely than this are printed on the felt, or clutter, about as often as they are cards."""
ASTRAY = 0.02
"""What it costs that the outlines lie one diagonal apart where an index of both stands in one place: with equal cards
side by side an index is now and then taken for the other card's, and both would then fit the same sighting alike."""
CENTRED = 0.1
"""A card's middle is so near, in its diagonals, to the point half way between two indices on a diagonal."""
SAME_PLACE = 0.08
"""Nearer than this nothing can be dealt beside a card; farther, its old place is looked at."""


def diagonal(quad: Quad) -> float:
    """The mean length of the diagonals, in pixels, at least 1."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad
    return max((hypot(cx - ax, cy - ay) + hypot(dx - bx, dy - by)) / 2, 1.0)


def apart(one: CardSighting, other: CardSighting) -> float:
    """Distance in diagonals: between the centres, or between the nearest indices where that is less.

    A card that is partly covered is drawn from one index, and its centre with it, which may be off by a fifth; the
    index itself is placed to a pixel. In a stepped hand both tell neighbours apart alike.
    """
    size = diagonal(one.corners)
    centres = _distance(one.centre, other.centre)
    marks = index_distance(one, other)
    return (centres if marks is None else min(centres, marks)) / size


def _apart_as_they_lie(one: CardSighting, other: CardSighting) -> float:
    """The same by those indices alone that are turned alike: an index a quarter turned on what was seen of a card is
    another card's, as where one for a double comes to lie across the corner of the hand beside it."""
    marks = [_distance(middle(q), middle(p)) for q in one.indices for p in other.indices if _turned_alike(q, p)]
    return min([_distance(one.centre, other.centre), *marks]) / diagonal(one.corners)


def _turned_alike(one: Quad, other: Quad) -> bool:
    """Whether two indices stand the same way up, or on their heads."""
    a, b = ((q[3][0] - q[0][0] + q[2][0] - q[1][0], q[3][1] - q[0][1] + q[2][1] - q[1][1]) for q in (one, other))
    return abs(a[0] * b[0] + a[1] * b[1]) >= ALIKE * hypot(*a) * hypot(*b)


def index_distance(one: CardSighting, other: CardSighting) -> float | None:
    """Pixels between the nearest two indices; None where one shows none."""
    return min(index_distances(one, other), default=None)


def index_distances(one: CardSighting, other: CardSighting, alike: bool = False) -> list[float]:
    """Pixels from each index of ``other`` to the nearest of ``one``, or to the nearest that is turned ``alike``
    (infinity where none is); none where one of them shows none."""
    if not one.indices:
        return []
    return [
        min((_distance(middle(q), middle(p)) for p in one.indices if not alike or _turned_alike(p, q)), default=inf)
        for q in other.indices
    ]


def marked(marks: Sequence[Quad], seen: CardSighting) -> tuple[Quad, ...]:
    """The indices that a card was read by so far, with those of this sighting that are not among them."""
    near = SAME_INDEX * diagonal(seen.corners)
    new = [q for q in seen.indices if all(_distance(middle(q), middle(mark)) > near for mark in marks)]
    return (*marks, *new)[:MARKS]


def within(marks: Sequence[Quad], seen: CardSighting) -> bool:
    """Whether each index of a sighting that shows any lies in one of these."""
    places = [np.array(mark, np.float32) for mark in marks]
    return bool(seen.indices) and all(
        any(cv2.pointPolygonTest(place, middle(q), False) >= 0 for place in places) for q in seen.indices
    )


def shows_diagonal(seen: CardSighting) -> bool:
    """Whether a card shows two indices on a diagonal, so that its middle lies between them."""
    return len(seen.indices) == 2 and _both_ends(seen)


def _both_ends(seen: CardSighting) -> bool:
    """The same of any two indices of a card that may show more."""
    spots = [middle(quad) for quad in seen.indices]
    between = (((ax + bx) / 2, (ay + by) / 2) for (ax, ay), (bx, by) in combinations(spots, 2))
    return any(_distance(it, seen.centre) < CENTRED * diagonal(seen.corners) for it in between)


def _distance(a: Point, b: Point) -> float:
    return hypot(a[0] - b[0], a[1] - b[1])


@dataclass(frozen=True)
class Fit:
    """A possible pair: its cost, and how far apart the two lie, both in diagonals."""

    cost: float
    distance: float


def fit(held: CardSighting, up: bool, name: Name, seen: CardSighting) -> Fit | None:
    """The pair of a held card and a sighting by distance and name alone; None where it is impossible."""
    if _distance(held.centre, seen.centre) > 2 * SLID * diagonal(held.corners):
        return None
    distance = apart(held, seen)
    if distance > SLID:
        return None
    astray = ASTRAY * _distance(held.centre, seen.centre) / diagonal(held.corners)
    face = seen.kind != "back"
    if up and not face and seen.confidence < FAINT:
        # A strip of the card beside it, or its own picture: two neighbours changed places over it, and one was new.
        return None
    if up != face:
        return Fit(distance + 0.15, distance) if distance <= TURNED else None
    if not face:
        return Fit(distance, distance) if distance <= TURNED else None
    if name.sure and seen.kind == "card":
        if name.label == seen.label:
            return Fit(distance + astray, distance)
        # Where its ends say where each lies, another name in another place is another card, laid upon this one: its
        # index may come to lie just on this one's.
        if _both_ends(held) and _both_ends(seen) and not akin(name.label, seen.label):
            aside = _distance(held.centre, seen.centre) / diagonal(held.corners)
            return Fit(distance + 0.3, distance) if aside <= SAME_PLACE else None
        return Fit(distance + 0.3, distance) if _apart_as_they_lie(held, seen) <= MISREAD else None
    if name.may_be(seen):
        return Fit(distance + 0.05 + astray, distance)
    if name.sure and seen.label is not None:
        # What is not read as a known card, not even as one of several, is that card only where it lies.
        return Fit(distance + 0.15, distance) if distance <= MISREAD else None
    if not name.sure and name.label is not None and seen.label is not None and name.label[:-1] == seen.label[:-1]:
        # A poor look tells the rank before it tells the suit: of a pair that was drawn apart each is its own.
        return Fit(distance + 0.1 + astray, distance)
    doubt = 0.1 if name.label is None or seen.label is None else 0.15
    return Fit(distance + doubt, distance) if distance <= UNKNOWN else None


def overlap(one: Quad, other: Quad) -> float:
    """Intersection over the smaller area, 0 to 1."""
    a, b = cv2.convexHull(np.array(one, np.float32)), cv2.convexHull(np.array(other, np.float32))
    smaller = min(cv2.contourArea(a), cv2.contourArea(b))
    if smaller < 1:
        return 0.0
    return float(cv2.intersectConvexConvex(a, b)[0]) / smaller


def steadied(held: CardSighting, seen: CardSighting) -> CardSighting:
    """``seen``, with the outline that was held where the card did not move and it was drawn from more.

    An outline that differs by less than one part in fifty of the diagonal stays as it is, so that what lies still is
    shown still.
    """
    size = diagonal(held.corners)
    moved = max(_distance(a, b) for a, b in zip(held.corners, seen.corners, strict=True)) / size
    marks = index_distance(held, seen)
    rests = marks is not None and marks <= 0.03 * size
    fewer = held.kind != "back" and seen.kind != "back" and len(seen.indices) < len(held.indices)
    if moved <= 0.02 or (rests and fewer):
        return CardSighting(
            seen.kind,
            held.corners,
            seen.label,
            seen.confidence,
            seen.probabilities,
            held.indices if fewer else seen.indices,
        )
    return seen
