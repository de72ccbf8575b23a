"""Whether something that is no chip lies over a place in one of two pictures: a hand, a sleeve, a card.

Between two pictures of a place on a felt chips are put down and taken away, and each of them is read. What else looks
different there was not read: most often a hand that hides the bet, so that it seems to be gone. The felt of both is
brought to one plan, since each picture has a calibration of its own; the light may change, and shadows may fall.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.chips.crops import Floats, Image
from vision.chips.spots import SpotReading
from vision.chips.values import Box
from vision.felt import Calibration

UNREAD: Final = 150.0
"""So many square millimetres that changed unread are more than chance: of 268 places of settled tables none has more.
Of 47 of whose chips a hand hides a part 43 do, among them all seven whose payment was then judged wrongly."""
NARROW: Final = 13
"""What changed is at least so many millimetres wide; print and the rims of shadows are narrower."""
AROUND: Final = 0.12
"""So much of a stack's width around it is left out: its shadow, and where it stands."""
APART: Final = 16.0
"""By so many levels of 255 what is seen differs that is something else,"""
SHADED: Final = 12.0
"""unless it is as much the same but for how light it is,"""
SHADES: Final = (0.4, 2.5)
"""within these bounds: a shadow fell there, or went."""
DARK: Final = 8.0
"""Levels that are added before shares are taken: in the dark a share is noise."""
ROUND, COARSE = 300.0, 8.0
"""So many millimetres around the place tell how much lighter one picture is than the other, by points so far apart."""
LEAST_SEEN: Final = 50
"""Fewer points of the place than this tell nothing."""


@dataclass(frozen=True, eq=False)
class Look:
    """A place as one picture shows it: ``image`` H x W x 3 (BGR), its ``calibration``, and what was read there."""

    image: Image
    calibration: Calibration
    reading: SpotReading


def unread(one: Look, other: Look) -> float:
    """How much of the place, in square millimetres, looks different in both though no chips were read there."""
    outline = np.array(one.reading.zone.shape.outline, np.float64)
    low, size = outline.min(0), np.ceil(np.ptp(outline, axis=0)).astype(int)
    here = [_shown(look, low, (int(size[0]), int(size[1])), 1.0) for look in (one, other)]
    wide = (size + 2 * ROUND) / COARSE
    around = [_shown(look, low - ROUND, (int(wide[0]), int(wide[1])), COARSE) for look in (one, other)]
    lit = around[0][1] & around[1][1]
    inside = cv2.fillPoly(np.zeros((size[1], size[0]), np.uint8), [np.round(outline - low).astype(np.int32)], 1) > 0
    free = here[0][1] & here[1][1] & inside
    if free.sum() < LEAST_SEEN or lit.sum() < LEAST_SEEN:
        return 0.0
    exposure = np.median(around[1][0][lit] / around[0][0][lit], axis=0)
    changed = (_differ(here[0][0] * exposure, here[1][0]) & free).astype(np.uint8)
    whole = cv2.morphologyEx(changed, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (NARROW, NARROW)))
    return float(whole.sum())


def _shown(look: Look, low: Floats, size: tuple[int, int], step: float) -> tuple[Floats, NDArray[np.bool_]]:
    """A part of the felt from ``low`` (millimetres) on, ``size`` (wide, high) points a ``step`` apart: as the picture
    shows it (high x wide x 3), and where it shows it and no chips.
    """
    wide, high = size
    x, y = np.meshgrid(np.arange(wide) * step + low[0], np.arange(high) * step + low[1])
    height, width = look.image.shape[:2]
    points = look.calibration.scaled(width, height).pixels(np.stack([x.ravel(), y.ravel()], 1))
    at = points.reshape(high, wide, 2).astype(np.float32)
    within = np.asarray(((at >= 0) & (at <= (width - 1, height - 1))).all(axis=2))  # nowhere: behind the camera
    at = np.where(within[..., None], at, 0).astype(np.float32)
    boxes = [*(it.stack.box for it in look.reading.stacks), *look.reading.beside]
    picture = cv2.remap(look.image, at[..., 0], at[..., 1], cv2.INTER_LINEAR)
    return np.asarray(cv2.blur(picture, (5, 5)), np.float32) + DARK, within & ~_hidden(at, boxes)


def _differ(one: Floats, other: Floats) -> NDArray[np.bool_]:
    """Where both show something else, but for shadows: H x W."""
    shade = other.sum(2) / one.sum(2)
    alike = np.abs(one * shade[..., None] - other).max(2) < SHADED
    shadow = alike & (shade > SHADES[0]) & (shade < SHADES[1])
    return np.asarray((np.abs(one - other).max(2) > APART) & ~shadow)


def _hidden(at: Floats, boxes: Sequence[Box]) -> NDArray[np.bool_]:
    """Which points, at these pixels, lie in one of the boxes or close around it."""
    out = np.zeros(at.shape[:2], bool)
    for x0, y0, x1, y1 in boxes:
        room = AROUND * (x1 - x0)
        across = (at[..., 0] > x0 - room) & (at[..., 0] < x1 + room)
        out |= across & (at[..., 1] > y0 - room) & (at[..., 1] < y1 + room)
    return out
