"""How thick a table's chips are, told by its stacks together, for sets that nobody measured.

Chips of one set are equally thick. A stack that was counted surely says how thick its own are, by what they span; that
helps to count the others, which look as high as one chip more of thinner ones. Each stack may have been miscounted, so
it has its say with every number of chips that it may be of, as likely as that is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.chips.ground import Ground, scaled
from vision.chips.seams import KNOWN_WITHIN
from vision.chips.values import ChipStack

TRIED = np.arange(0.8, 1.2501, 0.005)
"""Thicknesses that are thought of, over the usual."""
ENDS_OFF, LEAST_OFF = 0.22, 0.013
"""By how many chips the two ends of a stack are off together, and by what share of the whole at the least: of 118
stacks on felts that were counted surely, those of four to six chips told it to .05, of eight to eleven to .02."""
FEWEST = 4
"""Fewer chips tell too little."""


@dataclass(frozen=True)
class Thickness:
    """How thick chips are, over what is usual (`ChipSize`), and by how much that may well be off."""

    factor: float
    off: float


def told(stacks: Sequence[ChipStack]) -> Thickness | None:
    """How thick the chips of ``stacks`` are; None where they tell nothing (none is tall, or somebody measured them)."""
    logs = -0.5 * ((TRIED - 1) / KNOWN_WITHIN) ** 2
    heard = False
    for stack in stacks:
        if stack.thickness is None or stack.count < FEWEST or not (stack.sure or stack.open):
            continue
        spanned = stack.thickness * stack.count
        numbers: defaultdict[int, float] = defaultdict(float)
        for order, chance in stack.readings:
            numbers[len(order)] += chance
        # What is not among its readings may be any number of chips; what may be none tells nothing.
        likely = np.full(len(TRIED), max(1 - sum(chance for number, chance in numbers.items() if number), 0.01))
        for number, chance in numbers.items():
            if number:
                off = max(ENDS_OFF / number, LEAST_OFF)
                likely += chance * np.exp(-0.5 * ((TRIED - spanned / number) / off) ** 2) / off * KNOWN_WITHIN
        logs += np.log(likely)
        heard = True
    if not heard:
        return None
    chances = np.exp(logs - logs.max())
    chances /= chances.sum()
    factor = float(chances @ TRIED)
    return Thickness(factor, float(np.sqrt(chances @ (TRIED - factor) ** 2)))


def of_thickness(known: Ground, told: Thickness) -> Ground:
    """The same for chips that thick, from what is ``known`` of those of the usual size."""
    return scaled(known, 1.0, told.factor, told.off)
