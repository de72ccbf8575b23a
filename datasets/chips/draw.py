"""Drawing one chip as a camera sees it: a short cylinder in exact geometry, shaded, its rims rounded.

Near one chip the camera's perspective is taken as affine (its derivative at the chip), which is off by less than a
tenth of a pixel at any distance a table is seen from.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.chips.styles import EDGE_STEPS, FACE, Look

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Camera:
    """``matrix`` 3 x 4 takes table millimetres (x, y, height, 1) to pixels of a ``width`` x ``height`` picture."""

    matrix: Floats
    width: int
    height: int

    def project(self, points: NDArray[np.floating]) -> Floats:
        """N x 3 millimetres to N x 2 pixels."""
        p = np.column_stack([points, np.ones(len(points))]) @ self.matrix.T
        return np.asarray(p[:, :2] / p[:, 2:], np.float64)

    def slope(self, point: Floats) -> Floats:
        """How the picture point moves when ``point`` (3,) does: 2 x 3, pixels a millimetre."""
        p = self.matrix @ np.append(point, 1.0)
        m = self.matrix[:, :3]
        return np.asarray((m[:2] - np.outer(p[:2] / p[2], m[2])) / p[2], np.float64)

    def depth(self, point: Floats) -> float:
        """Distance along the view, in units of that at the picture's middle."""
        return float(self.matrix[2] @ np.append(point, 1.0))


@dataclass(frozen=True)
class Chip:
    """Where one chip is: ``centre`` of its lower face, and axes ``right``, ``back``, ``up`` of length 1 (millimetres).

    ``turn`` is how far it is rotated about its axis, in radians.
    """

    centre: Floats
    radius: float
    thickness: float
    turn: float
    look: Look
    right: Floats
    back: Floats
    up: Floats


@dataclass(frozen=True)
class Light:
    """``direction`` (3,) points to the lamp; ``ambient`` is the share of light from everywhere."""

    direction: Floats
    ambient: float
    gloss: float


@dataclass
class Canvas:
    """The picture so far, and which object each pixel shows (-1: none)."""

    image: NDArray[np.float32]
    owner: NDArray[np.int16]


def extent(camera: Camera, chip: Chip) -> Floats:
    """The chip's box in the picture: x0, y0, x1, y1."""
    low = camera.slope(chip.centre + chip.up * chip.thickness / 2) @ np.stack([chip.right, chip.back], 1) * chip.radius
    half = np.hypot(low[:, 0], low[:, 1])
    ends = camera.project(np.stack([chip.centre, chip.centre + chip.up * chip.thickness]))
    return np.concatenate([ends.min(0) - half, ends.max(0) + half])


def front(camera: Camera, chip: Chip, height: float) -> Floats:
    """The point of the rim nearest the viewer, at a share ``height`` of the thickness, in pixels."""
    at = chip.centre + chip.up * chip.thickness * height
    slope = camera.slope(at)
    plane = slope @ np.stack([chip.right, chip.back], 1)
    rise = slope @ chip.up
    towards = np.linalg.lstsq(plane, -rise, rcond=None)[0]
    towards /= max(float(np.linalg.norm(towards)), 1e-9)
    return np.asarray(camera.project(at[None])[0] + plane @ towards * chip.radius, np.float64)


def draw_chip(
    canvas: Canvas,
    camera: Camera,
    chip: Chip,
    light: Light,
    owner: int,
    bevel: float,
    gap: float,
    above: Chip | None = None,
) -> None:
    """Draw the side that shows, then the upper face; ``above`` is the chip that will lie on it."""
    h, w = canvas.owner.shape
    box = extent(camera, chip)
    x0, y0 = max(int(box[0]) - 2, 0), max(int(box[1]) - 2, 0)
    x1, y1 = min(int(box[2]) + 3, w), min(int(box[3]) + 3, h)
    if x1 <= x0 or y1 <= y0:
        return
    _side(canvas, (x0, y0, x1, y1), camera, chip, light, owner, bevel, gap)
    _top(canvas, (x0, y0, x1, y1), camera, chip, light, owner, above)


class _Frame:
    """Picture points in a chip's own units: the disc at ``height`` above its lower face becomes the unit circle."""

    def __init__(self, camera: Camera, chip: Chip, height: float) -> None:
        at = chip.centre + chip.up * height
        self.slope = camera.slope(at)
        self.plane = self.slope @ np.stack([chip.right, chip.back], 1) * chip.radius
        self.origin = camera.project(at[None])[0]
        self.flat = abs(float(np.linalg.det(self.plane))) < 1e-6
        self.inverse = np.linalg.inv(self.plane).astype(np.float32) if not self.flat else np.zeros((2, 2), np.float32)

    def shares(
        self, window: tuple[int, int, int, int], origin: Floats
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        x0, y0, x1, y1 = window
        dx = np.arange(x0, x1, dtype=np.float32) - np.float32(origin[0])
        dy = (np.arange(y0, y1, dtype=np.float32) - np.float32(origin[1]))[:, None]
        i = self.inverse
        return i[0, 0] * dx + i[0, 1] * dy, i[1, 0] * dx + i[1, 1] * dy


def _blend(
    canvas: Canvas,
    window: tuple[int, int, int, int],
    picked: NDArray[np.intp],
    alpha: NDArray[np.float32],
    colour: NDArray[np.float32],
    owner: int,
) -> None:
    x0, y0, x1, _ = window
    rows, columns = picked // (x1 - x0) + y0, picked % (x1 - x0) + x0
    before = canvas.image[rows, columns]
    canvas.image[rows, columns] = before + alpha[:, None] * (colour - before)
    solid = alpha > 0.5
    canvas.owner[rows[solid], columns[solid]] = owner


def _sampled(texture: NDArray[np.float32], x: NDArray[np.float32], y: NDArray[np.float32]) -> NDArray[np.float32]:
    """Bilinear samples at N points; remap takes at most 32 767 in a row."""
    n = len(x)
    wide = 256
    pad = -n % wide
    mx, my = (np.pad(v.astype(np.float32), (0, pad)).reshape(-1, wide) for v in (x, y))
    return np.asarray(cv2.remap(texture, mx, my, cv2.INTER_LINEAR, borderMode=1).reshape(-1, 3)[:n], np.float32)


def _side(
    canvas: Canvas,
    window: tuple[int, int, int, int],
    camera: Camera,
    chip: Chip,
    light: Light,
    owner: int,
    bevel: float,
    gap: float,
) -> None:
    frame = _Frame(camera, chip, chip.thickness / 2)
    rise = frame.slope @ chip.up * chip.thickness
    v = frame.inverse @ rise.astype(np.float32)
    long = float(np.linalg.norm(v))
    if frame.flat or long < 1e-4:
        return
    qx, qy = frame.shares(window, frame.origin - rise / 2)
    along, across = (qx * v[0] + qy * v[1]) / long, (qx * v[1] - qy * v[0]) / long
    half = np.sqrt(np.maximum(1 - across * across, 0))
    height = (along + half) / long
    # Soft edges a pixel wide: across the outline, and below; above, the upper face covers the seam.
    rise_px = float(np.linalg.norm(rise))
    wide_px = abs(float(np.linalg.det(frame.plane))) / max(float(np.linalg.norm(frame.plane @ (v / long))), 1e-6)
    alpha = np.clip((1 - np.abs(across)) * wide_px + 0.5, 0, 1) * np.clip(height * rise_px + 0.5, 0, 1)
    alpha *= height * rise_px < rise_px + 0.8
    picked = np.flatnonzero(alpha > 0.004)
    if not len(picked):
        return
    alpha, half, across, height = (a.ravel()[picked] for a in (alpha, half, across, height))
    share = np.clip(height, 0, 0.999)
    # The rim point that is seen, in the chip's own axes: along the rise it is the nearer of the two.
    ex, ey = (across * v[1] - half * v[0]) / long, (-across * v[0] - half * v[1]) / long
    angle = np.arctan2(ey, ex) - np.float32(chip.turn)
    texture = _sampled(chip.look.edge, (angle / (2 * np.pi)) % 1.0 * (EDGE_STEPS - 1), share * 8 - 0.5)
    lx, ly = float(light.direction @ chip.right), float(light.direction @ chip.back)
    towards = ex * lx + ey * ly
    shade = light.ambient + (1 - light.ambient) * np.maximum(towards, 0)
    # Rounded rims: dark where two chips meet, a little light from above on the upper rim.
    foot = np.exp(-share * rise_px / max(0.9, 0.10 * rise_px))
    rim = np.exp(-(1 - share) * rise_px / max(0.9, 0.10 * rise_px))
    shade = shade * (1 - gap * foot - 0.5 * gap * rim + bevel * (share - 0.5) * 0.5)
    sheen = light.gloss * 60 * np.exp(-((towards - 0.85) ** 2) / 0.01) * (1 - foot)
    colour = np.asarray(texture * shade[:, None] + sheen[:, None], np.float32)
    _blend(canvas, window, picked, np.asarray(alpha, np.float32), colour, owner)


def _top(
    canvas: Canvas,
    window: tuple[int, int, int, int],
    camera: Camera,
    chip: Chip,
    light: Light,
    owner: int,
    above: Chip | None,
) -> None:
    frame = _Frame(camera, chip, chip.thickness)
    if frame.flat:
        return
    qx, qy = frame.shares(window, frame.origin)
    far = np.sqrt(qx * qx + qy * qy)
    alpha = np.clip((1 - far) / max(float(np.linalg.norm(frame.inverse, 2)), 1e-6) + 0.5, 0, 1)
    if above is not None:  # most of the face will be covered: leave that out
        cover = _Frame(camera, above, 0.0)
        cx, cy = cover.shares(window, cover.origin)
        alpha *= cx * cx + cy * cy > 0.88
    picked = np.flatnonzero(alpha > 0.004)
    if not len(picked):
        return
    qx, qy = qx.ravel()[picked], qy.ravel()[picked]
    r = np.sqrt(qx * qx + qy * qy) + np.float32(1e-6)
    i = frame.inverse
    nx, ny = qx / r, qy / r
    steep = np.sqrt((nx * i[0, 0] + ny * i[1, 0]) ** 2 + (nx * i[0, 1] + ny * i[1, 1]) ** 2)
    alpha = np.clip((1 - r) / np.maximum(steep, 1e-6) + 0.5, 0, 1)
    c, s = np.float32(np.cos(-chip.turn)), np.float32(np.sin(-chip.turn))
    small = float(np.sqrt(abs(np.linalg.det(frame.plane)))) * 2
    level = int(np.clip(np.floor(np.log2(FACE / max(small, 1.0))), 0, len(chip.look.faces) - 1))
    face = chip.look.faces[level]
    middle = face.shape[0] / 2
    texture = _sampled(face, (c * qx - s * qy) * (middle - 1) + middle, (s * qx + c * qy) * (middle - 1) + middle)
    shade = light.ambient + (1 - light.ambient) * max(0.0, float(light.direction @ chip.up))
    lx, ly = float(light.direction @ chip.right), float(light.direction @ chip.back)
    shine = light.gloss * 70 * np.exp(-((qx + lx * 0.5) ** 2 + (qy + ly * 0.5) ** 2) / 0.5)
    rim = np.exp(-(1 - r) / np.maximum(steep, 1e-6) / 1.2) * 0.25
    colour = np.asarray(texture * (shade * (1 - rim))[:, None] + shine[:, None], np.float32)
    _blend(canvas, window, picked, np.asarray(alpha, np.float32), colour, owner)
