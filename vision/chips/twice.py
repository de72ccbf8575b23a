"""What two pictures of one place say together: a stack that nobody touched is the same stack in both.

Before and after paying the bet mostly lies as it lay. Where both pictures were read alike there, each bears the other
out: the camera's noise, and how a chip falls on the pixels, differ. What they have in common (how steeply and how
blurred the stack is seen) may lead both astray in the same way, so two looks are worth less than two witnesses.
"""

from __future__ import annotations

from dataclasses import replace
from math import hypot
from typing import Final

from vision.chips.spots import PlacedStack, SpotReading
from vision.chips.values import ChipStack

STAYED: Final = 8.0
"""A stack that stands within so many millimetres of where one stood may be the same."""
TOGETHER: Final = 0.8
"""Two looks' odds, multiplied, count to this power. Of 313 such pairs at 98 rendered tables 40 were read alike and not
surely in both; those whose odds come to the bar by it, or of which one is sure, were all right."""
ENOUGH: Final = 0.9
"""How likely a reading must be for two looks that agree to be sure."""
LEAST: Final = 1e-3
"""No look is surer, or less sure, than this much off."""


def borne_out(one: SpotReading, other: SpotReading) -> tuple[SpotReading, SpotReading]:
    """Both readings of one place, with stacks sure that both show alike in the same spot, and say so together.

    Only where nothing but count and colours was in doubt (``ChipStack.open``), and one stack alone stands there.
    """
    for k, first in enumerate(one.stacks):
        near = [n for n, second in enumerate(other.stacks) if _same_spot(first, second)]
        if len(near) != 1 or sum(_same_spot(it, other.stacks[near[0]]) for it in one.stacks) != 1:
            continue
        second = other.stacks[near[0]]
        chance = _together(first.stack, second.stack)
        if chance >= ENOUGH:
            one = _with(one, k, chance)
            other = _with(other, near[0], chance)
    return one, other


def _same_spot(one: PlacedStack, other: PlacedStack) -> bool:
    return hypot(one.at[0] - other.at[0], one.at[1] - other.at[1]) <= STAYED


def _together(one: ChipStack, other: ChipStack) -> float:
    """How likely both are right; 0 where they say nothing of each other."""
    looks = (one, other)
    if one.order != other.order or one.shape != other.shape or not all(it.sure or it.open for it in looks):
        return 0.0
    if one.sure or other.sure:
        return max(it.confidence for it in looks if it.sure)
    odds = 1.0
    for it in looks:
        chance = min(max(it.confidence, LEAST), 1 - LEAST)
        odds *= (chance / (1 - chance)) ** TOGETHER
    return odds / (1 + odds)


def _with(reading: SpotReading, number: int, chance: float) -> SpotReading:
    placed = reading.stacks[number]
    if placed.stack.sure:
        return reading
    sure = replace(placed.stack, confidence=chance, reason="", likely=False, open=False)
    stacks = (*reading.stacks[:number], replace(placed, stack=sure), *reading.stacks[number + 1 :])
    return replace(reading, stacks=stacks)
