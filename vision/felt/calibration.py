"""Where the camera sees the felt: a frozen map between pixels and millimetres, and keeping it as JSON.

A felt is flat, so one 3 x 3 matrix (a homography) takes its millimetres to pixels, whatever the camera's place. What
lenses bend is taken out by one number (the division model: A. Fitzgibbon, CVPR 2001). `vision.felt.solving` finds both.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from math import isfinite
from typing import Any, Final, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.sightings import Point

Made = Literal["corners", "points", "markers", "moved"]
"""From four dragged places, other pairs of points, printed markers, or an older one carried along with the camera."""
Row = tuple[float, float, float]
Matrix = tuple[Row, Row, Row]
ROUGH: Final = 20.0
"""Millimetres: a calibration less certain than this tells seats apart, but hardly a bet from the cards beside it."""
SAME_SHAPE: Final = 0.01
"""How far two pictures' proportions may differ and still show the same."""
MOST_BEND: Final = 0.4
VERSION: Final = 1


class CalibrationError(ValueError):
    """A calibration that cannot be: the message says what is wrong and what to do.

    ``for_a_picture`` says the same to somebody who has pictures alone, and no page on which corners can be dragged.
    """

    def __init__(self, message: str, for_a_picture: str = "") -> None:
        super().__init__(message)
        self.for_a_picture = for_a_picture or message


class MislaidMarkersError(CalibrationError):
    """The layout's markers are in view, and lie otherwise than it says, or mirrored."""


class ForeignMarkersError(CalibrationError):
    """The markers in view are another layout's."""


@dataclass(frozen=True)
class Calibration:
    """The felt of a layout as a camera's pictures of ``width`` x ``height`` pixels show it.

    ``matrix`` takes felt millimetres to pixels (homogeneous, positive third value before the camera). ``error_mm`` is
    how far the points it was made from are off, root mean square over the felt; 0 where four points fit exactly.
    ``spread_mm`` is how far places on the felt are likely to be off, from how surely such points can be found: the
    figure to show. ``markers`` are the markers used; ``misplaced`` those seen that lie elsewhere than the layout says.
    ``bend`` is how the lens bends straight lines (see `straightened`); below 0 like a barrel, as wide lenses do.
    """

    layout: str
    matrix: Matrix
    width: int
    height: int
    made: Made
    error_mm: float = 0.0
    spread_mm: float = 0.0
    markers: tuple[int, ...] = ()
    misplaced: tuple[int, ...] = ()
    bend: float = 0.0

    def __post_init__(self) -> None:
        for name in ("width", "height"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or not 16 <= value <= 20_000:
                raise CalibrationError(f"{name} cannot be {value!r}: it must be 16 to 20000 pixels")
        if self.made not in get_args(Made):
            raise CalibrationError(f"made cannot be {self.made!r}: it must be one of {', '.join(get_args(Made))}")
        for name in ("error_mm", "spread_mm"):
            value = getattr(self, name)
            if not _is_number(value) or value < 0:
                raise CalibrationError(f"{name} cannot be {value!r}: it must be a number of millimetres, 0 or more")
        if not _is_number(self.bend) or not -MOST_BEND <= self.bend <= MOST_BEND:
            raise CalibrationError(f"bend cannot be {self.bend!r}: it must be {-MOST_BEND} to {MOST_BEND}")
        m = np.array(self.matrix, np.float64) if _is_matrix(self.matrix) else np.zeros((3, 3))
        if not np.isfinite(m).all() or not abs(np.linalg.det(m)) > 1e-12 * max(1.0, float(np.abs(m).max())):
            raise CalibrationError(
                f"matrix cannot be {self.matrix!r}: it must be 3 rows of 3 numbers that can be undone"
            )
        if np.linalg.det(m) < 0:
            raise CalibrationError("matrix shows the felt mirrored: switch off mirroring of the camera's picture")

    @property
    def rough(self) -> bool:
        """Whether it only just tells the seats apart: show more markers, or drag the corners."""
        return self.spread_mm > ROUGH

    def to_felt(self, points: Iterable[Point]) -> tuple[Point, ...]:
        """Pixels to millimetres.

        What lies at or above the horizon is no place on the felt: it comes back as (nan, nan), which lies in no zone.
        """
        moved, ahead = _through(self._to_felt, straightened(_array(points), self.bend, self.width, self.height))
        # The inverse gives (x, y, 1) over the place's distance: a third value above zero is before the camera.
        moved[~ahead] = np.nan
        return tuple((float(x), float(y)) for x, y in moved)

    def to_picture(self, points: Iterable[Point]) -> tuple[Point, ...]:
        """Millimetres to pixels; (nan, nan) for what lies behind the camera."""
        return tuple((float(x), float(y)) for x, y in self.pixels(_array(points)))

    def pixels(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """The same for many points, N x 2."""
        moved, ahead = _through(np.array(self.matrix, np.float64), points)
        moved = bent(moved, self.bend, self.width, self.height)
        moved[~ahead] = np.nan
        return moved

    def mm_per_pixel(self, point: Point) -> float:
        """How many millimetres of felt a pixel covers at this place of the felt, the worse way; nan behind the camera.

        A pixel covers more along the line of sight than across it.
        """
        (x, y), (xa, ya), (xb, yb) = self.to_picture([point, (point[0] + 1, point[1]), (point[0], point[1] + 1)])
        local = np.array([[xa - x, xb - x], [ya - y, yb - y]])
        return float(1 / np.linalg.svd(local, compute_uv=False)[-1]) if np.isfinite(local).all() else float("nan")

    def scaled(self, width: int, height: int) -> Calibration:
        """The same for the camera's pictures in another resolution.

        Raises `CalibrationError` where the proportions differ: a camera crops its picture to change them.
        """
        if (width, height) == (self.width, self.height):
            return self
        if min(width, height) < 1 or abs(width * self.height / (height * self.width) - 1) > SAME_SHAPE:
            raise CalibrationError(
                f"the camera was calibrated at {self.width} x {self.height} and now gives {width} x {height} pixels, "
                "which shows another part of the table: calibrate again, or set the camera back"
            )
        sx, sy = width / self.width, height / self.height
        # Pixel centres are whole numbers: half a pixel lies before the first one.
        grow = np.array([[sx, 0, (sx - 1) / 2], [0, sy, (sy - 1) / 2], [0, 0, 1]])
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        return Calibration(
            **{**values, "matrix": matrix(grow @ np.array(self.matrix)), "width": width, "height": height}
        )

    def to_json(self) -> str:
        """For keeping; `from_json` reads it."""
        return json.dumps({"version": VERSION, **asdict(self)}, sort_keys=True)

    @staticmethod
    def from_json(text: str) -> Calibration:
        """The calibration in a text that `to_json` wrote; raises `CalibrationError` for anything else."""
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as trouble:
            raise CalibrationError(f"the kept calibration is not JSON ({trouble}): calibrate again") from trouble
        if not isinstance(data, dict):
            raise CalibrationError("the kept calibration is not an object: calibrate again")
        return from_data(data)

    @cached_property
    def _to_felt(self) -> NDArray[np.float64]:
        m = np.array(self.matrix, np.float64)
        return np.asarray(np.linalg.inv(m), np.float64)


def from_data(data: Mapping[str, Any]) -> Calibration:
    """The calibration in decoded JSON, every value checked."""
    known = {f.name for f in fields(Calibration)}
    if data.get("version") != VERSION:
        raise CalibrationError(
            f"the kept calibration has version {data.get('version')!r}, not {VERSION}: calibrate again"
        )
    wrong = sorted(set(data) - known - {"version"}) or sorted(known - set(data))
    if wrong:
        raise CalibrationError(
            f"the kept calibration has unknown or missing fields ({', '.join(wrong)}): calibrate again"
        )
    if not isinstance(data["layout"], str):
        raise CalibrationError(f"layout cannot be {data['layout']!r}: it must be a layout's name")
    values = {k: v for k, v in data.items() if k != "version"}
    if not _is_matrix(values["matrix"]):
        raise CalibrationError(f"matrix cannot be {values['matrix']!r}: it must be 3 rows of 3 numbers")
    values["matrix"] = matrix(values["matrix"])
    for name in ("markers", "misplaced"):
        ids = values[name]
        if not isinstance(ids, list | tuple) or not all(isinstance(i, int) and not isinstance(i, bool) for i in ids):
            raise CalibrationError(f"{name} cannot be {ids!r}: it must be a list of whole numbers")
        values[name] = tuple(ids)
    return Calibration(**values)


def matrix(values: ArrayLike) -> Matrix:
    """Three rows of three as a frozen value."""
    a, b, c = ((float(x), float(y), float(z)) for x, y, z in np.asarray(values, np.float64))
    return (a, b, c)


def _is_matrix(value: Any) -> bool:
    rows = value if isinstance(value, list | tuple) else ()
    return len(rows) == 3 and all(
        isinstance(row, list | tuple)
        and len(row) == 3
        and all(isinstance(v, int | float) and not isinstance(v, bool) for v in row)
        for row in rows
    )


def straightened(points: NDArray[np.float64], bend: float, width: int, height: int) -> NDArray[np.float64]:
    """Pixels (N x 2) where a lens that bends nothing would have put them.

    At r from the picture's middle, in halves of its diagonal, they move to r / (1 + bend r^2).
    """
    if bend == 0:
        return points
    middle, half = _lens(width, height)
    away = (points - middle) / half
    return np.asarray(middle + half * away / (1 + bend * (away**2).sum(axis=1, keepdims=True)), np.float64)


def bent(points: NDArray[np.float64], bend: float, width: int, height: int) -> NDArray[np.float64]:
    """The way back: where the camera's own lens puts them; nan where it reaches no such place."""
    if bend == 0:
        return points
    middle, half = _lens(width, height)
    away = (points - middle) / half
    squared = (away**2).sum(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        # r' = r / (1 + b r^2) solved for r, written so that it holds for small r too.
        share = 2 / (1 + np.sqrt(1 - 4 * bend * squared))
    return np.asarray(middle + half * away * share, np.float64)


def _lens(width: int, height: int) -> tuple[NDArray[np.float64], float]:
    return np.array([(width - 1) / 2, (height - 1) / 2]), float(np.hypot(width, height)) / 2


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def _array(points: Iterable[Point]) -> NDArray[np.float64]:
    return np.array([(p[0], p[1]) for p in points], np.float64).reshape(-1, 2)


def _through(
    homography: NDArray[np.float64], points: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The points (N x 2) after a homography, and which lie before the camera."""
    p = np.column_stack([points, np.ones(len(points))]) @ homography.T
    ahead = p[:, 2] > 1e-12
    with np.errstate(divide="ignore", invalid="ignore"):
        return p[:, :2] / p[:, 2:], ahead
