"""More light over all, or band by band, is no change; what was laid or taken away is one all the same."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.light import Bands, Grey, bands_between, light_between
from vision.motion import changes, compared, in_light_of

STEP = 14
HIGH, WIDE = 180, 320


def table() -> Grey:
    """A felt with some grain, and white cards on it."""
    rng = np.random.default_rng(7)
    grey = rng.integers(66, 84, (HIGH, WIDE)).astype(np.uint8)
    for x, y in ((40, 30), (90, 120), (200, 60), (260, 130)):
        grey[y : y + 34, x : x + 24] = 236
    return grey


def lit(grey: Grey, gains: np.ndarray | float) -> Grey:
    return np.clip(grey * gains + 0.5, 0, 255).astype(np.uint8)


def bands(strength: float, phase: float, along: int = 0) -> np.ndarray:
    length = (HIGH, WIDE)[along]
    wave = 1 + strength * np.sin(np.arange(length) / length * 2.5 * 2 * np.pi + phase)
    return wave[:, None] if along == 0 else wave[None]


@pytest.mark.parametrize("along", [0, 1])
@pytest.mark.parametrize("strength", [0.05, 0.1, 0.15])
def test_bands_of_a_flickering_lamp_are_no_change(strength: float, along: int) -> None:
    seen = [lit(table(), bands(strength, phase, along)) for phase in (0.0, 1.3, 2.6, 4.1)]
    for other in seen[1:]:
        assert not changes(seen[0], other, STEP).any()


def test_a_pulse_of_all_the_light_is_no_change_though_white_gains_most() -> None:
    assert not changes(table(), lit(table(), 1.2), STEP).any()
    assert not changes(lit(table(), 1.2), table(), STEP).any(), "white was as light as it shows"


@pytest.mark.parametrize("strength", [0.0, 0.15])
def test_a_card_that_is_laid_or_taken_away_under_bands_is_all_that_changed(strength: float) -> None:
    before, after = table(), table()
    after[70:104, 140:164] = 236
    one, other = lit(before, bands(strength, 0.4)), lit(after, bands(strength, 2.9))
    for first, second in ((one, other), (other, one)):
        changed = changes(first, second, STEP)
        assert changed[72:102, 142:162].all()
        changed[70:104, 140:164] = False
        assert not changed.any()


def test_an_arm_across_the_picture_is_no_band_of_light() -> None:
    before, after = table(), table()
    after[80:110, :240] = 110
    changed, found = compared(before, after, STEP)
    assert found is None
    assert changed[82:108, 2:238].mean() > 0.9
    assert not changed[:70].any()
    assert not changed[120:].any()


def test_a_part_read_now_is_kept_in_the_light_of_the_rest() -> None:
    one, other = lit(table(), bands(0.15, 0.0)), lit(table(), bands(0.15, 2.0))
    kept = np.where(np.arange(WIDE)[None] < WIDE // 3, in_light_of(one, other, STEP), one).astype(np.uint8)
    assert np.abs(kept.astype(int) - one)[:, : WIDE // 3].max() < STEP
    assert not changes(kept, lit(table(), bands(0.15, 4.0)), STEP).any()
    assert in_light_of(one, one, STEP) is one


@given(st.floats(0.7, 1.4), st.integers(0, 2**32 - 1))
def test_light_put_on_and_taken_off_leaves_what_was(gain: float, seed: int) -> None:
    grey = np.random.default_rng(seed).integers(0, 170, (9, 12)).astype(np.uint8)
    light = Bands(np.full((9, 1), gain, np.float32))
    assert np.abs(light.unlit(light.lit(grey)).astype(int) - grey)[grey > 8].max(initial=0) <= 1


@given(st.integers(-40, 40))
def test_the_light_between_two_frames_is_most_pixels(levels: int) -> None:
    other = table()[::-1].copy()
    assert light_between(other, (other.astype(int) + levels).clip(0, 255).astype(np.uint8)) == levels


def test_bands_are_evened_out_over_rows() -> None:
    for across, shape in ((True, (HIGH, 1)), (False, (1, WIDE))):
        dark = lit(table(), 0.9)
        dark[90, :] = 0
        dark[:, 90] = 0
        found = bands_between(table(), dark, across)
        assert found is not None
        assert found.gains.shape == shape
        assert np.abs(found.gains - 0.91).max() < 0.02
        assert bands_between(table(), table(), across) is None


@pytest.mark.parametrize("level", [45, 60, 110, 236])
@pytest.mark.parametrize("wide", [170, 250, 320])
def test_an_arm_that_covers_most_of_some_rows_is_seen_whole(level: int, wide: int) -> None:
    before, after = table(), table()
    after[60:110, :wide] = level
    assert bands_between(before, after, across=True) is None
    plain = np.abs(after.astype(int) - before) > STEP
    assert (changes(before, after, STEP) == plain).mean() > 0.99


@pytest.mark.parametrize("gain", [1.0, 1.03])
def test_what_is_laid_on_white_is_seen_where_the_light_is_nearly_as_it_was(gain: float) -> None:
    before, after = table(), table()
    after[38:44, 46:52] = 216
    assert changes(before, lit(after, gain), STEP)[39:43, 47:51].all()


@pytest.mark.parametrize("shape", [(1, 1), (2, 3), (4, 320), (180, 1)])
def test_frames_of_any_size_are_compared(shape: tuple[int, int]) -> None:
    one, other = np.zeros(shape, np.uint8), np.full(shape, 255, np.uint8)
    assert changes(one, other, STEP).shape == shape
    assert changes(other, one, STEP).shape == shape
