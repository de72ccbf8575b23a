"""Chips are solid: where one stack stands no other does."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

from vision.chips.crops import Stand

ROOM = 0.5
"""Two whose feet are less than this share of a chip's width apart are one stack that was found twice: of two stacks
they are a whole width apart, but feet of tall ones are not found to the pixel."""
FLAT = 0.2
"""From the side feet lie on one line: no table is seen flatter than that (high over wide)."""


def apart(one: Stand, other: Stand) -> float:
    """How far apart two stacks stand, in widths of a chip, as the table lies in the picture."""
    across = (one.across + other.across) / 2
    squash = max((one.squash + other.squash) / 2, FLAT)
    return hypot((one.foot[0] - other.foot[0]) / across, (one.foot[1] - other.foot[1]) / (across * squash))


def each_once(stands: Sequence[Stand], worth: Sequence[float]) -> list[int]:
    """Which of the stands are stacks of their own, in their order: of several in one place the most ``worth``."""
    kept: list[int] = []
    for k in sorted(range(len(stands)), key=lambda k: -worth[k]):
        if all(apart(stands[k], stands[other]) >= ROOM for other in kept):
            kept.append(k)
    return sorted(kept)
