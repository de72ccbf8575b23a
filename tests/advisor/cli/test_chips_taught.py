"""A reader that is taught a table's chips, as the benchmark does and ``chipset enrol``, knows them again."""

from __future__ import annotations

import pytest

from advisor.cli.chips_bench.taught import taught
from advisor.money import ChipSet
from datasets.chips.tables import Laid, chip_table, photographed
from vision.chips.reader import ChipReader
from vision.chips.spots import read_spots

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def reader() -> ChipReader:
    return ChipReader.load(threads=1)


def test_chips_that_are_shown_are_learned_and_known_again(reader: ChipReader) -> None:
    """A chip alone on the felt of a whole table, seen by its webcam; a bet of the same chips is read by the set."""
    table = chip_table(3)
    own = taught(reader, table, ChipSet({"black": 1, "red": 5}), photographed)
    assert own.appearance is not None and own.appearance.edges is not None
    assert set(own.appearance.names) == {"black", "red"} and own.usual == reader.usual
    zone = next(z for z in table.layout.zones if z.kind == "seat-bet")
    order = ("black",) * 3 + ("red",) * 2
    picture = photographed(table, [Laid(1, zone.shape.centre, order)], 0)
    (spot,) = read_spots(picture.image, own, table.layout, table.calibration, [zone])
    assert [placed.stack.order for placed in spot.stacks] == [order]
