"""What a calibrated felt says of chips standing on it: how wide, how thick and how slanted the camera shows them there.

From the felt's homography the camera is recovered, as pixels are square and the lens looks through the picture's
middle: the two directions of the felt must come out at right angles and of one length, which leaves one unknown, the
focal length (Z. Zhang, "A flexible new technique for camera calibration", PAMI 2000, section 3.1). With it, what rises
from the felt is known too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import hypot, isfinite

import numpy as np
from numpy.typing import NDArray

from vision.chips.values import MOST, ChipSize
from vision.felt import Calibration
from vision.felt.calibration import bent
from vision.sightings import Point

CHIP_MM = ChipSize().width
FOCAL = (0.35, 4.0)
"""Focal lengths, in picture widths, that cameras over a table have: 110 to 14 degrees across."""
USUAL_FOCAL = 0.85
"""Where the felt is seen from straight above nothing tells the focal length: a webcam's, 61 degrees across."""


@dataclass(frozen=True)
class Lie:
    """How a chip that lies at some point of the felt is seen.

    ``across`` is its width in pixels, ``squash`` its upper face's height over its width, ``roll`` the turn of a stack's
    axis from upright in radians, clockwise, ``thick`` how many pixels the first chip adds to a stack. ``growth`` is by
    what share of that a stack's chips are thicker on average for each further chip: it rises towards the camera.
    ``within`` is by what share of it the thickness may be off where somebody measured these chips.
    """

    across: float
    squash: float
    roll: float
    thick: float
    growth: float = 0.0
    within: float | None = None


Ground = Callable[[Point], Lie | None]
"""From the lowest point of a stack in the picture (pixels) to how it lies; None where nothing is known."""


def ground(calibration: Calibration) -> Ground:
    """What ``calibration`` says of chips of the usual size, all over the picture."""
    upward = _upward(calibration)
    chip, thickness = ChipSize().width, ChipSize().thick
    heights = np.array([thickness, MOST * thickness])

    def at(foot: Point) -> Lie | None:
        here, behind = calibration.to_felt([foot, (foot[0], foot[1] - 1)])
        away = hypot(behind[0] - here[0], behind[1] - here[1])
        if not isfinite(away) or away == 0:
            return None
        # The foot is the rim's nearest point: the chip's middle lies half a chip behind it.
        k = chip / 2 / away
        x, y = here[0] + (behind[0] - here[0]) * k, here[1] + (behind[1] - here[1]) * k
        near = np.array(calibration.to_picture([(x, y), (x + 1, y), (x, y + 1)]))
        risen, column = upward(x, y, heights)
        if not (np.isfinite(near).all() and np.isfinite(risen).all() and np.isfinite(column).all()):
            return None
        rise = risen - near[0]
        thick = float(np.hypot(*rise))
        growth = (float(np.hypot(*(column - near[0]))) / (MOST * thick) - 1) / (MOST - 1) if thick > 0 else 0.0
        roll = float(np.arctan2(rise[0], -rise[1])) if thick > 0 else 0.0
        # The ellipse of the rim, as wide as it is across the stack's axis.
        slope = (near[1:] - near[0]).T * chip / 2
        turn = np.array([[np.cos(roll), np.sin(roll)], [-np.sin(roll), np.cos(roll)]]) @ slope
        half_wide, half_high = (float(np.hypot(*row)) for row in turn)
        if half_wide <= 0:
            return None
        return Lie(2 * half_wide, min(half_high / half_wide, 1.0), roll, thick, growth)

    return at


def of_size(known: Ground, size: ChipSize) -> Ground:
    """The same for chips of a size that somebody measured, from what is ``known`` of those of the usual size."""
    usual = ChipSize()
    return scaled(known, size.width / usual.width, size.thick / usual.thick, size.off)


def scaled(known: Ground, wider: float, thicker: float, within: float) -> Ground:
    """The same for chips so many times as wide and thick, the thickness known ``within`` a share of it."""

    def at(foot: Point) -> Lie | None:
        lie = known(foot)
        if lie is None:
            return None
        return replace(
            lie, across=lie.across * wider, thick=lie.thick * thicker, growth=lie.growth * thicker, within=within
        )

    return at


def moved(known: Ground, corner: Point) -> Ground:
    """The same for a part of the picture whose upper left corner is at ``corner``."""
    return lambda foot: known((foot[0] + corner[0], foot[1] + corner[1]))


def _upward(calibration: Calibration) -> Callable[[float, float, NDArray[np.float64]], NDArray[np.float64]]:
    """Felt millimetres and N heights above it to pixels, N x 2."""
    w, h = calibration.width, calibration.height
    middle = np.array([(w - 1) / 2, (h - 1) / 2])
    m = np.array(calibration.matrix, np.float64)
    centred = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, 1]]) @ m
    focal = _focal(centred, w)
    a, b, c = (np.array([v[0] / focal, v[1] / focal, v[2]]) for v in centred.T)
    unit = (np.linalg.norm(a) + np.linalg.norm(b)) / 2
    normal = np.cross(a, b) / unit
    if c @ normal > 0:  # up is towards the camera
        normal = -normal

    def at(x: float, y: float, heights: NDArray[np.float64]) -> NDArray[np.float64]:
        p = a * x + b * y + c + heights[:, None] * normal
        if (p[:, 2] <= 0).any():
            return np.full((len(heights), 2), np.nan)
        return bent(p[:, :2] / p[:, 2:] * focal + middle, calibration.bend, w, h)

    return at


def _focal(centred: NDArray[np.float64], width: int) -> float:
    """The focal length in pixels that makes the felt's two directions square, the better told of two conditions."""
    a, b = centred[:, 0], centred[:, 1]
    # Right angles: a.b = 0; one length: a.a = b.b, where a.b = (ax bx + ay by) / f^2 + az bz.
    above = np.array([-(a[0] * b[0] + a[1] * b[1]), b[0] ** 2 + b[1] ** 2 - a[0] ** 2 - a[1] ** 2])
    below = np.array([a[2] * b[2], a[2] ** 2 - b[2] ** 2])
    worth = float(below @ below)
    squared = float(above @ below) / worth if worth > 0 else 0.0
    low, high = FOCAL
    if not (low * width) ** 2 <= squared <= (high * width) ** 2:
        return USUAL_FOCAL * width
    return float(np.sqrt(squared))
