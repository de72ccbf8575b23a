"""A hand over a place is noticed whatever it looks like; light, shadows, print and chips that were read are no hand."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.chips.covered import UNREAD, Look, unread
from vision.chips.crops import Image
from vision.chips.spots import PlacedStack, SpotReading, chip_zones
from vision.chips.values import Box, ChipStack
from vision.felt import Calibration, load_layout

LAYOUT = load_layout("three-seats")
ZONE = chip_zones(LAYOUT)[0]
WIDTH, HEIGHT = 960, 720
CENTRE = np.array(ZONE.shape.centre)
FELT = (70, 110, 40)
GREEN_RING = (150, 170, 140)


def calibration(scale: float = 1.6, aside: float = 0.0) -> Calibration:
    """A camera straight above: ``scale`` pixels a millimetre, the place in the picture's middle."""
    x, y = np.array([WIDTH / 2 + aside, HEIGHT / 2]) - scale * CENTRE
    return Calibration(LAYOUT.name, ((scale, 0.0, x), (0.0, scale, y), (0.0, 0.0, 1.0)), WIDTH, HEIGHT, "points")


def felt(seed: int = 0, light: float = 1.0) -> Image:
    """A felt with a printed ring at the place, as a noisy camera shows it."""
    plain = np.full((HEIGHT, WIDTH, 3), FELT, np.float32)
    cv2.circle(plain, (WIDTH // 2, HEIGHT // 2), 70, GREEN_RING, 5)
    noisy = plain * light + np.random.default_rng(seed).normal(0, 5, plain.shape)
    return np.asarray(np.clip(noisy, 0, 255), np.uint8)


def hand(image: Image, colour: tuple[int, int, int], wide: int = 60) -> Image:
    """With an arm from the picture's lower edge to the place."""
    out = image.copy()
    cv2.line(out, (WIDTH // 2 + 40, HEIGHT), (WIDTH // 2, HEIGHT // 2), colour, wide)
    return out


def chip(image: Image) -> tuple[Image, Box]:
    """With a red chip on the place, and its box."""
    out, (x, y), r = image.copy(), (WIDTH // 2, HEIGHT // 2), 31
    cv2.circle(out, (x, y), r, (40, 40, 200), -1)
    return out, (x - r, y - r, x + r, y + r)


def look(image: Image, *boxes: Box, beside: tuple[Box, ...] = (), at: Calibration | None = None) -> Look:
    stacks = tuple(PlacedStack(ChipStack(box, ("red",), 0.99), (0.0, 0.0), 0.0) for box in boxes)
    return Look(image, at or calibration(), SpotReading(ZONE, stacks, beside=beside))


@pytest.mark.parametrize("light", [0.6, 0.85, 1.0, 1.3])
def test_noise_and_another_exposure_cover_nothing(light: float) -> None:
    assert unread(look(felt()), look(felt(1, light))) == 0


def test_a_shadow_covers_nothing_whichever_picture_it_falls_in() -> None:
    dark = felt(1)
    dark[HEIGHT // 2 :] = (dark[HEIGHT // 2 :] * 0.5).astype(np.uint8)
    assert unread(look(felt()), look(dark)) == unread(look(dark), look(felt())) == 0


def test_another_camera_place_covers_nothing() -> None:
    nearer = cv2.warpAffine(felt(1), np.array([[1.25, 0, -80], [0, 1.25, -90]], np.float64), (WIDTH, HEIGHT))
    matrix = np.array([[1.25, 0, -80], [0, 1.25, -90], [0, 0, 1]]) @ np.array(calibration().matrix)
    rows = tuple(tuple(float(v) for v in row) for row in matrix)
    at = replace(calibration(), matrix=rows)  # type: ignore[arg-type]
    assert unread(look(felt()), look(np.asarray(nearer, np.uint8), at=at)) == 0


@pytest.mark.parametrize("colour", [(120, 150, 210), (60, 80, 120), (230, 230, 230), (25, 25, 25)])
@pytest.mark.parametrize("wide", [40, 400])
def test_a_hand_over_a_part_or_all_of_the_place_is_noticed(colour: tuple[int, int, int], wide: int) -> None:
    hidden = hand(felt(1), colour, wide)
    assert unread(look(felt()), look(hidden)) > UNREAD
    assert unread(look(hidden), look(felt())) > UNREAD


def test_chips_that_were_read_cover_nothing_and_others_do() -> None:
    laid, box = chip(felt(1))
    assert unread(look(felt()), look(laid, box)) == 0
    assert unread(look(felt()), look(laid, beside=(box,))) == 0
    assert unread(look(felt()), look(laid)) > UNREAD


def test_a_place_that_is_not_before_the_camera_tells_nothing() -> None:
    gone = calibration(aside=5_000.0)
    assert unread(look(felt(), at=gone), look(felt(1), at=gone)) == 0
