"""Places where something printed lies that looks like a card: a marker on its white paper is one to a network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision.sightings import CardSighting, Quad, Reading


def without_printed(reading: Reading, places: Sequence[Quad]) -> Reading:
    """The reading without backs and bare outlines whose middle lies on one of the places (quads in pixels).

    What has a name, sure or not, was read from an index and stays: a card may lie on a marker. One that lies there
    face down is left out too.
    """
    outlines = [np.array(quad, np.float32) for quad in places]

    def is_printed(seen: CardSighting) -> bool:
        x, y = seen.centre
        bare = seen.kind == "back" or seen.label is None
        return bare and any(cv2.pointPolygonTest(quad, (float(x), float(y)), False) >= 0 for quad in outlines)

    kept = tuple(seen for seen in reading.sightings if not is_printed(seen))
    return reading if len(kept) == len(reading.sightings) else replace(reading, sightings=kept)
