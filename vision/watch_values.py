"""What the live loop is given, how it decides, and what it hands out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, runtime_checkable

import numpy as np

from vision.bumps import Homography
from vision.identity import Tracked
from vision.light import Grey
from vision.motion import Box, Mask, Part, Picture, area, grown, native
from vision.sightings import CardSighting, Quad, Reading, TableView
from vision.sources.values import Frame, Image
from vision.trouble import Trouble


class CanRead(Protocol):
    """What finds cards: :class:`vision.cards.reader.CardReader`, or a stand-in."""

    def read(self, image: Image, /) -> Reading:
        """Everything seen in ``image``."""


class Looked(Protocol):
    """What one look at a picture gave."""

    @property
    def reading(self) -> Reading:
        """All of it, what was read now and what was kept from before."""

    @property
    def boxes(self) -> tuple[Box, ...]:
        """What was read now, in the picture's pixels."""

    @property
    def may_be_mirrored(self) -> bool:
        """Whether the picture may show all as a mirror does (``CanLook.turned_back`` says whether it does)."""


@runtime_checkable
class CanLook(Protocol):
    """A reader that can read parts of a picture and keep the rest from a look before."""

    def look(self, image: Image, before: Any = None, boxes: Sequence[Box] | None = None, /) -> Looked:
        """Read ``boxes`` of ``image``, all of it where they are None; ``before`` is what the last look gave."""

    def turned_back(self, image: Image, seen: Any, /) -> Looked | None:
        """A look at the mirror image of ``image``, which ``seen`` was a look at, where that is the right way round."""


class Frames(Protocol):
    """What gives frames: :class:`vision.sources.Source`, or a stand-in."""

    def newest(self, after: int, timeout: float) -> Frame | None:
        """The newest frame above ``after``."""


@runtime_checkable
class CanRest(Protocol):
    """A source that does with fewer pictures while nothing moves: :class:`vision.sources.Source`."""

    def rest(self, resting: bool, /) -> None:
        """Whether nothing moves."""


@dataclass(frozen=True)
class Settings:
    """How the loop decides; grey levels are 0 to 255, seconds are seconds."""

    width: int = 320
    """Frames are compared at this width."""
    step: int = 14
    """A pixel whose grey differs by more has changed; sensor noise, averaged by the shrinking, stays far below."""
    least: int = 3
    """So many changed pixels make a change: a card of 30 pixels in a 1080p frame covers about 30 of them."""
    restless: float = 0.6
    """What moves for so long is read all the same, and again every so often while it moves."""
    calm: float = 0.15
    """In a part that moves, pixels that did not for so long are calm."""
    rested: float = 0.05
    """What a hand let go of, and the hand is still beside it, is read once it has lain still for so long,"""
    let_go: float = 0.3
    """if it is so large a share of a card,"""
    let_go_apart: float = 0.1
    """at most once in so many seconds,"""
    around: float = 0.25
    """with so much around it, in shares of its longer side."""
    usual_card: float = 200.0
    """Pixels of a card at ``width``, while no card is known."""
    settling: float = 0.1
    """So long apart, places that rest by now are believed as they were read, while others move."""
    again: float = 0.15
    """A place in doubt is read again after so long."""
    ask: float = 0.3
    """While a card is covered its place is looked at every so often, even where nothing changed since it was read."""
    heal: float = 5.0
    """After so long at rest everything is read again; twice as long after each time that nothing was new, up to"""
    heal_longest: float = 40.0
    """this. So long after the last full reading one is due even if something moves all the time."""
    wait: float = 0.25
    """How long one turn of the loop waits for a frame."""
    idle: float = 1.5
    """So long after anything moved or was in doubt, the source is told to rest."""
    whole: float = 0.5
    """Where so large a share of the picture changed it is read whole."""


@dataclass(frozen=True, eq=False)
class Observation:
    """A frame and what was read in it.

    ``settled`` is whether the reading may be relied on, ``moving`` whether the picture moved when it was taken.
    ``tracked`` are the cards on the table by their numbers, whatever covers them just now. While there is ``trouble``
    with the picture nothing was read in it: the view is the last one before. ``pushed`` (3 x 3) takes pixels of the
    pictures before to pixels of this one, where the camera was moved in between; the cards were carried along.
    ``turned`` does where the picture was turned round, since a mirror showed it: its cards are numbered anew.
    """

    view: TableView
    image: Image
    settled: bool
    moving: bool
    tracked: tuple[Tracked, ...] = ()
    trouble: Trouble | None = None
    pushed: Homography | None = None
    turned: Homography | None = None


@dataclass(frozen=True, eq=False)
class Shot:
    """A frame and its shrunken copies; ``motion`` is where it differs from the one before."""

    frame: Frame
    small: Picture
    grey: Grey
    motion: Mask
    moving: bool

    @property
    def scale(self) -> float:
        return float(self.small.shape[1] / self.frame.image.shape[1])

    def boxes(self, some: Sequence[Part]) -> list[Box]:
        """Where parts of the shrunken picture lie in the frame."""
        high, wide = self.frame.image.shape[:2]
        return [native(part.box, self.scale, wide, high) for part in some]

    def calm(self, islands: Sequence[Part]) -> Sequence[Part]:
        """Which changed parts are at rest."""
        if not self.moving:
            return islands
        near = grown(self.motion, 2)
        return [p for p in islands if not (p.mask & near).any()]

    def resting(self, quads: Sequence[Quad], where: Mask | None = None) -> list[Box]:
        """The boxes round those of the quads (in the frame) in which nothing moves, and that lie in ``where`` as a
        whole."""
        out = []
        for quad in quads:
            box = box_of(quad, self.frame.image)
            place = area([box], self.scale, (self.grey.shape[0], self.grey.shape[1]))
            if place.any() and not (place & self.motion).any() and (where is None or where[place].all()):
                out.append(box)
        return out


@dataclass(frozen=True)
class WatchStatus:
    """How the loop is doing: frames taken, read and passed over, failures, the last failure in words, a read's time.

    ``read`` counts readings of all kinds, ``whole`` those of whole pictures.
    """

    taken: int = 0
    read: int = 0
    skipped: int = 0
    failures: int = 0
    failure: str = ""
    read_ms: float = 0.0
    whole: int = 0

    def after(self, failure: str | None = None, read_ms: float | None = None, **more: int) -> WatchStatus:
        """With so many ``more`` of what is counted; a good reading ends what the last failure had to say."""
        counts = {name: getattr(self, name) + count for name, count in more.items()}
        failure = failure if failure is not None else "" if more.get("read") else self.failure
        return replace(self, failure=failure, read_ms=self.read_ms if read_ms is None else read_ms, **counts)


def agree(one: Reading, other: Reading, reach: float = 0.35) -> bool:
    """Whether two readings hold the same cards in the same places, within ``reach`` of a card's diagonal."""
    left = list(other.sightings)
    if len(left) != len(one.sightings):
        return False
    for sighting in one.sightings:
        limit = reach * _diagonal(sighting)
        match = next(
            (
                s
                for s in left
                if (s.kind, s.label) == (sighting.kind, sighting.label) and _distance(s, sighting) <= limit
            ),
            None,
        )
        if match is None:
            return False
        left.remove(match)
    return True


def _diagonal(s: CardSighting) -> float:
    (ax, ay), _, (cx, cy), _ = s.corners
    return float(np.hypot(cx - ax, cy - ay))


def _distance(a: CardSighting, b: CardSighting) -> float:
    return float(np.hypot(a.centre[0] - b.centre[0], a.centre[1] - b.centre[1]))


def box_of(quad: Quad, image: Image) -> Box:
    """The box around a quad, inside the image."""
    x, y = [p[0] for p in quad], [p[1] for p in quad]
    high, wide = image.shape[:2]
    return max(0, int(min(x))), max(0, int(min(y))), min(wide, int(max(x)) + 1), min(high, int(max(y)) + 1)
