"""The baseline's labels and how its output is counted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from datasets.drawn import drawn_deck
from datasets.plain_yolo import PlainYolo, face_lines, once_each
from datasets.scene import random_scene
from vision.cards.runtime import ModelError
from vision.sightings import CARDS


def test_every_index_that_shows_is_a_box_of_its_card() -> None:
    scene = random_scene(3, 416, 416, (150, 300), (drawn_deck(),))
    rows = [[float(v) for v in line.split()] for line in face_lines(scene)]
    assert rows and all(len(row) == 5 and all(0 <= v <= 1 for v in row[1:]) for row in rows)
    shown = {card.label for card in scene.cards if any(i.visible > 0.72 for i in card.indices)}
    assert {CARDS[int(row[0])] for row in rows} <= shown


def test_a_card_counts_once_and_its_surest_find_stays() -> None:
    raw = np.zeros((56, 4), np.float32)
    raw[:4] = np.array([[10, 20, 4, 8], [50, 20, 4, 8], [90, 90, 4, 8], [30, 30, 4, 8]]).T
    raw[4 + 7, 0], raw[4 + 7, 1], raw[4 + 9, 2], raw[4 + 3, 3] = 0.6, 0.9, 0.8, 0.2
    found = once_each(raw, (2.0, 1.0))
    assert [(s.label, round(s.confidence, 2)) for s in found] == [(CARDS[7], 0.9), (CARDS[9], 0.8)]
    assert found[0].centre == pytest.approx((100.0, 20.0))


def test_a_missing_network_is_said(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="is missing"):
        PlainYolo(tmp_path / "plain.onnx")
