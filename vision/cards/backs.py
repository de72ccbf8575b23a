"""Which of the backs that were found are cards lying face down, each once."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.detector import Found, overlap_of
from vision.cards.geometry import length
from vision.cards.groups import covered
from vision.cards.indices import IndexReading
from vision.cards.patches import Floats

SAME = 0.15
"""Outlines whose middles are nearer than so much of half a diagonal may be one card's."""
INNER = 0.9
"""An index of the card below may stand as near to a back's edge as that."""
PATTERN = 0.5
"""What is read less surely than this on a back is its pattern."""
ONE_BACK = 0.9
"""A back of which so much lies on a surer one, or so much of that on it, is that one."""
MOSTLY, STRIP = 0.6, 0.65
"""So is one that lies on it by so much, with so much of its rest on cards that show their faces: were it a second back,
its pattern would show there and not a face."""
GRID = 64
"""Pixels across which that share is counted."""


def repeats_a_card(back: Found, cards: Sequence[Floats], readings: Sequence[IndexReading]) -> bool:
    """Whether a back is a card that was already read: its outline is that card's, or an index stands in it that is more
    than its pattern.

    One that only lies over most of a card is a card face down on that one, as after a double; so is one in which no
    index stands, though that card's outline was found half way to its own.
    """
    if not covered(back, cards):
        return False
    middle = back.centre
    inside = (back.quad - middle) * INNER + middle
    told = [r.centre.tolist() for r in readings if r.sure > PATTERN]
    if any(cv2.pointPolygonTest(inside, at, False) >= 0 for at in told):
        return True
    if told and all(cv2.pointPolygonTest(back.quad, at, False) < 0 for at in told):
        return False
    near = (card for card in cards if length(card.mean(0) - middle) < SAME * back.size)
    return covered(back, list(near))


def repeats_a_back(back: Floats, surer: Sequence[Floats], faces: Sequence[Floats]) -> bool:
    """Whether a back is one of those found more surely, over again: half under a hand one is found by what shows of it
    and by where it may end, and on a face together with that card's edge."""
    for other in surer:
        shared = overlap_of(back, other)
        if shared > ONE_BACK or (shared > MOSTLY and _share(back, other, faces) > STRIP):
            return True
    return False


def _share(back: Floats, other: Floats, faces: Sequence[Floats]) -> float:
    """The share of ``back`` beside the other one that lies on faces."""
    low, high = back.min(0), back.max(0)
    scale = GRID / max(float((high - low).max()), 1.0)

    def drawn(quads: Sequence[Floats]) -> NDArray[np.bool_]:
        mask = np.zeros((GRID + 1, GRID + 1), np.uint8)
        for quad in quads:
            cv2.fillConvexPoly(mask, np.round((quad - low) * scale).astype(np.int32), 1)
        return mask.astype(np.bool_)

    rest = drawn([back]) & ~drawn([other])
    return float((rest & drawn(faces)).sum()) / max(float(rest.sum()), 1.0)
