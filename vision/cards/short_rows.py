"""Where a joker may lie at the ends of a meld on the table, or in it: rows of few cards, several in a picture.

A joker's star or crown is like no index and is not found as one (`odd_jokers`). A hand's many cards make one row, whose
steps say where to look for it (`gaps`); of melds each is a row of its own, too short to be told from chance but for its
cards standing side by side, alike, each half on the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from vision.cards.gaps import COVERED, FEWEST, STRAIGHT
from vision.cards.geometry import axes, centre, cosine, length
from vision.cards.patches import Floats

ALIKE, SIZES = 0.93, 1.35
"""Cosine of the angle between two neighbours' indices, and how much larger the one's may be."""
UNEVEN = 1.6
"""A step so many times the least of its row, or of the middle one of all, may hold a card more."""
FREE = 0.6
"""So many steps about a place stands no index that is known."""


@dataclass(frozen=True)
class Places:
    """Where one index more (4 x 2, pixels) may stand: between two cards of a row, and beyond its ends."""

    between: list[Floats]
    beyond: list[list[Floats]]
    """For each end several, each a step beyond the one before."""


def in_short_rows(cards: Sequence[Sequence[Floats]], wide: float | None, number: int) -> Places:
    """The places in rows of two cards and more, but fewer than make a hand's row, and so many beyond each of their
    ends; ``cards`` are the indices (4 x 2 each) of each, and ``wide`` is how wide a card is (pixels)."""
    rows = [] if wide is None else _rows(cards, wide)
    steps = [length(b - a) for row in rows for a, b in pairwise(map(centre, row))]
    if not steps:
        return Places([], [])
    usual = float(np.median(steps))
    known = [centre(quad) for quads in cards for quad in quads]
    between: list[Floats] = []
    beyond: list[list[Floats]] = []
    for row in rows:
        ways = [b - a for a, b in pairwise(map(centre, row))]
        if any(cosine(a, b) < STRAIGHT for a, b in pairwise(ways)):
            continue
        wide_one = UNEVEN * min([usual, *map(length, ways)])
        between += [
            np.asarray((one + other) / 2, np.float32)
            for (one, other), way in zip(pairwise(row), ways, strict=True)
            if length(way) > wide_one
        ]
        narrow = [way for way in ways if length(way) <= wide_one]
        step = np.median(narrow, 0) if narrow else ways[0] * usual / max(length(ways[0]), 1e-6)
        near = FREE * length(np.asarray(step, np.float32))
        for end, way in ((row[0], -step), (row[-1], step)):
            places: list[Floats] = []
            for n in range(1, number + 1):
                place = np.asarray(end + n * way, np.float32)
                if not _free(place, known, near):
                    break
                places.append(place)
            beyond.append(places)
    return Places([place for place in between if _free(place, known, FREE * usual)], beyond)


def _free(place: Floats, known: Sequence[Floats], near: float) -> bool:
    """Whether no index that is known stands so near (pixels) to a place."""
    middle = place.mean(0)
    return all(length(np.asarray(middle - it, np.float32)) > near for it in known)


def _rows(cards: Sequence[Sequence[Floats]], wide: float) -> list[list[Floats]]:
    """The indices of cards that stand side by side, alike, each nearer to the next than a covered card is wide; one row
    of the same cards, though they show several."""
    marks = [(quad, number) for number, quads in enumerate(cards) for quad in quads]
    row = list(range(len(marks)))
    for (i, (a, one)), (j, (b, other)) in combinations(enumerate(marks), 2):
        if one != other and row[i] != row[j] and _side_by_side(a, b, wide):
            row = [row[i] if it == row[j] else it for it in row]
    out = []
    seen: list[set[int]] = []
    for number in dict.fromkeys(row):
        members = [marks[k] for k, it in enumerate(row) if it == number]
        once = {card for _, card in members}
        if 2 <= len(members) < FEWEST and len(once) == len(members) and once not in seen:
            seen.append(once)
            middles = np.array([quad.mean(0) for quad, _ in members])
            _, _, along = np.linalg.svd(middles - middles.mean(0), full_matrices=False)
            order = np.argsort(middles @ along[0])
            out.append([members[k][0] for k in order])
    return out


def _side_by_side(a: Floats, b: Floats, wide: float) -> bool:
    (_, down), (_, other) = axes(a), axes(b)
    sizes = length(down) / max(length(other), 1e-6)
    return (
        length(centre(b) - centre(a)) < COVERED * wide
        and cosine(down, other) > ALIKE
        and max(sizes, 1 / max(sizes, 1e-6)) < SIZES
    )
