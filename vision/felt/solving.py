"""Finding where the camera sees the felt: from four dragged places, any pairs of points, or printed markers.

Everything is fitted on the felt, in millimetres: a marker laid down by hand is off by some millimetres wherever it
lies, while a pixel is worth few near the camera and many far from it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from math import isfinite
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.felt.calibration import (
    Calibration,
    CalibrationError,
    ForeignMarkersError,
    Made,
    Matrix,
    MislaidMarkersError,
    matrix,
    straightened,
)
from vision.felt.layout import Layout, Marker
from vision.felt.markers import SeenMarker, find_markers
from vision.sightings import Point
from vision.sources.values import Image

Floats = NDArray[np.float64]
TOLERANCE: Final = 25.0
"""Millimetres that a point may be off and still count as right."""
BY_HAND, BY_EYE = 2.0, 0.3
"""Pixels, at 1920 across, that a person's drag and a marker's corner are off (one standard deviation)."""
LAID: Final = 3.0
"""Millimetres that a sheet laid down with a tape is off (one standard deviation)."""
SHAPE: Final = 0.8
"""Millimetres that a marker's corners may lie off its own shape, beside what a pixel is worth there."""
BEND_STEP: Final = 0.04
BENDS: Final = tuple(BEND_STEP * k for k in (-1, -2, -3, -4, -5, -6, 1, 2))
"""Lenses tried where straight ones do not fit: from a strong barrel to a slight cushion."""
MARKERS_FOR_BEND: Final = 4
WORTH: Final = 0.6
"""A bent lens must show the markers' shapes so much more truly than a straight one to be believed."""
TRIALS: Final = 40
"""Random errors tried to learn how far places on the felt are likely to be off."""
USELESS: Final = 0.35
"""Share of the felt's size: places less certain than this say nothing."""
BEYOND: Final = 2.0
"""How many picture sizes outside the picture a place may be dragged."""


def calibrate_corners(layout: Layout, corners: Sequence[Point], width: int, height: int) -> Calibration:
    """From the four places of ``layout.handles``, in that order, in pixels of a ``width`` x ``height`` picture.

    Raises `CalibrationError` where they are crossed, in line, or show the felt mirrored.
    """
    if len(corners) != 4:
        raise CalibrationError(f"there are {len(corners)} corners: drag all four of them")
    felt = [handle.point for handle in layout.handles]
    return _from_pairs(layout, corners, felt, width, height, "corners")


def calibrate_points(
    layout: Layout, pairs: Sequence[tuple[Point, Point]], width: int, height: int, tolerance: float = TOLERANCE
) -> Calibration:
    """From four or more pairs of (pixels, millimetres); of more than four, some may be wrong.

    Raises `CalibrationError` where too few agree within ``tolerance`` millimetres, or they lie in line, crossed or
    mirrored.
    """
    return _from_pairs(layout, [p for p, _ in pairs], [q for _, q in pairs], width, height, "points", tolerance)


def calibrate_markers(layout: Layout, image: Image) -> Calibration:
    """From the layout's printed markers in a picture (H x W x 3, BGR).

    One marker gives a rough calibration, each further one a better. Raises `CalibrationError` where none of the
    layout's is in view, or those in view lie elsewhere than the layout says.
    """
    height, width = image.shape[:2]
    seen = find_markers(image)
    if not any(s.id == m.id for s in seen for m in layout.markers):
        mirrored = find_markers(np.asarray(cv2.flip(image, 1), np.uint8))
        if any(s.id == m.id for s in mirrored for m in layout.markers):
            raise MislaidMarkersError("the picture is mirrored: switch off mirroring in the camera or its program")
    return calibrate_seen(layout, seen, width, height)


def calibrate_seen(layout: Layout, seen: Sequence[SeenMarker], width: int, height: int) -> Calibration:
    """The same from markers that were found already, in pixels of a ``width`` x ``height`` picture."""
    known = {marker.id: marker for marker in layout.markers}
    used = [s for s in seen if s.id in known]
    if not used:
        raise _none_in_view(layout, seen)
    fits, bend = _fitting(used, known, width, height)
    if 2 * len(fits) <= len(used) and len(used) > 1:
        names = ", ".join(str(s.id) for s in used)
        raise MislaidMarkersError(
            f"markers {names} do not lie as layout {layout.name} says: compare them with its plan "
            f"(tableside layout show {layout.name}), each with its arrow towards the dealer"
        )
    seen_at = np.array([p for s in fits for p in s.corners], np.float64)
    pixels = straightened(seen_at, bend, width, height)
    felt = np.array([p for s in fits for p in known[s.id].corners], np.float64)
    ids, apart = tuple(s.id for s in fits), tuple(s.id for s in used if s not in fits)
    return _made(layout, _fit(pixels, felt), pixels, felt, (width, height), "markers", ids, apart, bend)


def _none_in_view(layout: Layout, seen: Sequence[SeenMarker]) -> CalibrationError:
    if not layout.markers:
        none = f"layout {layout.name} has no markers"
        return CalibrationError(
            f"{none}: drag the corners, or add [markers] to its file",
            f"{none} to find its places by: add [markers] to its file, or name the spot in pixels, without --layout",
        )
    if seen:
        others = ", ".join(str(s.id) for s in seen)
        return ForeignMarkersError(
            f"the markers in view ({others}) belong to another layout than {layout.name}: choose that one"
        )
    none = (
        f"none of the markers of layout {layout.name} is in view: print them (tableside layout print {layout.name}), "
        "lay one down flat with all of its white rim showing"
    )
    return CalibrationError(f"{none}, or drag the corners", none)


def _fitting(
    used: Sequence[SeenMarker], known: dict[int, Marker], width: int, height: int
) -> tuple[list[SeenMarker], float]:
    """The most markers that agree with one another, more than half of them (none where there are no such), and how
    the lens bends.

    A homography bends to a marker that lies elsewhere, and hides it. But then it shows the markers with wrong shapes,
    and their shape is as sure as print.
    """
    felt = {s.id: np.array(known[s.id].corners, np.float64) for s in used}

    def straight(some: Sequence[SeenMarker], bend: float) -> list[Floats]:
        return [straightened(np.array(s.corners, np.float64), bend, width, height) for s in some]

    for left_out in range((len(used) + 1) // 2):
        for bends in ((0.0,), BENDS):
            if bends is BENDS and len(used) - left_out < MARKERS_FOR_BEND:
                continue
            kept = [
                (_misfit(straight(some, bend), [felt[s.id] for s in some])[0], k, bend, some)
                for k, some in enumerate(combinations(used, len(used) - left_out))
                for bend in bends
            ]
            misfit, _, bend, best = min(kept)
            if misfit <= 1:
                return list(best), _bend(best, straight, felt, bend)
    return [], 0.0


def _bend(
    some: Sequence[SeenMarker],
    straight: Callable[[Sequence[SeenMarker], float], list[Floats]],
    felt: dict[int, Floats],
    bend: float,
) -> float:
    """The lens's bend that shows the markers most truly; 0 where that is hardly better than none."""
    if len(some) < MARKERS_FOR_BEND:
        return bend
    true = [felt[s.id] for s in some]
    none = _misfit(straight(some, 0.0), true)[1]
    low, high = bend - BEND_STEP, bend + BEND_STEP
    for _ in range(18):
        one, other = low + (high - low) / 3, high - (high - low) / 3
        if _misfit(straight(some, one), true)[1] < _misfit(straight(some, other), true)[1]:
            high = other
        else:
            low = one
    best = (low + high) / 2
    return best if _misfit(straight(some, best), true)[1] < WORTH * none else bend


def _misfit(pixels: list[Floats], felt: list[Floats]) -> tuple[float, float]:
    """How badly markers fit together, each given by its four corners: above 1 they do not.

    And by how many millimetres their corners lie off their shapes, root mean square.
    """
    back = _fit(np.concatenate(pixels), np.concatenate(felt))
    if back is None:
        return float("inf"), float("inf")
    worst, squares = 0.0, 0.0
    for seen, true in zip(pixels, felt, strict=True):
        moved, _ = _project(back, seen)
        shift = (moved - true).mean(axis=0)
        off = np.linalg.norm(moved - true - shift, axis=1)
        shape, squares = float(off.max()), squares + float((off**2).mean())
        side = float(np.linalg.norm(np.roll(seen, 1, axis=0) - seen, axis=1).min())
        pixel = float(np.linalg.norm(true[1] - true[0])) / max(side, 1e-6)
        worst = max(worst, shape / (SHAPE + 3 * BY_EYE * pixel), float(np.linalg.norm(shift)) / TOLERANCE)
    return worst, float(np.sqrt(squares / len(pixels)))


def _from_pairs(
    layout: Layout,
    pixels: Sequence[Point],
    felt: Sequence[Point],
    width: int,
    height: int,
    made: Made,
    tolerance: float = TOLERANCE,
) -> Calibration:
    if len(pixels) < 4:
        raise CalibrationError(f"there are {len(pixels)} points: four or more are needed")
    for x, y in pixels:
        if not (isfinite(x) and isfinite(y)) or max(abs(x / width - 0.5), abs(y / height - 0.5)) > BEYOND + 0.5:
            raise CalibrationError(f"({x}, {y}) is no place in or near a picture of {width} x {height} pixels")
    for x, y in felt:
        if not (isfinite(x) and isfinite(y)):
            raise CalibrationError(f"({x}, {y}) is no place on the felt: give millimetres")
    p, q = np.array(pixels, np.float64), np.array(felt, np.float64)
    for points, where in ((p, "in the picture"), (q, "on the felt")):
        if _in_line(points):
            raise CalibrationError(
                f"the points lie on one line or on one another {where}: choose four that span the felt"
            )
    good = np.ones(len(p), bool)
    if len(p) > 4:
        found, _ = cv2.findHomography(p, q, cv2.USAC_MAGSAC, tolerance, maxIters=5000, confidence=0.999)
        good = np.zeros(len(p), bool) if found is None else _off(np.asarray(found, np.float64), p, q) <= tolerance
        if int(good.sum()) < 4 or 2 * int(good.sum()) <= len(p):
            raise CalibrationError(
                f"the points do not fit one another: fewer than half of the {len(p)} agree within {tolerance:.0f} mm"
            )
    return _made(layout, _fit(p[good], q[good]), p[good], q[good], (width, height), made)


def _made(
    layout: Layout,
    back: Floats | None,
    pixels: Floats,
    felt: Floats,
    size: tuple[int, int],
    made: Made,
    markers: tuple[int, ...] = (),
    misplaced: tuple[int, ...] = (),
    bend: float = 0.0,
) -> Calibration:
    """The calibration whose map from (straightened) pixels to millimetres is ``back``, or a refusal."""
    trouble = "the points lie too close together or to one line to say where the felt is: spread them over the felt"
    if back is None or not np.isfinite(back).all() or abs(np.linalg.det(back)) < 1e-18:
        raise CalibrationError(trouble)
    forth = _turned(back, felt)
    thirds = np.column_stack([felt, np.ones(len(felt))]) @ forth[2]
    if (thirds <= 0).any():
        raise CalibrationError(
            "the points are crossed: two of them are swapped, or one lies between the others; "
            "go clockwise from the dealer's right hand"
        )
    if np.linalg.det(forth) < 0:
        raise CalibrationError(
            "the felt would be mirrored: go round the other way (clockwise, from the dealer's right hand), "
            "and switch off mirroring of the camera's picture"
        )
    # So scaled that the values stay readable: the third value is 1 in the middle of the points.
    forth /= np.array([*felt.mean(axis=0), 1.0]) @ forth[2]
    spread = _spread(layout, forth, pixels, felt, made, size)
    if spread > USELESS * max(layout.size):
        raise CalibrationError(trouble)
    error = float(np.sqrt((_off(back, pixels, felt) ** 2).mean())) if len(pixels) > 4 else 0.0
    return Calibration(
        layout.name, matrix(forth), *size, made, round(error, 3), round(spread, 2), markers, misplaced, round(bend, 4)
    )


def _spread(layout: Layout, forth: Floats, pixels: Floats, felt: Floats, made: Made, size: tuple[int, int]) -> float:
    """How far places on the felt are likely to be off, millimetres root mean square, where the camera sees them."""
    places = np.array([[p] for p in _spots(layout)], np.float64).reshape(-1, 2)
    seen, ahead = _project(forth, places)
    inside = ahead & (seen >= 0).all(axis=1) & (seen <= np.array(size)).all(axis=1)
    if not inside.any():
        inside = ahead
    rng = np.random.default_rng(20)
    by_marker = made == "markers"
    noise = (BY_EYE if by_marker else BY_HAND) * max(1.0, max(size) / 1920)
    squares: list[float] = []
    for _ in range(TRIALS):
        shaken = pixels + rng.normal(0, noise, pixels.shape)
        # A marker's sheet is off as a whole.
        laid = np.repeat(rng.normal(0, LAID, (len(felt) // 4, 2)), 4, axis=0) if by_marker and len(felt) > 4 else 0.0
        back = _fit(shaken, felt + laid)
        if back is None:
            return float("inf")
        off = _off(back, seen[inside], places[inside])
        squares.append(float(np.nan_to_num(off**2, nan=1e9, posinf=1e9).mean()))
    # The median trial: one wild one in forty must not decide.
    return float(np.sqrt(np.median(squares)))


def _spots(layout: Layout) -> list[Point]:
    """Places worth knowing: the middles of the zones, or the felt's own outline where it has none."""
    zones = [zone.shape.centre for zone in layout.zones]
    return zones or [(float(x), float(y)) for x, y in layout.felt.outline]


def _fit(pixels: Floats, felt: Floats) -> Floats | None:
    """The homography from pixels to millimetres by least squares; None where there is none."""
    if len(pixels) == 4:
        return np.asarray(cv2.getPerspectiveTransform(pixels.astype(np.float32), felt.astype(np.float32)), np.float64)
    found, _ = cv2.findHomography(pixels, felt, 0)
    return None if found is None else np.asarray(found, np.float64)


def _turned(back: Floats, felt: Floats) -> Floats:
    """The inverse, with the sign that makes the first point lie before the camera."""
    forth = np.linalg.inv(back)
    sign = np.sign(np.array([felt[0, 0], felt[0, 1], 1.0]) @ forth[2])
    return np.asarray(forth * (sign or 1.0), np.float64)


def _project(homography: Floats, points: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    p = np.column_stack([points, np.ones(len(points))]) @ homography.T
    with np.errstate(divide="ignore", invalid="ignore"):
        return p[:, :2] / p[:, 2:], p[:, 2] > 1e-12


def _off(back: Floats, pixels: Floats, felt: Floats) -> Floats:
    moved, _ = _project(back, pixels)
    return np.asarray(np.linalg.norm(moved - felt, axis=1), np.float64)


def _in_line(points: Floats) -> bool:
    """Whether the points, or three of exactly four, lie nearly on one line."""
    groups = [points] if len(points) > 4 else [np.delete(points, k, axis=0) for k in range(4)]
    for group in groups:
        _, spread, _ = np.linalg.svd(group - group.mean(axis=0))
        if spread[0] < 1e-9 or spread[1] < 0.02 * spread[0]:
            return True
    return False


def carried(calibration: Calibration, moved: Floats) -> Calibration | None:
    """The calibration after the picture of the felt moved by the homography ``moved`` (pixels before to after).

    None where the felt would end up behind the camera or mirrored.
    """
    after = np.asarray(moved, np.float64) @ np.array(calibration.matrix)
    after = after / after[2, 2] if abs(after[2, 2]) > 1e-12 else after
    try:
        found: Matrix = matrix(after)
        return Calibration(
            calibration.layout,
            found,
            calibration.width,
            calibration.height,
            "moved",
            calibration.error_mm,
            calibration.spread_mm,
            bend=calibration.bend,
        )
    except CalibrationError:
        return None
