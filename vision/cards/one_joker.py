"""One joker's marks where no outline says so: a word between two stars, and two words that stand where ends do.

A joker that lies uppermost in a fan shows both its corners and its middle. On a pale table its outline is not found,
and a hand had two jokers more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Final

import numpy as np

from vision.cards.detector import Found
from vision.cards.geometry import axes, cosine, length
from vision.cards.groups import Group
from vision.cards.indices import IndexReading
from vision.cards.odd_jokers import facing_corners
from vision.cards.patches import Floats
from vision.sightings import FACES, JOKER, CardSighting

LONG: Final = 2.2
SQUARE: Final = 1.8
"""A word is at least so long for its height, a star at most so long."""
BETWEEN: Final = 0.1
"""A word is so near to the middle between two stars, in shares of the way from one to the other."""
ON_ITS_HEAD: Final = -0.95
"""Cosine between the ways down of a card's two ends, at the most."""
SHAPE: Final = (1.28, 1.62)
"""Cards are so long for their width, their ends' marks included (bridge and poker cards, and a tenth)."""
CORNERED: Final = 0.4
"""Two ends are so far apart along each side, in shares of it."""


def of_one_joker(groups: Sequence[Group], readings: Sequence[IndexReading]) -> list[Group]:
    """The groups, those of one joker joined."""
    out = list(groups)
    jokers = [g for g in out if g.members and all(FACES[readings[k].best] == JOKER for k in g.members)]
    for parts in (*combinations(jokers, 2), *combinations(jokers, 3)):
        if any(not any(g is part for g in out) for part in parts):
            continue
        marks = [readings[k] for part in parts for k in part.members]
        others = [r for r in readings if not any(r is m for m in marks)]
        if _word_between([m.quad for m in marks]) or (
            len(marks) == 2 and _two_ends(marks[0].quad, marks[1].quad, others)
        ):
            out = [g for g in out if not any(g is part for part in parts)]
            outline = next((part.outline for part in parts if part.outline is not None), None)
            out.append(Group([k for part in parts for k in part.members], outline))
    return out


def with_far_marks_parted(
    groups: Sequence[Group], readings: Sequence[IndexReading], outlines: Sequence[Found]
) -> list[Group]:
    """The groups; where two marks of three or more fill corners of an outline that face each other, and the others lie
    beside it, these are another joker's."""
    out: list[Group] = []
    for g in groups:
        if len(g.members) < 3 or any(FACES[readings[k].best] != JOKER for k in g.members):
            out.append(g)
            continue
        for outline in sorted(outlines, key=lambda o: -o.confidence):
            inside, facing = facing_corners(outline, [readings[k].centre for k in g.members])
            if facing and len(inside) < len(g.members):
                out.append(Group([g.members[n] for n in inside], outline))
                out.append(Group([k for n, k in enumerate(g.members) if n not in inside]))
                break
        else:
            out.append(g)
    return out


def without_words_between(seen: Sequence[CardSighting]) -> list[CardSighting]:
    """The sightings, a joker's word and both its stars, seen one after another, as the one card that they are."""
    out = list(seen)
    jokers = [s for s in seen if s.label == JOKER and s.indices]
    for parts in (*combinations(jokers, 2), *combinations(jokers, 3)):
        if all(any(s is part for s in out) for part in parts) and _word_between(
            [np.array(quad, np.float32) for part in parts for quad in part.indices]
        ):
            stays = max(parts, key=lambda s: (s.kind == "card", s.confidence))
            marks = tuple(quad for part in parts for quad in part.indices)
            out = [replace(s, indices=marks) if s is stays else s for s in out if s is stays or s not in parts]
    return out


def _long(quad: Floats) -> float:
    sides = [length(side) for side in axes(quad)]
    return max(sides) / max(min(sides), 1e-6)


def _word_between(marks: Sequence[Floats]) -> bool:
    if len(marks) != 3:
        return False
    words = [quad for quad in marks if _long(quad) > LONG]
    stars = [quad for quad in marks if _long(quad) < SQUARE]
    if len(words) != 1 or len(stars) != 2:
        return False
    one, other = (star.mean(0) for star in stars)
    return length(words[0].mean(0) - (one + other) / 2) < BETWEEN * length(other - one)


def _two_ends(one: Floats, other: Floats, others: Sequence[IndexReading]) -> bool:
    """Whether both, words, stand in the corners of what has a card's shape, on which nothing else is read."""
    if min(_long(one), _long(other)) < LONG:
        return False
    (right, down), (_, its_down) = axes(one), axes(other)
    if cosine(down, its_down) > ON_ITS_HEAD:
        return False
    frame = np.stack([right / max(length(right), 1e-6), down / max(length(down), 1e-6)])
    points = np.concatenate([one, other]) @ frame.T
    low, high = points.min(0), points.max(0)
    sides = high - low
    apart = np.abs((other.mean(0) - one.mean(0)) @ frame.T) / np.maximum(sides, 1e-6)
    if not SHAPE[0] < sides.max() / max(float(sides.min()), 1e-6) < SHAPE[1] or (apart < CORNERED).any():
        return False
    spots = [(r.centre @ frame.T - low) / sides for r in others]
    return not any(((spot > 0) & (spot < 1)).all() for spot in spots)
