"""A physical card as its indices and its outline tell of it: its name's chances and where its corners are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.detector import Found, overlap_of
from vision.cards.geometry import axes, cosine, leaning, length
from vision.cards.indices import IndexReading
from vision.cards.patches import Floats
from vision.sightings import FACES, JOKER

TOGETHER = 0.5
"""The words of n indices of one card count as those of n to the power of this: the likeliest for 550 cards of rendered
tables (EXPERIMENTS, row 78)."""
LEGIBLE = 0.5
HALF_SEEN = 0.5
"""An index whose likeliest face is less likely, or that was found more faintly, is no witness against another."""


WELL_WITHIN = 0.9
"""What lies within so much of a card's outline, about its middle, does not lie beside it."""
RIM = (0.075, 0.095)
"""How far indices stand in from both edges of a card together, in shares of its width and of its height."""
LEAST_OUTLINE = 0.6
"""An outline of less than this share of the area that a card's two ends span is not all of the card,"""
MOST_OUTLINE = 1.6
"""and one of more than this holds more than the card."""
UPRIGHT, BETTER = 0.8, 0.15
"""Cosine of the angle by which two ends of a card may be off, and by how much more of it an outline must cover a card
drawn to one side of them than to the other."""
SURE_OUTLINE = 0.7
"""An outline found more surely tells of its deck: how large its indices are, and how far apart."""


@dataclass(frozen=True)
class IndexSize:
    """How wide and tall an index is, in shares of its card's width and height: jumbo indices take a third."""

    wide: float = 0.105
    tall: float = 0.125


USUAL = IndexSize()


@dataclass
class Group:
    """Indices of one physical card, and its outline where one was found."""

    members: list[int]
    outline: Found | None = None

    def take_in(self, other: Group) -> None:
        """The indices of another group become this card's too, and its outline where this one has none."""
        self.members += other.members
        self.outline = self.outline or other.outline


def heard(readings: Sequence[IndexReading]) -> list[IndexReading]:
    """Those of one card's indices that have a say in its name: all but what is hardly there and says something else.

    An index that is half covered by the next card is found, but what it is read as means little.
    """
    lead = max(readings, key=lambda r: r.sure * r.found)
    return [r for r in readings if r.best == lead.best or (r.sure > LEGIBLE and r.found > HALF_SEEN)]


def combined(readings: Sequence[IndexReading]) -> NDArray[np.float64]:
    """The chances of each face (and none) from all indices of one card.

    They are printed alike and lie in the same light, so what one is taken for the other is too: together they say less
    than independent witnesses would (:data:`TOGETHER`).
    """
    logs = np.zeros(len(readings[0].chances))
    for r in readings:
        logs += np.log(np.clip(r.chances.astype(np.float64), 1e-4, 1.0))
    logs *= len(readings) ** (TOGETHER - 1)
    logs -= logs.max()
    out = np.exp(logs)
    return np.asarray(out / out.sum(), np.float64)


def index_size(cards: Sequence[tuple[Sequence[IndexReading], Found | None]]) -> IndexSize:
    """How large the indices in a picture are beside their cards, where an outline or two ends of one card tell.

    ``cards`` are each card's indices and outline. Jokers' words say nothing of the others.
    """
    told = [t for members, outline in cards if (t := _told(members, outline)) is not None]
    if not told:
        return USUAL
    wide, tall = np.median(np.array(told), 0).tolist()
    return IndexSize(wide, tall)


def _told(members: Sequence[IndexReading], outline: Found | None) -> tuple[float, float] | None:
    named = [m for m in members if m.sure > LEGIBLE and FACES[m.best] != JOKER]
    if not named:
        return None
    lead = max(named, key=lambda r: r.sure * r.found)
    ex, ey = axes(lead.quad)
    if others := _far_ends(lead, named):
        right, down = _card_between(lead, others[0])
    elif outline is not None and outline.confidence > SURE_OUTLINE:
        right, down = axes(corners_of([lead], outline))
    else:
        return None
    return length(ex) / max(length(right), 1.0), length(ey) / max(length(down), 1.0)


def _far_ends(lead: IndexReading, members: Sequence[IndexReading]) -> list[IndexReading]:
    return [m for m in members if m is not lead and leaning(lead.quad, m.quad) > 0]


def _card_between(lead: IndexReading, other: IndexReading) -> tuple[Floats, Floats]:
    """The right and down vectors of the card with these two ends."""
    ex, ey = axes(lead.quad)
    u, v = np.linalg.solve(np.column_stack([ex, ey]), other.quad.mean(0) - lead.quad.mean(0))
    return ex * (u + 1) / (1 - RIM[0]), ey * (v + 1) / (1 - RIM[1])


def _unlike(outline: Found, lead: IndexReading, other: IndexReading) -> bool:
    """Whether a card's two ends do not fit its outline: that of a card across others may be found as a part, or as one
    with what lies beneath."""
    right, down = _card_between(lead, other)
    area = abs(float(right[0] * down[1] - right[1] * down[0]))
    return not LEAST_OUTLINE * area <= float(cv2.contourArea(outline.quad.astype(np.float32))) <= MOST_OUTLINE * area


def corners_of(
    members: Sequence[IndexReading],
    outline: Found | None,
    size: IndexSize = USUAL,
    faint: Sequence[Found] = (),
) -> Floats:
    """The card's corners from its own top-left: the outline turned to fit its surest index, or drawn from its indices,
    also where the outline does not fit both ends.

    Where one index is all there is, ``size`` says how large its card is. Where two of one side are, that may be the
    card's right side as well as its left one: ``faint`` outlines tell.
    """
    # Of a card's four the surest may be its upper right one, which has no far end across the usual diagonal.
    lead = max(members, key=lambda r: (bool(_far_ends(r, members)), r.sure * r.found))
    ex, ey = axes(lead.quad)
    others = _far_ends(lead, members)
    if outline is not None and not (others and _unlike(outline, lead, others[0])):
        q = outline.quad
        turned = [np.roll(q, -k, axis=0) for k in range(4)]
        return np.asarray(max(turned, key=lambda t: cosine(axes(t)[1], ey)), np.float32)
    if others:
        right, down = _card_between(lead, others[0])
        middle = (lead.quad.mean(0) + others[0].quad.mean(0)) / 2
    else:
        right, down = ex / size.wide, ey / size.tall
        across, along = ((1 - rim - share) / 2 for rim, share in zip(RIM, (size.wide, size.tall), strict=True))
        middle = lead.quad.mean(0) + right * across + down * along
        if faint and any(cosine(axes(m.quad)[1], ey) < -UPRIGHT for m in members):
            left = _drawn(middle, right, down)
            other = _drawn(middle - 2 * right * across, right, down)
            fits, fits_other = (max(overlap_of(f.quad, it) for f in faint) for it in (left, other))
            return other if fits_other > fits + BETTER else left
    return _drawn(middle, right, down)


def _drawn(middle: Floats, right: Floats, down: Floats) -> Floats:
    """The corners of a card about its middle."""
    corners = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    return np.asarray(middle + corners @ np.stack([right, down]), np.float32)


def covered(outline: Found, cards: Sequence[Floats]) -> bool:
    """Whether an outline mostly repeats cards that were already read."""
    return any(overlap_of(outline.quad, c) > 0.6 for c in cards)


def lies_on(corners: Floats, other: IndexReading) -> bool:
    """Whether another card's index lies plainly within these corners (4 x 2): then that card lies on this one."""
    inner = corners.mean(0) + WELL_WITHIN * (corners - corners.mean(0))
    x, y = (float(v) for v in other.centre)
    return cv2.pointPolygonTest(inner.astype(np.float32), (x, y), False) >= 0
