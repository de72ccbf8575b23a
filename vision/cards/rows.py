"""Cards of a fan or row that were found too faintly to count: asked about, not passed over in silence.

A hand's indices stand in a row, alike in size and direction. A find fainter than the rest that fits into such a row,
and is well named, is most likely a card: of 27 such finds in photographs and rendered hands that no network was taught,
23 were, all of them rightly named (`models/EXPERIMENTS.md`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.cards.geometry import axes, length
from vision.cards.indices import IndexReading
from vision.cards.patches import Floats
from vision.sightings import FACES, JOKER, CardSighting

ASIDE = 0.45
"""How far beside the row an index may stand, in heights of an index."""
NEAREST, FARTHEST = 0.75, 5.0
"""How far apart the two stand between which it lies."""
OWN_PLACE = 0.55
"""Nearer than this to an index of the row it is that index, found twice."""
OWN_BREADTH = 0.4
"""Nor farther than this beside it, in heights: so near stand the indices of a tight row."""
BETWEEN, LEAST_APART = 0.6, 0.3
"""Nor nearer than this, in ways to that index from where it was looked for, and, in heights, however tight the row."""
SAME_CARD = 4.0
"""A find of the same name so near is the other index of a card that is read already."""
NAMED, NAMED_JOKER = 0.8, 0.4
"""How likely its name must be. Jokers are drawn in too many ways to be named surely, and mistaken for little else."""

NEARLY_FOUND, NAMED_NEARLY = 0.4, 0.6
"""Of what was found nearly as surely as a card is, a poorer name is asked about too: a king in thin script."""


def in_row(quad: Floats, row: Sequence[Floats]) -> bool:
    """Whether an index stands between two of ``row`` as theirs do: between them, as large, and turned alike."""
    if len(row) < 2:
        return False
    down, middle = axes(quad)[1], quad.mean(0)
    height = length(down)
    quads = np.asarray(row, np.float32)
    downs = (quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1]) / 2
    sizes = np.maximum(np.linalg.norm(downs, axis=1), 1e-6)
    alike = (downs @ down > 0.8 * sizes * height) & (sizes * 0.6 < height) & (height < sizes * 1.67)
    way = middle - quads[alike].mean(1)
    across = way @ np.array([-down[1], down[0]]) / max(height, 1e-6)
    near = np.linalg.norm(way, axis=1) < OWN_PLACE * height
    if alike.sum() < 2 or (near & (np.abs(across) < OWN_BREADTH * height)).any():
        return False
    a, b = np.triu_indices(len(way), 1)
    downs, sizes = downs[alike], sizes[alike]
    usual, step = (sizes[a] + sizes[b]) / 2, way[a] - way[b]
    apart = np.linalg.norm(step, axis=1)
    share = (way[a] * step).sum(1) / np.maximum(apart, 1e-6) ** 2
    aside = np.linalg.norm(way[a] - share[:, None] * step, axis=1)
    parallel = (downs[a] * downs[b]).sum(1) >= 0.6 * sizes[a] * sizes[b]
    far_enough = (apart > NEAREST * usual) & (apart < FARTHEST * usual)
    return bool((far_enough & parallel & (share > 0.15) & (share < 0.85) & (aside < ASIDE * usual)).any())


def strayed(place: Floats, centre: Floats, known: Floats) -> bool:
    """Whether what was looked for at a row's ``place`` and found at ``centre`` is the index at ``known`` over again."""
    height = length(place[3] - place[0])
    # In a tight row the next index stands nearer than half its height.
    own = min(OWN_PLACE * height, BETWEEN * length(place.mean(0) - known))
    return length(centre - known) <= max(own, LEAST_APART * height)


def likely(faint: IndexReading, shown: Sequence[IndexReading]) -> bool:
    """Whether a find in a row is named well enough to be asked about, and no card beside it has that name."""
    if FACES[faint.best] == JOKER:
        return faint.sure >= NAMED_JOKER
    near = SAME_CARD * length(axes(faint.quad)[1])
    least = NAMED if faint.found < NEARLY_FOUND else NAMED_NEARLY
    return faint.sure >= least and not any(
        r.best == faint.best and length(r.centre - faint.centre) < near for r in shown
    )


def repeated(found: CardSighting, shown: Sequence[CardSighting]) -> bool:
    """Whether a card of that name, jokers apart, shows an index so near that this may be one of its others."""
    (quad,) = found.indices
    middle, near = np.mean(quad, 0), SAME_CARD * length(axes(np.asarray(quad, np.float32))[1])
    same = (s for s in shown if s.label == found.label != JOKER)
    return any(length(np.mean(other, 0) - middle) < near for s in same for other in s.indices)


SHORT = 0.55
"""An index this much shorter than those beside it is a rank alone, its pip hidden or read as part of something else."""
COMPARED = 4
"""With so many of the nearest it is compared; with fewer than three there is no saying."""


def too_short(one: IndexReading, others: Sequence[IndexReading]) -> bool:
    """Whether an index is so much shorter than the surest ones beside it that its suit cannot have been seen.

    A half-covered ace of diamonds was read as the ace of hearts, surely, from its letter. Jokers come in all sizes.
    """
    if FACES[one.best] == JOKER:
        return False
    near = sorted((o for o in others if o is not one), key=lambda o: length(o.centre - one.centre))
    heights = [length(axes(o.quad)[1]) for o in near[:COMPARED]]
    return len(heights) > 2 and length(axes(one.quad)[1]) < SHORT * float(np.median(heights))
