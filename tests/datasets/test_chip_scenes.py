"""Rendered chips: the same from the same seed, and their truth lies where it was drawn."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from datasets.bench import ManifestError
from datasets.chips.bench import (
    Counted,
    Photograph,
    StackScore,
    load_manifest,
    rendered_bet,
    rendered_loose,
    rendered_splash,
    tally,
)
from datasets.chips.draw import Camera, Canvas, Chip, Light, draw_chip, extent, front
from datasets.chips.scene import Plan, chips_camera, chips_of, compose, random_chip_scene, random_light
from datasets.chips.shards import FOOT, SHAPES, label_lines, load_cuts, wide_cut, write_shards
from datasets.chips.styles import random_family
from vision.chips.crops import ACROSS
from vision.chips.values import COLOURS, ChipReading, ChipStack

DEFAULT = ("purple", "black", "green", "red", "white", "yellow")


def lone(count: int, degrees: float = 30.0) -> tuple[np.ndarray, Camera, list[Chip]]:
    """A tidy stack on grey, without light or camera faults."""
    rng = np.random.default_rng(4)
    camera = chips_camera(rng, 320, 320, (80.0, 81.0), np.radians(degrees))
    plan = Plan("stack", np.zeros(3), ("red",) * count, random_family(rng), 0.0)
    canvas = Canvas(np.full((320, 320, 3), 90, np.float32), np.full((320, 320), -1, np.int16))
    chips = chips_of(plan, rng)
    for chip in chips:
        draw_chip(canvas, camera, chip, Light(np.array([0.0, -0.5, 0.8]), 0.6, 0.0), 0, 0.1, 0.5)
    return canvas.owner, camera, chips


@pytest.mark.parametrize("degrees", [12.0, 35.0, 60.0, 88.0])
def test_a_drawn_stack_fills_its_box(degrees: float) -> None:
    owner, camera, chips = lone(5, degrees)
    ys, xs = np.nonzero(owner == 0)
    boxes = np.array([extent(camera, c) for c in chips])
    box = np.concatenate([boxes[:, :2].min(0), boxes[:, 2:].max(0)])
    assert np.abs(np.array([xs.min(), ys.min(), xs.max(), ys.max()]) - box).max() < 3.0


def test_seams_rise_evenly_and_lie_on_the_front() -> None:
    owner, camera, chips = lone(6)
    seams = np.array([front(camera, c, 0.0) for c in chips] + [front(camera, chips[-1], 1.0)])
    gaps = -np.diff(seams[:, 1])
    assert (gaps > 0).all() and gaps.max() / gaps.min() < 1.1
    for x, y in seams[1:-1]:
        assert owner[round(y), round(x)] == 0
    # Just under the lowest seam the table shows.
    x, y = seams[0]
    assert owner[round(y + 2), round(x)] == -1 and owner[round(y - 2), round(x)] == 0


def test_the_same_seed_gives_the_same_scene() -> None:
    one, two = random_chip_scene(5, 160, 160, (20.0, 60.0)), random_chip_scene(5, 160, 160, (20.0, 60.0))
    assert np.array_equal(one.image, two.image)
    assert [s.order for s in one.stacks] == [s.order for s in two.stacks]


def test_a_stack_behind_another_shows_less() -> None:
    rng = np.random.default_rng(2)
    camera = chips_camera(rng, 240, 240, (60.0, 61.0), np.radians(20))
    family = random_family(rng)
    near = Plan("stack", np.array([0.0, 50.0, 0.0]), ("red",) * 12, family, 0.0)
    far = Plan("stack", np.array([0.0, 10.0, 0.0]), ("blue",) * 12, family, 0.0)
    grey = np.full((240, 240, 3), 90, np.uint8)
    _, (first, second) = compose(grey, camera, [near, far], rng, random_light(rng), clutter=False)
    assert first.visible > 0.9 and first.seen_front > 0.9
    assert second.visible < 0.6 and second.seen_front < 0.5


def test_a_bet_holds_one_to_three_colours_and_stands_in_the_picture() -> None:
    for number in range(6):
        scene = rendered_bet(number, DEFAULT)
        (stack,) = scene.stacks
        assert 1 <= len(stack.order) <= 20 and 1 <= len(set(stack.order)) <= 3
        assert stack.visible > 0.93 and stack.box.min() >= 0 and stack.box.max() <= scene.image.shape[0]


def test_loose_chips_are_stacks_of_one() -> None:
    scene = rendered_loose(1, DEFAULT)
    assert scene.stacks and all(len(s.order) == 1 for s in scene.stacks)


def test_splashed_chips_are_single_and_half_over_each_other() -> None:
    scenes = [rendered_splash(k, DEFAULT) for k in range(6)]
    assert np.array_equal(scenes[2].image, rendered_splash(2, DEFAULT).image)
    assert all(len(s.order) == 1 for scene in scenes for s in scene.stacks)
    hidden = [s.visible < 0.9 for scene in scenes for s in scene.stacks]
    assert 0.2 < np.mean(hidden) < 0.9


def test_wide_cuts_stand_on_their_foot_at_one_size() -> None:
    scene = rendered_bet(3, DEFAULT)
    stack = scene.stacks[0]
    image, m = wide_cut(scene.image, stack)
    assert image.shape[2] == 3
    assert np.allclose(m[:, :2] @ stack.seams[0] + m[:, 2], FOOT, atol=0.01)
    assert abs(stack.across * np.sqrt(np.linalg.det(m[:, :2])) - ACROSS) < 0.01


def test_labels_are_shares_of_the_picture() -> None:
    for line in label_lines(rendered_loose(2, DEFAULT)):
        kind, *box = line.split()
        assert int(kind) < len(SHAPES) and all(0 <= float(v) <= 1 for v in box)


def test_shards_come_back_with_their_truth(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("datasets.chips.shards.SHARD", 2)
    from datasets.chips import shards

    for name in ("images", "labels", "cuts"):
        (tmp_path / name).mkdir()
    shards._shard(0, tmp_path)
    cuts = load_cuts(tmp_path)
    assert len(list((tmp_path / "images").iterdir())) == 2
    assert len(cuts.jpegs) == len(cuts.order) == len(cuts.seams)
    counts = (cuts.order >= 0).sum(1)
    assert (counts >= 1).all() and (cuts.order < len(COLOURS)).all()
    assert (np.isfinite(cuts.seams).all(2).sum(1) == counts + 1).all()
    assert list(write_shards(tmp_path, [], 1)) == []


def test_a_reading_is_scored_against_the_labels() -> None:
    item = Photograph(
        Path("a.jpg"),
        (
            Counted((0, 0, 50, 100), 5, "red"),
            Counted((100, 0, 150, 100), 3, "blue"),
            Counted((200, 0, 250, 100), 9, "red"),
            Counted((300, 0, 350, 100), None, "red"),
            Counted((500, 0, 550, 100), 2, "green"),
        ),
        True,
    )
    stacks = (
        ChipStack((0, 0, 50, 100), ("red",) * 5, 0.9),
        ChipStack((100, 0, 150, 100), ("black",) * 4, 0.9),
        ChipStack((200, 0, 250, 100), ("red",) * 9, 0.4, "its chips could not be counted surely"),
        ChipStack((400, 0, 450, 100), ("red",), 0.9),
        ChipStack((500, 0, 550, 100), ("green",) * 3, 0.6, "its chips could not be counted surely", likely=True),
    )
    score = StackScore()
    tally(score, item, ChipReading(600, 100, stacks))
    assert (score.stacks, score.found, score.exact, score.near) == (4, 3, 1, 3)
    assert (score.colour, score.sure, score.unsure, score.wrong, score.extra) == (2, 2, 1, 1, 1)


@pytest.mark.parametrize(
    ("text", "said"), [("{", "no manifest of chips"), ("{}", "KeyError"), ('{"items": [{}]}', "image")]
)
def test_a_bad_manifest_gets_a_sentence(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "m.json"
    path.write_text(text)
    with pytest.raises(ManifestError, match=said):
        load_manifest(path)
    with pytest.raises(ManifestError, match="cannot be read"):
        load_manifest(tmp_path / "none.json")
