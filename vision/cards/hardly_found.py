"""Cards of a row that were hardly found, or not at all: read where the row says that one stands, or asked about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision.cards.detector import INDEX, Found
from vision.cards.gaps import beyond, missing
from vision.cards.geometry import axes, length
from vision.cards.groups import IndexSize, corners_of
from vision.cards.indices import IndexReader, IndexReading
from vision.cards.naming import as_quad, named
from vision.cards.patches import Floats, Image
from vision.cards.profile import NONE
from vision.cards.rows import in_row, likely, repeated, strayed
from vision.cards.settings import Settings
from vision.cards.side_steps import LoneIndices
from vision.sightings import FACES, JOKER, CardSighting

TWIN = 0.4
"""Finds nearer to each other than so much of an index's diagonal are the same index,"""
BESIDE = (0.7, 0.25, 0.8, 0.25)
"""but for tall ones that stand side by side, as in a ribbon: another name is read so many of its widths aside, no more
of its heights up or down, as tall to so much, and so wide for its height. (Of one index found whole and by its pip, the
pip's find is half as tall and lies lower; slivers of what is between two are named too.)"""


def in_gaps(
    indices: IndexReader, levels: Sequence[Image], seen: Sequence[CardSighting], size: IndexSize, settings: Settings
) -> list[CardSighting]:
    """The cards that should stand in the gaps of a row; without a guess where nothing is read there."""
    cards = [s for s in seen if s.indices]
    wide = float(np.median([length(np.subtract(s.corners[1], s.corners[0])) for s in cards])) if cards else None
    marks = [[np.array(quad, np.float32) for quad in s.indices] for s in cards]
    gaps = missing(marks, wide)
    where = gaps + beyond([*marks, *([quad] for quad in gaps)], wide)
    if not where:
        return []
    known = [np.mean(quad, 0) for s in seen for quad in s.indices]
    out = []
    whole = [np.array(s.corners, np.float32) for s in seen if len(s.indices) != 1]
    lone = LoneIndices.of((s.label, quads) for s, quads in zip(cards, marks, strict=True))
    read = indices.read(levels, [Found(INDEX, q, 0.0) for q in where])
    for k, (quad, r) in enumerate(zip(where, read, strict=True)):
        if k >= len(gaps) and not _plain_beyond(r, whole, settings):
            continue
        if lone.have(FACES[r.best], r.quad):
            continue
        if r.chances[NONE] < settings.guessed and not any(strayed(quad, r.centre, it) for it in known):
            said = hardly_found(r, size, settings)
            # The other index on the same side of a card that is listed already looks like a card in a gap.
            out.append(replace(said, kind="unsure") if repeated(said, seen) else said)
        elif k < len(gaps):
            out.append(CardSighting("unsure", as_quad(corners_of([replace(r, quad=quad)], None, size)), None, 0.0))
    return out


def _plain_beyond(reading: IndexReading, whole: Sequence[Floats], settings: Settings) -> bool:
    """Whether what is read beyond a row's end is plainly an index, and no part of a card that is seen whole, of a
    back, or of what is asked about for its outline alone."""
    x, y = (float(v) for v in reading.centre)
    plain = reading.sure > settings.guessed and reading.chances[NONE] < settings.none_beyond
    return plain and all(cv2.pointPolygonTest(card, (x, y), False) < 0 for card in whole)


def hardly_found(reading: IndexReading, size: IndexSize, settings: Settings) -> CardSighting:
    """A card that was hardly found or not at all, where a row of others says that one stands."""
    seen = named([reading], corners_of([reading], None, size))
    least = settings.joker_in_row if seen.label == JOKER else settings.sure_in_row
    return replace(seen, kind="card") if seen.confidence >= least else seen


def asked_about(
    faint: Sequence[IndexReading], row: Sequence[IndexReading], placed: Sequence[IndexReading]
) -> list[IndexReading]:
    """Faint indices that fit into a row and are named well; not a second find of one that is ``placed`` already."""
    asked: list[IndexReading] = []
    for r in sorted(faint, key=lambda r: -r.found):
        if any(twins(r, o) for o in placed):
            continue
        if among(r, row) and likely(r, [*(o for o in row if o is not r), *asked]):
            asked.append(r)
    return asked


def row_of(readings: Sequence[IndexReading], settings: Settings) -> list[IndexReading]:
    """The indices whose row speaks for a faint one."""
    least_found, least_named = settings.in_a_row
    return [r for r in readings if r.found > least_found and r.sure > least_named]


def among(one: IndexReading, row: Sequence[IndexReading]) -> bool:
    """Whether an index stands in a row of others."""
    return in_row(one.quad, [o.quad for o in row if o is not one])


def twins(one: IndexReading, other: IndexReading) -> bool:
    """Whether two finds are of one index."""
    apart = other.centre - one.centre
    if length(apart) > length(one.quad[2] - one.quad[0]) * TWIN:
        return False
    return one.best == other.best or not (_beside(one, other) and _beside(other, one))


def _beside(one: IndexReading, other: IndexReading) -> bool:
    """Whether ``other`` stands beside ``one``, as tall and as upright."""
    aside, off, alike, wide = BESIDE
    (right, down), high = axes(one.quad), length(axes(other.quad)[1])
    across, along = length(right), length(down)
    if not (alike * along <= high <= along / alike and across >= wide * along):
        return False
    apart = other.centre - one.centre
    return abs(float(apart @ right)) >= aside * across**2 and abs(float(apart @ down)) <= off * along**2
