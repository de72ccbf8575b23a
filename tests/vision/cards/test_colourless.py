"""Pictures without colour: ranks are read, suits are asked about."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from datasets.demo_clip import ROUND, last_picture
from vision.cards.colourless import colourless, with_suits_open
from vision.cards.indices import NONE
from vision.cards.reader import LIVE, CardReader
from vision.cards.settings import Settings
from vision.sightings import FACES

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("settings", [Settings(), LIVE], ids=["a photograph", "a watched camera"])
def test_cards_of_a_grey_picture_are_unsure_and_keep_their_ranks(settings: Settings) -> None:
    reader = CardReader.load(settings=settings)
    picture = last_picture(ROUND[:3])
    assert not colourless(picture) and len(reader.read(picture).cards) == 3
    grey = np.asarray(cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR), np.uint8)
    reading = reader.read(grey)
    assert not reading.cards
    assert sorted(s.label[:-1] for s in reading.unsure if s.label) == sorted(m.label[:-1] for m in ROUND[:3])


def test_a_colour_cameras_dark_picture_is_not_grey() -> None:
    noise = np.random.default_rng(1).normal(12, 3, (480, 640, 3))
    assert not colourless(np.clip(noise, 0, 255).astype(np.uint8))
    assert colourless(np.full((480, 640, 3), 90, np.uint8))


def test_four_indices_that_agree_leave_the_suit_open_and_the_rank_as_it_was() -> None:
    chances = np.full(NONE + 1, 0.0002, np.float32)
    chances[FACES.index("QD")] = 1 - chances.sum() + 0.0002
    opened = with_suits_open(chances)
    assert abs(float(opened.sum()) - float(chances.sum())) < 1e-5
    assert int(opened[:NONE].argmax()) == FACES.index("QD")
    queens = [float(opened[FACES.index("Q" + suit)]) ** 4 for suit in "CDHS"]
    assert queens[1] / sum(queens) < 0.85
