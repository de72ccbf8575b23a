"""What is asked about in a picture of many cards and is too unlike them in size to be one: stone, a cloth's print, what
shows of a picture between two cards."""

from __future__ import annotations

from collections.abc import Sequence
from math import dist, inf

import cv2
import numpy as np

from vision.cards.geometry import axes, cosine, length, on_any
from vision.cards.groups import LEGIBLE
from vision.cards.weeds import BESIDE, COURTS, UPRIGHT
from vision.sightings import CardSighting, Quad

MANY = 6
"""So many sure cards say how large cards and their indices are."""
TALL = (0.7, 1.43)
"""How tall an index may be beside theirs: one that is half covered lies on them."""
BROAD = 1.4
"""So much broader for its height than an index of its card is a pip alone: one that is half covered is narrower."""
SURELY_BROAD = (2.0, 0.9)
"""What is read surely must be so much broader, and no taller than so much of the court's index: an index beside it that
is a ten or is set wider is as tall (.95 and more of ten such, pips .63 and .84)."""
TINY = 0.4
"""Beside no card, what is no longer than so much of their indices' height is no index, however plainly it is read."""
SMALL = 0.25
"""An outline without any index of less than this share of their area is no card's."""


def without_scraps(seen: Sequence[CardSighting]) -> list[CardSighting]:
    """The sightings without those nobody needs to be asked about."""
    sure = [s for s in seen if s.kind == "card" and s.indices]
    if len(sure) < MANY:
        return list(seen)
    tall = float(np.median([_height(quad) for s in sure for quad in s.indices]))
    area = float(np.median([_area(s) for s in sure]))
    cards = [np.array(s.corners, np.float32) for s in sure]

    def is_scrap(s: CardSighting) -> bool:
        if len(s.indices) == 1 and any(_pip_beside(s, c) for c in sure if c is not s):
            return True  # a jack's was a queen at .97
        if s.kind == "unsure" and s.indices and all(_length(q) < TINY * tall for q in s.indices):
            return not any(on_any(np.mean(quad, 0), cards) for quad in s.indices)
        if s.kind != "unsure" or s.confidence >= LEGIBLE:
            return False
        if not s.indices:
            return _area(s) < SMALL * area
        least, most = TALL
        return all(
            not least < _height(quad) / tall < most and not on_any(np.mean(quad, 0), cards) for quad in s.indices
        )

    return [s for s in seen if not is_scrap(s)]


def _pip_beside(one: CardSighting, card: CardSighting) -> bool:
    """Whether what was found beside a court's index is the pip of its picture: of its suit, upright as it is, and much
    broader for its height."""
    if one.label is None or card.label is None or card.label[:-1] not in COURTS or one.label[-1] != card.label[-1]:
        return False
    across, along = axes(np.array(one.indices[0], np.float32))

    def beside(index: Quad) -> bool:
        right, down = axes(np.array(index, np.float32))
        least, most = (BROAD, inf) if one.kind == "unsure" else SURELY_BROAD
        broad = length(across) * length(down) > least * length(along) * length(right)
        broad = broad and length(along) < most * length(down)
        near = dist(np.mean(index, 0), np.mean(one.indices[0], 0)) < BESIDE * length(down)
        return broad and near and cosine(down, along) > UPRIGHT

    return any(beside(index) for index in card.indices)


def _height(quad: Quad) -> float:
    return max(length(axes(np.array(quad, np.float32))[1]), 1e-6)


def _length(quad: Quad) -> float:
    return max(length(axis) for axis in axes(np.array(quad, np.float32)))


def _area(s: CardSighting) -> float:
    return float(cv2.contourArea(np.array(s.corners, np.float32)))
