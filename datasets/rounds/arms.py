"""An arm seen from above: a hand with its fingers together, a wrist and a sleeve, drawn from rounded shapes.

It is drawn once for a film, fingertips at the top, and laid into each picture where the arm is.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.camera import Rng
from datasets.rounds.layers import Layer, premultiplied

LENGTH, WIDTH = 1000.0, 190.0
"""Millimetres of the drawing, from the fingertips to the shoulder, and across."""
TIP = 12.0
"""Millimetres from the drawing's end to the fingertips."""

Skin = tuple[int, int, int]
Chain = list[tuple[float, float, float]]
"""A limb: x, y and radius of its joints in millimetres."""
SKINS: tuple[Skin, ...] = ((150, 178, 222), (128, 160, 208), (104, 138, 190), (72, 104, 156), (48, 70, 110))
SLEEVES: tuple[Skin, ...] = ((232, 230, 226), (40, 38, 38), (92, 62, 40), (58, 48, 120), (140, 120, 96), (70, 92, 60))

FOLD_MM = 16.0
"""Millimetres between a sleeve's folds."""
FINGERS = ((-31.0, 26.0, 96.0, 8.2), (-11.5, 6.0, 90.0, 9.2), (9.0, 0.0, 88.0, 9.6), (28.5, 10.0, 92.0, 9.2))
"""Of each finger: how far it is from the middle, its tip and root from the fingertips, and half its width."""


def draw_arm(rng: Rng, scale: float, sleeve: Skin | None = None) -> Layer:
    """The arm of a random person, `scale` pixels a millimetre; `sleeve` (blue, green, red) where it must be so."""
    drawing = _Drawing(np.zeros((round(LENGTH * scale), round(WIDTH * scale), 4), np.uint8), scale)
    skin = np.clip(np.array(SKINS[int(rng.integers(len(SKINS)))]) * rng.uniform(0.92, 1.06), 0, 255)
    cloth = np.array(sleeve if sleeve is not None else SLEEVES[int(rng.integers(len(SLEEVES)))], np.float64)
    cuff = TIP + (330.0 if rng.random() < 0.3 else 208.0)
    mirrored = bool(rng.random() < 0.4)

    # The thumb, then hand and forearm in one piece, the fingers over it, and the sleeve over the wrist.
    thumb = [(24.0, 138.0, 19.0), (40.0, 104.0, 13.0), (37.0, 72.0, 10.0)]
    back = [
        [(-25.0, 100.0, 18.0), (-14.0, 140.0, 24.0), (-4.0, 178.0, 25.0)],
        [(0.0, 96.0, 20.0), (0.0, 180.0, 28.0), (0.0, 235.0, 27.5), (0.0, 430.0, 42.0)],
        [(23.0, 100.0, 18.0), (12.0, 140.0, 24.0), (4.0, 178.0, 25.0)],
    ]
    drawing.limb([thumb], skin * 0.97)
    drawing.limb(back, skin)
    for side, tip, root, thick in FINGERS:
        lean = float(rng.normal(0, 1.2))
        joints = [
            (side * 0.86, root, thick * 1.05),
            (side + lean, (tip + root) / 2, thick),
            (side * 0.92 + lean, tip + thick, thick * 0.86),
        ]
        drawing.limb([joints], skin * float(rng.uniform(0.96, 1.03)))
        drawing.spot(side * 0.92 + lean, tip + thick * 0.9, thick * 0.55, skin * 1.08 + 8)
    for side, y in ((-27.0, 92.0), (-9.0, 84.0), (9.0, 83.0), (26.0, 88.0)):
        drawing.crease(side, y, skin * 0.78)
    sleeve_chain = [(0.0, cuff + 10.0, 43.0), (0.0, cuff + 250.0, 60.0), (0.0, LENGTH + 70.0, 78.0)]
    drawing.limb([sleeve_chain], cloth, folds=rng, from_y=cuff - TIP)
    picture = np.ascontiguousarray(drawing.canvas[:, ::-1]) if mirrored else drawing.canvas
    return premultiplied(np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.7), np.uint8))


@dataclass(frozen=True)
class _Drawing:
    """A canvas (BGRA) on which places are millimetres: x from its middle, y from the fingertips."""

    canvas: NDArray[np.uint8]
    scale: float

    def pixel(self, x: float, y: float) -> tuple[int, int]:
        return (round((WIDTH / 2 + x) * self.scale), round((TIP + y) * self.scale))

    def limb(
        self,
        chains: list[Chain],
        colour: NDArray[np.floating],
        folds: Rng | None = None,
        from_y: float | None = None,
    ) -> None:
        """Limbs through these joints as one piece, shaded as round; `folds` makes cloth of it."""
        scale = self.scale
        mask = np.zeros(self.canvas.shape[:2], np.uint8)
        for (ax, ay, ar), (bx, by, br) in (pair for chain in chains for pair in pairwise(chain)):
            steps = max(2, round(np.hypot(bx - ax, by - ay) / 2))
            for t in np.linspace(0, 1, steps + 1):
                centre = self.pixel(ax + (bx - ax) * t, ay + (by - ay) * t)
                cv2.circle(mask, centre, round((ar + (br - ar) * t) * scale), 255, -1)
        if from_y is not None:
            mask[: self.pixel(0, from_y)[1]] = 0
        x0, y0, w, h = cv2.boundingRect(mask)
        part = np.pad(mask[y0 : y0 + h, x0 : x0 + w], 2)
        depth = np.asarray(cv2.distanceTransform(part, cv2.DIST_L2, 5)[2:-2, 2:-2], np.float32)
        # A round bar: steep at its edge, flat on its back. The light comes a little from the left.
        height = np.sqrt(np.clip(1 - (1 - depth / max(float(depth.max()), 1.0)) ** 2, 0, 1))
        slope = cv2.Sobel(cv2.GaussianBlur(height, (0, 0), 2 * scale), cv2.CV_32F, 1, 0, ksize=3)
        tone = 0.55 + 0.45 * height - 0.6 * scale * slope
        if folds is not None:
            creases = folds.standard_normal((round(h / scale / FOLD_MM) + 2, 6)).astype(np.float32)
            tone += 0.11 * cv2.resize(creases, (w, h), interpolation=cv2.INTER_CUBIC) * height
            tone += 0.02 * folds.standard_normal((h, w), dtype=np.float32)
            tone[: max(1, round(9 * scale))] *= 0.88  # the cuff's seam
        shaded = np.clip(colour[None, None] * np.clip(tone, 0.25, 1.15)[..., None], 0, 255)
        inside = part[2:-2, 2:-2] > 0
        region = self.canvas[y0 : y0 + h, x0 : x0 + w]
        # A thin dark rim where a part lies on another one.
        rim = inside & (depth < 1.3 * scale) & (region[..., 3] > 0)
        shaded[rim] *= 0.82
        region[..., :3][inside] = shaded[inside].astype(np.uint8)
        region[..., 3][inside] = 255

    def spot(self, x: float, y: float, size: float, colour: NDArray[np.floating]) -> None:
        """A fingernail."""
        axes = (round(size * self.scale), round(size * 1.25 * self.scale))
        cv2.ellipse(self.canvas, self.pixel(x, y), axes, 0, 0, 360, _opaque(colour), -1, cv2.LINE_AA)

    def crease(self, x: float, y: float, colour: NDArray[np.floating]) -> None:
        """A knuckle's line."""
        axes = (round(6 * self.scale), round(2 * self.scale))
        cv2.ellipse(self.canvas, self.pixel(x, y), axes, 0, 200, 340, _opaque(colour), 1, cv2.LINE_AA)


def _opaque(colour: NDArray[np.floating]) -> tuple[float, float, float, float]:
    b, g, r = (float(v) for v in np.clip(colour, 0, 255))
    return (b, g, r, 255.0)
