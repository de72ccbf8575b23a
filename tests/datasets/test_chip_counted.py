"""Photographed stacks that were counted by eye: the list is sound, and seams are found given the count."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.chips.bench import rendered_bet
from datasets.chips.counted import aligned, counted, counted_stacks, labelled, photographed, unspeckled
from vision.chips.counter import Counter
from vision.chips.crops import FOOT, column_affine
from vision.chips.reader import COUNTER_FILE, PLACER_FILE
from vision.chips.stands import Placer
from vision.chips.values import COLOURS

pytestmark = pytest.mark.slow

COLOURS_SHOWN = ("black", "green", "red", "white")


@pytest.fixture(scope="module")
def networks() -> tuple[Placer, Counter]:
    known = Path(str(files("models") / "weights"))
    return Placer(known / PLACER_FILE, 1), Counter(known / COUNTER_FILE, 1)


def test_what_is_listed_is_a_line_a_count_and_one_colour_or_each_chips() -> None:
    rows = [row for each in counted().values() for row in each]
    assert len(rows) > 300
    for line, count, *colours in rows:
        assert line >= 0 and count >= 1 and len(colours) in (1, count) and set(colours) <= set(COLOURS)
    assert all(len({row[0] for row in each}) == len(each) for each in counted().values()), "no box twice"


def test_counted_boxes_become_stacks_in_pixels(tmp_path: Path) -> None:
    for name in ("images", "labels"):
        (tmp_path / name).mkdir()
    cv2.imwrite(str(tmp_path / "images" / "a.png"), np.zeros((200, 400, 3), np.uint8))
    (tmp_path / "labels" / "a.txt").write_text("1 0.5 0.5 0.2 0.4\n1 0.25 0.5 0.1 0.1\n")
    told = {"a.png": [[0, 3, "red"], [1, 2, "red", "white"]], "gone.png": [[0, 1, "red"]], "b.png": []}
    one, other = counted_stacks(tmp_path, told)
    assert one.box == pytest.approx((160, 60, 240, 140)) and one.order == ("red", "red", "red")
    assert other.box == pytest.approx((80, 90, 120, 110)) and other.order == ("red", "white")


def test_given_the_count_the_seams_are_found_where_they_are(networks: tuple[Placer, Counter]) -> None:
    off = []
    for number in range(40, 52):
        scene = rendered_bet(number, COLOURS_SHOWN, most=8)
        stack = scene.stacks[0]
        x0, y0, x1, y1 = (float(v) for v in stack.box)
        _, stand, rows = aligned(scene.image, (x0, y0, x1, y1), len(stack.order), *networks)
        back = cv2.invertAffineTransform(column_affine(stand))
        ends = np.array([[FOOT[0], rows[0]], [FOOT[0], rows[-1]]]) @ back[:, :2].T + back[:, 2]
        off.append(np.linalg.norm(ends - stack.seams[[0, -1]], axis=1).max() / stack.across)
    assert np.median(off) < 0.08, "within eight hundredths of a chip's width"


def test_stacks_of_photographs_are_cut_like_rendered_ones(networks: tuple[Placer, Counter], tmp_path: Path) -> None:
    scene = rendered_bet(41, COLOURS_SHOWN, most=8)
    stack = scene.stacks[0]
    for name in ("images", "labels"):
        (tmp_path / name).mkdir()
    cv2.imwrite(str(tmp_path / "images" / "a.png"), scene.image)
    side = scene.image.shape[0]
    x0, y0, x1, y1 = stack.box / side
    (tmp_path / "labels" / "a.txt").write_text(f"1 {(x0 + x1) / 2} {(y0 + y1) / 2} {x1 - x0} {y1 - y0}\n")
    told = {"a.png": [[0, len(stack.order), *stack.order]]}
    cuts = photographed(list(counted_stacks(tmp_path, told)), *networks, least=-100.0)
    assert len(cuts.jpegs) == 1 and [COLOURS[k] for k in cuts.order[0] if k >= 0] == list(stack.order)
    assert np.isfinite(cuts.seams[0, : len(stack.order) + 1]).all()
    assert photographed(list(counted_stacks(tmp_path, told)), *networks, least=100.0).jpegs == []


def test_specks_are_taken_out_and_clean_pictures_left_alone() -> None:
    rng = np.random.default_rng(1)
    clean = cv2.GaussianBlur(rng.integers(0, 255, (80, 80, 3), np.uint8), (9, 9), 3)
    assert unspeckled(clean) is clean or np.array_equal(unspeckled(clean), clean)
    specked = clean.copy()
    specked[rng.random((80, 80)) < 0.02] = 255
    assert np.abs(unspeckled(specked).astype(int) - clean).max() < 60


def test_labels_hold_boxes_or_outlines() -> None:
    kind, box = labelled("1 0.5 0.4 0.2 0.1") or ("", np.zeros(4))
    assert kind == "1" and box.tolist() == [0.5, 0.4, 0.2, 0.1]
    _, outline = labelled("1 0.4 0.35 0.6 0.35 0.6 0.45 0.4 0.45") or ("", np.zeros(4))
    assert outline == pytest.approx(box)
    assert labelled("1 0.5") is None and labelled("") is None
