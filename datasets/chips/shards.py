"""Rendered chip scenes on disk: small pictures with boxes for the finder, wide cuts of each stack for the readers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.chips.orders import played
from datasets.chips.racks import rack_scene
from datasets.chips.scene import ChipScene, SeenStack, random_chip_scene
from datasets.chips.tables import crowded
from datasets.deck import Image
from datasets.processes import in_processes
from vision.chips.crops import ACROSS
from vision.chips.values import COLOURS, MOST

SCENE, SMALL = 512, 320
CHIP_PX = (26.0, 190.0)
WIDE, HIGH = 224, 336
FOOT = (112.0, 290.0)
SHAPES = ("stack", "tube", "other")
SHOWS = 0.3
"""A stack is labelled where at least this share of it shows."""
LEAST_ACROSS = 30.0
"""Narrower stacks are not cut out: their chips are under three pixels thick."""
SHARD, TABLES = 50, 10
RACK_SCENES, NO_RACK = ((1024, 768), (768, 1024), (896, 896)), 0.3
"""Sizes of pictures of racks, and how many scenes have none."""
ROW_SHOWS = 0.15
"""A row in a rack is labelled where so much of it shows: the trough hides most of it."""
FIRST_RACK = 10_000
"""Racks from this number on are learned from; those before it are for measuring."""
FIRST_TABLE = 30_000
"""Tables from this number on are learned from; those before it are for measuring."""


@dataclass(frozen=True)
class Cuts:
    """N wide cuts. ``jpegs`` hold the pictures; the rest is in their pixels.

    ``order`` N x MOST colour numbers from the bottom up (-1: none), ``seams`` N x (MOST + 1) x 2, ``box`` N x 4,
    ``up`` N x 2, ``numbers`` N x 6: shape, chip width, squash, visible, seen_front, tilt.
    """

    jpegs: list[NDArray[np.uint8]]
    order: NDArray[np.int8]
    seams: NDArray[np.float32]
    box: NDArray[np.float32]
    up: NDArray[np.float32]
    numbers: NDArray[np.float32]


def wide_affine(stack: SeenStack) -> NDArray[np.float64]:
    """Picture to wide cut: turned by whole quarters only, so that a tube's axis points up."""
    quarter = int(np.round(np.arctan2(stack.up[0], -stack.up[1]) / (np.pi / 2))) if stack.shape == "tube" else 0
    k = ACROSS / stack.across
    c, s = round(np.cos(quarter * np.pi / 2)) * k, round(np.sin(quarter * np.pi / 2)) * k
    turn = np.array([[c, s], [-s, c]])
    return np.column_stack([turn, np.array(FOOT) - turn @ stack.seams[0]])


def wide_cut(image: Image, stack: SeenStack) -> tuple[Image, NDArray[np.float64]]:
    """The cut and its map from the picture."""
    m = wide_affine(stack)
    mode = cv2.INTER_AREA if stack.across > 1.5 * ACROSS else cv2.INTER_LINEAR
    if stack.across > 1.5 * ACROSS:  # warpAffine does not average: shrink first
        k = 1.5 * ACROSS / stack.across
        image = np.asarray(cv2.resize(image, None, fx=k, fy=k, interpolation=mode), np.uint8)
        local = m.copy()
        local[:, :2] /= k
    else:
        local = m
    wide = cv2.warpAffine(image, local, (WIDE, HIGH), flags=cv2.INTER_LINEAR, borderValue=(114, 114, 114))
    return np.asarray(wide, np.uint8), m


def label_lines(scene: ChipScene, shows: float = SHOWS) -> list[str]:
    """One line a stack: shape number, box centre and size as shares of the picture, cut off at its frame."""
    h, w = scene.image.shape[:2]
    out = []
    for s in scene.stacks:
        x0, y0, x1, y1 = np.clip(s.box, 0, [w, h, w, h])
        if s.visible < shows or x1 - x0 < 8 or y1 - y0 < 4:
            continue
        box = ((x0 + x1) / 2 / w, (y0 + y1) / 2 / h, (x1 - x0) / w, (y1 - y0) / h)
        out.append(" ".join([str(SHAPES.index(s.shape)), *(f"{v:.5f}" for v in box)]))
    return out


def _shard(number: int, folder: Path) -> int:
    seeds = range(number * SHARD, (number + 1) * SHARD)
    scenes = ((seed, random_chip_scene(seed, SCENE, SCENE, CHIP_PX)) for seed in seeds)
    return _kept(number, folder, scenes, SMALL / SCENE)


def _table_shard(number: int, folder: Path, followed: bool = False) -> int:
    """Crowded tables."""

    def scenes() -> Iterator[tuple[int, ChipScene]]:
        for table in range(FIRST_TABLE + number * TABLES, FIRST_TABLE + (number + 1) * TABLES):
            yield table, crowded(table, played(table), followed=followed)

    return _kept(number, folder, scenes(), 0.5)


def _rack_shard(number: int, folder: Path) -> int:
    """Racks, and now and then a scene without any, of which nothing is a row."""

    def scenes() -> Iterator[tuple[int, ChipScene]]:
        for seed in range(FIRST_RACK + number * SHARD, FIRST_RACK + (number + 1) * SHARD):
            rng = np.random.default_rng([seed, 5])
            if rng.random() < NO_RACK:
                yield seed, random_chip_scene(seed, SCENE, SCENE, CHIP_PX)
            else:
                yield seed, rack_scene(seed, RACK_SCENES[int(rng.integers(len(RACK_SCENES)))], played(seed))

    return _kept(number, folder, scenes(), None, row_lines, ROW_SHOWS)


def row_lines(scene: ChipScene) -> list[str]:
    """`label_lines` for those who look for rows in racks: 0 is one that runs up and down the picture, 1 one that runs
    across, 2 what stands or lies on the table.
    """
    stacks = []
    for s in scene.stacks:
        lies = s.shape == "tube"
        kind = "other" if not lies else "stack" if abs(s.up[1]) > abs(s.up[0]) else "tube"
        stacks.append(replace(s, shape=kind))
    return label_lines(replace(scene, stacks=tuple(stacks)), ROW_SHOWS)


def _kept(
    number: int, folder: Path, scenes: Iterable[tuple[int, ChipScene]], shrink: float | None,
    lines: Callable[[ChipScene], list[str]] = label_lines, shows: float = SHOWS,
) -> int:  # fmt: skip
    """Write one shard: each scene (with its seed) small for the finder, and the wide cuts of all stacks of which
    ``shows`` is seen.
    """
    cv2.setNumThreads(1)
    path = folder / "cuts" / f"{number:05d}.npz"
    if path.exists():
        return number
    rows: list[tuple[Image, SeenStack, NDArray[np.float64]]] = []
    for seed, scene in scenes:
        k = shrink or SMALL / max(scene.image.shape[:2])
        small = cv2.resize(scene.image, None, fx=k, fy=k, interpolation=cv2.INTER_AREA)
        cv2.imwrite(str(folder / "images" / f"{seed:08d}.jpg"), small, [cv2.IMWRITE_JPEG_QUALITY, 94])
        (folder / "labels" / f"{seed:08d}.txt").write_text("\n".join(lines(scene)) + "\n")
        for s in scene.stacks:
            if s.visible >= shows and s.across >= LEAST_ACROSS and np.isfinite(s.seams).all():
                image, m = wide_cut(scene.image, s)
                rows.append((image, s, m))
    part = path.with_suffix(".part")
    with part.open("wb") as out:
        np.savez(out, **_arrays(rows))
    part.replace(path)
    return number


def _arrays(rows: list[tuple[Image, SeenStack, NDArray[np.float64]]]) -> dict[str, Any]:
    n = len(rows)
    order = np.full((n, MOST), -1, np.int8)
    seams = np.full((n, MOST + 1, 2), np.nan, np.float32)
    box, up = np.zeros((n, 4), np.float32), np.zeros((n, 2), np.float32)
    numbers = np.zeros((n, 6), np.float32)
    jpegs = []
    for k, (image, s, m) in enumerate(rows):
        data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 93])[1].ravel()
        jpegs.append(data)
        order[k, : len(s.order)] = [COLOURS.index(c) for c in s.order]
        seams[k, : len(s.seams)] = s.seams @ m[:, :2].T + m[:, 2]
        corners = s.box.reshape(2, 2) @ m[:, :2].T + m[:, 2]
        box[k] = np.concatenate([corners.min(0), corners.max(0)])
        up[k] = m[:, :2] @ s.up / np.linalg.norm(m[:, :2] @ s.up)
        numbers[k] = SHAPES.index(s.shape), s.across, s.squash, s.visible, s.seen_front, s.tilt
    ends = np.cumsum([len(j) for j in jpegs]).astype(np.int64)
    data = np.concatenate(jpegs) if jpegs else np.zeros(0, np.uint8)
    return {"data": data, "ends": ends, "order": order, "seams": seams, "box": box, "up": up, "numbers": numbers}


def cuts_of(rows: list[tuple[Image, SeenStack, NDArray[np.float64]]]) -> Cuts:
    """Wide cuts, each with its stack and its map from the picture (`wide_cut`), as they are learned from."""
    made = _arrays(rows)
    return Cuts(_parted(made), made["order"], made["seams"], made["box"], made["up"], made["numbers"])


def _parted(made: Mapping[str, Any]) -> list[NDArray[np.uint8]]:
    """The pictures that lie one after the other in "data"."""
    everything, begin, out = made["data"], 0, []
    for end in made["ends"].tolist():
        out.append(everything[begin:end].copy())
        begin = end
    return out


def joined(parts: Sequence[Cuts]) -> Cuts:
    """All cuts of all parts."""
    arrays = (np.concatenate([getattr(p, key) for p in parts]) for key in ("order", "seams", "box", "up", "numbers"))
    return Cuts([j for p in parts for j in p.jpegs], *arrays)


Kind = Literal["scenes", "tables", "traced", "racks"]


def write_shards(folder: Path, numbers: Iterable[int], workers: int, kind: Kind = "scenes") -> Iterator[int]:
    """Render each shard of ``SHARD`` scenes, or of as many with racks, or of ``TABLES`` crowded tables
    (traced ones in light that is followed), into ``folder``; those that are there already are left alone.
    """
    shards: dict[Kind, Callable[..., int]] = {
        "scenes": _shard,
        "tables": _table_shard,
        "traced": partial(_table_shard, followed=True),
        "racks": _rack_shard,
    }
    for name in ("images", "labels", "cuts"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    yield from in_processes(partial(shards[kind], folder=folder), numbers, workers)


def _six(numbers: NDArray[np.float32]) -> NDArray[np.float32]:
    """Shards written before tilts were kept have none."""
    return np.pad(numbers, ((0, 0), (0, 6 - numbers.shape[1])))


def load_cuts(folder: Path) -> Cuts:
    """All cuts of a folder's shards."""
    jpegs: list[NDArray[np.uint8]] = []
    parts: dict[str, list[NDArray[np.float32]]] = {k: [] for k in ("order", "seams", "box", "up", "numbers")}
    for path in sorted((folder / "cuts").glob("*.npz")):
        with np.load(path) as data:
            jpegs += _parted(data)
            for key, part in parts.items():
                part.append(data[key] if key != "numbers" else _six(data[key]))
    whole = {key: np.concatenate(part) for key, part in parts.items()}
    return Cuts(jpegs, whole["order"].astype(np.int8), whole["seams"], whole["box"], whole["up"], whole["numbers"])
