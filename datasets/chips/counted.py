"""Photographed stacks counted by eye, laid out as the rendered ones are (``datasets.chips.shards``).

The training photographs come with boxes alone. What was counted in them is in ``counted.json``: file name, then for
each box the line of the label file it stands on, how many chips, and their colours from the bottom up (one for all, or
each). How the stack stands and where its seams lie is found by the networks, given the count: of the stands round the
placer's the one is kept in which a run of just so many seams fits best.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.chips.scene import SeenStack
from datasets.chips.shards import Cuts, cuts_of, wide_cut
from datasets.deck import Image
from vision.cards.patches import pyramid
from vision.chips.counter import Counter
from vision.chips.crops import FOOT, Stand, column_affine
from vision.chips.stands import Placer, moved, outline
from vision.chips.values import MOST, Box

SPECKS = 0.004
"""Pictures with more than this share of pixels that stand out from all round them were speckled afterwards."""
STANDS_OUT = 70
"""Grey levels by which such a pixel differs from the median of its neighbours, in some channel."""
LEAST = 0.0
"""Stacks that fit less well than this, over their seams, are left out: their seams were not found."""
WAYS = ({"roll": 0.12}, {"tilt": 0.12}, {"aside": 0.06}, {"wider": 0.08}, {"steeper": 0.12})
"""How a stand is moved (`moved`)."""
SIZES = (1.0, 1.0, 0.5, 0.5, 0.25)
"""What share of these moves is tried, one round after the other."""


@dataclass(frozen=True)
class CountedStack:
    """One stack of a photograph: its ``box`` in pixels and its chips' colours from the bottom up."""

    photograph: Path
    box: Box
    order: tuple[str, ...]


def counted() -> dict[str, list[list[Any]]]:
    """What ``counted.json`` holds."""
    told: dict[str, list[list[Any]]] = json.loads((files("datasets.chips") / "counted.json").read_text("utf-8"))
    return told


def counted_stacks(folder: Path, told: Mapping[str, Sequence[Sequence[Any]]] | None = None) -> Iterator[CountedStack]:
    """All that were counted in the photographs of ``folder`` (images/, labels/ as YOLO boxes)."""
    for name, rows in sorted((counted() if told is None else told).items()):
        path = folder / "images" / name
        if not path.exists():
            continue
        height, width = np.asarray(cv2.imread(str(path))).shape[:2]
        lines = (folder / "labels" / f"{path.stem}.txt").read_text(encoding="utf-8").splitlines()
        for line, count, *colours in rows:
            if count > MOST:
                continue
            x, y, w, h = (float(v) for v in lines[line].split()[1:5])
            box = ((x - w / 2) * width, (y - h / 2) * height, (x + w / 2) * width, (y + h / 2) * height)
            yield CountedStack(path, box, tuple(colours) if len(colours) == count else tuple(colours[:1] * count))


def labelled(line: str) -> tuple[str, NDArray[np.float64]] | None:
    """The class and the box (middle, width and height, as shares of the picture) on a line of a YOLO label file, which
    may hold an outline too. None where there is neither."""
    kind, *rest = line.split() or [""]
    values = np.array(rest, np.float64)
    if len(values) < 4:
        return None
    if len(values) > 4:
        low, high = values.reshape(-1, 2).min(0), values.reshape(-1, 2).max(0)
        values = np.concatenate([(low + high) / 2, high - low])
    return kind, values


def unspeckled(image: Image) -> Image:
    """The picture without the white and black specks that were strewn over some of the training photographs."""
    smooth = cv2.medianBlur(image, 3)
    specks = cv2.absdiff(image, smooth).max(2) > STANDS_OUT
    return np.asarray(smooth if specks.mean() > SPECKS else image, np.uint8)


def photographed(stacks: Sequence[CountedStack], placer: Placer, counter: Counter, least: float = LEAST) -> Cuts:
    """The stacks whose seams were found, as well as ``least`` says (`Counter.fits`, for each seam)."""
    rows = []
    for stack in stacks:
        image = unspeckled(np.asarray(cv2.imread(str(stack.photograph)), np.uint8))
        score, stand, seams = aligned(image, stack.box, len(stack.order), placer, counter)
        if score / (len(stack.order) + 1) >= least:
            seen = _seen(stand, seams, stack.order)
            cut, affine = wide_cut(image, seen)
            rows.append((cut, seen, affine))
    return cuts_of(rows)


def aligned(
    image: Image, box: Box, count: int, placer: Placer, counter: Counter
) -> tuple[float, Stand, NDArray[np.float64]]:
    """How well ``count`` chips fit (`Counter.fits`), how the stack stands then, and its seams' rows in the column."""
    levels = pyramid(image)
    best = placer.place(levels, [box])[0]
    (score, rows), *_ = counter.fits(levels, [best], count)
    for size, way in product(SIZES, WAYS):
        near = [moved(best, **{how: sign * size * far for how, far in way.items()}) for sign in (-1, 1)]
        fits = counter.fits(levels, near, count)
        k = int(np.argmax([fit[0] for fit in fits]))
        if fits[k][0] > score:
            best, (score, rows) = near[k], fits[k]
    return score, best, rows


def _seen(stand: Stand, seams: NDArray[np.float64], order: tuple[str, ...]) -> SeenStack:
    """A stack as the renderer would report it, from where its seams lie in its column."""
    back = cv2.invertAffineTransform(column_affine(stand))
    rows = np.column_stack([np.full(len(seams), FOOT[0]), seams.astype(float)])
    points = np.asarray(rows @ back[:, :2].T + back[:, 2], np.float64)
    up = np.array([np.sin(stand.roll), -np.cos(stand.roll)])
    tall = float(np.linalg.norm(points[-1] - points[0])) / stand.across
    foot = (float(points[0, 0]), float(points[0, 1]))
    box = outline(replace(stand, foot=foot, tall=tall))
    return SeenStack("stack", np.array(box), order, points, stand.across, up, stand.squash, 1.0, 1.0, stand.tilt)
