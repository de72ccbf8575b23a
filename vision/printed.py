"""What is printed and looks like a card: to a network a marker on its paper is one, a betting area and a court too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from vision.sightings import JOKER, CardSighting, Quad, Reading

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


def without_jokers(reading: Reading) -> Reading:
    """The reading where no jokers are dealt: one whose indices all lie on one card that is read is part of that card,
    such as a court whose face another card half covers. Any other joker stays, unsure, for somebody to look at."""
    jokers = [seen for seen in reading.sightings if seen.label == JOKER]
    if not jokers:
        return reading
    cards = [np.array(s.corners, np.float32) for s in reading.sightings if s.label is not None and s.label != JOKER]

    def on_a_card(seen: CardSighting) -> bool:
        centres = [(sum(x for x, _ in q) / 4, sum(y for _, y in q) / 4) for q in seen.indices]
        return bool(centres) and any(
            all(cv2.pointPolygonTest(card, at, False) >= 0 for at in centres) for card in cards
        )

    parts = [seen for seen in jokers if on_a_card(seen)]
    return replace(
        reading,
        sightings=tuple(
            replace(seen, kind="unsure") if seen.label == JOKER and seen.kind == "card" else seen
            for seen in reading.sightings
            if not any(seen is part for part in parts)
        ),
    )
