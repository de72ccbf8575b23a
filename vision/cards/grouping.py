"""From indices and card outlines to physical cards, each counted once however many of its indices show.

Two kinds of evidence join indices: a card outline that holds them in its corners, and the geometry of a card itself
(the opposite index of the same card lies turned by half a circle, a card's diagonal away). Two equal cards from two
decks fit neither, so they stay two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import combinations, product

import cv2
import numpy as np

from vision.cards.detector import Found
from vision.cards.equals import apart_where_others_lie_between, apart_where_two_suffice, parted
from vision.cards.four_corners import with_all_corners
from vision.cards.geometry import (
    Measure,
    axes,
    beside,
    cosine,
    leaning,
    length,
    neighbouring,
    other_corners,
)
from vision.cards.groups import SURE_OUTLINE, Group
from vision.cards.indices import IndexReading
from vision.cards.pairing import (
    SNUG,
    WELL_READ,
    Claim,
    all_measures,
    claims_on,
    in_the_row,
    lies_between,
    may_be_one,
    onto_unit,
    pairs_of,
    seats_of,
)
from vision.cards.side_steps import STRAY, lie_abreast, lie_so, side_steps, widths
from vision.cards.weeds import without_far_ends, without_own_corners, without_pips
from vision.sightings import FACES, JOKER, akin

ALIKE = 4
"""So many cards with two equal indices equally far apart are not chance: the deck has four indices."""
APART, ABREAST = 0.8, 1.25
"""So far apart, in diagonals of an index or sideways in widths of one, two finds are two indices and not one found
twice."""

BEYOND = 0.1
"""How far an index may seem to lie outside of its card's outline, in the card's width and height."""
NEARBY = 2.0
"""What lies farther from an outline's middle, in halves of its diagonals, is none of its cards' business."""


def _all_alike(readings: Sequence[IndexReading]) -> bool:
    """Whether several cards show two indices along their left side, all equally far apart: a deck with four indices,
    spread so that no card shows its right side."""
    apart: dict[int, float] = {}
    well = [r for r in readings if r.sure > WELL_READ]
    for a, b in combinations(well, 2):
        if a.best == b.best and neighbouring(a.quad, b.quad, loose=True):
            offset = beside(a.quad, b.quad, 0.55, 0.85)
            if offset is not None and offset[2] < 0:
                apart[a.best] = min(offset[1], apart.get(a.best, offset[1]))
    if len(apart) < ALIKE:
        return False
    usual = float(np.median(list(apart.values())))
    return sum(abs(v - usual) < 0.15 * usual for v in apart.values()) >= max(ALIKE, 0.7 * len(apart))


def _completing(a: IndexReading, b: IndexReading, others: Sequence[tuple[int, IndexReading]]) -> list[int]:
    """Which of ``others`` sit in the two corners that opposite indices leave (four-index cards); one for each corner.

    Only a pair says how large the card is: an index alone cannot tell its neighbour from that of the next card.
    """
    corners = other_corners(a.quad, b.quad)
    if corners is None:
        return []
    reach = 0.22 * length(b.centre - a.centre)
    down = axes(a.quad)[1]
    found = []
    for corner in corners:
        near = [
            (length(c.centre - corner), k)
            for k, c in others
            if c.best == a.best and abs(cosine(down, axes(c.quad)[1])) > 0.9
        ]
        if near and min(near)[0] < reach:
            found.append(min(near)[1])
    return found


def _with_ends_of_their_own(
    pairs: Sequence[tuple[int, int, bool]], claims: Sequence[Claim], seats: Mapping[int, Mapping[int, float]]
) -> Callable[[int, int], set[int]]:
    """For a pair, the indices that have their other end with them in an outline that holds neither of it; and those of
    another pair where one of the two fills a sure outline, and the other stands in another."""
    holds: dict[int, set[int]] = {}
    for _, outline, index, _ in claims:
        holds.setdefault(index, set()).add(outline)

    def snug(k: int) -> set[int]:
        return {n for n, fit in seats.get(k, {}).items() if fit < SNUG}

    def both(a: int, b: int) -> set[int]:
        return holds.get(a, set()) & holds.get(b, set())

    def fills(a: int, b: int, c: int, d: int) -> bool:
        its = (snug(a) & snug(b)) - both(c, d)
        return bool(its and (snug(c) | snug(d)) - both(a, b) - its)

    def of(a: int, b: int) -> set[int]:
        ours = holds.get(a, set()) | holds.get(b, set())
        others = ((c, d) for c, d, four in pairs if not four and {c, d}.isdisjoint((a, b)))
        return {k for c, d in others if both(c, d) - ours or fills(a, b, c, d) or fills(c, d, a, b) for k in (c, d)}

    return of


def _sides(
    readings: Sequence[IndexReading],
    besides: Collection[int],
    owner: Sequence[int],
    loose: bool,
    measures: Sequence[Measure],
) -> Iterator[tuple[int, int]]:
    """Equal readings of different groups that lie along one side of a four-index card, the surest finds first."""
    free = sorted((k for k in range(len(readings)) if k not in besides), key=lambda k: -readings[k].found)
    for a, b in combinations(free, 2):
        one, other = readings[a], readings[b]
        if owner[a] == owner[b] or one.best != other.best or not neighbouring(one.quad, other.quad, loose):
            continue
        if may_be_one(one, other, measures) and not _something_between(a, b, readings):
            yield a, b


def _alone(readings: Sequence[IndexReading], outlines: Sequence[Found], claims: Sequence[Claim]) -> Iterator[list[int]]:
    """The readings in the four corners of a plain outline that has nothing else near: one card's, whatever each was
    named, unless two names were read twice that more than a dot's shape parts: those may be two cards' sides."""
    for n, outline in enumerate(outlines):
        if outline.confidence <= SURE_OUTLINE:
            continue
        corners: dict[tuple[int, int], int] = {}
        for _, m, k, corner in claims:
            if m == n:
                corners.setdefault(corner, k)
        near = {k for k, r in enumerate(readings) if length(r.centre - outline.centre) < NEARBY * outline.size}
        names = Counter(readings[k].best for k in corners.values())
        twice = sorted(names.values()) == [2, 2] and not akin(*(FACES[k] for k in names))
        if len(near) == 4 and near == set(corners.values()) and not twice:
            yield sorted(near)


def _two_of_a_row(one: IndexReading, other: IndexReading, readings: Sequence[IndexReading]) -> bool:
    """Whether two equal indices that stand alike have another card's between them. Jokers' words hold anything."""
    alike = one.best == other.best and cosine(axes(one.quad)[1], axes(other.quad)[1]) > 0
    if not alike or FACES[one.best] == JOKER:
        return False
    return any(in_the_row(one, one.centre, other.centre, r, alike=True) for r in readings)


def _something_between(a: int, b: int, readings: Sequence[IndexReading]) -> bool:
    """Whether another card's index stands between two that stand alike: then they are two cards of a row or fan."""
    one, other = readings[a], readings[b]
    down = axes(one.quad)[1]
    if cosine(down, axes(other.quad)[1]) < 0:
        return False
    others = (r for k, r in enumerate(readings) if k not in (a, b) and r.best != one.best)
    return any(lies_between(one.centre, other.centre, down, r.centre, alike=True) for r in others)


def _jokers_inside(
    readings: Sequence[IndexReading], outlines: Sequence[Found], claims: Sequence[Claim]
) -> dict[int, set[int]]:
    """The sure outlines that each joker's index stands in, or in a corner of, by its number."""
    sure = {n: o for n, o in enumerate(outlines) if o.confidence > SURE_OUTLINE}
    cornered = {(n, k) for _, n, k, _ in claims}

    def stands(k: int, r: IndexReading, n: int, o: Found) -> bool:
        return (n, k) in cornered or cv2.pointPolygonTest(o.quad, (float(r.centre[0]), float(r.centre[1])), False) > 0

    return {
        k: {n for n, o in sure.items() if stands(k, r, n, o)} for k, r in enumerate(readings) if FACES[r.best] == JOKER
    }


def _parted(inside: Mapping[int, set[int]], a: int, b: int) -> bool:
    """Whether two jokers' indices stand in two outlines, and in none together: then they are two jokers, whose indices
    have no measures that would tell."""
    here, there = inside.get(a, set()), inside.get(b, set())
    return bool(here and there) and here.isdisjoint(there)


def _too_many(members: Sequence[IndexReading]) -> bool:
    """Whether more than two of these stand the same way up and apart from each other: no card has so many, but two
    equal cards have that lie over each other. Jokers' words and pictures are found as indices all over the card."""
    if len(members) < 3 or any(FACES[m.best] == JOKER for m in members):
        return False
    down = axes(members[0].quad)[1]
    for way in (1, -1):
        alike = [m for m in members if way * cosine(down, axes(m.quad)[1]) > 0]
        apart: list[IndexReading] = []
        for m in sorted(alike, key=lambda m: -m.found):
            if all(_two(m, other) for other in apart):
                apart.append(m)
        if len(apart) > 2:
            return True
    return False


def _two(one: IndexReading, other: IndexReading) -> bool:
    """Whether two finds that stand alike are two indices and not one found twice: an index's rank alone, or its suit,
    lies below or above the whole of it and never beside."""
    step = other.centre - one.centre
    right = max((axes(one.quad)[0], axes(other.quad)[0]), key=length)
    aside = abs(float(step @ right)) / max(float(right @ right), 1e-6)
    return length(step) > APART * length(one.quad[2] - one.quad[0]) or aside > ABREAST


def _four_indices(members: Sequence[IndexReading]) -> bool:
    """Whether a card shows more indices than others have, or where only four-index decks have them."""
    return len(members) > 2 or any(neighbouring(a.quad, b.quad) for a, b in combinations(members, 2))


def group(readings: Sequence[IndexReading], outlines: Sequence[Found]) -> list[Group]:
    """Partition the readings into physical cards; outlines without any index come back as groups without members."""
    groups = [Group([k]) for k in range(len(readings))]
    owner = list(range(len(readings)))

    claims = claims_on(readings, outlines)
    inside = _jokers_inside(readings, outlines, claims)

    def join(a: int, b: int) -> None:
        ga, gb = owner[a], owner[b]
        if ga == gb or _too_many([readings[k] for k in (*groups[ga].members, *groups[gb].members)]):
            return
        if any(_parted(inside, c, d) for c, d in product(groups[ga].members, groups[gb].members)):
            return
        for k in groups[gb].members:
            owner[k] = ga
        groups[ga].members += groups[gb].members
        groups[gb].members = []

    for members in _alone(readings, outlines, claims):
        for k in members[1:]:
            join(members[0], k)
    measures = all_measures(readings, outlines, claims)
    seats = seats_of(outlines, claims)
    pairs = pairs_of(readings, measures, seats)
    paired: set[int] = set()

    # The first index of an equal card close beside stands where a four-index card's third would.
    elsewhere = _with_ends_of_their_own(pairs, claims, seats)

    def join_pairs(of_four: bool) -> None:
        for a, b, four in pairs:
            if four is not of_four:
                continue
            join(a, b)
            not_ours = {a, b} | elsewhere(a, b)
            others = [(k, r) for k, r in enumerate(readings) if k not in not_ours]
            paired.update((a, b))
            for c in _completing(readings[a], readings[b], others):
                join(a, c)
                paired.add(c)

    def join_sides(besides: Collection[int], loose: bool) -> None:
        for a, b in _sides(readings, besides, owner, loose, measures):
            if len(groups[owner[a]].members) + len(groups[owner[b]].members) <= 4:
                join(a, b)

    def four_known() -> bool:
        return any(_four_indices([readings[k] for k in g.members]) for g in groups)

    join_pairs(of_four=False)
    # Where cards show the diagonal that every deck has, and none has more, equal indices on the other are two cards'.
    if not paired or four_known() or _all_alike(readings):
        join_pairs(of_four=True)
    join_sides(paired, loose=False)
    if known := four_known() or _all_alike(readings):
        join_sides((), loose=True)
    taken_corner: set[tuple[int, tuple[int, int]]] = set()
    home: dict[int, int] = {}
    for _, n, k, corner in claims:
        if k in home or (n, corner) in taken_corner:
            continue
        partners = [j for j, m in home.items() if m == n]
        company = {j for p in partners for j in groups[owner[p]].members}
        own = {*groups[owner[k]].members}
        together = [readings[j] for j in own | company]
        if company and (
            _too_many(together) or not _fit_together([readings[j] for j in own], [readings[j] for j in company])
        ):
            # A corner of this outline seems to hold another card's index: trust geometry over the outline.
            continue
        if any(_two_of_a_row(readings[j], readings[k], readings) for j in partners):
            continue
        home[k] = n
        taken_corner.add((n, corner))
        for j in partners:
            join(j, k)
    if not known and four_known():
        join_sides((), loose=True)
    for a, b in _lone_sides(groups, readings):
        join(a, b)
    for k, n in home.items():
        g = groups[owner[k]]
        better = g.outline is None or outlines[n].confidence > g.outline.confidence
        if better and _holds(outlines[n], [readings[j] for j in g.members]):
            g.outline = outlines[n]
    joined = with_all_corners([g for g in groups if g.members], readings, outlines)
    used = {id(g.outline) for g in joined if g.outline is not None} | {id(outlines[n]) for n in home.values()}
    empty = [Group([], o) for o in outlines if id(o) not in used]
    joined = apart_where_others_lie_between(parted(joined, readings), readings)
    joined = apart_where_two_suffice(joined, readings)
    whole = without_pips(joined, readings)
    four = known or four_known()
    whole = without_own_corners(whole, readings, measures) if four else whole
    whole = without_far_ends(whole, readings, measures, four)
    return _with_misread_sides(whole, readings) + empty


def _holds(outline: Found, members: Sequence[IndexReading]) -> bool:
    """Whether none of a card's indices lies outside of an outline: that is another's, such as of a back that lies on
    the card so that one index peeps out beside its corner."""
    if len(members) < 2 or any(FACES[m.best] == JOKER for m in members):
        return True
    centres = np.array([m.centre for m in members], np.float32)
    placed = cv2.perspectiveTransform(centres.reshape(1, -1, 2), onto_unit(outline))[0]
    return bool((placed > -BEYOND).all() and (placed < 1 + BEYOND).all())


def _lone_sides(groups: Sequence[Group], readings: Sequence[IndexReading], alike: bool = True) -> list[tuple[int, int]]:
    """Lone indices that lie as both indices of one side do on other cards: of one name, or one of them read poorly; or
    (not ``alike``) of two names."""
    lone = [g.members[0] for g in groups if len(g.members) == 1]
    cards = [[readings[k].quad for k in g.members] for g in groups] if len(lone) > 1 else []
    steps, apart = side_steps(cards), widths(cards)

    def may_be(one: IndexReading, other: IndexReading) -> bool:
        if one.best == other.best:
            return alike and (lie_so(steps, one.quad, other.quad) or lie_abreast(apart, one.quad, other.quad))
        poor = min(one.sure, other.sure) <= WELL_READ
        return poor is alike and lie_so(steps, one.quad, other.quad, STRAY / 2)

    return [(a, b) for a, b in combinations(lone, 2) if may_be(readings[a], readings[b])]


def _with_misread_sides(groups: Sequence[Group], readings: Sequence[IndexReading]) -> list[Group]:
    """The groups, with lone indices of two names joined that lie exactly as one card's side: one is misread, and the
    card is unsure."""
    left = list(groups)
    for a, b in _lone_sides(groups, readings, alike=False):
        one = next((g for g in left if g.members == [a]), None)
        other = next((g for g in left if g.members == [b]), None)
        if one is not None and other is not None:
            one.take_in(other)
            left = [g for g in left if g is not other]
    return left


def _fit_together(some: Sequence[IndexReading], others: Sequence[IndexReading]) -> bool:
    """Whether indices that sit in corners of one outline may belong to one card."""
    differ = [(a, b) for a, b in product(some, others) if a.best != b.best]
    if not differ:
        return True
    if len(differ) == len(some) * len(others) and min(len(some), len(others)) > 1:
        # Either name was read twice: a ribbon of four-index cards is cut into outlines that hold two cards' sides.
        return False
    # Different names: only where one of them is a weak reading, and the geometry says one card.
    if any(min(a.sure, b.sure) > WELL_READ for a, b in differ):
        return False
    return any(leaning(a.quad, b.quad) > 0 for a, b in differ)
