"""Drawing a reading on its picture."""

from __future__ import annotations

import cv2
import numpy as np

from vision.cards.patches import Image
from vision.sightings import Reading

COLOURS = {"card": (80, 200, 60), "back": (200, 120, 40), "unsure": (0, 170, 255)}
"""Blue, green, red."""


def annotate(image: Image, reading: Reading) -> Image:
    """A copy of ``image`` with each card's outline and name; what is unsure carries a question mark."""
    out = image.copy()
    line = max(2, round(max(image.shape[:2]) / 500))
    font, size = cv2.FontFace("sans"), max(14, round(max(image.shape[:2]) / 45))
    for s in reading.sightings:
        colour = COLOURS[s.kind]
        corners = np.round(np.array(s.corners)).astype(np.int32)
        cv2.polylines(out, [corners], True, colour, line, cv2.LINE_AA)
        text = {"card": s.label or "", "back": "back", "unsure": f"{s.label or ''}?"}[s.kind]
        x, y = round(s.centre[0] - size * 0.35 * len(text)), round(s.centre[1] + size * 0.35)
        cv2.rectangle(out, (x - 6, y - size), (x + round(size * 0.75 * len(text)) + 6, y + size // 3), colour, -1)
        cv2.putText(out, text, (x, y), (255, 255, 255), font, size, 700)
    return out
