"""What lies about among chips: coins, bottle caps and lids, cards under them, hands over them."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from datasets.camera import Rng
from datasets.chips.draw import Camera, Canvas, Chip, Floats, Light, draw_chip
from datasets.chips.styles import EDGE_STEPS, FACE, Look
from datasets.fonts import font_face

HIDDEN = -2
"""Owner of pixels that something else covers."""
_METALS = ((70, 110, 160), (60, 160, 205), (175, 180, 185), (120, 130, 140))


def draw_other(canvas: Canvas, camera: Camera, place: Chip, light: Light, owner: int, rng: Rng) -> None:
    """A coin, a crown cap or a lid where the plan has a chip."""
    draw_chip(canvas, camera, round_thing(place, rng), light, owner, 0.2, 0.3)


def round_thing(place: Chip, rng: Rng) -> Chip:
    """A coin, a crown cap or a lid of that place and size."""
    return replace(place, look=other_look(rng, place.radius))


def other_look(rng: Rng, radius: float) -> Look:
    """A round thing that nobody takes for a chip who looks twice."""
    face = np.empty((FACE, FACE, 3), np.uint8)
    c = FACE // 2
    metal = radius < 18 or rng.random() < 0.3
    base = np.array(_METALS[int(rng.integers(4))]) * rng.uniform(0.6, 1.2) if metal else rng.integers(10, 245, 3)
    colour = tuple(float(v) for v in np.clip(base, 0, 255))
    dark, bright = tuple(0.7 * v for v in colour), tuple(min(255.0, 1.25 * v) for v in colour)
    face[:] = colour
    for r in rng.uniform(0.3, 1.0, int(rng.integers(0, 5))):
        cv2.circle(face, (c, c), int(r * c), dark if rng.random() < 0.5 else bright, int(rng.integers(1, 5)), 16)
    if metal:  # a head or an arms in relief
        for _ in range(int(rng.integers(3, 9))):
            at = tuple(int(v) for v in rng.normal(c, 22, 2))
            axes = tuple(int(v) for v in rng.uniform(4, 34, 2))
            tone = dark if rng.random() < 0.5 else bright
            cv2.ellipse(face, at, axes, float(rng.uniform(0, 180)), 0, 360, tone, int(rng.choice([-1, 2, 3])), 16)
    elif rng.random() < 0.6:
        text = "".join(rng.choice(list("ABCDEGKLOPRSTU"), int(rng.integers(3, 7))))
        ink = tuple(float(v) for v in rng.integers(0, 256, 3))
        cv2.putText(face, text, (c - 11 * len(text), c + 12), ink, font_face("sans"), 34, 700)
    edge = np.empty((8, EDGE_STEPS, 3), np.float32)
    edge[:] = colour
    if rng.random() < 0.7:  # milled or crimped
        teeth = int(rng.integers(18, 90))
        edge *= (0.75 + 0.35 * np.sin(np.arange(EDGE_STEPS) / EDGE_STEPS * 2 * np.pi * teeth))[None, :, None]
    return Look("grey", face.astype(np.float32), np.clip(edge, 0, 255).astype(np.float32))


def lay_cards(canvas: Canvas, camera: Camera, rng: Rng) -> None:
    """A few playing cards, drawn plainly: white with pips, or a patterned back."""
    for _ in range(int(rng.integers(1, 4))):
        card = np.full((178, 127, 3), rng.integers(225, 256), np.uint8)
        ink = (30, 20, 190) if rng.random() < 0.5 else (25, 25, 25)
        if rng.random() < 0.3:
            card[6:-6, 6:-6] = rng.integers(20, 230, 3)
        else:
            for _ in range(int(rng.integers(2, 11))):
                at = int(rng.uniform(30, 97)), int(rng.uniform(25, 153))
                cv2.circle(card, at, 9, ink, -1, 16)
            rank = str(rng.choice(list("A23456789JQK")))
            cv2.putText(card, rank, (5, 28), ink, font_face("sans"), 26, 600)
        x, y, angle = rng.uniform(-120, 120), rng.uniform(-120, 120), rng.uniform(0, 2 * np.pi)
        c, s = np.cos(angle), np.sin(angle)
        corners = np.array([[-31.7, 44.4], [31.7, 44.4], [31.7, -44.4], [-31.7, -44.4]]) @ np.array([[c, s], [-s, c]])
        flat = camera.project(np.column_stack([corners + np.array([x, y]), np.zeros(4)])).astype(np.float32)
        m = cv2.getPerspectiveTransform(np.array([[0, 0], [127, 0], [127, 178], [0, 178]], np.float32), flat)
        size = (canvas.owner.shape[1], canvas.owner.shape[0])
        alpha = cv2.warpPerspective(np.full((178, 127), 1.0, np.float32), m, size)[..., None]
        drawn = np.asarray(cv2.warpPerspective(card, m, size), np.float32)
        canvas.image[:] = canvas.image * (1 - alpha) + drawn * alpha


def put_hand(canvas: Canvas, camera: Camera, foot: Floats, rng: Rng) -> None:
    """Fingers and the back of a hand coming in from the frame towards ``foot``; they cover what they pass over."""
    h, w = canvas.owner.shape
    goal = camera.project((foot + np.array([0, 0, rng.uniform(5, 40)]))[None])[0]
    scale = float(np.linalg.norm(camera.slope(foot)[:, 0]))
    if not np.isfinite(goal).all() or scale > 40:
        return
    angle = rng.uniform(0, 2 * np.pi)
    away = np.array([np.cos(angle), np.sin(angle)])
    skin = np.array([110, 140, 195]) * rng.uniform(0.35, 1.15) + rng.normal(0, 8, 3)
    shade, mask = canvas.image.copy(), np.zeros((h, w), np.float32)
    finger = 16 * scale
    palm = goal + away * 75 * scale
    side = np.array([-away[1], away[0]])
    for k in range(int(rng.integers(1, 5))):
        tip = goal + away * rng.uniform(-8, 14) * scale + side * (k - 1.5) * finger * 1.05
        root = palm + side * (k - 1.5) * finger * 1.1
        tone = np.clip(skin * rng.uniform(0.9, 1.08), 0, 255)
        _limb(shade, mask, tip, root, finger, tone)
    _limb(shade, mask, palm + away * 10 * scale, palm + away * 400 * scale, finger * 4, np.clip(skin * 0.95, 0, 255))
    soft = cv2.GaussianBlur(mask, (0, 0), 1.0)[..., None]
    canvas.image[:] = canvas.image * (1 - soft) + shade * soft
    canvas.owner[mask > 0.5] = HIDDEN


def _limb(image: np.ndarray, mask: np.ndarray, a: Floats, b: Floats, thick: float, tone: Floats) -> None:
    p, q = (tuple(int(v) for v in np.clip(np.round(e), -3000, 6000)) for e in (a, b))
    width = int(np.clip(thick, 1, 2000))
    for part, k in ((1.0, 0.72), (0.75, 0.88), (0.45, 1.0)):
        cv2.line(image, p, q, tuple(float(v * k) for v in tone), max(1, int(width * part)), cv2.LINE_AA)
    cv2.line(mask, p, q, 1.0, width)
