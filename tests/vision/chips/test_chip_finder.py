"""What the finder's raw output becomes."""

from __future__ import annotations

import numpy as np

from vision.chips.finder import Find, decode, merged, shared


def test_a_cell_that_fires_becomes_a_box_in_its_place() -> None:
    scores = np.zeros((3, 16, 24), np.float32)
    sides = np.ones((4, 16, 24), np.float32)
    scores[1, 5, 10] = 0.95
    scores[0, 5, 12] = 0.9  # two cells on, the same thing less surely
    sides[:, 5, 10] = (4, 2, 4, 3)
    sides[:, 5, 12] = (6, 2, 3, 3)
    (found,) = decode(scores, sides, 0.4)
    assert found.shape == "tube" and found.box == (26.0, 14.0, 58.0, 34.0)
    assert abs(found.confidence - 0.95) < 1e-6


def test_shared_is_nothing_apart_and_all_on_top() -> None:
    assert shared((0, 0, 10, 10), (20, 0, 30, 10)) == (0.0, 0.0)
    assert shared((0, 0, 10, 10), (0, 0, 10, 10)) == (1.0, 1.0)
    assert shared((0, 0, 10, 10), (0, 0, 5, 10)) == (0.5, 1.0)


def test_two_scales_finding_one_stack_give_one_find() -> None:
    first = Find("stack", (0, 0, 100, 200), 0.8)
    again = Find("stack", (4, -3, 102, 190), 0.9)
    beside = Find("stack", (90, 0, 190, 200), 0.7)
    assert merged([[first, beside], [again]]) == [again, beside]


def test_a_single_chip_before_a_stack_stays_and_a_part_of_one_goes() -> None:
    stack, chip = Find("stack", (0, 0, 200, 400), 0.9), Find("stack", (20, 340, 190, 420), 0.6)
    insert = Find("other", (40, 200, 100, 240), 0.8)
    assert merged([[stack, chip], [insert]]) == [stack, chip]


def test_a_chip_that_lies_in_a_printed_circle_is_no_part_of_that() -> None:
    chip, circle = Find("stack", (222, 514, 268, 536), 0.7), Find("stack", (176, 498, 285, 553), 0.46)
    assert merged([[circle], [chip]]) == [chip, circle]


def test_the_middle_of_a_chip_is_no_chip_but_one_that_lies_partly_before_another_is() -> None:
    chip, middle = Find("stack", (0, 0, 100, 90), 0.7), Find("stack", (12, 10, 82, 80), 0.9)
    assert merged([[chip], [middle]]) == [chip]
    nearer = Find("stack", (40, 40, 118, 110), 0.9)
    assert merged([[chip], [nearer]]) == [nearer, chip]


def test_two_chips_seen_small_as_one_thing_are_two_where_a_closer_look_finds_them() -> None:
    left, right = Find("stack", (0, 0, 56, 40), 0.55, shown=40.0), Find("stack", (58, 0, 114, 40), 0.5, shown=40.0)
    both = Find("stack", (10, 0, 90, 40), 0.64, shown=17.0)
    assert both.weight < both.confidence and left.weight == left.confidence
    assert merged([[Find("stack", (4, 0, 58, 40), 0.6, shown=12.0)], [left]]) == [left]
    assert set(merged([[both], [left, right]])) >= {left, right}


def test_two_chips_one_behind_the_other_are_no_stack_whose_box_holds_both() -> None:
    behind, before = Find("stack", (0, 0, 60, 36), 0.7), Find("stack", (6, 38, 66, 74), 0.65)
    both = Find("stack", (0, 0, 66, 74), 0.76)
    assert merged([[both], [behind, before]]) == [behind, before]
    again = Find("stack", (2, 1, 64, 70), 0.6)
    assert merged([[both], [behind, before], [again]]) == [behind, before], "at whichever scale it was found"


def test_a_stack_is_not_made_of_what_was_found_much_less_surely_or_shares_much_or_is_small() -> None:
    stack = Find("stack", (0, 0, 100, 160), 0.76)
    upper, lower = Find("stack", (0, 0, 100, 78), 0.7), Find("stack", (2, 80, 100, 160), 0.5)
    assert merged([[stack], [upper, lower]]) == [stack]
    longer = Find("stack", (2, 40, 100, 160), 0.7)
    assert merged([[stack], [upper, longer]]) == [stack]
    pips = [Find("other", (10 * k, 60, 10 * k + 9, 70), 0.75) for k in range(4)]
    assert merged([[stack], pips]) == [stack]


def test_a_tube_beside_stacks_keeps_what_it_is() -> None:
    tube = Find("tube", (0, 0, 200, 60), 0.8)
    ends = [Find("stack", (0, 0, 70, 60), 0.7), Find("stack", (130, 0, 200, 60), 0.7)]
    assert tube in merged([[tube], ends])


def test_a_chip_is_no_part_of_a_blur_of_it_and_what_lies_beside_it_nor_is_that_blur_anything() -> None:
    chip, blur = Find("stack", (308, 200, 369, 234), 0.76), Find("stack", (303, 198, 396, 258), 0.53)
    assert merged([[blur], [chip]]) == [chip]
    about_as_sure = Find("stack", (303, 198, 396, 258), 0.7)
    assert merged([[about_as_sure], [chip]]) == [chip, about_as_sure], "either may be it"
    inner = Find("stack", (318, 208, 381, 248), 0.76)
    assert merged([[blur], [inner]]) == [blur], "its middle is about there: a chip without its rim"
