"""Cards laid in a picture by their millimetres: readings of their indices, as the reader would have them."""

from __future__ import annotations

import numpy as np

from vision.cards.indices import NONE, IndexReading
from vision.cards.patches import Floats
from vision.sightings import FACES

CARD_MM = np.array([[0, 0], [63.5, 0], [63.5, 88.9], [0, 88.9]], np.float32)
UNIT_X = np.array([1, 0], np.float32)
INDEX_MM = np.array([[3, 4], [9, 4], [9, 15], [3, 15]], np.float32)
UPPER, LOWER = INDEX_MM, np.asarray(CARD_MM[2] - INDEX_MM, np.float32)
UPPER_RIGHT = np.asarray(INDEX_MM + np.array([CARD_MM[2, 0] - 12, 0]), np.float32)
LOWER_LEFT = np.asarray(np.array([12, CARD_MM[2, 1]]) - INDEX_MM, np.float32)


def seen(points: Floats, angle: float, x: float, y: float, scale: float = 2.0, tilt: float = 1.0) -> Floats:
    """Millimetres of a card to pixels: turned, scaled, foreshortened, moved."""
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return ((points * scale) @ turn.T * [1, tilt] + [x, y]).astype(np.float32)


def reading(label: str, quad: Floats, chance: float = 0.97) -> IndexReading:
    chances = np.full(NONE + 1, (1 - chance) / NONE, np.float32)
    chances[FACES.index(label)] = chance
    return IndexReading(quad, chances, 0.9)


def both(label: str, angle: float, x: float, y: float, tilt: float = 1.0) -> list[IndexReading]:
    other = np.array([63.5, 88.9], np.float32) - INDEX_MM
    return [reading(label, seen(q, angle, x, y, tilt=tilt)) for q in (INDEX_MM, other)]
