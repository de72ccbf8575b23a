"""A stack that was found twice counts once; two that touch stay two."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.chips.crops import Stand
from vision.chips.solid import apart, each_once

STAND = Stand((200.0, 300.0), 80.0, 0.0, 0.5, 0.4)


@pytest.mark.parametrize(("right", "down", "two"), [(1, 0, True), (0, 0.5, True), (0.4, 0, False), (0, 0.2, False)])
def test_two_that_touch_are_two_and_nearer_ones_are_one(right: float, down: float, two: bool) -> None:
    x, y = STAND.foot
    other = replace(STAND, foot=(x + right * STAND.across, y + down * STAND.across))
    assert each_once([STAND, other], [0.3, 0.9]) == ([0, 1] if two else [1]), "the surer one stays"


def test_seen_from_the_side_one_behind_another_is_another() -> None:
    level = replace(STAND, squash=0.05)
    behind = replace(level, foot=(STAND.foot[0], STAND.foot[1] - 0.2 * STAND.across))
    assert apart(level, behind) == pytest.approx(1.0)


@given(
    st.lists(
        st.tuples(st.floats(0, 640), st.floats(0, 480), st.floats(20, 120), st.floats(0.05, 1), st.floats(0, 1)),
        max_size=8,
    )
)
def test_none_is_lost_to_one_that_is_not_there_itself(seen: list[tuple[float, ...]]) -> None:
    stands = [replace(STAND, foot=(x, y), across=across, squash=squash) for x, y, across, squash, _ in seen]
    worth = [it[-1] for it in seen]
    kept = each_once(stands, worth)
    for k, stand in enumerate(stands):
        over = [j for j in kept if worth[j] >= worth[k] and apart(stand, stands[j]) < 0.5]
        assert over, "itself, or a surer one in its place"
