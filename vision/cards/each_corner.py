"""One card that was listed as two, each with some of its indices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from types import MappingProxyType

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.detector import Found
from vision.cards.geometry import UNIT, axes, corner_fit, cosine, degenerate, length
from vision.cards.naming import as_quad
from vision.cards.pairing import onto_unit
from vision.sightings import JOKER, CardSighting, Kind, Quad, akin

ONE_PLACE = 0.12
"""How far apart, in diagonals, the middles of one card's two places may be."""
LEAST = 0.02
"""No name that an index was not read as is less likely than this."""
SURELY = 0.5
"""An outline this sure is a card's, and"""
LOW, ABREAST, OFF, LEVEL = 0.22, 0.55, 0.25, 0.1
"""in shares of its sides, jumbo indices lie so far from its ends and from each other, and no farther from evenly."""
ALIKE = 0.85
"""The cosine of how two such stand to each other and to their card."""


def each_corner_once(seen: Sequence[CardSighting], sure: float) -> list[CardSighting]:
    """The sightings, two of one rank and colour that lie in one place taken for one whose indices are those of both, if
    each of them sits in a corner of its own and two in corners that face each other: of two cards that lie so, the
    upper one's indices are where the lower one's are.

    A small suit that is read as the other one of its colour in some of a card's corners parts it; its pips then name
    both parts alike, or each keeps its name. The two names' chances are multiplied; less likely than ``sure`` it is
    unsure.
    """
    out: list[CardSighting] = []
    for s in seen:
        k = next((k for k, other in enumerate(out) if _one_card(s, other)), None)
        if k is None:
            out.append(s)
        else:
            out[k] = _joined(out[k], s, sure)
    return out


def each_jumbo_once(seen: Sequence[CardSighting], outlines: Sequence[Found]) -> list[CardSighting]:
    """The sightings, two equal ones of an index each taken for one where these stand side by side in one outline, as
    far from its sides, and reach so far down that neither looks like one in a corner: rank and pip of a card with four
    jumbo indices take half of its height."""
    out = list(seen)
    for outline in outlines:
        if outline.confidence < SURELY or degenerate(outline.quad):
            continue
        onto = onto_unit(outline)
        lone = [s for s in out if s.label not in (None, JOKER) and len(s.indices) == 1]
        near = [s for s in lone if length(np.array(s.indices[0]).mean(0) - outline.centre) < outline.size]
        for one, other in combinations(near, 2):
            if one.label == other.label and _side_by_side(onto, one.indices[0], other.indices[0]):
                surer, less = (one, other) if one.confidence >= other.confidence else (other, one)
                whole = replace(surer, corners=as_quad(outline.quad), indices=(*one.indices, *other.indices))
                out = [whole if s is surer else s for s in out if s is not less]
                break
    return out


def _side_by_side(onto: NDArray[np.float64], one: Quad, other: Quad) -> bool:
    quads = [cv2.perspectiveTransform(np.array([q], np.float32), onto)[0] for q in (one, other)]
    (u, v), (beside, below) = (q.mean(0) for q in quads)
    downs = [axes(q)[1] for q in quads]
    alike = cosine(*downs) > ALIKE and min(abs(cosine(down, np.array([0, 1], np.float32))) for down in downs) > ALIKE
    low = min(v, 1 - v, below, 1 - below) > LOW
    return bool(alike and low and abs(u - beside) > ABREAST and abs(u + beside - 1) < OFF and abs(v - below) < LEVEL)


def _joined(one: CardSighting, other: CardSighting, sure: float) -> CardSighting:
    surer = max(one, other, key=lambda it: it.confidence)
    whole = replace(surer, indices=(*one.indices, *other.indices))
    if one.label == other.label:
        return whole
    names = {*one.probabilities, *other.probabilities}
    both = {n: max(one.probabilities.get(n, 0.0), LEAST) * max(other.probabilities.get(n, 0.0), LEAST) for n in names}
    chances = {name: chance / sum(both.values()) for name, chance in both.items()}
    best = max(chances, key=lambda name: chances[name])
    kind: Kind = "card" if chances[best] >= sure else "unsure"
    return replace(whole, kind=kind, label=best, confidence=chances[best], probabilities=MappingProxyType(chances))


def _one_card(one: CardSighting, other: CardSighting) -> bool:
    # Two of two indices each are two neighbours in a fan, whose sides were paired crosswise.
    if min(len(one.indices), len(other.indices)) > 1 or not akin(one.label, other.label):
        return False
    if not _one_place(one, other):
        return False
    return any(_in_corners(s.corners, [*one.indices, *other.indices]) for s in (one, other))


def _one_place(one: CardSighting, other: CardSighting) -> bool:
    a, b = np.array(one.corners, np.float32), np.array(other.corners, np.float32)
    return length(a.mean(0) - b.mean(0)) < ONE_PLACE * length(a[0] - a[2])


def _in_corners(place: Quad, indices: Sequence[Quad]) -> bool:
    """Whether each index sits in another corner of a place, and two in corners that face each other: two equal cards of
    a fan, each of which shows a side, may be outlined as one."""
    quad = np.array(place, np.float32)
    if degenerate(quad):
        return False
    onto = np.asarray(cv2.getPerspectiveTransform(quad, UNIT), np.float64)
    fits = [corner_fit(onto, np.array(points, np.float32)) for points in indices]
    corners = {fit[1] for fit in fits if fit is not None}
    return len(corners) == len(indices) and any((1 - u, 1 - v) in corners for u, v in corners)
