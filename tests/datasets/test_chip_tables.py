"""Whole tables with chips: the same from the same number, chips in sight and where the calibration says they stand."""

from __future__ import annotations

from dataclasses import replace
from math import asin, degrees, hypot

import numpy as np
import pytest

from datasets.chips.bench import laid_bets
from datasets.chips.draw import front
from datasets.chips.strays import photographed_strays, strays
from datasets.chips.tables import (
    APART,
    HEIGHT,
    LAYOUTS,
    NARROWEST,
    SHARED,
    WIDTH,
    ChipTable,
    Laid,
    TablePicture,
    _chips,
    box_of,
    chip_table,
    crowded,
    narrowest,
    photographed,
)
from vision.chips.ground import ground, of_size
from vision.chips.spots import standing_at
from vision.chips.values import ChipSize

pytestmark = pytest.mark.slow

COLOURS = ("purple", "black", "green", "red", "white", "yellow")
TABLES = range(len(LAYOUTS))
FULL = ("red",) * 20


def column(table: ChipTable, seat: int = 1, order: tuple[str, ...] = FULL) -> Laid:
    zone = table.layout.zone("seat-bet", seat)
    assert zone is not None
    return Laid(seat, zone.shape.centre, order)


@pytest.fixture(scope="module")
def table() -> ChipTable:
    return chip_table(2)


@pytest.fixture(scope="module")
def five_reds(table: ChipTable) -> TablePicture:
    return photographed(table, [column(table, order=("red",) * 5)], 0)


def test_all_felts_come_in_turn_and_a_few_tables_share_a_camera() -> None:
    first, again, other = (chip_table(k) for k in (0, len(LAYOUTS), SHARED * len(LAYOUTS)))
    assert {chip_table(number).layout.name for number in TABLES} == set(LAYOUTS)
    assert first.layout.name == again.layout.name == other.layout.name
    assert first.calibration == again.calibration != other.calibration
    assert len({first.family.seed, again.family.seed, other.family.seed}) == 3


def test_a_full_column_at_any_bet_stands_whole_in_the_picture_and_is_wide_enough_to_count() -> None:
    for number in TABLES:
        table = chip_table(number)
        assert narrowest(table.view, table.layout) >= NARROWEST
        for seat in table.layout.seats:
            x0, y0, x1, y1 = box_of(table, column(table, seat))
            assert x0 > 0 and y0 > 0 and x1 < WIDTH and y1 < HEIGHT, (number, seat)


def test_chips_stand_where_the_calibration_says_and_look_as_it_foretells() -> None:
    for number in TABLES:
        table = chip_table(number)
        known = of_size(ground(table.calibration), ChipSize(2 * table.family.radius, table.family.thickness))
        for seat in table.layout.seats:
            stack = column(table, seat, ("red",))
            x0, _, x1, _ = box = box_of(table, stack)
            at = standing_at(box, table.calibration)
            assert at is not None and hypot(at[0] - stack.at[0], at[1] - stack.at[1]) < 8
            (chip,) = _chips(table, stack)
            x, y = front(table.camera, chip, 0.0)
            lie = known((float(x), float(y)))
            assert lie is not None
            assert lie.across == pytest.approx(x1 - x0, rel=0.04)
            # 20 to 50 degrees above the middle of the table; nearer places are looked down on more steeply.
            assert 12 < degrees(asin(lie.squash)) < 66


def test_how_high_a_full_column_looks_is_foretold_though_it_rises_towards_the_camera() -> None:
    for number in TABLES:
        table = replace(chip_table(number), sloppy=0.0)
        known = of_size(ground(table.calibration), ChipSize(2 * table.family.radius, table.family.thickness))
        for seat in table.layout.seats:
            chips = _chips(table, column(table, seat))
            foot, top = front(table.camera, chips[0], 0.0), front(table.camera, chips[-1], 1.0)
            lie = known((float(foot[0]), float(foot[1])))
            assert lie is not None and lie.growth > 0
            foretold = lie.thick * (1 + lie.growth * (len(chips) - 1)) * len(chips)
            assert foretold == pytest.approx(hypot(*(top - foot)), rel=0.012)


def test_bets_are_one_stack_of_up_to_three_colours_each_at_half_the_places_or_more() -> None:
    for number in TABLES:
        table = chip_table(number)
        bets = laid_bets(table, COLOURS)
        assert bets == laid_bets(chip_table(number), COLOURS)
        assert len(bets) * 2 >= len(table.layout.seats)
        assert len({zone.seat for zone, _ in bets}) == len(bets)
        for zone, stack in bets:
            assert zone.kind == "seat-bet" and zone.shape.contains(stack.at)
            assert 1 <= len(stack.order) <= 20 and len(set(stack.order)) <= 3


def test_the_same_picture_twice_is_the_same_and_the_next_one_differs_by_noise_alone(
    table: ChipTable, five_reds: TablePicture
) -> None:
    stacks = [it.laid for it in five_reds.stacks]
    first, again, later = five_reds.image, *(photographed(table, stacks, look).image for look in (0, 1))
    assert first.shape == (HEIGHT, WIDTH, 3) and np.array_equal(first, again)
    off = later.astype(int) - first
    assert 0 < np.abs(off).mean() < 8
    # Averaged over small squares noise is gone, but for the exposure that breathes: a chip moved would be left.
    squares = off[: HEIGHT // 8 * 8].reshape(HEIGHT // 8, 8, WIDTH // 8, 8, 3).mean((1, 3))
    assert np.abs(squares).max() < 12


def test_a_chip_put_on_a_stack_changes_the_picture_there_and_nowhere_else(
    table: ChipTable, five_reds: TablePicture
) -> None:
    more = column(table, order=("red",) * 5 + ("white",))
    two = photographed(table, [more], 0)
    changed = np.abs(five_reds.image.astype(int) - two.image).max(2) > 40
    rows, columns = np.nonzero(changed)
    x0, y0, x1, y1 = two.stacks[0].box
    room = 2 * (x1 - x0)  # its shadow is longer too
    assert changed.sum() > 100
    assert columns.min() > x0 - room and columns.max() < x1 + room and rows.min() > y0 - room and rows.max() < y1 + room
    assert two.stacks[0].box == box_of(table, more)


def test_what_another_stack_hides_is_known(table: ChipTable, five_reds: TablePicture) -> None:
    behind = five_reds.stacks[0].laid
    towards = np.linalg.solve(table.camera.slope(np.array([*behind.at, 0.0]))[:, :2], [0.0, 1.0])
    dx, dy = towards / hypot(*towards) * 45
    before = Laid(9, (behind.at[0] + dx, behind.at[1] + dy), FULL)
    seen = photographed(table, [behind, before], 0).stacks
    assert five_reds.stacks[0].visible == 1.0
    assert seen[0].visible < 0.5 and seen[1].visible == 1.0


def test_a_crowded_table_shows_its_stacks_apart_and_is_the_same_again() -> None:
    one, again = (
        crowded(40, ("black", "green", "red", "white"), most=6),
        crowded(40, ("black", "green", "red", "white"), most=6),
    )
    assert np.array_equal(one.image, again.image) and len(one.stacks) == 6
    for stack in one.stacks:
        assert len(stack.seams) == len(stack.order) + 1 and stack.visible > 0.3
        assert 0.3 * APART < stack.across < 200


def test_coins_and_lids_lie_at_places_for_bets_and_are_owned_by_no_stack() -> None:
    table = chip_table(2)
    things = strays(table)
    assert things and all(zone.kind == "seat-bet" and plan.shape == "other" for zone, plan in things)
    assert [plan.foot.tolist() for _, plan in strays(table)] == [plan.foot.tolist() for _, plan in things]
    bare, shown = photographed(table, [], 3).image, photographed_strays(table, things)
    for zone, plan in things:
        x, y = (round(float(v)) for v in table.camera.project(np.array([[*plan.foot[:2], plan.family.thickness]]))[0])
        around = np.s_[max(y - 6, 0) : y + 7, x - 6 : x + 7]
        assert np.abs(shown[around].astype(int) - bare[around]).max() > 12, zone.name
