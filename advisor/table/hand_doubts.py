"""What the way a hand lies says against its reading: a place where a card seems to lie unread, a card seen twice.

Neither is certain, so neither changes what was read; both are worth a look at the picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import atan2, cos, hypot, sin
from statistics import median

from advisor.table.nearness import CARD_HEIGHT, clusters
from vision.sightings import JOKER, RANKS, CardSighting, Point, Quad, middle

WIDE, WIDEST = 1.7, 3.3
"""A step between neighbours this many times the usual one has room for another card or two; a wider one parts heaps."""
FEWEST_STEPS = 4
"""With fewer steps none is usual."""
SHORTEST, ROOM = 3, 1.5
"""So many cards make a meld; a step so many times its usual one has room for the card that two others leave out."""
OVERLAPPING = 0.65 * CARD_HEIGHT
"""Cards that lie farther apart than this (millimetres) hide nothing between them."""
MOST = 40
"""No hand holds more, and no table of melds is one spread."""
ONE_ORDER = 0.85
"""So many of a spread's steps must be the same in both orders."""
SAME_PLACE = 0.45
"""Two sightings of one card have their middles nearer than this share of its height."""
TOUCHING = 2.0
"""Cards with a smaller gap (millimetres) between their edges lie in one spread."""


def gaps(faces: Sequence[CardSighting]) -> tuple[tuple[CardSighting, CardSighting], ...]:
    """Neighbours in a spread (fan, ribbon) between which a card may lie that was not read.

    Where the spread is so even that a card must lie there, the reader shows it as unsure itself
    (:mod:`vision.cards.gaps`); these are the other places. They must be wide in both orders in which the cards may lie,
    along a line and from each to the nearest: a wide fan's ends turn back, and what has no order is no spread. How far
    a joker's word is from the next index says nothing.

    A meld has too few steps for that: there a step need only be wider than the others (`ROOM`), but between two cards
    of a suit of which just one is left out, as the 10 between a 9 and a jack.

    Of 469 rendered fans that were read right the line alone doubted 122, both 8; of as many from which one card was
    taken both find three in four.
    """
    found = []
    for spread in clusters(faces, TOUCHING):
        if SHORTEST <= len(spread) <= FEWEST_STEPS:
            found += _left_out(_along(spread))
        if not FEWEST_STEPS < len(spread) <= MOST:
            continue
        along, chain = _along(spread), _chain(spread)
        if len(_pairs(along) & _pairs(chain)) < ONE_ORDER * (len(spread) - 1):
            continue
        wide = _wide(along) & _wide(chain)
        found += [(a, b) for a, b in pairwise(along) if frozenset((id(a), id(b))) in wide]
    return tuple(found)


def doubles(faces: Sequence[CardSighting]) -> tuple[CardSighting, ...]:
    """Cards that lie where another of their name lies the other way round: one card's two corners, perhaps."""
    found = []
    for k, face in enumerate(faces):
        for other in faces[:k]:
            if face.label is None or face.label != other.label:
                continue
            tall = (_height(face.corners) + _height(other.corners)) / 2
            if _away(face.centre, other.centre) < SAME_PLACE * tall and _turned(face.corners, other.corners):
                found.append(face)
    return tuple(found)


def _left_out(meld: Sequence[CardSighting]) -> list[tuple[CardSighting, CardSighting]]:
    """The neighbours of a suit in a meld that leave out the rank between theirs, and room for it."""
    steps = [_step(a, b) for a, b in pairwise(meld)]
    found = []
    for k, (a, b) in enumerate(pairwise(meld)):
        usual = median(steps[:k] + steps[k + 1 :])
        if ROOM * usual < steps[k] < WIDEST * usual and _one_left_out(a.label, b.label):
            found.append((a, b))
    return found


def _one_left_out(a: str | None, b: str | None) -> bool:
    if a is None or b is None or JOKER in (a, b) or a[-1] != b[-1]:
        return False
    one, other = RANKS.index(a[:-1]), RANKS.index(b[:-1])
    return abs(one - other) in (2, len(RANKS) - 2)  # an ace may follow a king


def _pairs(order: Sequence[CardSighting]) -> set[frozenset[int]]:
    return {frozenset((id(a), id(b))) for a, b in pairwise(order)}


def _wide(order: Sequence[CardSighting]) -> set[frozenset[int]]:
    """The neighbours, by their ids, whose step has room for another card."""
    steps = [_step(a, b) for a, b in pairwise(order)]
    tall = median(_height(face.corners) for face in order)
    found = set()
    for k, (step, (a, b)) in enumerate(zip(steps, pairwise(order), strict=True)):
        usual = median(steps[:k] + steps[k + 1 :])
        overlapping = usual < OVERLAPPING / CARD_HEIGHT * tall
        if WIDE * usual < step < WIDEST * usual and overlapping and JOKER not in (a.label, b.label):
            found.add(frozenset((id(a), id(b))))
    return found


def _chain(spread: Sequence[CardSighting]) -> list[CardSighting]:
    """The cards from each to the nearest that is left, from where that is shortest."""
    spots = [_spot(face) for face in spread]
    apart = [[_away(one, other) for other in spots] for one in spots]
    ways = []
    for start in range(len(spots)):
        way, left, length = [start], set(range(len(spots))) - {start}, 0.0
        while left:
            nearest = min(left, key=lambda k: apart[way[-1]][k])
            length += apart[way[-1]][nearest]
            way.append(nearest)
            left.discard(nearest)
        ways.append((length, way))
    return [spread[k] for k in min(ways)[1]]


def _along(spread: Sequence[CardSighting]) -> list[CardSighting]:
    """The cards along the line on which their indices lie; outlines of covered cards are too loose to go by."""
    spots = [_spot(face) for face in spread]
    x0, y0 = sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots)
    xx = sum((x - x0) ** 2 for x, _ in spots)
    yy = sum((y - y0) ** 2 for _, y in spots)
    xy = sum((x - x0) * (y - y0) for x, y in spots)
    angle = atan2(2 * xy, xx - yy) / 2
    return sorted(spread, key=lambda face: _spot(face)[0] * cos(angle) + _spot(face)[1] * sin(angle))


def _spot(face: CardSighting) -> Point:
    return middle(face.indices[0]) if face.indices else face.centre


def _step(a: CardSighting, b: CardSighting) -> float:
    """Pixels between the nearest indices of two cards: the uppermost card of a spread shows two."""
    ones, others = ([middle(q) for q in face.indices] or [face.centre] for face in (a, b))
    return min(_away(one, other) for one in ones for other in others)


def _away(a: Point, b: Point) -> float:
    return hypot(a[0] - b[0], a[1] - b[1])


def _height(quad: Quad) -> float:
    return (_away(quad[0], quad[3]) + _away(quad[1], quad[2])) / 2


def _turned(a: Quad, b: Quad) -> bool:
    """Whether one stands on its head beside the other."""
    downs = [(q[3][0] - q[0][0] + q[2][0] - q[1][0], q[3][1] - q[0][1] + q[2][1] - q[1][1]) for q in (a, b)]
    (ax, ay), (bx, by) = downs
    return ax * bx + ay * by < -0.8 * hypot(ax, ay) * hypot(bx, by)
