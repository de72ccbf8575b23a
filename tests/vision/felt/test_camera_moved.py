"""A moved camera is noticed and, where markers are in view, put right; hands, cards and lamps are no moved camera."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest
from felt_scene import SIZES, camera, empty_table, lamp, shot, with_cards, with_hand

from datasets.deck import Image
from vision.felt import Calibration, CalibrationError, CameraWatch, calibrate_corners, calibrate_markers, load_layout

pytestmark = pytest.mark.slow

LAYOUT = load_layout("five-seats")
WIDTH, HEIGHT = SIZES["720p"]
CARDS = [(430, 280, "AS"), (440, 300, "KD"), (240, 490, "9C"), (0, 560, "5H"), (20, 550, "2S"), (0, 190, "10H")]
SWITCHED: list[dict[str, Any]] = [
    {"gain": 0.35},
    {"gain": 1.5},
    {"strength": 0.9, "x": 0.9, "y": 0.1, "warm": 0.25},
    {"gain": 0.15, "warm": 0.3},
]


@cache
def table(markers: bool = True) -> Image:
    return empty_table(LAYOUT, camera(LAYOUT, SIZES["720p"], 45, 90), markers)


@cache
def calibration(markers: bool = True) -> Calibration:
    eye = camera(LAYOUT, SIZES["720p"], 45, 90)
    if markers:
        return calibrate_markers(LAYOUT, reference(True))
    dragged = eye.project(np.array([h.point for h in LAYOUT.handles]))
    return calibrate_corners(LAYOUT, [(float(x), float(y)) for x, y in dragged], WIDTH, HEIGHT)


@cache
def reference(markers: bool) -> Image:
    return shot(lamp(table(markers)), 1)


def watch(markers: bool = True) -> CameraWatch:
    return CameraWatch(LAYOUT, calibration(markers), reference(markers))


@cache
def dealt(markers: bool = True) -> Image:
    return with_cards(table(markers), camera(LAYOUT, SIZES["720p"], 45, 90), CARDS)


def pushed(
    image: Image, right: float = 0, down: float = 0, roll: float = 0, zoom: float = 1
) -> tuple[Image, np.ndarray]:
    """What the camera shows after it was turned by so many pixels and degrees; and the map of pixels."""
    focal = 0.5 * WIDTH / np.tan(np.radians(31))
    lens = np.array([[focal, 0, WIDTH / 2], [0, focal, HEIGHT / 2], [0, 0, 1]])
    turn = np.eye(3)
    for axis, angle in (((0, 1, 0), right / focal), ((1, 0, 0), -down / focal), ((0, 0, 1), np.radians(roll))):
        turn = turn @ cv2.Rodrigues(np.array(axis, float) * angle)[0]
    through = lens @ np.diag([zoom, zoom, 1]) @ turn @ np.linalg.inv(lens)
    size = (WIDTH, HEIGHT)
    return cv2.warpPerspective(image, through, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), through


def hand(image: Image, x: float = 0.5, y: float = 0.5, size: float = 180) -> Image:
    return with_hand(image, (x * WIDTH, y * HEIGHT), size)


STILL: dict[str, Callable[[Image], Image]] = {
    "nothing": lambda i: lamp(i),
    "a hand": lambda i: lamp(hand(i)),
    "two hands and sleeves": lambda i: lamp(hand(hand(i, 0.3, 0.6), 0.7, 0.4, 210)),
    "somebody leaning over half the table": lambda i: lamp(hand(i, 0.5, 0.3, 400)),
    **{f"lamp {k}": (lambda i, light=light: lamp(i, **light)) for k, light in enumerate(SWITCHED)},
    "a hand and another lamp": lambda i: lamp(hand(i), **SWITCHED[2]),
}


@pytest.mark.parametrize("name", STILL)
def test_hands_cards_and_lamps_move_no_camera(name: str) -> None:
    """Nor with markers on the felt, nor without any."""
    seed = len(name)
    assert watch().check(shot(STILL[name](dealt()), seed)).state == "still"
    if name.startswith(("somebody", "a hand and")):
        assert watch(False).check(shot(STILL[name](dealt(False)), seed)).state == "still"


PUSHES: list[dict[str, float]] = [
    {"right": 4},
    {"right": -20, "down": 7},
    {"roll": 1.5},
    {"zoom": 1.03},
    {"right": 70, "roll": -4},
    {"right": 170, "down": 40},
]


@pytest.mark.parametrize("push", PUSHES, ids=[" ".join(f"{k} {v:g}" for k, v in p.items()) for p in PUSHES])
def test_a_pushed_camera_is_noticed_and_calibrates_again_from_the_markers(push: dict[str, float]) -> None:
    watching = watch()
    image, through = pushed(dealt(), **push)
    frames = [shot(lamp(hand(image, 0.45, 0.5, 120), strength=0.7, x=0.6), seed) for seed in (20, 21)]
    stances = [watching.check(frame) for frame in (*frames, frames[0])]
    assert [s.state for s in stances[:2]] == ["moving", "moving"]
    last = stances[-1]
    assert last.state == "moved" and last.what == "camera" and last.calibration is not None
    assert "camera was moved by about" in last.message and "calibrated again from" in last.message
    places = [zone.shape.centre for zone in LAYOUT.zones]
    before = np.array(calibration().to_picture(places))
    truth = cv2.perspectiveTransform(before[None], through)[0]
    assert np.abs(np.array(last.calibration.to_picture(places)) - truth).max() < 3
    assert last.pixels == pytest.approx(np.median(np.linalg.norm(truth - before, axis=1)), rel=0.9, abs=3)
    # It was taken over: the camera stands still again, as calibrated anew.
    assert watching.calibration == last.calibration
    assert watching.check(shot(lamp(image), 30)).state == "still"


def test_without_markers_the_background_proposes_where_the_felt_went() -> None:
    watching = watch(markers=False)
    image, through = pushed(dealt(False), right=-20, down=7)
    stances = [watching.check(shot(lamp(image), seed)) for seed in range(3)]
    last = stances[-1]
    assert last.state == "moved" and last.calibration is None and last.proposed is not None
    assert "calibrate again, or put it back" in last.message
    places = [zone.shape.centre for zone in LAYOUT.zones]
    truth = cv2.perspectiveTransform(np.array([calibration(False).to_picture(places)]), through)[0]
    assert np.abs(np.array(last.proposed.to_picture(places)) - truth).max() < 3
    # It stays said until somebody acts, and putting the camera back ends it.
    again = shot(lamp(image), 4)
    assert [watching.check(again).state for _ in range(5)] == ["moved"] * 5
    assert watching.check(shot(lamp(dealt(False)), 40)).state == "still"


def test_a_lens_that_hunts_for_a_moment_is_no_moved_camera() -> None:
    watching = watch()
    hunting, _ = pushed(dealt(), zoom=1.02)
    states = [
        watching.check(shot(lamp(image), k)).state for k, image in enumerate((dealt(), hunting, hunting, dealt()))
    ]
    assert states == ["still", "moving", "moving", "still"]


def test_while_it_is_being_moved_no_verdict_is_given() -> None:
    watching = watch()
    states = [watching.check(shot(lamp(pushed(dealt(), right=12.0 * k)[0]), k)).state for k in range(1, 6)]
    assert set(states) == {"moving"}


def test_a_felt_that_slid_under_a_still_camera_is_noticed() -> None:
    """The room stands still and every marker lies elsewhere."""
    eye = camera(LAYOUT, SIZES["720p"], 45, 90)
    for by in (15.0, 70.0):
        slid = np.array([[1, 0, by], [0, 1, by / 2], [0, 0, 1]])
        through = eye.homography @ slid @ np.linalg.inv(eye.homography)
        size = (WIDTH, HEIGHT)
        mask = np.zeros((HEIGHT, WIDTH), np.uint8)
        outline = cv2.perspectiveTransform(eye.project(LAYOUT.felt.outline)[None].astype(np.float64), through)[0]
        cv2.fillPoly(mask, [np.round(outline).astype(np.int32)], 1)
        image = np.where(mask[..., None] > 0, cv2.warpPerspective(table(), through, size), table())
        watching = watch()
        frame = shot(lamp(image), 3)
        stances = [watching.check(frame) for _ in range(3)]
        assert [s.state for s in stances] == ["moving", "moving", "moved"]
        assert stances[-1].what == "felt" and stances[-1].calibration is not None
        assert stances[-1].mm == pytest.approx(np.hypot(by, by / 2), rel=0.25)


def test_markers_taken_away_are_no_moved_felt() -> None:
    watching, bare = watch(), shot(lamp(table(False)), 1)
    assert [watching.check(bare).state for _ in range(7)] == ["still"] * 7


def test_one_marker_that_was_nudged_is_no_moved_felt() -> None:
    first, *others = LAYOUT.markers
    nudged = replace(LAYOUT, markers=(replace(first, centre=(first.centre[0] + 14, first.centre[1])), *others))
    image = shot(lamp(empty_table(nudged, camera(LAYOUT, SIZES["720p"], 45, 90))), 2)
    assert [watch().check(image).state for _ in range(4)] == ["still"] * 4


@pytest.mark.parametrize("shade", [0, 3, 255])
def test_a_covered_lens_is_unsure_and_no_move(shade: int) -> None:
    watching = watch()
    stances = [watching.check(shot(np.full((HEIGHT, WIDTH, 3), shade, np.uint8), seed)) for seed in range(4)]
    assert {s.state for s in stances} == {"unsure"}
    assert watching.check(shot(lamp(dealt()), 9)).state == "still"


def test_a_bare_cloth_that_fills_the_picture_cannot_be_told_from_itself() -> None:
    noise = shot(np.full((HEIGHT, WIDTH, 3), 90, np.uint8), 1)
    watching = CameraWatch(LAYOUT, calibration(), noise)
    assert not watching.can_tell and watching.check(noise).state == "unsure"


def test_another_resolution_is_the_same_camera_and_another_shape_is_not() -> None:
    watching = watch()
    larger = np.asarray(cv2.resize(shot(lamp(dealt()), 3), (1920, 1080)), np.uint8)
    assert watching.check(larger).state == "still"
    told = watching.check(np.asarray(cv2.resize(larger, (640, 480)), np.uint8))
    assert told.state == "moved" and "now gives 640 x 480 pixels" in told.message
    with pytest.raises(CalibrationError):
        CameraWatch(LAYOUT, calibration(), np.zeros((480, 640, 3), np.uint8))
