"""A reader that sees what it is told to, and pictures of the kinds that phones send."""

from __future__ import annotations

import cv2
import numpy as np

from vision.sightings import CardSighting, Quad, Reading


def sighting(text: str, x: float, y: float = 0.0) -> CardSighting:
    """ "9H" is sure, "9H?" is not, "back" lies face down; 63 x 89 pixels at (x, y)."""
    corners: Quad = ((x, y), (x + 63, y), (x + 63, y + 89), (x, y + 89))
    index: Quad = ((x + 4, y + 4), (x + 14, y + 4), (x + 14, y + 20), (x + 4, y + 20))
    if text == "back":
        return CardSighting("back", corners)
    if text.endswith("?"):
        return CardSighting("unsure", corners, text[:-1], 0.6, {text[:-1]: 0.6, "6H": 0.3}, (index,))
    return CardSighting("card", corners, text, 0.98, {text: 0.98}, (index,))


class TellingReader:
    """Reads whatever ``shows`` says lies in a row; "/" starts another hand, far away."""

    def __init__(self, shows: str = "") -> None:
        self.shows = shows
        self.read_count = 0

    def read(self, image: np.ndarray, /) -> Reading:
        self.read_count += 1
        seen = []
        for row, hand in enumerate(self.shows.split("/")):
            seen += [sighting(text, 25.0 * k, 900.0 * row) for k, text in enumerate(hand.split())]
        return Reading(image.shape[1], image.shape[0], tuple(seen), {"total": 1.0})


def encoded(ending: str = ".jpg", width: int = 320, height: int = 200) -> bytes:
    """A picture's file."""
    image = np.full((height, width, 3), 90, np.uint8)
    return cv2.imencode(ending, image)[1].tobytes()
