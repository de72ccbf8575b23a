"""Calibration: felt and picture map onto one another, and what cannot be a view of the felt is refused in words."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest
from felt_scene import SIZES, camera, empty_table, lamp, shot, with_cards, with_hand
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.felt import (
    Calibration,
    CalibrationError,
    Layout,
    Marker,
    SeenMarker,
    calibrate_corners,
    calibrate_markers,
    calibrate_points,
    calibrate_seen,
    find_markers,
    layout_names,
    load_layout,
)
from vision.sightings import Point

LAYOUTS = {name: load_layout(name) for name in layout_names()}
SEVEN, ONE = LAYOUTS["seven-seats"], LAYOUTS["one-seat"]
Spoil = Callable[[list[Point]], list[Point]]


def pixels(layout: Layout, points: list[Point], elevation: float = 50, side: float = -90) -> list[Point]:
    seen = camera(layout, SIZES["1080p"], elevation, side).project(np.array(points))
    return [(float(x), float(y)) for x, y in seen]


def corners(layout: Layout, elevation: float = 50, side: float = -90) -> list[Point]:
    return pixels(layout, [h.point for h in layout.handles], elevation, side)


def off(layout: Layout, calibration: Calibration, truth: Callable[[np.ndarray], np.ndarray]) -> float:
    """The largest error over the zones' middles, millimetres."""
    places = np.array([zone.shape.centre for zone in layout.zones])
    found = np.array(calibration.to_felt([(float(x), float(y)) for x, y in truth(places)]))
    return float(np.linalg.norm(found - places, axis=1).max())


@cache
def seven(elevation: float = 50, size: str = "1080p") -> Calibration:
    return calibrate_corners(SEVEN, corners(SEVEN, elevation), *SIZES["1080p"]).scaled(*SIZES[size])


@settings(max_examples=30, deadline=None)
@given(
    elevation=st.floats(25, 90),
    side=st.sampled_from([-90.0, 90.0, -60.0, 120.0]),
    place=st.tuples(st.floats(-900, 900), st.floats(0, 900)),
)
def test_felt_to_picture_and_back_is_where_it_was(elevation: float, side: float, place: Point) -> None:
    """Whatever the camera's place, and at every resolution of the same shape."""
    full = calibrate_corners(SEVEN, corners(SEVEN, elevation, side), *SIZES["1080p"])
    for calibration in (full, full.scaled(1280, 720), full.scaled(3840, 2160)):
        ((x, y),) = calibration.to_felt(calibration.to_picture([place]))
        assert np.hypot(x - place[0], y - place[1]) < 1e-6


@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.parametrize("side", [-90, 90])
def test_four_dragged_places_calibrate_every_felt(name: str, side: int) -> None:
    layout = LAYOUTS[name]
    found = calibrate_corners(layout, corners(layout, 40, side), *SIZES["1080p"])
    assert off(layout, found, camera(layout, SIZES["1080p"], 40, side).project) < 0.05
    assert found.made == "corners" and 0.3 < found.spread_mm < 20 and not found.rough


def test_the_spread_tells_what_shaky_hands_cost() -> None:
    """The figure shown to the host is about the error that a drag of two pixels really makes."""
    rng, truth = np.random.default_rng(4), camera(SEVEN, SIZES["1080p"], 40).project
    places = np.array([zone.shape.centre for zone in SEVEN.zones])
    errors, told = [], []
    for _ in range(30):
        dragged = [(x + rng.normal(0, 2), y + rng.normal(0, 2)) for x, y in corners(SEVEN, 40)]
        found = calibrate_corners(SEVEN, dragged, *SIZES["1080p"])
        seen = [(float(x), float(y)) for x, y in truth(places)]
        errors.append(np.sqrt((np.linalg.norm(np.array(found.to_felt(seen)) - places, axis=1) ** 2).mean()))
        told.append(found.spread_mm)
    assert 0.5 < np.median(errors) / np.median(told) < 2


CROSSED: list[tuple[str, Spoil, str]] = [
    ("two swapped", lambda c: [c[1], c[0], c[2], c[3]], "crossed"),
    ("other way round", lambda c: [c[1], c[0], c[3], c[2]], "mirrored"),
    ("mirrored picture", lambda c: [(1919 - x, y) for x, y in c], "mirrored"),
    (
        "one inside",
        lambda c: [c[0], c[1], c[2], ((c[0][0] + c[1][0] + c[2][0]) / 3, (c[0][1] + c[2][1]) / 2)],
        "crossed",
    ),
    ("in line", lambda c: [(100.0 * k, 50.0 * k) for k in range(4)], "one line"),
    ("three in line", lambda c: [(0, 0), (500, 10), (1000, 20), (400, 600)], "one line"),
    ("one place", lambda c: [(500.0, 500.0)] * 4, "one line or on one another"),
    ("three", lambda c: c[:3], "drag all four"),
    ("no number", lambda c: [*c[:3], (float("nan"), 3.0)], "no place in or near"),
    ("far away", lambda c: [*c[:3], (90_000.0, 3.0)], "no place in or near"),
]


@pytest.mark.parametrize(("spoil", "said"), [c[1:] for c in CROSSED], ids=[c[0] for c in CROSSED])
def test_corners_that_show_no_felt_are_refused_with_the_reason(spoil: Spoil, said: str) -> None:
    with pytest.raises(CalibrationError, match=said):
        calibrate_corners(ONE, spoil(corners(ONE)), *SIZES["1080p"])


def test_of_many_points_the_wrong_ones_are_left_out() -> None:
    places = [(float(x), float(y)) for x in (-800, -400, 0, 400, 800) for y in (50, 300)]
    pairs = list(zip(pixels(SEVEN, places), places, strict=True))
    wrong = [((x + 150, y), q) if k in (2, 7, 8) else ((x, y), q) for k, ((x, y), q) in enumerate(pairs)]
    found = calibrate_points(SEVEN, wrong, *SIZES["1080p"])
    assert off(SEVEN, found, camera(SEVEN, SIZES["1080p"], 50).project) < 0.1
    with pytest.raises(CalibrationError, match="do not fit one another"):
        rng = np.random.default_rng(1)
        calibrate_points(SEVEN, [((p[0], float(rng.uniform(0, 1000))), q) for p, q in pairs], *SIZES["1080p"])


def test_what_lies_above_the_horizon_is_no_place_on_the_felt() -> None:
    low = calibrate_corners(SEVEN, corners(SEVEN, 25), *SIZES["1080p"])
    (above, below) = low.to_felt([(960.0, -2000.0), (960.0, 540.0)])
    assert np.isnan(above).all() and np.isfinite(below).all()
    assert SEVEN.zone_at(above) is None and SEVEN.spot_of([above] * 4) is None


def test_a_pixel_covers_more_felt_far_away() -> None:
    low = calibrate_corners(SEVEN, corners(SEVEN, 30), *SIZES["1080p"])
    far, near = low.mm_per_pixel((0.0, 50.0)), low.mm_per_pixel((0.0, 850.0))
    assert far > near > 0.5


def test_another_shape_of_picture_is_refused() -> None:
    with pytest.raises(CalibrationError, match="calibrated at 1920 x 1080 and now gives 640 x 480"):
        seven().scaled(640, 480)


def test_a_kept_calibration_comes_back_the_same() -> None:
    kept = replace(seven(), markers=(10, 12), misplaced=(11,))
    assert Calibration.from_json(kept.to_json()) == kept


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("version", 2),
        ("width", "1920"),
        ("width", 0),
        ("height", True),
        ("made", "guessed"),
        ("layout", 7),
        ("error_mm", -1),
        ("spread_mm", float("nan")),
        ("matrix", [[1, 0], [0, 1]]),
        ("matrix", [[1, 0, 0], [0, 1, 0], [0, 0, "1"]]),
        ("matrix", [[0, 0, 0]] * 3),
        ("matrix", [[-1, 0, 0], [0, 1, 0], [0, 0, 1]]),
        ("matrix", [[1e400, 0, 0], [0, 1, 0], [0, 0, 1]]),
        ("markers", [1.5]),
        ("markers", "10"),
        ("bend", 3),
        ("extra", 1),
        ("layout", None),
    ],
)
def test_a_kept_calibration_that_was_tampered_with_is_refused(field: str, value: Any) -> None:
    data = json.loads(seven().to_json())
    data[field] = value
    with pytest.raises(CalibrationError):
        Calibration.from_json(json.dumps(data))


@settings(max_examples=50, deadline=None)
@given(
    text=st.text()
    | st.recursive(st.none() | st.floats() | st.text(), lambda s: st.lists(s) | st.dictionaries(st.text(), s)).map(
        json.dumps
    )
)
def test_any_other_text_is_refused_in_words(text: str) -> None:
    with pytest.raises(CalibrationError):
        Calibration.from_json(text)


def view(layout: Layout, size: str, elevation: float, side: float, seed: int = 1, **light: float) -> np.ndarray:
    table = empty_table(layout, camera(layout, SIZES[size], elevation, side))
    return shot(lamp(table, **light), seed)


@pytest.mark.parametrize(
    ("name", "size", "elevation", "side", "light"),
    [
        ("seven-seats", "1080p", 25, -90, {}),
        ("seven-seats", "720p", 25, 90, {}),
        ("five-seats", "720p", 30, -90, {"strength": 0.9, "x": 0.8, "warm": 0.25}),
        ("three-seats", "1080p", 45, 90, {"gain": 0.4}),
        ("kitchen-table", "720p", 90, -90, {"strength": 0.7, "warm": 0.3}),
        ("kitchen-table", "1080p", 35, 120, {}),
    ],
)
def test_markers_calibrate_from_low_and_high_in_any_light(
    name: str, size: str, elevation: float, side: float, light: dict[str, float]
) -> None:
    layout = LAYOUTS[name]
    found = calibrate_markers(layout, view(layout, size, elevation, side, **light))
    assert off(layout, found, camera(layout, SIZES[size], elevation, side).project) < 2.0
    assert found.error_mm < 3 and not found.rough and found.misplaced == ()
    assert len(found.markers) >= len(layout.markers) - 1


def test_noise_blur_movement_and_a_hand_leave_enough_markers() -> None:
    eye = camera(SEVEN, SIZES["1080p"], 45)
    table = with_cards(empty_table(SEVEN, eye), eye, [(590, 240, "AS"), (0, 600, "5H"), (0, 210, "back")])
    image = shot(lamp(with_hand(table, (700, 500), 260)), 3, noise=6, blur=1.1, motion=3)
    found = calibrate_markers(SEVEN, image)
    assert 3 <= len(found.markers) < 7 and off(SEVEN, found, eye.project) < 4


def test_one_marker_gives_a_rough_calibration_and_says_so() -> None:
    seen = find_markers(view(SEVEN, "1080p", 60, -90))
    for one in seen:
        found = calibrate_seen(SEVEN, [one], *SIZES["1080p"])
        assert found.rough and found.markers == (one.id,)
    spreads = [calibrate_seen(SEVEN, seen[:n], *SIZES["1080p"]).spread_mm for n in (1, 2, 4, 6)]
    assert spreads[0] > 3 * spreads[1] and spreads[3] < 5


def moved(layout: Layout, number: int, by: Point) -> Layout:
    """The layout with one marker laid elsewhere on the real table."""
    elsewhere = [
        replace(m, centre=(m.centre[0] + by[0], m.centre[1] + by[1])) if m.id == number else m for m in layout.markers
    ]
    return replace(layout, markers=tuple(elsewhere))


@cache
def one_laid_wrong() -> np.ndarray:
    """The small felt from 60 degrees, its marker 42 a hand's breadth off."""
    return view(moved(ONE, 42, (-100, 0)), "720p", 60, -90)


def test_a_marker_laid_wrong_is_named_and_left_out() -> None:
    found = calibrate_markers(ONE, one_laid_wrong())
    assert found.misplaced == (42,) and found.markers == (40, 41, 43)
    assert off(ONE, found, camera(ONE, SIZES["720p"], 60).project) < 3


def test_two_markers_that_contradict_one_another_are_refused() -> None:
    two = [s for s in find_markers(one_laid_wrong()) if s.id in (40, 42)]
    with pytest.raises(CalibrationError, match="markers 40, 42 do not lie as layout one-seat says"):
        calibrate_seen(ONE, two, *SIZES["720p"])


def test_a_mirrored_picture_another_layout_or_no_marker_is_said() -> None:
    image = view(ONE, "720p", 60, -90)
    with pytest.raises(CalibrationError, match="the picture is mirrored"):
        calibrate_markers(ONE, np.asarray(cv2.flip(image, 1)))
    with pytest.raises(CalibrationError, match=r"\(40, 41, 42, 43\) belong to another layout than seven-seats"):
        calibrate_markers(SEVEN, image)
    with pytest.raises(CalibrationError, match="none of the markers of layout one-seat is in view"):
        calibrate_markers(ONE, np.full((720, 1280, 3), 90, np.uint8))
    with pytest.raises(CalibrationError, match="has no markers: drag the corners"):
        calibrate_markers(replace(ONE, markers=()), image)


def test_who_has_a_picture_alone_is_not_told_to_drag_corners() -> None:
    for layout in (ONE, replace(ONE, markers=())):
        with pytest.raises(CalibrationError) as said:
            calibrate_markers(layout, np.full((120, 160, 3), 128, np.uint8))
        assert "drag the corners" in str(said.value) and "drag" not in said.value.for_a_picture


def test_a_turned_marker_is_known_by_its_corners() -> None:
    turned = replace(ONE, markers=tuple(replace(m, turn=37.0 * k) for k, m in enumerate(ONE.markers)))
    image = view(turned, "720p", 55, -90)
    found = calibrate_markers(turned, image)
    assert found.error_mm < 1 and len(found.markers) == 4
    assert isinstance(turned.markers[1], Marker)


@pytest.mark.parametrize("barrel", [0.0, -0.06, -0.12, -0.25])
def test_a_lens_that_bends_lines_is_taken_out(barrel: float) -> None:
    """Radial distortion as camera makers state it (1 + k r^2, r in focal lengths), not the model that is fitted."""
    width, height = SIZES["1080p"]
    eye, rng = camera(SEVEN, (width, height), 50), np.random.default_rng(6)
    focal, middle = 0.5 * width / np.tan(np.radians(31)), np.array([width / 2, height / 2])

    def through(places: np.ndarray) -> np.ndarray:
        away = (eye.project(places) - middle) / focal
        return np.asarray(middle + focal * away * (1 + barrel * (away**2).sum(axis=1, keepdims=True)))

    seen = []
    for marker in SEVEN.markers:
        a, b, c, d = through(np.array(marker.corners)) + rng.normal(0, 0.2, (4, 2))
        seen.append(SeenMarker(marker.id, (tuple(a), tuple(b), tuple(c), tuple(d))))
    found = calibrate_seen(SEVEN, seen, width, height)
    assert found.misplaced == () and off(SEVEN, found, through) < 3
    assert (found.bend == 0) == (barrel == 0) and found.bend * barrel >= 0
    places = [zone.shape.centre for zone in SEVEN.zones]
    for calibration in (found, found.scaled(1280, 720)):
        back = np.array(calibration.to_felt(calibration.to_picture(places)))
        assert np.abs(back - np.array(places)).max() < 1e-6
