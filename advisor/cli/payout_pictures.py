"""The two pictures that ``payout verify`` compares: what lies at the spot, and whether they can show it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from advisor.cli.pictures import UnreadableError, open_picture, read_opened
from advisor.cli.terminal import USAGE, Failure

if TYPE_CHECKING:
    from advisor.money import SpotSeen
    from vision.chips.covered import Look
    from vision.chips.crops import Image
    from vision.chips.reader import ChipReader
    from vision.chips.values import Box, ChipStack
    from vision.felt import Layout, Zone

    Where = Box | tuple[Layout, Zone] | None
    """A rectangle in pixels, a place of a felt, or all of the picture."""
    Paths = tuple[Path, Path]
    Images = tuple[Image, Image]
    Seen = tuple[SpotSeen, tuple["Doubted", ...]]

SMALL = (320, 240)
"""Pixels, across and down, in which it is told whether a picture shows anything."""
EVEN = 2.0
"""A picture whose lightest and darkest parts are no more levels of 255 apart shows nothing; bare felt is less even."""
SAME_PICTURE = "Both pictures are the same: was --after taken once it was paid?"


@dataclass(frozen=True)
class Doubted:
    """A stack at the spot that was not read surely: in which picture, where (pixels), what it may be, and why."""

    picture: Path
    box: Box
    order: tuple[str, ...]
    doubt: str

    @property
    def colours(self) -> dict[str, int]:
        """How many chips of each colour it may be."""
        return dict(Counter(self.order))

    @property
    def words(self) -> str:
        """Such as "bet.jpg at 120,80, perhaps 3 red: something hides a part of it"."""
        x, y = (round((self.box[k] + self.box[k + 2]) / 2) for k in (0, 1))
        guess = ", ".join(f"{count} {colour}" for colour, count in self.colours.items())
        return f"{self.picture} at {x},{y}{f', perhaps {guess}' if guess else ''}: {self.doubt}"


@dataclass(frozen=True)
class Pictured:
    """The chips at the spot in both pictures, and what should be said of the pictures themselves."""

    before: SpotSeen
    after: SpotSeen
    doubted: tuple[Doubted, ...]
    notices: tuple[str, ...] = ()


def pictured(before: Path, after: Path, reader: ChipReader, where: Where) -> Pictured:
    """The chips at the spot in both pictures; what cannot be read or compared ends the command with a sentence."""
    paths = before, after
    try:
        images = open_picture(str(before)), open_picture(str(after))
        if where is not None and len(where) == 2:
            found = _at_place(paths, images, reader, where)
        else:
            if where is not None:
                _same_size(paths, images)
            found = _in_pixels(paths, images, reader, where)
    except UnreadableError as error:
        raise Failure(str(error)) from error
    for path, image, other, (spot, _) in zip(paths, images, images[::-1], found, strict=True):
        trouble = "" if spot.stacks else shows_nothing(image, other)
        if trouble:
            raise Failure(f"{path}: {trouble} Take it again.")
    (lay, before_doubted), (lies, after_doubted) = found
    return Pictured(lay, lies, before_doubted + after_doubted, (SAME_PICTURE,) * np.array_equal(*images))


def shows_nothing(image: Image, other: Image) -> str:
    """Why nothing can be seen in a picture that should show what ``other`` does, as a sentence; empty where it can."""
    import cv2

    from vision.pictures import SMALLEST_SIDE
    from vision.trouble import SENTENCES, Health, examined

    height, width = image.shape[:2]
    if min(height, width) < SMALLEST_SIDE:
        return f"The picture is too small to show anything ({width} x {height} pixels)."
    small, good = (np.asarray(cv2.resize(it, SMALL, interpolation=cv2.INTER_AREA), np.uint8) for it in (image, other))
    trouble = examined(Health(good=(good,)), small, 0.0, still=True).trouble
    if trouble is not None:
        return trouble.text
    low, high = np.percentile(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), (1, 99))
    return SENTENCES["covered"] if high - low <= EVEN else ""


def _same_size(paths: Paths, images: Images) -> None:
    """A rectangle in pixels names the same spot in both only where they are of one size."""
    if images[0].shape == images[1].shape:
        return
    sizes = " and ".join(f"{p} {i.shape[1]} x {i.shape[0]}" for p, i in zip(paths, images, strict=True))
    raise Failure(
        f"--spot is a rectangle in pixels of both pictures, and they are not of one size ({sizes}): take both from the "
        "same place with the same camera, or give --layout.",
        USAGE,
    )


def _in_pixels(paths: Paths, images: Images, reader: ChipReader, area: Box | None) -> tuple[Seen, Seen]:
    from advisor.table.spots_seen import spot_seen

    def seen(path: Path, image: Image) -> Seen:
        height, width = image.shape[:2]
        if area is not None and (area[0] >= width or area[1] >= height or area[2] <= 0 or area[3] <= 0):
            raise Failure(f"{path}: --spot lies outside the picture, which is {width} x {height} pixels.")
        reading = read_opened(str(path), image, reader.read)
        one_by_one = ((it, spot_seen("", replace(reading, stacks=(it,)), area)) for it in reading.stacks)
        return spot_seen("the spot", reading, area), _doubted(path, one_by_one)

    return seen(paths[0], images[0]), seen(paths[1], images[1])


def _at_place(paths: Paths, images: Images, reader: ChipReader, place: tuple[Layout, Zone]) -> tuple[Seen, Seen]:
    from advisor.table.spots_seen import both_read, both_seen, place_seen

    looks = _look(paths[0], images[0], reader, *place), _look(paths[1], images[1], reader, *place)
    found = []
    both = both_read(*looks)
    for path, spot, reading in zip(paths, both_seen(place[1].name, both), (both.before, both.after), strict=True):
        one_by_one = (
            (it.stack, place_seen("", replace(reading, stacks=(it,)), beside=True))
            for it in reading.stacks
            if reading.in_view
        )
        found.append((spot, _doubted(path, one_by_one)))
    return found[0], found[1]


def _doubted(path: Path, one_by_one: Iterable[tuple[ChipStack, SpotSeen]]) -> tuple[Doubted, ...]:
    """Each stack that was not read surely, of those that lie at the spot."""
    return tuple(
        Doubted(path, stack.box, it.order, it.doubt) for stack, spot in one_by_one for it in spot.stacks if it.doubt
    )


def _look(path: Path, image: Image, reader: ChipReader, layout: Layout, zone: Zone) -> Look:
    from vision.chips.covered import Look
    from vision.chips.spots import read_spots
    from vision.felt import CalibrationError, calibrate_markers

    def read(image: Image) -> Look:
        try:
            calibration = calibrate_markers(layout, image)
        except CalibrationError as error:
            raise Failure(f"{path}: {error.for_a_picture}.") from error
        (reading,) = read_spots(image, reader, layout, calibration, [zone])
        return Look(image, calibration, reading)

    return read_opened(str(path), image, read)
