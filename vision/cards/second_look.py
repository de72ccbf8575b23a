"""What was read plainly but found faintly: looked for again at other scales before anybody is asked about it.

Large indices under the next card's edge are found at one scale and hardly at the next. How surely an index is found is
all that is taken from the other scales: what they find besides, and where they place it, counts for nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.cards.detector import INDEX, Found, overlap_of
from vision.cards.geometry import length
from vision.cards.indices import IndexReading
from vision.cards.patches import Floats
from vision.cards.settings import Settings
from vision.sightings import CardSighting

APART, SIZES, OVERLAP = 0.3, (0.7, 1.4), 0.6
"""Two finds are of one index where their middles are nearer than so many of its diagonals, their sizes as alike and
their rectangles as much on each other as that."""


def doubted(seen: Sequence[CardSighting], readings: Sequence[IndexReading], settings: Settings) -> list[int]:
    """Numbers of the readings that leave a card unsure for nothing but how faintly they were found."""
    plain = [s for s in seen if s.kind == "unsure" and s.confidence >= settings.sure]
    where = [np.array(quad, np.float32).mean(0) for s in plain for quad in s.indices]
    return [
        k
        for k, r in enumerate(readings)
        if r.found < settings.noticed and r.sure >= settings.sure and any(_at(r.quad, it) for it in where)
    ]


def found_anew(
    found: Sequence[Found], readings: Sequence[IndexReading], doubted: Sequence[int], again: Sequence[Found]
) -> list[IndexReading]:
    """The readings of the indices among ``found``, in their order; those in ``doubted`` as surely found as ``again``,
    from other scales, says where that is more."""
    indices = [f for f in found if f.kind == INDEX]
    out = list(readings)
    for k in doubted:
        best = max((f.confidence for f in again if _same(indices[k], f)), default=0.0)
        out[k] = replace(out[k], found=max(out[k].found, best))
    return out


def _same(one: Found, other: Found) -> bool:
    if other.kind != INDEX or not _at(one.quad, other.centre):
        return False
    least, most = SIZES
    return least < other.size / max(one.size, 1e-6) < most and overlap_of(one.quad, other.quad) > OVERLAP


def _at(quad: Floats, where: Floats) -> bool:
    return length(where - quad.mean(0)) < APART * length(quad[2] - quad[0])
