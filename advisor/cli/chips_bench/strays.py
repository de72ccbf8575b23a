"""What is made of coins, caps and lids that lie where bets are laid: never a bet, at best a doubt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from advisor.cli.chips_bench.settlements import RULES
from advisor.money import ChipSet, format_amount, sweep_bet
from advisor.table.spots_seen import place_seen
from datasets.chips.scene import Plan
from datasets.chips.strays import photographed_strays, strays
from datasets.chips.tables import ChipTable, chip_table
from datasets.deck import Image
from vision.chips.spots import ReadsChips, read_spots
from vision.felt import Zone

Takes = Callable[[ChipTable, tuple[tuple[Zone, Plan], ...]], Image]
"""Takes a table's picture: `photographed_strays`, `traced_strays`, or a stand-in."""


@dataclass
class Strays:
    """What came of so many ``things``: ``bets`` they were surely taken for, ``doubts``, and nothing at all."""

    things: int = 0
    bets: int = 0
    doubts: int = 0
    wrong: list[str] = field(default_factory=list)

    def as_data(self) -> dict[str, Any]:
        """As JSON."""
        nothing = self.things - self.bets - self.doubts
        return {"things": self.things, "taken for bets": self.bets, "unsure": self.doubts, "nothing": nothing,
                "wrong ones": self.wrong}  # fmt: skip


def measure_strays(
    reader: ReadsChips,
    chipset: ChipSet,
    number: int,
    *,
    step: Callable[[], None] = lambda: None,
    takes: Takes = photographed_strays,
    teach: Callable[[ChipTable], ReadsChips] | None = None,
) -> Strays:
    """Read so many things at the tables from number 0 on; ``teach`` gives the reader for one table's own chips."""
    done = Strays()
    for table in map(chip_table, count()):
        things = strays(table)[: number - done.things]
        reads = reader if teach is None else teach(table)
        image = takes(table, things)
        places = [zone for zone, _ in things]
        for (_, plan), reading in zip(
            things, read_spots(image, reads, table.layout, table.calibration, places), strict=True
        ):
            swept = sweep_bet(place_seen(reading.zone.name, reading), RULES, chipset)
            done.things += 1
            done.doubts += swept.amount is None
            if swept.amount:
                done.bets += 1
                wide = 2 * plan.family.radius
                done.wrong.append(
                    f"table {table.number}, {reading.zone.name}: {format_amount(swept.amount)}, {wide:.0f} mm wide"
                )
            step()
        if done.things >= number:
            return done
    raise AssertionError("tables never run out")
