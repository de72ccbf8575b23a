"""Scenes of chips on a table: stacks, loose and splashed chips, racks, and things that are no chips; exact truth.

Everything is drawn from one :class:`numpy.random.Generator`, so a seed gives the same scene again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.camera import Rng, lit, seen_by_camera
from datasets.chips.backdrop import backdrop
from datasets.chips.draw import Camera, Canvas, Chip, Floats, Light, draw_chip, extent, front
from datasets.chips.others import draw_other, lay_cards, put_hand, round_thing
from datasets.chips.styles import Family, random_family
from datasets.chips.traced import Finish, random_finish, trace
from datasets.deck import Image
from datasets.scene import camera_view
from vision.chips.values import COLOURS

CHIP_MM = 39.0
CARD_MM = 88.9
PLAIN_COLOURS = ("white", "red", "blue", "green", "black")
_UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True)
class SeenStack:
    """One stack in the picture. ``box`` is all of it, also what is hidden or beyond the frame; ``seams`` (N + 1) x 2
    are the points of the rims nearest the viewer, from the bottom up; ``across`` is a chip's width in pixels, ``up``
    the direction of the axis (2,); ``squash`` the upper face's height over its width. ``visible`` is the share of its
    pixels that show, ``seen_front`` the share of the strip along ``seams``.
    """

    shape: str
    box: Floats
    order: tuple[str, ...]
    seams: Floats
    across: float
    up: Floats
    squash: float
    visible: float
    seen_front: float
    tilt: float = 0.0
    """How far its seams are from lying square to ``up``, in radians, clockwise; none in what is rendered."""


@dataclass(frozen=True)
class ChipScene:
    """A rendered picture and all chips in it."""

    image: Image
    stacks: tuple[SeenStack, ...]
    seed: int = 0


@dataclass(frozen=True)
class Plan:
    """One stack to be drawn: ``foot`` (3,) millimetres, colours from the bottom up, how far chips lie off the axis."""

    shape: str
    foot: Floats
    order: tuple[str, ...]
    family: Family
    sloppy: float = 0.6
    lean: Floats | None = None
    axis: Floats | None = None
    others: int = 0


def chips_camera(rng: Rng, width: int, height: int, chip_px: tuple[float, float], above: float | None = None) -> Camera:
    """A camera over the table; ``chip_px``: width of a chip in the middle, ``above``: its elevation (radians)."""
    if above is None:
        kind = rng.random()
        degrees = rng.uniform(10, 45) if kind < 0.62 else rng.uniform(40, 66) if kind < 0.87 else rng.uniform(62, 90)
        above = float(np.radians(degrees))
    size = float(np.exp(rng.uniform(*np.log(chip_px)))) * CARD_MM / CHIP_MM
    roll = float(rng.normal(0, 0.04)) if rng.random() < 0.8 else float(rng.normal(0, 0.2))
    view = camera_view(width, height, size, above, -np.pi / 2, roll, float(np.radians(rng.uniform(30, 70))))
    assert view.rise is not None
    h = view.homography
    matrix = np.column_stack([h[:, 0], h[:, 1], view.rise, h[:, 2]])
    # camera_view may mirror the table to keep cards readable; up must still rise in the picture.
    probe = Camera(matrix, width, height)
    if probe.slope(np.zeros(3))[1, 2] > 0:
        matrix[:, 2] *= -1
    if rng.random() < 0.3:  # pictures squeezed to another shape
        k = float(np.exp(rng.normal(0, 0.14)))
        matrix = np.array([[k, 0, (1 - k) * width / 2], [0, 1, 0], [0, 0, 1]]) @ matrix
    return Camera(matrix, width, height)


def random_order(rng: Rng, colours: Sequence[str], most: int) -> tuple[str, ...]:
    """A stack's colours from the bottom up: mostly one, else runs as a dealer stacks them, else anyhow."""
    count = int(rng.integers(1, most + 1))
    kind = rng.random()
    if kind < 0.6 or count == 1:
        return (str(rng.choice(colours)),) * count
    chosen = [str(c) for c in rng.permutation(colours)[: int(rng.integers(2, 4))]]
    if kind < 0.85:
        cuts = np.sort(rng.integers(0, count + 1, len(chosen) - 1))
        sizes = np.diff([0, *cuts, count])
        return tuple(c for c, n in zip(chosen, sizes, strict=True) for _ in range(int(n)))
    if kind < 0.93 and count > 2:  # one odd chip in the middle
        order = [chosen[0]] * count
        order[int(rng.integers(1, count))] = chosen[1]
        return tuple(order)
    return tuple(str(c) for c in rng.choice(chosen, count))


def chips_of(plan: Plan, rng: Rng) -> list[Chip]:
    """The chips of one stack, from the bottom up."""
    family = plan.family
    axis = _UP if plan.axis is None else plan.axis
    right = np.array([1.0, 0.0, 0.0])
    if plan.axis is not None:
        right = np.cross(axis, _UP)
        right = right / max(float(np.linalg.norm(right)), 1e-9)
    back = np.cross(axis, right)
    lean = np.zeros(2) if plan.lean is None else plan.lean
    out = []
    at = plan.foot.astype(np.float64)
    wander = np.zeros(2)
    base_turn = rng.uniform(0, 2 * np.pi)
    tidy = rng.random() < 0.12
    for k, colour in enumerate(plan.order):
        step = rng.normal(0, plan.sloppy, 2)
        wander = 0.7 * wander + step
        off = wander + lean * k
        if plan.axis is not None:
            off = off * 0.15
        turn = base_turn + rng.normal(0, 0.08) if tidy else rng.uniform(0, 2 * np.pi)
        centre = at + right * off[0] + back * off[1] + axis * family.thickness * k
        out.append(Chip(centre, family.radius, family.thickness, float(turn), family.look(colour), right, back, axis))
    return out


def random_light(rng: Rng) -> Light:
    """A lamp somewhere above, harder or softer."""
    angle, height = rng.uniform(0, 2 * np.pi), rng.uniform(0.35, 0.97)
    flat = np.sqrt(1 - height**2)
    direction = np.array([np.cos(angle) * flat, np.sin(angle) * flat, height])
    return Light(direction, float(rng.uniform(0.4, 0.85)), 0.0)


def shadow(canvas: Canvas, camera: Camera, chips: Sequence[Chip], light: Light, strength: float) -> None:
    """Darken the table where the stack keeps the lamp's light away, and close around its foot."""
    first, last = chips[0], chips[-1]
    top = last.centre + last.up * last.thickness
    angles = np.linspace(0, 2 * np.pi, 28, endpoint=False)
    ring = np.cos(angles)[:, None] * first.right + np.sin(angles)[:, None] * np.array([0.0, 1.0, 0.0])
    low = first.centre * [1, 1, 0] + ring * first.radius
    fall = -light.direction / max(light.direction[2], 0.25) * top[2]
    high = (top + fall) * [1, 1, 0] + ring * first.radius
    size = float(np.linalg.norm(camera.slope(first.centre)[:, 0])) * first.radius
    box_points = camera.project(np.concatenate([low, high]))
    if not np.isfinite(box_points).all():
        return
    h, w = canvas.owner.shape
    pad = int(size) + 4
    x0, y0 = np.maximum(box_points.min(0).astype(int) - pad, 0)
    x1, y1 = np.minimum(box_points.max(0).astype(int) + pad, [w, h])
    if x1 - x0 < 2 or y1 - y0 < 2:
        return
    mask = np.zeros((y1 - y0, x1 - x0), np.float32)
    hull = cv2.convexHull((box_points - [x0, y0]).astype(np.float32)).astype(np.int32)
    cv2.fillConvexPoly(mask, hull, strength)
    mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), max(0.6, size * 0.12)), np.float32)
    foot = np.zeros_like(mask)
    wider = camera.project(first.centre * [1, 1, 0] + ring * first.radius * 1.06) - [x0, y0]
    cv2.fillConvexPoly(foot, wider.astype(np.int32), 0.6)
    mask = np.maximum(mask, cv2.GaussianBlur(foot, (0, 0), max(0.6, size * 0.06)))
    canvas.image[y0:y1, x0:x1] *= 1 - mask[..., None]


def compose(
    background: Image,
    camera: Camera,
    plans: Sequence[Plan],
    rng: Rng,
    light: Light,
    clutter: bool,
    finish: Finish | None = None,
) -> tuple[NDArray[np.float32], tuple[SeenStack, ...]]:
    """Draw all plans, far ones first, and say what shows of each. With a ``finish`` they are seen in light that is
    followed (`trace`, which see for what it raises); cards and a hand are drawn all the same.
    """
    canvas = Canvas(background.astype(np.float32), np.full(background.shape[:2], -1, np.int16))
    if clutter and rng.random() < 0.2:
        lay_cards(canvas, camera, rng)
    bare = canvas.image.copy()
    built = [chips_of(plan, rng) for plan in plans]
    if finish is not None:
        built = [
            [round_thing(chips[0], rng)] if plan.shape == "other" else chips
            for plan, chips in zip(plans, built, strict=True)
        ]
    strength = float(rng.uniform(0.1, 0.6))
    # The far ones first; what lies on another (splashed) after it.
    order = sorted(range(len(plans)), key=lambda k: (-camera.depth(plans[k].foot * [1, 1, 0]), plans[k].foot[2]))
    if any(plan.foot[2] > 0 and plan.axis is None for plan in plans):
        order = sorted(order, key=lambda k: plans[k].foot[2])
    for k in order:
        if plans[k].axis is None:
            shadow(canvas, camera, built[k], light, strength)
    for k in order:
        shine = replace(light, gloss=plans[k].family.gloss)
        if plans[k].shape == "other" and finish is None:
            draw_other(canvas, camera, built[k][0], shine, k, rng)
            continue
        bevel, gap = plans[k].family.bevel, plans[k].family.gap
        for chip, above in zip(built[k], [*built[k][1:], None], strict=True):
            draw_chip(canvas, camera, chip, shine, k, bevel, gap, above)
    if finish is not None:
        canvas.image = trace(bare, camera, built, light, finish, np.random.default_rng(int(rng.integers(1 << 31))))
    if clutter and rng.random() < 0.14 and plans:
        put_hand(canvas, camera, plans[int(rng.integers(len(plans)))].foot, rng)
    shown = tuple(
        seen(canvas, camera, plan, chips, k) for k, (plan, chips) in enumerate(zip(plans, built, strict=True))
    )
    return canvas.image, shown


def seen(canvas: Canvas, camera: Camera, plan: Plan, chips: list[Chip], number: int) -> SeenStack:
    """What the picture shows of the stack whose pixels are owned by ``number``."""
    boxes = np.array([extent(camera, c) for c in chips])
    box = np.concatenate([boxes[:, :2].min(0), boxes[:, 2:].max(0)])
    seams = np.array([front(camera, c, 0.0) for c in chips] + [front(camera, chips[-1], 1.0)])
    slope = camera.slope(chips[len(chips) // 2].centre)
    plane = slope @ np.stack([chips[0].right, chips[0].back], 1) * chips[0].radius
    up = slope @ chips[0].up
    up = up / max(float(np.linalg.norm(up)), 1e-9)
    side = np.array([up[1], -up[0]])
    across = 2 * float(np.linalg.norm(side @ plane))
    squash = float(np.linalg.norm(up @ plane)) * 2 / max(across, 1e-6)
    h, w = canvas.owner.shape
    # All of it, drawn alone, against what shows: counted over the outline's filled hull.
    outline = _outline(camera, chips)
    x0, y0 = np.floor(outline.min(0)).astype(int) - 1
    x1, y1 = np.ceil(outline.max(0)).astype(int) + 2
    if x1 - x0 > 4 * w or y1 - y0 > 4 * h or x1 <= x0 or y1 <= y0:
        visible = 0.0
    else:
        mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
        cv2.fillConvexPoly(mask, (outline - [x0, y0]).astype(np.int32), 1)
        cx0, cy0, cx1, cy1 = max(x0, 0), max(y0, 0), min(x1, w), min(y1, h)
        inside = 0
        if cx1 > cx0 and cy1 > cy0:
            part = mask[cy0 - y0 : cy1 - y0, cx0 - x0 : cx1 - x0]
            inside = int(((canvas.owner[cy0:cy1, cx0:cx1] == number) & (part > 0)).sum())
        visible = inside / max(int(mask.sum()), 1)
    return SeenStack(
        plan.shape,
        box,
        plan.order,
        seams,
        across,
        up,
        squash,
        visible,
        _front_share(canvas, seams, side, across, number),
    )


def _outline(camera: Camera, chips: list[Chip]) -> NDArray[np.float32]:
    angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    points = []
    for c in chips:
        ring = (np.cos(angles)[:, None] * c.right + np.sin(angles)[:, None] * c.back) * c.radius
        points += [camera.project(c.centre + ring), camera.project(c.centre + c.up * c.thickness + ring)]
    return np.asarray(cv2.convexHull(np.concatenate(points).astype(np.float32))[:, 0], np.float32)


def _front_share(canvas: Canvas, seams: Floats, side: Floats, across: float, number: int) -> float:
    """How much shows of the strip from the lowest seam to the highest, a third of the stack wide."""
    h, w = canvas.owner.shape
    along = np.linspace(0, 1, 40)
    lines = np.stack([np.interp(along * (len(seams) - 1), np.arange(len(seams)), seams[:, i]) for i in (0, 1)], 1)
    shares = []
    for off in (-0.17, 0.0, 0.17):
        # Inwards of the very rims, where the last pixel belongs to nobody.
        points = np.round(lines[2:-2] + side * off * across).astype(int)
        points[:, 1] -= round(across * off * off * 0.2)
        ok = (points[:, 0] >= 0) & (points[:, 0] < w) & (points[:, 1] >= 0) & (points[:, 1] < h)
        mine = np.zeros(len(points), bool)
        mine[ok] = canvas.owner[points[ok, 1], points[ok, 0]] == number
        shares.append(float(mine.mean()))
    return float(np.median(shares))


def equalised(image: Image, rng: Rng) -> Image:
    """Local contrast stretched, as phones and some data sets do it."""
    lab = cv2.cvtColor(image, cv2.COLOR_BGR2LAB)
    tiles = int(rng.integers(4, 12))
    lab[..., 0] = cv2.createCLAHE(float(rng.uniform(1.5, 8)), (tiles, tiles)).apply(lab[..., 0])
    return np.asarray(cv2.cvtColor(lab, cv2.COLOR_LAB2BGR), np.uint8)


def finished(image: NDArray[np.float32], rng: Rng, harsh: bool = True) -> Image:
    """The room's light, at times (where ``harsh``) local contrast stretched, and the camera's faults."""
    out = lit(np.clip(image, 0, 255).astype(np.uint8), rng)
    if harsh and rng.random() < 0.35:
        out = equalised(out, rng)
    return seen_by_camera(out, rng, blur=min(out.shape[:2]) / 640 * 0.8 + 0.2)


def random_chip_scene(
    seed: int, width: int, height: int, chip_px: tuple[float, float], followed: bool = False
) -> ChipScene:
    """One random picture, all from ``seed``; ``followed``: in light that is (`trace`)."""
    from datasets.chips.layouts import random_plans

    rng = np.random.default_rng([seed, 39])
    camera = chips_camera(rng, width, height, chip_px)
    family = random_family(rng)
    colours = list(COLOURS) if rng.random() < 0.7 else list(PLAIN_COLOURS)
    plans = random_plans(rng, camera, family, colours)
    table = backdrop(seed, rng, camera, feet=[plan.foot for plan in plans])
    finish = random_finish(np.random.default_rng([seed, 40])) if followed else None
    image, stacks = compose(table, camera, plans, rng, random_light(rng), clutter=True, finish=finish)
    return ChipScene(finished(image, rng), stacks, seed)
