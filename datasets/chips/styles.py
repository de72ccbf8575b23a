"""What chips look like: colours, edge inserts, printed faces. All of it is drawn here; no maker's art is used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.camera import Rng, smooth_field
from datasets.deck import Image
from datasets.fonts import font_face
from vision.chips.values import COLOURS

FACE = 192
"""Side of a face's picture in pixels; the disc fills it."""
EDGE_STEPS = 720
"""Steps round the edge's picture."""

_HUES: dict[str, tuple[tuple[float, float], tuple[float, float], tuple[float, float]]] = {
    # Ranges of hue (degrees), saturation and value under white light.
    "white": ((20, 70), (0.0, 0.10), (0.82, 0.98)),
    "yellow": ((44, 58), (0.62, 0.98), (0.82, 0.98)),
    "orange": ((18, 32), (0.75, 0.98), (0.80, 0.98)),
    "red": ((-10, 8), (0.70, 0.95), (0.50, 0.85)),
    "pink": ((-35, -12), (0.28, 0.62), (0.82, 0.98)),
    "purple": ((262, 305), (0.42, 0.85), (0.32, 0.65)),
    "blue": ((212, 240), (0.60, 0.95), (0.35, 0.78)),
    "light-blue": ((188, 208), (0.35, 0.75), (0.78, 0.97)),
    "green": ((100, 168), (0.50, 0.95), (0.26, 0.62)),
    "brown": ((12, 30), (0.45, 0.75), (0.25, 0.45)),
    "grey": ((0, 360), (0.0, 0.06), (0.42, 0.62)),
    "black": ((0, 360), (0.0, 0.25), (0.05, 0.17)),
}


def tint(rng: Rng, name: str) -> NDArray[np.float32]:
    """A random BGR colour (0..255) that people call ``name``."""
    (h0, h1), (s0, s1), (v0, v1) = _HUES[name]
    pixel = np.array([[[rng.uniform(h0, h1) % 360, rng.uniform(s0, s1), rng.uniform(v0, v1)]]], np.float32)
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0] * 255, np.float32)


@dataclass(frozen=True, eq=False)
class Look:
    """One colour of a family: ``face`` FACE x FACE x 3 and ``edge`` 8 x EDGE_STEPS x 3, both BGR, as floats."""

    name: str
    face: NDArray[np.float32]
    edge: NDArray[np.float32]

    @cached_property
    def faces(self) -> tuple[NDArray[np.float32], ...]:
        """The face and its half-size copies, for chips far away."""
        levels = [self.face]
        while levels[-1].shape[0] > 24:
            levels.append(np.asarray(cv2.resize(levels[-1], None, fx=0.5, fy=0.5, interpolation=3), np.float32))
        return tuple(levels)


@dataclass(frozen=True)
class Family:
    """What all colours of one maker's chips share; sizes in millimetres."""

    seed: int
    radius: float
    thickness: float
    inserts: int
    share: float
    pattern: str
    printing: str
    bevel: float
    gap: float
    gloss: float
    wear: float

    @cached_property
    def _looks(self) -> dict[str, Look]:
        return {}

    def look(self, name: str) -> Look:
        """The look of one colour, drawn when first asked for."""
        if name not in self._looks:
            rng = np.random.default_rng([self.seed, COLOURS.index(name)])
            self._looks[name] = _drawn(self, name, rng)
        return self._looks[name]


def random_family(rng: Rng) -> Family:
    """One kind of chips: sizes and patterns as sold for home and casino tables."""
    return Family(
        seed=int(rng.integers(1 << 30)),
        radius=float(rng.normal(19.6, 0.35)),
        thickness=float(np.clip(rng.normal(3.3, 0.15), 2.9, 3.8)),
        inserts=int(rng.choice([0, 4, 6, 8, 12], p=[0.06, 0.22, 0.44, 0.24, 0.04])),
        share=float(rng.uniform(0.22, 0.58)),
        pattern=str(rng.choice(["whole", "split", "bars", "triple", "stripe"], p=[0.6, 0.12, 0.08, 0.12, 0.08])),
        printing=str(rng.choice(["dice", "suits", "value", "plain", "label"], p=[0.34, 0.2, 0.2, 0.12, 0.14])),
        bevel=float(rng.uniform(0.05, 0.4)),
        gap=float(rng.uniform(0.15, 0.75)),
        gloss=float(rng.beta(1.5, 3)),
        wear=float(rng.beta(1.2, 3)),
    )


def _drawn(family: Family, name: str, rng: Rng) -> Look:
    base = tint(rng, name)
    light = name not in ("white", "yellow", "light-blue", "pink")
    if light and rng.random() < 0.72:
        mark = tint(rng, "white")
    else:
        choices = [c for c in COLOURS if c != name and (light or c not in ("white", "grey"))]
        mark = tint(rng, str(rng.choice(choices)))
    third = tint(rng, str(rng.choice(COLOURS)))
    return Look(name, _face(family, base, mark, third, rng), _edge(family, base, mark, third, rng))


def _edge(
    family: Family, base: NDArray[np.float32], mark: NDArray[np.float32], third: NDArray[np.float32], rng: Rng
) -> NDArray[np.float32]:
    """The rim unrolled: rows from the bottom up, columns once round."""
    out = np.empty((8, EDGE_STEPS, 3), np.float32)
    out[:] = base
    if family.inserts:
        turn = (np.arange(EDGE_STEPS) / EDGE_STEPS * family.inserts) % 1.0
        inside = turn < family.share
        place = turn / family.share
        if family.pattern == "whole":
            out[:, inside] = mark
        elif family.pattern == "split":
            out[:, inside] = mark
            out[3:5, inside] = base
        elif family.pattern == "bars":
            out[:, inside & ((place * 3).astype(int) % 2 == 0)] = mark
        elif family.pattern == "triple":
            out[:, inside] = mark
            out[:, inside & (np.abs(place - 0.5) < 0.2)] = third
        else:
            out[2:6, inside] = mark
    if rng.random() < 0.06:
        out[3:5] = mark  # a line all the way round
    grain = rng.normal(1, 0.02 + 0.06 * family.wear, (8, EDGE_STEPS, 1))
    worn = (rng.random((8, EDGE_STEPS, 1)) < 0.03 * family.wear) * 0.25
    return np.asarray(np.clip(out * (grain + worn), 0, 255), np.float32)


def _sector(image: Image, inner: float, outer: float, start: float, end: float, colour: Sequence[float]) -> None:
    c, r = FACE / 2, FACE / 2
    a = np.radians(np.linspace(start, end, 14))
    ring = np.concatenate(
        [np.c_[np.cos(a), np.sin(a)] * outer * r + c, (np.c_[np.cos(a), np.sin(a)] * inner * r + c)[::-1]]
    )
    cv2.fillPoly(image, [np.round(ring * 16).astype(np.int32)], tuple(colour), cv2.LINE_AA, 4)


def _face(
    family: Family, base: NDArray[np.float32], mark: NDArray[np.float32], third: NDArray[np.float32], rng: Rng
) -> NDArray[np.float32]:
    shared = np.random.default_rng(family.seed)  # the layout is the family's, the colours are this chip's
    image: Image = np.empty((FACE, FACE, 3), np.uint8)
    b, m, t = (tuple(float(v) for v in c) for c in (base, mark, third))
    image[:] = base.astype(np.uint8)
    c, r = FACE // 2, FACE / 2
    inner = float(shared.uniform(0.6, 0.78))
    if family.inserts:
        step = 360 / family.inserts
        for k in range(family.inserts):
            _sector(image, inner, 1.03, k * step, k * step + step * family.share, m)
            if family.printing in ("dice", "suits"):
                middle = k * step + step * (family.share + 1) / 2
                _prints(image, family.printing, (inner + 1) / 2, middle, m, shared)
    if shared.random() < 0.6:
        cv2.circle(image, (c, c), int(inner * r), m if shared.random() < 0.5 else tuple(0.75 * v for v in b), 2, 16)
    if family.printing == "label":
        cv2.circle(image, (c, c), int(inner * r * 0.85), m if shared.random() < 0.6 else t, -1, 16)
    elif shared.random() < 0.5:
        shade = float(shared.uniform(0.7, 1.15))
        cv2.circle(image, (c, c), int(inner * r * 0.9), tuple(min(255.0, shade * v) for v in b), -1, 16)
    if family.printing in ("value", "label"):
        text = str(rng.choice(["1", "5", "25", "100", "500", "10", "50", "20"]))
        size = int(shared.integers(40, 72))
        ink = b if family.printing == "label" else m
        width = int(0.58 * size * len(text))
        cv2.putText(image, text, (c - width // 2, c + size // 3), ink, font_face("sans"), size, 700)
    out = image.astype(np.float32)
    grain = (smooth_field(rng, FACE, FACE, 9) - 0.5) * 0.24 + rng.normal(0, 0.03, (FACE, FACE)).astype(np.float32)
    return np.asarray(np.clip(out * (1 + family.wear * grain)[..., None], 0, 255), np.float32)


def _prints(image: Image, kind: str, at: float, angle: float, ink: Sequence[float], rng: Rng) -> None:
    """Pips of a die or a suit's sign between two inserts."""
    a = np.radians(angle)
    centre = np.array([np.cos(a), np.sin(a)]) * at * FACE / 2 + FACE / 2
    along, out = np.array([-np.sin(a), np.cos(a)]), np.array([np.cos(a), np.sin(a)])
    if kind == "dice":
        for side in (-1, 1):
            square = centre + along * side * 8
            pips = int(rng.integers(1, 7))
            spots = [(0, 0)] * (pips % 2) + [(-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)][: pips // 2 * 2]
            for x, y in spots:
                p = square + along * x * 4 + out * y * 4
                cv2.circle(image, tuple(int(v) for v in np.round(p * 8)), 12, tuple(ink), -1, cv2.LINE_AA, 3)
        return
    spot = np.array([[0, -1], [0.8, 0.1], [0, 1], [-0.8, 0.1]]) * 9
    turned = spot @ np.stack([along, out]) + centre
    cv2.fillConvexPoly(image, np.round(turned).astype(np.int32), tuple(ink), cv2.LINE_AA)
    if rng.random() < 0.5:
        for side in (-1, 1):
            p = centre + along * side * 4
            cv2.circle(image, (round(float(p[0])), round(float(p[1]))), 5, tuple(ink), -1, cv2.LINE_AA)
