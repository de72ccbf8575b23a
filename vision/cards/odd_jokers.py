"""Jokers whose corners are like no index: a star, a crown, a jester's head, which no detector knows and which has no up
and down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import cv2
import numpy as np

from vision.cards.detector import INDEX, Found
from vision.cards.geometry import axes, degenerate, length
from vision.cards.groups import Group
from vision.cards.indices import IndexReading
from vision.cards.pairing import onto_unit
from vision.cards.patches import Floats, Image
from vision.sightings import FACES, JOKER

ABOUT = ((0.0, 0.0), (0.0, -0.25), (0.0, -0.5), (-0.5, 0.0), (-0.5, -0.25), (0.5, -0.25))
"""Steps from a place in a row, in widths and heights of an index: a joker's picture stands higher and nearer to the rim
than letters do,"""
PLAIN, SPOT = 0.9, 0.3
"""and is read so surely in most of them, within so many heights."""
CORNER = 0.3
"""So near to an outline's corner, in shares of its sides, stands what is printed in it."""


class Reads(Protocol):
    """What names indices: :class:`vision.cards.indices.IndexReader`."""

    def read(self, levels: Sequence[Image], found: Sequence[Found]) -> list[IndexReading]:
        """The reading of each find."""


def joker_about(indices: Reads, levels: Sequence[Image], place: Floats) -> IndexReading | None:
    """A joker's corner about a place (4 x 2) where an index should stand: a star or a crown of its own size is seldom
    just there. Read so in most places about one spot, it is there (48 such in 1 048 rendered hands and groups, in
    steps of 1.3 usual ones and more: all jokers)."""
    right, down = axes(place)
    tries = [np.asarray(place + u * right + v * down, np.float32) for u, v in ABOUT]
    jokers = [r for r in indices.read(levels, [Found(INDEX, q, 0.0) for q in tries]) if FACES[r.best] == JOKER]
    plain = [r for r in jokers if r.sure >= PLAIN]
    for r in sorted(plain, key=lambda r: -r.sure):
        if 2 * sum(length(o.centre - r.centre) < SPOT * length(down) for o in plain) > len(ABOUT):
            return r
    return None


def with_both_corners(
    groups: Sequence[Group], readings: Sequence[IndexReading], outlines: Sequence[Found]
) -> list[Group]:
    """The groups, those joined that are one joker's two corners: alone on an outline, in corners that face each other.

    A star is read any way round, and two that do not stand on their heads to each other looked like two cards.
    """
    out = list(groups)
    if not readings:
        return out
    centres = np.array([[r.centre for r in readings]], np.float32)
    for outline in sorted(outlines, key=lambda o: -o.confidence):
        if degenerate(outline.quad):
            continue
        spots = cv2.perspectiveTransform(centres, onto_unit(outline))[0]
        inside = np.flatnonzero(((spots >= 0) & (spots <= 1)).all(1)).tolist()
        if len(inside) != 2 or any(FACES[readings[k].best] != JOKER for k in inside):
            continue
        one, other = spots[inside]
        cornered = (np.minimum(spots[inside], 1 - spots[inside]) < CORNER).all()
        parts = [g for g in out if len(g.members) == 1 and g.members[0] in inside]
        if cornered and (np.abs(one - other) > 1 - 2 * CORNER).all() and len(parts) == 2:
            out = [g for g in out if not any(g is part for part in parts) and (g.members or g.outline is not outline)]
            out.append(Group(inside, outline))
    return out
