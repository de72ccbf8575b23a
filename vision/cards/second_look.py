"""What was read plainly but found faintly: looked for again at other scales before anybody is asked about it.

Large indices under the next card's edge are found at one scale and hardly at the next. How surely an index is found is
all that is taken from the other scales: what they find besides, and where they place it, counts for nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.cards.detector import INDEX, Found, merged, overlap_of
from vision.cards.geometry import leaning, length
from vision.cards.grouping import group
from vision.cards.indices import IndexReading
from vision.cards.patches import Floats
from vision.cards.settings import Settings
from vision.sightings import FACES, JOKER, CardSighting

APART, SIZES, OVERLAP = 0.3, (0.7, 1.4), 0.6
"""Two finds are of one index where their middles are nearer than so many of its diagonals, their sizes as alike and
their rectangles as much on each other as that."""

PLAIN, BESIDE = 0.9, 0.3
"""So surely is read what is asked about though it was hardly found; it shares less than that with what is known."""


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


def passed_over(found: Sequence[Found], faint: Sequence[Found]) -> list[Found]:
    """The indices among ``faint`` finds that lie beside all those that were ``found``, each once."""
    known = [f.quad for f in found if f.kind == INDEX]
    indices = merged([[f for f in faint if f.kind == INDEX]])
    return [f for f in indices if all(overlap_of(f.quad, quad) < BESIDE for quad in known)]


def overlooked(
    left: Sequence[Found], readings: Sequence[IndexReading], seen: Sequence[CardSighting]
) -> list[IndexReading]:
    """Of the ``readings`` of faint finds that nothing spoke for (``left``), those read plainly as a card that is not
    listed, and beside all that is: one of each name, but for jokers, of which a hand may hold several.

    A fan of very large indices, each half under the next card, shows hardly one of them whole; who is not asked about
    the others counts a hand of five.
    """
    names = {s.label for s in seen}
    jokers = [np.array(quad, np.float32) for s in seen if s.label == JOKER for quad in s.indices]
    known = [np.array(quad, np.float32) for s in seen for quad in s.indices]
    out: list[IndexReading] = []
    for f, r in sorted(zip(left, readings, strict=True), key=lambda it: -it[0].confidence):
        if FACES[r.best] == JOKER:
            ends = [*jokers, *(o.quad for o in out if o.best == r.best)]
            new = not any(leaning(quad, r.quad) for quad in ends)  # the other end of one that is known
        else:
            new = FACES[r.best] not in names and all(o.best != r.best for o in out)
        beside = [*known, *(o.quad for o in out if o.best == r.best)]
        if new and r.sure >= PLAIN and all(overlap_of(q, other) < BESIDE for q in (f.quad, r.quad) for other in beside):
            out.append(r)
    return out


def of_their_own(
    anew: Sequence[IndexReading], known: Sequence[IndexReading], outlines: Sequence[Found]
) -> list[IndexReading]:
    """Those of the readings ``anew`` that are no end of a card whose plain readings are ``known``."""
    every = [*known, *anew]
    alone = {g.members[0] for g in group(every, outlines) if len(g.members) == 1}
    return [r for k, r in enumerate(anew, len(known)) if k in alone]


def _same(one: Found, other: Found) -> bool:
    if other.kind != INDEX or not _at(one.quad, other.centre):
        return False
    least, most = SIZES
    return least < other.size / max(one.size, 1e-6) < most and overlap_of(one.quad, other.quad) > OVERLAP


def _at(quad: Floats, where: Floats) -> bool:
    return length(where - quad.mean(0)) < APART * length(quad[2] - quad[0])
