"""Training photographs as the networks' training sets: patches for the reader, scenes for the detector."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np

from datasets.camera import Rng
from datasets.deck import Floats
from datasets.patches import NONE, Patches, joined, misplaced
from datasets.photographs import KnownIndex, Labelled, bicycle, fmjio, known_indices, shrunk, unmirrored
from datasets.yolo import SMALLEST_INDEX
from vision.cards.detector import CARD, INDEX
from vision.cards.patches import cut_patch, pyramid
from vision.cards.reader import CardReader

CROPS = 2
"""Scenes for the detector from each photograph."""
SHARD = 200
"""Photographs in one file of patches."""


def known_photographs(folder: Path, reader: CardReader) -> Iterator[tuple[str, Labelled, list[KnownIndex]]]:
    """Every training photograph under ``folder`` with its known indices; those without any are left out."""
    sources = (("fmjio", fmjio, unmirrored), ("bicycle", bicycle, lambda p, r: (p, known_indices(p, r)[0])))
    for source, photographs, knowing in sources:
        for k, photo in enumerate(photographs(folder / source)):
            upright, known = knowing(shrunk(photo), reader)
            if known:
                yield f"{source}_{k:04d}", upright, known


def write_photographs(
    folder: Path,
    patches: Path,
    scenes: Path,
    reader: CardReader,
    size: int,
    done: Callable[[], None] | None = None,
) -> None:
    """Shards into ``patches``, and into ``scenes``/images and /labels squares of ``size`` pixels."""
    for needed in (patches, scenes / "images", scenes / "labels"):
        needed.mkdir(parents=True, exist_ok=True)
    parts: list[Patches] = []

    def keep(name: str) -> None:
        if parts:
            whole = joined(parts)
            np.savez(patches / f"{name}.npz", images=whole.images, labels=whole.labels, corners=whole.corners)
            parts.clear()

    name = ""
    for number, (name, photo, known) in enumerate(known_photographs(folder, reader)):
        if made := patches_of_photo(photo, known, np.random.default_rng([number, 7])):
            parts.append(made)
        for n in range(CROPS):
            if crop := cropped(photo, known, np.random.default_rng([number, n, 3]), size):
                path = scenes / "images" / f"photo_{name}_{n}.jpg"
                cv2.imwrite(str(path), crop[0].image, [cv2.IMWRITE_JPEG_QUALITY, 94])
                (scenes / "labels" / f"{path.stem}.txt").write_text("\n".join(detector_lines(*crop)) + "\n")
        if len(parts) >= SHARD:
            keep(name)
        if done:
            done()
    keep(name)


def patches_of_photo(photo: Labelled, known: list[KnownIndex], rng: Rng, copies: int = 2) -> Patches | None:
    """Each known index as the detector found it, exactly placed, and ``copies`` times misplaced; None without any."""
    levels = pyramid(photo.image)
    images, labels, corners = [], [], []
    for index in known:
        places = [index.found]
        if index.quad is not None:
            places += [index.quad, *(misplaced(index.quad, rng, float(rng.uniform(0.4, 1.4))) for _ in range(copies))]
        for place in places:
            patch, m = cut_patch(levels, place)
            images.append(patch)
            labels.append(index.face)
            corners.append(index.quad @ m[:, :2].T + m[:, 2] if index.quad is not None else np.full((4, 2), np.nan))
    if not images:
        return None
    return Patches(np.stack(images), np.array(labels, np.int64), np.array(corners, np.float32))


def detector_lines(photo: Labelled, known: list[KnownIndex]) -> list[str]:
    """Ultralytics pose lines (see ``datasets.yolo``): placed indices with corners, cards by their box alone."""
    h, w = photo.image.shape[:2]
    lines = [_line(CARD, box.reshape(2, 2), w, h, shown=False) for box in photo.boxes]
    for index in known:
        if index.face != NONE:
            quad = index.quad if index.quad is not None else index.found
            lines.append(_line(INDEX, quad, w, h, shown=index.quad is not None))
    return lines


def _line(kind: int, points: Floats, w: int, h: int, shown: bool) -> str:
    size = np.array([w, h], np.float32)
    low, high = points.min(0) / size, points.max(0) / size
    box = [*((low + high) / 2), *(high - low)]
    corners = [f"{x:.5f} {y:.5f} 2" for x, y in points / size] if shown else ["0 0 0"] * 4
    return " ".join([str(kind), *(f"{v:.5f}" for v in box), *corners])


def cropped(photo: Labelled, known: list[KnownIndex], rng: Rng, size: int) -> tuple[Labelled, list[KnownIndex]] | None:
    """A square of ``size`` pixels somewhere in the photograph, its cards anywhere from small to large in it.

    None where no whole index of at least ``SMALLEST_INDEX`` pixels is in it.
    """
    long_sides = (photo.boxes[:, 2:] - photo.boxes[:, :2]).max(1)
    scale = float(np.exp(rng.uniform(np.log(70), np.log(330)))) / float(np.median(long_sides))
    scale = float(np.clip(scale, size / max(photo.image.shape[:2]), 1.5))
    small = cv2.resize(photo.image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    card = photo.boxes[int(rng.integers(len(photo.boxes)))] * scale
    free = np.array([max(small.shape[1] - size, 0), max(small.shape[0] - size, 0)])
    corner = np.clip((card[:2] + card[2:]) / 2 - size * rng.uniform(0.25, 0.75, 2), 0, free).astype(int)
    part = small[corner[1] : corner[1] + size, corner[0] : corner[0] + size]
    canvas = np.full((size, size, 3), 114, np.uint8)
    canvas[: part.shape[0], : part.shape[1]] = part
    limit = np.array(part.shape[1::-1], np.float32)
    moved = [
        KnownIndex(k.found * scale - corner, None if k.quad is None else k.quad * scale - corner, k.face) for k in known
    ]
    inside = [
        k
        for k in moved
        if (k.found >= 0).all()
        and (k.found <= limit).all()
        and np.linalg.norm(k.found[3] - k.found[0]) >= SMALLEST_INDEX
    ]
    boxes = photo.boxes * scale - np.tile(corner, 2)
    cut = np.clip(boxes, 0, np.tile(limit, 2))
    area, left = ((b[:, 2] - b[:, 0]) * (b[:, 3] - b[:, 1]) for b in (boxes, cut))
    kept = np.flatnonzero(left > 0.4 * area)
    if not any(k.face != NONE for k in inside):
        return None
    names = tuple(photo.names[n] for n in kept)
    return Labelled(canvas, np.asarray(cut[kept], np.float32), names), inside
