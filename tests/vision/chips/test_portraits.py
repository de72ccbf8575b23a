"""Small pictures of a stack's chips: each edge between its seams, the face above, and how they are kept."""

from __future__ import annotations

import numpy as np
import pytest

from vision.chips.crops import HEIGHT, WIDTH
from vision.chips.portraits import HIGH, WIDE, Portrayed, as_data, from_data, portraits

RED, GREEN, WHITE = (20, 20, 200), (40, 150, 30), (230, 240, 240)


def striped(rows: list[int], colours: list[tuple[int, int, int]], face: tuple[int, int, int]) -> np.ndarray:
    """A column in which each chip between two seams has one colour, and what is above them another."""
    column = np.full((HEIGHT, WIDTH, 3), face, np.uint8)
    for low, high, colour in zip(rows, rows[1:], colours, strict=False):
        column[high:low] = colour
    return column


@pytest.mark.parametrize("thick", [5, 9, 14])
def test_each_edge_fills_the_middle_of_its_picture_however_thick_the_chip_is(thick: int) -> None:
    rows = [230 - thick * k for k in range(4)]
    pictures = portraits(striped(rows, [RED, GREEN, RED], WHITE), rows, 30.0)
    assert pictures.shape == (4, HIGH, WIDE, 3)
    for picture, colour in zip(pictures, [RED, GREEN, RED], strict=False):
        assert np.abs(picture[8:12].astype(int) - colour).max() < 8
    assert np.abs(pictures[1][:3].astype(int) - RED).max() < 40, "most of the edge above comes with it"
    assert np.abs(pictures[3][2:-2].astype(int) - WHITE).max() < 8, "last the face"


def test_a_face_that_is_not_seen_has_a_picture_all_the_same() -> None:
    assert portraits(striped([230, 221], [RED], WHITE), [230, 221], 0.0).shape == (2, HIGH, WIDE, 3)


def test_a_stack_comes_back_as_it_was_kept() -> None:
    rng = np.random.default_rng(3)
    words = rng.normal(0, 2, (2, 12)).astype(np.float32)
    stack = Portrayed(words, rng.integers(0, 256, (3, HIGH, WIDE, 3)).astype(np.uint8))
    again = from_data(as_data(stack))
    assert np.array_equal(again.pictures, stack.pictures) and np.allclose(again.words, words, atol=1e-3)


@pytest.mark.parametrize(
    "change", [{"pictures": "AAAA"}, {"pictures": ""}, {"pictures": "%"}, {"words": [[1, 2]]}, {"words": 3}]
)
def test_what_is_damaged_is_refused(change: dict[str, object]) -> None:
    stack = Portrayed(np.zeros((1, 12), np.float32), np.zeros((2, HIGH, WIDE, 3), np.uint8))
    with pytest.raises((ValueError, TypeError)):
        from_data({**as_data(stack), **change})
