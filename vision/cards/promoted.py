"""Cards that are unsure only because their indices were hardly found, and that stand where a row of others says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import median

import numpy as np

from vision.cards.company import FEWEST
from vision.cards.gaps import beyond, missing
from vision.cards.geometry import axes, cosine, length, on_any
from vision.cards.groups import UPRIGHT
from vision.cards.hardly_found import OWN, marks_of, sure_in_row
from vision.cards.patches import Floats
from vision.cards.rows import SHORT, in_row, repeated
from vision.cards.settings import Settings
from vision.sightings import JOKER, CardSighting

MANY = 20
"""So many sure cards may be a pack, whose missing ones all seem likely: there `Settings.sure_in_pack` is asked."""
PASSES = 2
"""Those that the row speaks for speak for others."""


def sure_beside_others(seen: Sequence[CardSighting], settings: Settings) -> list[CardSighting]:
    """The sightings, with those sure that are read plainly and stand in the row that all plain ones make: indices half
    under the next card are hardly found, however well they can be read, and then no row of found ones spoke for them.

    In a poor picture (see `Settings.poor`) nothing is made surer.
    """
    named = [s.confidence for s in seen if s.kind != "back" and s.label is not None]
    if len(named) <= FEWEST or median(named) < settings.poor:
        return list(seen)
    out = list(seen)
    for _ in range(PASSES):
        out = _once(out, settings)
    return out


def _once(seen: Sequence[CardSighting], settings: Settings) -> list[CardSighting]:
    sure = [s for s in seen if s.kind == "card" and s.indices]
    marks, wide = marks_of(sure)
    gaps, ends = missing(marks, wide), beyond(marks, wide)

    def stands(s: CardSighting) -> bool:
        if s.kind != "unsure" or len(s.indices) != 1:
            return False
        plain = [
            o for o in seen if o is not s and o.indices and (o.kind == "card" or sure_in_row(o, settings, gap=True))
        ]
        if repeated(s, plain):
            return False
        quad = np.array(s.indices[0], np.float32)
        least = settings.sure_in_pack if len(sure) >= MANY else 0.0
        if sure_in_row(s, settings, gap=True) and s.confidence >= least and _foretold(quad, gaps, s.label == JOKER):
            return True
        plain = [o for o in plain if o.kind == "card" or sure_in_row(o, settings)]
        row = [np.array(it, np.float32) for o in plain for it in o.indices]
        if s.label == JOKER and row:
            # A star is smaller than the others' indices, and read any way round.
            nearest = min(row, key=lambda it: length(it.mean(0) - quad.mean(0)))
            quad = np.asarray(nearest - nearest.mean(0) + quad.mean(0), np.float32)
        return sure_in_row(s, settings) and (in_row(quad, row) or (s.label == JOKER and _foretold(quad, ends, True)))

    return [replace(s, kind="card") if stands(s) else s for s in seen]


def _foretold(quad: Floats, places: Sequence[Floats], joker: bool) -> bool:
    """Whether an index stands where one should, as one does there: upright, and no mere half. Jokers' stand any way."""
    down = axes(quad)[1]

    def at(place: Floats) -> bool:
        there = axes(place)[1]
        alike = joker or (cosine(down, there) > UPRIGHT and length(down) > SHORT * length(there))
        return alike and length(quad.mean(0) - place.mean(0)) < OWN * length(there)

    return any(at(place) for place in places)


def without_answered(seen: Sequence[CardSighting], before: Sequence[CardSighting]) -> list[CardSighting]:
    """The sightings without what was asked about, with nothing read there, where a joker was found, or became sure,
    since ``before``: of such a joker the other end is no index either, and a row of others' far ends lacks it."""
    known = {id(s) for s in before}
    jokers = [
        np.mean(q, 0) for s in seen if s.kind == "card" and s.label == JOKER and id(s) not in known for q in s.indices
    ]

    def answered(s: CardSighting) -> bool:
        bare = s.kind == "unsure" and not s.indices
        return bare and any(on_any(it, [np.array(s.corners, np.float32)]) for it in jokers)

    return [s for s in seen if not answered(s)]
