"""What is cut out of rendered scenes to learn from, kept in files of many scenes each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from datasets.camera import Rng
from datasets.pool import decks_for
from datasets.processes import in_shards
from datasets.scene import Scene, random_scene


def write_cut(
    cut: Callable[[Scene, Rng], Any],
    salt: int,
    folder: Path,
    seeds: Iterable[int],
    size: int,
    card_px: tuple[float, float],
    workers: int,
    done: Callable[[int], None] | None = None,
) -> None:
    """Render each seed's scene and keep what ``cut`` makes of it (a dataclass of arrays) as .npz shards.

    ``cut`` is a function of a module, for it runs in other processes; ``salt`` sets its chances apart from those of
    others. ``done`` gets the number of scenes finished.
    """
    job = partial(_shard, cut=cut, salt=salt, size=size, card_px=card_px, folder=folder)
    in_shards(job, folder, seeds, workers, done)


def _shard(
    seeds: list[int],
    cut: Callable[[Scene, Rng], Any],
    salt: int,
    size: int,
    card_px: tuple[float, float],
    folder: Path,
) -> int:
    cv2.setNumThreads(1)
    parts = []
    for seed in seeds:
        decks = decks_for(seed)
        scene = random_scene(seed, size, size, card_px, decks, decks)
        parts.append(cut(scene, np.random.default_rng([seed, salt])))
    save_cuts(folder / f"{seeds[0]:08d}.npz", parts)
    return len(seeds)


def save_cuts(path: Path, parts: Sequence[Any]) -> None:
    """Write what was cut out of several scenes (dataclasses of arrays, one at least) as one shard."""
    whole: dict[str, Any] = {key: np.concatenate([vars(part)[key] for part in parts]) for key in vars(parts[0])}
    np.savez(path, **whole)
