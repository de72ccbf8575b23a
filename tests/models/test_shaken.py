"""Patches that are shown differently at every pass: corners move with what is bent."""

from __future__ import annotations

import numpy as np
import pytest

from models.recipes.shaken import CHANGES, bent, inked, shaken, varied
from vision.cards.patches import PATCH_HEIGHT, PATCH_WIDTH, TARGET

INK = np.array([[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 0, 255]], np.float32)


def dotted() -> np.ndarray:
    """A white patch with a dot of its own colour on each corner of the index."""
    patch = np.full((PATCH_HEIGHT, PATCH_WIDTH, 3), 255, np.uint8)
    y, x = np.mgrid[:PATCH_HEIGHT, :PATCH_WIDTH]
    for (u, v), ink in zip(TARGET, INK, strict=True):
        patch[np.hypot(x - u, y - v) < 3] = ink
    return patch


def dots(patch: np.ndarray) -> np.ndarray:
    """Where the dots are."""
    y, x = np.mgrid[:PATCH_HEIGHT, :PATCH_WIDTH]
    found = []
    for ink in INK:
        weight = np.clip(1 - np.abs(patch - ink).sum(2) / 200, 0, 1)
        found.append([(weight * x).sum() / weight.sum(), (weight * y).sum() / weight.sum()])
    return np.array(found)


def test_corners_move_with_the_patch() -> None:
    moved = []
    for seed in range(60):
        patch, corners = bent(dotted(), TARGET, np.random.default_rng(seed))
        off = np.linalg.norm(dots(patch) - corners, axis=1)
        assert off.max() < 1.0, seed
        moved.append(np.linalg.norm(corners - TARGET, axis=1).max())
    assert np.median(moved) > 2.0


def test_what_has_no_known_corners_has_none_afterwards() -> None:
    nowhere = np.full((4, 2), np.nan, np.float32)
    for seed in range(5):
        _, corners = bent(dotted(), nowhere, np.random.default_rng(seed))
        assert np.isnan(corners).all()


@pytest.mark.parametrize("change", [inked, *(c for _, c in CHANGES)], ids=lambda c: c.__name__)
def test_every_other_change_shows_the_patch_otherwise_at_its_size(change: object) -> None:
    patch = dotted() // 2
    for seed in range(20):
        after = change(patch, np.random.default_rng(seed))  # type: ignore[operator]
        assert after.shape == patch.shape and after.dtype == np.uint8
    assert not np.array_equal(after, patch)


def test_a_batch_is_left_as_it_was_and_comes_back_in_order() -> None:
    images = np.stack([dotted(), np.zeros_like(dotted())])
    corners = np.stack([TARGET, TARGET])
    kept, places = images.copy(), corners.copy()
    rng = np.random.default_rng(3)
    seen, where = varied(images, corners, rng)
    assert np.array_equal(images, kept) and np.array_equal(corners, places)
    assert seen[0].mean() > 200 and seen[1].max() < 60 and where.shape == corners.shape
    noisy = shaken(seen, rng)
    assert noisy.shape == seen.shape and noisy.min() >= 0 and noisy.max() <= 255
