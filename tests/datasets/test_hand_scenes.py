"""Hands to learn from: the same again by their seed, labelled as other scenes are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from datasets.hand_scenes import KINDS, MOST, hand_patches, hand_scene
from datasets.patches import NONE, load_patches
from datasets.scene_shards import save_cuts
from vision.sightings import FACES

pytestmark = pytest.mark.slow


def test_kinds_are_chances() -> None:
    assert abs(sum(KINDS.values()) - 1) < 1e-9


def test_a_scene_is_the_same_again_and_shows_indices_of_named_cards() -> None:
    one, again, other = hand_scene(1), hand_scene(1), hand_scene(2)
    assert np.array_equal(one.image, again.image) and one.image.shape != () and one.seed == 1
    assert [c.label for c in one.cards] == [c.label for c in again.cards] != [c.label for c in other.cards]
    assert {c.label for c in one.cards} <= set(FACES)
    assert sum(any(i.visible > 0.8 for i in c.indices) for c in one.cards) >= 3


def test_patches_come_back_from_their_file(tmp_path: Path) -> None:
    made = [hand_patches(seed) for seed in (3, 4)]
    save_cuts(tmp_path / "hands_3.npz", made)
    found = load_patches(tmp_path)
    assert len(found.labels) == sum(len(it.labels) for it in made) and all(0 < len(it.labels) <= MOST for it in made)
    named = found.labels < NONE
    assert named.any() and np.isfinite(found.corners[named]).all() and np.isnan(found.corners[~named]).all()
