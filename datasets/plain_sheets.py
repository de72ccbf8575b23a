"""Sheets of indices for the baseline to begin with: many large, plain indices a picture, so that names are learned.

On whole scenes a small network with 52 classes learns for hours where indices are before it learns to name any. The
indices are those that the reader learns from (`datasets.patches`), each turned and scaled anew.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from datasets.camera import Rng
from datasets.deck import Image
from datasets.patches import Patches
from vision.sightings import CARDS, FACES

ACROSS = 4
"""Cells to a side of a sheet."""
SCALES = (0.5, 1.05)
"""How large a patch is shown: its index is about 56 pixels high at 1."""


def sheet(patches: Patches, usable: np.ndarray, rng: Rng, size: int) -> tuple[Image, list[str]]:
    """A picture of ``size`` x ``size`` with ``ACROSS`` squared of the ``usable`` patches, and a line for each index.

    Lines are a card's number and its index's upright box, as shares of the picture.
    """
    cell = size // ACROSS
    picture = np.empty((size, size, 3), np.uint8)
    lines = []
    for k, number in enumerate(rng.choice(usable, ACROSS * ACROSS)):
        patch, corners = patches.images[number], patches.corners[number]
        height, width = patch.shape[:2]
        turn = cv2.getRotationMatrix2D(
            (width / 2, height / 2), float(rng.uniform(0, 360)), float(np.exp(rng.uniform(*np.log(SCALES))))
        )
        turn[:, 2] += [(cell - width) / 2, (cell - height) / 2]
        x, y = k % ACROSS * cell, k // ACROSS * cell
        picture[y : y + cell, x : x + cell] = cv2.warpAffine(
            patch, turn, (cell, cell), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE
        )
        quad = np.array([x, y]) + np.clip(corners @ turn[:, :2].T + turn[:, 2], 0, cell)
        (x0, y0), (x1, y1) = quad.min(0) / size, quad.max(0) / size
        box = (x0 + x1) / 2, (y0 + y1) / 2, x1 - x0, y1 - y0
        lines.append(" ".join([str(CARDS.index(FACES[patches.labels[number]])), *(f"{v:.5f}" for v in box)]))
    return picture, lines


def write_sheets(folder: Path, patches: Patches, count: int, size: int, seed: int) -> None:
    """``count`` sheets as JPEG files, and label files that YOLO reads."""
    (folder / "images").mkdir(parents=True, exist_ok=True)
    (folder / "labels").mkdir(exist_ok=True)
    cards = [FACES.index(card) for card in CARDS]
    usable = np.flatnonzero(np.isin(patches.labels, cards) & np.isfinite(patches.corners).all((1, 2)))
    for number in range(count):
        picture, lines = sheet(patches, usable, np.random.default_rng([seed, number]), size)
        cv2.imwrite(str(folder / "images" / f"{number:06d}.jpg"), picture)
        (folder / "labels" / f"{number:06d}.txt").write_text("\n".join(lines) + "\n")
