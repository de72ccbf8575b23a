"""The shipped networks on rendered chips: right or unsure, and sentences for bad weights."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from datasets.backgrounds import felt
from datasets.chips.bench import rendered_bet
from datasets.chips.tables import Laid, chip_table, photographed
from vision.chips.alike import QUANTILES
from vision.chips.counter import Count
from vision.chips.crops import HEIGHT, WIDTH, Stand
from vision.chips.finder import Find, shared
from vision.chips.reader import ChipReader, ModelError, Settings
from vision.chips.values import COLOURS, MOST, ChipStack

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


def counted(stand: Stand, count: int = 3, likely: float = 0.99, **change: float) -> Count:
    """A reading of ``count`` clear red chips."""
    chances = np.zeros(MOST + 1, np.float32)
    chances[count], chances[0] = likely, change.get("nothing", 0.0)
    words = np.full((count, len(COLOURS)), -9.0, np.float32)
    words[:, COLOURS.index("red")] = 0
    words[0, COLOURS.index("black")] = change.get("black", -9.0)
    rows = np.array([242 - 7 * k for k in range(count + 1)])
    alike = np.zeros(count - 1, np.float32)
    seen, column = np.zeros((count, len(QUANTILES), 3), np.float32), np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    odd = change.get("misshapen", 0.0)
    return Count(chances, rows, words, seen, alike, change.get("shows", 0.95), 7.0, odd, stand, column, 40.0)


def judged(reader: ChipReader, find: Find, count: Count) -> ChipStack:
    """What is said of that reading in a picture of 640 x 480."""
    return reader._judged(find, count, reader._named([count])[0], (640, 480))


@pytest.mark.parametrize(("found", "sure"), [(0.7, True), (0.55, False)])
def test_one_chip_that_is_found_faintly_may_be_print(reader: ChipReader, found: float, sure: bool) -> None:
    stand = Stand((320.0, 300.0), 90.0, 0.0, 0.4, 0.1)
    box = (275.0, 240.0, 365.0, 300.0)
    stack = judged(reader, Find("stack", box, found), counted(stand, 1))
    assert stack.sure is sure and (sure or (stack.likely and "print" in stack.reason))
    on_felt = counted(replace(stand, thick=0.08), 1)
    said = judged(reader, Find("stack", box, found), on_felt).reason
    assert "print" not in said, "a felt says how large a chip is there"


@pytest.mark.parametrize(
    ("chips", "squash", "found", "hidden"),
    [(1, 0.8, 0.8, False), (1, 0.4, 0.8, True), (1, 0.8, 0.5, True), (2, 0.8, 0.8, True)],
)
def test_one_chip_seen_from_above_shows_no_front_and_is_not_hidden_for_that(
    reader: ChipReader, chips: int, squash: float, found: float, hidden: bool
) -> None:
    count = counted(Stand((320.0, 300.0), 90.0, 0.0, squash, 0.1), chips, shows=0.05)
    stack = judged(reader, Find("stack", (275.0, 220.0, 365.0, 300.0), found), count)
    assert ("hides a part" in stack.reason) is hidden and stack.sure is not hidden


@pytest.mark.parametrize(
    ("chips", "on_felt", "found", "listed"),
    [
        (1, False, 0.22, True),
        (1, True, 0.22, False),
        (4, True, 0.3, False),
        (1, True, 0.33, True),
        (9, True, 0.22, True),
    ],
)
def test_a_few_chips_that_are_found_faintly_on_a_felt_are_shadows(
    reader: ChipReader, chips: int, on_felt: bool, found: float, listed: bool
) -> None:
    stand = Stand((320.0, 300.0), 90.0, 0.0, 0.4, 0.1)
    count = counted(replace(stand, thick=0.08) if on_felt else stand, chips)
    assert reader._there(Find("stack", (275.0, 240.0, 365.0, 300.0), found), count) is listed


@pytest.mark.parametrize(
    ("change", "across", "said"),
    [
        ({}, 90.0, ""),
        ({"nothing": 0.9}, 90.0, "no chip that is known"),
        ({"shows": 0.05}, 90.0, "hides a part"),
        ({"misshapen": 9.0}, 90.0, "does not fit its width"),
        ({"black": 7.8}, 90.0, "colours could not be told apart"),
        ({"likely": 0.3}, 90.0, "could not be counted"),
        ({}, 15.0, "too small to count"),
    ],
)
def test_what_makes_a_stack_unsure_is_said(
    reader: ChipReader, change: dict[str, float], across: float, said: str
) -> None:
    x, y = 320.0, 300.0
    stand = Stand((x, y), across, 0.0, 0.4, 0.25)
    find = Find("stack", (x - across / 2, y - 0.6 * across, x + across / 2, y), 0.9)
    stack = judged(reader, find, counted(stand, **change))
    assert stack.order[1:] == ("red", "red") and stack.shape == "stack"
    assert (said in stack.reason) if said else stack.sure


@pytest.mark.parametrize(
    ("change", "across", "found", "chips", "likely"),
    [
        ({}, 90.0, 0.9, 3, False),
        ({"likely": 0.7}, 90.0, 0.9, 3, True),
        ({"likely": 0.3}, 90.0, 0.9, 3, False),
        ({"likely": 0.7, "shows": 0.05}, 90.0, 0.9, 3, False),
        ({"likely": 0.7, "misshapen": 9.0}, 90.0, 0.9, 3, False),
        ({"likely": 0.95, "black": 8.1}, 90.0, 0.9, 3, False),
        ({"likely": 0.7}, 90.0, 0.4, 3, False),
        ({"likely": 0.7}, 50.0, 0.9, 3, False),
        ({"likely": 0.7}, 50.0, 0.9, 1, True),
    ],
)
def test_a_guess_that_is_likelier_right_than_wrong_is_likely_where_nothing_else_is_amiss(
    reader: ChipReader, change: dict[str, float], across: float, found: float, chips: int, likely: bool
) -> None:
    """Chips of 50 pixels across are 3.6 thick here; `found` is how surely the stack was."""
    stand = Stand((320.0, 300.0), across, 0.0, 0.4, 0.25)
    find = Find("stack", (320 - across / 2, 300 - 0.6 * across, 320 + across / 2, 300.0), found)
    assert judged(reader, find, counted(stand, chips, **change)).likely is likely


@pytest.mark.parametrize("foot", [(20.0, 300.0), (630.0, 300.0), (320.0, 500.0), (320.0, 20.0)])
def test_a_stack_that_the_frame_cuts_is_unsure(reader: ChipReader, foot: tuple[float, float]) -> None:
    stand = Stand(foot, 100.0, 0.0, 0.4, 0.6)
    x, y = foot
    box = (max(x - 50, 0), max(y - 100, 0), min(x + 50, 640), min(y, 480))
    stack = judged(reader, Find("stack", box, 0.9), counted(stand))
    assert "frame" in stack.reason


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


@pytest.mark.parametrize(("number", "colour"), [(3008, "black"), (3014, "yellow")])
def test_a_chip_that_is_shown_is_learned_where_it_looks_like_none_or_lies_in_a_printed_circle(
    reader: ChipReader, number: int, colour: str
) -> None:
    """A plain disc without any print, and one that a betting circle was taken to be the whole of."""
    table = chip_table(number)
    place = next(zone for zone in table.layout.zones if zone.kind == "seat-bet").shape.centre
    empty = photographed(table, [], 900).image
    picture = photographed(table, [Laid(1, place, (colour,))], 901)
    shown = reader.shown(picture.image, reader.round_things(empty), empty)
    assert shown and shared(shown[0].box, picture.stacks[0].box)[0] > 0.5


def test_settings_are_one_set_of_chances() -> None:
    s = Settings()
    assert all(0 <= v <= 1 for v in (s.least_found, s.sure, s.sure_colour, s.shows))


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
    hidden = replace(open_, reason="something hides a part of it", open=False)
    assert reader._with_readings([hidden], [count], named) == [hidden], "of which more is in doubt"
