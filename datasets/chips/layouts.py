"""Where chips stand in a rendered scene: bets, loose chips, splashes, piles, racks, and things that are no chips."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from datasets.camera import Rng
from datasets.chips.draw import Camera, Floats
from datasets.chips.scene import Plan, random_order
from datasets.chips.styles import Family, random_family
from vision.chips.values import MOST


def random_plans(rng: Rng, camera: Camera, family: Family, colours: Sequence[str]) -> list[Plan]:
    """What lies on the table in one scene."""
    kind = rng.random()
    if kind < 0.52:
        plans = _bets(rng, camera, family, colours, int(rng.integers(1, 8)), MOST)
    elif kind < 0.66:
        plans = _bets(rng, camera, family, colours, int(rng.integers(4, 14)), int(rng.integers(1, 4)))
    elif kind < 0.76:
        plans = splashed(rng, camera, family, colours)
    elif kind < 0.84:
        plans = _pile(rng, camera, family, colours)
    elif kind < 0.94:
        plans = _rack(rng, family, colours)
    else:
        plans = []
    if rng.random() < 0.2 or not plans:
        plans += others(rng, camera, family, plans)
    return plans


def on_table(camera: Camera, rng: Rng, margin: float = 0.05) -> Floats | None:
    """A point of the table under a random pixel; None above the horizon or where chips would be tiny."""
    m = camera.matrix[:, [0, 1, 3]]
    x = rng.uniform(-margin, 1 + margin) * camera.width
    y = rng.uniform(0.0, 1 + margin) * camera.height
    p = np.linalg.inv(m) @ [x, y, 1.0]
    # Points before the camera keep the sign of the middle's; a third of its depth is too near, twice too far.
    if abs(p[2]) < 1e-12:
        return None
    at = np.array([p[0] / p[2], p[1] / p[2], 0.0])
    depth = camera.depth(at) / camera.depth(np.zeros(3))
    return at if 0.45 < depth < 2.2 else None


def spread(rng: Rng, camera: Camera, count: int, apart: float, taken: Sequence[Plan] = ()) -> list[Floats]:
    """Up to ``count`` points of the table in sight, ``apart`` millimetres or more from each other and ``taken``."""
    points = [plan.foot for plan in taken]
    found: list[Floats] = []
    for _ in range(count * 12):
        if len(found) == count:
            break
        if points and rng.random() < 0.45:  # beside another, as bets and pots are
            near = points[int(rng.integers(len(points)))]
            angle = rng.uniform(0, 2 * np.pi)
            at: Floats | None = near + np.array([np.cos(angle), np.sin(angle), 0]) * apart * rng.uniform(1.0, 1.9)
        else:
            at = on_table(camera, rng)
        if at is None:
            continue
        pixel = camera.project(at[None])[0]
        if not (-30 < pixel[0] < camera.width + 30 and -10 < pixel[1] < camera.height + 60):
            continue
        if all(float(np.hypot(*(at - p)[:2])) > apart for p in points):
            found.append(at)
            points.append(at)
    return found


def _bets(rng: Rng, camera: Camera, family: Family, colours: Sequence[str], count: int, most: int) -> list[Plan]:
    sloppy = float(rng.gamma(1.4, 0.55))
    out = []
    few = [str(c) for c in rng.permutation(list(colours))[: int(rng.integers(1, 6))]]
    for at in spread(rng, camera, count, 2 * family.radius + float(rng.uniform(1, 6))):
        order = random_order(rng, few if len(few) > 1 else colours, most)
        lean = rng.normal(0, 0.35, 2) if rng.random() < 0.25 else None
        out.append(Plan("stack", at, order, family, min(sloppy, 2.6), lean))
    return out


def _pile(rng: Rng, camera: Camera, family: Family, colours: Sequence[str]) -> list[Plan]:
    """Columns side by side, as players keep them."""
    start = on_table(camera, rng)
    if start is None:
        start = np.zeros(3)
    step = 2 * family.radius + rng.uniform(0.3, 3)
    turn = rng.uniform(0, np.pi)
    out = []
    for row in range(int(rng.integers(1, 4))):
        for k in range(int(rng.integers(2, 6))):
            x, y = (k + row % 2 / 2) * step, row * step * 0.87
            at = start + np.array([np.cos(turn) * x - np.sin(turn) * y, np.sin(turn) * x + np.cos(turn) * y, 0])
            depth = camera.depth(at) / camera.depth(np.zeros(3))
            if 0.45 < depth < 2.2:
                out.append(Plan("stack", at, random_order(rng, colours, MOST), family, float(rng.uniform(0.1, 0.9))))
    return out


def splashed(rng: Rng, camera: Camera, family: Family, colours: Sequence[str]) -> list[Plan]:
    """Chips lying spread so that each face shows, some in rows half over each other."""
    out: list[Plan] = []
    for _ in range(int(rng.integers(1, 4))):
        at = on_table(camera, rng)
        if at is None:
            continue
        colour = str(rng.choice(list(colours)))
        angle, gap = rng.uniform(0, 2 * np.pi), rng.uniform(0.9, 2.2) * family.radius
        for k in range(int(rng.integers(2, 9))):
            if rng.random() < 0.2:
                colour = str(rng.choice(list(colours)))
            foot = at + np.array([np.cos(angle), np.sin(angle), 0]) * gap * k
            foot[:2] += rng.normal(0, 1.5, 2)
            if all(float(np.hypot(*(foot - p.foot)[:2])) > 0.8 * family.radius for p in out):
                under = any(float(np.hypot(*(foot - p.foot)[:2])) < 2 * family.radius for p in out)
                # A chip that lies on another's rim: flat enough to draw it a hair above all before.
                lifted = foot + np.array([0, 0, 0.02 * (len(out) + 1) + (family.thickness * 0.6 if under else 0)])
                out.append(Plan("stack", lifted, (colour,), family))
    return out


def _rack(rng: Rng, family: Family, colours: Sequence[str]) -> list[Plan]:
    """Tubes side by side: each a row of chips on edge, away from the viewer or across."""
    across = rng.random() < 0.4
    tubes, step = int(rng.integers(1, 6)), 2 * family.radius + rng.uniform(1, 6)
    axis = np.array([1.0, 0, 0]) if across else np.array([0, -1.0, 0])
    tilt = rng.uniform(0.05, 0.5)
    axis = axis * np.cos(tilt) + np.array([0, 0, np.sin(tilt)])
    beside = np.array([0, 1.0, 0]) if across else np.array([1.0, 0, 0])
    out = []
    for k in range(tubes):
        count = 20 if rng.random() < 0.35 else int(rng.integers(1, 21))
        colour = str(rng.choice(list(colours)))
        order = (colour,) * count if rng.random() < 0.8 else random_order(rng, colours, 20)
        middle = beside * (k - (tubes - 1) / 2) * step
        foot = middle - axis * family.thickness * 10 + np.array([0, 0, family.radius * 1.05 + 5])
        out.append(Plan("tube", foot, order, family, 0.5, axis=axis))
    return out


def others(rng: Rng, camera: Camera, family: Family, taken: Sequence[Plan]) -> list[Plan]:
    """Coins, bottle caps, lids and buttons: round, but no chips."""
    out = []
    for at in spread(rng, camera, int(rng.integers(1, 5)), 42.0, taken):
        radius = float(rng.choice([rng.uniform(8, 14), rng.uniform(13, 18), rng.uniform(20, 45)]))
        thickness = float(rng.uniform(1.4, 2.6) if radius < 18 and rng.random() < 0.6 else rng.uniform(3, 14))
        thing = replace(random_family(rng), radius=radius, thickness=thickness)
        out.append(Plan("other", at, ("grey",), thing))
    return out
