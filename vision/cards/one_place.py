"""One place, one card: two cards of one index each that would lie exactly on each other are one that was misread."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import cv2
import numpy as np

from vision.cards.ends import at_both_ends
from vision.cards.geometry import opposite
from vision.cards.groups import Group, IndexSize, corners_of
from vision.cards.indices import IndexReading
from vision.cards.patches import Floats
from vision.sightings import FACES, JOKER

SAME = 0.8
"""Two outlines of which so much is common to both are one card's. Of two cards that lie so, the upper one shows both of
its ends and the lower one none."""
SAME_FOUND = 0.7
"""As much is enough where one of the two is an outline that was found with both indices in corners that lie across
from each other: the other is drawn at the usual size."""


def with_places_of_their_own(groups: Sequence[Group], readings: Sequence[IndexReading], size: IndexSize) -> list[Group]:
    """The groups, those joined that hold one index each, at the two ends of one and the same place."""
    left = list(groups)
    lone = [g for g in groups if len(g.members) == 1 and FACES[readings[g.members[0]].best] != JOKER]
    places = {id(g): corners_of([readings[g.members[0]]], g.outline, size) for g in lone}
    for one, other in combinations(lone, 2):
        if not any(g is one for g in left) or not any(g is other for g in left):
            continue
        a, b = readings[one.members[0]], readings[other.members[0]]
        outlines = [g.outline for g in (one, other) if g.outline is not None]
        alike = SAME_FOUND if any(at_both_ends((a, b), outlines)) else SAME
        if opposite(a.quad, b.quad) and _common(places[id(one)], places[id(other)]) > alike:
            one.take_in(other)
            left = [g for g in left if g is not other]
    return left


def _common(one: Floats, other: Floats) -> float:
    """What two outlines have in common, in shares of what either covers."""
    first, second = (cv2.convexHull(np.asarray(quad, np.float32)) for quad in (one, other))
    common, _ = cv2.intersectConvexConvex(first, second)
    either = cv2.contourArea(first) + cv2.contourArea(second) - common
    return float(common) / max(float(either), 1.0)
