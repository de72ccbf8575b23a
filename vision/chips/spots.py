"""Reading the chips at the places of a calibrated felt where chips are put: each cut out at full resolution.

A stack belongs to the place on which its lowest chip stands. Where that is follows from the calibration: the lowest
point of its box lies on the felt, and the chip's middle is half a chip behind it as the camera looks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import hypot, isfinite
from typing import Final, Protocol

import cv2
import numpy as np

from vision.chips.colourless import colourless, unnamed
from vision.chips.crops import Image
from vision.chips.finder import shared
from vision.chips.ground import CHIP_MM, Ground, ground, moved
from vision.chips.judging import NO_STACK
from vision.chips.seams import THICKNESS
from vision.chips.thickness import of_thickness, told
from vision.chips.values import MOST, Box, ChipReading, ChipStack
from vision.felt import Calibration, Layout, Zone
from vision.sightings import Point

REACH: Final = 60.0
"""A stack so many millimetres outside a place (its middle) may still be of it: chips are laid down beside a stack."""
ROOM: Final = 40.0
"""Millimetres cut out around that, so that no stack that counts touches the cut's edge."""
APART: Final = CHIP_MM / 2
"""Where a stack is hardly nearer to one place than to another, nobody can say whose it is."""
FAR: Final = 45.0
PLAIN: Final = 0.65
HARDLY: Final = 0.5
SAME: Final = 0.5
"""So much of their union two readings of one stack share."""
FEW: Final = 5
"""What is more than so many millimetres off its place and was found less plainly than that may be print on the cards
that lie there. It is none where it was not read surely and is of fewer chips, or was hardly found at all."""
BESIDE: Final = 20.0
PRINT: Final = 0.7
"""How likely what was read surely there is print all the same: all of seven at 300 settled tables were. So likely it is
of what was not read surely from so many millimetres off its place on: all seven at 1140 settled places were."""
NOTHING: Final = 0.6
NONE_OF_THEM: Final = 0.15
"""How likely what is hardly found (`HARDLY`) and taken for a chip, or for a few, though not surely, or hardly read, is
none: single ones were the felt itself, in stacks' shadows and printed rings; all of 17 of several on their places, at
1140 settled ones, were chips. So it is with what looks like a lid."""
KINDS: Final = ("seat-bet", "insurance")


class ReadsChips(Protocol):
    """What reads a picture's chips: :class:`vision.chips.reader.ChipReader`, or a stand-in."""

    def read(self, image: Image, /, ground: Ground | None = None) -> ChipReading:
        """All chips in the picture; ``ground`` says how chips look that stand on the felt."""


@dataclass(frozen=True)
class PlacedStack:
    """A stack and where it stands.

    Its box is in pixels of the whole picture; ``at`` is its middle in millimetres of the felt, ``outside`` how many
    millimetres that is off the place (0 on it). ``shared`` is whether it stands about as near to another place.
    """

    stack: ChipStack
    at: Point
    outside: float
    shared: bool = False


@dataclass(frozen=True)
class SpotReading:
    """All chips at one place. ``in_view`` is whether the picture shows all of the place; ``box`` is what was read, and
    ``beside`` the boxes of chips in it that are of other places."""

    zone: Zone
    stacks: tuple[PlacedStack, ...] = ()
    in_view: bool = True
    box: Box | None = None
    beside: tuple[Box, ...] = ()
    part: Image | None = field(default=None, compare=False, repr=False)
    """What the picture shows in ``box`` (BGR), if it is kept, so that a later look can be compared with it."""


def chip_zones(layout: Layout) -> tuple[Zone, ...]:
    """The places of a felt where chips are put, in the layout's order."""
    return tuple(zone for zone in layout.zones if zone.kind in KINDS)


def read_spots(
    image: Image, reader: ReadsChips, layout: Layout, calibration: Calibration, zones: Sequence[Zone] | None = None
) -> tuple[SpotReading, ...]:
    """What lies at each of ``zones`` (default: all places for chips) in a picture (H x W x 3, BGR).

    Where nobody measured the chips, the other places' stacks tell how thick they are: these are read too, though not
    asked for. ``calibration`` is one of ``layout``. Raises `CalibrationError` where it was made for a picture of other
    proportions.
    """
    height, width = image.shape[:2]
    fitted = calibration.scaled(width, height)
    places = chip_zones(layout)
    known = None if fitted.rough else ground(fitted)
    wanted = places if zones is None else tuple(zones)
    read = {zone.name: _read(image, reader, places, fitted, known, zone) for zone in wanted}

    def among_others(zone: Zone) -> SpotReading:
        """Once more at the thickness that the other places' stacks tell, where that may help."""
        first = read[zone.name]
        if known is None or not any(_thickness_may_help(placed.stack) for placed in first.stacks):
            return first
        others = [place for place in places if place != zone]
        for place in others:
            if place.name not in read:
                read[place.name] = _read(image, reader, places, fitted, known, place)
        heard = told([it.stack for place in others for it in read[place.name].stacks if not it.shared])
        if heard is None:
            return first
        return _doubts_settled(first, _read(image, reader, places, fitted, of_thickness(known, heard), zone))

    found = tuple(among_others(zone) for zone in wanted)
    return tuple(_unnamed(reading) for reading in found) if colourless(image) else found


def _unnamed(reading: SpotReading) -> SpotReading:
    stacks = unnamed([it.stack for it in reading.stacks])
    placed = (replace(it, stack=stack) for it, stack in zip(reading.stacks, stacks, strict=True))
    return replace(reading, stacks=tuple(placed))


def _thickness_may_help(stack: ChipStack) -> bool:
    """Whether its count is in doubt. What is sure stays, and nothing becomes sure so: of what would have, one in
    fifteen was wrong."""
    return stack.thickness is not None and stack.open


def _doubts_settled(first: SpotReading, again: SpotReading) -> SpotReading:
    """The first reading, its doubtful stacks as they were read ``again``, though none becomes sure so."""

    def better(placed: PlacedStack) -> PlacedStack:
        if not _thickness_may_help(placed.stack):
            return placed
        there = [it for it in again.stacks if shared(it.stack.box, placed.stack.box)[0] > SAME]
        if len(there) != 1 or not (there[0].stack.sure or there[0].stack.open):
            return placed
        stack = there[0].stack
        doubt = placed.stack.reason if stack.sure else stack.reason
        return replace(there[0], stack=replace(stack, reason=doubt, likely=placed.stack.likely, open=True))

    return replace(first, stacks=tuple(better(placed) for placed in first.stacks))


def spot_box(zone: Zone, calibration: Calibration) -> Box | None:
    """The part of the picture that shows the place, stacks on it included; None where it is not before the camera."""
    x, y = zone.shape.centre
    reach = max(hypot(px - x, py - y) for px, py in zone.shape.outline) + REACH + ROOM
    turns = np.linspace(0, 2 * np.pi, 32, endpoint=False)
    rim = np.array(calibration.to_picture([(x + reach * np.cos(t), y + reach * np.sin(t)) for t in turns]))
    if not np.isfinite(rim).all():
        return None
    (x0, y0), (x1, y1) = rim.min(0), rim.max(0)
    # A stack is never higher in the picture than seen level: its chips' thickness over their width, times so many.
    tall = MOST * THICKNESS * (x1 - x0) * CHIP_MM / (2 * reach)
    return float(x0), float(y0 - tall), float(x1), float(y1)


def _read(
    image: Image,
    reader: ReadsChips,
    places: Sequence[Zone],
    calibration: Calibration,
    known: Ground | None,
    zone: Zone,
) -> SpotReading:
    height, width = image.shape[:2]
    around = spot_box(zone, calibration)
    if around is None:
        return SpotReading(zone, in_view=False)
    a, b = max(0, int(around[0])), max(0, int(around[1]))
    c, d = min(width, int(np.ceil(around[2]))), min(height, int(np.ceil(around[3])))
    if c - a < 2 or d - b < 2:
        return SpotReading(zone, in_view=False)
    rim = np.array(calibration.to_picture([(float(x), float(y)) for x, y in zone.shape.outline]))
    in_view = bool((rim >= 0).all() and (rim <= (width - 1, height - 1)).all())
    local = None if known is None else moved(known, (a, b))
    part = np.ascontiguousarray(image[b:d, a:c])
    reading = reader.read(part, local)
    found, beside = [], []
    for stack in reading.stacks:
        x0, y0, x1, y1 = stack.box
        whole = replace(stack, box=(x0 + a, y0 + b, x1 + a, y1 + b))
        placed = placed_stack(whole, zone, places, calibration)
        kept = None if placed is None else _beside_print(_hardly_a_chip(placed))
        if kept is not None:
            found.append(kept)
        elif stack.order and stack.reason != NO_STACK:
            beside.append(whole.box)
    return SpotReading(zone, tuple(found), in_view, (float(a), float(b), float(c), float(d)), tuple(beside), part)


def _hardly_a_chip(placed: PlacedStack) -> PlacedStack:
    """What is taken for a chip or a few, or is hardly read, perhaps none where it was hardly found and is not sure; and
    what looks like a lid.
    """
    stack = placed.stack
    little = stack.found < HARDLY and (stack.count < FEW or stack.confidence < HARDLY)
    aside = placed.outside > BESIDE and stack.found < PLAIN
    if not stack.open or not (little or aside or stack.reason == NO_STACK):
        return placed
    nothing = PRINT if aside else NOTHING if stack.count == 1 else NONE_OF_THEM
    read = tuple((order, chance * (1 - nothing)) for order, chance in stack.readings or ((stack.order, 1.0),))
    may_be = tuple(sorted((((), nothing), *read), key=lambda it: -it[1]))
    reason = NO_STACK if stack.reason == NO_STACK else "it may be no chip at all"
    return replace(placed, stack=replace(stack, reason=reason, readings=may_be))


def _beside_print(placed: PlacedStack) -> PlacedStack | None:
    """The stack, doubtful where it may be the print of a card off the place; None where it hardly is a stack."""
    stack = placed.stack
    if placed.outside <= FAR or stack.found >= PLAIN:
        return placed
    if not stack.sure:
        return placed if stack.count >= FEW and stack.found >= HARDLY else None
    if stack.count >= FEW:
        return placed
    may_be: tuple[tuple[tuple[str, ...], float], ...] = (((), PRINT), (stack.order, 1 - PRINT))
    doubt = "it may be print on a card beside the spot"
    return replace(placed, stack=replace(stack, reason=doubt, open=True, readings=may_be))


def placed_stack(stack: ChipStack, zone: Zone, places: Sequence[Zone], calibration: Calibration) -> PlacedStack | None:
    """The stack as one of this place; None where it is nearer to another, or near none."""
    at = standing_at(stack.box, calibration)
    if at is None:
        return None
    outside = _outside(zone, at)
    others = [_outside(other, at) for other in places if other != zone]
    nearest = min(others, default=float("inf"))
    if outside > REACH or nearest <= outside - APART:
        return None
    return PlacedStack(stack, at, outside, shared=nearest <= REACH and abs(nearest - outside) < APART)


def standing_at(box: Box, calibration: Calibration) -> Point | None:
    """Where on the felt, in millimetres, the middle of a stack's lowest chip is; None above the horizon."""
    x, y = (box[0] + box[2]) / 2, box[3]
    (fx, fy), (bx, by) = calibration.to_felt([(x, y), (x, y - 1)])
    away = hypot(bx - fx, by - fy)
    if not isfinite(fx + fy) or not isfinite(away) or away == 0:
        return None
    half = CHIP_MM / 2 / away
    return fx + (bx - fx) * half, fy + (by - fy) * half


def _outside(zone: Zone, point: Point) -> float:
    return max(0.0, -float(cv2.pointPolygonTest(zone.shape.outline, point, True)))
