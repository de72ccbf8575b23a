"""One place, one card: what stands in the corners of a card that shows a whole diagonal is that card's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.detector import Found
from vision.cards.geometry import UNIT, corner_fit, degenerate
from vision.cards.groups import Group
from vision.cards.indices import IndexReading
from vision.sightings import FACES, JOKER

AS_FAR = 0.05
"""An index that lies level with both ends of a card's diagonal, to so much of the card's width and height, may be
printed on that card. Equal ones are, where both ends are also as far from the outline's edges: an outline that is off
by more may hold an equal card's index beside it."""
CHANCE = 0.02
"""How likely one of two that were read as different cards must find the other's name."""
Corner = tuple[int, int]


@dataclass(frozen=True)
class _Place:
    corner: Corner
    middle: NDArray[np.float64]
    """The index's, in shares of the card's width and height."""


def with_all_corners(
    groups: Sequence[Group], readings: Sequence[IndexReading], outlines: Sequence[Found]
) -> list[Group]:
    """The groups, those of one and the same place joined whatever names were read.

    Of a four-index card one diagonal may be read as a nine of spades and the other as a nine of clubs. Nothing lies on
    a card both of whose ends show on its outline's diagonal. A card whose index stood in one of its other corners,
    level with both, would cover one of the two ends; so it is this card's own. But outlines are off by a little, and
    cards lie edge to edge: what is surely read as another card is one.
    """
    left = list(groups)
    for outline in sorted(outlines, key=lambda o: -o.confidence):
        if degenerate(outline.quad):
            continue
        onto = np.asarray(cv2.getPerspectiveTransform(outline.quad.astype(np.float32), UNIT), np.float64)
        near = [g for g in left if g.members and not _jokers(g, readings)]
        placed = [[_placed(onto, readings[k]) for k in g.members] for g in near]
        ends, lead = max(
            ((_diagonal(p for p in places if p is not None), k) for k, places in enumerate(placed)),
            key=lambda it: (len(it[0]), near[it[1]].outline is outline),
            default=([], 0),
        )
        if not ends:
            continue
        taken = {place.corner for place in placed[lead] if place is not None}
        best = max((readings[k] for k in near[lead].members), key=lambda r: r.sure)
        equal = _equally_far(ends)
        for other, places in zip(near, placed, strict=True):
            corners = {p.corner for p in places if p is not None and _level(p, ends)}
            if other is near[lead] or len(corners) < len(places) or not corners.isdisjoint(taken):
                continue
            if not all(_its_own(best, readings[k], equal) for k in other.members):
                continue
            taken |= corners
            near[lead].take_in(other)
            left = [h for h in left if h is not other]
    return left


def _placed(onto: NDArray[np.float64], reading: IndexReading) -> _Place | None:
    """Where in an outline's corners an index stands; None where in none."""
    fit = corner_fit(onto, reading.quad)
    if fit is None:
        return None
    middle = cv2.perspectiveTransform(reading.quad.reshape(1, -1, 2).astype(np.float32), onto)[0].mean(0)
    return _Place(fit[1], middle.astype(np.float64))


def _diagonal(places: Iterable[_Place]) -> list[_Place]:
    """The places at both ends of a diagonal; none where no diagonal shows."""
    at = {place.corner: place for place in places}
    for (right, low), place in at.items():
        if far := at.get((1 - right, 1 - low)):
            return [place, far]
    return []


def _level(place: _Place, ends: Sequence[_Place]) -> bool:
    """Whether a place is as far across as the end on its side, and as far down as the end on its height."""
    return all(
        abs(float(place.middle[axis] - end.middle[axis])) <= AS_FAR
        for end in ends
        for axis in (0, 1)
        if end.corner[axis] == place.corner[axis]
    )


def _equally_far(ends: Sequence[_Place]) -> bool:
    """Whether both ends are as far from the outline's edges as each other."""
    one, other = (np.minimum(end.middle, 1 - end.middle) for end in ends)
    return float(np.abs(one - other).max()) <= AS_FAR


def _its_own(lead: IndexReading, other: IndexReading, equal: bool) -> bool:
    """Whether an index may be read as it is on the card whose surest index is ``lead``."""
    if other.best == lead.best:
        return equal
    return max(float(other.chances[lead.best]), float(lead.chances[other.best])) >= CHANCE


def _jokers(group: Group, readings: Sequence[IndexReading]) -> bool:
    """Jokers' words and pictures stand wherever they are printed."""
    return any(FACES[readings[k].best] == JOKER for k in group.members)
