"""What lies at a place, from pixels alone: the card as it was, the bare table, or something else over it.

Everything is done on the shrunken picture (BGR, about 320 wide) that the watch loop compares; a *mask* is a boolean
array of its size. The bare table is learned wherever no card lies, so what was under a card is known once it goes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.sightings import Quad

Picture = NDArray[np.uint8]
Mask = NDArray[np.bool_]
Box = tuple[int, int, int, int]
"""Left, top, right, bottom; the last two are outside."""

ALIKE = 22
"""Levels (0 to 255, the channel that differs most) up to which two pixels show the same: three times what is left of
a webcam's noise and compression after the shrinking."""
LIGHT = (0.7, 1.4)
"""How much darker or brighter a place may have become, as by a shadow, and still be itself."""
BELIEVED_AFTER, RELEARNED_AFTER = 1.0, 15.0
"""Seconds that a pixel must stay the same to be taken for the table: where little is known, and against what is
known. A hand does not rest so still for the latter; a cup that does is furniture, and what was known before it is
believed as soon again as it is gone."""
LARGE = 250
"""A place of more pixels is judged without its rim; a smaller one needs each pixel it has."""
RING = 3
"""Pixels around a place by which something bigger than a card is told from a card."""


@dataclass(frozen=True, eq=False)
class Ground:
    """The bare table as far as it is known.

    ``table`` is H x W x 3 and ``before`` what was believed before it; ``known`` is 0 nothing, 1 seen once, 2 believed;
    ``latest`` is the picture of the last call and ``since`` when each of its pixels last changed (seconds). ``light``
    is the picture's brightness over the table's.
    """

    table: Picture
    before: Picture
    known: NDArray[np.uint8]
    latest: Picture
    since: NDArray[np.float64]
    light: float = 1.0


def differs(one: Picture, other: Picture) -> Mask:
    """Where two pictures of one size show different things."""
    return np.asarray(cv2.absdiff(one, other).max(2) > ALIKE, np.bool_)


def learned(ground: Ground | None, picture: Picture, at: float, free: Mask) -> Ground:
    """The ground after ``picture``: where ``free`` (no card, nothing moving) it is taken for the table, by and by."""
    if ground is None or ground.latest.shape != picture.shape:
        known = free.astype(np.uint8)
        return Ground(picture.copy(), picture, known, picture, np.full(free.shape, at))
    changed = differs(ground.latest, picture)
    since = np.where(changed, at, ground.since)
    calm = at - since
    held = ground.known
    apart = differs(scaled(ground.table, ground.light), picture)
    new = free & (held == 0)
    firmer = free & ~apart & (held == 1) & (calm >= BELIEVED_AFTER)
    again = ~differs(scaled(ground.before, ground.light), picture)
    instead = free & apart & (calm >= np.where((held == 2) & ~again, RELEARNED_AFTER, BELIEVED_AFTER)) & (held > 0)
    slowly = free & ~apart & (held > 0)
    table = ground.table.copy()
    if slowly.any():
        # A tenth at a time: the evening's light creeps, and noise averages out.
        table[slowly] = np.clip(
            np.rint(0.9 * ground.table[slowly] + 0.1 * picture[slowly].astype(np.float32) / ground.light), 0, 255
        ).astype(np.uint8)
    taken = new | instead
    forgotten = instead & (held == 2)
    before = ground.before.copy()
    before[forgotten] = ground.table[forgotten]
    table[taken] = np.clip(np.rint(picture[taken] / ground.light), 0, 255).astype(np.uint8)
    known = held.copy()
    known[taken] = 1
    known[firmer] = 2
    return Ground(table, before, known, picture, since, light_over(table, known > 0, picture, free, ground.light))


def light_over(table: Picture, known: Mask, picture: Picture, free: Mask, otherwise: float) -> float:
    """How much brighter ``picture`` is than ``table``, where the table shows."""
    every = (slice(None, None, 2), slice(None, None, 2))
    where = (known & free)[every]
    if np.count_nonzero(where) < 25:
        return otherwise
    now, then = picture[every][where].astype(np.float32), table[every][where].astype(np.float32)
    ratio = (now.sum(1) + 3) / (then.sum(1) + 3)
    return float(np.clip(np.median(ratio), 0.25, 4.0))


def scaled(picture: Picture, light: float) -> Picture:
    """The picture in other light."""
    return picture if abs(light - 1) < 0.01 else np.asarray(cv2.convertScaleAbs(picture, alpha=light), np.uint8)


def outline_mask(quads: Sequence[Quad], scale: float, shape: tuple[int, int], grow: int = 0) -> Mask:
    """Where any of the quads (pixels of the full picture, ``scale`` takes them to this one) lies."""
    mask = np.zeros(shape, np.uint8)
    for quad in quads:
        cv2.fillConvexPoly(mask, _pixels(quad, scale), 1)
    if grow > 0 and quads:
        mask = np.asarray(cv2.dilate(mask, np.ones((2 * grow + 1, 2 * grow + 1), np.uint8)), np.uint8)
    return mask.astype(np.bool_)


def _pixels(quad: Quad, scale: float) -> NDArray[np.int32]:
    return np.round(np.clip(np.array(quad, np.float64) * scale - 0.5, -1e4, 1e4)).astype(np.int32)


@dataclass(frozen=True, eq=False)
class Look:
    """How a card's place looked when the card was last seen there: the patch in ``box`` (the place and its ring)."""

    box: Box
    place: Mask
    patch: Picture
    light: float

    @property
    def window(self) -> tuple[slice, slice]:
        """The box as an index into pictures and masks."""
        left, top, right, bottom = self.box
        return slice(top, bottom), slice(left, right)


def look_at(picture: Picture, quad: Quad, scale: float, light: float) -> Look | None:
    """How the place of ``quad`` looks now; None where it lies outside of the picture."""
    height, width = picture.shape[:2]
    corners = _pixels(quad, scale)
    left, top = np.maximum(corners.min(0) - RING - 1, 0)
    right, bottom = np.minimum(corners.max(0) + RING + 2, [width, height])
    if right - left < 3 or bottom - top < 3:
        return None
    inside = np.zeros((bottom - top, right - left), np.uint8)
    cv2.fillConvexPoly(inside, corners - np.array([left, top], np.int32), 1)
    box = (int(left), int(top), int(right), int(bottom))
    return Look(box, inside.astype(np.bool_), picture[top:bottom, left:right].copy(), light)


@dataclass(frozen=True)
class Judged:
    """What a place shows: shares (0 to 1) of its free pixels like the card and like the known bare table, the share
    of it that is free to be judged (of ``pixels``), the share of the free part whose table is known, and the changed
    and all pixels of the ring around it."""

    card: float
    table: float
    free: float
    known: float
    pixels: int
    ring_changed: int
    ring: int

    @property
    def enough(self) -> bool:
        """Whether so much is free that it says something."""
        return self.free >= 0.06 and self.pixels >= 6


def judged(
    look: Look, ground: Ground, picture: Picture, blocked: Mask, unseen: Mask, light: float | None = None
) -> Judged:
    """What lies now where a card lay; ``blocked`` pixels are other cards' or move, ``unseen`` are unseen cards'."""
    window = look.window
    now, hidden = picture[window], blocked[window]
    lit = ground.light if light is None else light
    place = look.place
    if np.count_nonzero(place) > LARGE:
        place = np.asarray(cv2.erode(place.astype(np.uint8), np.ones((3, 3), np.uint8)), np.uint8).astype(np.bool_)
    free = place & ~hidden
    pixels = int(np.count_nonzero(place))
    count = int(np.count_nonzero(free))
    known = free & (ground.known[window] > 0)
    table = scaled(ground.table[window], lit)
    before = scaled(look.patch, lit / max(look.light, 0.05))
    ring = _grown(look.place, RING) & ~_grown(look.place, 1) & ~hidden & ~unseen[window]
    return Judged(
        card=_alike(before, now, free),
        table=_alike(table, now, known),
        free=count / max(pixels, 1),
        known=int(np.count_nonzero(known)) / max(count, 1),
        pixels=count,
        ring_changed=int(np.count_nonzero(differs(before, now) & ring)),
        ring=int(np.count_nonzero(ring)),
    )


def _alike(one: Picture, other: Picture, where: Mask) -> float:
    """Share of the pixels where two patches show the same, in the light that fits them best."""
    count = int(np.count_nonzero(where))
    if not count:
        return 0.0
    a, b = one[where].astype(np.float32), other[where].astype(np.float32)
    light = float(np.clip(np.median((b.sum(1) + 3) / (a.sum(1) + 3)), *LIGHT))
    return float(np.count_nonzero(np.abs(np.minimum(a * light, 255) - b).max(1) <= ALIKE)) / count


def _grown(mask: Mask, by: int) -> Mask:
    kernel = np.ones((2 * by + 1, 2 * by + 1), np.uint8)
    return np.asarray(cv2.dilate(mask.astype(np.uint8), kernel), np.uint8).astype(np.bool_)


def with_light(ground: Ground, picture: Picture, free: Mask) -> Ground:
    """The ground with the light of ``picture``, nothing learned."""
    return replace(ground, light=light_over(ground.table, ground.known > 0, picture, free, ground.light))
