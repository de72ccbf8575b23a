"""What is remembered of the cards between two readings, and what one reading gives."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.identity_names import Name
from vision.identity_places import Ground, Look, Mask, Picture, outline_mask
from vision.sightings import CardSighting, Quad, middle

CARRIED = 1.5
"""Seconds within which a card may be in a hand between two places and keep its number."""
UNSEEN = 3.0
"""Seconds after which a card that is not seen, and over whose place nothing larger lies, is gone although nothing
is known of the table under it."""
SURE_BACK = 0.8
"""A back found this surely needs no second reading."""
SECOND = 4
"""So many readings of an unsure card are asked for before it is left to the next change."""


@dataclass(frozen=True)
class Tracked:
    """A physical card on the table.

    ``card`` counts up and is never used again. ``sighting`` is its best outline now, with the name that is held.
    ``label`` is None where it lies face down or was never guessed; ``sure`` says whether it is trusted, ``rank_sure``
    whether at least its rank is, ``given_up`` whether it was trusted and is not any more; ``up`` whether its face
    shows. ``covered``: not seen just now but taken to be still there. ``since``, ``last_seen`` and ``moved_at`` (when
    it was last carried to another place, None if never) are in the frames' seconds.
    """

    card: int
    sighting: CardSighting
    label: str | None
    sure: bool
    up: bool
    covered: bool
    since: float
    last_seen: float
    moved_at: float | None = None
    rank_sure: bool = False
    given_up: bool = False


@dataclass(frozen=True, eq=False)
class Track:
    """A card as it is remembered: what :class:`Tracked` shows, and the evidence for it."""

    card: int
    sighting: CardSighting
    name: Name
    up: bool
    since: float
    last_seen: float
    look: Look | None = None
    covered: bool = False
    moved_at: float | None = None
    here_at: float = 0.0
    """Since when it lies where it lies, in the frames' seconds."""
    hits: int = 1
    """Settled readings it was seen in."""
    marks: tuple[Quad, ...] = ()
    """Where its indices were read since it lies where it lies, in pixels of the frame."""
    missed: int = 0
    """Settled readings of its place in a row without it."""
    contrary: int = 0
    """Settled readings in a row that showed it the other way up."""
    grown_at: float | None = None
    """Since when it is read with two indices more, which is believed once a later picture shows it so."""
    disputed: int = 0
    """Readings of it since one showed an unsure face over it or it looked otherwise than before, up to
    `identity_new.LOOKS`; 0 where none did."""
    empty_at: float | None = None
    unseen_at: float | None = None
    left: bool = False
    """Whether it is gone."""
    slid_from: Track | None = None
    """What it was where it lay before it was last taken to have slid; that was at ``here_at``."""


@dataclass(frozen=True, eq=False)
class Candidate:
    """Something seen that is no card yet: ``count`` settled readings since ``since``; ``look`` is how its place looked
    when it was first seen at rest."""

    sighting: CardSighting
    count: int
    since: float
    last: float
    look: Look | None = None


@dataclass(frozen=True, eq=False)
class Memory:
    """What is known between readings; begin with ``Memory()``, or ``Memory(following=n)`` to number cards from n.

    ``doubts`` are places (quads in pixels) that another reading would settle; ``waiting`` says that time or rest alone
    may change the answer, so that ``follow`` is to be asked again soon even without a new reading.
    """

    following: int = 1
    tracks: tuple[Track, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    gone: tuple[Track, ...] = ()
    """Cards whose places were seen empty in the last ``CARRIED`` seconds."""
    ground: Ground | None = None
    doubts: tuple[Quad, ...] = ()
    waiting: bool = False
    size: tuple[int, int] = (0, 0)


@dataclass(frozen=True, eq=False)
class Scene:
    """One call's givens; masks are of the shrunken picture's size, None where there is no picture. ``outlines`` are all
    that look like a card's (quads in pixels)."""

    at: float
    settled: bool
    picture: Picture | None
    scale: float
    restless: Mask | None
    looked: Mask | None
    ground: Ground | None = None
    outlines: tuple[Quad, ...] = ()

    def moving(self, quad: Quad) -> float:
        """The share of the quad's place that moves."""
        return self._share(self.restless, quad)

    def fresh(self, quad: Quad) -> bool:
        """Whether most of the quad's place was read just now."""
        return self.looked is None or self._share(self.looked, quad) >= 0.5

    def _share(self, mask: Mask | None, quad: Quad) -> float:
        if mask is None:
            return 0.0
        if not mask.any():
            return 0.0
        place = outline_mask([quad], self.scale, (mask.shape[0], mask.shape[1]))
        count = int(np.count_nonzero(place))
        if not count:
            x, y = (int(v * self.scale) for v in middle(quad))
            inside = 0 <= y < mask.shape[0] and 0 <= x < mask.shape[1]
            return float(inside and mask[y, x])
        return int(np.count_nonzero(place & mask)) / count


def shape_of(picture: Picture) -> tuple[int, int]:
    """Height and width."""
    return picture.shape[0], picture.shape[1]
