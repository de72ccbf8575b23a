"""What does not move: the camera, the felt with what is printed on it, the room around it, the lamp, the noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import pi, radians
from typing import Final, Literal, get_args

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.backgrounds import carpet, wood
from datasets.camera import Rng, smooth_field
from datasets.deck import Floats, Image
from datasets.rounds.layers import FULL, Box, box_round
from datasets.rounds.spots import Spots
from datasets.scene import View, camera_view
from vision.felt import Layout
from vision.felt.drawing import CLOTH, Area, printed
from vision.felt.shapes import Outline

Camera = Literal["above", "players", "dealer"]
"""Where the camera hangs: on an arm nearly above the felt, behind the players, or on a screen at the dealer's side."""
CAMERAS: Final[tuple[Camera, ...]] = get_args(Camera)
_ANGLES: Final[dict[Camera, tuple[float, float, float]]] = {
    "above": (76.0, -pi / 2, 58.0),
    "players": (54.0, -pi / 2, 62.0),
    "dealer": (48.0, pi / 2, 66.0),
}
"""Elevation in degrees, azimuth in radians, and the field of view across in degrees."""
ROOM: Final = 0.965
"""Share of the picture that the felt fills in the tighter direction."""
RAIL: Final = 62.0
"""Millimetres of padded rim around the felt."""
FINER: Final = 1.3
"""The felt's own drawing has so many times the picture's pixels a millimetre."""
CLOTHS: Final = ((58, 92, 28), (96, 62, 24), (46, 34, 122), (70, 70, 66), (74, 46, 84), (84, 88, 22))
"""Blue, green and red of felts: green, blue, red, grey, purple, teal."""
NOISE_ZERO: Final = 24
"""The value of a noise tile that changes nothing."""
SLACK: Final = 96
"""Pixels by which a noise tile is larger than the picture, so that it can be shifted from frame to frame."""


@dataclass(frozen=True, eq=False)
class Stage:
    """One camera's still picture of an empty table: `base` without light (H x W x 3), and the lamp's field on it."""

    view: View
    base: Image
    light: Image
    """Tints, H x W x 3 uint8: `FULL` leaves a colour as it is."""

    def box(self, points: Floats, margin: float) -> Box:
        """The part of the picture round these points."""
        return box_round(points, margin, self.view.width, self.view.height)


def look(layout: Layout, camera: Camera, width: int, height: int, roll: float = 0.0) -> View:
    """The camera's view with all of the felt in it, as large as it goes; `roll` in radians."""
    elevation, azimuth, fov = _ANGLES[camera]
    outline = layout.felt.outline
    middle = (outline.min(0) + outline.max(0)) / 2
    low, high = 5.0, 2.0 * height
    for _ in range(40):
        size = (low + high) / 2
        low, high = (
            (size, high)
            if _fits(_aimed(middle, width, height, size, elevation, azimuth, roll, fov), outline)
            else (low, size)
        )
    view = _aimed(middle, width, height, low, elevation, azimuth, roll, fov)
    # Aimed at the middle of the felt, the picture of it is not in the middle: what is far is small.
    seen = view.project(outline)
    off = np.array([width, height]) / 2 - (seen.min(0) + seen.max(0)) / 2
    return shifted(view, np.array([[1, 0, off[0]], [0, 1, off[1]], [0, 0, 1]]))


def shifted(view: View, change: NDArray[np.float64]) -> View:
    """The view after a change (3 x 3) of its picture."""
    rise = None if view.rise is None else change @ view.rise
    return replace(view, homography=np.asarray(change @ view.homography, np.float64), rise=rise)


def _aimed(
    middle: Floats, width: int, height: int, card_px: float, elevation: float, azimuth: float, roll: float, fov: float
) -> View:
    view = camera_view(width, height, card_px, radians(elevation), azimuth, roll, radians(fov))
    move = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, 1]], np.float64)
    return replace(view, homography=np.asarray(view.homography @ move, np.float64))


def _fits(view: View, outline: Outline) -> bool:
    if not view.sees(outline):
        return False
    spread = np.ptp(view.project(outline), axis=0)
    return bool(spread[0] <= ROOM * view.width and spread[1] <= ROOM * view.height)


def set_stage(spots: Spots, view: View, seed: int, markers: bool, lines: bool) -> Stage:
    """The empty table as this camera sees it; the same seed gives the same cloth, rim, floor and lamp."""
    rng = np.random.default_rng([seed, 51])
    fine = FINER * pixels_per_mm(view, spots.layout)
    top = _table(spots.layout, rng, markers, lines, fine)
    size = (view.width, view.height)
    low = spots.layout.felt.outline.min(0) - _MARGIN
    to_table = np.array([[1 / fine, 0, low[0]], [0, 1 / fine, low[1]], [0, 0, 1]])
    seen = cv2.warpPerspective(top, view.homography @ to_table, size, flags=cv2.INTER_LINEAR)
    alpha = seen[..., 3:].astype(np.float32) / 255
    floor = _floor(rng, view)
    base = np.clip(seen[..., :3] * alpha + floor * (1 - alpha), 0, 255).astype(np.uint8)
    stage = Stage(view, base, _lamp(rng, *size))
    _shoe(stage, spots, rng)
    soft = cv2.GaussianBlur(stage.base, (0, 0), 0.6)
    return replace(stage, base=np.asarray(cv2.multiply(soft, stage.light, scale=1 / FULL), np.uint8))


_MARGIN: Final = RAIL + 12.0


def pixels_per_mm(view: View, layout: Layout) -> float:
    """How large the felt's middle is in the picture, across."""
    x, y = (layout.felt.outline.min(0) + layout.felt.outline.max(0)) / 2
    a, b = view.project(np.array([(x - 50, y), (x + 50, y)]))
    return float(np.linalg.norm(b - a)) / 100


def _table(layout: Layout, rng: Rng, markers: bool, lines: bool, fine: float) -> Image:
    """The felt from straight above, `fine` pixels a millimetre, with its rim; transparent beyond."""
    low, high = layout.felt.outline.min(0) - _MARGIN, layout.felt.outline.max(0) + _MARGIN
    w, h = (int(v) for v in np.ceil((high - low) * fine))
    cloth = np.array(CLOTHS[int(rng.integers(len(CLOTHS)))], np.float64) + rng.normal(0, 6, 3)
    fibre = rng.standard_normal((h, w), dtype=np.float32) * 7
    fibre = cv2.GaussianBlur(fibre, (0, 0), 0.8) * 1.4
    stains = (smooth_field(rng, h, w, 9) - 0.5) * 14
    felt = np.clip(cloth + (fibre + stains)[..., None], 0, 255).astype(np.uint8)
    ink = felt.astype(np.float32)
    line = np.array((190, 215, 225) if cloth.mean() < 110 else (60, 60, 60), np.float32)
    for mark in printed(layout, words=False, markers=markers):
        if not isinstance(mark, Area):
            continue
        points = ((np.array(mark.points) - low) * fine * 16).round().astype(np.int32)
        if mark.fill is not None and mark.fill != CLOTH:
            cv2.fillPoly(ink, [points], tuple(float(v) for v in mark.fill[::-1]), cv2.LINE_AA, 4)
        elif lines and mark.fill is None and mark.line is not None:
            cv2.polylines(
                ink, [points], True, tuple(map(float, line)), max(1, round(mark.width * fine * 0.8)), cv2.LINE_AA, 4
            )
    ink += 0.35 * (felt.astype(np.float32) - felt.reshape(-1, 3).mean(0))  # print takes the cloth's grain
    outline = ((layout.felt.outline - low) * fine).round().astype(np.int32)
    inside = np.zeros((h, w), np.uint8)
    cv2.fillPoly(inside, [outline], 255, cv2.LINE_AA)
    wide = round(2 * RAIL * fine)
    whole = inside.copy()
    cv2.polylines(whole, [outline], True, 255, wide, cv2.LINE_AA)
    # The rim is a padded roll: bright along its back.
    depth = np.abs(cv2.distanceTransform(255 - inside, cv2.DIST_L2, 3) - RAIL * fine / 2) / (RAIL * fine / 2)
    roll = np.clip(1.0 - depth**2, 0, 1)[..., None].astype(np.float32)
    leather = np.array([(28, 36, 52), (30, 44, 74), (38, 38, 40), (24, 30, 60)][int(rng.integers(4))], np.float32)
    rim = leather * (0.55 + 0.8 * roll) + 26 * roll**6
    if rng.random() < 0.3:
        rim = wood(rng, h, w).astype(np.float32) * (0.6 + 0.45 * roll)
    share = inside[..., None].astype(np.float32) / 255
    colour = np.clip(ink * share + rim * (1 - share), 0, 255)
    return np.dstack([colour.astype(np.uint8), whole])


def _floor(rng: Rng, view: View) -> Floats:
    """The room below and behind, out of focus."""
    h, w = max(8, view.height // 8), max(8, view.width // 8)
    room = (carpet if rng.random() < 0.5 else wood)(rng, h, w).astype(np.float32) * float(rng.uniform(0.25, 0.6))
    soft = cv2.GaussianBlur(room, (0, 0), 2.0)
    return np.asarray(cv2.resize(soft, (view.width, view.height), interpolation=cv2.INTER_CUBIC), np.float32)


def _lamp(rng: Rng, width: int, height: int) -> Image:
    """A lamp above some place of the table, warm or cold."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    cx, cy = rng.uniform(0.3, 0.7) * width, rng.uniform(0.2, 0.6) * height
    d = ((x - cx) / width) ** 2 + ((y - cy) / width) ** 2
    warm = float(rng.uniform(-0.02, 0.1))
    tint = np.array([1 - 1.4 * warm, 1 - 0.2 * warm, 1 + 0.7 * warm], np.float32)
    field = float(rng.uniform(0.96, 1.08)) - float(rng.uniform(0.35, 0.85)) * d
    return np.asarray(np.clip(field[..., None] * tint * FULL, 20, 255), np.uint8)


def _shoe(stage: Stage, spots: Spots, rng: Rng) -> None:
    """A card shoe: a dark box, low at its mouth."""
    (x, y), angle = spots.shoe_box
    c, s = np.cos(angle), np.sin(angle)

    def seen(local: Sequence[tuple[float, float, float]]) -> Floats:
        p = np.array(local)
        flat = np.column_stack([x + p[:, 0] * c - p[:, 1] * s, y + p[:, 0] * s + p[:, 1] * c])
        return stage.view.project_lifted(flat, p[:, 2])

    tone = np.array([(26, 24, 24), (60, 52, 46), (30, 30, 90)][int(rng.integers(3))], np.float64)
    half, back_y, front = 46.0, -92.0, 58.0
    faces = [
        ([(-half, back_y, 0), (half, back_y, 0), (half, back_y, 72), (-half, back_y, 72)], 0.6),
        ([(-half, back_y, 0), (-half, front, 0), (-half, front, 26), (-half, back_y, 72)], 0.75),
        ([(half, back_y, 0), (half, front, 0), (half, front, 26), (half, back_y, 72)], 0.5),
        ([(-half, back_y, 72), (half, back_y, 72), (half, front, 26), (-half, front, 26)], 1.25),
        ([(-half, front, 0), (half, front, 0), (half, front, 26), (-half, front, 26)], 0.9),
    ]
    for corners, bright in faces:
        points = (seen(corners) * 16).round().astype(np.int32)
        cv2.fillConvexPoly(
            stage.base, points, tuple(float(v) for v in np.clip(tone * bright + 8, 0, 255)), cv2.LINE_AA, 4
        )


def noise_tile(seed: int, width: int, height: int, sigma: float) -> Image:
    """Sensor noise larger than the picture, `NOISE_ZERO` where there is none; stronger in colour than in light."""
    rng = np.random.default_rng([seed, 53])
    shape = (height + SLACK, width + SLACK)
    light = rng.standard_normal(shape, dtype=np.float32)[..., None] * sigma * 0.75
    colour = rng.standard_normal((*shape, 3), dtype=np.float32) * sigma * 0.7
    grain = cv2.GaussianBlur(light + colour, (0, 0), 0.55) * 1.35
    return np.clip(np.round(grain + NOISE_ZERO), 0, 2 * NOISE_ZERO).astype(np.uint8)
