"""Racks of chips: rows on edge in a tray's troughs, as boxes and dealers' floats hold them, with truth.

A row lies on its side with its lower part in the trough, so what is seen of it ends where the tray's top begins; from
one end, where the camera sees that, the last chip's face shows. The chips themselves are drawn as everywhere
(`datasets.chips.draw`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.camera import Rng, smooth_field
from datasets.chips.backdrop import backdrop, drawn_top
from datasets.chips.draw import Camera, Canvas, Chip, Floats, Light, draw_chip
from datasets.chips.layouts import spread
from datasets.chips.scene import (
    ChipScene,
    Plan,
    SeenStack,
    chips_camera,
    compose,
    finished,
    random_light,
    random_order,
    seen,
)
from datasets.chips.styles import Family, random_family
from vision.chips.racks import FULL

SALT = 930
ABOVE = (28.0, 88.0)
"""How steeply the camera looks down, in degrees."""
FILLS = (0.45, 0.97)
"""What share of the picture the rack fills, across or up and down."""
LARGEST = 330.0
"""No chip is wider, in pixels."""
BESIDE = 0.3
"""In so many pictures chips stand beside the rack."""
ROOM = 7
"""So many chips must be lacking for a trough's empty part to be shown to those who learn what is no row."""
STRIPS = 14
"""Into so many flat strips a trough's round floor is cut to be drawn."""


@dataclass(frozen=True)
class Tray:
    """The tray, in millimetres: ``top`` is how high its upper side lies, ``axis`` how high the middle of a row does.

    ``pitch`` is from row to row, ``long`` a trough's length, ``rim`` what the tray is wider than its troughs.
    ``colour`` is BGR, ``clear`` the share of what lies below that is seen through it.
    """

    rows: int
    top: float
    axis: float
    pitch: float
    long: float
    rim: float
    colour: NDArray[np.float64]
    clear: float
    gloss: float


@dataclass(frozen=True)
class Row:
    """One trough's chips: their colours from its beginning on, where they begin, how they lean (radians), and by what
    share they lie less close than they could."""

    order: tuple[str, ...]
    begins: float
    leans: float
    slack: float


@dataclass(frozen=True)
class Rack:
    """A tray and what is in it; ``turn`` is the direction of its rows on the table, in radians from the x axis."""

    tray: Tray
    rows: tuple[Row, ...]
    family: Family
    turn: float

    @property
    def along(self) -> Floats:
        """The rows' direction, of length 1."""
        return np.array([np.cos(self.turn), np.sin(self.turn), 0.0])

    @property
    def beside(self) -> Floats:
        """The direction from row to row, of length 1."""
        return np.array([-np.sin(self.turn), np.cos(self.turn), 0.0])

    def at(self, along: float, beside: float, height: float) -> Floats:
        """A point of the tray in table millimetres, from its middle."""
        return np.asarray(self.along * along + self.beside * beside + np.array([0.0, 0.0, height]), np.float64)

    def rooms(self, number: int) -> list[tuple[float, float]]:
        """Where in a trough there is room for `ROOM` chips and more: from which millimetre on, and how much."""
        row, chip = self.rows[number], self.family.thickness
        end = row.begins + len(row.order) * chip * (1 + row.slack) / float(np.cos(row.leans))
        spans = [(0.0, row.begins), (end, self.tray.long - end)] if row.order else [(0.0, self.tray.long)]
        return [(begins, long) for begins, long in spans if long > ROOM * chip]

    def row_at(self, number: int) -> float:
        """How far beside the tray's middle a row lies."""
        return (number - (self.tray.rows - 1) / 2) * self.tray.pitch


def random_rack(rng: Rng, family: Family, colours: Sequence[str]) -> Rack:
    """A rack as they are sold, full or in use."""
    rows = int(rng.choice([1, 2, 3, 4, 5, 6, 8], p=[0.06, 0.1, 0.1, 0.16, 0.36, 0.1, 0.12]))
    axis = family.radius + float(rng.uniform(1.5, 4))
    kind = rng.random()
    black, wooden = np.full(3, rng.uniform(12, 50)), np.array([60, 95, 150]) * rng.uniform(0.5, 1.2)
    bright = np.full(3, rng.uniform(130, 235))
    any_colour = rng.uniform(20, 210, 3)
    colour = (black, black, wooden, bright, any_colour)[int(rng.integers(5))] + rng.normal(0, 6, 3)
    tray = Tray(
        rows,
        # Low for a rack to carry chips in, about the axis for cases and floats.
        top=float(axis + rng.uniform(-0.6, 0.2) * family.radius),
        axis=axis,
        pitch=2 * family.radius + float(rng.uniform(0.8, 7)),
        long=FULL * family.thickness * float(rng.uniform(1.01, 1.1)) + float(rng.uniform(0.5, 6)),
        rim=float(rng.uniform(2, 10) if rng.random() < 0.7 else rng.uniform(10, 60)),
        colour=np.clip(colour, 5, 245),
        clear=float(rng.uniform(0.45, 0.8)) if kind < 0.25 else 0.0,
        gloss=float(rng.beta(1.5, 3)),
    )
    turn = float(np.pi / 2 * rng.integers(4) + (rng.normal(0, 0.09) if rng.random() < 0.75 else rng.uniform(-0.7, 0.7)))
    full, alike = float(rng.choice([0.1, 0.5, 0.9])), rng.random() < 0.75
    return Rack(tray, tuple(_row(rng, tray, family, colours, full, alike) for _ in range(rows)), family, turn)


def _row(rng: Rng, tray: Tray, family: Family, colours: Sequence[str], full: float, alike: bool) -> Row:
    count = FULL if rng.random() < full else int(rng.integers(0, FULL + 1))
    if alike and rng.random() < 0.9:
        order: tuple[str, ...] = (str(rng.choice(list(colours))),) * count
    else:
        order = random_order(rng, colours, FULL)
        order = (order * FULL)[:count] if rng.random() < 0.5 else order
    slack = abs(float(rng.normal(0, 0.012)))
    leans = float(rng.uniform(-0.32, 0.32)) if len(order) < 18 and rng.random() < 0.5 else float(rng.normal(0, 0.02))
    leans = 0.0 if len(order) < 2 and rng.random() < 0.5 else leans
    room = tray.long - len(order) * family.thickness * (1 + slack) / np.cos(leans)
    if room < 0:
        slack, leans, room = 0.0, 0.0, tray.long - len(order) * family.thickness
    begins = float(room * (rng.choice([0.02, 0.98]) if rng.random() < 0.8 else rng.random()))
    return Row(order, begins, leans, slack)


def chips_in(rack: Rack, number: int, rng: Rng, towards: float) -> list[Chip]:
    """The chips of one row; ``towards`` is 1 where the trough's end is nearer to the camera than its beginning, else
    -1: chips are built up towards the camera."""
    row, family = rack.rows[number], rack.family
    axis = rack.along * np.cos(row.leans) + np.array([0.0, 0.0, np.sin(row.leans)])
    axis = axis * towards
    right = rack.beside
    back = np.cross(axis, right)
    step = family.thickness * (1 + row.slack) / np.cos(row.leans)
    order = row.order if towards > 0 else row.order[::-1]
    first = row.begins if towards > 0 else row.begins + step * len(row.order)
    out = []
    for k, colour in enumerate(order):
        along = first + towards * step * k - rack.tray.long / 2
        off = rng.normal(0, 0.25, 2)
        centre = rack.at(along, rack.row_at(number) + off[0], rack.tray.axis + 0.5 * abs(off[1]))
        turn = float(rng.uniform(0, 2 * np.pi))
        out.append(Chip(centre, family.radius, family.thickness, turn, family.look(colour), right, back, axis))
    return out


def draw_rack(canvas: Canvas, camera: Camera, rack: Rack, light: Light, rng: Rng) -> list[tuple[int, list[Chip]]]:
    """Draw the tray and its chips; each row that has any owns its number's pixels. Returns the rows' chips."""
    eye = _eye(camera)
    tray = rack.tray
    long, wide = tray.long / 2 + tray.rim, tray.rows * tray.pitch / 2 + tray.rim
    _cast(canvas, camera, rack, long, wide, float(rng.uniform(0.1, 0.5)))
    height, width = canvas.owner.shape
    grain = 0.85 + 0.3 * smooth_field(rng, height, width, 6)[..., None]
    corners = [(-long, -wide), (long, -wide), (long, wide), (-long, wide)]
    for k, (a, b) in enumerate(zip(corners, corners[1:] + corners[:1], strict=True)):
        normal = (-rack.beside, rack.along, rack.beside, -rack.along)[k]
        middle = rack.at((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, tray.top / 2)
        if normal @ (eye - middle) > 0:
            side = np.array([rack.at(*a, 0.0), rack.at(*b, 0.0), rack.at(*b, tray.top), rack.at(*a, tray.top)])
            _fill(canvas, camera, side, _shaded(tray, light, normal) * grain, tray.clear)
    lid = np.array([rack.at(*c, tray.top) for c in corners])
    _fill(canvas, camera, lid, _shaded(tray, light, np.array([0.0, 0.0, 1.0])) * grain, tray.clear)
    shine = replace(light, gloss=rack.family.gloss)
    far_first = sorted(range(tray.rows), key=lambda k: -camera.depth(rack.at(0.0, rack.row_at(k), tray.top)))
    drawn = []
    for k in far_first:
        _trough(canvas, camera, rack, k, eye, light)
        if not rack.rows[k].order:
            continue
        chips = chips_in(rack, k, rng, _towards(rack, k, eye))
        _row_above(canvas, camera, rack, chips, shine, k)
        drawn.append((k, chips))
    return drawn


def rack_scene(seed: int, size: tuple[int, int], colours: Sequence[str], everywhere: bool = False) -> ChipScene:
    """One picture of one rack, all from ``seed``; ``size`` is width and height. Where it has to be the same
    ``everywhere`` it does not use what textures a machine has.
    """
    rng = np.random.default_rng([SALT, seed])
    width, height = size
    camera = chips_camera(rng, width, height, (width / 8, width / 8), float(np.radians(rng.uniform(*ABOVE))))
    family = random_family(rng)
    rack = random_rack(rng, family, colours)
    camera = _holding(camera, rack, rng)
    made = drawn_top(int(rng.integers(24))) if rng.random() < 0.5 or everywhere else None
    table = backdrop(seed, rng, camera, made)
    light = random_light(rng)
    standing = _stood_beside(np.random.default_rng([SALT + 1, seed]), camera, rack, colours)
    beside, stacks = compose(table, camera, standing, np.random.default_rng([SALT + 2, seed]), light, clutter=False)
    canvas = Canvas(beside, np.full((height, width), -1, np.int16))
    drawn = draw_rack(canvas, camera, rack, light, rng)
    rows = [_seen_row(canvas, camera, family, chips, k) for k, chips in drawn]
    stacks += tuple(row for row in rows if row is not None)
    stacks += tuple(_seen_room(canvas, camera, rack, k, *room) for k in range(rack.tray.rows) for room in rack.rooms(k))
    return ChipScene(finished(canvas.image, rng, harsh=rng.random() < 0.3), stacks, seed)


def _seen_room(canvas: Canvas, camera: Camera, rack: Rack, number: int, begins: float, long: float) -> SeenStack:
    """The part of a trough where nothing lies, as if chips lay there: something that is none."""
    family, tray = rack.family, rack.tray
    order = ("grey",) * min(int(long / family.thickness), FULL)
    rows = tuple(Row(order, begins, 0.0, 0.0) for _ in rack.rows)
    towards = _towards(rack, number, _eye(camera))
    chips = chips_in(replace(rack, rows=rows), number, np.random.default_rng(0), towards)
    plan = Plan("other", chips[0].centre, order, family, axis=chips[0].up)
    half = np.sqrt(family.radius**2 - (tray.top - tray.axis) ** 2)
    low, high = begins - tray.long / 2, begins + long - tray.long / 2
    middle = rack.row_at(number)
    opening = [rack.at(a, middle + b, tray.top) for a in (low, high) for b in (-half, half)]
    at = camera.project(np.array(opening))
    box = np.concatenate([at.min(0), at.max(0)])
    return replace(seen(canvas, camera, plan, chips, number), box=box, visible=1.0, seen_front=1.0)


def _stood_beside(rng: Rng, camera: Camera, rack: Rack, colours: Sequence[str]) -> list[Plan]:
    """At times a few stacks and chips of the same kind on the table, clear of the rack."""
    if rng.random() > BESIDE:
        return []
    taken = cv2.convexHull(camera.project(_corners(rack, rack.tray.rim)).astype(np.float32))
    plans = []
    for at in spread(rng, camera, int(rng.integers(1, 7)), 2 * rack.family.radius + 3):
        size = int(rng.integers(2, 12)) if rng.random() < 0.5 else 1
        plan = Plan("stack", at, random_order(rng, colours, size), rack.family, float(rng.uniform(0.1, 1.2)))
        ends = camera.project(at + np.array([[0, 0, 0], [0, 0, size * rack.family.thickness]]))
        room = 1.2 * rack.family.radius * float(np.linalg.norm(camera.slope(at)[:, 0]))
        if all(cv2.pointPolygonTest(taken, (float(x), float(y)), True) < -room for x, y in ends):
            plans.append(plan)
    return plans


def _corners(rack: Rack, spare: float) -> Floats:
    """Those of the box that holds the rack's troughs with so many millimetres to ``spare``, and its chips, 8 x 3."""
    tray = rack.tray
    long, wide = tray.long / 2 + spare, tray.rows * tray.pitch / 2 + spare
    return np.array([rack.at(a, b, h) for a in (-long, long) for b in (-wide, wide) for h in (0.0, tray.axis * 2)])


def _seen_row(canvas: Canvas, camera: Camera, family: Family, chips: list[Chip], number: int) -> SeenStack | None:
    """What shows of a row: its box is of what shows, ``up`` runs along it, and ``tilt`` says how its chips lean."""
    ys, xs = np.nonzero(canvas.owner == number)
    if not len(xs):
        return None
    plan = Plan("tube", chips[0].centre, tuple(chip.look.name for chip in chips), family, axis=chips[0].up)
    stack = seen(canvas, camera, plan, chips, number)
    box = np.array([xs.min(), ys.min(), xs.max() + 1, ys.max() + 1], np.float64)
    up, tilt = stack.up, 0.0
    if len(chips) > 1:
        up = stack.seams[-1] - stack.seams[0]
        up = up / max(float(np.linalg.norm(up)), 1e-9)
        turned = np.arctan2(stack.up[1], stack.up[0]) - np.arctan2(up[1], up[0])
        tilt = float((turned + np.pi) % (2 * np.pi) - np.pi)
    return replace(stack, box=box, up=up, tilt=tilt)


def _holding(camera: Camera, rack: Rack, rng: Rng) -> Camera:
    """The camera moved nearer or back, as by zooming, until the rack fills most of the picture."""
    seen_at = camera.project(_corners(rack, 4.0))
    low, high = seen_at.min(0), seen_at.max(0)
    size = np.array([camera.width, camera.height])
    k = float((size / (high - low)).min()) * float(rng.uniform(*FILLS))
    k = min(k, LARGEST / (float(np.linalg.norm(camera.slope(np.zeros(3))[:, 0])) * 2 * rack.family.radius))
    spare = size - k * (high - low)
    shift = spare * rng.uniform(0.15, 0.85, 2) - k * low
    return Camera(
        np.array([[k, 0, shift[0]], [0, k, shift[1]], [0, 0, 1]]) @ camera.matrix, camera.width, camera.height
    )


def _eye(camera: Camera) -> Floats:
    """Where the camera is, in table millimetres."""
    return np.asarray(-np.linalg.inv(camera.matrix[:, :3]) @ camera.matrix[:, 3], np.float64)


def _towards(rack: Rack, number: int, eye: Floats) -> float:
    """1 where the row's trough ends nearer to the camera than it begins, else -1."""
    return 1.0 if rack.along @ (eye - rack.at(0.0, rack.row_at(number), rack.tray.axis)) > 0 else -1.0


def _shaded(tray: Tray, light: Light, normal: Floats) -> Floats:
    return tray.colour * (light.ambient + (1 - light.ambient) * max(0.0, float(light.direction @ normal)))


def _mask(canvas: Canvas, points: NDArray[np.floating]) -> tuple[tuple[slice, slice], NDArray[np.float32]] | None:
    """The polygon's share of each pixel, within the window that holds it."""
    h, w = canvas.owner.shape
    x0, y0 = np.maximum(np.floor(points.min(0)).astype(int) - 1, 0)
    x1, y1 = np.minimum(np.ceil(points.max(0)).astype(int) + 2, [w, h])
    if x1 <= x0 or y1 <= y0 or not np.isfinite(points).all():
        return None
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillPoly(mask, [np.round((points - [x0, y0]) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    return (slice(y0, y1), slice(x0, x1)), np.asarray(mask, np.float32) / np.float32(255)


def _fill(
    canvas: Canvas, camera: Camera, polygon: Floats, colour: NDArray[np.floating], clear: float,
    through: NDArray[np.float32] | None = None,
) -> None:  # fmt: skip
    """Paint a polygon, as far as it is seen ``through`` an opening (a share for each pixel of the picture)."""
    found = _mask(canvas, camera.project(polygon))
    if found is None:
        return
    window, mask = found
    if through is not None:
        mask = mask * through[window]
    paint = colour[window] if colour.ndim == 3 else colour
    alpha = mask[..., None] * (1 - clear)
    canvas.image[window] += alpha * (np.asarray(paint, np.float32) - canvas.image[window])


def _cast(canvas: Canvas, camera: Camera, rack: Rack, long: float, wide: float, strength: float) -> None:
    """The shadow about the tray's foot."""
    flat = np.array([rack.at(a * (long + 3), b * (wide + 3), 0.0) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
    mask = np.zeros(canvas.owner.shape, np.float32)
    cv2.fillPoly(mask, [np.round(camera.project(flat)).astype(np.int32)], strength)
    px = float(np.linalg.norm(camera.slope(np.zeros(3))[:, 0]))
    canvas.image *= 1 - cv2.GaussianBlur(mask, (0, 0), max(1.0, 5 * px))[..., None]


def _trough(canvas: Canvas, camera: Camera, rack: Rack, number: int, eye: Floats, light: Light) -> None:
    """The trough's round floor and its ends, as far as they face the camera."""
    tray = rack.tray
    radius = min(rack.family.radius + 0.4, tray.pitch / 2)
    across = float(np.clip((tray.top - tray.axis) / radius, -0.95, 0.95))
    half = float(np.arcsin(across)) + np.pi / 2
    angles = np.linspace(-half, half, STRIPS + 1)
    dark = 0.75
    wide = radius * np.cos(np.arcsin(across))
    opening = [
        rack.at(end, rack.row_at(number) + side * wide, tray.top)
        for end, side in ((-tray.long / 2, -1), (tray.long / 2, -1), (tray.long / 2, 1), (-tray.long / 2, 1))
    ]
    found = _mask(canvas, camera.project(np.array(opening)))
    if found is None:
        return
    through = np.zeros(canvas.owner.shape, np.float32)
    through[found[0]] = found[1]
    for a, b in pairwise(angles):
        middle = (a + b) / 2
        inward = -np.sin(middle) * rack.beside + np.array([0.0, 0.0, np.cos(middle)])
        points = [
            rack.at(end, rack.row_at(number) + radius * np.sin(angle), tray.axis - radius * np.cos(angle))
            for end, angle in (
                (-tray.long / 2, a), (tray.long / 2, a), (tray.long / 2, b), (-tray.long / 2, b),
            )
        ]  # fmt: skip
        if inward @ (eye - np.mean(points, 0)) <= 0:
            continue
        deep = (np.cos(middle) - np.cos(half)) / 2
        _fill(canvas, camera, np.array(points), _shaded(tray, light, inward) * (dark - 0.4 * deep), tray.clear, through)
    for end in (-1.0, 1.0):
        if -end * rack.along @ (eye - rack.at(end * tray.long / 2, rack.row_at(number), tray.axis)) <= 0:
            continue
        wall = [
            rack.at(end * tray.long / 2, rack.row_at(number) + radius * np.sin(a), tray.axis - radius * np.cos(a))
            for a in angles
        ]
        _fill(canvas, camera, np.array(wall), _shaded(tray, light, -end * rack.along) * dark, tray.clear, through)


def _hull(camera: Camera, points: Floats) -> NDArray[np.float32]:
    return np.asarray(cv2.convexHull(camera.project(points).astype(np.float32))[:, 0], np.float32)


def _face_in_trough(camera: Camera, rack: Rack, chip: Chip) -> Floats:
    """Points of the face at the near end that are seen through the trough's opening, N x 3."""
    tray, eye = rack.tray, _eye(camera)
    angles = np.linspace(0, 2 * np.pi, 64, endpoint=False)
    rings = np.linspace(0.1, 1, 10)[:, None, None]
    ring = (np.cos(angles)[:, None] * chip.right + np.sin(angles)[:, None] * chip.back) * chip.radius
    points = (chip.centre + chip.up * chip.thickness + rings * ring).reshape(-1, 3)
    # Where the look at each crosses the tray's top.
    share = (tray.top - points[:, 2]) / (eye[2] - points[:, 2])
    crossed = points + share[:, None] * (eye - points)
    middle = chip.centre @ rack.beside
    half = np.sqrt(max(chip.radius**2 - (tray.top - tray.axis) ** 2, 0.0))
    inside = (np.abs(crossed @ rack.beside - middle) < half) & (np.abs(crossed @ rack.along) < tray.long / 2)
    return np.asarray(points[inside | (points[:, 2] >= tray.top)], np.float64)


def _row_above(canvas: Canvas, camera: Camera, rack: Rack, chips: Sequence[Chip], light: Light, owner: int) -> None:
    """The row's chips, as far as they rise above the tray's top."""
    angles = np.linspace(0, 2 * np.pi, 64, endpoint=False)
    points = []
    for chip in chips:
        ring = (np.cos(angles)[:, None] * chip.right + np.sin(angles)[:, None] * chip.back) * chip.radius
        for end in (0.0, 1.0):
            rim = chip.centre + chip.up * chip.thickness * end + ring
            points.append(rim[rim[:, 2] >= rack.tray.top])
    shows = np.zeros(canvas.owner.shape, np.float32)
    for part in (np.concatenate(points), _face_in_trough(camera, rack, chips[-1])):
        found = _mask(canvas, _hull(camera, part)) if len(part) else None
        if found is not None:
            shows[found[0]] = np.maximum(shows[found[0]], found[1])
    image, owners = canvas.image.copy(), canvas.owner.copy()
    family = rack.family
    for chip, above in zip(chips, [*chips[1:], None], strict=True):
        draw_chip(canvas, camera, chip, light, owner, family.bevel, family.gap, above)
    # Between the ridges less light falls on the chips.
    px = float(np.linalg.norm(camera.slope(chips[0].centre)[:, 0])) * family.radius
    near = cv2.GaussianBlur(shows, (0, 0), max(0.7, 0.12 * px))
    shade = np.clip(2 * near - 0.3, 0.3, 1)[..., None]
    canvas.image[:] = image + shows[..., None] * (canvas.image * shade - image)
    canvas.owner[:] = np.where(shows > 0.5, canvas.owner, owners)
