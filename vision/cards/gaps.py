"""Where a card is missing from a hand: fans and ribbons are held evenly, and one step in them is twice the others.

In 140 rendered fans, two of 94 that were read right had a step of more than 1.5 times their usual one, and of 21 from
which a card was missing without a word 18 had one of 1.7 and more (`models/EXPERIMENTS.md`, row 87).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from vision.cards.geometry import axes
from vision.cards.patches import Floats

FEWEST = 6
"""Cards that make a row whose steps can be compared."""
NEAR = 4
"""Steps on either side that a step is compared with."""
EVEN, MOSTLY = (0.7, 1.4), 0.8
"""A row is even where this share of those steps lies so near to their median."""
TWICE, LEAST = (1.7, 2.4), 0.6
"""Steps of that many usual ones are even too, for they lack a card themselves, while so many are usual ones."""
WIDE, WIDEST = 1.6, 4.6
"""Steps between these, in usual ones, hold one card more or several."""
BROAD, ACROSS = 1.2, 0.6
"""So many heights of an index, and widths of a card, to the right of it another of the same card stands on its right
side: an index that is taken for a card's other one stands nearer."""
ALIKE = 0.2
"""Cosine of the angle by which the indices of one row may be turned from its middle one's."""
SIZES = 1.67
MANY = 0.75
"""So many as stand one way, in shares of those, may stand the other way and be the row."""
STRAIGHT = 0.7
"""Cosine of the angle between a step and those beside it: cards that lie in a grid are no row."""
TAKEN, BESIDE, BEYOND = 0.6, 3.0, 1.2
"""A gap is none where a card stands that is not in the row: so near along it, in steps, and at all, in heights; the
place beyond a row's end is none where one stands so near."""
LAST, ONWARD = 3, (0.5, 1.8)
"""So many steps at a row's end, each so near to their median, say where the next card would stand, more or less."""
OVERLAPPING, COVERED = 2.2, 0.7
"""A usual step in heights of an index, or in widths of a card: where cards lie apart, a gap between them is a gap."""


def missing(
    cards: Sequence[Sequence[Floats]], wide: float | None = None, least: float = WIDE, mostly: float = MOSTLY
) -> list[Floats]:
    """Where indices should stand (4 x 2 each) in a row of cards of which so many steps are even as ``mostly`` (a share)
    says: in those of ``least`` usual ones and more.

    ``cards`` are the indices of each, and ``wide`` is how wide a card is, in pixels, where that is known: small indices
    say little of it."""
    row, ends, members = _row(cards, wide)
    if len(row) < FEWEST:
        return []
    besides = _besides(cards, members)
    ways = np.diff(row.mean(1), axis=0)
    step = np.maximum(np.linalg.norm(ways, axis=1), 1e-6)
    ways = ways / step[:, None]
    turns = np.concatenate([[1.0], (ways[1:] * ways[:-1]).sum(1), [1.0]])
    height, overlapping = _height(row), _overlapping(row, wide)
    out: list[Floats] = []
    for k, one in enumerate(step):
        others = np.concatenate([step[max(k - NEAR, 0) : k], step[k + 1 : k + 1 + NEAR]])
        usual = float(np.median(others))
        share = others / max(usual, 1e-6)
        usual_ones = float(np.mean((share > EVEN[0]) & (share < EVEN[1])))
        even = usual_ones + float(np.mean((share > TWICE[0]) & (share < TWICE[1]))) if usual_ones >= LEAST else 0.0
        times = float(one) / max(usual, 1e-6)
        bent = min(turns[max(k - 1, 0) : k + 3]) < STRAIGHT
        if ends[k] or bent or usual > overlapping or even < mostly or not least <= times <= WIDEST:
            continue
        between = max(round(times) - 1, 1)
        for n in range(1, between + 1):
            part = n / (between + 1)
            place = np.asarray((1 - part) * row[k] + part * row[k + 1], np.float32)
            if _free(place, ways[k], usual, BESIDE * height, besides):
                out.append(place)
    return out


def _besides(cards: Sequence[Sequence[Floats]], members: set[int]) -> list[Floats]:
    """Where the indices stand of cards that are not in the row. Jokers' are large and written any way round."""
    return [np.mean(quad, 0) for number, quads in enumerate(cards) if number not in members for quad in quads]


def _free(place: Floats, way: Floats, usual: float, near: float, besides: Sequence[Floats]) -> bool:
    """Whether no card stands at a row's place, along ``way`` and ``near`` it (pixels), that is not in the row."""
    away = [it - place.mean(0) for it in besides]
    return all(abs(it @ way) > TAKEN * usual or np.linalg.norm(it) > near for it in away)


def beyond(cards: Sequence[Sequence[Floats]], wide: float | None = None) -> list[Floats]:
    """Where one index more would stand (4 x 2) on either side of a row: a joker at a hand's end leaves no gap.

    The places go on as the last steps did, in length and in turn, where these were even; arguments as for `missing`.
    """
    return [places[0] for places in onward(cards, wide, 1)]


def onward(cards: Sequence[Sequence[Floats]], wide: float | None, number: int) -> list[list[Floats]]:
    """As `beyond`, for each side so many places, each a step beyond the one before: several jokers may lie there."""
    row, _, members = _row(cards)
    if len(row) < FEWEST:
        return []
    out = []
    overlapping, height, besides = _overlapping(row, wide), _height(row), _besides(cards, members)
    for one in (row, row[::-1]):
        ways = np.diff(one[-1 - LAST :].mean(1), axis=0)
        turns = np.unwrap(np.arctan2(ways[:, 1], ways[:, 0]))
        turn = float(turns[-1] - turns[0]) / (LAST - 1)
        heading = float(turns.mean()) + turn * (LAST + 1) / 2
        steps = np.linalg.norm(ways, axis=1)
        step = float(np.median(steps))
        even = ONWARD[0] * step < steps.min() and steps.max() < ONWARD[1] * step
        bent = np.cos(np.diff(turns)).min() < STRAIGHT
        if step > overlapping or not even or bent:
            continue
        places: list[Floats] = []
        last = one[-1]
        for n in range(number):
            middle = last.mean(0)
            c, s = np.cos(turn), np.sin(turn)
            turned = (last - middle) @ np.array([[c, s], [-s, c]])
            way = np.array([np.cos(heading + n * turn), np.sin(heading + n * turn)])
            last = np.asarray(turned + middle + step * way, np.float32)
            if not _free(last, way, step, BEYOND * height, besides):
                break
            places.append(last)
        if places:
            out.append(places)
    return out


def end_steps(cards: Sequence[Sequence[Floats]]) -> list[tuple[int, Floats, Floats]]:
    """The number of the row's first and of its last card, its index that stands in the row, and the one next to it."""
    row, _, _ = _row(cards)
    steps = [(row[0], row[1]), (row[-1], row[-2])] if len(row) > 1 else []
    return [
        (n, end, following)
        for end, following in steps
        for n, quads in enumerate(cards)
        if any(np.array_equal(q, end) for q in quads)
    ]


def _spread(quads: NDArray[np.float32]) -> float:
    middles = quads.mean(1)
    return float(np.linalg.norm(middles - middles.mean(0), axis=1).mean())


def _height(row: Floats) -> float:
    return float(np.median(np.linalg.norm(row[:, 3] - row[:, 0], axis=1)))


def _overlapping(row: Floats, wide: float | None) -> float:
    """Pixels under which a step of the row is one between cards that lie on each other."""
    return OVERLAPPING * _height(row) if wide is None else COVERED * wide


def _row(
    cards: Sequence[Sequence[Floats]], wide: float | None = None
) -> tuple[NDArray[np.float32], list[bool], set[int]]:
    """An index of each card that stands in the row, from left to right as they stand (N x 4 x 2), whether its card
    shows another index on its right side, before the next card begins (there one hand ends, another begins), and the
    cards' numbers."""
    marks = [(quad, number) for number, quads in enumerate(cards) for quad in quads]
    if len(marks) < FEWEST:
        return np.zeros((0, 4, 2), np.float32), [], set()
    quads = np.asarray([quad for quad, _ in marks], np.float32)
    downs = np.asarray([axes(quad)[1] for quad in quads])
    sizes = np.maximum(np.linalg.norm(downs, axis=1), 1e-6)
    ways = downs / sizes[:, None]
    agree = ways @ ways.T
    # Of those that stand as most do the middle one: a wide fan's last card shows a lower index that stands as its
    # first one does.
    lead = int(((agree > ALIKE).sum(1) + agree.mean(1) / 2).argmax())
    stand, heads = agree[lead] > ALIKE, agree[lead] < -ALIKE
    if heads.sum() >= MANY * stand.sum() and _spread(quads[heads]) > _spread(quads[stand]):
        # A fan's lower ends are half covered, and nearer to each other.
        lead = int(np.flatnonzero(heads)[agree[heads][:, heads].sum(1).argmax()])
    large = sizes / float(np.median(sizes))
    stands = np.flatnonzero((agree[lead] > ALIKE) & (large > 1 / SIZES) & (large < SIZES))
    across = np.array([ways[lead, 1], -ways[lead, 0]])
    reach = quads.mean(1) @ across
    first: dict[int, int] = {}
    stood: dict[int, list[int]] = {}
    for place, (_, number) in enumerate(marks):
        stood.setdefault(number, []).append(place)
    # Of the corners of one card that shows more than one, the same one as the others show: the first.
    for k in sorted(stands, key=lambda k: float(reach[k])):
        first.setdefault(marks[k][1], int(k))
    chosen = np.array(sorted(first.values()), np.int64)
    middles = quads[chosen].mean(1)
    _, _, along = np.linalg.svd(middles - middles.mean(0), full_matrices=False)
    way = along[0] if float(along[0] @ across) >= 0 else -along[0]
    order = chosen[np.argsort(middles @ way)]
    for end, beside in ((0, 1), (-1, -2)) if len(order) > 1 else ():
        # The card that lies on all others shows both its upper corners: that counts which is next to its neighbour's.
        shown = [k for k in stood[marks[order[end]][1]] if k in stands]
        order[end] = min(shown, key=lambda k: float(np.linalg.norm(quads[k].mean(0) - quads[order[beside]].mean(0))))
    ends = []
    for k, following in pairwise(order):
        # By the card's own way to the right: in a fan, what is below a card's index is to the right of most.
        right = np.array([ways[k, 1], -ways[k, 0]])
        others = [float((quads[j].mean(0) - quads[k].mean(0)) @ right) for j in stood[marks[k][1]]]
        before_next = float((quads[following].mean(0) - quads[k].mean(0)) @ right)
        ends.append(max(BROAD * float(sizes[k]), ACROSS * (wide or 0.0)) < max(others) < before_next)
    return np.asarray(quads[order], np.float32), ends, set(first)
