"""What a teacher overlooked is told from labels; what it found is left alone."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="networks are trained with the training extra alone")
pytest.importorskip("ultralytics")

from models.recipes.lean import SIDE, shown  # noqa: E402
from models.recipes.overlooked import FOUND, MOST, TOLD, mended, padded, shares_of  # noqa: E402

CELLS = (SIDE // 8) ** 2 + (SIDE // 16) ** 2 + (SIDE // 32) ** 2
QUAD = np.array([[200, 100], [212, 100], [212, 122], [200, 122]], np.float32)


def test_an_index_that_the_teacher_overlooks_is_told_where_it_is() -> None:
    chances, points = torch.full((1, 3, CELLS), 0.01), torch.zeros(1, 12, CELLS)
    told, corners = mended(chances, points, padded(QUAD[None], SIDE)[None], SIDE)
    cell = int(told[0, 0].argmax())
    assert float(told[0, 0, cell]) == pytest.approx(TOLD) and float(told[0, 1:].max()) == pytest.approx(0.01)
    across, down = cell % (SIDE // 8), cell // (SIDE // 8)
    placed = (corners[0, :, cell].reshape(4, 3)[:, :2].numpy() * 2 + [across, down]) * 8
    assert np.allclose(placed, QUAD, atol=1e-3)
    assert float(chances.max()) == pytest.approx(0.01), "the teacher's own word is left as it is"


def test_an_index_that_the_teacher_finds_is_left_to_it() -> None:
    chances, points = torch.full((1, 3, CELLS), 0.01), torch.zeros(1, 12, CELLS)
    chances[0, 0, 13 * (SIDE // 8) + 25] = FOUND + 0.1
    told, corners = mended(chances, points, padded(QUAD[None], SIDE)[None], SIDE)
    assert torch.equal(told, chances) and torch.equal(corners, points)


def test_labels_go_with_their_picture_however_it_is_shown(tmp_path: Path) -> None:
    """The index is a white box on black: wherever the picture is shrunk and cut to, that is where the label says."""
    images, labels = tmp_path / "images", tmp_path / "labels"
    images.mkdir()
    labels.mkdir()
    picture = np.zeros((SIDE, SIDE, 3), np.uint8)
    cv2.fillConvexPoly(picture, QUAD.astype(np.int32), (255, 255, 255))
    cv2.imwrite(str(images / "a.jpg"), picture)
    corners = " ".join(f"{x / SIDE} {y / SIDE} 2" for x, y in QUAD)
    (labels / "a.txt").write_text(f"0 0.5 0.25 0.03 0.05 {corners}\n\n1 0.5 0.5 1 1 {corners}\n")
    assert np.allclose(shares_of(images / "a.jpg") * SIDE, QUAD[None], atol=0.01)
    rng, looked_at = np.random.default_rng(2), 0
    for _ in range(30):
        seen, quads = shown([images / "a.jpg"], rng)
        assert quads.shape == (MOST, 4, 2)
        there = quads[np.isfinite(quads[:, 0, 0])]
        looked_at += len(there)
        if len(there):
            x, y = there[0].mean(0)
            assert seen[int(y), int(x)].min() > 90
    assert looked_at > 15, "in most of them the index is still to be seen"


def test_pictures_without_labels_are_left_to_the_teacher(tmp_path: Path) -> None:
    assert shares_of(tmp_path / "images" / "b.jpg").shape == (0, 4, 2)
