"""What is said of a find: each doubt by its name, what is open is said to be, and print and shadows are none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.chips.alike import QUANTILES
from vision.chips.appearance import USUAL, standard
from vision.chips.counter import Count
from vision.chips.crops import HEIGHT, WIDTH, Stand
from vision.chips.finder import Find
from vision.chips.judging import A_COIN, NO_STACK, Colours, Settings, a_shadow, nothing_plain, there
from vision.chips.judging import judged as judge
from vision.chips.naming import Named
from vision.chips.values import COLOURS, MOST, ChipStack, Shape

SETTINGS = Settings()


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


def judged(find: Find, count: Count, strange: float = 0.0) -> ChipStack:
    """What is said of that reading in a picture of 640 x 480."""
    colours = Colours(Named(*standard(count.words, USUAL), count.alike), strange)
    return judge(SETTINGS, find, count, colours, (640, 480), False)


@pytest.mark.parametrize(
    ("chips", "squash", "found", "hidden"),
    [(1, 0.8, 0.8, False), (1, 0.4, 0.8, True), (1, 0.8, 0.5, True), (2, 0.8, 0.8, True)],
)
def test_one_chip_seen_from_above_shows_no_front_and_is_not_hidden_for_that(
    chips: int, squash: float, found: float, hidden: bool
) -> None:
    count = counted(Stand((320.0, 300.0), 90.0, 0.0, squash, 0.1), chips, shows=0.05)
    stack = judged(Find("stack", (275.0, 220.0, 365.0, 300.0), found), count)
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
    chips: int, on_felt: bool, found: float, listed: bool
) -> None:
    stand = Stand((320.0, 300.0), 90.0, 0.0, 0.4, 0.1)
    count = counted(replace(stand, thick=0.08) if on_felt else stand, chips)
    assert there(SETTINGS, Find("stack", (275.0, 240.0, 365.0, 300.0), found), count) is listed


@pytest.mark.parametrize(
    ("chips", "on_felt", "found", "strange", "shadow"),
    [
        (2, True, 0.35, 1.0, True),
        (2, True, 0.35, 0.0, False),
        (2, True, 0.35, 0.5, False),
        (2, True, 0.45, 1.0, False),
        (2, False, 0.35, 1.0, False),
        (9, True, 0.35, 1.0, False),
    ],
)
def test_what_is_low_faint_and_none_of_ones_own_set_is_a_stacks_shadow(
    chips: int, on_felt: bool, found: float, strange: float, shadow: bool
) -> None:
    stand = Stand((320.0, 300.0), 90.0, 0.0, 0.4, 0.1)
    count = counted(replace(stand, thick=0.08) if on_felt else stand, chips)
    colours = Colours(Named(*standard(count.words, USUAL), count.alike), strange)
    assert a_shadow(SETTINGS, Find("stack", (275.0, 240.0, 365.0, 300.0), found), count, colours) is shadow


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
def test_what_makes_a_stack_unsure_is_said(change: dict[str, float], across: float, said: str) -> None:
    x, y = 320.0, 300.0
    stand = Stand((x, y), across, 0.0, 0.4, 0.25)
    find = Find("stack", (x - across / 2, y - 0.6 * across, x + across / 2, y), 0.9)
    stack = judged(find, counted(stand, **change))
    assert stack.order[1:] == ("red", "red") and stack.shape == "stack"
    assert (said in stack.reason) if said else stack.sure


@pytest.mark.parametrize(
    ("wide", "within", "coin"),
    [(0.7, 0.012, True), (0.84, 0.012, True), (0.9, 0.012, False), (0.84, None, False), (0.7, None, True)],
)
def test_what_is_smaller_than_a_chip_on_a_felt_is_never_sure(wide: float, within: float | None, coin: bool) -> None:
    stand = Stand((320.0, 300.0), 90.0, 0.0, 0.4, 0.25, thick=0.08, within=within, wide=wide)
    stack = judged(Find("stack", (275.0, 240.0, 365.0, 300.0), 0.9), counted(stand, 1))
    assert (stack.reason == A_COIN) is coin
    assert not coin or not (stack.sure or stack.open or stack.likely)


def test_off_a_felt_nothing_says_how_wide_a_chip_should_be() -> None:
    stand = Stand((320.0, 300.0), 90.0, 0.0, 0.4, 0.25, wide=0.5)
    assert judged(Find("stack", (275.0, 240.0, 365.0, 300.0), 0.9), counted(stand)).sure


@pytest.mark.parametrize(
    ("change", "across", "found", "chips", "likely"),
    [
        ({}, 90.0, 0.9, 3, False),
        ({"likely": 0.7}, 90.0, 0.9, 3, True),
        ({"likely": 0.3}, 90.0, 0.9, 3, False),
        ({"likely": 0.7, "shows": 0.05}, 90.0, 0.9, 3, False),
        ({"likely": 0.7, "misshapen": 9.0}, 90.0, 0.9, 3, False),
        ({"likely": 0.95, "black": 8.1}, 90.0, 0.9, 3, False),
        ({"likely": 0.7}, 90.0, 0.4, 3, True),
        ({"likely": 0.7}, 50.0, 0.9, 3, False),
        ({"likely": 0.7}, 50.0, 0.9, 1, True),
        ({"shows": 0.05}, 90.0, 0.9, 1, True),
        ({"shows": 0.05}, 90.0, 0.9, 3, False),
        ({"likely": 0.95}, 90.0, 0.25, 3, True),
    ],
)
def test_a_guess_that_is_likelier_right_than_wrong_is_likely_where_nothing_else_is_amiss(
    change: dict[str, float], across: float, found: float, chips: int, likely: bool
) -> None:
    """Chips of 50 pixels across are 3.6 thick here; `found` is how surely the stack was."""
    stand = Stand((320.0, 300.0), across, 0.0, 0.4, 0.25)
    find = Find("stack", (320 - across / 2, 300 - 0.6 * across, 320 + across / 2, 300.0), found)
    assert judged(find, counted(stand, chips, **change)).likely is likely


@pytest.mark.parametrize("foot", [(20.0, 300.0), (630.0, 300.0), (320.0, 500.0), (320.0, 20.0)])
def test_a_stack_that_the_frame_cuts_is_unsure(foot: tuple[float, float]) -> None:
    stand = Stand(foot, 100.0, 0.0, 0.4, 0.6)
    x, y = foot
    box = (max(x - 50, 0), max(y - 100, 0), min(x + 50, 640), min(y, 480))
    stack = judged(Find("stack", box, 0.9), counted(stand))
    assert "frame" in stack.reason


BOX = (275.0, 240.0, 365.0, 300.0)
ON_FELT = Stand((320.0, 300.0), 90.0, 0.0, 0.4, 0.6, thick=0.08)


@pytest.mark.parametrize(
    ("chips", "change", "strange", "found", "said", "open_"),
    [
        (9, {"misshapen": 5.0}, 0.0, 0.5, "does not fit its width", True),
        (3, {"misshapen": 5.0}, 0.0, 0.5, "does not fit its width", False),
        (9, {"misshapen": 9.0}, 0.0, 0.3, "does not fit its width", False),
        (9, {"misshapen": 5.0, "shows": 0.7}, 0.0, 0.5, "does not fit its width", False),
        (9, {}, 0.0, 0.25, "too faint", True),
        (9, {"likely": 0.7}, 0.0, 0.25, "too faint", True),
        (9, {"shows": 0.7}, 0.0, 0.25, "too faint", False),
        (9, {}, 0.2, 0.7, "not in the set", True),
        (9, {}, 0.8, 0.7, "not in the set", True),
        (9, {}, 1.0, 0.7, "not in the set", True),
        (9, {}, 0.2, 0.4, "not in the set", True),
        (9, {}, 0.2, 0.3, "not in the set", False),
        (2, {"shows": 0.2}, 0.0, 0.7, "hides a part", True),
        (2, {"shows": 0.2}, 0.0, 0.55, "hides a part", False),
        (9, {"shows": 0.2}, 0.0, 0.7, "hides a part", False),
        (2, {"shows": 0.2, "likely": 0.85}, 0.0, 0.7, "hides a part", True),
    ],
)
def test_of_what_is_plainly_a_stack_on_a_felt_count_and_colours_alone_are_open(
    chips: int, change: dict[str, float], strange: float, found: float, said: str, open_: bool
) -> None:
    """Tall stacks lean and bulge, and are found faintly; one chip of several may be read where two meet."""
    stack = judged(Find("stack", BOX, found), counted(ON_FELT, chips, **change), strange)
    assert said in stack.reason and stack.open is open_ and not stack.likely


def test_several_of_what_is_hardly_as_wide_as_a_chip_may_be_chips_where_no_coin_is_so_wide() -> None:
    def said(chips: int, wide: float) -> ChipStack:
        return judged(Find("stack", BOX, 0.5), counted(replace(ON_FELT, wide=wide), chips))

    for stack, open_ in ((said(5, 0.75), True), (said(5, 0.7), False), (said(1, 0.75), False)):
        assert "perhaps a coin" in stack.reason and stack.open is open_ and not stack.likely


def test_something_round_on_a_felt_is_chips_or_none_where_chips_are_read_that_are_no_wider_than_those_there() -> None:
    def said(chips: int, stand: Stand = ON_FELT, strange: float = 0.0, **change: float) -> ChipStack:
        return judged(Find("other", BOX, 0.5), counted(stand, chips, **change), strange)

    for chips, stack in (
        (4, said(4)),
        (4, said(4, likely=0.5)),
        (1, said(1)),
        (1, said(1, replace(ON_FELT, wide=1.09))),
    ):
        assert (stack.shape, stack.count, stack.open, stack.reason) == ("stack", chips, True, NO_STACK)
    for other in (
        said(1, replace(ON_FELT, wide=1.12)),
        said(1, shows=0.1),
        said(4, strange=0.4),
        said(1, replace(ON_FELT, wide=0.7)),
        said(4, strange=1.0),
        said(4, misshapen=9.0),
        said(4, replace(ON_FELT, thick=None)),
    ):
        assert (other.shape, other.order) == ("other", ()) and "no chip that is known" in other.reason


def test_nothing_is_likely_in_a_picture_in_which_nothing_is_plainly_chips() -> None:
    """Corners of cards and their pips are taken for a chip now and then."""
    likely = ChipStack(BOX, ("red",), 0.7, "its chips could not be counted surely", likely=True, found=0.6)
    other = ChipStack(BOX, (), 0.0, "round, but no chip that is known", "other", found=0.9)
    assert [it.likely for it in nothing_plain(SETTINGS, [likely, other])] == [False, False]
    for plain in (replace(likely, found=0.7), ChipStack(BOX, ("red",), 0.95)):
        assert nothing_plain(SETTINGS, [likely, plain]) == [likely, plain]


def test_settings_are_one_set_of_chances() -> None:
    s = SETTINGS
    assert all(0 <= v <= 1 for v in (s.least_found, s.sure, s.sure_colour, s.shows, s.shows_tall))
    assert s.coins < s.narrow_unmeasured < s.narrow


def test_the_box_of_a_stack_that_was_followed_down_reaches_its_foot_within_the_picture() -> None:
    box = (275.0, 240.0, 365.0, 300.0)
    for foot, thick, said in (
        ((330.0, 400.0), 0.08, (275.0, 240.0, 375.0, 400.0)),
        ((330.0, 490.0), 0.08, (275.0, 240.0, 375.0, 480.0)),
        ((330.0, 306.0), 0.08, box),
        ((330.0, 400.0), None, box),
    ):
        stand = Stand(foot, 90.0, 0.0, 0.4, 0.3, thick=thick)
        assert judged(Find("stack", box, 0.8), counted(stand)).box == said


def test_a_stack_that_may_go_on_below_is_not_sure() -> None:
    count = counted(Stand((320.0, 300.0), 90.0, 0.0, 0.4, 0.3, thick=0.08))
    find = Find("stack", (275.0, 220.0, 365.0, 300.0), 0.8)
    assert judged(find, count).sure
    said = judged(find, replace(count, more_below=True))
    assert not said.sure and not said.likely and "below" in said.reason


@pytest.mark.parametrize(
    ("shape", "likely", "sure"), [("stack", 0.93, True), ("tube", 0.93, False), ("tube", 0.97, True)]
)
def test_a_row_in_a_rack_must_be_likelier_to_be_sure(shape: Shape, likely: float, sure: bool) -> None:
    stack = judged(
        Find(shape, (100, 100, 180, 200), 0.9), counted(Stand((140.0, 200.0), 80.0, 0.0, 0.4, 0.9), 6, likely)
    )
    assert stack.sure is sure and (sure or stack.likely)
    assert stack.shape == shape
