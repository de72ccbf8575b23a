"""The shipped networks on rendered chips: right or unsure, and sentences for bad weights."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from test_judging import counted

from datasets.backgrounds import felt
from datasets.chips.bench import rendered_bet
from datasets.chips.tables import Laid, chip_table, photographed
from vision.cards.patches import pyramid
from vision.chips.colourless import NO_COLOUR
from vision.chips.crops import Stand
from vision.chips.finder import Find, shared
from vision.chips.judging import HIDDEN
from vision.chips.reader import ChipReader, ModelError
from vision.chips.values import MOST

pytestmark = pytest.mark.slow

COLOURS_SHOWN = ("black", "green", "red", "white")


@pytest.fixture(scope="module")
def reader() -> ChipReader:
    return ChipReader.load(threads=1)


def test_an_empty_table_holds_no_chips(reader: ChipReader) -> None:
    table = felt(np.random.default_rng(3), 480, 640)
    assert reader.read(table).sure == ()
    assert reader.read(table[:10, :10]).stacks == ()


def test_a_bet_is_found_where_it_stands(reader: ChipReader) -> None:
    found = 0
    for number in range(20, 26):
        scene = rendered_bet(number, COLOURS_SHOWN)
        x0, y0, x1, y1 = (float(v) for v in scene.stacks[0].box)
        boxes = [s.box for s in reader.read(scene.image).stacks]
        found += any(shared(box, (x0, y0, x1, y1))[0] > 0.5 for box in boxes)
    assert found >= 4


def test_reading_twice_gives_the_same(reader: ChipReader) -> None:
    image = rendered_bet(21, COLOURS_SHOWN).image
    assert reader.read(image).stacks == reader.read(image).stacks


def test_of_a_picture_without_colour_nothing_is_sure(reader: ChipReader) -> None:
    images = (rendered_bet(number, COLOURS_SHOWN).image for number in range(40))
    image = next(it for it in images if reader.read(it).sure)
    grey = np.repeat(image.mean(axis=2, keepdims=True), 3, axis=2).astype(np.uint8)
    read = reader.read(grey)
    assert read.stacks and not read.listed
    assert any(stack.reason == NO_COLOUR for stack in read.stacks)


def test_what_is_hardly_a_chip_is_not_learned_from_a_picture_alone(reader: ChipReader) -> None:
    assert reader.shown(felt(np.random.default_rng(3), 480, 640)) == []


def test_networks_that_are_missing_or_damaged_get_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"chips_finder\.onnx is missing"):
        ChipReader.load(tmp_path)
    (tmp_path / "chips_finder.onnx").write_bytes(b"no network")
    with pytest.raises(ModelError, match="damaged"):
        ChipReader.load(tmp_path)


def test_what_lay_there_before_a_chip_was_shown_is_not_learned(reader: ChipReader) -> None:
    image = rendered_bet(21, COLOURS_SHOWN).image
    (shown,) = reader.shown(image)
    assert shown.box in reader.round_things(image)
    assert reader.shown(image, [shown.box]) == []
    assert reader.shown(image, empty=image) == []
    x0, y0, x1, y1 = (round(v) for v in shown.box)
    empty = image.copy()
    empty[y0 - 2 : y1 + 3, x0 - 2 : x1 + 3] = image[2, 2]
    assert [it.box for it in reader.shown(image, empty=empty)] == [shown.box]


def test_something_round_is_taken_for_a_chip_that_is_shown_where_it_is_new(reader: ChipReader) -> None:
    """A plain chip looks like a lid to the finder; a lid that lay there all the time is none."""
    table = chip_table(97)
    place = next(zone for zone in table.layout.zones if zone.kind == "seat-bet").shape.centre
    empty, chip = photographed(table, [], 900).image, photographed(table, [Laid(1, place, ("red",))], 901)
    there = [f for f in reader._looked_for(pyramid(chip.image)) if shared(f.box, chip.stacks[0].box)[0] > 0.5]
    assert [find.shape for find in there] == ["other"]
    assert reader.shown(chip.image, empty=empty) and not reader.shown(chip.image, empty=chip.image)


@pytest.mark.parametrize(("number", "colour"), [(3008, "black"), (3014, "yellow"), (97, "red"), (1697, "white")])
def test_a_chip_that_is_shown_is_learned_where_it_looks_like_none_or_lies_in_a_printed_circle(
    reader: ChipReader, number: int, colour: str
) -> None:
    """Plain discs, pale ones, and one that a betting circle was taken to be the whole of."""
    table = chip_table(number)
    place = next(zone for zone in table.layout.zones if zone.kind == "seat-bet").shape.centre
    empty = photographed(table, [], 900).image
    picture = photographed(table, [Laid(1, place, (colour,))], 901)
    shown = reader.shown(picture.image, reader.round_things(empty), empty)
    assert shown and shared(shown[0].box, picture.stacks[0].box)[0] > 0.5


def test_a_stack_whose_count_is_open_says_what_else_it_may_be(reader: ChipReader) -> None:
    stand = Stand((320.0, 300.0), 90.0, 0.0, 0.4, 0.1)
    chances = np.zeros(MOST + 1, np.float32)
    chances[3], chances[4] = 0.6, 0.35
    three = replace(counted(stand, 3), chances=chances)
    count = replace(three, others=(replace(counted(stand, 4), chances=chances, taken=4),))
    named = reader._named([count])
    open_ = reader._judged(Find("stack", (275.0, 240.0, 365.0, 300.0), 0.9), count, named[0], (640, 480))
    assert open_.open and not open_.readings
    (told,) = reader._with_readings([open_], [count], named)
    assert [len(order) for order, _ in told.readings[:2]] == [3, 4]
    assert [chance for _, chance in told.readings[:2]] == pytest.approx([0.6, 0.35], abs=0.02)
    (half,) = reader._with_readings([replace(open_, reason=HIDDEN)], [count], named)
    assert [chance for _, chance in half.readings[:2]] == pytest.approx([0.42, 0.245], abs=0.02), "less likely all"
    hidden = replace(open_, reason="something hides a part of it", open=False)
    assert reader._with_readings([hidden], [count], named) == [hidden], "of which more is in doubt"
