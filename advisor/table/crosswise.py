"""Whether a card lies at a right angle to another, as a doubled card does."""

from __future__ import annotations

from math import atan2, degrees

from advisor.table.nearness import ruler
from vision.sightings import Point, Quad

LEAST = 55.0
"""Degrees from which a card counts as crosswise; a hand's stairstep turns cards by a few degrees only."""


def crosswise(card: Quad, other: Quad) -> bool:
    """Whether the card's long side runs across the other's, measured on the felt as the other lies."""
    place = ruler(other)
    if place is None:
        return False
    a, b, c, d = (place(corner) for corner in card)
    along, across = _side(a, d, b, c), _side(a, b, d, c)
    # Which side is the long one is told from the outline as it lies, not from the order of its corners.
    x, y = along if _length(along) >= _length(across) else across
    turned = abs(degrees(atan2(x, y)))
    return LEAST <= min(turned, 180 - turned) <= 90


def _side(a: Point, b: Point, c: Point, d: Point) -> Point:
    """The mean of two opposite sides."""
    return ((b[0] - a[0] + d[0] - c[0]) / 2, (b[1] - a[1] + d[1] - c[1]) / 2)


def _length(side: Point) -> float:
    return side[0] * side[0] + side[1] * side[1]
