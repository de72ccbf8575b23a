"""A reading with what it was made of, so that the next can keep what did not change."""

from __future__ import annotations

from dataclasses import dataclass

from vision.cards.detector import Found
from vision.cards.indices import IndexReading
from vision.cards.mirrors import OPEN, in_all
from vision.cards.parts import Box
from vision.cards.patches import Floats
from vision.sightings import Reading


@dataclass(frozen=True, eq=False)
class Look:
    """A reading and what it was made of.

    ``boxes`` (pixels) are what was read now; ``scales`` the detector's passes over the picture, ``besides`` those over
    these boxes alone; ``named`` the readings of the indices among ``found``, in their order; ``faces`` what the whole
    faces in some of the outlines among them say, and ``one_pip`` whether these told that the deck has one pip a number.
    """

    reading: Reading
    boxes: tuple[Box, ...]
    scales: tuple[int, ...]
    found: tuple[Found, ...]
    named: tuple[IndexReading, ...]
    faces: tuple[tuple[Found, Floats], ...] = ()
    besides: tuple[int, ...] = ()
    one_pip: bool = False

    @property
    def mirror_odds(self) -> float:
        """How much speaks for it that the picture shows all as a mirror does: a logarithm of odds."""
        return in_all(self.named)

    @property
    def may_be_mirrored(self) -> bool:
        """Whether enough speaks for it that the mirror image is to be looked at."""
        return self.mirror_odds >= OPEN
