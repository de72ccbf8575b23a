"""Whether a picture's still background lies where it lay in another picture, whatever moves before it.

Distinct places of the background are followed from the remembered picture into the new one (Lucas and Kanade's optical
flow, forth and back). Hands, cards and people hide some places or drag some along; the rest, if the camera stood still,
has not moved at all. Light is taken out first: only ratios between neighbouring pixels are compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.sources.values import Image

Floats = NDArray[np.float32]
WIDE: Final = 640
"""Pictures are compared at this width."""
ROUND: Final = 15
"""Pixels around a place that are compared."""
GRID: Final = (16, 9)
PER_CELL: Final = 2
"""Places come from all over the picture, so that no one object outvotes the rest."""
BACK: Final = 0.7
"""Pixels that a place may be off when followed forth and back; more means that it was lost."""
ALIKE: Final = 22.0
"""Mean difference of grey levels (light taken out) between a place then and now; more means that it is covered."""
STAYED: Final = 0.55
"""Pixels, at the compared width, that a place may seem to move and still lie where it was."""
FEWEST: Final = 10
"""Places found again that allow a verdict."""
LEAST: Final = 0.12
"""Share of all places that must still lie where they did for the camera to stand still."""
AGREED: Final = 0.5
"""Share of the places found again that must tell of the same movement."""
CELLS_AGREED: Final = 5
"""In so many of the picture's 4 x 3 parts must they lie: a passer-by fills fewer."""
KEYPOINTS: Final = 300
BLANK: Final = 2.0
"""Grey levels: a picture that varies less shows nothing (a lens cap, no light)."""


@dataclass(frozen=True, eq=False)
class Background:
    """What is remembered of a picture: ``places`` (N x 2, pixels at the compared width) and how they look.

    ``full`` is the picture's own size.
    """

    grey: NDArray[np.uint8]
    full: tuple[int, int]
    places: Floats
    far_places: Floats
    far_looks: NDArray[np.uint8]

    @property
    def enough(self) -> bool:
        """Whether there is enough in the picture to hold on to."""
        return len(self.places) >= 2 * FEWEST


@dataclass(frozen=True, eq=False)
class Shift:
    """How the background lies now: ``homography`` takes pixels of the remembered picture to those of the new one.

    ``held`` is the share of the remembered places that were found again.
    """

    state: Literal["still", "moved", "unsure"]
    homography: NDArray[np.float64]
    held: float = 0.0
    before: Floats | None = None
    after: Floats | None = None
    """Where the places found lay and lie, full pixels, N x 2."""


def remember(image: Image, leave_out: Sequence[Floats] = ()) -> Background:
    """The background of a picture (H x W x 3, BGR) but for areas whose outlines, N x 2 pixels, are to be left out."""
    grey = _flat(_small(image))
    scale = grey.shape[1] / image.shape[1]
    mask = np.full(grey.shape, 255, np.uint8)
    for outline in leave_out:
        cv2.fillPoly(mask, [np.round(outline * scale).astype(np.int32).reshape(-1, 1, 2)], 0)
    strength = np.asarray(cv2.cornerMinEigenVal(grey, 7), np.float32)
    # What the sensor's noise and the cloth's fibre make everywhere is nothing to hold on to.
    floor = 6 * float(np.median(strength))
    corners = cv2.goodFeaturesToTrack(grey, 1200, 0.002, 6, mask=mask, blockSize=7)
    found: Floats = np.zeros((0, 2), np.float32) if corners is None else np.asarray(corners, np.float32).reshape(-1, 2)
    at = found.astype(int)
    found = found[strength[at[:, 1], at[:, 0]] > floor]
    keypoints, looks = _orb().detectAndCompute(grey, mask)
    far: Floats = np.array([k.pt for k in keypoints], np.float32).reshape(-1, 2)
    far_looks = np.zeros((0, 32), np.uint8) if looks is None else np.asarray(looks, np.uint8)
    return Background(grey, (image.shape[1], image.shape[0]), _spread_out(found, grey.shape), far, far_looks)


def compare(background: Background, image: Image, far: bool = True) -> Shift:
    """Where the remembered background lies in ``image``, which must have the same size.

    That it lies where it did costs a third of finding where else it lies; with ``far``, it is looked for everywhere.
    """
    none = Shift("unsure", np.eye(3))
    if (image.shape[1], image.shape[0]) != background.full or not background.enough:
        return none
    small = _small(image)
    if float(small.std()) < BLANK:
        return none
    grey = _flat(small)
    scale = image.shape[1] / grey.shape[1]
    here, where, alike = _near(background.grey, grey, background.places)
    stayed = alike & (np.linalg.norm(where - here, axis=1) < STAYED)
    if stayed.sum() >= max(FEWEST, LEAST * len(stayed)) and stayed.sum() >= AGREED * alike.sum():
        return Shift("still", np.eye(3), float(stayed.mean()), here[stayed] * scale, where[stayed] * scale)
    before, after = _followed(background.grey, grey, background.places)
    held = len(before) / len(background.places)
    found = _agreed(before, after, grey.shape)
    if found is None and far:
        # Too far for following: look for the places anywhere in the picture.
        before, after = _recognised(background, grey)
        found = _agreed(before, after, grey.shape, 0.35)
    if found is None:
        return Shift("unsure", np.eye(3), held)
    homography, good = found
    grow = np.diag([scale, scale, 1.0])
    full = grow @ homography @ np.linalg.inv(grow)
    return Shift("moved", full, held, before[good] * scale, after[good] * scale)


def _small(image: Image) -> NDArray[np.uint8]:
    """The picture grey and ``WIDE`` across."""
    height, width = image.shape[:2]
    size = (min(WIDE, width), max(1, round(height * min(WIDE, width) / width)))
    small = image
    while small.shape[1] >= 2 * WIDE:
        # Halving has a short way of its own: seven times as fast as shrinking at once.
        half = (small.shape[1] // 2, small.shape[0] // 2)
        small = np.asarray(cv2.resize(small, half, interpolation=cv2.INTER_AREA), np.uint8)
    grey = small if small.ndim == 2 else cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_LINEAR), np.uint8)


def _flat(grey: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The picture with its light taken out: each pixel against those around it, as a ratio."""
    logs = cv2.LUT(grey, _logs())
    around = cv2.boxFilter(logs, cv2.CV_16S, (31, 31))
    return np.asarray(np.clip(2 * (logs - around) + 128, 0, 255), np.uint8)


@cache
def _logs() -> NDArray[np.int16]:
    """Logarithms of grey levels, 0 to 180; the darkest are squeezed, for there the noise is."""
    levels = np.log((np.arange(256) + 12) / 12)
    return np.asarray(np.round(levels / levels[-1] * 180), np.int16)


def _orb() -> cv2.ORB:
    return cv2.ORB.create(KEYPOINTS, fastThreshold=18)


def _spread_out(points: Floats, shape: tuple[int, ...]) -> Floats:
    """The first, that is the strongest, few of each cell of the picture."""
    columns = np.minimum((points[:, 0] * GRID[0] / shape[1]).astype(int), GRID[0] - 1)
    rows = np.minimum((points[:, 1] * GRID[1] / shape[0]).astype(int), GRID[1] - 1)
    count: dict[int, int] = {}
    keep = []
    for k, cell in enumerate(rows * GRID[0] + columns):
        count[cell] = count.get(cell, 0) + 1
        if count[cell] <= PER_CELL:
            keep.append(k)
    return points[keep]


def _near(old: NDArray[np.uint8], new: NDArray[np.uint8], places: Floats) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """The places before and after, looked for only where they were, and which of them look as they did."""
    start = places.reshape(-1, 1, 2)
    end, found, off = cv2.calcOpticalFlowPyrLK(old, new, start, None, winSize=(ROUND, ROUND), maxLevel=0)  # type: ignore[call-overload]
    return places, np.asarray(end.reshape(-1, 2), np.float32), (found.ravel() > 0) & (off.ravel() < ALIKE)


def _followed(old: NDArray[np.uint8], new: NDArray[np.uint8], places: Floats) -> tuple[Floats, Floats]:
    """The places that were found again, before and after."""
    window = {"winSize": (ROUND, ROUND), "maxLevel": 3}
    start = places.reshape(-1, 1, 2)
    end, found, off = cv2.calcOpticalFlowPyrLK(old, new, start, None, **window)  # type: ignore[call-overload]
    again, found_again, _ = cv2.calcOpticalFlowPyrLK(new, old, end, None, **window)  # type: ignore[call-overload]
    back = np.linalg.norm((again - start).reshape(-1, 2), axis=1)
    good = (found.ravel() > 0) & (found_again.ravel() > 0) & (back < BACK) & (off.ravel() < ALIKE)
    return places[good], np.asarray(end.reshape(-1, 2)[good], np.float32)


def _recognised(background: Background, grey: NDArray[np.uint8]) -> tuple[Floats, Floats]:
    """Places that look like remembered ones wherever they are now."""
    nothing = np.zeros((0, 2), np.float32)
    keypoints, looks = _orb().detectAndCompute(grey, None)
    if looks is None or not len(background.far_looks):
        return nothing, nothing
    matches = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(background.far_looks, looks)
    pairs = [(m.queryIdx, m.trainIdx) for m in matches if m.distance < 48]
    if not pairs:
        return nothing, nothing
    before = background.far_places[[q for q, _ in pairs]]
    return before, np.array([keypoints[t].pt for _, t in pairs], np.float32)


def _agreed(
    before: Floats, after: Floats, shape: tuple[int, ...], share: float = AGREED
) -> tuple[NDArray[np.float64], NDArray[np.bool_]] | None:
    """The one movement that most places tell of, and which do; None where they do not agree."""
    if len(before) < FEWEST:
        return None
    found, kept = cv2.findHomography(before, after, cv2.USAC_MAGSAC, 1.5, maxIters=1000, confidence=0.995)
    if found is None or kept is None:
        return None
    good = kept.ravel() > 0
    if good.sum() < FEWEST or good.mean() < share or _cells(before[good], shape) < CELLS_AGREED:
        return None
    matrix = np.asarray(found, np.float64)
    # A camera that was pushed shows much the same from much the same side: no folding, no large change of size.
    corners = np.array([[[0, 0]], [[shape[1], 0]], [[shape[1], shape[0]]], [[0, shape[0]]]], np.float64)
    moved = cv2.perspectiveTransform(corners, matrix).astype(np.float32)
    if not cv2.isContourConvex(moved) or not 0.3 < cv2.contourArea(moved, True) / (shape[0] * shape[1]) < 3:
        return None
    return matrix, good


def _cells(points: Floats, shape: tuple[int, ...]) -> int:
    columns = np.clip((points[:, 0] * 4 / shape[1]).astype(int), 0, 3)
    rows = np.clip((points[:, 1] * 3 / shape[0]).astype(int), 0, 2)
    return len(set((rows * 4 + columns).tolist()))
