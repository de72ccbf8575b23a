"""A physical card as its indices and its outline tell of it: its name's chances and where its corners are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.cards.detector import Found, overlap_of
from vision.cards.geometry import axes, cosine, opposite
from vision.cards.indices import IndexReading
from vision.cards.patches import Floats

TOGETHER = 0.5
"""The words of n indices of one card count as those of n to the power of this: the likeliest for 550 cards of rendered
tables (EXPERIMENTS, row 78)."""
LEGIBLE = 0.5
HALF_SEEN = 0.5
"""An index whose likeliest face is less likely, or that was found more faintly, is no witness against another."""


@dataclass
class Group:
    """Indices of one physical card, and its outline where one was found."""

    members: list[int]
    outline: Found | None = None


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


def corners_of(members: Sequence[IndexReading], outline: Found | None) -> Floats:
    """The card's corners from its own top-left: the outline turned to fit its surest index, or drawn from indices."""
    lead = max(members, key=lambda r: r.sure * r.found)
    ex, ey = axes(lead.quad)
    if outline is not None:
        q = outline.quad
        turned = [np.roll(q, -k, axis=0) for k in range(4)]
        return np.asarray(max(turned, key=lambda t: cosine(axes(t)[1], ey)), np.float32)
    others = [m for m in members if m is not lead and opposite(lead.quad, m.quad)]
    if others:
        a, b = lead.quad.mean(0), others[0].quad.mean(0)
        u, v = np.linalg.solve(np.column_stack([ex, ey]), b - a)
        right, down = ex * u / 0.82, ey * v / 0.78
        middle = (a + b) / 2
    else:
        right, down = ex / 0.105, ey / 0.125
        middle = lead.quad.mean(0) + right * 0.41 + down * 0.39
    return np.asarray(
        middle + np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) @ np.stack([right, down]), np.float32
    )


def covered(outline: Found, cards: Sequence[Floats]) -> bool:
    """Whether an outline mostly repeats cards that were already read."""
    return any(overlap_of(outline.quad, c) > 0.6 for c in cards)
