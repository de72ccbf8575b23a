"""What the detector finds in a scene, told by the scene's truth."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from datasets.finds import LEAST, finds_of, write_finds
from datasets.hand_scenes import hand_scene
from datasets.patches import NONE, load_patches
from vision.cards.patches import TARGET
from vision.cards.reader import CardReader, Settings
from vision.sightings import FACES

pytestmark = pytest.mark.slow


def test_finds_are_the_cards_that_lie_there_or_none_and_lie_where_the_indices_do() -> None:
    reader = CardReader.load(threads=1, settings=Settings(least_found=LEAST))
    ghosts, off = 0, []
    for seed in range(3, 9):
        scene = hand_scene(seed)
        there = {FACES.index(card.label) for card in scene.cards}
        found = finds_of(scene, reader, np.random.default_rng(seed))
        none = found.labels == NONE
        assert set(found.labels[~none]) <= there
        assert np.isnan(found.corners[none]).all() and np.isfinite(found.corners[~none]).all()
        off += list(np.linalg.norm(found.corners[~none] - TARGET, axis=2).mean(1))
        ghosts += int(none.sum())
    assert len(off) > 10 and ghosts > 5
    assert np.median(off) < 6


def test_a_place_of_which_little_shows_is_left_out() -> None:
    reader = CardReader.load(threads=1, settings=Settings(least_found=LEAST))
    scene = hand_scene(3)
    hidden = tuple(
        replace(card, indices=tuple(replace(index, visible=0.5) for index in card.indices)) for card in scene.cards
    )
    found = finds_of(replace(scene, cards=hidden), reader, np.random.default_rng(1))
    assert (found.labels == NONE).all()


def test_shards_hold_what_was_found(tmp_path: Path) -> None:
    write_finds(tmp_path, range(2), workers=1)
    assert len(load_patches(tmp_path).labels) > 10
