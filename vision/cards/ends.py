"""Cards whose two indices were both found too faintly to count: each speaks for the other.

A joker's corner may hold anything, so it is found faintly on most decks. But a thing found at both ends of one outline,
half a turn apart, and read alike there, is no chance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Protocol, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.detector import Found
from vision.cards.geometry import UNIT, axes, corner_fit, cosine, degenerate, length
from vision.cards.indices import IndexReading
from vision.cards.patches import Floats

NAMED = 0.9
"""Both must be named so surely, and alike."""
WITHIN, MIRRORED = 0.05, 0.15
"""Large narrow indices take nearly half of a card's height, and what is found of one lies far from its corner: two that
are so far within an outline may lie so far, in shares of its sides, from being mirrored at its middle."""
ACROSS, ALONG = 0.4, 0.2
"""So far apart they lie at least, across the card and along it."""
TURNED = -0.9
"""Cosine of the angle between the ways down of two indices half a turn apart."""


class _Placed(Protocol):
    @property
    def quad(self) -> Floats: ...
    @property
    def centre(self) -> Floats: ...


T = TypeVar("T", bound=_Placed)


def at_both_ends(indices: Sequence[T], outlines: Sequence[Found]) -> Iterator[tuple[T, T]]:
    """Pairs of ``indices`` that sit in corners of one outline that lie across from each other, or are mirrored at its
    middle."""
    for outline in outlines:
        if degenerate(outline.quad):
            continue
        onto = np.asarray(cv2.getPerspectiveTransform(outline.quad.astype(np.float32), UNIT), np.float64)
        near = [it for it in indices if length(it.centre - outline.centre) < 1.5 * outline.size]
        corners = {id(it): fit[1] for it in near if (fit := corner_fit(onto, it.quad))}
        for one, other in combinations(near, 2):
            here, there = corners.get(id(one)), corners.get(id(other))
            across = here is not None and there is not None and here[0] != there[0] and here[1] != there[1]
            if across or _mirrored(onto, one.quad, other.quad):
                yield one, other


def _mirrored(onto: NDArray[np.float64], one: Floats, other: Floats) -> bool:
    (u, v), (w, x) = (cv2.perspectiveTransform(q[None].astype(np.float32), onto)[0].mean(0) for q in (one, other))
    inside = min(u, v, w, x) > WITHIN and max(u, v, w, x) < 1 - WITHIN
    mirrored = max(abs(u + w - 1), abs(v + x - 1)) < MIRRORED and abs(u - w) > ACROSS and abs(v - x) > ALONG
    return bool(inside and mirrored and cosine(axes(one)[1], axes(other)[1]) < TURNED)


def spoken_for(faint: Sequence[IndexReading], outlines: Sequence[Found]) -> list[IndexReading]:
    """Those of ``faint`` that are named alike, and surely, at both ends of an outline."""
    kept: dict[int, IndexReading] = {}
    well = [r for r in faint if r.sure >= NAMED]
    for one, other in at_both_ends(well, outlines):
        if one.best == other.best:
            kept |= {id(one): one, id(other): other}
    return list(kept.values())
