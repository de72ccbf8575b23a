"""Reading an index: where its face is open, several glances decide, and a clear one is not asked about again."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from datasets.patches import misplaced
from datasets.pool import decks_for
from datasets.scene import random_scene
from vision.cards.detector import INDEX, Found
from vision.cards.indices import GLANCES, NONE, OPEN, IndexReader, IndexReading, where_jokers_are_rare
from vision.cards.patches import pyramid
from vision.cards.settings import LIVE, Settings
from vision.sightings import FACES, JOKER

WEIGHTS = Path(str(files("models") / "weights" / "reader.onnx"))


@pytest.fixture(scope="module")
def reader() -> IndexReader:
    return IndexReader(WEIGHTS, threads=1)


def seen(seed: int) -> tuple[list[np.ndarray], list[Found]]:
    """A drawn scene's pyramid, and its indices as a careless find would give them."""
    decks = decks_for(seed)
    scene = random_scene(seed, 480, 480, (90.0, 300.0), decks, decks)
    rng = np.random.default_rng(seed)
    marks = [i.quad for c in scene.cards for i in c.indices if i.visible > 0.8]
    return pyramid(scene.image), [Found(INDEX, misplaced(q, rng, 1.0), 0.9) for q in marks]


def test_more_glances_leave_clear_readings_as_they_were_and_never_break_the_chances(reader: IndexReader) -> None:
    levels, found = seen(31_000_011)
    assert found
    reader.glances = 0
    once = reader.read(levels, found)
    reader.glances = len(GLANCES)
    again = reader.read(levels, found)
    for one, other in zip(once, again, strict=True):
        assert other.chances.sum() == pytest.approx(1.0, abs=1e-4)
        if not OPEN[0] < one.sure < OPEN[1]:
            assert np.array_equal(one.chances, other.chances)
            assert np.array_equal(one.quad, other.quad)


def test_nothing_found_is_nothing_read(reader: IndexReader) -> None:
    assert reader.read(pyramid(np.zeros((64, 64, 3), np.uint8)), []) == []


def test_a_flat_patch_is_no_face_after_any_number_of_glances(reader: IndexReader) -> None:
    quad = np.array([[20, 20], [32, 20], [32, 40], [20, 40]], np.float32)
    (only,) = reader.read(pyramid(np.full((64, 64, 3), 200, np.uint8)), [Found(INDEX, quad, 0.9)])
    assert only.chances[NONE] > 0.5


def test_where_a_game_has_no_jokers_what_looks_like_half_a_joker_is_the_card_beneath() -> None:
    """A six whose lower half is covered looked like a joker at .75; a joker that is plain is one still."""
    chances = np.zeros((2, NONE + 1), np.float32)
    chances[0, [FACES.index(JOKER), FACES.index("6D")]] = 0.75, 0.25
    chances[1, [FACES.index(JOKER), FACES.index("6D")]] = 0.999, 0.001
    quad = np.zeros((4, 2), np.float32)
    half, joker = where_jokers_are_rare([IndexReading(quad, c, 0.9) for c in chances], 50)
    assert FACES[half.best] == "6D" and half.sure > 0.9
    assert FACES[joker.best] == JOKER and joker.sure > 0.9
    assert LIVE.jokers_rarer > 1 and Settings().jokers_rarer == 1
