"""A picture is searched from coarse to fine, only as far as what lies there needs it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import pytest

from vision.chips.finder import Find
from vision.chips.judging import Settings
from vision.chips.reader import ChipReader, Networks


class Finder:
    """Finds things of these widths (shares of the picture), each so surely, at every scale."""

    def __init__(self, *things: tuple[float, float]) -> None:
        self.things, self.scales = things, list[int]()

    def at_scale(self, levels: Sequence[Any], long_side: int, least: float) -> list[Find]:
        self.scales.append(long_side)
        native = max(levels[0].shape[:2])
        return [
            Find("stack", (100.0 * k, 0.0, 100.0 * k + wide * native, 20.0), sure, wide * long_side)
            for k, (wide, sure) in enumerate(self.things)
        ]


@pytest.mark.parametrize(
    ("things", "scales"),
    [
        ([(0.3, 0.9)], [96, 160]),
        ([(0.3, 0.9), (0.07, 0.4)], [96, 160, 320, 640]),
        ([(0.3, 0.9), (0.02, 0.25)], [96, 160]),
        ([(0.3, 0.45)], [96, 160, 320, 640]),
        ([(0.02, 0.9)], [96, 160, 320, 640, 1280]),
        ([], [96, 160, 320, 640]),
    ],
    ids=["large", "one smaller", "a speck", "doubtful", "small", "nothing"],
)
def test_no_closer_look_is_taken_where_all_that_lies_there_is_large(
    things: list[tuple[float, float]], scales: list[int]
) -> None:
    finder, no = Finder(*things), cast(Any, None)
    reader = ChipReader(Networks(cast(Any, finder), no, no, no, no, no, no), Settings(), None)
    reader.find([np.zeros((960, 1280, 3), np.uint8)])
    assert finder.scales == scales
