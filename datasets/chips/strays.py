"""Coins, crown caps, lids and buttons at a table's places for bets: round, but no chips."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from datasets.chips.scene import Plan
from datasets.chips.styles import random_family
from datasets.chips.tables import SEED, ChipTable, drawn_on, finish_of
from datasets.deck import Image
from vision.felt import Zone

LAID: Final = 0.75
"""At so many of the places something lies."""
ASIDE: Final = 15.0
"""Millimetres, either way, off the place's middle."""
THIN: Final = 18.0
"""What is of a smaller radius, in millimetres, may be as thin as a coin."""
LOOK: Final = 3
"""The number of this picture among the table's."""


def strays(table: ChipTable) -> tuple[tuple[Zone, Plan], ...]:
    """What lies at which place: the same number is always the same table."""
    rng = np.random.default_rng([SEED, 8, table.number])
    out = []
    for zone in table.layout.zones:
        if zone.kind != "seat-bet" or rng.random() >= LAID:
            continue
        x, y = np.array(zone.shape.centre) + rng.uniform(-ASIDE, ASIDE, 2)
        radius = float(rng.choice([rng.uniform(8, 14), rng.uniform(13, THIN), rng.uniform(20, 32)]))
        thin = radius < THIN and rng.random() < 0.6
        thickness = float(rng.uniform(1.4, 2.6) if thin else rng.uniform(3, 14))
        family = replace(random_family(rng), radius=radius, thickness=thickness)
        out.append((zone, Plan("other", np.array([x, y, 0.0]), ("grey",), family)))
    return tuple(out)


def photographed_strays(table: ChipTable, things: tuple[tuple[Zone, Plan], ...]) -> Image:
    """The table with them and without a chip: 1080 x 1920 x 3, BGR."""
    image, *_ = drawn_on(table, (), LOOK, [plan for _, plan in things])
    return image


def traced_strays(table: ChipTable, things: tuple[tuple[Zone, Plan], ...]) -> Image:
    """`photographed_strays` in light that is followed (`datasets.chips.traced`)."""
    image, *_ = drawn_on(table, (), LOOK, [plan for _, plan in things], finish_of(table))
    return image
