"""A reader that was taught a table's chips first, as ``chipset enrol --source`` does: each shown alone on the felt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from advisor.cli.chips_bench.settlements import COLUMN
from advisor.money import ChipSet
from datasets.chips.tables import ChipTable, Laid, TablePicture
from vision.chips.appearance import Appearance, Shown
from vision.chips.reader import ChipReader
from vision.chips.values import ChipSize

FIRST: Final = 900
"""The first picture in which a chip is shown; those that are read are numbered below it."""
TWENTY: Final = 20
PLACES: Final = 3
"""A chip that is not found where it is shown first is shown elsewhere, at most at so many places."""


def taught(
    reader: ChipReader,
    table: ChipTable,
    chipset: ChipSet,
    takes: Callable[[ChipTable, Sequence[Laid], int], TablePicture],
) -> ChipReader:
    """The reader for that table's own set: one chip of each colour is shown where bets are laid, and twenty of them
    are measured with a ruler that shows millimetres.

    The reader itself where a chip is not found at any place: such a set cannot be learned there.
    """
    bets = [zone for zone in table.layout.zones if zone.kind == "seat-bet"][:PLACES]
    empty = takes(table, [], FIRST).image
    there = reader.round_things(empty)
    learned: list[tuple[str, Shown]] = []
    for k, colour in enumerate(chipset.colours):
        for n, zone in enumerate(bets):
            chip = Laid(FIRST * COLUMN + k, zone.shape.centre, (colour,))
            shown = reader.shown(takes(table, [chip], FIRST + 1 + len(bets) * k + n).image, there, empty)
            if shown:
                learned.append((colour, shown[0]))
                break
        else:
            return reader
    size = ChipSize(round(2 * table.family.radius), round(TWENTY * table.family.thickness) / TWENTY, TWENTY)
    return reader.for_set(Appearance.learned(learned, size))
