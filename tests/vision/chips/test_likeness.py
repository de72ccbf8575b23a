"""Chips of a set are known again by their edges, in other light too."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.chips.alike import looks
from vision.chips.crops import FOOT, HEIGHT, WIDTH, Image
from vision.chips.likeness import EXPECTED, GAMMA, LIGHTS, SAME, SAMPLES, edges, explained, under_lights, unlike

STEP = 7
ROWS = [round(FOOT[1]) - STEP * k for k in range(4)]
RED, PINK, BLACK = (40, 40, 200), (150, 120, 220), (25, 25, 25)


def column(*chips: tuple[int, int, int], light: tuple[float, float, float] = SAME) -> Image:
    """Three chips from the bottom up with white inserts, seen in that light."""
    image = np.full((HEIGHT, WIDTH, 3), 90, np.uint8)
    for k, colour in enumerate(chips):
        image[ROWS[k + 1] : ROWS[k], 8:56] = colour
        image[ROWS[k + 1] : ROWS[k], 20 + 3 * k : 26 + 3 * k] = (225, 225, 225)
    bright, warm, green = light
    gains = np.exp([bright - warm, bright + green, bright + warm])
    return np.asarray(np.round(np.clip((image / 255) ** GAMMA * gains, 0, 1) ** (1 / GAMMA) * 255), np.uint8)


def test_edges_are_pixels_between_the_seams_from_dark_to_light() -> None:
    kept = edges(column(RED, PINK, BLACK), ROWS)
    assert kept.shape == (3, SAMPLES, 3)
    assert (np.diff(kept.astype(int).sum(2), axis=1) >= 0).all()
    for k, colour in enumerate((RED, PINK, BLACK)):
        assert {tuple(p) for p in kept[k].tolist()} == {colour, (225, 225, 225)}


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(LIGHTS), st.permutations((RED, PINK, BLACK)))
def test_the_light_is_found_in_which_chips_look_as_they_were_shown(
    light: tuple[float, float, float], chips: list[tuple[int, int, int]]
) -> None:
    shown = under_lights(edges(column(RED, PINK, BLACK), ROWS))
    chances, fits = explained(-unlike(looks(column(*chips, light=light), ROWS), shown))
    assert [(RED, PINK, BLACK)[k] for k in chances.argmax(1)] == chips
    assert fits.min() > -1.5


def test_all_chips_of_a_stack_stand_in_one_light() -> None:
    """Red in bright light may be pink in dim light; beside a pink one it is red."""
    shown = under_lights(edges(column(RED, PINK, PINK), ROWS)[:2])
    chances, _ = explained(-unlike(looks(column(RED, PINK, PINK), ROWS), shown))
    assert chances[:, 0].tolist() == pytest.approx([1, 0, 0], abs=0.05)


def test_what_the_set_does_not_have_is_explained_badly() -> None:
    shown = under_lights(edges(column(PINK, BLACK, BLACK), ROWS)[:2])
    _, fits = explained(-unlike(looks(column((60, 200, 40), PINK, BLACK), ROWS), shown))
    assert fits[0] < -7 < -3 < fits[1:].min()


def test_another_light_is_the_last_explanation_that_is_believed() -> None:
    """Dark blue chips with white inserts are hardly ever white ones with red inserts, seen in a dim blue light."""
    dim = LIGHTS.index((-0.9, -0.45, 0.0))
    logs = np.full((3, 2, len(LIGHTS)), -20, np.float32)
    logs[:, 0, LIGHTS.index(SAME)] = -4
    logs[:, 1, dim] = -2.5
    chances, _ = explained(logs)
    assert (chances[:, 0] > 0.8).all()
    logs[:, 1, dim] = -0.5
    assert (explained(logs)[0][:, 1] > 0.8).all(), "but where nothing else explains them they are"
    assert np.exp(EXPECTED).sum() == pytest.approx(1, abs=1e-4)
