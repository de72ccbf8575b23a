"""Pictures of a printed felt with its markers, as a camera at a known place sees them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import cv2
import numpy as np

from datasets.backgrounds import felt
from datasets.camera import motion_blurred
from datasets.deck import Deck, Image
from datasets.drawn import Style, drawn_deck
from datasets.layouts import Place
from datasets.scene import View, camera_view, compose
from vision.felt import Layout
from vision.felt.drawing import draw, printed

FINE = 2.0
"""Pixels a millimetre that the felt is painted with before the camera sees it."""
SIZES = {"1080p": (1920, 1080), "720p": (1280, 720)}


@cache
def painted(layout: Layout, markers: bool = True, seed: int = 2) -> Image:
    """The felt from above, ``FINE`` pixels a millimetre, its top-left corner at (-width / 2, 0)."""
    width, depth = layout.size
    size = (round(width * FINE), round(depth * FINE))
    image = np.full((size[1], size[0], 3), 70, np.uint8)
    corner = (-width / 2, 0.0)
    for mark in printed(layout, markers=markers):
        draw(image, mark, corner, FINE)
    cloth = felt(np.random.default_rng(seed), size[1] // 4, size[0] // 4)
    grain = cv2.resize(cloth[..., 1], size)
    # Ink is not black and paper not white to a camera.
    shade = cv2.cvtColor(grain, cv2.COLOR_GRAY2BGR)
    return np.asarray(cv2.addWeighted(image, 0.86, shade, 0.35, 16 - 0.35 * float(grain.mean())), np.uint8)


def camera(
    layout: Layout, size: tuple[int, int], elevation: float, side: float = -90.0, fov: float = 62.0, fill: float = 0.92
) -> View:
    """A camera looking at the middle of the felt from ``elevation`` degrees above it.

    ``side`` -90 is the players' side (the dealer at the top), 90 the dealer's. It stands just so far off that the whole
    felt is in the picture, which it fills to ``fill``.
    """
    width, height = size
    middle = np.array([[1, 0, 0], [0, 1, -layout.size[1] / 2], [0, 0, 1]])
    low, high = 5.0, 400.0
    for _ in range(30):
        card = (low + high) / 2
        view = camera_view(width, height, card, np.radians(elevation), np.radians(side), 0.0, np.radians(fov))
        view = replace(view, homography=view.homography @ middle)
        seen = view.project(layout.felt.outline)
        share = np.abs(seen / np.array([width, height]) - 0.5).max() * 2
        low, high = (low, card) if share > fill or not view.sees(layout.felt.outline) else (card, high)
    return view


@cache
def room(size: tuple[int, int], seed: int = 5) -> Image:
    """What stands round the table: boards, furniture, a window."""
    width, height = size
    rng = np.random.default_rng(seed)
    image = np.full((height, width, 3), rng.integers(70, 150, 3), np.uint8)
    for _ in range(70):
        x, y = rng.uniform(0, width), rng.uniform(0, height)
        w, h = rng.uniform(0.01, 0.13, 2) * width
        quad = cv2.boxPoints(((x, y), (w, h), float(rng.uniform(-20, 20)))).astype(np.int32)
        cv2.fillConvexPoly(image, quad, [int(v) for v in rng.integers(20, 235, 3)], cv2.LINE_AA)
    return image


def empty_table(layout: Layout, view: View, markers: bool = True, seed: int = 5) -> Image:
    """The felt in its room, in even light, without a camera's faults."""
    size = (view.width, view.height)
    width = layout.size[0]
    onto = np.diag([1 / FINE, 1 / FINE, 1.0])
    onto[0, 2], onto[1, 2] = -width / 2 + 0.5 / FINE, 0.5 / FINE
    # Twice as fine and averaged, as a lens does.
    fine = np.array([[2, 0, 0.5], [0, 2, 0.5], [0, 0, 1]]) @ view.homography
    table = painted(layout, markers)
    big = (2 * view.width, 2 * view.height)
    seen = cv2.resize(
        cv2.warpPerspective(table, fine @ onto, big, flags=cv2.INTER_LINEAR), size, interpolation=cv2.INTER_AREA
    )
    mask = np.zeros((big[1], big[0]), np.uint8)
    outline = np.round((view.project(layout.felt.outline) * 2 + 0.5) * 16).astype(np.int32)
    cv2.fillPoly(mask, [outline.reshape(-1, 1, 2)], 255, cv2.LINE_AA, 4)
    alpha = cv2.resize(mask, size, interpolation=cv2.INTER_AREA).astype(np.float32)[..., None] / 255
    return np.clip(seen * alpha + room(size, seed) * (1 - alpha), 0, 255).astype(np.uint8)


@cache
def deck() -> Deck:
    return drawn_deck(Style(rank_height=0.1, suit_height=0.078, back_seed=4))


def with_cards(image: Image, view: View, cards: Sequence[tuple[float, float, str]]) -> Image:
    """Cards lying at (x, y) millimetres on the felt."""
    placed = [(Place(x, y, 0.05 * ((k % 5) - 2)), deck(), label) for k, (x, y, label) in enumerate(cards)]
    return compose(image, view, placed, np.random.default_rng(3), clutter=False)[0]


def with_hand(image: Image, at: tuple[float, float], size: float, angle: float = 0.4) -> Image:
    """An arm reaching in from the nearest edge of the picture to a hand around ``at`` pixels."""
    out = image.copy()
    skin = (120, 150, 205)
    direction = np.array([np.sin(angle), np.cos(angle)])
    end = np.array(at) + direction * 4000
    cv2.line(out, (int(at[0]), int(at[1])), (int(end[0]), int(end[1])), (90, 60, 60), int(size * 0.8), cv2.LINE_AA)
    wrist = np.array(at) + direction * size * 0.8
    cv2.line(out, (int(at[0]), int(at[1])), (int(wrist[0]), int(wrist[1])), skin, int(size * 0.6), cv2.LINE_AA)
    cv2.circle(out, (int(at[0]), int(at[1])), int(size * 0.5), skin, -1, cv2.LINE_AA)
    for k in range(5):
        turn = angle + np.pi + (k - 2) * 0.35
        tip = np.array(at) + np.array([np.sin(turn), np.cos(turn)]) * size
        cv2.line(out, (int(at[0]), int(at[1])), (int(tip[0]), int(tip[1])), skin, int(size * 0.22), cv2.LINE_AA)
    return cv2.GaussianBlur(out, (0, 0), 0.8)


def lamp(
    image: Image, strength: float = 0.5, x: float = 0.4, y: float = 0.4, warm: float = 0.1, gain: float = 1.0
) -> Image:
    """The light of a lamp over (x, y) of the picture that falls off by ``strength`` towards its edges."""
    h, w = image.shape[:2]
    gy, gx = np.mgrid[0:h, 0:w].astype(np.float32)
    fall = 1 - strength * (((gx / w - x) ** 2 + (gy / h - y) ** 2) * 1.6)
    tint = np.array([1 - warm, 1.0, 1 + warm], np.float32)
    return np.clip(image * (np.clip(fall, 0.15, 1)[..., None] * tint * gain), 0, 255).astype(np.uint8)


def shot(image: Image, seed: int, noise: float = 3.0, blur: float = 0.7, motion: float = 0.0) -> Image:
    """A camera's frame of it: a soft lens, movement, and the sensor's noise."""
    rng = np.random.default_rng(seed)
    soft = cv2.GaussianBlur(image, (0, 0), blur) if blur else image
    if motion:
        soft = motion_blurred(soft, motion, float(rng.uniform(0, np.pi)))
    grain = rng.standard_normal(soft.shape[:2], dtype=np.float32)[..., None] * noise
    return np.clip(soft.astype(np.float32) + grain, 0, 255).astype(np.uint8)
