"""Patches: an index comes out upright, at one size, wherever and however it lies."""

from __future__ import annotations

import cv2
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.cards.patches import PATCH_HEIGHT, PATCH_WIDTH, TARGET, cut_patch, patch_affine, pyramid, to_input


@settings(max_examples=60, deadline=None)
@given(
    angle=st.floats(-3.1, 3.1),
    size=st.floats(8, 200),
    shear=st.floats(-0.4, 0.4),
    x=st.floats(0, 900),
    y=st.floats(0, 900),
)
def test_the_affine_takes_the_quad_to_its_place_and_back(
    angle: float, size: float, shear: float, x: float, y: float
) -> None:
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    box = np.array([[-0.3, -0.5], [0.3, -0.5], [0.3, 0.5], [-0.3, 0.5]]) @ np.array([[1, shear], [0, 1]]) * size
    quad = (box @ turn.T + [x, y]).astype(np.float32)
    m = patch_affine(quad)
    assert np.allclose(quad @ m[:, :2].T + m[:, 2], TARGET, atol=0.05)


def test_the_patch_shows_the_index_upright_from_any_turn() -> None:
    upright = np.full((300, 300, 3), 255, np.uint8)
    quad = np.array([[130, 110], [170, 110], [170, 180], [130, 180]], np.float32)
    cv2.rectangle(upright, (130, 110), (170, 140), (0, 0, 200), -1)  # red above, black below
    cv2.rectangle(upright, (130, 145), (170, 180), (0, 0, 0), -1)
    for quarter in range(4):
        image = np.ascontiguousarray(np.rot90(upright, -quarter))
        turned = quad.copy()
        for _ in range(quarter):
            turned = np.stack([299 - turned[:, 1], turned[:, 0]], axis=1)
        patch, _ = cut_patch(pyramid(image), turned)
        assert patch.shape == (PATCH_HEIGHT, PATCH_WIDTH, 3)
        above, below = patch[PATCH_HEIGHT // 3, PATCH_WIDTH // 2], patch[2 * PATCH_HEIGHT // 3, PATCH_WIDTH // 2]
        assert above[2] > 150 and above[0] < 60, quarter
        assert below.max() < 60, quarter


def test_large_indices_are_shrunk_without_aliasing() -> None:
    stripes = np.zeros((1600, 1600, 3), np.uint8)
    stripes[:, ::2] = 255
    quad = np.array([[200, 200], [900, 200], [900, 1400], [200, 1400]], np.float32)
    patch, _ = cut_patch(pyramid(stripes), quad)
    middle = patch[20:76, 16:48].astype(float)
    assert middle.std() < 12, "fine stripes must melt into grey, not into a moiré"


def test_a_degenerate_quad_gives_a_patch_and_no_error() -> None:
    image = np.zeros((50, 50, 3), np.uint8)
    patch, _ = cut_patch(pyramid(image), np.full((4, 2), 25, np.float32))
    assert patch.shape == (PATCH_HEIGHT, PATCH_WIDTH, 3)


def test_input_is_free_of_exposure() -> None:
    rng = np.random.default_rng(0)
    patch = rng.integers(40, 120, (1, PATCH_HEIGHT, PATCH_WIDTH, 3)).astype(np.uint8)
    bright = (patch.astype(int) * 2).clip(0, 255).astype(np.uint8)
    a, b = to_input(patch), to_input(bright)
    assert a.shape == (1, 3, PATCH_HEIGHT, PATCH_WIDTH)
    assert abs(a.mean()) < 1e-3
    assert np.abs(a - b).mean() < 0.25
