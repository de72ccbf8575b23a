"""A picture without colour names no chip; one with little colour is read as any other."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from datasets.backgrounds import felt
from datasets.chips.bench import rendered_bet
from vision.chips.colourless import NO_COLOUR, colourless, unnamed
from vision.chips.crops import Image
from vision.chips.values import ChipStack


def grey(image: Image) -> Image:
    return np.asarray(cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR), np.uint8)


@pytest.mark.parametrize("quality", [40, 95])
def test_a_grey_picture_has_no_colour_however_it_was_kept(quality: int) -> None:
    image = rendered_bet(21, ("red", "blue")).image
    written = cv2.imencode(".jpg", grey(image), [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    assert colourless(np.asarray(cv2.imdecode(written, cv2.IMREAD_COLOR), np.uint8))
    assert not colourless(image)


def test_one_chip_of_a_colour_on_a_grey_table_is_enough() -> None:
    table = grey(felt(np.random.default_rng(3), 480, 640))
    assert colourless(table)
    cv2.circle(table, (300, 200), 20, (40, 40, 180), -1)
    assert not colourless(table)


def test_of_such_a_picture_no_stack_is_sure_or_likely_and_other_doubts_stay() -> None:
    sure = ChipStack((0, 0, 9, 9), ("red",), 0.99)
    likely = ChipStack((0, 0, 9, 9), ("red",), 0.7, "its chips could not be counted surely", likely=True)
    hidden = ChipStack((0, 0, 9, 9), ("red",), 0.7, "something hides a part of it")
    said = unnamed([sure, likely, hidden])
    assert [it.reason for it in said] == [NO_COLOUR, NO_COLOUR, hidden.reason]
    assert not any(it.sure or it.likely or it.open for it in said)
