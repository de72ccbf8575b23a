"""How the camera stands to the felt: a calibration kept from one evening to the next, and made again by itself."""

from __future__ import annotations

import contextlib
import json
import logging
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike

from advisor.table.words import sentence
from vision.felt import (
    Calibration,
    CalibrationError,
    CameraWatch,
    ForeignMarkersError,
    Layout,
    LayoutError,
    MislaidMarkersError,
    calibrate_corners,
    calibrate_markers,
    load_layout,
)
from vision.felt.solving import carried
from vision.printed import without_printed
from vision.sightings import Point, Quad, Reading
from vision.sources.values import Image

log = logging.getLogger(__name__)
EVERY: Final = 1.0
"""Seconds between looks at whether the camera was moved, and, without a calibration, between looks for markers."""
SAID: Final = 30.0
"""Seconds for which it is said that the camera was pushed."""
PATIENCE: Final = 5.0
"""Seconds without a calibration after which it is said; a hand over the markers is gone sooner."""
PUSHED: Final = "The camera was moved; the cards were followed"


class FeltView:
    """The layout in use and the calibration to it. Usable from any thread."""

    def __init__(self, kept: Path | None = None) -> None:
        """`kept` is the file in which calibrations by corners are kept; None for none."""
        self._kept, self._lock = kept, threading.RLock()
        self._layout: Layout | None = None
        self._calibration: Calibration | None = None
        self._watch: CameraWatch | None = None
        self._looked_at = -1e9
        self._trouble = self._pushed = ""
        self._pushed_at = -1e9
        self._missing, self._missing_since, self._foreign_at = "", 0.0, -1e9

    @property
    def notice(self) -> str:
        """Why the felt has not been found for some seconds and what to do, as sentences; empty where it is known."""
        known = self._layout is None or self._calibration is not None
        lasts = time.monotonic() - self._missing_since >= PATIENCE
        return self._missing if lasts and not known and not self._trouble else ""

    @property
    def message(self) -> str:
        """What was last found out about the camera's place, as a sentence; empty where all is as it was."""
        recently = time.monotonic() - self._pushed_at < SAID
        return self._trouble or (self._pushed if recently else "")

    @property
    def layout(self) -> Layout | None:
        """The felt, if one was chosen."""
        return self._layout

    @property
    def calibration(self) -> Calibration | None:
        """Where the camera sees it; None until it is known."""
        return self._calibration

    def use(self, name: str) -> None:
        """Take the layout of this name or file, or (empty) none; raises `LayoutError`."""
        with self._lock:
            if (self._layout.name if self._layout else "") == name:
                return
            self._layout = load_layout(name) if name else None
            self._calibration = self._read() if self._layout else None
            self._begin_anew()

    def scaled(self, width: int, height: int) -> Calibration | None:
        """The calibration for pictures of this size; None where there is none, or it was made for other proportions."""
        with self._lock:
            if self._calibration is None:
                return None
            try:
                return self._calibration.scaled(width, height)
            except CalibrationError as error:
                self._trouble = sentence(str(error))
                return None

    def corners(self, width: int, height: int) -> list[Point] | None:
        """Where the layout's handles are in a picture of this size."""
        calibration = self.scaled(width, height)
        if self._layout is None or calibration is None:
            return None
        return list(calibration.to_picture([handle.point for handle in self._layout.handles]))

    def markers(self, width: int, height: int) -> list[Quad]:
        """Where the layout's markers lie in a picture of this size, with their paper; none where that is unknown."""
        calibration = self.scaled(width, height)
        if self._layout is None or calibration is None:
            return []
        quads = (calibration.to_picture(marker.paper.points) for marker in self._layout.markers)
        return [(a, b, c, d) for a, b, c, d in quads if np.isfinite((a, b, c, d)).all()]

    def without_printed(self, reading: Reading) -> Reading:
        """The reading without markers and printed areas taken for cards; as it is without a calibration."""
        calibration = self.scaled(reading.width, reading.height)
        if calibration is None:
            return reading

        def area(quad: Quad) -> float:
            return float(cv2.contourArea(np.array(calibration.to_felt(quad), np.float32)))

        return without_printed(reading, self.markers(reading.width, reading.height), area)

    def drag(self, corners: Sequence[Point] | None, width: int, height: int) -> None:
        """Calibrate by four corners in the picture, or (None) forget the calibration; raises `CalibrationError`."""
        with self._lock:
            if self._layout is None:
                raise CalibrationError("no felt was chosen: choose one first")
            self._calibration = None if corners is None else calibrate_corners(self._layout, corners, width, height)
            self._begin_anew()
            self._write()

    def _begin_anew(self) -> None:
        self._watch, self._trouble, self._pushed = None, "", ""
        self._missing, self._looked_at = "", -1e9

    def look(self, image: Image, at: float) -> bool:
        """See, once in a while, whether the camera was moved; whether the calibration has changed."""
        with self._lock:
            if self._layout is None or at - self._looked_at < EVERY:
                return False
            self._looked_at = at
            if self._calibration is None:
                return self._find_markers(image)
            return self._check(image)

    def pushed(self, moved: ArrayLike, image: Image) -> None:
        """The camera was pushed: `moved` (3 x 3) takes pixels of the pictures before to those of `image`.

        Markers in view calibrate it again; without them the calibration is carried along, which is said.
        """
        with self._lock:
            self._pushed, self._pushed_at = f"{PUSHED}.", time.monotonic()
            if self._layout is None or self._calibration is None:
                return
            before, self._watch = self._calibration, None
            found = self._by_markers(image)
            if found is None or found.rough:
                found = self._along(before, moved, image) or found
            if found is None:
                self._calibration = None
                self._trouble = "The camera was moved: drag the felt’s corners to where they are now."
                return
            self._calibration, self._trouble, self._missing = found, "", ""
            if found.made == "moved":
                self._pushed = f"{PUSHED}, and the felt with them: drag its corners if seats are mistaken."
                self._write()

    @staticmethod
    def _along(before: Calibration, moved: ArrayLike, image: Image) -> Calibration | None:
        """The calibration before taken along with the picture; None where that cannot be."""
        height, width = image.shape[:2]
        try:
            return carried(before.scaled(width, height), np.asarray(moved, np.float64))
        except CalibrationError:
            return None

    def _find_markers(self, image: Image) -> bool:
        found = self._by_markers(image)
        if found is None:
            return False
        self._calibration, self._trouble = found, ""
        return True

    def _by_markers(self, image: Image) -> Calibration | None:
        """The calibration by the markers in view; None where there are none, and what is wrong with them is said."""
        assert self._layout is not None
        if not self._layout.markers:
            self._missed(f"layout {self._layout.name} has no markers: drag the felt’s corners")
            return None
        try:
            found = calibrate_markers(self._layout, image)
        except CalibrationError as error:
            # A table without markers is no fault; a mirrored picture, or markers laid wrongly, is.
            self._trouble = sentence(str(error)) if isinstance(error, MislaidMarkersError) else ""
            self._missed(str(error), foreign=isinstance(error, ForeignMarkersError))
            return None
        self._missing = ""
        return found

    def _missed(self, why: str, *, foreign: bool = False) -> None:
        """Remember why no marker calibrates. It is said only once it lasts: corners may be dragged, or a hand pass."""
        assert self._layout is not None
        now = time.monotonic()
        if not self._missing:
            self._missing_since = now
        if foreign:
            why += f". Or print its own (tableside layout print {self._layout.name}), or drag the felt’s corners"
        # Markers of another felt that are covered for a moment still lie there.
        if foreign or not self._missing or now - self._foreign_at >= PATIENCE:
            self._missing = sentence(why)
        if foreign:
            self._foreign_at = now

    def _check(self, image: Image) -> bool:
        assert self._layout is not None and self._calibration is not None
        try:
            if self._watch is None:
                self._watch = CameraWatch(self._layout, self._calibration, image)
                return False
            stance = self._watch.check(image)
        except CalibrationError as error:
            self._trouble = sentence(str(error))
            return False
        self._trouble = stance.message if stance.state == "moved" else ""
        if stance.calibration is None:
            return False
        self._calibration, self._trouble = stance.calibration, ""
        return True

    def _read(self) -> Calibration | None:
        assert self._layout is not None
        if self._kept is None:
            return None
        with contextlib.suppress(OSError, ValueError, TypeError, AttributeError):
            text = json.loads(self._kept.read_text(encoding="utf-8")).get(self._layout.name)
            return Calibration.from_json(text) if isinstance(text, str) else None
        return None

    def _write(self) -> None:
        """Keep it for the next evening; that it cannot be kept is logged, for tonight it serves all the same."""
        assert self._layout is not None
        if self._kept is None:
            return
        kept: dict[str, str] = {}
        with contextlib.suppress(OSError, ValueError):
            read = json.loads(self._kept.read_text(encoding="utf-8"))
            kept = {str(k): str(v) for k, v in read.items()} if isinstance(read, dict) else {}
        kept.pop(self._layout.name, None)
        if self._calibration is not None:
            kept[self._layout.name] = self._calibration.to_json()
        try:
            self._kept.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=self._kept.parent, delete=False) as file:
                json.dump(kept, file)
            Path(file.name).replace(self._kept)
        except OSError as error:
            log.warning("the calibration could not be kept in %s: %s", self._kept, error)


__all__ = ["FeltView", "LayoutError"]
