"""Rendered scenes written as an Ultralytics pose data set: class, box and four corner points for everything."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from datasets.deck import Floats
from datasets.pool import decks_for
from datasets.processes import in_processes
from datasets.scene import BACK, Scene, random_scene

CLASSES = ("index", "card", "back")
INDEX_SHOWS, CARD_SHOWS = 0.72, 0.3
"""An index or card is labelled when at least this share of it shows."""
SMALLEST_INDEX = 5.0
"""Indices whose longer side is shorter than this (pixels) are not labelled: nobody could find them."""


def label_lines(scene: Scene) -> list[str]:
    """One line an object: class, box centre and size, then x y visible for each corner, as shares of the picture."""
    h, w = scene.image.shape[:2]
    lines = []
    for card in scene.cards:
        if card.visible >= CARD_SHOWS:
            lines.append(_line(2 if card.label == BACK else 1, upright(card.corners), w, h))
        for index in card.indices:
            side = float(np.linalg.norm(index.quad[3] - index.quad[0]))
            if index.visible >= INDEX_SHOWS and side >= SMALLEST_INDEX:
                lines.append(_line(0, index.quad, w, h))
    return [line for line in lines if line]


def upright(quad: Floats) -> Floats:
    """The same outline, listed from whichever end lies higher in the picture.

    A card and its half turn look alike: asked for "the card's own top", a network could only answer with the mean of
    both ends, which is the middle of the card.
    """
    downwards = (quad[3] + quad[2] - quad[0] - quad[1])[1] >= 0
    return quad if downwards else np.roll(quad, 2, axis=0)


def _line(kind: int, quad: Floats, w: int, h: int) -> str:
    inside = [bool(0 <= x <= w and 0 <= y <= h) for x, y in quad]
    cut = np.clip(quad, 0, [w, h])
    (x0, y0), (x1, y1) = cut.min(0), cut.max(0)
    if x1 - x0 < 2 or y1 - y0 < 2:
        return ""
    box = [(x0 + x1) / 2 / w, (y0 + y1) / 2 / h, (x1 - x0) / w, (y1 - y0) / h]
    points = [f"{x / w:.5f} {y / h:.5f} {2 if ok else 0}" for (x, y), ok in zip(cut, inside, strict=True)]
    return " ".join([str(kind), *(f"{v:.5f}" for v in box), *points])


Lines = Callable[[Scene], list[str]]
"""Writes a scene's labels, one line an object."""


def _one(seed: int, folder: Path, size: int, card_px: tuple[float, float], lines: Lines) -> int:
    cv2.setNumThreads(1)
    decks = decks_for(seed)
    scene = random_scene(seed, size, size, card_px, decks, decks)
    write_scene(folder, f"{seed:08d}", scene, lines)
    return seed


def write_scene(folder: Path, name: str, scene: Scene, lines: Lines = label_lines) -> None:
    """The scene's picture in ``folder``/images and its labels in /labels."""
    cv2.imwrite(str(folder / "images" / f"{name}.jpg"), scene.image, [cv2.IMWRITE_JPEG_QUALITY, 94])
    (folder / "labels" / f"{name}.txt").write_text("\n".join(lines(scene)) + "\n")


def write_scenes(
    folder: Path,
    seeds: Iterable[int],
    size: int,
    card_px: tuple[float, float],
    workers: int,
    done: Callable[[], None] | None = None,
    lines: Lines = label_lines,
) -> None:
    """Render each seed's scene into ``folder``/images and /labels; ``done`` is called after each."""
    for name in ("images", "labels"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    job = partial(_one, folder=folder, size=size, card_px=card_px, lines=lines)
    for _ in in_processes(job, seeds, workers, at_once=32):
        if done:
            done()
