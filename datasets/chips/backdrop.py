"""The table and the room behind a chip scene; one table serves a few scenes, since drawing it costs the most."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.backgrounds import cloth, felt, plain, table_top, wood
from datasets.camera import Rng, smooth_field
from datasets.chips.draw import Camera
from datasets.deck import Image

SIDE = 720
PRINTED = 0.35
"""In how many scenes the table is printed on. Without any the finder takes bets in circles for nothing, and the
circles, squares and words beside them for chips (measured: 17 of 17 bets found on bare felts, 4 on printed ones)."""
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


def backdrop(
    seed: int, rng: Rng, camera: Camera, table: Image | None = None, feet: Sequence[NDArray[np.float64]] = ()
) -> Image:
    """A table top as ``camera`` sees it, mostly in perspective, a room's wall beyond its far edge.

    With ``table`` given nothing else is shown. With ``feet``, where stacks will stand in table millimetres, it often is
    a felt with lines printed on it.
    """
    top, h, w = _top(seed // BLOCK) if table is None else table, camera.height, camera.width
    if table is None and rng.random() < 0.25:
        seen = np.asarray(cv2.resize(top, (w, h), interpolation=cv2.INTER_LINEAR), np.float32)
    else:
        seen = _in_perspective(top, rng, camera, plain_room=table is not None)
    if feet and rng.random() < PRINTED:
        seen = print_lines(np.clip(seen, 0, 255).astype(np.uint8), rng, camera, feet).astype(np.float32)
    if rng.random() < 0.5:
        seen = seen * (0.6 + 0.8 * smooth_field(rng, h, w, 3)[..., None])
    return np.clip(seen, 0, 255).astype(np.uint8)


def print_lines(seen: Image, rng: Rng, camera: Camera, feet: Sequence[NDArray[np.float64]]) -> Image:
    """What is printed on a felt, drawn on ``seen``: circles and squares to bet in, places of cards, lines, words.

    Most stacks (``feet``, table millimetres) stand in a place of their own, as bets do; other places are empty.
    """
    out = np.ascontiguousarray(seen)
    h, w = out.shape[:2]
    bright = rng.random() < 0.75
    ink = tuple(float(v) for v in np.clip((235 if bright else 40) + rng.normal(0, 30, 3), 0, 255))
    broad = float(rng.uniform(1.5, 6))
    radius = float(rng.uniform(26, 90))
    kind = str(rng.choice(["circle", "circle", "square", "cards"]))
    places = [f[:2] + rng.normal(0, 8, 2) for f in feet if rng.random() < 0.7]
    back = np.linalg.inv(camera.matrix[:, [0, 1, 3]])
    for _ in range(int(rng.integers(2, 9))):
        x, y, k = back @ [rng.uniform(0, w), rng.uniform(0, h), 1]
        places.append(np.array([x / k, y / k]))
    turn = float(rng.uniform(0, 2 * np.pi))
    for at in places:
        if rng.random() < 0.12:
            kind = str(rng.choice(["circle", "square", "cards", "line", "word"]))
        _print_one(out, camera, kind, at, radius, turn, ink, broad, rng)
    return out


def _print_one(
    out: Image, camera: Camera, kind: str, at: NDArray[np.float64], radius: float, turn: float,
    ink: tuple[float, ...], broad: float, rng: Rng,
) -> None:  # fmt: skip
    here = np.array([*at, 0.0])
    if camera.depth(here) <= 0:
        return
    px = float(np.linalg.norm(camera.slope(here)[:, 0]))
    thick = max(1, round(broad * px))
    if not 0 < px < 20:
        return
    c, s = np.cos(turn), np.sin(turn)
    turned = np.array([[c, -s], [s, c]])
    if kind == "word":
        word = str(rng.choice(["PAIRS", "BLACKJACK PAYS 3 TO 2", "INSURANCE", "21", "PLAYER", "TIE 8 TO 1"]))
        x, y = (int(v) for v in camera.project(here[None])[0])
        size = radius * px / 40
        cv2.putText(out, word, (x, y), cv2.FONT_HERSHEY_DUPLEX, size, ink, max(1, thick // 2), cv2.LINE_AA)
        return
    angles = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    if kind == "circle":
        flat = np.stack([np.cos(angles), np.sin(angles)], 1) * radius
    elif kind == "line":
        flat = np.stack([np.linspace(-9, 9, 40) * radius, np.full(40, 0.9 * radius)], 1) @ turned.T
    else:
        half = np.array([radius, radius]) if kind == "square" else np.array([31.5, 44.0])
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]]) * half
        flat = np.concatenate([np.linspace(a, b, 12) for a, b in pairwise(corners)]) @ turned.T
    points = np.column_stack([flat + at, np.zeros(len(flat))])
    if min(camera.depth(p) for p in points[::6]) <= 0:
        return
    line = camera.project(points)
    if np.isfinite(line).all() and np.abs(line).max() < 1e4:
        cv2.polylines(out, [np.round(line * 8).astype(np.int32)], kind != "line", ink, thick, cv2.LINE_AA, 3)


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
