"""Rows in racks: found by how they run, read from the end that shows, and kept apart from what stands beside them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import pytest
from test_judging import counted

from vision.chips.counter import Count
from vision.chips.crops import Image, Stand
from vision.chips.finder import Find
from vision.chips.racks import RackReader, Row, apart, beside, each_once
from vision.chips.values import Box

PICTURE = np.zeros((400, 600, 3), np.uint8)
PICTURE[100:200, 150:190] = (0, 0, 255)
"""A red row that runs up and down, its upper end marked white."""
PICTURE[100:110, 150:190] = 255
UP_AND_DOWN, ACROSS = Find("stack", (150, 100, 190, 200), 0.9), Find("tube", (300, 100, 400, 140), 0.8)


class Finder:
    """Finds the same things at every scale."""

    def __init__(self, *finds: Find) -> None:
        self.finds, self.scales = finds, list[int]()

    def at_scale(self, levels: Sequence[Image], scale: int, least: float) -> list[Find]:
        self.scales.append(scale)
        return [f for f in self.finds if f.confidence > least]


class Placer:
    """Says that each row stands on its box's lower side, and keeps what it was shown."""

    def __init__(self) -> None:
        self.shown: list[tuple[Image, list[Box]]] = []

    def place(self, levels: Sequence[Image], boxes: Sequence[Box]) -> list[Stand]:
        self.shown.append((levels[0], list(boxes)))
        return [Stand(((x0 + x1) / 2, y1), x1 - x0, 0.0, 0.4, (y1 - y0) / (x1 - x0)) for x0, y0, x1, y1 in boxes]


class Counter:
    """Is surer of what stands with ``best`` above; six chips always."""

    def __init__(self, best: tuple[int, int, int] | None = None) -> None:
        self.best = best

    def read(self, levels: Sequence[Image], stands: Sequence[Stand]) -> list[Count]:
        return [counted(s, 6, 0.9 if self._above(levels[0], s) == self.best else 0.6) for s in stands]

    def _above(self, picture: Image, stand: Stand) -> tuple[int, ...]:
        x, y = stand.foot
        return tuple(int(v) for v in picture[int(y - stand.tall * stand.across) + 4, int(x)])


def reader(finder: Finder, counter: Counter | None = None) -> tuple[RackReader, Placer]:
    placer = Placer()
    return RackReader(cast(Any, finder), cast(Any, placer), cast(Any, counter or Counter())), placer


def test_rows_are_looked_for_at_no_more_than_the_pictures_own_size() -> None:
    finder = Finder(UP_AND_DOWN)
    reads, _ = reader(finder)
    assert [f.box for f in reads.find([PICTURE], [])] == [UP_AND_DOWN.box]
    assert finder.scales == [96, 160, 320]


def test_what_stands_on_the_table_and_what_is_found_faintly_is_no_row() -> None:
    reads, _ = reader(Finder(Find("other", (10, 10, 60, 80), 0.9), Find("tube", (200, 10, 280, 50), 0.3)))
    assert reads.find([PICTURE], []) == []


@pytest.mark.parametrize(
    ("row", "stack", "found"), [(0.9, 0.6, True), (0.75, 0.7, False), (0.7, 0.0, False), (0.75, 0.0, True)]
)
def test_rows_that_are_a_stack_of_several_colours_are_no_rack(row: float, stack: float, found: bool) -> None:
    colours = [Find("tube", (100, 100 + 30 * k, 140, 130 + 30 * k), row) for k in range(3)]
    reads, _ = reader(Finder(*colours))
    stands = Find("stack", (98, 95, 142, 192), max(stack, 0.01))
    aside = Find("stack", (300, 100, 340, 190), 0.99)
    assert bool(reads.find([PICTURE], [stands, aside])) is found


def test_many_rows_of_which_several_look_like_stacks_are_a_rack() -> None:
    rows = [Find("tube", (100, 100 + 30 * k, 140, 128 + 30 * k), 0.75) for k in range(4)]
    stacks = [Find("stack", (98, 98 + 60 * k, 142, 160 + 60 * k), 0.8) for k in range(2)]
    assert len(reader(Finder(*rows))[0].find([PICTURE], stacks)) == 4
    assert reader(Finder(*rows[:3]))[0].find([PICTURE], stacks) == []


def test_of_two_readings_of_one_place_the_plainer_one_stays() -> None:
    def row(x: float, tall: float, likely: float) -> Row:
        box = (x, 50.0, x + 40, 150.0)
        return Row(box, 0.8, 2, counted(Stand((x + 20, 150.0), 40.0, 0.0, 0.3, tall), 6, likely), box, (400, 400))

    whole, half, other = row(100, 2.4, 0.9), row(108, 1.2, 0.95), row(142, 2.4, 0.6)
    assert each_once([whole, half, other]) == [half, other]
    assert each_once([other, whole]) == [other, whole]


def test_rows_come_in_the_order_in_which_they_lie() -> None:
    beside = [Find("stack", (x, 100 + x / 9, x + 40, 200), 0.9) for x in (200.0, 60.0, 130.0)]
    below = [Find("tube", (300 + y, y, 400 + y, y + 40), 0.9) for y in (120.0, 60.0)]
    rows = reader(Finder())[0].read([PICTURE], [*below, *beside])
    assert [row.box[0] for row in rows] == [60.0, 130.0, 200.0, 360.0, 420.0]


def test_each_row_is_turned_to_stand_and_lies_in_what_is_turned_where_it_lay() -> None:
    reads, placer = reader(Finder())
    rows = reads.read([PICTURE], [UP_AND_DOWN, ACROSS])
    assert [row.box for row in rows] == [UP_AND_DOWN.box, ACROSS.box]
    for picture, boxes in placer.shown:
        ((x0, y0, x1, y1),) = boxes
        assert 0 <= x0 < x1 <= picture.shape[1] and 0 <= y0 < y1 <= picture.shape[0]
        assert (x1 - x0, y1 - y0) == (40, 100)
    for (picture, (box,)), white in zip(placer.shown[:2], (False, True), strict=True):
        x0, y0, x1, y1 = (int(v) for v in box)
        assert bool((picture[y0 : y0 + 10, x0:x1] == 255).all()) is white
        assert (picture[y0:y1, x0:x1, 2] == 255).all()


@pytest.mark.parametrize(("best", "backwards"), [((0, 0, 255), False), ((255, 255, 255), True)])
def test_a_row_is_read_from_the_end_from_which_it_reads_better(best: tuple[int, int, int], backwards: bool) -> None:
    reads, _ = reader(Finder(), Counter(best))
    (row,) = reads.read([PICTURE], [UP_AND_DOWN])
    assert row.backwards is backwards
    assert row.count.count == 6


def test_a_row_found_with_the_empty_part_of_its_trough_or_in_halves_is_one() -> None:
    row, trough = Find("tube", (100, 100, 160, 140), 0.8), Find("tube", (100, 98, 220, 140), 0.6)
    half, next_row = Find("tube", (100, 100, 132, 140), 0.5), Find("tube", (104, 130, 170, 172), 0.45)
    assert apart([trough, half, next_row, row]) == [row, next_row]


def test_a_stack_that_rows_take_up_is_a_part_of_the_rack() -> None:
    inside, aside = Find("stack", (150, 120, 185, 160), 0.9), Find("stack", (180, 120, 230, 160), 0.9)
    between = Find("other", (150, 100, 400, 140), 0.9)
    assert beside([inside, aside, between], [UP_AND_DOWN, ACROSS]) == [aside]
    assert beside([inside, aside], []) == [inside, aside]


def test_what_looks_like_a_row_to_the_finder_of_stacks_is_none() -> None:
    assert beside([Find("tube", (0, 0, 90, 30), 0.9)], []) == []
