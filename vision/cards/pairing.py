"""Which indices may be two ends of one card: by their names, by how a card's ends lie, and by outlines beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.detector import Found
from vision.cards.geometry import (
    UNIT,
    Measure,
    agrees,
    axes,
    corner_fit,
    cosine,
    degenerate,
    leaning,
    length,
    measure_of,
    misfit,
    neighbouring,
    opposite,
    other_corners,
    reaches,
)
from vision.cards.groups import SURE_OUTLINE
from vision.cards.indices import IndexReading
from vision.cards.patches import Floats
from vision.sightings import FACES, JOKER

WELL_READ = 0.7
"""Two indices this well read that differ are on two cards, whatever an outline says; unless they lie as a card's two
ends do, and one of them is less sure than `MISREAD`."""
MISREAD = 0.9
"""An index less sure than this may be the other one of a card that a surer index names otherwise."""
EDGE = 0.75
"""How far beyond the middle of an index, in its heights, its card may end."""
CHANCE, LITTLE = 0.05, 0.02
"""How likely the one must find the other's name; and where they lie exactly as a card's ends do."""
EXACT = 0.08
"""Two indices so little astray, in a card's diagonals, are one card's ends. Two cards lie so where one covers the
other, and then only the upper one's indices show."""
IN_LINE = 0.8
"""Cosine of the angle by which the indices of a row are turned from each other at the most."""
SNUG = 0.2
"""An outline so sure with an index so close to where indices are printed tells the deck's own measures."""
ASTRAY = 0.3
"""An index so far from where one is printed is none of that outline's."""
Claim = tuple[float, int, int, tuple[int, int]]
"""How badly the index fits, the outline's number, the index's, and the corner."""


def _may_be_misread(
    a: IndexReading, b: IndexReading, measures: Sequence[Measure], readings: Sequence[IndexReading]
) -> bool:
    """Whether two differing readings lie as a card's ends do, and one of them gives the other's well-read name a
    chance: a weak one, or any that lies just where an outline beside them says that the other end is; and nothing bears
    the weaker one's own name out."""
    weak, strong = sorted((a, b), key=lambda r: r.sure)
    chance = float(weak.chances[strong.best])
    if strong.sure <= WELL_READ or chance <= LITTLE or not opposite(a.quad, b.quad):
        return False
    misread = (chance > CHANCE and weak.sure < MISREAD) or misfit(measures, a.quad, b.quad) < EXACT
    return misread and not _borne_out(weak, readings)


def _borne_out(weak: IndexReading, readings: Sequence[IndexReading]) -> bool:
    """Whether the name of a weak reading is read well where a four-index card's next index stands: in a ribbon of such
    cards the upper index of one and the lower of the next but one lie as a card's two ends do."""
    return any(
        r.best == weak.best and r.sure > WELL_READ and r is not weak and neighbouring(weak.quad, r.quad, loose=True)
        for r in readings
    )


def onto_unit(outline: Found) -> NDArray[np.float64]:
    """From picture pixels to the outline's unit square."""
    return np.asarray(cv2.getPerspectiveTransform(outline.quad.astype(np.float32), UNIT), np.float64)


def claims_on(readings: Sequence[IndexReading], outlines: Sequence[Found]) -> list[Claim]:
    """Which index sits in which corner of which outline, the best fits first."""
    claims = []
    for n, outline in enumerate(outlines):
        if degenerate(outline.quad):
            continue
        onto = onto_unit(outline)
        for k, reading in enumerate(readings):
            if length(reading.centre - outline.centre) > 1.5 * outline.size:
                continue
            if fit := corner_fit(onto, reading.quad, word=FACES[reading.best] == JOKER):
                claims.append((fit[0] - 0.1 * outline.confidence, n, k, fit[1]))
    return sorted(claims, key=lambda c: c[0])


def all_measures(readings: Sequence[IndexReading], outlines: Sequence[Found], claims: Sequence[Claim]) -> list[Measure]:
    """What well-found outlines with a well-read index in a corner say of how far apart a card's indices lie."""
    measures = []
    for cost, n, k, _ in claims:
        outline, reading = outlines[n], readings[k]
        if (
            outline.confidence > SURE_OUTLINE
            and reading.sure > WELL_READ
            and FACES[reading.best] != JOKER
            and cost + 0.1 * outline.confidence < SNUG
        ):
            measures.append(measure_of(onto_unit(outline), outline.quad, reading.quad))
    return [measure for measure in measures if measure is not None]


def may_be_one(one: IndexReading, other: IndexReading, measures: Sequence[Measure]) -> bool:
    """Whether two indices may lie so on one card. Jokers' indices have sizes and places of their own."""
    if FACES[one.best] == JOKER:
        return reaches(measures, one.quad, other.quad)
    return agrees(measures, one.quad, other.quad)


def seats_of(outlines: Sequence[Found], claims: Sequence[Claim]) -> dict[int, dict[int, float]]:
    """By the index's number, how badly it fits each sure outline in whose corner it stands, by the outline's number."""
    seats: dict[int, dict[int, float]] = {}
    for cost, n, k, _ in claims:
        if outlines[n].confidence > SURE_OUTLINE:
            seats.setdefault(k, {}).setdefault(n, cost + 0.1 * outlines[n].confidence)
    return seats


def _on_two_outlines(seats: Mapping[int, Mapping[int, float]], a: int, b: int) -> bool:
    """Whether two indices stand where one is printed, each in a sure outline of its own, and neither in the other's."""
    here, there = seats.get(a, {}), seats.get(b, {})
    if not here or not there:
        return False
    its, other = min(here, key=lambda n: here[n]), min(there, key=lambda n: there[n])
    snug = max(here[its], there[other]) < SNUG
    return snug and min(here.get(other, np.inf), there.get(its, np.inf)) > ASTRAY


def _on_one_outline(seats: Mapping[int, Mapping[int, float]], a: int, b: int) -> bool:
    """Whether both indices stand where one is printed in the same sure outline."""
    here, there = seats.get(a, {}), seats.get(b, {})
    return any(max(here[n], there[n]) < SNUG for n in here.keys() & there.keys())


def _at_home(readings: Sequence[IndexReading], seats: Mapping[int, Mapping[int, float]], a: int, b: int) -> bool:
    """Whether the weaker of two indices stands where one is printed in a sure outline that shows its own card's other
    end as well, and the stronger one lies elsewhere."""
    weak, strong = sorted((a, b), key=lambda k: readings[k].sure)
    here = seats.get(weak, {})
    its = min(here, key=lambda n: here[n], default=-1)
    if here.get(its, np.inf) >= SNUG or seats.get(strong, {}).get(its, np.inf) <= ASTRAY:
        return False
    names = (readings[weak].best, readings[strong].best)
    return any(
        k not in (a, b)
        and fits.get(its, np.inf) < SNUG
        and readings[k].sure > WELL_READ
        and readings[k].best in names
        and leaning(readings[weak].quad, readings[k].quad) != 0
        for k, fits in seats.items()
    )


def pairs_of(
    readings: Sequence[IndexReading], measures: Sequence[Measure], seats: Mapping[int, Mapping[int, float]]
) -> list[tuple[int, int, bool]]:
    """Readings on one diagonal of a card: equal ones on the diagonal that every deck has, then on that of four-index
    decks (True: on no other), then a doubtful reading with a surer one that it does not rule out. Those that
    stand in corners of one sure outline come first, those that lie best for it, and what is read well before what is
    not."""
    possible = []
    for a, b in combinations(range(len(readings)), 2):
        one, other = readings[a], readings[b]
        if one.best == other.best and (lean := leaning(one.quad, other.quad)):
            if not may_be_one(one, other, measures) or (lean < 0 and _another_above(one, other, readings)):
                continue
            astray = 0.0 if FACES[one.best] == JOKER else misfit(measures, one.quad, other.quad)
            if astray > EXACT and _on_two_outlines(seats, a, b):
                continue  # An equal card lies over that one and shows one of its own ends, which was not found.
            poor = min(one.sure, other.sure) <= WELL_READ
            apart = not _on_one_outline(seats, a, b)
            possible.append((poor, -lean, apart, astray, length(one.centre - other.centre), a, b))
        elif _may_be_misread(one, other, measures, readings) and not _at_home(readings, seats, a, b):
            possible.append((True, 2, True, 0.0, length(one.centre - other.centre), a, b))
    pairs: list[tuple[int, int, bool]] = []
    taken: set[int] = set()
    for _, lean, *_, a, b in sorted(possible):
        if a not in taken and b not in taken:
            pairs.append((a, b, lean == 1))
            taken |= {a, b}
    return pairs


def _another_above(one: IndexReading, other: IndexReading, readings: Sequence[IndexReading]) -> bool:
    """Whether another card's index stands between either of two indices on a four-index card's second diagonal and the
    corner beside it: then they are two equal cards' of a row, each of which shows one side."""
    corners = other_corners(one.quad, other.quad)
    if corners is None:
        return False
    ends = ((one.centre, corners[0]), (other.centre, corners[1]))
    return any(in_the_row(one, a, b, r) for a, b in ends for r in readings)


def in_the_row(one: IndexReading, start: Floats, end: Floats, reading: IndexReading, *, alike: bool = False) -> bool:
    """Whether a well-read index of another card stands on the way, in line with ``one`` (a card across is no row);
    ``alike`` where the way is between indices that stand as ``one`` does."""
    down = axes(one.quad)[1]
    if reading.best == one.best or reading.sure <= WELL_READ or abs(cosine(down, axes(reading.quad)[1])) < IN_LINE:
        return False
    return lies_between(start, end, down, reading.centre, alike=alike)


def lies_between(start: Floats, end: Floats, down: Floats, at: Floats, *, alike: bool = False) -> bool:
    """Whether an index whose middle is ``at`` lies on the way, no farther beside it than an index is tall (``down`` its
    card); or less far, if on the way up from two that stand ``alike``: there a card's edge is near, and another's index
    may peep out."""
    step, way = end - start, at - start
    along = float(way @ step) / max(float(step @ step), 1e-6)
    beside = way - along * step
    outward = alike and float(beside @ down) < 0
    return 0.1 < along < 0.9 and length(beside) < length(down) * (EDGE if outward else 1.0)
