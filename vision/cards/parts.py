"""Finding in parts of a picture what finding in all of it would give there.

The network sees a cell with its surroundings, and its grid starts at the picture's corner. So a part is cut from the
picture as it was shrunk for the whole, on that grid's lines, with enough around it; what is found in the middle then
is what would have been found anyway.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.cards.detector import CELLS, INDEX, Detector, Found
from vision.cards.patches import Floats, Image

Box = tuple[int, int, int, int]
"""Left, top, right, bottom in the picture's pixels; the last two are outside."""
AROUND = 64
"""Pixels of the shrunken picture around a part that the network is shown besides."""


def found_in(
    detector: Detector, levels: Sequence[Image], boxes: Sequence[Box], long_side: int, least: float
) -> list[Found]:
    """As :meth:`Detector.at_scale`, for what has its centre in one of the boxes."""
    height, width = levels[0].shape[:2]
    small = _shrunk(levels, long_side)
    high, wide = small.shape[:2]
    scale = np.array([width / wide, height / high])
    out: list[Found] = []
    for box in boxes:
        x0, x1 = _span(box[0] / scale[0], box[2] / scale[0], wide)
        y0, y1 = _span(box[1] / scale[1], box[3] / scale[1], high)
        part, start = np.ascontiguousarray(small[y0:y1, x0:x1]), np.array([x0, y0])
        for f in detector.at_scale([part], max(part.shape[:2]), least):
            quad = ((f.quad + start) * scale).astype(np.float32)
            if within(quad.mean(0), [box]):
                out.append(Found(f.kind, quad, f.confidence))
    return out


def _shrunk(levels: Sequence[Image], long_side: int) -> Image:
    """The picture exactly as the detector shrinks it."""
    height, width = levels[0].shape[:2]
    image = next((level for level in reversed(levels) if max(level.shape[:2]) >= long_side), levels[0])
    scale = long_side / max(height, width)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    mode = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image, size, interpolation=mode), np.uint8)


def _span(low: float, high: float, most: int) -> tuple[int, int]:
    """The part's ends with its surroundings, on the grid of the largest cells or at the picture's rim."""
    cell = CELLS[-1]
    first = int((low - AROUND) // cell) * cell
    last = -int(-(high + AROUND) // cell) * cell
    return max(0, first), min(most, last)


def within(point: Floats, boxes: Sequence[Box]) -> bool:
    """Whether a point lies in one of the boxes."""
    x, y = float(point[0]), float(point[1])
    return any(left <= x < right and top <= y < bottom for left, top, right, bottom in boxes)


def grown_to(boxes: Sequence[Box], found: Sequence[Found], width: int, height: int) -> list[Box]:
    """The boxes, each large enough to hold what was found before and reaches into it; those that meet are joined."""
    around = [(*f.quad.min(0), *f.quad.max(0)) for f in found]
    out: list[Box] = []
    for box in boxes:
        touching = [a for a in around if _meet(box, a)]
        left, top, right, bottom = np.array([box, *touching], np.float64).reshape(-1, 4).T
        whole = (
            max(0, int(left.min())),
            max(0, int(top.min())),
            min(width, int(np.ceil(right.max()))),
            min(height, int(np.ceil(bottom.max()))),
        )
        if whole[2] > whole[0] and whole[3] > whole[1]:
            out.append(whole)
    return joined(out)


def around(found: Sequence[Found], beside: float, width: int, height: int) -> list[Box]:
    """Boxes about what was found, larger by ``beside`` of its sides, and by four times that about indices.

    Those that meet are joined; all lie in the picture.
    """
    out: list[Box] = []
    for f in found:
        low, high = f.quad.min(0), f.quad.max(0)
        room = (high - low) * beside * (4 if f.kind == INDEX else 1)
        x0, y0 = np.maximum(low - room, 0).astype(int)
        x1, y1 = np.minimum(np.ceil(high + room), (width, height)).astype(int)
        if x1 > x0 and y1 > y0:
            out.append((int(x0), int(y0), int(x1), int(y1)))
    return joined(out)


def work_share(boxes: Sequence[Box], long_side: int, width: int, height: int) -> float:
    """How much of the whole picture's work at that size it is to find in the boxes; over 1 where they are many."""
    scale = max(width, height) / long_side
    wide, high = max(1, round(width / scale)), max(1, round(height / scale))
    total = 0
    for box in boxes:
        x0, x1 = _span(box[0] / scale, box[2] / scale, wide)
        y0, y1 = _span(box[1] / scale, box[3] / scale, high)
        total += (x1 - x0) * (y1 - y0)
    return total / (wide * high)


def _meet(a: Sequence[float], b: Sequence[float], slack: float = 0.0) -> bool:
    across = min(a[2], b[2]) - max(a[0], b[0])
    return bool(across > -slack and min(a[3], b[3]) - max(a[1], b[1]) > -slack)


def joined(boxes: Sequence[Box]) -> list[Box]:
    """Boxes that meet made one, until none meet."""
    out: list[Box] = []
    for box in boxes:
        merged = box
        while met := [o for o in out if _meet(o, merged)]:
            out = [o for o in out if o not in met]
            left, top, right, bottom = zip(merged, *met, strict=True)
            merged = (min(left), min(top), max(right), max(bottom))
        out.append(merged)
    return out
