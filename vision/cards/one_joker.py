"""One joker's marks where no outline says so: a word between two stars, and two words that stand where ends do.

A joker that lies uppermost in a fan shows both its corners and its middle. On a pale table its outline is not found,
and a hand had two jokers more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Final, TypeVar

import numpy as np

from vision.cards.detector import Found
from vision.cards.geometry import axes, cosine, length
from vision.cards.groups import Group
from vision.cards.indices import IndexReading
from vision.cards.odd_jokers import LONG, elongation, facing_corners
from vision.cards.patches import Floats
from vision.sightings import FACES, JOKER, CardSighting

T = TypeVar("T")
SQUARE: Final = 1.8
"""A star is at most so long for its height."""
BETWEEN: Final = 0.1
"""A word is so near to the middle between two stars, in shares of the way from one to the other."""
APART: Final = (3.0, 20.0)
"""Two stars of one card are so many of their heights apart;"""
CLEAR: Final = 0.25
"""and nothing else lies nearer to the middle between them, in the same shares."""
MANY: Final = 12
"""More jokers than that are in no hand."""
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
    for parts in _some(jokers):
        if any(not any(g is part for g in out) for part in parts):
            continue
        numbers = {k for part in parts for k in part.members}
        quads = [readings[k].quad for k in numbers]
        others = [r.centre for k, r in enumerate(readings) if k not in numbers]
        if _word_between(quads, others) or _two_ends(quads, others):
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
    for parts in _some(jokers):
        if any(not any(s is part for s in out) for part in parts):
            continue
        marks = tuple(quad for part in parts for quad in part.indices)
        others = [np.mean(q, 0) for s in out if not any(s is part for part in parts) for q in s.indices]
        if _word_between([np.array(quad, np.float32) for quad in marks], others):
            stays = max(parts, key=lambda s: (s.kind == "card", s.confidence))
            gone = [part for part in parts if part is not stays]
            out = [replace(s, indices=marks) if s is stays else s for s in out if not any(s is it for it in gone)]
    return out


def _some(jokers: Sequence[T]) -> Iterator[tuple[T, ...]]:
    """Each two and three of them; of none where there are more than any hand has."""
    if len(jokers) <= MANY:
        yield from combinations(jokers, 2)
        yield from combinations(jokers, 3)


def _word_between(marks: Sequence[Floats], others: Sequence[Floats]) -> bool:
    """Whether they are two stars, as far apart as a card's corners, and a word in the middle, and nothing else lies
    between them (``others`` are the middles of what else was read)."""
    if len(marks) != 3:
        return False
    words = [quad for quad in marks if elongation(quad) > LONG]
    stars = [quad for quad in marks if elongation(quad) < SQUARE]
    if len(words) != 1 or len(stars) != 2:
        return False
    one, other = (star.mean(0) for star in stars)
    apart, high = length(other - one), max(length(axes(star)[1]) for star in stars)
    if not APART[0] * high < apart < APART[1] * high:
        return False
    middle = (one + other) / 2
    clear = all(length(spot - middle) > CLEAR * apart for spot in others)
    return clear and length(words[0].mean(0) - middle) < BETWEEN * apart


def _two_ends(marks: Sequence[Floats], others: Sequence[Floats]) -> bool:
    """Whether two words stand in the corners of what has a card's shape, on which nothing else is read."""
    if len(marks) != 2 or min(map(elongation, marks)) < LONG:
        return False
    one, other = marks
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
    spots = [(spot @ frame.T - low) / sides for spot in others]
    return not any(((spot > 0) & (spot < 1)).all() for spot in spots)
