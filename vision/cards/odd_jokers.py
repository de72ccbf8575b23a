"""Jokers whose corners are like no index: a star, a crown, a jester's head, which no detector knows and which has no up
and down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import compress
from typing import Protocol

import cv2
import numpy as np

from vision.cards.detector import INDEX, Found
from vision.cards.geometry import axes, centre, cosine, degenerate, length
from vision.cards.groups import UPRIGHT, Group
from vision.cards.indices import IndexReading
from vision.cards.pairing import onto_unit
from vision.cards.patches import Floats, Image, cut_patch
from vision.cards.profile import NONE
from vision.sightings import FACES, JOKER, CardSighting

ABOUT = tuple((u, v) for u in (0.0, -0.5, 0.5) for v in (0.0, -0.25, -0.5, 0.25))
"""Steps from a place in a row, in widths and heights of an index: a joker's picture stands higher and nearer to the rim
than letters do,"""
SHARES, LARGER = (1.0, 0.75, 0.5), 1.5
"""and smaller beside tall letters, or larger than small ones in a gap between two cards;"""
GLANCES, SOME = (0.75, 0.5), 0.15
"""Sizes of the place itself, in one of which a joker is given that chance at the least,"""
LIGHT, INK, ROUND = 0.5, 0.25, 1.4
"""where it is so light and there is so much ink, in shares of what is usual, within so many times an index's place;"""
PLAIN, LIKELY, MOST, SPOT = 0.8, 0.6, 6, 0.3
"""it is read so surely from one of them and so likely from so many, within so many heights,"""
WEAK, OFTEN, DOUBTED = 0.3, 10, 0.45
"""Where it is read so surely only, but so often, somebody should look: it is a joker no likelier than that;"""
NOTHING_ELSE, ABOUT_IT = 0.3, 0.6
"""and as nothing else so likely, within so many."""
CORNER, FACING = 0.42, 0.3
"""So near to an outline's corner, in shares of its sides, stands what is printed in it, for a bare card's outline is
found badly; and so far from the other along both sides what is printed in the one that faces that,"""
CENTRAL = 0.15
"""and so near to its middle a joker's word."""
LONG = 2.2
"""A word is at least so long for its height;"""
STANDING_ALIKE = 0.7
"""two of one card stand on their heads to each other: not so alike (cosine)."""
FEWEST, NEARER = 3, 0.65
"""So many other cards that show both ends say how far apart these are; two corners nearer than that share are two
cards'."""
STRAY, SMALL = 3.5, 0.5
"""A mark so many index heights from all others, of so little area (over a height squared), may be anything: of 699
jokers of one mark in 1 440 rendered hands two lay so, one of them a thing on the table."""
SURELY, ASKEW = 0.6, 0.25
"""In an outline this sure two marks are two cards' that lie this much, in shares of its sides, beside where one would
have both."""


class Reads(Protocol):
    """What names indices: :class:`vision.cards.indices.IndexReader`."""

    def read(self, levels: Sequence[Image], found: Sequence[Found]) -> list[IndexReading]:
        """The reading of each find."""


def joker_about(indices: Reads, levels: Sequence[Image], place: Floats, *, in_gap: bool = False) -> IndexReading | None:
    """A joker's corner about a place (4 x 2) where an index should stand: a star or a crown of its own size is seldom
    just there. Read so from several steps and sizes about one spot, and as no other card from any, it is there; where
    the steps reach it from one side only, that is asked again about the spot. What is read so often, though never
    surely, is the likelihood's middle one: to be asked about."""
    found, spot, often = _asked_about(indices, levels, place, in_gap=in_gap)
    if found is None and spot is not None:
        found, _, again = _asked_about(indices, levels, place + spot.centre - place.mean(0), in_gap=in_gap)
        often = again if often is None else often
    return often if found is None else found


def hopeful(indices: Reads, levels: Sequence[Image], places: Sequence[Floats], marks: Sequence[Floats]) -> list[bool]:
    """Whether something is printed on a card about each place, as light and dark as about the ``marks`` (4 x 2) of
    others, and a few looks give it a chance to be a joker's corner: where none does, many would not either."""
    if not places or not marks:
        return [False] * len(places)
    light, ink = np.median([_shades(levels, mark) for mark in marks], 0)
    printed = [
        bool(shade > LIGHT * light and dark > INK * ink) for shade, dark in (_shades(levels, it) for it in places)
    ]
    few = [
        np.asarray(place[0] + (place - place[0]) * share, np.float32)
        for place in compress(places, printed)
        for share in GLANCES
    ]
    read = indices.read(levels, [Found(INDEX, q, 0.0) for q in few]) if few else []
    joker = [r.chances[FACES.index(JOKER)] for r in read]
    chances = iter(np.reshape(joker, (-1, len(GLANCES))).max(1))
    return [it and bool(next(chances) > SOME) for it in printed]


def _shades(levels: Sequence[Image], place: Floats) -> tuple[float, float]:
    """How light it is about a place where it is lightest, and how much darker where it is darkest."""
    patch = cut_patch(levels, np.asarray(place.mean(0) + ROUND * (place - place.mean(0)), np.float32))[0]
    dark, light = np.quantile(patch.mean(2), (0.05, 0.95))
    return float(light), float(light - dark)


def _asked_about(
    indices: Reads, levels: Sequence[Image], place: Floats, *, in_gap: bool
) -> tuple[IndexReading | None, IndexReading | None, IndexReading | None]:
    """The joker's corner about a place, the surest reading of one that is not enough alone, and what was read often."""
    right, down = axes(place)
    tries = [
        np.asarray(place[0] + u * right + v * down + (place - place[0]) * share, np.float32)
        for share in ((LARGER, *SHARES) if in_gap else SHARES)
        for u, v in ABOUT
    ]
    read = indices.read(levels, [Found(INDEX, q, 0.0) for q in tries])
    likely = [r for r in read if FACES[r.best] == JOKER and r.sure >= LIKELY]
    others = [r for r in read if FACES[r.best] != JOKER and r.sure >= NOTHING_ELSE]
    spot = None
    for r in sorted((r for r in likely if r.sure >= PLAIN), key=lambda r: -r.sure):
        if any(length(o.centre - r.centre) < ABOUT_IT * length(down) for o in others):
            continue
        spot = spot or r
        if sum(length(o.centre - r.centre) < SPOT * length(down) for o in likely) >= MOST:
            return r, spot, None
    return None, spot, _often(read, length(down))


def _often(read: Sequence[IndexReading], high: float) -> IndexReading | None:
    """A joker's corner that was read at one spot often, but hardly surely: the middle one of those readings."""
    weak = sorted((r for r in read if FACES[r.best] == JOKER and r.sure >= WEAK), key=lambda r: r.sure)
    others = [r for r in read if FACES[r.best] != JOKER and r.sure >= NOTHING_ELSE]
    for r in reversed(weak):
        same = [o for o in weak if length(o.centre - r.centre) < SPOT * high]
        if len(same) >= OFTEN and all(length(o.centre - r.centre) >= ABOUT_IT * high for o in others):
            return _no_more_than(same[len(same) // 2], DOUBTED)
    return None


def _no_more_than(reading: IndexReading, sure: float) -> IndexReading:
    """The reading, no surer than that: what is taken off it speaks for no index at all."""
    chances = reading.chances * min(1.0, sure / max(reading.sure, 1e-6))
    chances[NONE] += 1 - chances.sum()
    return replace(reading, chances=chances)


def with_both_corners(
    groups: Sequence[Group], readings: Sequence[IndexReading], outlines: Sequence[Found]
) -> list[Group]:
    """The groups, those joined that are one joker's two corners: alone on an outline, in corners that face each other,
    but for its word between them.

    A star is read any way round, and two that do not stand on their heads to each other looked like two cards.
    """
    out = list(groups)
    for outline in sorted(outlines, key=lambda o: -o.confidence):
        spots = _inside(outline, [r.centre for r in readings])
        parts = [g for g in out if g.members and set(g.members) <= spots.keys()]
        alone = _jokers([readings[k] for k in spots]) and sum(len(g.members) for g in parts) == len(spots)
        cornered = [spot for spot in spots.values() if _in_corner(spot)]
        if alone and len(parts) > 1 and len(cornered) == 2 and _facing(*cornered):
            out = [g for g in out if not any(g is part for part in parts) and (g.members or g.outline is not outline)]
            out.append(Group(list(spots), outline))
    return out


def each_once(seen: Sequence[CardSighting], outlines: Sequence[Found]) -> list[CardSighting]:
    """The sightings, each joker once: alone on an outline, two that stand in corners that face each other, or in a
    corner and in the middle, are one card's, whose surer one stays."""
    out = list(seen)
    for outline in sorted(outlines, key=lambda o: -o.confidence):
        marks = [(s, np.mean(quad, 0)) for s in out for quad in s.indices]
        spots = _inside(outline, [centre for _, centre in marks])
        two = [marks[k][0] for k in spots]
        if len(two) != 2 or any(s.label != JOKER or len(s.indices) != 1 for s in two):
            continue
        a, b = spots.values()
        ends = _in_corner(a), _in_corner(b)
        central = any(ends) and any((np.abs(spot - 0.5) < CENTRAL).all() for spot in (a, b))
        if central or (all(ends) and _facing(a, b)):
            less = min(two, key=lambda s: (s.kind == "card", s.confidence))
            out = [s for s in out if s is not less]
    return out


def with_stray_ones_open(seen: Sequence[CardSighting], outlines: Sequence[Found]) -> list[CardSighting]:
    """The sightings, a sure joker unsure of which one small mark is seen, far from all other cards and on no outline:
    whatever lies on a table may look like a joker's picture."""
    others = [np.array(q, np.float32) for s in seen if s.label != JOKER for q in s.indices]
    if len(others) < FEWEST:
        return list(seen)
    high = float(np.median([length(axes(q)[1]) for q in others]))
    middles = [centre(q) for q in others]

    def stray(s: CardSighting) -> bool:
        if s.kind != "card" or s.label != JOKER or len(s.indices) != 1:
            return False
        mark = np.array(s.indices[0], np.float32)
        small = length(axes(mark)[0]) * length(axes(mark)[1]) < SMALL * high**2
        away = min(length(it - centre(mark)) for it in middles)
        return small and away > STRAY * high and not any(_inside(o, [centre(mark)]) for o in outlines)

    return [replace(s, kind="unsure") if stray(s) else s for s in seen]


def _inside(outline: Found, centres: Sequence[Floats]) -> dict[int, Floats]:
    """The numbers of the points (pixels) that lie in an outline, and where there, in shares of its sides."""
    if degenerate(outline.quad) or not len(centres):
        return {}
    spots = cv2.perspectiveTransform(np.array([centres], np.float32), onto_unit(outline))[0]
    return {k: spot for k, spot in enumerate(spots) if ((spot >= 0) & (spot <= 1)).all()}


def facing_corners(outline: Found, centres: Sequence[Floats]) -> tuple[list[int], bool]:
    """The numbers of the points that lie in an outline, and whether they are two, in corners that face each other."""
    spots = _inside(outline, centres)
    two = list(spots.values())
    return list(spots), len(two) == 2 and all(map(_in_corner, two)) and _facing(*two)


def _in_corner(spot: Floats) -> bool:
    return bool((np.minimum(spot, 1 - spot) < CORNER).all())


def _facing(one: Floats, other: Floats) -> bool:
    """Whether two corners are those of a diagonal."""
    return bool((np.abs(one - other) > FACING).all())


def with_two_for_one(groups: Sequence[Group], readings: Sequence[IndexReading]) -> list[Group]:
    """The groups, those of two jokers' corners parted that lie nearer together than the two ends of the picture's other
    cards, or one of which lies beside the outline that the other is in, or that are words which stand alike: of two
    jokers side by side the stars, read a quarter turn off, looked like one card's."""
    pairs = [[readings[k] for k in g.members] for g in groups if len(g.members) == 2]
    ends = [_apart(*two) for two in pairs if not _jokers(two) and _heads(*two)]
    least = NEARER * float(np.median(ends)) if len(ends) >= FEWEST else 0.0
    out: list[Group] = []
    for g in groups:
        two = [readings[k] for k in g.members]
        parted = (
            len(two) == 2 and _jokers(two) and (_apart(*two) < least or _askew(two, g.outline) or _words_alike(*two))
        )
        out += [Group([k]) for k in g.members] if parted else [g]
    return out


def _askew(two: Sequence[IndexReading], outline: Found | None) -> bool:
    """Whether two marks do not lie across an outline's middle from each other, as a card's two ends do."""
    if outline is None or outline.confidence < SURELY or degenerate(outline.quad):
        return False
    spots = cv2.perspectiveTransform(np.array([[r.centre for r in two]], np.float32), onto_unit(outline))[0]
    return bool((np.abs(spots.sum(0) - 1) > ASKEW).any())


def _words_alike(one: IndexReading, other: IndexReading) -> bool:
    """Whether both are words, and stand as those of two cards of a hand do."""
    words = min(elongation(one.quad), elongation(other.quad)) > LONG
    return words and cosine(axes(one.quad)[1], axes(other.quad)[1]) > STANDING_ALIKE


def elongation(quad: Floats) -> float:
    """How long a mark is for its height, or high for its length."""
    sides = [length(side) for side in axes(quad)]
    return max(sides) / max(min(sides), 1e-6)


def _jokers(readings: Sequence[IndexReading]) -> bool:
    return all(FACES[r.best] == JOKER for r in readings)


def _apart(one: IndexReading, other: IndexReading) -> float:
    return length(one.centre - other.centre)


def _heads(one: IndexReading, other: IndexReading) -> bool:
    """Whether one stands on its head to the other, as a card's two ends do."""
    return cosine(axes(one.quad)[1], axes(other.quad)[1]) < -UPRIGHT
