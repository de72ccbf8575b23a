"""Practice in counting chips: a pile to add up. Chance is passed in."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Final, Literal

from advisor.money.chips import DEFAULT_CHIPS, ChipSet

Way = Literal["stacks", "splashed", "rack"]
WAYS: Final[tuple[Way, ...]] = ("stacks", "splashed", "rack")
MOST: Final[dict[Way, int]] = {"stacks": 9, "splashed": 6, "rack": 20}
"""The most chips of one colour, by the way in which they lie; a tube of a rack holds twenty."""


@dataclass(frozen=True, slots=True)
class Pile:
    """Chips to be counted, highest colour first, and how they lie."""

    way: Way
    counts: tuple[tuple[str, int], ...]
    total: Fraction


def pile(random: Random, chips: ChipSet = DEFAULT_CHIPS, level: int = 1) -> Pile:
    """A pile of two colours (level 1) up to all of the set."""
    way = random.choice(WAYS)
    colours = random.sample(chips.colours, min(len(chips.colours), max(2, level + 1)))
    counts = {colour: random.randint(1, MOST[way]) for colour in colours}
    ordered = tuple((colour, counts[colour]) for colour in chips.colours if colour in counts)
    return Pile(way, ordered, sum((chips.value(colour) * count for colour, count in ordered), Fraction(0)))
