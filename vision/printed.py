"""What is printed on the felt and looks like a card: a marker on its paper is one to a network, a betting area too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from vision.sightings import CardSighting, Quad, Reading

LARGEST: Final = 10_000.0
"""Square millimetres that no card covers: one for poker covers 5 600, a printed area 11 000 and more."""


def without_printed(
    reading: Reading, places: Sequence[Quad], area: Callable[[Quad], float] = lambda quad: 0.0
) -> Reading:
    """The reading without backs and bare outlines whose middle lies on one of the places (quads in pixels), or that
    cover more of the felt than any card: ``area`` says how much, in square millimetres (0 where it is not known).

    What has a name, sure or not, was read from an index and stays: a card may lie on a marker. One that lies there
    face down is left out too.
    """
    outlines = [np.array(quad, np.float32) for quad in places]

    def is_printed(seen: CardSighting) -> bool:
        x, y = seen.centre
        bare = seen.kind == "back" or seen.label is None
        on = bare and any(cv2.pointPolygonTest(quad, (float(x), float(y)), False) >= 0 for quad in outlines)
        return on or (bare and area(seen.corners) > LARGEST)

    kept = tuple(seen for seen in reading.sightings if not is_printed(seen))
    return reading if len(kept) == len(reading.sightings) else replace(reading, sightings=kept)
