"""What a calibrated felt foretells of stacks, beside a camera that is known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.chips.ground import CHIP_MM, ground, moved, of_size
from vision.chips.values import ChipSize
from vision.felt import Calibration
from vision.felt.calibration import matrix

WIDTH, HEIGHT = 1920, 1080


@dataclass(frozen=True)
class Pinhole:
    """A camera over (0, 0) of the felt, looking at it; angles in radians, the focal length in picture widths."""

    above: float
    roll: float
    focal: float
    away: float = 1500.0

    def project(self, points: np.ndarray) -> np.ndarray:
        c, s = np.cos(self.above), np.sin(self.above)
        # Felt x to the right, felt y towards the camera, up towards the sky.
        right, down = np.array([1.0, 0, 0]), np.array([0, s, -c])
        ahead = np.array([0, -c, -s])
        eye = -ahead * self.away
        cr, sr = np.cos(self.roll), np.sin(self.roll)
        rows = np.array([cr * right - sr * down, sr * right + cr * down, ahead])
        seen = (points - eye) @ rows.T
        f = self.focal * WIDTH
        return seen[:, :2] / seen[:, 2:] * f + [(WIDTH - 1) / 2, (HEIGHT - 1) / 2]

    def calibration(self) -> Calibration:
        felt = np.array([[0, 0], [100, 0], [100, 100], [0, 100.0]])
        seen = self.project(np.column_stack([felt, np.zeros(4)]))
        rows = []
        for (x, y), (u, v) in zip(felt, seen, strict=True):
            rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y, -u], [0, 0, 0, x, y, 1, -v * x, -v * y, -v]]
        h = np.linalg.svd(np.array(rows))[2][-1].reshape(3, 3)
        return Calibration("table", matrix(h / h[2, 2]), WIDTH, HEIGHT, "points")


def rim(pinhole: Pinhole, x: float, y: float, z: float, wide: float = CHIP_MM) -> np.ndarray:
    turns = np.linspace(0, 2 * np.pi, 720, endpoint=False)
    r = wide / 2
    return pinhole.project(np.column_stack([x + r * np.cos(turns), y + r * np.sin(turns), np.full(720, z)]))


@settings(max_examples=60, deadline=None)
@given(
    st.floats(0.3, 1.2), st.floats(-0.3, 0.3), st.floats(0.6, 1.5), st.floats(-250, 250), st.floats(-150, 150),
    st.integers(1, 10),
)  # fmt: skip
def test_width_steepness_and_thickness_are_those_of_the_camera(
    above: float, roll: float, focal: float, x: float, y: float, count: int
) -> None:
    pinhole = Pinhole(above, roll, focal)
    foot = rim(pinhole, x, y, 0.0)
    lowest = foot[foot[:, 1].argmax()]
    lie = ground(pinhole.calibration())((float(lowest[0]), float(lowest[1])))
    assert lie is not None
    low, high = pinhole.project(np.array([[x, y, 0.0], [x, y, ChipSize().thick * count]]))
    rise = high - low
    assert lie.roll == pytest.approx(np.arctan2(rise[0], -rise[1]), abs=0.02)
    assert lie.thick * count == pytest.approx(np.hypot(*rise), rel=0.01 + 0.006 * count)
    c, s = np.cos(lie.roll), np.sin(lie.roll)
    upright = (foot - foot.mean(0)) @ np.array([[c, -s], [s, c]])
    wide, tall = np.ptp(upright, axis=0)
    assert lie.across == pytest.approx(wide, rel=0.02)
    assert lie.squash == pytest.approx(tall / wide, abs=0.02)


def test_seen_from_straight_above_chips_are_round_and_show_no_edge() -> None:
    pinhole = Pinhole(np.pi / 2, 0.0, 0.9)
    lie = ground(pinhole.calibration())(((WIDTH - 1) / 2, (HEIGHT - 1) / 2 + 10.0))
    assert lie is not None
    assert lie.squash == pytest.approx(1.0, abs=0.01)
    assert lie.thick < 0.02 * lie.across


def test_chips_that_were_measured_are_seen_in_their_own_size() -> None:
    pinhole = Pinhole(0.6, 0.1, 0.9)
    known = ground(pinhole.calibration())
    foot = rim(pinhole, 40.0, -60.0, 0.0)
    lowest = foot[foot[:, 1].argmax()]
    at = (float(lowest[0]), float(lowest[1]))
    usual, own = known(at), of_size(known, ChipSize(43.0, 3.6, 20))(at)
    assert usual is not None and own is not None and own.within is not None and usual.within is None
    assert own.across == pytest.approx(np.ptp(rim(pinhole, 40.0, -60.0, 0.0, 43.0)[:, 0]), rel=0.03)
    for count in (1, 20):
        low, high = pinhole.project(np.array([[40.0, -60.0, 0.0], [40.0, -60.0, 3.6 * count]]))
        grown = own.thick * count * (1 + own.growth * (count - 1))
        assert grown == pytest.approx(np.hypot(*(high - low)), rel=0.015)
    assert of_size(ground(Pinhole(0.1, 0.0, 0.9).calibration()), ChipSize())((900.0, 3.0)) is None


def test_above_the_horizon_nothing_is_known() -> None:
    assert ground(Pinhole(0.1, 0.0, 0.9).calibration())((900.0, 3.0)) is None


def test_a_part_of_the_picture_knows_the_same() -> None:
    known = ground(Pinhole(0.6, 0.1, 0.9).calibration())
    assert moved(known, (300.0, 200.0))((100.0, 150.0)) == known((400.0, 350.0))
