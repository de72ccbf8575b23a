"""A clock that stands still but for what is charged to it, so that a delay is the same on every machine, however busy.

What things cost is written down here: about what they took on two cores with nothing else to do
(`tableside bench speed` of a frame with nine small cards and of one with four larger ones, after EXPERIMENTS, row 76).
So figures by this clock compare one version of the table with another; what a given machine needs is measured in real
time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from vision.cards.parts import AROUND
from vision.cards.patches import Floats
from vision.cards.reader import CardReader, Look
from vision.motion import Box
from vision.sightings import Reading
from vision.sources.values import Image

FRAME: Final = 0.003
"""Seconds for comparing a frame with the one before,"""
PUBLISHED: Final = 0.006
"""for following the cards and working out what is shown,"""
LOOK: Final = 0.012
"""for a look at a picture, whatever is read,"""
MEGAPIXEL: Final = 0.062
"""for every million pixels that are searched,"""
INDEX: Final = 0.0013
"""for each index that is named,"""
FACE: Final = 0.001
"""and for each card that is looked at as a whole."""


class Ledger:
    """The clock: called, it says how many seconds were charged so far."""

    def __init__(self, slower: float = 1.0) -> None:
        """On a machine so many times slower everything costs as much more."""
        self._spent, self._slower = 0.0, slower

    def __call__(self) -> float:
        return self._spent

    def charge(self, seconds: float) -> None:
        """So much work was done."""
        self._spent += seconds * self._slower


class ChargedReader:
    """A reader of cards whose work is charged to a ledger."""

    def __init__(self, reader: CardReader, ledger: Ledger) -> None:
        self._reader, self._ledger = reader, ledger

    def read(self, image: Image, /) -> Reading:
        """As `CardReader.read`."""
        return self.look(image).reading

    def look(self, image: Image, before: Look | None = None, boxes: Sequence[Box] | None = None, /) -> Look:
        """As `CardReader.look`."""
        look = self._reader.look(image, before, boxes)
        self._ledger.charge(cost(look))
        return look

    def turned_back(self, image: Image, seen: Look, /) -> Look | None:
        """As `CardReader.turned_back`."""
        turned = self._reader.turned_back(image, seen)
        if seen.may_be_mirrored:
            self._ledger.charge(cost(turned or seen))
        return turned


def cost(look: Look) -> float:
    """What a look is charged with, seconds."""
    width, height = look.reading.width, look.reading.height
    searched = 0.0
    for side in (*look.scales, *look.besides):
        scale = side / max(width, height)
        for left, top, right, bottom in look.boxes:
            wide = min(width * scale, (right - left) * scale + 2 * AROUND)
            searched += wide * min(height * scale, (bottom - top) * scale + 2 * AROUND)

    def read_now(centres: Iterable[Floats]) -> int:
        return sum(any(b[0] <= x < b[2] and b[1] <= y < b[3] for b in look.boxes) for x, y in centres)

    named, faces = read_now(r.centre for r in look.named), read_now(f.centre for f, _ in look.faces)
    return LOOK + MEGAPIXEL * searched / 1e6 + INDEX * named + FACE * faces
