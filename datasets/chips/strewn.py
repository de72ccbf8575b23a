"""Chips strewn over a table, singly or a few on each other, seen from steeply above: with truth, for learning."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from datasets.camera import Rng
from datasets.chips.backdrop import backdrop, drawn_top
from datasets.chips.layouts import others, spread
from datasets.chips.orders import STANDARD
from datasets.chips.scene import ChipScene, Plan, chips_camera, compose, finished, random_light
from datasets.chips.styles import random_family
from datasets.chips.traced import random_finish
from vision.chips.appearance import USUAL
from vision.chips.values import COLOURS

SALT = 820
SIDES, NEAR = (416, 448, 512, 640), 600
"""Sizes of the pictures; in those of `NEAR` pixels and more chips are larger."""
CHIP_PX, LARGER_PX = (34.0, 95.0), (45.0, 130.0)
ABOVE = (30.0, 88.0)
"""How steeply the camera looks down, in degrees."""
ALL_SINGLE = 0.6
"""So many pictures hold single chips only; in the others as many are single as chance will have it."""
FEW = 5
"""No stack is higher."""
STRANGE, STRANGERS = 0.25, 0.25
"""So many pictures hold chips of other colours than are played with, and so many of their chips are such."""


@dataclass(frozen=True)
class Strewn:
    """A scene, and the colours that a reader is told to expect there."""

    scene: ChipScene
    usual: frozenset[str]


def strewn(seed: int, followed: bool = False) -> Strewn:
    """One picture, all from ``seed``; ``followed``: in light that is (`datasets.chips.traced`)."""
    rng = np.random.default_rng([SALT, seed])
    side = int(rng.choice(SIDES))
    width, height = (side, side) if rng.random() < 0.5 else (side, side * 3 // 4)
    above = float(np.radians(rng.uniform(*ABOVE)))
    camera = chips_camera(rng, width, height, CHIP_PX if side < NEAR else LARGER_PX, above)
    family, played = random_family(rng), _played(rng)
    usual = played if rng.random() < 0.8 else {*USUAL, *played}
    strange = STRANGERS if rng.random() < STRANGE else 0.0
    single = 1.0 if rng.random() < ALL_SINGLE else float(rng.random())
    apart = 2 * family.radius + (3 if rng.random() < 0.7 else 25)
    plans = []
    for at in spread(rng, camera, int(rng.integers(2, 15)), apart):
        x, y = camera.project(at[None])[0]
        if not (0.04 * width < x < 0.96 * width and 0.04 * height < y < 0.96 * height):
            continue
        count = 1 if rng.random() < single else int(rng.integers(2, FEW + 1))
        colours = COLOURS if rng.random() < strange else sorted(played)
        alike = rng.random() < 0.7
        order = (str(rng.choice(colours)),) * count if alike else tuple(str(c) for c in rng.choice(colours, count))
        plans.append(Plan("stack", at, order, family, float(rng.uniform(0.1, 1.5))))
    if rng.random() < 0.2:
        plans += others(rng, camera, family, plans)
    if rng.random() < 0.4:
        table = backdrop(seed, rng, camera, drawn_top(int(rng.integers(24))))
    else:
        table = backdrop(seed, rng, camera, feet=[plan.foot for plan in plans])
    finish = random_finish(np.random.default_rng([SALT, seed, 1])) if followed else None
    light = random_light(rng)
    image, stacks = compose(table, camera, plans, rng, light, clutter=rng.random() < 0.4, finish=finish)
    return Strewn(ChipScene(finished(image, rng, harsh=rng.random() < 0.5), stacks, seed), frozenset(usual))


def _played(rng: Rng) -> set[str]:
    """The colours that are played with: those that most sets have, or any four to eight."""
    if rng.random() < 0.5:
        return set(STANDARD)
    return {str(c) for c in rng.permutation(COLOURS)[: int(rng.integers(4, 9))]}
