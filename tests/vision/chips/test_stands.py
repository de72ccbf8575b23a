"""Where a stack stands, and the cuts made of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.chips.crops import ACROSS, FOOT, GLANCE, SQUEEZE, Stand, column_affine, column_places, cut, glance_affine
from vision.chips.ground import Lie
from vision.chips.stands import between, grounded, outline, relaid

stands = st.builds(
    Stand,
    st.tuples(st.floats(0, 2000), st.floats(0, 2000)),
    st.floats(20, 500),
    st.floats(-0.4, 0.4),
    st.floats(0.05, 0.95),
    st.floats(0.05, 2.0),
    tilt=st.floats(-0.3, 0.3),
)


@settings(max_examples=50, deadline=None)
@given(stands)
def test_a_column_stands_upright_on_its_foot_at_one_size(stand: Stand) -> None:
    m = column_affine(stand)
    foot = m[:, :2] @ np.array(stand.foot) + m[:, 2]
    assert np.allclose(foot, FOOT, atol=1e-6)
    up = m[:, :2] @ (np.array([np.sin(stand.roll), -np.cos(stand.roll)]) * stand.across)
    assert np.allclose(up, [0, -ACROSS], atol=1e-6)
    side = m[:, :2] @ (np.array([np.cos(stand.roll), np.sin(stand.roll)]) * stand.across)
    assert np.allclose(side, [ACROSS * SQUEEZE, 0], atol=1e-6)


@settings(max_examples=50, deadline=None)
@given(stands, st.floats(0, 1.5), st.floats(-0.9, 0.9))
def test_what_lies_on_one_seam_lies_on_one_row_of_the_column(stand: Stand, height: float, aside: float) -> None:
    # A point of the front rim of the chip that begins so many chip widths above the foot.
    c, s = np.cos(stand.roll), np.sin(stand.roll)
    up = height + stand.squash / 2 * (1 - np.sqrt(1 - aside**2)) - np.tan(stand.tilt) * aside / 2
    right = aside / 2
    point = np.array(stand.foot) + np.array([c * right + s * up, s * right - c * up]) * stand.across
    x, y = column_places(stand, begin=-200, rows=500)
    column = FOOT[0] + aside * ACROSS * SQUEEZE / 2
    row = FOOT[1] - height * ACROSS + 200
    k, n = int(column), int(row)
    tx, ty = column - k, row - n
    for places, wanted in ((x, point[0]), (y, point[1])):
        near = places[n : n + 2, k : k + 2].astype(float)
        seen = np.array([1 - ty, ty]) @ near @ np.array([1 - tx, tx])
        assert abs(seen - wanted) < 0.02 * stand.across


@settings(max_examples=50, deadline=None)
@given(stands)
def test_an_outline_holds_the_foot_and_is_as_wide_as_a_chip_or_wider(stand: Stand) -> None:
    x0, y0, x1, y1 = outline(stand)
    assert x0 <= stand.foot[0] <= x1 and y0 < y1 == stand.foot[1]
    assert x1 - x0 >= stand.across - 1e-6


def test_a_glance_shows_all_of_the_box_with_room() -> None:
    m = glance_affine((100, 50, 180, 250))
    corners = m[:, :2] @ np.array([[100, 180], [50, 250]]) + m[:, 2:]
    assert corners.min() > 0 and corners.max() < GLANCE
    assert np.allclose(corners.mean(1), GLANCE / 2)


def test_a_cut_comes_from_the_nearest_size_and_shows_the_same() -> None:
    rng = np.random.default_rng(3)
    small = np.asarray(rng.integers(0, 255, (60, 80, 3)), np.uint8)
    big = np.repeat(np.repeat(small, 4, 0), 4, 1)
    levels = [big, np.repeat(np.repeat(small, 2, 0), 2, 1), small]
    m = np.array([[0.25, 0, 0], [0, 0.25, 0]])
    assert np.abs(cut(levels, m, 80, 60).astype(int) - small).mean() < 4


def test_a_box_that_agrees_with_the_glance_changes_nothing() -> None:
    stand = Stand((100.0, 200.0), 80.0, 0.0, 0.4, 0.9)
    again = between(stand, outline(stand))
    assert np.allclose(again.foot, stand.foot) and abs(again.across - stand.across) < 1e-9
    assert abs(again.tall + again.squash - 1.3) < 1e-9


def test_between_lies_half_way_but_across_the_picture_where_the_glance_says() -> None:
    stand = Stand((100.0, 200.0), 80.0, 0.1, 0.4, 0.6)
    middle = between(stand, (70.0, 100.0, 170.0, 210.0))
    assert middle.foot == (100.0, 205.0) and middle.roll == 0.1
    assert abs(middle.across**2 - 80 * 100) < 1e-6


def test_a_leaning_stack_stands_where_it_stands_and_not_under_the_middle_of_its_box() -> None:
    stand = Stand((100.0, 200.0), 80.0, 0.3, 0.4, 2.0)
    again = between(stand, outline(stand))
    assert np.allclose(again.foot, stand.foot)


def test_a_felt_that_foretells_what_is_seen_changes_nothing() -> None:
    stand = Stand((100.0, 200.0), 80.0, 0.0, 0.4, 0.9)
    again = grounded(stand, outline(stand), Lie(80.0, 0.4, 0.0, 6.2))
    assert again.across == stand.across and again.squash == 0.4
    assert abs(again.tall - 0.9) < 1e-9 and again.thick == 6.2 / 80.0


def test_a_chip_far_wider_than_the_felt_foretells_keeps_its_width_and_takes_the_slant() -> None:
    stand = Stand((100.0, 200.0), 110.0, 0.0, 0.4, 0.9)
    again = grounded(stand, outline(stand), Lie(80.0, 0.5, 0.1, 6.2))
    assert again.across == stand.across and again.roll == 0.1 and again.squash == 0.5
    assert again.thick == 6.2 / 110


def test_a_stack_taken_for_a_little_wider_than_the_felt_foretells_is_as_wide_as_foretold() -> None:
    stand = Stand((100.0, 200.0), 98.0, 0.0, 0.4, 0.9)
    again = grounded(stand, outline(stand), Lie(80.0, 0.4, 0.0, 6.2, within=0.02))
    assert again.across == pytest.approx(80.0) and again.thick == pytest.approx(6.2 / 80) and again.within == 0.02


def test_a_chip_of_another_size_has_not_the_measured_one_s_thickness() -> None:
    stand = Stand((100.0, 200.0), 110.0, 0.0, 0.4, 0.9)
    assert grounded(stand, outline(stand), Lie(80.0, 0.4, 0.0, 6.2, within=0.02)).within is None


def test_a_stack_whose_foot_is_moved_towards_the_camera_is_larger_there() -> None:
    def ground(foot: tuple[float, float]) -> Lie:
        near = foot[1] / 200
        return Lie(80.0 * near, 0.4 * near, 0.1, 6.2 * near**2, 0.001)

    before = grounded(Stand((100.0, 200.0), 80.0, 0.0, 0.4, 0.9), (60.0, 96.0, 140.0, 200.0), ground((100.0, 200.0)))
    moved_ = replace(before, foot=(100.0, 220.0))
    again = relaid(moved_, before.foot, ground)
    assert again.across == pytest.approx(88.0) and again.thick is not None
    assert again.thick * again.across == pytest.approx(6.2 * 1.21) and again.squash == pytest.approx(0.44)
    assert again.tall * again.across == pytest.approx(before.tall * before.across)
    assert relaid(moved_, before.foot, None) == moved_ == relaid(moved_, before.foot, lambda _: None)
