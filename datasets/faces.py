"""Whole cards out of rendered scenes, for the network that reads a face by its pips and its court."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.camera import Rng
from datasets.deck import Floats
from datasets.patches import NONE
from datasets.scene import Scene
from datasets.scene_shards import write_cut
from vision.cards.faces import FACE_HEIGHT, FACE_WIDTH, cut_face
from vision.cards.patches import Image, pyramid
from vision.sightings import FACES

WHOLE, PARTLY, HARDLY = 0.93, 0.85, 0.3
"""A card that shows so much of itself is whole; one that shows less than the second is not; what shows less than the
third, or lies between the first two, teaches nothing."""
SMALLEST, SMALLEST_AREA = 35.0, 900.0
"""Pixels that a card is high at least, and its area."""
COPIES = 2


@dataclass
class Faces:
    """``images`` N x H x W x 3 BGR; ``labels`` N: a face's number, or `NONE` for what is no whole card's face."""

    images: Image
    labels: NDArray[np.int64]


def misplaced(quad: Floats, rng: Rng, amount: float) -> Floats:
    """A card's corners as an outline gives them."""
    axes = np.stack([(quad[1] - quad[0] + quad[2] - quad[3]) / 2, (quad[3] - quad[0] + quad[2] - quad[1]) / 2])
    middle, angle = quad.mean(0), rng.normal(0, 0.025) * amount
    local = (quad - middle) @ np.linalg.pinv(axes) * np.exp(rng.normal(0, 0.03, 2) * amount)
    out = (local + rng.normal(0, 0.02, 2) * amount + rng.normal(0, 0.02, (4, 2)) * amount) @ axes
    c, s = np.cos(angle), np.sin(angle)
    return np.asarray(out @ np.array([[c, -s], [s, c]]) + middle, np.float32)


def faces_of(scene: Scene, rng: Rng, copies: int = COPIES) -> Faces:
    """Every card that lies in the picture, misplaced anew for each copy, either way up."""
    levels = pyramid(scene.image)
    high, wide = scene.image.shape[:2]
    images, labels = [], []
    for card in scene.cards:
        quad = card.corners
        if card.visible < HARDLY or PARTLY <= card.visible <= WHOLE:
            continue
        if np.linalg.norm(quad[3] - quad[0]) < SMALLEST or abs(cv2.contourArea(quad)) < SMALLEST_AREA:
            continue
        if (quad < -8).any() or (quad > [wide + 8, high + 8]).any():
            continue
        whole = card.visible > WHOLE and card.label in FACES
        for _ in range(copies):
            seen = misplaced(quad, rng, float(rng.choice([0.4, 1.0, 1.8], p=[0.4, 0.4, 0.2])))
            images.append(cut_face(levels, np.roll(seen, 2, axis=0) if rng.random() < 0.5 else seen))
            labels.append(FACES.index(card.label) if whole else NONE)
    shape = (0, FACE_HEIGHT, FACE_WIDTH, 3)
    return Faces(np.stack(images) if images else np.zeros(shape, np.uint8), np.array(labels, np.int64))


def write_faces(
    folder: Path,
    seeds: Iterable[int],
    size: int,
    card_px: tuple[float, float],
    workers: int,
    done: Callable[[int], None] | None = None,
) -> None:
    """Render scenes and keep their cards as .npz shards; ``done`` gets the number of scenes finished."""
    write_cut(faces_of, 7, folder, seeds, size, card_px, workers, done)


def load_faces(folder: Path) -> Faces:
    """All shards of a folder together."""
    shards = [np.load(p) for p in sorted(folder.glob("*.npz"))]
    return Faces(np.concatenate([s["images"] for s in shards]), np.concatenate([s["labels"] for s in shards]))
