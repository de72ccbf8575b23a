"""What is worth reading while something moves, and when what was read then may be believed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.identity_places import outline_mask
from vision.motion import Mask, Part, grown, parts
from vision.sightings import Quad

Times = NDArray[np.float64]

STILL_OPEN = 0.05
"""While more than this share of a card's place is open, the card waits."""


def believed(unsettled: Mask, rests: Mask, quads: Sequence[Quad], scale: float) -> tuple[Mask, Mask]:
    """What of ``unsettled`` (H x W) is settled now, and the places that are told of with it.

    ``rests`` (H x W) is where nothing moves; ``quads`` are the cards that were read or are known, in pixels of the
    frame, ``scale`` times as large in the masks. A card's place is settled all at once: told of in pieces, none of
    which is most of it, a card would not be believed until the table is read again. So it is told of whole, what of it
    lay still already when it was read included.
    """
    shape = (unsettled.shape[0], unsettled.shape[1])
    held, whole = np.zeros_like(unsettled), np.zeros_like(unsettled)
    for quad in quads:
        place = outline_mask([quad], scale, shape)
        waits = place & unsettled
        if not waits.any():
            continue
        if np.count_nonzero(waits & ~rests) > STILL_OPEN * np.count_nonzero(place):
            held |= waits
        else:
            whole |= place
    now = unsettled & rests & ~held
    return now, now | (whole & ~held)


def let_go(
    changed: Mask, motion: Mask, moved_at: Times, read_at: Times, at: float, rested: float, least: int
) -> list[Part]:
    """Parts of what ``changed`` since it was read that something just let go of, though it still moves beside them.

    A card that a hand has put down hangs together with the hand, which may hover over the table for a second. What
    moved last at ``moved_at`` (H x W, seconds), was not read since (``read_at``) and has lain still for ``rested``
    seconds is worth reading, if it is ``least`` pixels or more.
    """
    lies = (at - moved_at >= rested) & ~grown(motion, 2) & (read_at < moved_at)
    return parts(lies & changed, least, 1)


def typical_area(quads: Sequence[Quad], scale: float) -> float:
    """The area of the middle one of these cards (pixels of the frame) in the masks; 0 without cards."""
    areas = [cv2.contourArea(np.array(quad, np.float32)) for quad in quads]
    return float(np.median(areas)) * scale**2 if areas else 0.0


def widened(part: Part, share: float) -> Part:
    """The part with a box that is larger on every side by this share of its longer one: a card is seldom let go of
    all at once."""
    left, top, right, bottom = part.box
    more = max(2, round(share * max(right - left, bottom - top)))
    high, wide = part.mask.shape
    box = (max(0, left - more), max(0, top - more), min(wide, right + more), min(high, bottom + more))
    return replace(part, box=box)
