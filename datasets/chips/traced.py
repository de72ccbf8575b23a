"""Chips in light that is followed from the lamp to the camera: true meshes, seen by Mitsuba's path tracer.

The quick way of drawing (`datasets.chips.draw`) says how dark a seam is; here it is as dark as rounded rims, the lamp,
the sky and the neighbours make it. Geometry, colours and printing are the same, so that a picture drawn both ways
differs in its light alone. Needs the ``traced`` extra, and LLVM 17 or later as a shared library.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import pi
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.camera import Rng
from datasets.chips.draw import Camera, Chip, Floats, Light, extent
from datasets.chips.styles import FACE, Look

Window = tuple[int, int, int, int]

AROUND: Final = 72
"""Corners of a rim."""
ROUNDED: Final = 4
"""Rings of corners of each rounded rim."""
EDGE_HIGH, EDGE_WIDE = 64, 768
"""An unrolled edge in the common texture."""
MARGIN: Final = 4
CELL: Final = FACE + EDGE_HIGH + 2 * MARGIN
FAR: Final = 2500.0
"""Millimetres to the lamps."""
FLOOR: Final = 4000.0
DARKEST: Final = 0.02
"""What a black felt still reflects; light on it is told by what it reflects."""
SAMPLES: Final = (6, 32)
"""Paths for each pixel, at least and at most."""
CLIPPED: Final = 4.0
"""A glint is at most so much brighter than white, so that it leaves no specks."""
LLVM: Final = 17
LIBRARIES: Final = ("/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib")


class TracerError(RuntimeError):
    """The path tracer cannot be used here, and why."""


@dataclass(frozen=True)
class Finish:
    """How chips of one set are made and worn, and which lamps hang there; lengths in millimetres.

    ``rim`` is the radius of the rounded rims, ``rough`` and ``specular`` are those of Disney's principled surface,
    ``white`` is what the brightest colour reflects, ``grime`` how dark dirt makes the rims, on ``grimy`` of the
    thickness. ``soft`` is the first lamp's radius; ``second`` the share of lamp light that is from another one, at
    ``other`` (3,). ``ambient`` is the share of light from everywhere.
    """

    rim: float
    rough: float
    specular: float
    white: float
    grime: float
    grimy: float
    soft: float
    ambient: float
    second: float
    other: Floats


def random_finish(rng: Rng) -> Finish:
    """From new plastic under a bare lamp to worn clay in a bright room."""
    angle, height = rng.uniform(0, 2 * pi), rng.uniform(0.35, 0.95)
    flat = float(np.sqrt(1 - height**2))
    return Finish(
        rim=float(rng.uniform(0.1, 0.6)),
        rough=float(rng.uniform(0.25, 0.9)),
        specular=float(rng.uniform(0.1, 0.6)),
        white=float(rng.uniform(0.7, 0.92)),
        grime=float(rng.uniform(0.05, 0.6)) if rng.random() < 0.5 else 0.0,
        grimy=float(rng.uniform(0.06, 0.3)),
        soft=float(np.exp(rng.uniform(np.log(25), np.log(600)))),
        ambient=float(rng.uniform(0.2, 0.85)),
        second=float(rng.uniform(0.1, 0.5)) if rng.random() < 0.5 else 0.0,
        other=np.array([np.cos(angle) * flat, np.sin(angle) * flat, height]),
    )


@lru_cache(maxsize=1)
def tracer() -> Any:
    """Mitsuba, ready to be used. Raises `TracerError` where it or LLVM is not there."""
    if "DRJIT_LIBLLVM_PATH" not in os.environ:
        newest = sorted(
            (p for root in LIBRARIES for p in Path(root).glob("libLLVM*.so*") if _major(p.name) >= LLVM),
            key=lambda p: _major(p.name),
        )
        if newest:
            os.environ["DRJIT_LIBLLVM_PATH"] = str(newest[-1])
    try:
        import drjit
        import mitsuba
    except ImportError as error:
        raise TracerError(f'The path tracer is not installed ({error}): pip install "tableside[traced]".') from error
    # Asked first: an older one does not raise, it ends the process in the middle of a picture.
    version = drjit.detail.llvm_version()
    if version[0] < LLVM:
        there = f"found {version[0]}" if version[0] > 0 else "found none"
        raise TracerError(
            f"The path tracer needs LLVM {LLVM} or later as a shared library ({there}): install libllvm, or name the "
            "file in DRJIT_LIBLLVM_PATH."
        )
    mitsuba.set_variant("llvm_ad_rgb")
    drjit.set_thread_count(1)  # pictures are rendered in several processes, and idle threads are not idle
    return mitsuba


def _major(name: str) -> int:
    digits = "".join(c if c.isdigit() else " " for c in name.removeprefix("libLLVM")).split()
    return int(digits[0]) if digits else 0


def linear(values: NDArray[Any]) -> NDArray[np.float32]:
    """sRGB values of 0 to 255 as shares of white light."""
    v = np.clip(np.asarray(values, np.float32) / 255, 0, 1)
    return np.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4).astype(np.float32)


def encoded(light: NDArray[np.float32]) -> NDArray[np.float32]:
    """The other way round."""
    v = np.clip(light, 0, 1)
    return np.asarray(np.where(v <= 0.0031308, v * 12.92, 1.055 * v ** (1 / 2.4) - 0.055) * 255, np.float32)


@dataclass(frozen=True, eq=False)
class _Atlas:
    """All looks' faces and edges in one texture, so that one mesh is enough and what runs is compiled once."""

    looks: tuple[Look, ...]
    image: NDArray[np.float32]

    @classmethod
    def of(cls, looks: Sequence[Look], finish: Finish) -> _Atlas:
        cells = []
        up = (np.arange(EDGE_HIGH) + 0.5) / EDGE_HIGH
        dirt = 1 - finish.grime * np.exp(-np.minimum(up, 1 - up) / max(finish.grimy, 1e-3))
        for look in looks:
            cell = np.zeros((CELL, EDGE_WIDE, 3), np.float32)
            cell[:FACE, :FACE] = linear(look.face)
            edge = linear(cv2.resize(look.edge, (EDGE_WIDE, EDGE_HIGH), interpolation=cv2.INTER_NEAREST))
            cell[FACE:] = np.pad(edge * dirt[:, None, None], ((MARGIN, MARGIN), (0, 0), (0, 0)), "edge")
            cells.append(cell)
        return cls(tuple(looks), np.ascontiguousarray(np.concatenate(cells)[..., ::-1] * finish.white, np.float32))

    def _begins(self, look: Look) -> int:
        return next(k for k, it in enumerate(self.looks) if it is look) * CELL

    def face(self, look: Look, disc: Floats) -> Floats:
        """Where N x 2 points of the unit disc are in the texture."""
        at = disc * (FACE / 2 - 1) + FACE / 2 + [0, self._begins(look)]
        return np.asarray(at / [EDGE_WIDE, len(self.image)], np.float64)

    def edge(self, look: Look, around: Floats, up: Floats) -> Floats:
        """The same for shares of the way round and of the height."""
        high = self._begins(look) + FACE + MARGIN + up * EDGE_HIGH
        return np.stack([(around * (EDGE_WIDE - 1) + 0.5) / EDGE_WIDE, high / len(self.image)], -1)


@dataclass(frozen=True, eq=False)
class _Mesh:
    """Corners N x 3 (millimetres), their normals and places in the texture, and triangles M x 3."""

    corners: Floats
    normals: Floats
    texture: Floats
    triangles: NDArray[np.intp]


def _chip_mesh(chip: Chip, atlas: _Atlas, rim: float) -> _Mesh:
    radius, thick = chip.radius, chip.thickness
    bend = np.linspace(0, pi / 2, ROUNDED)
    s, c = np.sin(bend), np.cos(bend)
    out = np.concatenate([radius - rim + rim * s, radius - rim + rim * c])
    high = np.concatenate([rim - rim * c, thick - rim + rim * s])
    leans, rises = np.concatenate([s, c]), np.concatenate([-c, s])
    turn = np.linspace(0, 2 * pi, AROUND + 1)
    cos, sin, one = np.cos(turn), np.sin(turn), np.ones_like(turn)
    rings = len(out)
    side = np.stack([np.outer(out, cos), np.outer(out, sin), np.outer(high, one)], -1).reshape(-1, 3)
    facing = np.stack([np.outer(leans, cos), np.outer(leans, sin), np.outer(rises, one)], -1).reshape(-1, 3)
    around = np.tile(turn / (2 * pi), rings)
    corner = (np.arange(rings - 1)[:, None] * (AROUND + 1) + np.arange(AROUND)).ravel()
    above = corner + AROUND + 1
    corners, normals = [side], [facing]
    texture = [atlas.edge(chip.look, around, np.repeat(high / thick, AROUND + 1))]
    triangles = [np.stack([corner, corner + 1, above + 1], -1), np.stack([corner, above + 1, above], -1)]
    first = len(side)
    disc = np.concatenate([np.zeros((1, 2)), np.stack([cos[:-1], sin[:-1]], -1) * (radius - rim)])
    for height, up in ((thick, 1.0), (0.0, -1.0)):
        corners.append(np.column_stack([disc, np.full(len(disc), height)]))
        normals.append(np.tile([0.0, 0.0, up], (len(disc), 1)))
        texture.append(atlas.face(chip.look, disc / radius))
        k = np.arange(AROUND)
        triangles.append(np.stack([np.full(AROUND, first), first + 1 + k, first + 1 + (k + 1) % AROUND], -1))
        first += len(disc)
    ct, st = np.cos(chip.turn), np.sin(chip.turn)
    axes = np.stack([chip.right * ct + chip.back * st, chip.back * ct - chip.right * st, chip.up])
    return _Mesh(
        np.concatenate(corners) @ axes + chip.centre, np.concatenate(normals) @ axes, np.concatenate(texture),
        np.concatenate(triangles),
    )  # fmt: skip


def _mesh(chips: Sequence[Chip], atlas: _Atlas, finish: Finish) -> tuple[Any, Floats]:
    """All chips as one shape, and the middle of them on the table."""
    mi = tracer()
    parts = [_chip_mesh(chip, atlas, finish.rim) for chip in chips]
    firsts = np.cumsum([0, *(len(p.corners) for p in parts[:-1])])
    surface = {
        "type": "principled", "roughness": finish.rough, "specular": finish.specular,
        "base_color": {"type": "bitmap", "bitmap": mi.Bitmap(atlas.image), "raw": True, "wrap_mode": "clamp"},
    }  # fmt: skip
    props = mi.Properties()
    props["bsdf"] = mi.load_dict({"type": "twosided", "surface": surface})
    total = sum(len(p.corners) for p in parts)
    shape = mi.Mesh("chips", total, sum(len(p.triangles) for p in parts), props, True, True)
    corners = np.concatenate([p.corners for p in parts])
    values = mi.traverse(shape)
    values["vertex_positions"] = corners.ravel().astype(np.float32)
    values["vertex_normals"] = np.concatenate([p.normals for p in parts]).ravel().astype(np.float32)
    values["vertex_texcoords"] = np.concatenate([p.texture for p in parts]).ravel().astype(np.float32)
    triangles = [p.triangles + first for p, first in zip(parts, firsts, strict=True)]
    values["faces"] = np.concatenate(triangles).ravel().astype(np.uint32)
    values.update()
    return shape, np.asarray(corners.mean(0) * [1, 1, 0], np.float64)


def _lamp(direction: Floats, middle: Floats, soft: float, strength: float) -> dict[str, Any]:
    """A round lamp that lights a white surface square to it by ``strength``."""
    mi = tracer()
    towards = direction / np.linalg.norm(direction)
    up = [0.0, 1.0, 0.0] if abs(towards[1]) < 0.9 else [1.0, 0.0, 0.0]
    place = mi.ScalarTransform4f().look_at(
        origin=[float(v) for v in middle + towards * FAR], target=[float(v) for v in middle], up=up
    )
    emits = {"type": "rgb", "value": strength * FAR**2 / soft**2}
    return {
        "type": "disk",
        "to_world": place.scale([soft, soft, 1.0]),
        "lamp": {"type": "area", "radiance": emits},
    }


def _level(direction: Floats) -> float:
    """How much of a lamp's light falls on the table."""
    return float(direction[2] / np.linalg.norm(direction))


def trace(
    picture: NDArray[np.float32],
    camera: Camera,
    stacks: Sequence[Sequence[Chip]],
    light: Light,
    finish: Finish,
    rng: Rng,
    paths: float = 3e6,
) -> NDArray[np.float32]:
    """``picture`` (H x W x 3, BGR, 0 to 255), a table without chips, with these ``stacks`` on it.

    What the table shows stays and is lit anew: darker where the chips keep light away. ``light`` tells where the first
    lamp is; about so many ``paths`` are followed in all. Raises `TracerError`.
    """
    mi = tracer()
    import drjit as dr

    if not stacks:
        return picture
    chips = [chip for stack in stacks for chip in stack]
    windows = windows_round(camera, stacks, light)
    looks = list({id(chip.look): chip.look for chip in chips}.values())
    shape, middle = _mesh(chips, _Atlas.of(looks, finish), finish)
    out = linear(picture)[..., ::-1].copy()
    felt = np.maximum(np.median(out[::8, ::8].reshape(-1, 3), 0), DARKEST).astype(float)
    lamps = 1 - finish.ambient
    bare_light = finish.ambient + lamps * (
        (1 - finish.second) * _level(light.direction) + finish.second * _level(finish.other)
    )
    parts: dict[str, Any] = {
        "type": "scene",
        "chips": shape,
        "floor": {
            "type": "rectangle",
            "to_world": mi.ScalarTransform4f().translate([*middle[:2].tolist(), 0.0]).scale([FLOOR, FLOOR, 1.0]),
            "surface": {"type": "diffuse", "reflectance": {"type": "rgb", "value": felt.tolist()}},
        },
        "lamp": _lamp(light.direction, middle, finish.soft, lamps * (1 - finish.second) / bare_light),
        "sky": {"type": "constant", "radiance": {"type": "rgb", "value": finish.ambient / bare_light}},
    }
    if finish.second:
        parts["other"] = _lamp(finish.other, middle, 3 * finish.soft, lamps * finish.second / bare_light)
    scene = mi.load_dict(parts)
    follow = mi.load_dict({"type": "path", "max_depth": 5, "rr_depth": 4})
    back = np.linalg.inv(camera.matrix[:, :3])
    ahead = camera.matrix[2, :3] @ (back @ [camera.width / 2, camera.height / 2, 1.0])
    back, eye = back * np.sign(ahead), -back @ camera.matrix[:, 3]
    pixels = sum(max(x1 - x0, 0) * max(y1 - y0, 0) for x0, y0, x1, y1 in windows)
    samples = int(np.clip(paths / max(pixels, 1), *SAMPLES))
    # Told as values, not as numbers in the code: what runs is compiled once for all tables.
    turned = [[dr.opaque(mi.Float, float(v)) for v in row] for row in back]
    origin = mi.Point3f(*(dr.opaque(mi.Float, float(v)) for v in eye))
    reflects = [dr.opaque(mi.Float, float(v)) for v in felt]
    done = np.zeros(picture.shape[:2], bool)
    for window in windows:
        rows, columns = _left(done, window)
        if not len(rows):
            continue
        number = len(rows) * samples
        sampler = mi.load_dict({"type": "independent", "sample_count": samples})
        sampler.seed(int(rng.integers(1 << 31)), number)
        pixel = dr.arange(mi.UInt32, number) // samples
        x = dr.gather(mi.Float, mi.Float(columns.astype(np.float32)), pixel) + sampler.next_1d() - 0.5
        y = dr.gather(mi.Float, mi.Float(rows.astype(np.float32)), pixel) + sampler.next_1d() - 0.5
        towards = mi.Vector3f(*(r[0] * x + r[1] * y + r[2] for r in turned))
        ray = mi.RayDifferential3f(origin, dr.normalize(towards))
        first = scene.ray_intersect(mi.Ray3f(ray))
        table = (first.p.z < 0.01) & (dr.abs(first.n.z) > 0.99)
        came, _, _ = follow.sample(scene, sampler, ray)
        shares = []
        for k in range(3):
            bare = dr.gather(mi.Float, mi.Float(np.ascontiguousarray(out[rows, columns, k])), pixel)
            seen = dr.select(table, came[k] / reflects[k] * bare, dr.minimum(came[k], CLIPPED))
            seen = dr.select(first.is_valid(), seen, bare)  # beyond the table's edge the room stays as it is
            shares.append(dr.block_sum(seen, samples) / samples)
        dr.eval(shares)
        out[rows, columns] = np.stack([np.array(share) for share in shares], -1)
    return np.ascontiguousarray(encoded(out)[..., ::-1])


def _left(done: NDArray[np.bool_], window: Window) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The rows and columns of the window's pixels that no earlier one had, which are now done."""
    h, w = done.shape
    x0, y0, x1, y1 = window
    x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, w), min(y1, h)
    if x1 <= x0 or y1 <= y0:
        return np.zeros(0, np.intp), np.zeros(0, np.intp)
    rows, columns = np.nonzero(~done[y0:y1, x0:x1])
    done[y0:y1, x0:x1] = True
    return rows + y0, columns + x0


def _top(chip: Chip) -> float:
    """How high above the table it reaches, in millimetres; a chip on edge stands on its rim."""
    tilted = float(np.sqrt(max(1 - chip.up[2] ** 2, 0.0)))
    return float(chip.centre[2] + max(chip.thickness * chip.up[2], 0.0) + chip.radius * tilted)


def windows_round(camera: Camera, stacks: Sequence[Sequence[Chip]], light: Light, room: float = 0.3) -> list[Window]:
    """One window a stack: all of it, ``room`` of its width around it, and its shadow for as far as it is dark."""
    out = []
    for chips in stacks:
        boxes = np.array([extent(camera, chip) for chip in chips])
        low, high = boxes[:, :2].min(0), boxes[:, 2:].max(0)
        foot = chips[0].centre * [1, 1, 0]
        fall = -light.direction / max(float(light.direction[2]), 0.5) * max(map(_top, chips))
        ends = camera.project(np.array([foot, foot + fall * [1, 1, 0]]))
        wide = (high[0] - low[0]) * room
        half = np.array([(high[0] - low[0]) / 2, wide])
        low = np.minimum(low, ends.min(0) - half) - wide
        high = np.maximum(high, ends.max(0) + half) + wide
        out.append((int(low[0]), int(low[1]), int(high[0]) + 1, int(high[1]) + 1))
    return out
