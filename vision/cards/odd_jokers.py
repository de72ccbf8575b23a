"""Jokers whose corners are like no index: a star, a crown, a jester's head, which no detector knows and which has no up
and down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import cv2
import numpy as np

from vision.cards.detector import INDEX, Found
from vision.cards.geometry import axes, cosine, degenerate, length
from vision.cards.groups import UPRIGHT, Group
from vision.cards.indices import IndexReading
from vision.cards.pairing import onto_unit
from vision.cards.patches import Floats, Image
from vision.sightings import FACES, JOKER, CardSighting

ABOUT = ((0.0, 0.0), (0.0, -0.25), (0.0, -0.5), (-0.5, 0.0), (-0.5, -0.25), (0.5, -0.25))
"""Steps from a place in a row, in widths and heights of an index: a joker's picture stands higher and nearer to the rim
than letters do,"""
SHARES = (1.0, 0.75, 0.5)
"""and smaller beside tall letters;"""
PLAIN, MOST, SPOT = 0.8, 4, 0.3
"""it is read so surely from so many of them, within so many heights."""
CENTRAL = 0.15
"""and so near to its middle its word."""
FEWEST, NEARER = 3, 0.65
"""So many other cards that show both ends say how far apart these are; two corners nearer than that share are two
cards'."""
CORNER = 0.35
"""So near to an outline's corner, in shares of its sides, stands what is printed in it."""


class Reads(Protocol):
    """What names indices: :class:`vision.cards.indices.IndexReader`."""

    def read(self, levels: Sequence[Image], found: Sequence[Found]) -> list[IndexReading]:
        """The reading of each find."""


def joker_about(indices: Reads, levels: Sequence[Image], place: Floats) -> IndexReading | None:
    """A joker's corner about a place (4 x 2) where an index should stand: a star or a crown of its own size is seldom
    just there. Read so from several steps and sizes about one spot, it is there."""
    right, down = axes(place)
    tries = [
        np.asarray(place[0] + u * right + v * down + (place - place[0]) * share, np.float32)
        for share in SHARES
        for u, v in ABOUT
    ]
    jokers = [r for r in indices.read(levels, [Found(INDEX, q, 0.0) for q in tries]) if FACES[r.best] == JOKER]
    plain = [r for r in jokers if r.sure >= PLAIN]
    for r in sorted(plain, key=lambda r: -r.sure):
        if sum(length(o.centre - r.centre) < SPOT * length(down) for o in plain) >= MOST:
            return r
    return None


def with_both_corners(
    groups: Sequence[Group], readings: Sequence[IndexReading], outlines: Sequence[Found]
) -> list[Group]:
    """The groups, those joined that are one joker's two corners: alone on an outline, in corners that face each other,
    but for its word between them.

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
        if any(FACES[readings[k].best] != JOKER for k in inside):
            continue
        cornered = [k for k in inside if (np.minimum(spots[k], 1 - spots[k]) < CORNER).all()]
        parts = [g for g in out if g.members and set(g.members) <= set(inside)]
        if len(cornered) != 2 or len(parts) < 2 or sum(len(g.members) for g in parts) != len(inside):
            continue
        if (np.abs(spots[cornered[0]] - spots[cornered[1]]) > 1 - 2 * CORNER).all():
            out = [g for g in out if not any(g is part for part in parts) and (g.members or g.outline is not outline)]
            out.append(Group(inside, outline))
    return out


def each_once(seen: Sequence[CardSighting], outlines: Sequence[Found]) -> list[CardSighting]:
    """The sightings, each joker once: alone on an outline, two that stand in corners that face each other, or in a
    corner and in the middle, are one card's, whose surer one stays."""
    out = list(seen)
    for outline in sorted(outlines, key=lambda o: -o.confidence):
        marks = [(s, np.mean(quad, 0)) for s in out for quad in s.indices]
        if degenerate(outline.quad) or not marks:
            continue
        centres = np.array([[centre for _, centre in marks]], np.float32)
        spots = cv2.perspectiveTransform(centres, onto_unit(outline))[0]
        inside = [(s, spot) for (s, _), spot in zip(marks, spots, strict=True) if ((spot >= 0) & (spot <= 1)).all()]
        if len(inside) != 2 or any(s.label != JOKER or len(s.indices) != 1 for s, _ in inside):
            continue
        (one, a), (other, b) = inside
        ends = [(np.minimum(spot, 1 - spot) < CORNER).all() for spot in (a, b)]
        facing = all(ends) and (np.abs(a - b) > 1 - 2 * CORNER).all()
        central = any(ends) and any((np.abs(spot - 0.5) < CENTRAL).all() for spot in (a, b))
        if facing or central:
            less = min((one, other), key=lambda s: (s.kind == "card", s.confidence))
            out = [s for s in out if s is not less]
    return out


def with_two_for_one(groups: Sequence[Group], readings: Sequence[IndexReading]) -> list[Group]:
    """The groups, those of two jokers' corners parted that lie nearer together than the two ends of the picture's other
    cards: of two jokers side by side the stars, read a quarter turn off, looked like one card's."""
    pairs = [[readings[k] for k in g.members] for g in groups if len(g.members) == 2]
    ends = [_apart(*two) for two in pairs if not _jokers(two) and _heads(*two)]
    if len(ends) < FEWEST:
        return list(groups)
    least = NEARER * float(np.median(ends))
    out: list[Group] = []
    for g in groups:
        two = [readings[k] for k in g.members]
        parted = len(two) == 2 and _jokers(two) and _apart(*two) < least
        out += [Group([k]) for k in g.members] if parted else [g]
    return out


def _jokers(readings: Sequence[IndexReading]) -> bool:
    return all(FACES[r.best] == JOKER for r in readings)


def _apart(one: IndexReading, other: IndexReading) -> float:
    return length(one.centre - other.centre)


def _heads(one: IndexReading, other: IndexReading) -> bool:
    """Whether one stands on its head to the other, as a card's two ends do."""
    return cosine(axes(one.quad)[1], axes(other.quad)[1]) < -UPRIGHT
