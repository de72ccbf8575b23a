"""What cards lie on: felt, wood, cloth and plain tops, drawn; and textures that packages carry, where installed."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.camera import Rng, smooth_field
from datasets.deck import Image

_FOLDERS = (
    Path("/usr/share/games/ufoai"),
    Path("/usr/share/ufoai"),
    Path("/usr/share/backgrounds"),
    Path("/usr/share/wallpapers"),
)


@lru_cache(maxsize=1)
def installed_textures() -> tuple[Path, ...]:
    """Pictures found on this machine that can serve as a table top."""
    found: list[Path] = []
    for folder in _FOLDERS:
        if folder.is_dir():
            found += sorted(
                p
                for p in folder.rglob("*")
                if p.suffix.lower() in (".jpg", ".jpeg", ".png") and p.stat().st_size > 20_000
            )
    return tuple(found)


@lru_cache(maxsize=400)
def _loaded(path: Path) -> Image | None:
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if image is None:
        return None
    scale = 900 / max(image.shape[:2])
    if scale < 1:
        image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(image, np.uint8)


def felt(rng: Rng, height: int, width: int) -> Image:
    """Card-table cloth: one colour, fine fibre, slow stains."""
    base = rng.choice(
        [[60, 110, 30], [90, 60, 20], [40, 30, 120], [60, 60, 60], [110, 90, 30], [30, 80, 20], [150, 90, 40]]
    )
    colour = np.clip(base + rng.normal(0, 18, 3), 5, 235)
    fibre = rng.standard_normal((height, width), dtype=np.float32) * rng.uniform(4, 16)
    if rng.random() < 0.5:
        fibre = np.asarray(cv2.blur(fibre, (int(rng.integers(1, 5)), int(rng.integers(1, 5)))), np.float32) * 2
    stains = (smooth_field(rng, height, width, 6) - 0.5) * 30
    return np.asarray(np.clip(colour + (fibre + stains)[..., None], 0, 255), np.uint8)


def wood(rng: Rng, height: int, width: int) -> Image:
    """Boards with grain running one way."""
    base = np.clip(np.array([60, 100, 150]) * rng.uniform(0.35, 1.5) + rng.normal(0, 15, 3), 5, 245)
    grain = rng.standard_normal((height, width), dtype=np.float32)
    grain = np.asarray(cv2.GaussianBlur(grain, (0, 0), sigmaX=30, sigmaY=1.0), np.float32)
    grain = grain / (grain.std() + 1e-6) * rng.uniform(6, 22)
    out = base + (grain + (smooth_field(rng, height, width, 3) - 0.5) * 40)[..., None]
    board = int(rng.integers(60, 300))
    if rng.random() < 0.6:
        for y in range(int(rng.integers(board)), height, board):
            out[y : y + 2] *= 0.5
    image = np.clip(out, 0, 255).astype(np.uint8)
    return (
        image
        if rng.random() < 0.5
        else np.ascontiguousarray(np.rot90(image)[:height, :width])
        if height == width
        else image
    )


def plain(rng: Rng, height: int, width: int) -> Image:
    """A painted or laminated top, from black to white."""
    colour = rng.integers(5, 255, 3) if rng.random() < 0.4 else np.full(3, rng.integers(5, 255)) + rng.normal(0, 8, 3)
    noise = rng.standard_normal((height, width, 1), dtype=np.float32) * rng.uniform(0, 6)
    return np.clip(colour + noise, 0, 255).astype(np.uint8)


def cloth(rng: Rng, height: int, width: int) -> Image:
    """Table cloth: checks, stripes, dots or a printed pattern."""
    out = plain(rng, height, width).astype(np.float32)
    step = int(rng.integers(12, 120))
    y, x = np.mgrid[0:height, 0:width]
    angle = rng.uniform(0, np.pi)
    u = (x * np.cos(angle) + y * np.sin(angle)) / step
    v = (-x * np.sin(angle) + y * np.cos(angle)) / step
    kind = int(rng.integers(4))
    if kind == 0:
        m = ((np.floor(u) + np.floor(v)) % 2).astype(np.float32)
    elif kind == 1:
        m = (np.floor(u) % 2).astype(np.float32)
    elif kind == 2:
        m = (((u % 1 - 0.5) ** 2 + (v % 1 - 0.5) ** 2) < rng.uniform(0.02, 0.15)).astype(np.float32)
    else:
        m = (smooth_field(rng, height, width, int(rng.integers(4, 14))) > 0.5).astype(np.float32)
    out = out * (1 - m[..., None]) + plain(rng, height, width) * m[..., None]
    noise = rng.standard_normal((height, width, 1), dtype=np.float32) * 5
    return np.asarray(np.clip(out + noise, 0, 255), np.uint8)


def carpet(rng: Rng, height: int, width: int) -> Image:
    """Loops and fibres of a few related shades."""
    base = np.clip(np.full(3, rng.uniform(50, 190)) + rng.normal(0, 14, 3), 10, 240)
    loops = rng.standard_normal((height, width), dtype=np.float32)
    loops = np.asarray(cv2.GaussianBlur(loops, (0, 0), float(rng.uniform(0.8, 3.5))), np.float32)
    loops = loops / (loops.std() + 1e-6) * rng.uniform(10, 38)
    tint = rng.normal(0, 5, 3) * (smooth_field(rng, height, width, 24)[..., None] - 0.5)
    return np.asarray(np.clip(base + loops[..., None] + tint, 0, 255), np.uint8)


def muted(image: Image, rng: Rng) -> Image:
    """The colours of furniture, which are far from those of wallpapers: most of the saturation taken out."""
    keep = float(rng.beta(1.6, 2.2))
    grey = image.mean(2, keepdims=True, dtype=np.float32)
    return np.asarray(np.clip(grey + (image - grey) * keep, 0, 255), np.uint8)


def table_top(rng: Rng, height: int, width: int) -> Image:
    """A random background of the given size."""
    textures = installed_textures()
    if textures and rng.random() < 0.45:
        image = _loaded(textures[int(rng.integers(len(textures)))])
        if image is not None:
            zoom = rng.uniform(0.4, 1.0)
            ch, cw = max(8, int(image.shape[0] * zoom)), max(8, int(image.shape[1] * zoom))
            y, x = int(rng.integers(image.shape[0] - ch + 1)), int(rng.integers(image.shape[1] - cw + 1))
            crop = np.rot90(image[y : y + ch, x : x + cw], int(rng.integers(4)))
            crop = np.asarray(cv2.resize(crop, (width, height), interpolation=cv2.INTER_AREA), np.uint8).copy()
            return muted(crop, rng) if rng.random() < 0.75 else crop
    kinds = (felt, wood, plain, cloth, carpet)
    chosen = kinds[int(rng.choice(5, p=[0.3, 0.2, 0.2, 0.15, 0.15]))](rng, height, width)
    return muted(chosen, rng) if rng.random() < 0.4 else chosen


def table_seen(rng: Rng, homography: NDArray[np.float64], height: int, width: int) -> Image:
    """A table top as the camera sees it: in perspective, with the room behind it where the view reaches beyond.

    ``homography`` takes table millimetres to pixels.
    """
    side = 1000
    top = table_top(rng, side, side)
    # So many millimetres of table to a pixel of its texture, fine enough where the camera looks.
    inverse = np.linalg.inv(homography)
    middle = inverse @ [width / 2, height / 2, 1]
    beside = inverse @ [width / 2 + 1, height / 2, 1]
    pixel = float(np.linalg.norm(middle[:2] / middle[2] - beside[:2] / beside[2]))
    scale = pixel * float(rng.uniform(0.8, 1.6))
    turn = float(rng.uniform(0, 2 * np.pi))
    c, s = np.cos(turn) * scale, np.sin(turn) * scale
    to_table = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ np.array(
        [[1, 0, -side / 2], [0, 1, -side / 2], [0, 0, 1]]
    )
    seen = cv2.warpPerspective(top, homography @ to_table, (width, height), borderMode=cv2.BORDER_REFLECT)
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    depth = inverse[2, 0] * x + inverse[2, 1] * y + inverse[2, 2]
    share = depth / middle[2]
    # Towards the horizon the texture gets too fine to draw; what lies behind it is the room.
    far = np.clip((0.45 - share) / 0.25, 0, 1).astype(np.float32)[..., None]
    room = plain(rng, height, width).astype(np.float32) * (0.5 + 0.5 * smooth_field(rng, height, width, 5)[..., None])
    blurred = np.full(3, 1.0, np.float32) * top.reshape(-1, 3).mean(0)
    behind = np.where(share[..., None] > 0.06, blurred, room)
    return np.asarray(np.clip(seen * (1 - far) + behind * far, 0, 255), np.uint8)
