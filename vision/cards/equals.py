"""Two equal cards of two packs, one close upon the other, that were taken for one card with four indices."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from vision.cards.geometry import axes, corner_fit, cosine, leaning, length, neighbouring, other_corners, stands_as_most
from vision.cards.groups import Group
from vision.cards.indices import IndexReading
from vision.cards.pairing import ASTRAY as OFF
from vision.cards.pairing import SNUG, lies_between, onto_unit
from vision.cards.patches import Floats
from vision.cards.side_steps import FEWEST, WHOLE, side_steps, widths
from vision.sightings import FACES, JOKER

SLIM = 0.5
"""So narrow for its length, from index to index, no card of a fan is that has its indices in its corners: .7 to .8 are
usual, and one seen so aslant that it is half of that shows no hand."""
RATHER_SLIM, NARROW, NARROWER = 0.55, 0.75, 0.6
"""Nor one that is narrower by so much than the cards that show all their indices, where there are any; nor any at all
narrower by so much."""
SQUAT = 1.1
"""Four indices so much broader than long say nothing of how wide a card is: they are two equal cards'."""
TAPERED = 0.75
"""Nor one of a fan that is so much narrower at one end than at the other: of 77 cards of rendered fans that showed all
their indices .88 was the least."""
LONE = 5
"""So many cards that show one index are a fan's, or lie so,"""
SLIMMEST, PARALLEL = 0.3, 0.9
"""where no card is so slim, or so tapered while its upper indices stand so little alike (a cosine). Cards that lie
apart may be seen far more aslant: a photographed one was .23 as broad as long."""
TURNED = 0.985
"""Sides, or indices, between whose directions the cosine is smaller are turned against each other, by ten degrees."""
ASTRAY = 0.15
"""In shares of its diagonal, no corner of a fan's card is so far from where the other three say that it is."""
AS_WIDE = 0.2
"""Two sides so nearly as far apart for their length as those of other cards, in shares of that, are one card's."""
SIDE_AND_ONE = 3
"""So many indices the two make where one of the lower card's is hidden."""
PLAIN, UPRIGHT, STUNTED = 0.9, 0.9, 0.8
"""An index read so surely, standing as they do (a cosine) and no less tall than by so much between the two of a card's
one edge, is that of a card between two."""


def parted(groups: Sequence[Group], readings: Sequence[IndexReading]) -> list[Group]:
    """The groups, with each that is too slim for a card, or has another card's index between its own, parted into the
    two cards whose left sides it shows.

    Too slim for a fan's card, or with another's index between, only beside other cards that show two along one side,
    and so lie in a fan or a row of four-index cards; else only in a fan and where all its indices have one name: what
    is misread is seldom an equal card's.
    """
    quads = [[readings[k].quad for k in g.members] for g in groups]
    many = len(side_steps(q for q in quads if len(q) == 2)) >= FEWEST
    lone = [readings[g.members[0]] for g in groups if len(g.members) == 1]
    fan = lone if len(lone) >= LONE and not many else []
    out: list[Group] = []
    shapes: list[float] = []
    halves: list[tuple[Group, Group]] = []
    for g, own in zip(groups, quads, strict=True):
        if len(own) not in (SIDE_AND_ONE, WHOLE) or not (many or (fan and _equal(g, readings))):
            out.append(g)
            continue
        wide = widths([q for q in quads if q is not own and not _squat(q)])
        usual = float(np.median(wide)) if wide else None
        parts = _parts(g, readings, usual, _others(g, groups, readings), fan)
        if len(parts) == 1:
            shapes += _shapes(own)
        elif all(len(part.members) == 2 for part in parts):
            halves += [(parts[0], parts[1]), (parts[1], parts[0])]
        out += parts
    return _whole_again(out, halves, shapes, readings)


def _shapes(quads: Sequence[Floats]) -> list[float]:
    """How wide a card that shows all its indices is for its length, from index to index."""
    tall = [step.pixels for step in side_steps([quads])]
    return [float(np.mean(across)) / float(np.mean(tall)) for across in [widths([quads])] if across and tall]


def _whole_again(
    groups: Sequence[Group],
    halves: Sequence[tuple[Group, Group]],
    shapes: Sequence[float],
    readings: Sequence[IndexReading],
) -> list[Group]:
    """The groups, with the two sides of one card joined of which one had been taken together with the side of its like
    (second of ``halves``) beside it: they lie as far apart as those of the cards that show all their indices."""
    if not shapes:
        return list(groups)
    left, usual = list(groups), float(np.median(shapes))
    for half, like in halves:
        for other in [g for g in left if g is not half and g is not like and len(g.members) == 2]:
            four = [readings[k] for k in (*half.members, *other.members)]
            if len(four) > WHOLE or not any(g is half for g in left) or len({r.best for r in four}) > 1:
                continue
            shape = _shapes([r.quad for r in four]) if _sides(range(WHOLE), four) else []
            if shape and abs(shape[0] - usual) < AS_WIDE * usual:
                half.take_in(other)
                left = [g for g in left if g is not other]
    return left


def apart_where_others_lie_between(groups: Sequence[Group], readings: Sequence[IndexReading]) -> list[Group]:
    """The groups, with each parted that shows two indices along its upper edge and another card's between them: that
    one would hide the second."""
    out: list[Group] = []
    for g in groups:
        others = _others(g, groups, readings)
        edges = (
            (a, b)
            for a, b in combinations(g.members, 2)
            if _upright(readings[a], readings[b]) and _between(readings[a], readings[b], others)
        )
        edge = next(edges, None) if len(g.members) <= SIDE_AND_ONE else None
        if edge is None:
            out.append(g)
            continue
        a, b = edge
        beside_b = [k for k in g.members if k != a and (k == b or _along_a_side(readings[b].quad, readings[k].quad))]
        out += [Group([k for k in g.members if k not in beside_b]), Group(beside_b)]
    return out


def apart_where_two_suffice(groups: Sequence[Group], readings: Sequence[IndexReading]) -> list[Group]:
    """The groups, with one that shows two equal indices along its upper edge parted into two cards, where nothing else
    speaks for a deck with four indices and a card that lies on others shows the two of a diagonal alone."""
    quads = [[readings[k].quad for k in g.members] for g in groups]
    pairs = {n: (q[0], q[1]) for n, q in enumerate(quads) if len(q) == 2}
    edges = [n for n, (a, b) in pairs.items() if neighbouring(a, b) and cosine(axes(a)[1], axes(b)[1]) > 0]
    if len(edges) != 1 or any(len(q) > 2 for q in quads) or any(side_steps([q]) for q in pairs.values()):
        return list(groups)
    if not any(leaning(a, b) > 0 for a, b in pairs.values()):
        return list(groups)
    (edge,) = edges
    if any(FACES[readings[k].best] == JOKER or readings[k].sure <= PLAIN for k in groups[edge].members):
        return list(groups)
    halves = [Group([k]) for k in groups[edge].members]
    return [*groups[:edge], *halves, *groups[edge + 1 :]]


def _squat(quads: Sequence[Floats]) -> bool:
    tall = [step.pixels for step in side_steps([quads])]
    return bool(tall) and any(wide > SQUAT * max(tall) for wide in widths([quads]))


def _equal(group: Group, readings: Sequence[IndexReading]) -> bool:
    return len({readings[k].best for k in group.members}) == 1


def _others(group: Group, groups: Sequence[Group], readings: Sequence[IndexReading]) -> list[IndexReading]:
    return [readings[k] for o in groups if o is not group for k in o.members if readings[k].sure > PLAIN]


def _upright(one: IndexReading, other: IndexReading) -> bool:
    return cosine(axes(one.quad)[1], axes(other.quad)[1]) > UPRIGHT


def _between(one: IndexReading, other: IndexReading, others: Sequence[IndexReading]) -> bool:
    """Whether another card's index stands between two, as upright as they do. One of which less shows peeps out from
    under their card."""
    down = axes(one.quad)[1]
    least = STUNTED * length(down)
    alike = (o for o in others if o.best != one.best and _upright(one, o) and length(axes(o.quad)[1]) >= least)
    return any(lies_between(one.centre, other.centre, down, o.centre, alike=True) for o in alike)


def _parts(
    group: Group,
    readings: Sequence[IndexReading],
    usual: float | None,
    others: Sequence[IndexReading],
    fan: Sequence[IndexReading],
) -> list[Group]:
    if any(FACES[readings[k].best] == JOKER for k in group.members):
        return [group]
    find = _sides if len(group.members) == WHOLE else _side_and_one
    sides = find(group.members, readings)
    strange = _in_no_corner(group, readings)
    if strange is not None and not (sides and _fanned(sides, readings)):
        return [Group([strange]), Group([k for k in group.members if k != strange], group.outline)]
    if sides is None:
        odd = _beside_three(group, readings)
        return [group] if odd is None else [Group([odd]), Group([k for k in group.members if k != odd])]
    one, other = (readings[side[0]] for side in sides)
    ways = [length(np.subtract(*(readings[k].centre for k in ends))) for ends in zip(*sides, strict=False)]
    tall = min(length(readings[side[1]].centre - readings[side[0]].centre) for side in sides if len(side) > 1)
    tapered = _equal(group, readings) and min(ways) < TAPERED * max(ways)
    if fan:
        turned = cosine(axes(one.quad)[1], axes(other.quad)[1]) < PARALLEL
        two = min(ways) < SLIMMEST * tall or (tapered and turned)
        # What shows of other cards' lower ends is half covered, and half a queen is a good 2.
        two = two and (len(group.members) == WHOLE or stands_as_most(one.quad, [it.quad for it in fan]))
    else:
        least = SLIM * tall if usual is None else max(min(RATHER_SLIM * tall, NARROW * usual), NARROWER * usual)
        two = min(ways) < least or tapered or _between(one, other, others)
    if two or strange is not None:
        return [Group(list(side)) for side in sides]
    return [group]


def _fanned(sides: Sequence[Sequence[int]], readings: Sequence[IndexReading]) -> bool:
    """Whether two whole sides are turned against each other, and their upper indices too: as two cards of a fan."""
    if any(len(side) < 2 for side in sides):
        return False
    ways = [readings[low].centre - readings[top].centre for top, low in sides]
    stands = [axes(readings[top].quad)[1] for top, _ in sides]
    return max(cosine(*ways), cosine(*stands)) < TURNED


def _side_and_one(
    members: Sequence[int], readings: Sequence[IndexReading]
) -> tuple[Sequence[int], Sequence[int]] | None:
    """Three indices as the two of one side, of which that comes first which stands as the third does, and this one; or
    as the two of a diagonal, where a deck prints no more."""
    for on_one_card in (_along_a_side, leaning):
        for lone in members:
            down = axes(readings[lone].quad)[1]
            side = sorted((k for k in members if k != lone), key=lambda k: -cosine(axes(readings[k].quad)[1], down))
            first, second = (readings[k].quad for k in side)
            if on_one_card(first, second) and cosine(axes(first)[1], down) > 0:
                return side, (lone,)
    return None


def _beside_three(group: Group, readings: Sequence[IndexReading]) -> int | None:
    """Of four equal indices that stand in no four corners, the upper one that is not the other three's."""
    heads = {k: cosine(axes(readings[k].quad)[1], axes(readings[group.members[0]].quad)[1]) > 0 for k in group.members}
    uppers, lowers = ([k for k in group.members if heads[k] is way] for way in (True, False))
    if len(uppers) != len(lowers) or not _equal(group, readings):
        return None
    (a, b), (c, d) = ([readings[k].centre for k in pair] for pair in (uppers, lowers))
    astray = min(length(a + d - b - c), length(a + c - b - d))
    if astray < ASTRAY * max(length(a - c), length(a - d)):
        return None
    square = {k: min(abs(cosine(readings[k].centre - low, d - c)) for low in (c, d)) for k in uppers}
    return max(square, key=lambda k: square[k])


def _in_no_corner(group: Group, readings: Sequence[IndexReading]) -> int | None:
    """The index that stands in no corner of the group's outline, in three or two opposite corners of which the others
    stand, nor where these say that another one is: outlines are off too."""
    if group.outline is None:
        return None
    onto = onto_unit(group.outline)
    fits = {k: corner_fit(onto, readings[k].quad) for k in group.members}
    corners = {fit[1]: k for k, fit in fits.items() if fit is not None and fit[0] < SNUG}
    strange = [k for k, fit in fits.items() if fit is None or fit[0] > OFF]
    if len(strange) != 1 or len(corners) != len(fits) - 1:
        return None
    at = {corner: readings[k].centre for corner, k in corners.items()}
    across = [
        (at[x, y], at[1 - x, 1 - y], at.get((1 - x, y), at.get((x, 1 - y)))) for x, y in at if (1 - x, 1 - y) in at
    ]
    if not across:
        return None
    a, c, b = across[0]
    one = readings[strange[0]].centre
    if b is None:
        ways = other_corners(*(readings[k].quad for k in corners.values()))
        if ways is None:
            return None
        astray = min(length(one - way) for way in ways)
    else:
        astray = length(a + c - b - one)
    return strange[0] if astray > ASTRAY * length(a - c) else None


def _along_a_side(one: Floats, other: Floats) -> bool:
    return bool(side_steps([[one, other]]))


def _sides(members: Sequence[int], readings: Sequence[IndexReading]) -> tuple[Sequence[int], Sequence[int]] | None:
    """Four indices as the upper and the lower one of one side and of another, if they lie so."""
    a, *rest = members
    down = axes(readings[a].quad)[1]
    uppers = [k for k in rest if cosine(axes(readings[k].quad)[1], down) > 0]
    lowers = [k for k in rest if k not in uppers]
    if len(uppers) != 1:
        return None
    (b,) = uppers
    if len(lowers) != len(uppers) + 1:
        return None

    def long(pair: Sequence[int]) -> float:
        return sum(length(readings[low].centre - readings[top].centre) for top, low in zip((a, b), pair, strict=True))

    for pair in sorted((lowers, lowers[::-1]), key=long):
        found = [_along_a_side(readings[top].quad, readings[low].quad) for top, low in zip((a, b), pair, strict=True)]
        if all(found):
            return (a, pair[0]), (b, pair[1])
    return None
