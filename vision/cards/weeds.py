"""What was read as an index and is none of a card of its own: pips, and the far ends of cards read already."""

from __future__ import annotations

from collections.abc import Sequence
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
    beside_them,
    corner_fit,
    cosine,
    leaning,
    length,
    misfit,
    neighbouring,
    off_corner,
    opposite,
    other_corners,
)
from vision.cards.groups import LEGIBLE, Group, corners_of
from vision.cards.indices import IndexReading
from vision.cards.pairing import EXACT, onto_unit
from vision.cards.patches import Floats
from vision.sightings import FACES, JOKER

PLAIN = 0.9
"""An index read so surely needs no other; one less sure may be the far end of a card that is read already."""
OWN_SURE, OWN_CORNER, UPRIGHT = 0.95, 0.12, 0.9
"""An index less sure than this, so near to where a card's other index belongs (in the card's diagonals) and standing as
that does (a cosine), is that index."""
SURER, EXACTLY = 0.97, 0.03
"""So sure it may be where it has the card's name, or all other corners have that, and lies so near: an equal card would
lie a step aside."""
RANK_CORNER = 0.16
"""How near it must be where it has the card's rank: half its suit is covered, and another card's pip passes for it."""
COVERED_CORNER = 0.2
"""How near the outer edge of half an index must be, where another card covers the rest of it."""
ROOMIER, ROW = 1.25, 0.7
"""A fan's lower ends are nearer to each other than its upper ones, by this at the least; those of one row are turned
from each other by no more (cosine)."""
STUNTED, HALF_SURE = 0.7, 0.99
"""An index less than this as tall as its card's plain end is half covered, and may be the far end unless it is read
more surely than that: half an 8 is a good Q."""

PICTURE = 0.2
COURTS = ("J", "Q", "K")
BESIDE = 1.5
"""So far in from a card's sides, as a share of its width, a court's picture begins; and so near to an index, in heights
of that, stands the picture's pip."""

FAINTLY = 0.3
"""An index found less surely than this may show no more than its rank."""
SNUG, NEARLY = 0.2, 0.3
"""An index so little off the corner of an outline is printed there; half covered, it seems to lie farther."""
ALIKE, HIGH, ASIDE = 2, 0.15, 0.8
"""Where so many cards' sides show two indices, a card's other one lies as theirs: within so much of the way,
and so many widths of an index aside."""
SAME_SUIT, NARROW = 0.98, 0.92
"""An index of its card's suit that lies so and is less than this as wide as the card's plain one is the card's, half
covered, unless it is read more surely than that: half an 8 is a good 3, half a queen a good 2."""
JUST, ITS_NAME, AS_TALL = 0.3, 0.25, 0.07
"""As wide as that it is the card's where it lies no more than so many widths aside, unless it is another name's and, to
such a share, as tall as the card's plain one: a whole index that is read otherwise raises a doubt. So little off in
height is enough where it has the card's name."""


def without_pips(groups: Sequence[Group], readings: Sequence[IndexReading]) -> list[Group]:
    """The groups without those that repeat a card's name inside that card, or have hardly a name: pips, taken for an
    index.

    Only a card that shows both ends of a diagonal proves that nothing lies on it there. A court's pip with the crown
    beside it is a good queen: an index of a court's suit that stands as the court's own does, beside that and deeper
    inside, is none. A card on top whose index lay so would hide the other end.
    """
    whole = []
    for g in groups:
        members = [readings[k] for k in g.members]
        if any(opposite(a.quad, b.quad) or leaning(a.quad, b.quad) for a, b in combinations(members, 2)):
            onto = cv2.getPerspectiveTransform(corners_of(members, g.outline).astype(np.float32), UNIT)
            whole.append((g, members, np.asarray(onto, np.float64)))

    def is_pips(group: Group) -> bool:
        members = [readings[k] for k in group.members]
        hardly = all(m.sure < LEGIBLE for m in members)
        return any(
            g is not group
            and (
                ((hardly or card[0].best == members[0].best) and all(_well_inside(onto, m.centre) for m in members))
                or all(_on_its_picture(m, card, onto) for m in members)
            )
            for g, card, onto in whole
        )

    return [g for g in groups if not is_pips(g)]


def without_own_corners(
    groups: Sequence[Group], readings: Sequence[IndexReading], measures: Sequence[Measure]
) -> list[Group]:
    """The groups of a four-index deck without those that are doubtful readings in corners of one card that shows two
    others plainly, on its diagonal or along its side: half a 10 found is a 0, and a 0 is a good Q; two may agree. Just
    in the fourth corner of a card that shows three a reading need not be so doubtful."""
    plain: list[tuple[IndexReading, float, tuple[Floats, ...], bool]] = []
    whole = [corners_of([readings[k] for k in g.members], g.outline) for g in groups if _shows_both_ends(g, readings)]
    for g in groups:
        for a, b in combinations([readings[k] for k in g.members if readings[k].sure > LEGIBLE], 2):
            if a.best == b.best and max(a.sure, b.sure) > PLAIN and (corners := _others(a.quad, b.quad, measures)):
                three = sum(readings[k].best == a.best for k in g.members) > 2
                plain.append((a, length(b.centre - a.centre), corners, three))

    def in_corner(
        one: IndexReading, card: IndexReading, apart: float, corners: tuple[Floats, ...], three: bool
    ) -> bool:
        name, its = FACES[one.best], FACES[card.best]
        same_rank = name != its and name[:-1] == its[:-1]
        near = apart * (RANK_CORNER if same_rank else OWN_CORNER)
        half = _stunted(one, card)

        def there(way: int, corner: Floats) -> bool:
            if way * cosine(axes(one.quad)[1], axes(card.quad)[1]) <= UPRIGHT:
                return False
            off = length(one.centre - corner)
            if one.sure > OWN_SURE:
                return (three or name == its) and off < EXACTLY * apart
            if off < near:
                return True
            outer, inner = (corner + way * (_edge(card.quad, k) - card.centre) for k in (0, 2))
            covered = half and any(cv2.pointPolygonTest(c, tuple(map(float, inner)), False) >= 0 for c in whole)
            return covered and length(_edge(one.quad, 0) - outer) < COVERED_CORNER * apart

        return any(there(way, corner) for way, corner in zip((1, -1, 1, -1), corners, strict=False))

    def its_own(group: Group) -> bool:
        members = [readings[k] for k in group.members]
        if any(m.sure > SURER or FACES[m.best] == JOKER for m in members):
            return False
        # Two across from a card that shows one side alone may be the next card of a row: a diagonal leaves two corners.
        cards = [c for c in plain if len(members) == 1 or len(c[2]) == 2]
        return any(all(in_corner(m, *card) for m in members) for card in cards)

    return [g for g in groups if not its_own(g)]


def _shows_both_ends(group: Group, readings: Sequence[IndexReading]) -> bool:
    """Whether a card shows both indices of a diagonal: it lies on others rather than they on it."""
    return any(leaning(readings[a].quad, readings[b].quad) > 0 for a, b in combinations(group.members, 2))


def _edge(quad: Floats, first: int) -> Floats:
    """The middle of an index's edge by its rank (0) or by its suit (2)."""
    return np.asarray((quad[first] + quad[first + 1]) / 2, np.float32)


def _others(a: Floats, b: Floats, measures: Sequence[Measure]) -> tuple[Floats, ...]:
    """Where a card that shows two of its four indices may have the others: by turns upright as ``a`` and as ``b``."""
    if leaning(a, b):
        return other_corners(a, b) or ()
    near = beside_them(measures, a, b)
    if not near or cosine(axes(a)[1], axes(b)[1]) > 0 or not neighbouring(a, b, loose=True):
        return ()
    return near[0].across_from(a, b)


def without_far_ends(
    groups: Sequence[Group], readings: Sequence[IndexReading], measures: Sequence[Measure], four: bool
) -> list[Group]:
    """The groups without those that are a lone poor reading where a card beside has its other end.

    The lower ends of a fan's cards peep out half covered, and are named after what is left of them. A card whose two
    ends are read already can claim no third. An outline that such a reading has taken goes to its card: it holds the
    plain end in its other corner.
    """
    plain: list[tuple[IndexReading, Group]] = []
    for g in groups:
        members = [readings[k] for k in g.members]
        both = any(cosine(axes(a.quad)[1], axes(b.quad)[1]) < 0 for a, b in combinations(members, 2))
        plain += [] if both else [(m, g) for m in members if m.sure > PLAIN]
    plain = _of_usual_size(plain)
    letters = [m for m, _ in plain if FACES[m.best] != JOKER]
    sides = _sides(groups, readings) if four else np.zeros((0, 2), np.float32)

    def as_tall(one: IndexReading) -> bool:
        others = [length(axes(m.quad)[1]) for m in letters if m is not one]
        return bool(others) and length(axes(one.quad)[1]) >= STUNTED * float(np.median(others))

    def card_of(group: Group) -> tuple[IndexReading, Group] | None:
        """The card whose far end this is, and its plain end."""
        if len(group.members) != 1:
            return None
        one = readings[group.members[0]]
        if one.sure > HALF_SURE or FACES[one.best] == JOKER:
            return None

        def ends(end: IndexReading, card: Group) -> bool:
            # Half covered, an index is found half as tall as it is: in an outline its corner tells more than its size.
            if any(o is not None and _across(o, end, one) for o in (group.outline, card.outline)):
                return True
            return group.outline is None and _other_end(end.quad, one.quad, four)

        for end, card in plain:
            # A joker's word stands on its side, and is as tall as it is long: letters beside it are no halves.
            poor = one.sure <= PLAIN or (_stunted(one, end) and not (FACES[end.best] == JOKER and as_tall(one)))
            if poor and ends(end, card) and agrees(measures, end.quad, one.quad):
                return end, card
            if _as_others(sides, end, one) or _faintly_there(end, one, measures):
                return end, card
            if group.outline is None and card.outline is not None and _askew(card.outline, end, one):
                return end, card
        return None

    claimed: dict[int, tuple[Group, IndexReading, Group]] = {}
    for g in groups:
        if (found := card_of(g)) is None:
            continue
        end, card = found
        claimed[id(g)] = (g, end, card)
        if g.outline is not None and _across(g.outline, end, readings[g.members[0]]):
            card.outline = card.outline or g.outline
    # Two that each would be the other's far end are one card, known by the one with more room to the next card, or that
    # was found more surely.
    whole = [r for r in readings if r.sure > PLAIN]
    for g, end, card in list(claimed.values()):
        one = readings[g.members[0]]
        of_each_other = id(card) in claimed and claimed[id(card)][2] is g
        room, its_room = _room(one, whole), _room(end, whole)
        better = room > its_room if max(room, its_room) > ROOMIER * min(room, its_room) else end.found <= one.found
        if of_each_other and better:
            del claimed[id(g)]
    return [g for g in groups if id(g) not in claimed]


def _room(one: IndexReading, whole: Sequence[IndexReading]) -> float:
    """How far it is (pixels) to the next index that stands alike."""
    down = axes(one.quad)[1]
    alike = (m for m in whole if m is not one and cosine(down, axes(m.quad)[1]) > ROW)
    return min((length(m.centre - one.centre) for m in alike), default=float("inf"))


def _of_usual_size(plain: Sequence[tuple[IndexReading, Group]]) -> list[tuple[IndexReading, Group]]:
    """Those not much taller than most: beside print taken for one large index all others would look half covered."""
    tall = [length(axes(m.quad)[1]) for m, _ in plain]
    most = float(np.median(tall)) / STUNTED if tall else 0.0
    return [it for it, height in zip(plain, tall, strict=True) if height <= most]


def _offset(a: Floats, b: Floats) -> Floats:
    """Where one index lies from another, in the other's widths and heights."""
    across, down = axes(a)
    return np.linalg.solve(np.column_stack([across, down]).astype(np.float64), (b.mean(0) - a.mean(0)))


def _sides(groups: Sequence[Group], readings: Sequence[IndexReading]) -> Floats:
    """Where along their sides cards have their other indices (N x 2), of which two are read plainly."""
    out = []
    for g in groups:
        for a, b in combinations([readings[k] for k in g.members if readings[k].sure > PLAIN], 2):
            turned = cosine(axes(a.quad)[1], axes(b.quad)[1]) < 0
            if a.best == b.best and turned and neighbouring(a.quad, b.quad, loose=True):
                out += [_offset(a.quad, b.quad), _offset(b.quad, a.quad)]
    return np.asarray(out, np.float32).reshape(-1, 2)


def _as_others(sides: Floats, end: IndexReading, one: IndexReading) -> bool:
    """Whether an index of the same suit lies from ``end`` as other cards' second ones do from their first."""
    if len(sides) < 2 * ALIKE or one.sure > SAME_SUIT or FACES[one.best][-1] != FACES[end.best][-1]:
        return False
    aside, high = np.median(sides, 0)
    u, v = np.abs(_offset(end.quad, one.quad) - (aside, high)) / (1.0, abs(high))
    (wide, tall), (right, down) = axes(one.quad), axes(end.quad)
    if length(wide) > NARROW * length(right):
        if one.best == end.best:
            return bool(u < JUST and v < ITS_NAME)
        return bool(u < JUST and v < HIGH and abs(length(tall) / length(down) - 1) > AS_TALL)
    return bool(u < ASIDE and v < HIGH)


def _faintly_there(end: IndexReading, one: IndexReading, measures: Sequence[Measure]) -> bool:
    """Whether a faint find of the same rank lies just where an outline beside it says that the card's other end is: its
    suit is that of what lies half over it, such as a back full of diamonds."""
    if one.found >= FAINTLY or FACES[one.best][:-1] != FACES[end.best][:-1] or not opposite(end.quad, one.quad):
        return False
    return misfit(measures, end.quad, one.quad) < EXACT


def _stunted(one: IndexReading, whole: IndexReading) -> bool:
    """Whether one index is much less tall than the other."""
    return length(axes(one.quad)[1]) < STUNTED * length(axes(whole.quad)[1])


def _across(outline: Found, one: IndexReading, other: IndexReading) -> bool:
    """Whether the two sit in corners of an outline that lie across from each other."""
    onto = onto_unit(outline)
    here, there = corner_fit(onto, one.quad), corner_fit(onto, other.quad)
    return here is not None and there is not None and all(a != b for a, b in zip(here[1], there[1], strict=True))


def _askew(outline: Found, end: IndexReading, one: IndexReading) -> bool:
    """Whether an index of a court's suit stands where that has its other end, but turned as none is: what shows of its
    letter was taken together with the picture's pip beside it."""
    if FACES[end.best][:-1] not in COURTS or one.sure > OWN_SURE:
        return False
    onto = onto_unit(outline)
    here = corner_fit(onto, end.quad)
    if here is None or here[0] >= SNUG or FACES[one.best][-1] != FACES[end.best][-1]:
        return False
    if cosine(axes(end.quad)[1], axes(one.quad)[1]) > UPRIGHT or corner_fit(onto, one.quad):
        return False  # Another card's, or as the far end is printed: that is asked elsewhere.
    u, v = (float(x) for x in cv2.perspectiveTransform(one.centre.reshape(1, 1, 2).astype(np.float32), onto)[0, 0])
    across = (u > 0.5, v > 0.5) == (here[1][0] == 0, here[1][1] == 0)
    return across and 0 < u < 1 and 0 < v < 1 and off_corner(u, v) < NEARLY


def _other_end(a: Floats, b: Floats, four: bool) -> bool:
    """Whether two indices stand half a turn apart as at the two ends of a card."""
    if cosine(axes(a)[1], axes(b)[1]) > 0:
        return False
    return leaning(a, b) > 0 or (four and (leaning(a, b) < 0 or neighbouring(a, b, loose=True)))


def _on_its_picture(one: IndexReading, card: Sequence[IndexReading], onto: NDArray[np.float64]) -> bool:
    name, its = FACES[one.best], FACES[card[0].best]
    if name == JOKER or its[:-1] not in COURTS or name[-1] != its[-1] or not _well_inside(onto, one.centre, PICTURE):
        return False
    down = axes(one.quad)[1]
    near = (m for m in card if length(m.centre - one.centre) < BESIDE * length(axes(m.quad)[1]))
    return any(cosine(down, axes(m.quad)[1]) > UPRIGHT for m in near)


def _well_inside(onto: NDArray[np.float64], point: Floats, edge: float = 0.1) -> bool:
    u, v = (float(x) for x in cv2.perspectiveTransform(point.reshape(1, 1, 2).astype(np.float32), onto)[0, 0])
    return edge < u < 1 - edge and 0.1 < v < 0.9
