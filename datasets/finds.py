"""What the detector takes for indices in rendered scenes: the misplacement that it really has, and its ghosts.

Places drawn by chance (`datasets.patches`) teach the reader what is no index in general; those at which it is asked in
fact are pips beside an edge, halves of courts, letters of a poster. A reader taught without them names more of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from datasets.camera import Rng
from datasets.deck import Floats
from datasets.hand_scenes import hand_scene
from datasets.patches import NONE, READABLE_HEIGHT, READABLE_SHOWS, Patches
from datasets.processes import in_shards
from datasets.scene import Scene
from datasets.scene_shards import save_cuts
from vision.cards.detector import INDEX
from vision.cards.patches import PATCH_HEIGHT, PATCH_WIDTH, cut_patch, pyramid
from vision.cards.reader import CardReader, Settings
from vision.sightings import FACES

SALT: Final = 9
LEAST: Final = 0.05
"""Finds as faint as this are taken: what is found so faintly is mostly a ghost."""
FAINT, OFTEN, AS_FOUND = 0.3, 0.5, 0.4
"""Indices found more faintly are always kept, others so often; so many of them as found, the rest as corrected."""
NEAR, AT = 0.6, 0.35
"""Within so many heights of an index a find may be its, or part of it; within so many it is."""
UPRIGHT, ASLANT = 0.8, 0.3
"""Cosine between a find's down and its index's: at least this where it is that index; less, where it is nothing."""
LIKE: Final = (0.7, 1.4)
"""How many times as high as its index a find may be."""


def finds_of(scene: Scene, reader: CardReader, rng: Rng) -> Patches:
    """Every find that is surely an index, or surely none, of a scene; ``reader`` should find faint ones too (`LEAST`).

    Finds at indices of which little shows, or which they only touch, are left out: whether they can be read nobody
    has said.
    """
    levels = pyramid(scene.image)
    found = [f for f in reader.find(levels) if f.kind == INDEX]
    images, labels, corners = [], [], []
    for find, read in zip(found, reader.indices.read(levels, found), strict=True):
        told = _told(read.quad, scene)
        if told is None:
            continue
        label, quad = told
        if quad is None:
            places = [find.quad, read.quad]
        elif find.confidence < FAINT or rng.random() < OFTEN:
            places = [find.quad if rng.random() < AS_FOUND else read.quad]
        else:
            continue
        for place in places:
            patch, m = cut_patch(levels, place)
            images.append(patch)
            labels.append(label)
            corners.append(np.full((4, 2), np.nan) if quad is None else quad @ m[:, :2].T + m[:, 2])
    return Patches(
        np.stack(images) if images else np.zeros((0, PATCH_HEIGHT, PATCH_WIDTH, 3), np.uint8),
        np.array(labels, np.int64),
        np.array(corners, np.float32).reshape(-1, 4, 2),
    )


def _told(place: Floats, scene: Scene) -> tuple[int, Floats | None] | None:
    """What is at a place: a face's number and its index, `NONE` and no index, or None where it cannot be said."""
    near = []
    for card in scene.cards:
        for index in card.indices:
            off = float(np.linalg.norm(index.quad.mean(0) - place.mean(0)) / np.linalg.norm(_down(index.quad)) * 2)
            if off < NEAR:
                near.append((off, index, card.label))
    if not near:
        return NONE, None
    off, index, label = min(near, key=lambda it: it[0])
    high, mine = _down(index.quad), _down(place)
    tall = float(np.linalg.norm(high))
    if index.visible < READABLE_SHOWS or tall / 2 < READABLE_HEIGHT:
        return None
    along = float(high @ mine) / (tall * float(np.linalg.norm(mine)) + 1e-9)
    if along < ASLANT:
        return NONE, None
    sized = LIKE[0] < float(np.linalg.norm(mine)) / tall < LIKE[1]
    return (FACES.index(label), index.quad) if off <= AT and along >= UPRIGHT and sized else None


def _down(quad: Floats) -> Floats:
    """Twice the way from the middle of the upper side to that of the lower."""
    return np.asarray(quad[3] + quad[2] - quad[0] - quad[1], np.float32)


def write_finds(folder: Path, seeds: Iterable[int], workers: int, done: Callable[[int], None] | None = None) -> None:
    """Render each seed's hands (`datasets.hand_scenes`) and keep what is found in them as .npz shards."""
    in_shards(partial(_shard, folder=folder), folder, seeds, workers, done)


def _shard(seeds: list[int], folder: Path) -> int:
    cv2.setNumThreads(1)
    parts = [finds_of(hand_scene(seed), _reader(), np.random.default_rng([seed, SALT])) for seed in seeds]
    save_cuts(folder / f"finds_{seeds[0]:08d}.npz", parts)
    return len(seeds)


@lru_cache(maxsize=1)
def _reader() -> CardReader:
    return CardReader.load(threads=1, settings=Settings(least_found=LEAST))
