"""Things on a table that are not cards: chips, papers with print, phones, mugs, cables, hands."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.camera import Rng
from datasets.fonts import font_face

HIDDEN = -2
"""Owner number of pixels that an object on top of the cards covers."""


def _colour(rng: Rng) -> tuple[int, int, int]:
    c = rng.integers(0, 256, 3)
    return int(c[0]), int(c[1]), int(c[2])


def _chip(image: NDArray[np.float32], mask: NDArray[np.uint8], rng: Rng, x: int, y: int, r: int) -> None:
    squash = float(rng.uniform(0.5, 1.0))
    base = _colour(rng)
    mark = (235, 240, 240) if rng.random() < 0.7 else _colour(rng)
    axes = (r, max(2, int(r * squash)))
    for k in range(int(rng.integers(1, 6))):
        cy = y - k * max(2, r // 6)
        cv2.ellipse(image, (x, cy), axes, 0, 0, 360, tuple(0.7 * v for v in base), -1, cv2.LINE_AA)
        cv2.ellipse(mask, (x, cy), axes, 0, 0, 360, 255, -1)
        n, turn = int(rng.choice([4, 6, 8])), float(rng.uniform(0, 90))
        cv2.ellipse(image, (x, cy), axes, 0, 0, 360, base, -1, cv2.LINE_AA)
        for j in range(n):
            a = turn + j * 360 / n
            cv2.ellipse(image, (x, cy), axes, 0, a, a + 180 / n, mark, -1, cv2.LINE_AA)
        cv2.ellipse(image, (x, cy), (int(axes[0] * 0.7), int(axes[1] * 0.7)), 0, 0, 360, base, -1, cv2.LINE_AA)
    text = str(rng.choice(["1", "5", "10", "25", "100", "A", "\u2660", "\u2665", "\u2663", "\u2666", "500"]))
    size = max(6, int(r * 0.7))
    spot = np.zeros((*image.shape[:2], 3), np.uint8)
    cv2.putText(spot, text, (x - size // 2, y + size // 3), (255, 255, 255), font_face("sans"), size, 700)
    image[spot[..., 0] > 100] = mark


def _paper(image: NDArray[np.float32], mask: NDArray[np.uint8], rng: Rng, x: int, y: int, size: int) -> None:
    """A receipt, a letter, a card-like advert: light paper with lines of print or a picture."""
    h, w = int(size * rng.uniform(0.6, 2.2)), int(size * rng.uniform(0.5, 1.5))
    tile = np.full((h, w, 3), rng.integers(170, 256), np.uint8)
    font = font_face("sans")
    kind = rng.random()
    letter = max(7, int(size * rng.uniform(0.05, 0.25)))
    if kind < 0.6:
        for line in range(2, max(3, h // (letter + 4))):
            words = "".join(rng.choice(list("AKQJ1023456789abcdefgh  lrstu.,-♠♥")) for _ in range(max(2, w // letter)))
            cv2.putText(
                tile,
                words,
                (4, line * (letter + 4)),
                _colour(rng) if rng.random() < 0.3 else (30, 30, 30),
                font,
                letter,
                400,
            )
    elif kind < 0.8:
        tile[:] = _colour(rng)
        for _ in range(6):
            a = rng.integers(0, max(h, w), 4)
            cv2.rectangle(
                tile, (int(a[0]), int(a[1])), (int(a[2]), int(a[3])), _colour(rng), -1 if rng.random() < 0.5 else 3
            )
    _lay(image, mask, tile, x, y, float(rng.uniform(0, 360)))


def _lay(
    image: NDArray[np.float32], mask: NDArray[np.uint8], tile: NDArray[np.uint8], x: int, y: int, angle: float
) -> None:
    h, w = tile.shape[:2]
    m = cv2.getRotationMatrix2D((w / 2, h / 2), angle, 1.0)
    m[:, 2] += [x - w / 2, y - h / 2]
    size = (image.shape[1], image.shape[0])
    on = np.asarray(cv2.warpAffine(np.full((h, w), 255, np.uint8), m, size))
    moved = np.asarray(cv2.warpAffine(tile, m, size), np.float32)
    image[on > 127] = moved[on > 127]
    mask[on > 127] = 255


def _stroke(image: NDArray[np.float32], mask: NDArray[np.uint8], rng: Rng, size: int, skin: bool) -> None:
    """A cable, a pen, a finger or an arm: a thick bent line from the rim inwards."""
    h, w = image.shape[:2]
    start = rng.uniform(0, 1, 2) * [w, h]
    start[int(rng.integers(2))] = 0 if rng.random() < 0.5 else max(h, w)
    end = rng.uniform(0.1, 0.9, 2) * [w, h]
    middle = (start + end) / 2 + rng.normal(0, 0.1, 2) * [w, h]
    t = np.linspace(0, 1, 24)[:, None]
    points = ((1 - t) ** 2 * start + 2 * t * (1 - t) * middle + t**2 * end).astype(np.int32)
    thick = int(size * (rng.uniform(0.15, 0.7) if skin else rng.uniform(0.02, 0.12))) + 1
    tone = np.array([120, 150, 200]) * rng.uniform(0.4, 1.15) if skin else np.array(_colour(rng))
    colour = tuple(float(v) for v in np.clip(tone, 0, 255))
    cv2.polylines(image, [points], False, colour, thick, cv2.LINE_AA)
    cv2.polylines(mask, [points], False, 255, thick)


def add_clutter(image: NDArray[np.float32], owner: NDArray[np.int16], rng: Rng, under: bool) -> None:
    """Add things under or over the cards, in place; what covers cards is marked in ``owner``."""
    h, w = owner.shape
    count = int(rng.integers(1, 6)) if under and rng.random() < 0.45 else int(not under and rng.random() < 0.18)
    for _ in range(count):
        x, y = int(rng.uniform(0, w)), int(rng.uniform(0, h))
        size = int(min(h, w) * np.exp(rng.uniform(np.log(0.05), np.log(0.4))))
        mask = np.zeros((h, w), np.uint8)
        kind = rng.random()
        if kind < 0.4:
            _chip(image, mask, rng, x, y, max(4, size // 3))
        elif kind < 0.65 and under:
            _paper(image, mask, rng, x, y, max(16, size))
        else:
            _stroke(image, mask, rng, size, skin=kind > 0.8)
        owner[mask > 0] = HIDDEN
