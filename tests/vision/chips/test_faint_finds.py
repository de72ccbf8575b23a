"""On a calibrated felt what is found faintly is counted only where it may be a stack."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import pytest

from vision.chips.crops import Stand
from vision.chips.finder import Find
from vision.chips.ground import Ground, Lie
from vision.chips.judging import Settings
from vision.chips.reader import ChipReader, Networks
from vision.chips.values import Box

SETTINGS = Settings()
FAINT, PLAIN = SETTINGS.noticed - 0.05, SETTINGS.noticed + 0.05


class Glances:
    """Says of everything that it is one chip alone with such a chance."""

    def __init__(self, alone: float) -> None:
        self.alone = alone

    def place(self, _: Any, boxes: Sequence[Box]) -> list[Stand]:
        return [Stand(((b[0] + b[2]) / 2, b[3]), b[2] - b[0], 0.0, 0.6, 0.5, alone=self.alone) for b in boxes]


class Counts:
    """Counts nothing: what it is given is what it says."""

    def read(self, _: Any, stands: Sequence[Stand], *__: Any) -> list[Stand]:
        return list(stands)


@pytest.mark.parametrize(
    ("found", "alone", "felt", "counted"),
    [
        (FAINT, 0.5, True, False),
        (FAINT, 0.01, True, True),
        (PLAIN, 0.5, True, True),
        (FAINT, 0.5, False, True),
    ],
)
def test_what_a_glance_takes_for_one_chip_alone_is_counted_where_it_may_be_shown(
    found: float, alone: float, felt: bool, counted: bool
) -> None:
    none = cast(Any, None)
    reader = ChipReader(
        Networks(none, cast(Any, Glances(alone)), cast(Any, Counts()), none, none, none, none), SETTINGS, None
    )
    ground: Ground | None = (lambda _: Lie(40.0, 0.6, 0.0, 0.07)) if felt else None
    finds, counts = reader.counted([], [Find("stack", (10.0, 10.0, 50.0, 60.0), found)], ground)
    assert (len(finds), len(counts)) == (counted, counted)
