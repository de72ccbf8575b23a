"""Pictures without colour, from a grey photograph or a camera in its night mode: red and black cannot be told there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.cards.detector import Found
from vision.cards.indices import IndexReader, IndexReading
from vision.cards.patches import Floats, Image
from vision.sightings import CARDS, SUITS

GREY, NEARLY_ALL, EVERY = 3, 0.999, 8
"""A picture is grey where nearly all pixels (of every so-many-th row and column) have channels so near each other: the
noise of any colour camera parts them farther."""
TOLD = 0.06
"""The power to which a suit's chance counts there: four indices that agree stay a guess. Of 457 names that were sure in
the development photographs turned grey 74 were wrong, 67 of them by the suit alone."""


def colourless(image: Image) -> bool:
    """Whether a picture (H x W x 3) has no colour at all."""
    some = image[::EVERY, ::EVERY].astype(np.int16)
    return bool(np.quantile(some.max(2) - some.min(2), NEARLY_ALL) <= GREY)


def with_suits_open(chances: Floats) -> Floats:
    """An index's chances with its rank as it was read, and of its suit hardly more than the guess."""
    out = chances.copy()
    ranks = len(CARDS) // len(SUITS)
    read = np.asarray(chances[: len(CARDS)], np.float64).reshape(len(SUITS), ranks)
    weak = np.clip(read, 1e-4, 1.0) ** TOLD
    out[: len(CARDS)] = (weak / weak.sum(0) * read.sum(0)).reshape(-1)
    return out


class WithoutColour(IndexReader):
    """The same network for pictures without colour."""

    def __init__(self, reader: IndexReader) -> None:
        self.__dict__.update(reader.__dict__)

    def read(self, levels: Sequence[Image], found: Sequence[Found]) -> list[IndexReading]:
        """As `IndexReader.read`, suits left open."""
        return [replace(r, chances=with_suits_open(r.chances)) for r in super().read(levels, found)]
