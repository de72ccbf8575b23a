"""Noticing that the camera, or the felt, was moved since the calibration; asked about once a second.

A verdict is given once it was the same three times running: a lens that hunts for focus, or a person who fills the
picture for a moment, is no moved camera.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.felt.background import Background, Shift, compare, remember
from vision.felt.calibration import Calibration, CalibrationError
from vision.felt.layout import Layout
from vision.felt.markers import find_markers
from vision.felt.slid import slid, slid_far
from vision.felt.solving import calibrate_seen, carried
from vision.sightings import Point
from vision.sources.values import Image

State = Literal["still", "moving", "moved", "unsure"]
CONFIRM: Final = 3
"""Checks in a row that must agree."""
SAME: Final = 3.0
"""Pixels, at 1920 across, that two checks' movements may differ and still agree; a tenth of the way more is allowed."""
TOLD: Final = 2.5
"""Millimetres on the felt that are worth telling."""
SELDOM: Final = 5
"""Costly searches (for the background or the markers anywhere in the picture) run in one of so many checks."""
ON_FELT: Final = 16
"""Places on the felt itself that must tell of the movement for the calibration to be carried along."""


@dataclass(frozen=True)
class Stance:
    """How camera and felt stand to one another.

    ``still``: as calibrated. ``moving``: something changed, wait. ``moved``: ``what`` moved, by ``pixels`` and by
    ``mm`` on the felt (the median over it), and ``calibration`` is the new one where markers gave it, ``proposed`` one
    to confirm where only the background did. ``unsure``: too little of the background shows, or it is too dark.
    """

    state: State
    what: Literal["camera", "felt"] = "camera"
    pixels: float = 0.0
    mm: float = 0.0
    message: str = ""
    calibration: Calibration | None = None
    proposed: Calibration | None = None


class CameraWatch:
    """Compares pictures with the one that was taken at calibration. Used by one thread."""

    def __init__(self, layout: Layout, calibration: Calibration, reference: Image) -> None:
        self.layout = layout
        self.start(calibration, reference)

    def start(self, calibration: Calibration, reference: Image) -> None:
        """Begin anew from a calibration and a picture taken with it.

        Raises `CalibrationError` where the picture has other proportions than those calibrated.
        """
        height, width = reference.shape[:2]
        self.calibration = calibration.scaled(width, height)
        self._background = remember(reference, [_inside(self.calibration, z) for z in _covered(self.layout)])
        self._since: list[tuple[str, NDArray[np.float64]]] = []
        self._checks = 0
        self._told: tuple[Stance, Background] | None = None

    @property
    def can_tell(self) -> bool:
        """Whether the picture shows enough to hold on to; a bare felt that fills it does not."""
        return self._background.enough

    def check(self, image: Image) -> Stance:
        """How things stand in this picture (H x W x 3, BGR).

        Where markers are in view of a moved camera, the new calibration is taken over by itself.
        """
        if (image.shape[1], image.shape[0]) != self._background.full:
            return self._another_size(image)
        self._checks += 1
        if self._told is not None:
            stance, as_told = self._told
            if self._checks % SELDOM and compare(as_told, image, far=False).state == "still":
                return stance
        shift = self._shift(image)
        if shift.state == "unsure":
            self._since = []
            unsure = Stance("unsure", message="Too little of the background shows to tell whether the camera moved.")
            return unsure if self._told is None else self._told[0]
        places = np.array(self.calibration.to_picture(_places(self.layout)), np.float64)
        after = cv2.perspectiveTransform(places[None], shift.homography)[0]
        what: Literal["camera", "felt"] = "camera"
        if shift.state == "still" or self._millimetres(places, after) < TOLD:
            under = self._slid(image)
            if under is None:
                self._since, self._told = [], None
                return Stance("still")
            there = cv2.perspectiveTransform(np.array([_places(self.layout)]), under)[0]
            what, after = "felt", np.array(self.calibration.to_picture([(float(x), float(y)) for x, y in there]))
        self._since = [*self._since[1 - CONFIRM :], (what, after)]
        pixels = float(np.nanmedian(np.linalg.norm(after - places, axis=1)))
        mm = self._millimetres(places, after)
        if len(self._since) < CONFIRM or not self._agree(pixels):
            return Stance("moving", what, pixels, mm, f"The {what} seems to be moving.")
        return self._tell(Stance("moved", what, pixels, mm), image, shift)

    def _shift(self, image: Image) -> Shift:
        """How the background lies now, or, where that cannot be seen, how the markers do."""
        thoroughly = bool(self._since) or self._checks % SELDOM == 1
        shift = compare(self._background, image, far=thoroughly)
        if shift.state != "unsure" or not thoroughly:
            return shift
        height, width = image.shape[:2]
        try:
            found = calibrate_seen(self.layout, find_markers(image), width, height)
        except CalibrationError:
            return shift
        return shift if found.rough else Shift("moved", np.array(found.matrix) @ np.linalg.inv(self.calibration.matrix))

    def _tell(self, stance: Stance, image: Image, shift: Shift) -> Stance:
        """The verdict, with a new calibration where one can be had, which is then taken over."""
        said = f"The {stance.what} was moved by about {stance.mm:.0f} mm ({stance.pixels:.0f} pixels)"
        height, width = image.shape[:2]
        try:
            found = calibrate_seen(self.layout, find_markers(image), width, height)
        except CalibrationError:
            found = None
        proposed = self._carried(shift) if stance.what == "camera" else None
        if found is not None and not (found.rough and proposed is not None):
            self.start(found, image)
            return replace(stance, calibration=found, message=f"{said}; calibrated again from {_markers(found)}.")
        told = replace(stance, proposed=proposed, message=f"{said}: calibrate again, or put it back.")
        self._told = (told, remember(image))
        return told

    def _another_size(self, image: Image) -> Stance:
        try:
            self.calibration.scaled(image.shape[1], image.shape[0])
        except CalibrationError as trouble:
            return Stance("moved", message=f"{str(trouble)[0].upper()}{str(trouble)[1:]}.")
        full = self._background.full
        resized = cv2.resize(image, full, interpolation=cv2.INTER_AREA)
        return self.check(np.asarray(resized, np.uint8))

    def _millimetres(self, places: NDArray[np.float64], after: NDArray[np.float64]) -> float:
        """How far the felt's places seem to have gone, measured on the felt as it was calibrated: their median."""
        there = np.array(self.calibration.to_felt([(float(x), float(y)) for x, y in after]))
        here = np.array(self.calibration.to_felt([(float(x), float(y)) for x, y in places]))
        off = np.linalg.norm(there - here, axis=1)
        # A movement that takes the felt above its own horizon has no length in millimetres: the felt's size stands in.
        return float(np.median(np.nan_to_num(off, nan=max(self.layout.size))))

    def _agree(self, pixels: float) -> bool:
        kinds = {kind for kind, _ in self._since}
        newest = self._since[-1][1]
        limit = SAME * max(1.0, self._background.full[0] / 1920) + 0.1 * pixels
        offs = [float(np.nanmedian(np.linalg.norm(newest - one, axis=1))) for _, one in self._since]
        return len(kinds) == 1 and max(offs) <= limit

    def _slid(self, image: Image) -> NDArray[np.float64] | None:
        """How the felt slid under a camera that stands still, as a map of its millimetres; None where it did not."""
        if len(self.calibration.markers) < 2:
            return None
        near, found = slid(image, self.layout, self.calibration, self.calibration.error_mm)
        if near is not None or found:
            return near
        # None in or near its place: covered, taken away, or gone with the felt.
        if self._since or self._checks % SELDOM == 1:
            return slid_far(find_markers(image), self.layout, self.calibration)
        return None

    def _carried(self, shift: Shift) -> Calibration | None:
        """The calibration carried along with what moved on the felt itself; None where too little there tells."""
        if shift.before is None or shift.after is None:
            return None
        felt = np.array(self.calibration.to_picture([(float(x), float(y)) for x, y in self.layout.felt.outline]))
        if not np.isfinite(felt).all():
            return None
        outline = felt.astype(np.float32)
        on = [cv2.pointPolygonTest(outline, (float(x), float(y)), False) >= 0 for x, y in shift.before]
        if sum(on) < ON_FELT:
            return None
        found, kept = cv2.findHomography(shift.before[on], shift.after[on], cv2.USAC_MAGSAC, 3.0)
        if found is None or kept is None or kept.sum() < ON_FELT:
            return None
        return carried(self.calibration, np.asarray(found, np.float64))


def _covered(layout: Layout) -> Sequence[NDArray[np.float32]]:
    """The insides of all zones, where cards and chips come and go; what is printed round them stays."""
    inner = []
    for zone in layout.zones:
        middle = np.array(zone.shape.centre, np.float32)
        inner.append(np.asarray(middle + 0.92 * (zone.shape.outline - middle), np.float32))
    return inner


def _inside(calibration: Calibration, outline: NDArray[np.float32]) -> NDArray[np.float32]:
    points = np.array(calibration.to_picture([(float(x), float(y)) for x, y in outline]), np.float32)
    return points if np.isfinite(points).all() else np.zeros((0, 2), np.float32)


def _places(layout: Layout) -> list[Point]:
    """Places over all of the felt."""
    width, depth = layout.size
    grid = [(width * (u - 0.5), depth * v) for u in (0.15, 0.5, 0.85) for v in (0.2, 0.5, 0.8)]
    return [p for p in grid if layout.felt.contains(p)]


def _markers(calibration: Calibration) -> str:
    count = len(calibration.markers)
    return "one marker (roughly)" if count == 1 else f"{count} markers"
