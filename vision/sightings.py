"""What vision says about one picture: frozen values, validated when they are made.

Coordinates are pixels of the picture that was read, x to the right and y down. A card's corners are
listed clockwise as seen in the picture, starting at the card's own top-left (where its upright index is).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("C", "D", "H", "S")
CARDS = tuple(rank + suit for suit in SUITS for rank in RANKS)
JOKER = "JOKER"
FACES = (*CARDS, JOKER)
"""Every label a face-up card may carry; tens are written ``10H``."""
OF_RANK = {rank: [FACES.index(rank + suit) for suit in SUITS] for rank in RANKS}
"""The numbers of each rank's faces."""

Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]
Kind = Literal["card", "back", "unsure"]


def of_one_colour(one: str | None, other: str | None) -> bool:
    """Whether both names are known and their suits both red or both black."""
    if one is None or other is None or JOKER in (one, other):
        return False
    return (one[-1] in "CS") == (other[-1] in "CS")


def akin(one: str | None, other: str | None) -> bool:
    """Whether two names differ by a dot's shape alone: one rank, and both suits red or both black."""
    return one is not None and other is not None and one[:-1] == other[:-1] and of_one_colour(one, other)


def middle(quad: Quad) -> Point:
    """The mean of the corners."""
    return (sum(p[0] for p in quad) / 4, sum(p[1] for p in quad) / 4)


def _in_mirror(quad: Quad, width: int) -> Quad:
    """The corners in a mirror image of the picture, still clockwise: what was its top right is its top left there."""
    a, b, c, d = ((width - 1 - x, y) for x, y in quad)
    return b, a, d, c


@dataclass(frozen=True)
class CardSighting:
    """One physical card in one picture.

    ``kind`` is ``card`` (``label`` is trusted), ``back`` (face down, no label) or ``unsure`` (a face that could
    not be read well enough; ``label`` is the best guess). ``probabilities`` maps labels to their chances and may
    sum to less than one: the rest is "something else". ``indices`` holds the quads of the corner indices seen.
    """

    kind: Kind
    corners: Quad
    label: str | None = None
    confidence: float = 0.0
    probabilities: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    indices: tuple[Quad, ...] = ()

    def __post_init__(self) -> None:
        if len(self.corners) != 4 or any(len(p) != 2 for p in self.corners):
            raise ValueError(f"corners must be 4 points of (x, y), got {self.corners!r}")
        if not 0.0 <= self.confidence <= 1.0:
            raise ValueError(f"confidence must lie between 0 and 1, got {self.confidence!r}")
        if (self.kind == "back" and self.label is not None) or (self.kind == "card" and self.label is None):
            raise ValueError(f"a back has no label and a card has one, got kind={self.kind!r} label={self.label!r}")
        if self.label is not None and self.label not in FACES:
            raise ValueError(f"label must be one of the 52 cards or JOKER, got {self.label!r}")

    @property
    def centre(self) -> Point:
        """The mean of the corners, in pixels."""
        return middle(self.corners)

    def in_mirror(self, width: int) -> CardSighting:
        """The same card in the mirror image of its picture, which is ``width`` pixels wide."""
        indices = tuple(_in_mirror(quad, width) for quad in self.indices)
        return replace(self, corners=_in_mirror(self.corners, width), indices=indices)


@dataclass(frozen=True)
class Reading:
    """Everything read in one picture of ``width`` x ``height`` pixels; ``ms`` names each step's milliseconds, and
    ``outlines`` are all that look like a card's, whatever is read in them. ``mirrored`` is whether the picture shows
    all as a mirror does, and was turned back to be read."""

    width: int
    height: int
    sightings: tuple[CardSighting, ...] = ()
    ms: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    outlines: tuple[Quad, ...] = ()
    mirrored: bool = False

    @property
    def cards(self) -> tuple[CardSighting, ...]:
        """The sure ones."""
        return tuple(s for s in self.sightings if s.kind == "card")

    @property
    def backs(self) -> tuple[CardSighting, ...]:
        """The cards that lie face down."""
        return tuple(s for s in self.sightings if s.kind == "back")

    @property
    def unsure(self) -> tuple[CardSighting, ...]:
        """Faces that somebody should look at."""
        return tuple(s for s in self.sightings if s.kind == "unsure")

    def in_mirror(self) -> Reading:
        """The same where the mirror image of the picture shows it."""
        seen = tuple(s.in_mirror(self.width) for s in self.sightings)
        return replace(self, sightings=seen, outlines=tuple(_in_mirror(quad, self.width) for quad in self.outlines))


@dataclass(frozen=True)
class TableView:
    """All objects on the felt at a moment: frame ``sequence`` (counts up from 1), taken ``at`` seconds (monotonic)."""

    sequence: int
    at: float
    reading: Reading
