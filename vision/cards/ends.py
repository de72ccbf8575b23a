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

from vision.cards.detector import Found
from vision.cards.geometry import UNIT, corner_fit, degenerate, length
from vision.cards.indices import IndexReading
from vision.cards.patches import Floats

NAMED = 0.9
"""Both must be named so surely, and alike."""


class _Placed(Protocol):
    @property
    def quad(self) -> Floats: ...
    @property
    def centre(self) -> Floats: ...


T = TypeVar("T", bound=_Placed)


def at_both_ends(indices: Sequence[T], outlines: Sequence[Found]) -> Iterator[tuple[T, T]]:
    """Pairs of ``indices`` that sit in corners of one outline that lie across from each other."""
    for outline in outlines:
        if degenerate(outline.quad):
            continue
        onto = np.asarray(cv2.getPerspectiveTransform(outline.quad.astype(np.float32), UNIT), np.float64)
        near = [it for it in indices if length(it.centre - outline.centre) < 1.5 * outline.size]
        fits = [(it, fit[1]) for it in near if (fit := corner_fit(onto, it.quad))]
        for (one, here), (other, there) in combinations(fits, 2):
            if here[0] != there[0] and here[1] != there[1]:
                yield one, other


def spoken_for(faint: Sequence[IndexReading], outlines: Sequence[Found]) -> list[IndexReading]:
    """Those of ``faint`` that are named alike, and surely, at both ends of an outline."""
    kept: dict[int, IndexReading] = {}
    well = [r for r in faint if r.sure >= NAMED]
    for one, other in at_both_ends(well, outlines):
        if one.best == other.best:
            kept |= {id(one): one, id(other): other}
    return list(kept.values())
