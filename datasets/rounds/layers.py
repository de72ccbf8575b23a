"""Flat pictures laid into a picture: warped, smeared by motion, shaded, with their shadow.

A layer is BGRA uint8 whose colours are already multiplied by its opacity, so that warping, blurring and averaging it
are right without more ado.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.deck import Floats, Image

Layer = NDArray[np.uint8]
FULL = 128
"""A light field's value that leaves colours as they are."""


def premultiplied(picture: Image) -> Layer:
    """BGRA with straight opacity as a layer."""
    alpha = cv2.cvtColor(picture[..., 3], cv2.COLOR_GRAY2BGR)
    colour = cv2.multiply(picture[..., :3], alpha, scale=1 / 255)
    return np.asarray(np.dstack([colour, picture[..., 3]]), np.uint8)


@dataclass(frozen=True)
class Box:
    """Part of a picture, in pixels; empty where it lies outside."""

    x0: int
    y0: int
    x1: int
    y1: int

    @property
    def empty(self) -> bool:
        """Whether nothing of it is in the picture."""
        return self.x1 <= self.x0 or self.y1 <= self.y0

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return (self.x1 - self.x0, self.y1 - self.y0)

    def of(self, picture: Image) -> Image:
        """The part itself, not a copy."""
        return picture[self.y0 : self.y1, self.x0 : self.x1]


def box_round(points: Floats, margin: float, width: int, height: int) -> Box:
    """The box around points (N x 2) with a margin, cut to the picture."""
    low, high = np.floor(points.min(0) - margin).astype(int), np.ceil(points.max(0) + margin).astype(int)
    return Box(max(int(low[0]), 0), max(int(low[1]), 0), min(int(high[0]), width), min(int(high[1]), height))


def warped_into(layer: Layer, quad: Floats, box: Box) -> Layer:
    """The layer with its corners at `quad` (4 x 2 pixels of the picture), drawn into the box."""
    h, w = layer.shape[:2]
    source = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    m = cv2.getPerspectiveTransform(source, (quad - np.array([box.x0, box.y0])).astype(np.float32))
    # Whole numbers are the pixels' corners here, but their centres in OpenCV.
    shift = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    m = np.linalg.inv(shift) @ m @ shift
    return np.asarray(cv2.warpPerspective(layer, m, box.size, flags=cv2.INTER_LINEAR), np.uint8)


def smeared(layer: Layer, dx: float, dy: float) -> Layer:
    """The layer as it looks when it moves by (dx, dy) pixels while the shutter is open, about its middle."""
    share = 0.5
    while max(abs(dx), abs(dy)) * share >= 0.75:
        x, y = round(dx * share / 2), round(dy * share / 2)
        if x or y:
            layer = _averaged(_shifted(layer, x, y), _shifted(layer, -x, -y))
        share /= 2
    return layer


def _averaged(a: Layer, b: Layer) -> Layer:
    return np.asarray(cv2.addWeighted(a, 0.5, b, 0.5, 0), np.uint8)


def _shifted(layer: Layer, x: int, y: int) -> Layer:
    """The layer moved by whole pixels, nothing coming in."""
    h, w = layer.shape[:2]
    out = np.zeros_like(layer)
    if abs(x) < w and abs(y) < h:
        out[max(y, 0) : h + min(y, 0), max(x, 0) : w + min(x, 0)] = layer[
            max(-y, 0) : h + min(-y, 0), max(-x, 0) : w + min(-x, 0)
        ]
    return out


def lay(picture: Image, box: Box, layer: Layer, light: Image | None = None) -> None:
    """Lay a layer of the box's size into the picture, in place; `light` (the box's part of a field) tints it first."""
    alpha = cv2.cvtColor(layer[..., 3], cv2.COLOR_GRAY2BGR)
    colour = cv2.cvtColor(layer, cv2.COLOR_BGRA2BGR)
    if light is not None:
        colour = cv2.multiply(colour, light, scale=1 / FULL)
    region = box.of(picture)
    cv2.add(cv2.multiply(region, cv2.bitwise_not(alpha), scale=1 / 255), colour, dst=region)


def shade(picture: Image, box: Box, opacity: Image, depth: float, spread: float) -> None:
    """Darken the picture in place under a thing of this opacity (the box's size): `depth` 1 would be black."""
    halved = spread > 4 and min(opacity.shape) >= 8
    small = cv2.resize(opacity, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA) if halved else opacity
    sigma = spread / 2 if halved else spread
    soft = cv2.GaussianBlur(small, (0, 0), max(sigma, 0.4))
    if soft.shape != opacity.shape:
        soft = cv2.resize(soft, (opacity.shape[1], opacity.shape[0]), interpolation=cv2.INTER_LINEAR)
    keep = cv2.convertScaleAbs(soft, alpha=-depth, beta=0)
    keep = cv2.bitwise_not(keep)
    region = box.of(picture)
    cv2.multiply(region, cv2.cvtColor(keep, cv2.COLOR_GRAY2BGR), dst=region, scale=1 / 255)
