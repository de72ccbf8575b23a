"""What a detector that teaches overlooks, told to its pupil from the pictures' labels.

A twin that learns from its teacher alone overlooks what the teacher does: a joker whose corner shows a star was found
by neither. Rendered scenes know where every index is, so where the teacher finds none there, its word is mended.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Quads = NDArray[np.float32]
"""N x 4 x 2, pixels unless said; each from its own top left."""
MOST = 40
"""So many indices of a picture are told, the rest being left to the teacher."""
STRIDES = (8, 16, 32)
NEAR = 0.3
"""So near to an index's middle, in its diagonals, the teacher must have found it,"""
FOUND = 0.45
"""so surely."""
TOLD, TOLD_BESIDE, BESIDE = 0.68, 0.5, 0.22
"""What the pupil is told in its place: as much as the teacher says where it does find one (.65 to .7), and less for the
cells about the middle, up to so many diagonals away."""
LARGE = 56.0
"""Indices of a longer diagonal, in pixels, are told on the grid of 16 pixels."""


def shares_of(picture: Path) -> Quads:
    """The indices in ``picture`` in shares of its sides, from the file of its name in ``labels`` beside its folder (as
    the detector's recipe writes them); none where there is no such file."""
    path = picture.parent.parent / "labels" / f"{picture.stem}.txt"
    if not path.exists():
        return np.zeros((0, 4, 2), np.float32)
    rows = [line.split() for line in path.read_text().splitlines() if line.startswith("0 ")]
    corners = [np.array(row[5:17], np.float32).reshape(4, 3)[:, :2] for row in rows]
    return np.array(corners, np.float32).reshape(-1, 4, 2)


def padded(quads: Quads, side: int) -> Quads:
    """Those that lie in a picture of ``side`` pixels as ``MOST`` x 4 x 2, the rest not a number."""
    inside = quads[((quads > -0.01 * side) & (quads < 1.01 * side)).all((1, 2))][:MOST]
    out = np.full((MOST, 4, 2), np.nan, np.float32)
    out[: len(inside)] = inside
    return out


def mended(chances: Any, points: Any, quads: NDArray[np.float32], side: int) -> tuple[Any, Any]:
    """The teacher's chances (B x classes x cells) and corners (B x 12 x cells, in cells) with what it overlooked in
    pictures of ``side`` pixels; ``quads`` is B x `MOST` x 4 x 2, not a number where there is none."""
    import torch

    chances, points = chances.clone(), points.clone()
    x_and_y = np.arange(points.shape[1]) % 3 < 2
    wide = [side // stride for stride in STRIDES]
    begins = np.cumsum([0, *(w * w for w in wide)])
    for picture, those in enumerate(quads):
        for quad in those[np.isfinite(those[:, 0, 0])]:
            middle, size = quad.mean(0), float(np.linalg.norm(quad[2] - quad[0]))
            levels = list(zip(STRIDES, wide, begins, strict=False))
            near = [begin + cell for s, w, begin in levels for cell in _cells(middle, NEAR * size, s, w)]
            if near and float(chances[picture, 0, near].max()) > FOUND:
                continue
            stride, w, begin = levels[int(size >= LARGE)]
            for cell in _cells(middle, max(BESIDE * size, stride / 2), stride, w):
                at = np.array([cell % w, cell // w])
                right_here = np.abs((at + 0.5) * stride - middle).max() <= stride / 2
                told = TOLD if right_here else TOLD_BESIDE
                chances[picture, 0, begin + cell] = max(float(chances[picture, 0, begin + cell]), told)
                corners = ((quad / stride - at) / 2).reshape(-1).astype(np.float32)
                points[picture, torch.from_numpy(x_and_y), int(begin + cell)] = torch.from_numpy(corners).to(points)
    return chances, points


def _cells(middle: NDArray[np.float32], reach: float, stride: int, wide: int) -> list[int]:
    """The cells of a grid whose middles are so near, row by row."""
    across, down = (
        [k for k in range(wide) if abs((k + 0.5) * stride - float(middle[axis])) <= max(reach, stride / 2)]
        for axis in (0, 1)
    )
    return [j * wide + i for j in down for i in across]
