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
"""An index as far from a card's edges as that card's own are, to so much of the card's width and height, is printed on
it: on a card laid aside by more it would be less far from one edge."""
Corner = tuple[int, int]


@dataclass(frozen=True)
class _Place:
    corner: Corner
    inset: NDArray[np.float64]
    """How far the index's middle is from the nearer edges, in shares of the card's width and height."""


def with_all_corners(
    groups: Sequence[Group], readings: Sequence[IndexReading], outlines: Sequence[Found]
) -> list[Group]:
    """The groups, those of one and the same place joined whatever names were read.

    Of a four-index card one diagonal may be read as a nine of spades and the other as a nine of clubs. Nothing lies on
    a card both of whose ends show on its outline's diagonal. A card whose index stood in one of its other corners, as
    far from the edges, would cover one of the two ends; so it is this card's own.
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
        inset = np.mean([place.inset for place in ends], axis=0)
        taken = {place.corner for place in placed[lead] if place is not None}
        for other, places in zip(near, placed, strict=True):
            corners = {p.corner for p in places if p is not None and np.abs(p.inset - inset).max() <= AS_FAR}
            if other is near[lead] or len(corners) < len(places) or not corners.isdisjoint(taken):
                continue
            taken |= corners
            near[lead].members += other.members
            near[lead].outline = near[lead].outline or other.outline
            left = [h for h in left if h is not other]
    return left


def _placed(onto: NDArray[np.float64], reading: IndexReading) -> _Place | None:
    """Where in an outline's corners an index stands; None where in none."""
    fit = corner_fit(onto, reading.quad)
    if fit is None:
        return None
    middle = cv2.perspectiveTransform(reading.quad.reshape(1, -1, 2).astype(np.float32), onto)[0].mean(0)
    return _Place(fit[1], np.minimum(middle, 1 - middle).astype(np.float64))


def _diagonal(places: Iterable[_Place]) -> list[_Place]:
    """The places at both ends of a diagonal, equally far from the edges; none where no diagonal shows."""
    at = {place.corner: place for place in places}
    for corner, place in at.items():
        far = at.get((1 - corner[0], 1 - corner[1]))
        if far is not None and np.abs(place.inset - far.inset).max() <= AS_FAR:
            return [place, far]
    return []


def _jokers(group: Group, readings: Sequence[IndexReading]) -> bool:
    """Jokers' words and pictures stand wherever they are printed."""
    return any(FACES[readings[k].best] == JOKER for k in group.members)
