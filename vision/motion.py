"""What changed between shrunken frames, and where: cheap enough for every frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.light import Bands, Grey, bands_between, light_between

Picture = NDArray[np.uint8]
Mask = NDArray[np.bool_]
Box = tuple[int, int, int, int]
"""Left, top, right, bottom; the last two are outside."""
FEW, EXPLAINED = 3, 0.95
"""Bands of light must leave so many pixels fewer that changed, and no more than this share."""


def shrunk(image: Picture, width: int) -> Picture:
    """The frame (H x W x 3, BGR) at ``width``, or a third of its size where that is less, so that noise averages."""
    high, wide = image.shape[:2]
    scale = min(1 / 3, width / wide)
    size = (max(1, round(wide * scale)), max(1, round(high * scale)))
    # Two rows of those that fall on one pixel are enough, and save half the time that an idle table costs.
    rows = max(1, high // size[1] // 2)
    return np.asarray(cv2.resize(image[::rows], size, interpolation=cv2.INTER_AREA), np.uint8)


def grey_of(picture: Picture) -> Grey:
    """H x W."""
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


def changes(one: Grey, other: Grey, step: int) -> Mask:
    """Where two shrunken frames differ by more than ``step`` levels; more light over all, or by bands, is no change."""
    return compared(one, other, step)[0]


def in_light_of(one: Grey, other: Grey, step: int) -> Grey:
    """The second frame in the light of the first, where bands of light lie between them; else as it is."""
    bands = compared(one, other, step)[1]
    return other if bands is None else bands.unlit(other)


def compared(one: Grey, other: Grey, step: int) -> tuple[Mask, Bands | None]:
    """What changed between two frames, and the bands of light that explain the rest better than one light for all."""
    if one is other:
        return np.zeros(one.shape, np.bool_), None
    if cv2.norm(one, other, cv2.NORM_INF) <= step // 2:
        # Most frames: whatever the light between them, no pixel is farther from it than the step.
        return np.zeros(one.shape, np.bool_), None
    difference = other.astype(np.int16) - one - np.int16(light_between(one, other))
    changed = np.asarray(np.abs(difference) > step, np.bool_)
    fewest, found = np.count_nonzero(changed), None
    for across in (True, False) if fewest else ():
        bands = bands_between(one, other, across)
        if bands is None:
            continue
        left = bands.changed(one, other, step)
        if (many := np.count_nonzero(left)) <= min(fewest - FEW, EXPLAINED * fewest):
            changed, fewest, found = left, many, bands
    return changed, found


def grown(mask: Mask, by: int) -> Mask:
    """The mask and all pixels within ``by`` of it."""
    kernel = np.ones((2 * by + 1, 2 * by + 1), np.uint8)
    return np.asarray(cv2.dilate(mask.view(np.uint8), kernel), np.uint8).view(np.bool_)


@dataclass(frozen=True, eq=False)
class Part:
    """Changed pixels that hang together: their box, and a mask of the whole picture's size."""

    box: Box
    mask: Mask


def parts(mask: Mask, least: int, reach: int = 2) -> list[Part]:
    """The mask's islands of at least ``least`` pixels; what lies within ``reach`` of another belongs to it."""
    if int(np.count_nonzero(mask)) < least:
        return []
    joined = grown(mask, reach)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(joined.view(np.uint8), connectivity=8)
    out = []
    for k in range(1, count):
        left, top, wide, high = (int(v) for v in stats[k, :4])
        island = np.asarray(labels == k, np.bool_)
        if int(np.count_nonzero(island & mask)) >= least:
            out.append(Part((left, top, left + wide, top + high), island))
    return out


def stirred(motion: Mask, lately: Mask) -> Mask:
    """Where something moves, or moved ``lately`` in a part that still does."""
    out = grown(motion, 2)
    for part in parts(lately, 1):
        if (part.mask & motion).any():
            out |= part.mask
    return out


def native(box: Box, scale: float, width: int, height: int) -> Box:
    """A box of the shrunken picture in pixels of a frame of ``width`` x ``height``; ``scale`` is small over large."""
    left, top, right, bottom = box
    return (
        max(0, int(np.floor(left / scale))),
        max(0, int(np.floor(top / scale))),
        min(width, int(np.ceil(right / scale))),
        min(height, int(np.ceil(bottom / scale))),
    )


def area(boxes: Sequence[Box], scale: float, shape: tuple[int, int]) -> Mask:
    """Where any of the boxes (of the large frame) lies in the shrunken picture; pixels that are wholly inside."""
    mask = np.zeros(shape, np.bool_)
    for left, top, right, bottom in boxes:
        x0, y0 = int(np.ceil(left * scale - 0.01)), int(np.ceil(top * scale - 0.01))
        mask[y0 : round(bottom * scale), x0 : round(right * scale)] = True
    return mask
