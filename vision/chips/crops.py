"""Cutting a stack out of a picture: upright, at one size, from native pixels.

Two cuts are made of each find. The *glance* is the find's box with some room, small and square; from it a network says
where the stack's axis, foot and width really are. The *column* is cut by those: the stack stands upright on ``FOOT``,
and its seams, which are arcs to who looks down on them, are straightened to level lines. Up and down the scale is
``ACROSS`` pixels to a chip's width; across it is half that, since seams run across.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

GLANCE = 96
ROOM = 1.35
"""How much wider than the find's box the glance looks."""
WIDTH, HEIGHT = 64, 256
ACROSS = 96.0
SQUEEZE = 0.5
MOST_STRETCHED = 2.0
"""By how much a column is stretched at most; 20 chips and a part of their upper face still fit."""
EVEN = 9.0
"""So many rows of its column each chip of a stack takes whose thickness a calibrated felt foretells: then seams come at
one step for the network to see, however steeply it looks down on them. 22 chips fit, growing towards the camera."""
LEAST_EVEN, MOST_EVEN = 0.8, 3.2
ASIDE = 0.96
"""How far from the axis to the rim (1) seams are straightened: beyond, they run up steeply."""
FOOT = (WIDTH / 2, HEIGHT - 26.0)
"""Where in the column the lowest chip's nearest rim point lies."""


@dataclass(frozen=True)
class Stand:
    """How a stack stands in the picture: ``foot`` (x, y), chips ``across`` pixels wide, axis turned by ``roll``.

    ``roll`` is in radians, clockwise from upright; ``squash`` is the upper face's height over its width, the sine of
    how steeply it is looked down on; ``tall`` is the distance from the foot to the highest rim, in chip widths.
    ``thick`` is what each chip adds to that, where a calibrated felt foretells it, ``growth`` by what share of it
    chips are thicker on average for each chip that a stack is higher than one (`ground.Lie`), and ``within`` by
    what share that may be off where somebody measured the chips. ``tilt`` is how far its
    seams are from lying square to the axis, in radians, clockwise: a stack that was pushed over leans, its chips lie
    level still. ``alone`` is the chance that it is one chip and no stack, ``shows`` that its front is seen, as far as a
    glance tells. ``stretch`` is how much higher than it is the column shows all (`upright`). ``wide`` is how wide it
    looked over what a calibrated felt foretells (1 where there is none).
    """

    foot: tuple[float, float]
    across: float
    roll: float
    squash: float
    tall: float
    thick: float | None = None
    tilt: float = 0.0
    growth: float = 0.0
    within: float | None = None
    alone: float = 0.5
    shows: float = 0.5
    stretch: float = 1.0
    wide: float = 1.0


def upright(squash: float) -> float:
    """By how much a column is stretched for its chips to be as thick as from the side, where the upper face's height
    over its width is ``squash``: seams of a steeply seen stack are told apart by more rows."""
    return float(min(1 / np.sqrt(max(1 - squash**2, 1e-6)), MOST_STRETCHED))


def even(thick: float) -> float:
    """By how much a column is stretched for each chip of a stack to take `EVEN` rows, where a calibrated felt foretells
    how ``thick`` a chip is over its width."""
    return float(np.clip(EVEN / (thick * ACROSS), LEAST_EVEN, MOST_EVEN))


def glance_affine(box: Sequence[float]) -> NDArray[np.float64]:
    """The 2 x 3 map from picture to glance pixels for a find's box."""
    x0, y0, x1, y1 = box
    k = GLANCE / (max(x1 - x0, y1 - y0, 1.0) * ROOM)
    return np.array([[k, 0, GLANCE / 2 - k * (x0 + x1) / 2], [0, k, GLANCE / 2 - k * (y0 + y1) / 2]])


def column_affine(stand: Stand) -> NDArray[np.float64]:
    """The 2 x 3 map from picture to column pixels."""
    k = ACROSS / max(stand.across, 1.0)
    c, s = np.cos(stand.roll) * k, np.sin(stand.roll) * k
    turn = np.array([[c * SQUEEZE, s * SQUEEZE], [-s, c]])
    return np.column_stack([turn, np.array(FOOT) - turn @ np.array(stand.foot)])


def column_places(stand: Stand, begin: int = 0, rows: int = HEIGHT, stretch: float = 1.0) -> tuple[Floats, Floats]:
    """Where in the picture each of the column's pixels lies from row ``begin`` on: x and y, rows x WIDTH each.

    ``stretch`` shows all as much higher above the foot than it is, as in a picture that was stretched.

    What lies on one seam lies on one row: towards the sides the stack's front rises by its upper face's ellipse, and
    from one side to the other by its seams' tilt.
    """
    back = cv2.invertAffineTransform(column_affine(stand))
    x = np.arange(WIDTH, dtype=np.float64)
    aside = np.clip((x - FOOT[0]) / (ACROSS * SQUEEZE / 2), -ASIDE, ASIDE)
    rise = ACROSS / 2 * (stand.squash * (1 - np.sqrt(1 - aside**2)) - np.tan(stand.tilt) * aside)
    y = FOOT[1] + (np.arange(begin, begin + rows, dtype=np.float64)[:, None] - FOOT[1]) / stretch - rise[None]
    px, py = (back[k, 0] * x[None] + back[k, 1] * y + back[k, 2] for k in (0, 1))
    return px.astype(np.float32), py.astype(np.float32)


def point(stand: Stand, row: float) -> tuple[float, float]:
    """Where in the picture the axis of the stand's column is at a row of it."""
    x, y = cv2.invertAffineTransform(column_affine(stand)) @ [FOOT[0], FOOT[1] + (row - FOOT[1]) / stand.stretch, 1.0]
    return float(x), float(y)


def column(levels: Sequence[Image], stand: Stand) -> Image:
    """The stack's column, from the pyramid level that comes nearest in size."""
    k = _level(levels, max(stand.across, 1.0) / ACROSS)
    px, py = column_places(stand, stretch=stand.stretch)
    px *= np.float32(levels[k].shape[1] / levels[0].shape[1])
    py *= np.float32(levels[k].shape[0] / levels[0].shape[0])
    out = cv2.remap(levels[k], px, py, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(114, 114, 114))
    return np.asarray(out, np.uint8)


def _level(levels: Sequence[Image], shrink: float) -> int:
    return int(np.clip(np.floor(np.log2(max(shrink, 1.0)) + 0.3), 0, len(levels) - 1))


def cut(levels: Sequence[Image], affine: NDArray[np.float64], width: int, height: int) -> Image:
    """What ``affine`` maps to ``width`` x ``height`` pixels, from the pyramid level that comes nearest in size."""
    shrink = 1.0 / max(float(np.sqrt(abs(np.linalg.det(affine[:, :2])))), 1e-3)
    level = _level(levels, shrink)
    local = affine.copy()
    if level:
        local[:, 0] *= levels[0].shape[1] / levels[level].shape[1]
        local[:, 1] *= levels[0].shape[0] / levels[level].shape[0]
    out = cv2.warpAffine(
        levels[level], local, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT,
        borderValue=(114, 114, 114),
    )  # fmt: skip
    return np.asarray(out, np.uint8)


def to_input(cuts: NDArray[np.uint8]) -> Floats:
    """N x H x W x 3 BGR bytes to N x 3 x H x W around zero."""
    return np.asarray((cuts.astype(np.float32).transpose(0, 3, 1, 2) - 114) / 64, np.float32)
