"""Cutting an index out of a picture at native resolution, upright and at one size.

A patch is ``PATCH_WIDTH`` x ``PATCH_HEIGHT`` pixels; the index's quad fills the middle ``FILL`` of it, so that the
reader also sees what lies around and can say where the index really ends.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

PATCH_WIDTH, PATCH_HEIGHT = 64, 96
FILL = 0.58
_M = (1 - FILL) / 2
TARGET: Floats = np.array([[_M, _M], [1 - _M, _M], [1 - _M, 1 - _M], [_M, 1 - _M]], np.float32) * np.array(
    [PATCH_WIDTH, PATCH_HEIGHT], np.float32
)
"""Where a perfectly placed index's corners lie in its patch, in patch pixels."""


_FIT = np.linalg.pinv(np.column_stack([TARGET.astype(np.float64), np.ones(4)]))


def patch_affine(quad: Floats) -> NDArray[np.float64]:
    """The 2 x 3 affine map from picture to patch pixels: the inverse of what best takes ``TARGET`` to ``quad``.

    Affine, not perspective: across one index perspective is negligible, and four noisy corners of a ten-pixel index
    would make a wild homography. A degenerate quad gives zeros.
    """
    return np.asarray(cv2.invertAffineTransform((_FIT @ quad.astype(np.float64)).T), np.float64)


def pyramid(image: Image) -> list[Image]:
    """The picture and its half-size copies, down to about 200 pixels."""
    levels = [image]
    while min(levels[-1].shape[:2]) > 400:
        half = (levels[-1].shape[1] // 2, levels[-1].shape[0] // 2)
        levels.append(np.asarray(cv2.resize(levels[-1], half, interpolation=cv2.INTER_AREA), np.uint8))
    return levels


def cut_patch(levels: Sequence[Image], quad: Floats) -> tuple[Image, NDArray[np.float64]]:
    """The patch (H x W x 3, BGR) for ``quad`` (4 x 2 picture pixels), and the affine from picture to patch.

    Raises ``numpy.linalg.LinAlgError`` never: a degenerate quad gives a flat patch.
    """
    m = patch_affine(quad)
    shrink = 1.0 / max(float(np.sqrt(abs(np.linalg.det(m[:, :2])))), 1e-3)
    level = int(np.clip(np.floor(np.log2(max(shrink, 1.0)) + 0.3), 0, len(levels) - 1))
    local = m.copy()
    if level:
        sx = levels[0].shape[1] / levels[level].shape[1]
        sy = levels[0].shape[0] / levels[level].shape[0]
        local[:, 0] *= sx
        local[:, 1] *= sy
    patch = cv2.warpAffine(
        levels[level], local, (PATCH_WIDTH, PATCH_HEIGHT), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(patch, np.uint8), m


def to_input(patches: NDArray[np.uint8]) -> Floats:
    """N x H x W x 3 BGR bytes to N x 3 x H x W, each patch at zero mean and unit contrast."""
    count, height, width, channels = patches.shape
    out = np.empty((count, channels, height, width), np.float32)
    for made, patch in zip(out, patches, strict=True):
        # One patch at a time, from OpenCV's sums: a quarter of the time that whole arrays of floats take.
        means, spreads = cv2.meanStdDev(patch)
        mean = float(means.mean())
        spread = max(float((spreads**2 + means**2).mean()) - mean**2, 0.0) ** 0.5
        gain = 1 / (spread + 8.0)
        np.multiply(patch.transpose(2, 0, 1), np.float32(gain), out=made)
        made -= np.float32(mean * gain)
    return out
