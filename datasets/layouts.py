"""How cards lie: scattered, in hands, fans, rows, grids, ribbons, and single close-ups. Millimetres on the table."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.camera import Rng

CARD_HEIGHT = 88.9
CARD_WIDTH = 63.5


@dataclass(frozen=True)
class Place:
    """Centre (x, y) in millimetres and the angle in radians, growing clockwise as seen from above."""

    x: float
    y: float
    angle: float
    face_down: bool = False


def _at(rng: Rng, inverse: NDArray[np.float64], width: int, height: int, margin: float = 0.02) -> tuple[float, float]:
    """A random spot of the picture, in millimetres."""
    p = np.array([[[rng.uniform(margin, 1 - margin) * width, rng.uniform(margin, 1 - margin) * height]]])
    x, y = cv2.perspectiveTransform(p, inverse)[0, 0]
    return float(x), float(y)


def _hand(
    rng: Rng, x: float, y: float, angle: float, count: int, step: float, rise: float, jitter: float = 1.0
) -> list[Place]:
    """Cards one on another, each moved by (step, rise) millimetres in the hand's own axes."""
    c, s = np.cos(angle), np.sin(angle)
    out = []
    for k in range(count):
        u, v = k * step + rng.normal(0, 1.2) * jitter, k * rise + rng.normal(0, 1.2) * jitter
        turn = angle + rng.normal(0, 0.04) * jitter
        out.append(Place(float(x + u * c - v * s), float(y + u * s + v * c), float(turn)))
    return out


def _fan(rng: Rng, x: float, y: float, angle: float, count: int) -> list[Place]:
    """Cards held or laid as a fan; a long one is squeezed."""
    spread = rng.uniform(0.09, 0.3 if count < 9 else 0.17)
    radius = rng.uniform(70, 160)
    out = []
    for k in range(count):
        a = angle + (k - (count - 1) / 2) * spread + rng.normal(0, 0.02)
        out.append(Place(float(x + radius * np.sin(a)), float(y - radius * np.cos(a)), float(a)))
    return out


def _ribbon(rng: Rng, x: float, y: float, angle: float) -> list[Place]:
    """Up to a whole deck spread in one swing, straight or bent; the picture may hold only a part of it."""
    count, step, bend = int(rng.integers(8, 53)), rng.uniform(8.5, 18), rng.normal(0, 0.003)
    start = -rng.uniform(0.2, 0.8) * count
    out = []
    for k in range(count):
        along = (start + k) * step
        turn = angle + bend * along
        u, v = along + rng.normal(0, 0.7), bend * along**2 / 2 + rng.normal(0, 0.8)
        c, s = np.cos(angle), np.sin(angle)
        out.append(Place(float(x + u * c - v * s), float(y + u * s + v * c), float(turn + rng.normal(0, 0.02))))
    return out


def _scatter(
    rng: Rng, inverse: NDArray[np.float64], width: int, height: int, count: int, overlap: float
) -> list[Place]:
    out: list[Place] = []
    main = rng.uniform(-np.pi, np.pi)
    wild = rng.random() < 0.6
    for _ in range(count * 4):
        if len(out) == count:
            break
        x, y = _at(rng, inverse, width, height)
        if any(np.hypot(x - p.x, y - p.y) < 80 * (1 - overlap) for p in out):
            continue
        angle = rng.uniform(-np.pi, np.pi) if wild else main + rng.normal(0, 0.3) + (np.pi if rng.random() < 0.3 else 0)
        out.append(Place(x, y, float(angle)))
    return out


def _down(rng: Rng, places: list[Place], share: float) -> list[Place]:
    return [Place(p.x, p.y, p.angle, bool(rng.random() < share)) for p in places]


def lay_out(rng: Rng, homography: NDArray[np.float64], width: int, height: int) -> list[Place]:
    """A random layout inside what the camera sees; later places lie on top of earlier ones."""
    inverse = np.asarray(np.linalg.inv(homography), np.float64)
    kind = str(
        rng.choice(
            ["scatter", "heap", "hands", "fan", "row", "grid", "single", "ribbon"],
            p=[0.18, 0.06, 0.17, 0.2, 0.13, 0.05, 0.06, 0.15],
        )
    )
    x, y = _at(rng, inverse, width, height, 0.3)
    angle = float(rng.uniform(-np.pi, np.pi))
    if kind == "single":
        return _down(rng, [Place(x, y, angle)], 0.1)
    if kind in ("scatter", "heap"):
        overlap = 0.0 if kind == "scatter" else rng.uniform(0.2, 0.7)
        count = int(rng.integers(2, 14))
        return _down(rng, _scatter(rng, inverse, width, height, count, overlap), 0.12)
    if kind == "fan":
        out = []
        for _ in range(int(rng.integers(1, 4))):
            fx, fy = _at(rng, inverse, width, height, 0.2)
            out += _fan(rng, fx, fy, float(rng.uniform(-np.pi, np.pi)), int(rng.integers(3, 14)))
        return out
    if kind == "row":
        step = CARD_WIDTH * rng.uniform(0.25, 1.25)
        count = int(rng.integers(3, 9))
        c, s = np.cos(angle), np.sin(angle)
        out = []
        for r in range(int(rng.integers(1, 3))):
            bx, by = x - c * step * count / 2 - s * r * 100, y - s * step * count / 2 + c * r * 100
            out += _hand(rng, bx, by, angle, count, step, rng.normal(0, 1.5))
        return _down(rng, out, 0.05)
    if kind == "grid":
        out = []
        for r in range(int(rng.integers(2, 4))):
            bx, by = x - np.sin(angle) * r * 98 - np.cos(angle) * 110, y + np.cos(angle) * r * 98 - np.sin(angle) * 110
            out += _hand(rng, bx, by, angle, int(rng.integers(2, 6)), CARD_WIDTH * 1.12, 0)
        return _down(rng, out, 0.2)
    if kind == "ribbon":
        return _ribbon(rng, x, y, angle)
    out = []
    for _ in range(int(rng.integers(1, 6))):
        hx, hy = _at(rng, inverse, width, height, 0.1)
        turn = angle + rng.normal(0, 0.35) + (np.pi if rng.random() < 0.2 else 0)
        hand = _hand(rng, hx, hy, turn, int(rng.integers(2, 6)), rng.uniform(12, 34), -rng.uniform(0, 26))
        if rng.random() < 0.25:
            crossed = hand[-1]
            hand[-1] = Place(crossed.x, crossed.y, crossed.angle + np.pi / 2)
        if rng.random() < 0.25:
            hand[0] = Place(hand[0].x, hand[0].y, hand[0].angle, face_down=True)
        out += hand
    return out
