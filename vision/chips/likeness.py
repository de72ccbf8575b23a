"""How like the chips of a set a stack's chips look, whatever the light was in which the set was shown.

A set keeps some pixels of each of its chips' edges. Light that is warmer, greener or dimmer, and a camera that makes
up for it, multiply each of the picture's three colours by a factor (J. von Kries, 1902). So the set is looked at under
some lights; under each its edges are compared with those of the stack, and each light counts by how well it explains
all chips of the stack together.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.chips.alike import QUANTILES, bands
from vision.chips.crops import Floats, Image

Pixels = NDArray[np.uint8]

SAMPLES = 48
"""So many pixels of a chip's edge are kept."""
GAMMA = 2.2
LIGHTS = tuple(product((-0.9, -0.6, -0.3, 0.0, 0.3, 0.6, 0.9), (-0.45, -0.225, 0.0, 0.225, 0.45), (-0.15, 0.0, 0.15)))
"""How much brighter, warmer and greener, each as a logarithm."""
SAME = (0.0, 0.0, 0.0)
"""The light in which the set was shown."""
USUALLY = (0.5, 0.25, 0.125)
"""How far another light commonly is from that in which the set was shown, the same three."""
THE_SAME, NEARLY = 0.9, (0.2, 0.08, 0.05)
"""So often it is the light in which the set was shown, or as little off as shadows and a camera's settings make it: the
chips are shown on the table on which they are played with. Were any light as good, dark blue chips with white inserts
could be white ones with red inserts in a dim blue light."""
NAMED, BELONGS = (0.38, 0.35), (0.1, 0.3)
"""What each unit (CIELAB) costs by which a chip is lighter, and of another tint, than one of the set: to tell which of
the set's it is, and whether it is any of them. Shadows make all of them darker, but none of another tint."""


def _expected() -> Floats:
    """See `EXPECTED`."""
    odds = [np.exp(-0.5 * ((np.array(LIGHTS) / far) ** 2).sum(1)) for far in (NEARLY, USUALLY)]
    near, any_light = (it / it.sum() for it in odds)
    return np.asarray(np.log(THE_SAME * near + (1 - THE_SAME) * any_light), np.float32)


EXPECTED = _expected()
"""The chance of each of `LIGHTS`, as a logarithm, before a stack is looked at."""


def edges(column: Image, rows: Sequence[int] | NDArray[np.intp]) -> Pixels:
    """Of each chip between two seams `SAMPLES` pixels, from dark to light: chips x SAMPLES x 3, BGR."""
    out = np.zeros((len(rows) - 1, SAMPLES, 3), np.uint8)
    for k, band in enumerate(bands(column, rows)):
        ordered = band[np.argsort(band.astype(np.int32).sum(1), kind="stable")]
        out[k] = ordered[np.linspace(0, len(ordered) - 1, SAMPLES).round().astype(int)]
    return out


def under_lights(pixels: Pixels) -> Floats:
    """How the edges (N x SAMPLES x 3) look under each of `LIGHTS`: N x lights x quantiles x 3, as `alike.looks`."""
    linear = (pixels.astype(np.float32) / 255) ** GAMMA
    bright, warm, green = np.array(LIGHTS, np.float32).T
    gains = np.exp(np.stack([bright - warm, bright + green, bright + warm], 1))
    lit = np.clip(linear[:, None] * gains[None, :, None], 0, 1) ** (1 / GAMMA)
    lab = cv2.cvtColor(lit.reshape(1, -1, 3).astype(np.float32), cv2.COLOR_BGR2Lab).reshape(lit.shape)
    return np.asarray(np.quantile(lab, QUANTILES, axis=2).transpose(1, 2, 0, 3), np.float32)


def differences(seen: Floats, lit: Floats) -> Floats:
    """How far each of a stack's chips is from each one of the set in lightness and in tint: chips x N x lights x 2.

    ``seen`` are the stack's chips (`alike.looks`), ``lit`` the set's (`under_lights`).
    """
    far = np.abs(seen[:, None, None] - lit[None]).mean(3)
    return np.stack([far[..., 0], far[..., 1:].mean(-1)], -1)


def unlike(seen: Floats, lit: Floats) -> Floats:
    """What it costs to take a chip for one of the set, by `differences`: chips x N x lights."""
    return differences(seen, lit) @ np.array(NAMED, np.float32)


def explained(logs: Floats) -> tuple[Floats, Floats]:
    """Each chip's chances of the names (chips x names), and how well the best of them explains it (a logarithm).

    From logarithms under each light: chips x names x lights. All chips of a stack stand in one light.
    """
    best = logs.max(1, keepdims=True)
    weights = np.exp(logs - best)
    sums = weights.sum(1, keepdims=True)
    whole = (best + np.log(sums))[:, 0].sum(0) + EXPECTED
    light = np.exp(whole - whole.max())
    light /= light.sum()
    chances = (weights / sums * light).sum(2)
    return np.asarray(chances, np.float32), np.asarray((best[:, 0] * light).sum(1), np.float32)
