"""Chips in followed light: true meshes, one texture for all, and where the tracer is there, the same chips as drawn."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from datasets.chips import scene, tables, traced
from datasets.chips.draw import Camera, Chip
from datasets.chips.scene import Plan, chips_camera, chips_of, random_chip_scene, random_light
from datasets.chips.strays import strays, traced_strays
from datasets.chips.styles import FACE, random_family
from datasets.chips.tables import Laid, chip_table, drawn_on, photographed
from datasets.chips.tables import traced as traced_table
from datasets.chips.traced import Finish, TracerError, encoded, linear, random_finish, tracer, windows_round

X, Y, UP = np.eye(3)


@pytest.fixture
def chip() -> Chip:
    family = random_family(np.random.default_rng(3))
    return Chip(np.array([10.0, -20.0, 3.0]), 19.5, 3.3, 0.7, family.look("red"), X, Y, UP)


@pytest.fixture
def finish() -> Finish:
    return random_finish(np.random.default_rng(4))


@pytest.fixture
def without_tracer(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    real = builtins.__import__

    def refuse(name: str, *args: Any, **more: Any) -> Any:
        if name.split(".")[0] in ("mitsuba", "drjit"):
            raise ImportError(f"No module named {name!r}")
        return real(name, *args, **more)

    monkeypatch.setattr(builtins, "__import__", refuse)
    tracer.cache_clear()
    yield
    tracer.cache_clear()


def test_a_chips_mesh_is_as_wide_and_as_thick_as_the_chip_and_stands_where_it_does(chip: Chip, finish: Finish) -> None:
    mesh = traced._chip_mesh(chip, traced._Atlas.of([chip.look], finish), finish.rim)
    off = mesh.corners - chip.centre
    assert np.hypot(off[:, 0], off[:, 1]).max() == pytest.approx(chip.radius)
    assert off[:, 2].min() == pytest.approx(0.0, abs=1e-9)
    assert off[:, 2].max() == pytest.approx(chip.thickness)
    assert np.linalg.norm(mesh.normals, axis=1) == pytest.approx(1.0)


def test_a_mesh_is_closed_and_its_sides_face_outwards(chip: Chip, finish: Finish) -> None:
    mesh = traced._chip_mesh(chip, traced._Atlas.of([chip.look], finish), finish.rim)
    sides = mesh.triangles[: 2 * traced.AROUND * (2 * traced.ROUNDED - 1)]
    a, b, c = (mesh.corners[sides[:, k]] for k in range(3))
    normal, middle = np.cross(b - a, c - a), (a + b + c) / 3 - chip.centre
    turned = np.linalg.norm(normal, axis=1) > 1e-6
    assert (np.einsum("nk,nk->n", normal[:, :2], middle[:, :2])[turned] > 0).all()


def test_every_look_has_a_place_of_its_own_in_the_common_texture(finish: Finish) -> None:
    family = random_family(np.random.default_rng(3))
    looks = [family.look(name) for name in ("red", "white", "black")]
    atlas = traced._Atlas.of(looks, finish)
    assert atlas.image.shape == (3 * traced.CELL, traced.EDGE_WIDE, 3)
    for k, look in enumerate(looks):
        for at in (atlas.face(look, np.array([[0.0, 0.0], [0.9, -0.9]])), atlas.edge(look, np.ones(2), np.ones(2))):
            assert (at >= 0).all() and (at <= 1).all()
            assert (at[:, 1] * 3 >= k - 1e-9).all() and (at[:, 1] * 3 <= k + 1 + 1e-9).all()
    u, v = atlas.face(looks[1], np.zeros((1, 2)))[0] * [traced.EDGE_WIDE, len(atlas.image)]
    middle = linear(looks[1].face[FACE // 2, FACE // 2])[::-1] * finish.white
    assert atlas.image[int(v), int(u)] == pytest.approx(middle, abs=0.05)


def test_light_and_its_coding_undo_each_other() -> None:
    values = np.arange(256, dtype=np.float32)
    assert encoded(linear(values)) == pytest.approx(values, abs=0.01)


def test_a_window_holds_its_stack_and_the_shadow_beside_it(chip: Chip) -> None:
    table = chip_table(2)
    window = windows_round(table.camera, [[chip]], table.light)[0]
    x, y = table.camera.project(chip.centre[None])[0]
    assert window[0] < x < window[2] and window[1] < y < window[3]


def test_a_chip_on_edge_throws_a_shadow_as_long_as_it_is_high(chip: Chip) -> None:
    table = chip_table(2)
    on_edge = replace(chip, centre=chip.centre + UP * chip.radius, up=-Y, right=X, back=UP)
    flat, high = (windows_round(table.camera, [[it]], table.light)[0] for it in (chip, on_edge))
    top = chip.centre[2] + 2 * chip.radius
    fall = -table.light.direction / max(float(table.light.direction[2]), 0.5) * top
    x, y = table.camera.project((on_edge.centre * [1, 1, 0] + fall * [1, 1, 0])[None])[0]
    assert high[0] < x < high[2] and high[1] < y < high[3]
    assert flat != high


def test_a_finish_is_the_same_from_the_same_number_and_within_what_chips_are(finish: Finish) -> None:
    assert random_finish(np.random.default_rng(4)).rim == finish.rim
    for seed in range(40):
        it = random_finish(np.random.default_rng(seed))
        assert 0 < it.rim < 1.2 and 0 <= it.grime < 1 and 0 < it.ambient < 1
        assert np.linalg.norm(it.other) == pytest.approx(1.0)


@pytest.mark.usefixtures("without_tracer")
def test_without_the_tracer_a_sentence_says_what_to_install(chip: Chip, finish: Finish) -> None:
    camera = Camera(np.eye(3, 4), 8, 8)
    picture = np.zeros((8, 8, 3), np.float32)
    with pytest.raises(TracerError, match=r'pip install "tableside\[traced\]"'):
        traced.trace(picture, camera, [[chip]], chip_table(2).light, finish, np.random.default_rng(0))


@pytest.mark.parametrize(("version", "there"), [((-1, -1, -1), "found none"), ((15, 0, 6), "found 15")])
def test_an_llvm_that_is_missing_or_too_old_is_named_before_it_ends_the_process(
    monkeypatch: pytest.MonkeyPatch, version: tuple[int, int, int], there: str
) -> None:
    asked = SimpleNamespace(detail=SimpleNamespace(llvm_version=lambda: version))
    monkeypatch.setitem(sys.modules, "drjit", asked)
    monkeypatch.setitem(sys.modules, "mitsuba", SimpleNamespace())
    monkeypatch.setenv("DRJIT_LIBLLVM_PATH", "libLLVM.so")
    tracer.cache_clear()
    with pytest.raises(TracerError, match=rf"needs LLVM 17 or later as a shared library \({there}\)"):
        tracer()


def test_coins_and_lids_are_traced_as_round_things_of_their_own_size(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[list[list[Chip]]] = []

    def follow(picture: np.ndarray, _camera: object, stacks: list[list[Chip]], *_: object) -> np.ndarray:
        given.append(stacks)
        return picture

    monkeypatch.setattr(tables, "trace", follow)
    monkeypatch.setattr(scene, "trace", follow)
    things = strays(chip_table(0))
    traced_strays(chip_table(0), things)
    assert len(things) > 1
    assert [len(chips) for chips in given[0]] == [1] * len(things)
    assert [chips[0].radius for chips in given[0]] == [plan.family.radius for _, plan in things]
    scenes = [random_chip_scene(seed, 512, 512, (26.0, 190.0), followed=True) for seed in range(12)]
    others = [
        chips
        for it, stacks in zip(scenes, given[1:], strict=True)
        for chips, stack in zip(stacks, it.stacks, strict=True)
        if stack.shape == "other"
    ]
    assert len(others) > 1 and all(len(chips) == 1 for chips in others)
    faces = [chips[0].look.face for chips in (*given[0], *others)]
    assert all(not np.array_equal(a, b) for a, b in combinations(faces, 2)), "no two look alike, as a set's chips do"


def _there() -> bool:
    try:
        tracer()
    except TracerError:
        return False
    return True


@pytest.mark.slow
def test_a_traced_table_shows_the_drawn_ones_chips_at_the_same_place_in_other_light() -> None:
    if not _there():
        pytest.skip("the path tracer is not installed")
    table = chip_table(2)
    zone = table.layout.zone("seat-bet", 1)
    assert zone is not None
    laid = [Laid(1, zone.shape.centre, ("red",) * 9)]
    drawn, followed = photographed(table, laid, 0), traced_table(table, laid, 0)
    again = traced_table(table, laid, 0)
    assert drawn.stacks[0].box == followed.stacks[0].box
    assert np.abs(followed.image.astype(int) - again.image).mean() < 0.01
    x0, y0, x1, y1 = (round(v) for v in drawn.stacks[0].box)
    owner = drawn_on(table, laid, 0)[1].owner[y0:y1, x0:x1]
    chips, bare = followed.image[y0:y1, x0:x1].astype(float), photographed(table, [], 0).image[y0:y1, x0:x1]
    changed = np.abs(chips - bare).sum(2) > 40
    assert changed[owner >= 0].mean() > 0.8  # chips are where they were drawn
    assert not np.array_equal(drawn.image, followed.image)
    away = np.abs(followed.image.astype(int) - drawn.image)[: max(y0 - 200, 1)]
    assert away.mean() < 3  # and the rest of the table is as it was


@pytest.mark.slow
def test_what_is_beyond_the_table_stays_as_the_picture_has_it() -> None:
    if not _there():
        pytest.skip("the path tracer is not installed")
    rng = np.random.default_rng(2)
    camera = chips_camera(rng, 256, 256, (40.0, 41.0), float(np.radians(6)))
    chips = chips_of(Plan("stack", np.zeros(3), ("red",) * 20, random_family(rng)), rng)
    room = np.tile(np.array([10.0, 200.0, 90.0], np.float32), (256, 256, 1))
    light = random_light(rng)
    x0, y0, *_ = windows_round(camera, [chips], light)[0]
    shown = traced.trace(room, camera, [chips], light, random_finish(rng), rng, 2e5)
    changed = np.abs(shown - room).max(2)[max(y0, 0) :, max(x0, 0) :]
    assert changed[:40, :6].max() < 0.5, "over the horizon, beside the stack"
    assert changed.max() > 40
