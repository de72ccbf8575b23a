"""What happens to a patch at every pass over it: other light, other pixels, other letters.

The reader soon knows the patches it learns from by heart (.999 of them are named rightly, against .974 of letters it
never saw), so each is shown differently every time: as another camera would see it, and as another foundry would
have cut its letters. Colours, sharpness and blocks of a stream only change pixels; a bend moves the corners too.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Rng = np.random.Generator
Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

SMALLER: Final = 0.12
SHRUNK: Final = (1.2, 2.4)
"""So many of the patches are shown as from an index so many times smaller."""
MOVED, TURN, GROWN, ASKEW, SHIFT = 0.6, 0.06, 0.08, 0.06, 1.6
"""So many are turned (radians), grown (a share, each way by itself), sheared and shifted (pixels) a little more."""
RUBBER, BEND, KNOTS = 0.6, 1.6, (5, 4)
"""So many of those are bent too, by so many pixels (one standard deviation) at the knots of so coarse a net."""
INKED, FADED, BURNT, BLOCKED, BLURRED = 0.3, 0.12, 0.14, 0.14, 0.14
"""So many have thicker or thinner letters; lose colour; are overexposed; packed as in a stream; out of focus."""


def shaken(images: np.ndarray, rng: Rng) -> np.ndarray:
    """Brightness, colour and noise differ at every pass over a patch (N x H x W x 3)."""
    n = len(images)
    x = images.astype(np.float32)
    x *= rng.uniform(0.7, 1.3, (n, 1, 1, 1)) * rng.normal(1, 0.06, (n, 1, 1, 3))
    x += rng.normal(0, 12, (n, 1, 1, 1))
    grain = _grain(images.shape[1:])
    which, flip = rng.integers(len(grain), size=n), rng.random(n) < 0.5
    for k, strength in enumerate(rng.uniform(0, 7, n)):
        x[k] += grain[which[k], :, :: -1 if flip[k] else 1] * np.float32(strength)
    return np.clip(x, 0, 255, out=x)


@lru_cache(maxsize=2)
def _grain(shape: tuple[int, ...]) -> Floats:
    """Noise to choose from: making as much anew for each patch took as long as a sixth of the learning."""
    return np.random.default_rng(0).standard_normal((256, *shape), dtype=np.float32)


def varied(images: np.ndarray, corners: np.ndarray, rng: Rng) -> tuple[np.ndarray, np.ndarray]:
    """Each patch (N x H x W x 3) as it might be in other letters and before another camera, and where its corners
    (N x 4 x 2 pixels, NaN where unknown) then lie."""
    images, corners = images.copy(), corners.copy()
    for k in range(len(images)):
        patch = images[k]
        if rng.random() < INKED:
            patch = inked(patch, rng)
        if rng.random() < MOVED:
            patch, corners[k] = bent(patch, corners[k], rng)
        for share, change in CHANGES:
            if rng.random() < share:
                patch = change(patch, rng)
        images[k] = patch
    return images, corners


def inked(patch: Image, rng: Rng) -> Image:
    """Thicker letters or thinner ones: what is dark spreads by part of a pixel or two, or shrinks."""
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
    other = (cv2.erode if rng.random() < 0.5 else cv2.dilate)(patch, kernel)
    share = float(rng.uniform(0.3, 1.0))
    return np.asarray(cv2.addWeighted(other, share, patch, 1 - share, 0), np.uint8)


def bent(patch: Image, corners: np.ndarray, rng: Rng) -> tuple[Image, np.ndarray]:
    """The patch bent like rubber, and its corners with it."""
    high, wide = patch.shape[:2]
    turn, skew = rng.normal(0, TURN), rng.normal(0, ASKEW)
    grow = np.exp(rng.normal(0, GROWN, 2))
    moved = np.array([[np.cos(turn), -np.sin(turn) + skew], [np.sin(turn), np.cos(turn)]]) @ np.diag(grow)
    middle = np.array([wide, high], np.float64) / 2
    shift = rng.normal(0, SHIFT, 2)
    # From where in the patch each pixel comes: the inverse of where things go.
    back = np.linalg.inv(moved)
    source = cv2.transform(_pixels(high, wide), np.column_stack([back, middle - back @ (middle + shift)]))
    net = np.zeros((*KNOTS, 2), np.float32)
    if rng.random() < RUBBER:
        net = rng.normal(0, BEND, (*KNOTS, 2)).astype(np.float32)
    source = source + np.asarray(cv2.resize(net, (wide, high), interpolation=cv2.INTER_CUBIC), np.float32)
    out = cv2.remap(patch, source[..., 0], source[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    if not np.isfinite(corners).all():
        return np.asarray(out, np.uint8), corners
    goal = (corners - middle) @ moved.T + middle + shift
    for _ in range(3):  # a point's own displacement, found by going back and seeing how far off that comes out
        at = np.clip(goal, 0, [wide - 1, high - 1]).astype(np.float32)
        came = np.asarray(
            cv2.remap(source, at[:, 0].reshape(-1, 1), at[:, 1].reshape(-1, 1), cv2.INTER_LINEAR), np.float32
        ).reshape(-1, 2)
        came += (goal - at) @ back.T  # beyond the patch the net is carried on flat
        goal = goal + (corners - came) @ moved.T
    return np.asarray(out, np.uint8), goal.astype(np.float32)


@lru_cache(maxsize=4)
def _pixels(high: int, wide: int) -> Floats:
    """Where each pixel is (H x W x 2)."""
    y, x = np.mgrid[:high, :wide].astype(np.float32)
    return np.stack([x, y], 2)


def faded(patch: Image, rng: Rng) -> Image:
    """Nearer to grey."""
    grey = cv2.cvtColor(cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    share = float(rng.uniform(0.2, 0.7))
    return np.asarray(cv2.addWeighted(grey, share, patch, 1 - share, 0), np.uint8)


def burnt(patch: Image, rng: Rng) -> Image:
    """Overexposed: paper and part of the ink run into white."""
    return np.asarray(cv2.convertScaleAbs(patch, alpha=float(rng.uniform(1.2, 1.9))), np.uint8)


def blocked(patch: Image, rng: Rng) -> Image:
    """Packed as a stream packs it, at fewer pixels."""
    high, wide = patch.shape[:2]
    times = float(rng.uniform(1.0, 3.0))
    few = cv2.resize(patch, (int(wide / times), int(high / times)), interpolation=cv2.INTER_AREA)
    _, packed = cv2.imencode(".jpg", few, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(18, 70))])
    read = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return np.asarray(cv2.resize(read, (wide, high), interpolation=cv2.INTER_LINEAR), np.uint8)


def blurred(patch: Image, rng: Rng) -> Image:
    """Out of focus, or moved."""
    if rng.random() < 0.5:
        return np.asarray(cv2.GaussianBlur(patch, (0, 0), float(rng.uniform(0.7, 2.2))), np.uint8)
    reach = int(rng.integers(3, 8))
    kernel = np.zeros((reach, reach), np.float32)
    angle = rng.uniform(0, np.pi)
    ends = np.array([np.cos(angle), np.sin(angle)]) * (reach - 1) / 2
    start, end = (np.array([reach - 1, reach - 1]) / 2 + sign * ends for sign in (-1, 1))
    cv2.line(kernel, [int(v) for v in start.round()], [int(v) for v in end.round()], 1.0)
    return np.asarray(cv2.filter2D(patch, -1, kernel / kernel.sum()), np.uint8)


def smaller(patch: Image, rng: Rng) -> Image:
    """As it would be cut from a picture of fewer pixels."""
    high, wide = patch.shape[:2]
    times = float(rng.uniform(*SHRUNK))
    few = cv2.resize(patch, (int(wide / times), int(high / times)), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(few, (wide, high), interpolation=cv2.INTER_LINEAR), np.uint8)


CHANGES: Final[tuple[tuple[float, Callable[[Image, Rng], Image]], ...]] = (
    (FADED, faded),
    (BURNT, burnt),
    (BLURRED, blurred),
    (SMALLER, smaller),
    (BLOCKED, blocked),
)
