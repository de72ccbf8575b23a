"""Two equal cards of two packs, one close upon the other, that were taken for one card with four indices."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.cards.geometry import axes, cosine, leaning, length, neighbouring
from vision.cards.groups import Group
from vision.cards.indices import IndexReading
from vision.cards.pairing import lies_between
from vision.cards.side_steps import FEWEST, WHOLE, side_steps, widths
from vision.sightings import FACES, JOKER

SLIM = 0.5
"""So narrow for its length, from index to index, no card is that has its indices in its corners: .7 to .8 are usual,
and one seen so aslant that it is half of that shows no hand."""
NARROW = 0.75
"""And by so much it is narrower than the cards that show all their indices, where there are any."""
PLAIN, UPRIGHT = 0.9, 0.9
"""An index read so surely, standing as they do (a cosine) between the two of a card's one edge, is that of a card
between two."""


def parted(groups: Sequence[Group], readings: Sequence[IndexReading]) -> list[Group]:
    """The groups, with each that is too slim for a card, or has another card's index between its own, parted into the
    two cards whose left sides it shows.

    Only beside other cards that show two indices along one side, and so lie in a fan or a row of four-index cards.
    """
    quads = [[readings[k].quad for k in g.members] for g in groups]
    steps = side_steps(q for q in quads if len(q) == 2)
    if len(steps) < FEWEST:
        return list(groups)
    out: list[Group] = []
    for g, own in zip(groups, quads, strict=True):
        if len(own) != WHOLE:
            out.append(g)
            continue
        wide = widths([q for q in quads if q is not own])
        others = [readings[k] for o in groups if o is not g for k in o.members if readings[k].sure > PLAIN]
        out += _parts(g, readings, float(np.median(wide)) if wide else None, others)
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


def _parts(
    group: Group, readings: Sequence[IndexReading], usual: float | None, others: Sequence[IndexReading]
) -> list[Group]:
    if any(FACES[readings[k].best] == JOKER for k in group.members):
        return [group]
    sides = _sides(group.members, readings)
    if sides is None:
        return [group]
    (a, c), (b, d) = sides
    one, other = readings[a], readings[b]
    down = axes(one.quad)[1]
    wide = length(other.centre - one.centre)
    tall = min(length(readings[low].centre - readings[top].centre) for top, low in sides)
    slim = wide < SLIM * tall and (usual is None or wide < NARROW * usual)
    alike = (o for o in others if o.best != one.best and cosine(axes(o.quad)[1], down) > UPRIGHT)
    if not slim and not any(lies_between(one.centre, other.centre, length(down), o) for o in alike):
        return [group]
    return [Group([a, c]), Group([b, d])]


def _sides(members: Sequence[int], readings: Sequence[IndexReading]) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Four indices as the upper and the lower one of one side and of another, if they lie so."""
    a, *rest = members
    down = axes(readings[a].quad)[1]
    uppers = [k for k in rest if cosine(axes(readings[k].quad)[1], down) > 0]
    lowers = [k for k in rest if k not in uppers]
    if len(uppers) != 1:
        return None
    (b,) = uppers
    for pair in ((lowers[0], lowers[1]), (lowers[1], lowers[0])):
        found = [side_steps([[readings[top].quad, readings[low].quad]]) for top, low in zip((a, b), pair, strict=True)]
        if all(found):
            return (a, pair[0]), (b, pair[1])
    return None
