"""The sheets of indices that the baseline begins with."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from datasets.patches import NONE, Patches
from datasets.plain_sheets import ACROSS, sheet, write_sheets
from vision.cards.patches import PATCH_HEIGHT, PATCH_WIDTH, TARGET
from vision.sightings import CARDS, FACES, JOKER


def marked(labels: list[int]) -> Patches:
    """Grey patches whose index is one white block; those that are no index are grey all over."""
    images = np.full((len(labels), PATCH_HEIGHT, PATCH_WIDTH, 3), 90, np.uint8)
    corners = np.full((len(labels), 4, 2), np.nan, np.float32)
    for k, label in enumerate(labels):
        if label != NONE:
            corners[k] = TARGET
            (x0, y0), (x1, y1) = TARGET.min(0).astype(int), TARGET.max(0).astype(int)
            images[k, y0:y1, x0:x1] = 255
    return Patches(images, np.array(labels), corners)


def test_each_line_is_a_cards_number_and_the_box_round_its_index() -> None:
    patches = marked([FACES.index("AS"), FACES.index("10H")])
    picture, lines = sheet(patches, np.arange(2), np.random.default_rng(1), 416)
    assert picture.shape == (416, 416, 3) and len(lines) == ACROSS**2
    white = picture[..., 0] > 200
    for line in lines:
        number, x, y, w, h = line.split()
        assert CARDS[int(number)] in ("AS", "10H")
        left, right = (float(x) - float(w) / 2) * 416, (float(x) + float(w) / 2) * 416
        top, bottom = (float(y) - float(h) / 2) * 416, (float(y) + float(h) / 2) * 416
        ys, xs = np.nonzero(white[round(top) : round(bottom) + 1, round(left) : round(right) + 1])
        assert np.ptp(xs) > 0.85 * (right - left) and np.ptp(ys) > 0.85 * (bottom - top)


def test_only_cards_of_the_52_are_on_sheets_and_they_are_the_same_each_time(tmp_path: Path) -> None:
    patches = marked([NONE, FACES.index(JOKER), FACES.index("9D")])
    for name in ("one", "two"):
        write_sheets(tmp_path / name, patches, 2, 208, 5)
    labels = (tmp_path / "one" / "labels" / "000001.txt").read_text()
    assert {line.split()[0] for line in labels.splitlines()} == {str(CARDS.index("9D"))}
    assert labels == (tmp_path / "two" / "labels" / "000001.txt").read_text()
    assert cv2.imread(str(tmp_path / "one" / "images" / "000000.jpg")).shape == (208, 208, 3)
