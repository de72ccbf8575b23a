"""The page that lays rendered pictures beside photographs, and its figures."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.compare import FIGURES, LONG_SIDE, apart, figures_table, write_page

pytestmark = pytest.mark.slow


def picture(seed: int, level: int = 120) -> np.ndarray:
    noise = np.random.default_rng(seed).normal(0, 20, (60, 80, 3))
    return np.clip(level + noise, 0, 255).astype(np.uint8)


def test_alike_sides_are_not_apart_and_different_ones_are() -> None:
    values = np.arange(10, dtype=np.float32)
    assert apart(values, values) == 0
    assert apart(values, values + 100) == 1


def test_every_figure_tells_pictures_apart_that_differ_in_it() -> None:
    dark, light = [picture(k, 60) for k in range(4)], [picture(k, 200) for k in range(4)]
    table = {name: gap for name, _, _, gap in figures_table(dark, light)}
    assert set(table) == set(FIGURES) and table["brightness"] == 1
    blurred = [np.asarray(cv2.GaussianBlur(p, (0, 0), 3), np.uint8) for p in dark]
    gaps = {name: gap for name, _, _, gap in figures_table(dark, blurred)}
    assert gaps["sharpness"] == gaps["noise"] == 1 and gaps["brightness"] < 1


def test_the_page_shows_both_sides_and_needs_photographs(
    tmp_path: Path,
) -> None:
    photos = tmp_path / "photos"
    photos.mkdir()
    with pytest.raises(ValueError, match="no photographs"):
        write_page(tmp_path / "page", [photos], 1)
    cv2.imwrite(str(photos / "a.jpg"), picture(1))
    (photos / "broken.jpg").write_bytes(b"no picture")
    page = write_page(tmp_path / "page", [photos], 2)
    text = page.read_text()
    assert "brightness" in text and text.count("<img") == 2
    sizes = [max(cv2.imread(str(p)).shape[:2]) for p in (tmp_path / "page" / "pictures").glob("*.jpg")]
    assert set(sizes) == {LONG_SIDE}
