"""Rendered racks: their truth lies where the chips show, and what the trough hides does not."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from datasets.chips.bench import RackScore, rendered_rack, tally_rack
from datasets.chips.draw import Camera, Canvas
from datasets.chips.racks import Rack, Row, chips_in, draw_rack, rack_scene, random_rack
from datasets.chips.scene import chips_camera, random_light
from datasets.chips.shards import load_cuts, row_lines, write_shards
from datasets.chips.styles import random_family
from vision.chips.racks import FULL
from vision.chips.values import ChipReading, ChipStack

COLOURS = ("red", "green", "black", "white")


def shown(rows: tuple[Row, ...], turn: float, degrees: float = 50.0) -> tuple[Canvas, Camera, Rack]:
    """A black rack with these rows on grey."""
    rng = np.random.default_rng(6)
    camera = chips_camera(rng, 640, 640, (60.0, 61.0), np.radians(degrees))
    rack = random_rack(rng, random_family(rng), COLOURS)
    tray = replace(rack.tray, rows=len(rows), clear=0.0, long=FULL * rack.family.thickness + 4, rim=4.0)
    rack = Rack(tray, rows, rack.family, turn)
    canvas = Canvas(np.full((640, 640, 3), 90, np.float32), np.full((640, 640), -1, np.int16))
    draw_rack(canvas, camera, rack, random_light(rng), rng)
    return canvas, camera, rack


def row(count: int, begins: float = 0.0, leans: float = 0.0) -> Row:
    return Row(("red",) * count, begins, leans, 0.0)


@pytest.mark.parametrize("turn", [0.0, np.pi / 2, 2.2])
def test_each_row_shows_and_owns_its_pixels_and_an_empty_one_none(turn: float) -> None:
    canvas, _, _ = shown((row(20), row(0), row(9)), turn)
    numbers, pixels = np.unique(canvas.owner[canvas.owner >= 0], return_counts=True)
    assert numbers.tolist() == [0, 2]
    assert 0.2 < pixels[1] / pixels[0] < 0.9


def test_what_lies_below_the_trays_top_is_hidden_but_for_a_face_seen_through_the_opening() -> None:
    canvas, camera, rack = shown((row(20),), 0.0)
    chips = chips_in(rack, 0, np.random.default_rng(1), 1.0)
    near = float(np.sign(np.linalg.inv(camera.matrix[:, :3])[1] @ -camera.matrix[:, 3]))
    low = chips[10].centre + np.array([0.0, 0.8 * near, -0.6]) * chips[10].radius
    high = chips[10].centre + np.array([0.0, 0.5 * near, 0.85]) * chips[10].radius
    x, y = camera.project(np.stack([low, high])).round().astype(int).T
    assert canvas.owner[y[0], x[0]] == -1
    assert canvas.owner[y[1], x[1]] == 0


@pytest.mark.parametrize("towards", [1.0, -1.0])
@pytest.mark.parametrize("leans", [0.0, 0.25, -0.25])
def test_a_rows_chips_lie_in_its_trough_and_are_built_up_towards_the_camera(towards: float, leans: float) -> None:
    rng = np.random.default_rng(2)
    family = random_family(rng)
    tray = random_rack(rng, family, COLOURS).tray
    order = ("red", "green", "black")
    rack = Rack(replace(tray, rows=1), (Row(order, 5.0, leans, 0.0),), family, 0.0)
    chips = chips_in(rack, 0, rng, towards)
    assert [c.look.name for c in chips] == list(order if towards > 0 else order[::-1])
    along = np.array([c.centre[0] for c in chips])
    assert np.allclose(np.diff(along), towards * family.thickness / np.cos(leans))
    assert all(c.up @ rack.along * towards > 0.9 for c in chips)
    ends = np.append(along, along[-1] + towards * family.thickness / np.cos(leans)) + tray.long / 2
    assert ends.min() == pytest.approx(5.0) and ends.max() < tray.long


def test_a_rack_is_drawn_alike_from_the_same_seed_and_fills_its_picture() -> None:
    one, other = (rendered_rack(3, COLOURS) for _ in range(2))
    assert np.array_equal(one.image, other.image)
    rows = [s for s in one.stacks if s.shape == "tube"]
    boxes = np.array([s.box for s in rows])
    assert len(rows) > 1 and (boxes[:, :2] >= 0).all() and (boxes[:, 2:] <= [1280, 960]).all()
    for stack in rows:
        x0, y0, x1, y1 = stack.box
        assert len(stack.seams) == len(stack.order) + 1
        assert ((stack.seams >= [x0 - 3, y0 - 3]) & (stack.seams <= [x1 + 3, y1 + 3])).all()


def test_where_chips_lack_a_trough_is_empty() -> None:
    _, _, rack = shown((row(20), row(0), row(9, begins=2.0), row(15)), 0.0)
    chip, long = rack.family.thickness, rack.tray.long
    assert rack.rooms(0) == [] and rack.rooms(1) == [(0.0, long)]
    assert rack.rooms(2) == [(pytest.approx(2.0 + 9 * chip), pytest.approx(long - 2.0 - 9 * chip))]
    assert rack.rooms(3) == [], "room for a few chips alone is not shown"


def test_rows_are_kept_apart_by_how_they_run_and_from_what_stands_beside_racks() -> None:
    scene = rack_scene(5, (512, 512), COLOURS, everywhere=True)
    kinds = [line.split()[0] for line in row_lines(scene)]
    runs = ["0" if abs(s.up[1]) > abs(s.up[0]) else "1" for s in scene.stacks]
    assert kinds == [run if s.shape == "tube" else "2" for s, run in zip(scene.stacks, runs, strict=True)]
    assert set(kinds) > {"2"}
    standing = replace(scene, stacks=tuple(replace(s, shape="stack") for s in scene.stacks))
    assert {line.split()[0] for line in row_lines(standing)} == {"2"}


@pytest.mark.slow
def test_shards_hold_the_rows_of_all_racks(tmp_path: Path) -> None:
    assert list(write_shards(tmp_path, [0], 1, "racks")) == [0]
    cuts = load_cuts(tmp_path)
    rows = cuts.numbers[:, 0] == 1
    assert rows.sum() > 80
    assert np.abs(cuts.numbers[rows, 5]).max() > 0.02, "some rows' chips lean"


def test_a_rack_is_right_where_every_row_is_and_nothing_else_is_listed() -> None:
    scene = next(it for it in map(partial(rendered_rack, colours=COLOURS), range(9)) if it.stacks[0].shape == "tube")
    rows = [
        ChipStack(tuple(float(v) for v in s.box), s.order, 0.95, shape="tube")
        for s in scene.stacks
        if s.shape == "tube"
    ]  # type: ignore[arg-type]

    def scored(stacks: list[ChipStack]) -> RackScore:
        score = RackScore()
        tally_rack(score, scene, ChipReading(1280, 960, tuple(stacks)))
        return score

    n = len(rows)
    assert scored(rows) == RackScore(1, n, n, n, n, n, 0, 0, 1, 1)
    short = replace(rows[0], order=rows[0].order[:-1])
    assert scored([short, *rows[1:]]) == RackScore(1, n, n, n - 1, n - 1, n, 1, 0, 0, 0)
    assert scored([*rows, replace(rows[0], box=(0, 0, 9, 9))]) == RackScore(1, n, n, n, n, n, 0, 1, 0, 0)
    beside = next(it for it in map(partial(rendered_rack, colours=COLOURS), range(9)) if it.stacks[0].shape == "stack")
    stood = RackScore()
    x0, y0, x1, y1 = (float(v) for v in beside.stacks[0].box)
    tally_rack(stood, beside, ChipReading(1280, 960, (ChipStack((x0, y0, x1, y1), ("red",), 0.9),)))
    assert stood.extra == 0 and stood.found == 0 and stood.rows == sum(s.shape == "tube" for s in beside.stacks)
    assert scored(rows[1:]).totals == 0
