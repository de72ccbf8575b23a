"""The table and the room behind a chip scene; one table serves a few scenes, since drawing it costs the most."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from datasets.backgrounds import cloth, felt, plain, table_top, wood
from datasets.camera import Rng, smooth_field
from datasets.chips.draw import Camera
from datasets.deck import Image

SIDE = 720
BLOCK = 6
"""So many scenes in a row share a table top."""


@lru_cache(maxsize=4)
def _top(block: int) -> Image:
    return table_top(np.random.default_rng([block, 390]), SIDE, SIDE)


@lru_cache(maxsize=8)
def drawn_top(number: int) -> Image:
    """A table top that is the same on every machine, whatever textures are installed: mostly felt."""
    rng = np.random.default_rng([number, 391])
    return (felt, felt, felt, wood, plain, cloth)[number % 6](rng, SIDE, SIDE)


def backdrop(seed: int, rng: Rng, camera: Camera, table: Image | None = None) -> Image:
    """A table top as ``camera`` sees it, mostly in perspective, a room's wall beyond its far edge.

    With ``table`` given nothing else is shown.
    """
    top, h, w = _top(seed // BLOCK) if table is None else table, camera.height, camera.width
    if table is None and rng.random() < 0.25:
        seen = np.asarray(cv2.resize(top, (w, h), interpolation=cv2.INTER_LINEAR), np.float32)
    else:
        seen = _in_perspective(top, rng, camera, plain_room=table is not None)
    if rng.random() < 0.5:
        seen = seen * (0.6 + 0.8 * smooth_field(rng, h, w, 3)[..., None])
    return np.clip(seen, 0, 255).astype(np.uint8)


def _in_perspective(top: Image, rng: Rng, camera: Camera, plain_room: bool) -> np.ndarray:
    h, w = camera.height, camera.width
    homography = camera.matrix[:, [0, 1, 3]]
    inverse = np.linalg.inv(homography)
    middle = inverse @ [w / 2, h / 2, 1]
    beside = inverse @ [w / 2 + 1, h / 2, 1]
    scale = float(np.linalg.norm(middle[:2] / middle[2] - beside[:2] / beside[2])) * float(rng.uniform(0.7, 1.8))
    turn = float(rng.uniform(0, 2 * np.pi))
    c, s = np.cos(turn) * scale, np.sin(turn) * scale
    shift = np.array([[1, 0, -SIDE / 2], [0, 1, -SIDE / 2], [0, 0, 1]])
    to_table = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ shift
    seen = np.asarray(
        cv2.warpPerspective(top, homography @ to_table, (w, h), borderMode=cv2.BORDER_REFLECT), np.float32
    )
    x, y = np.meshgrid(np.arange(w, dtype=np.float32), np.arange(h, dtype=np.float32))
    share = (inverse[2, 0] * x + inverse[2, 1] * y + inverse[2, 2]) / middle[2]
    if float(share.min()) > 0.5:
        return seen
    # Beyond the table's far edge is the room; towards it the texture gets too fine to draw.
    edge = float(rng.uniform(0.12, 0.5))
    wall = np.full(3, rng.uniform(10, 235)) + rng.normal(0, 12, 3)
    if plain_room or rng.random() < 0.5:
        room = wall * (0.5 + 0.7 * smooth_field(rng, h, w, int(rng.integers(2, 9)))[..., None])
        room = room + rng.standard_normal((h, w, 1), dtype=np.float32) * rng.uniform(0, 14)
    else:
        other = _top(int(rng.integers(1 << 20)) // 64 * 64)  # another surface: a wall, a sofa, a curtain
        room = np.asarray(cv2.resize(other, (w, h)), np.float32)
    hard = float(rng.uniform(0.004, 0.1))
    far = np.clip((edge - share) / hard, 0, 1).astype(np.float32)[..., None]
    return np.asarray(seen * (1 - far) + room * far, np.float32)
