"""A deck as the renderer sees it: textures with exact index boxes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

TEXTURE_WIDTH = 400
"""Pixels across a card's texture; height follows the deck's own shape."""


@dataclass(frozen=True)
class Face:
    """One side of a card.

    ``texture`` is BGRA, H x W x 4, alpha zero outside the rounded corners. ``indices`` is N x 4 x 2 float32: each
    index's corners in texture pixels, clockwise from the index's *own* top-left, so an upside-down index is listed
    upside down. Half-size copies (``mips``) keep small renders free of aliasing.
    """

    texture: Image
    indices: Floats = field(default_factory=lambda: np.zeros((0, 4, 2), np.float32))
    mips: tuple[Image, ...] = ()

    @staticmethod
    def make(texture: Image, indices: Floats | None = None) -> Face:
        """Build the half-size copies; ``indices`` defaults to none."""
        boxes = np.zeros((0, 4, 2), np.float32) if indices is None else indices.astype(np.float32)
        mips = [texture]
        while min(mips[-1].shape[:2]) > 40:
            half = (mips[-1].shape[1] // 2, mips[-1].shape[0] // 2)
            mips.append(np.asarray(cv2.resize(mips[-1], half, interpolation=cv2.INTER_AREA), np.uint8))
        return Face(texture, boxes, tuple(mips))


@dataclass(frozen=True)
class Deck:
    """Faces by label (drawn when first asked for), one back, and the card's width over its height."""

    name: str
    aspect: float
    face: Callable[[str], Face]
    back: Callable[[], Face]
    labels: tuple[str, ...]


def box_quad(x0: float, y0: float, x1: float, y1: float) -> Floats:
    """An upright box as a quad, clockwise from top-left."""
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32)


def turned(quad: Floats, width: int, height: int) -> Floats:
    """The same quad on the card turned by 180 degrees (the opposite index)."""
    return np.asarray(np.array([width, height], np.float32) - quad, np.float32)


def rounded_alpha(width: int, height: int, radius: float) -> Image:
    """Opacity of a card with rounded corners, smooth at the rim; ``radius`` in pixels."""
    scale = 4
    big = np.zeros((height * scale, width * scale), np.uint8)
    r = max(1, round(radius * scale))
    w, h = width * scale - 1, height * scale - 1
    cv2.rectangle(big, (r, 0), (w - r, h), 255, -1)
    cv2.rectangle(big, (0, r), (w, h - r), 255, -1)
    for cx, cy in ((r, r), (w - r, r), (r, h - r), (w - r, h - r)):
        cv2.circle(big, (cx, cy), r, 255, -1)
    return np.asarray(cv2.resize(big, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
