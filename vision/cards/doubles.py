"""One card that was listed as two of its name.

A lens that bends, or a picture that was stretched to another shape, shows a card's indices where no card has them, so
that one of them is left over; and a court card's large pip and crown are found beside its index now and then. Each
becomes an equal card, read surely. Here two of one name are held against what cards can do: none lies on another
without covering one of its ends, and hardly ever does one lie just where the other's next index is printed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.geometry import axes, beside, centre, cosine, leaning, length, other_corners
from vision.cards.pairing import lies_between
from vision.cards.patches import Floats
from vision.cards.side_steps import SideStep, lie_so, side_steps
from vision.sightings import JOKER, CardSighting, Quad

PARALLEL = 0.85
"""Cosine of the angle between the indices of one card, or of two that lie as if they were one."""
NEAR = 0.22
"""So near to a place where the other has an index, in shares of its width and height between two (their sum)."""
OUTWARD = 0.35, 0.25, 0.02
"""So far outward of its index, at the most, across and down, a card has its corner, and no less than the last down: a
court card's pip and crown were paired in the index's place. The next card of a fan, which lies lower, does not."""
SQUARE = 0.5
"""Sine of the angle between a card's two sides, at least."""
MARGIN = 0.1
"""So far beyond another index a card may reach on either side and still cover it, in the same shares."""
ACROSS, LEVEL = (5.0, 11.0), 0.5
"""From one index to the next along a card's short side: so many index widths, and no more heights aside;"""
ALONG, ABREAST = (2.5, 8.0), 0.7
"""along its long side: so many heights, and no more widths aside."""
NARROW = 0.65
"""Two indices that stand nearer together than this share of how far the picture's other cards have those of their two
sides apart (in index heights) are no card's upper two: neighbours in a fan are, as a deck of two packs has them."""


def with_doubles_open(seen: Sequence[CardSighting]) -> list[CardSighting]:
    """The sightings, the lesser of two sure ones of one name unsure where it may be the other once more.

    Of 1 217 readings of training photographs, as they are, blurred, dazzled and squashed, 15 held such a card, all of
    them wrongly; of 630 rendered hands none did (`models/EXPERIMENTS.md`, row 222, and 228 of what is left over).
    """
    sure = [s for s in seen if s.kind == "card" and s.label not in (None, JOKER) and s.indices]
    sides = [(s.label, step) for s in sure for step in side_steps([_quads(s)])]
    wide = [(s.label, frame.width) for s in sure for frame in _frames(_quads(s))]
    open_ones: set[int] = set()
    for pair in combinations(sure, 2):
        less, more = sorted(pair, key=lambda s: (len(s.indices), s.confidence))
        if less.label != more.label:
            continue
        others = [step for label, step in sides if label != less.label]
        widths = [width for label, width in wide if label != less.label]
        least = NARROW * float(np.median(widths)) if widths else 0.0
        if all(_may_be_its_own(q, more, sure, least) for q in _quads(less)) or _left_over(less, more, others):
            open_ones.add(id(less))
    return [replace(s, kind="unsure") if id(s) in open_ones else s for s in seen]


def _may_be_its_own(place: Floats, card: CardSighting, cards: Iterable[CardSighting], least: float) -> bool:
    """Whether an index may be the card's own though it was taken for an equal one's; ``least`` is how many index
    heights cards are wide at the least."""
    own = _quads(card)
    frames = [frame for frame in _frames(own) if frame.width >= least]
    if frames:
        return any(_impossible(place, card, frame) for frame in frames)
    if len(own) > 1:
        return all(leaning(one, place) or _beside(one, place, least) for one in own)
    others = [q for s in cards if s.label != card.label for q in _quads(s)]
    return bool(leaning(own[0], place)) or (_beside(own[0], place, least) and not _parted(own[0], place, others))


def _left_over(less: CardSighting, more: CardSighting, sides: Sequence[SideStep]) -> bool:
    """Whether a lone index lies from one of the other's as the ``sides`` of other cards have theirs, and the other's
    own two do not: that was paired with an index of a third card of its name, or the lone one is its own."""
    own = _quads(more)
    if len(less.indices) != 1 or len(own) != 2 or lie_so(sides, own[0], own[1]):
        return False
    return any(lie_so(sides, one, place) for one in own for place in _quads(less))


@dataclass(frozen=True, eq=False)
class _Frame:
    """A card by two indices on its diagonal: from the middle of ``one`` the ``steps`` (2 x 2, columns; pixels) to where
    it has its next, across and down."""

    one: Floats
    steps: NDArray[np.float64]

    @property
    def width(self) -> float:
        """How far apart the indices of its two sides are, in index heights."""
        return length(self.steps[:, 0]) / max(length(axes(self.one)[1]), 1e-6)


def _frames(quads: Sequence[Floats]) -> list[_Frame]:
    """By each two of a card's indices that stand on a diagonal."""
    both = [frame for a, b in combinations(quads, 2) for frame in (_frame(a, b), _frame(b, a))]
    return [frame for frame in both if frame is not None]


def _frame(one: Floats, far: Floats) -> _Frame | None:
    """By two that stand on a diagonal; None where they do not."""
    corners = other_corners(one, far)
    if corners is None:
        return None
    across, down = (corner - centre(one) for corner in corners)
    steps = np.stack([across, down], 1).astype(np.float64)
    plainly = abs(float(np.linalg.det(steps))) > SQUARE * length(across) * length(down)
    return _Frame(one, steps) if plainly and min(length(across), length(down)) > length(axes(one)[1]) else None


def _impossible(place: Floats, card: CardSighting, frame: _Frame) -> bool:
    """Whether no equal card can show its index there, or it stands where the card itself has one."""
    turn = cosine(axes(place)[1], axes(frame.one)[1])
    if abs(turn) < PARALLEL:
        return False
    step = (centre(place) - centre(frame.one)).astype(np.float64)
    u, v = (float(x) for x in np.linalg.solve(frame.steps, step))
    if abs(u - (turn > 0)) + abs(v - (turn < 0)) < NEAR:
        return True
    if turn < 0:
        return False
    if -OUTWARD[0] < u < 0 and -OUTWARD[1] < v < -OUTWARD[2]:
        return True
    # Upright as the first, an equal card on top covers the far end where it lies inward, and the first where outward.
    within = min(u, v) > -MARGIN and max(u, v) < 1 + MARGIN
    return within or ((min(u, v) > -MARGIN or max(u, v) < MARGIN) and _lies_in(place, card.corners))


def _lies_in(place: Floats, outline: Quad) -> bool:
    x, y = (float(c) for c in centre(place))
    return cv2.pointPolygonTest(np.array(outline, np.float32), (x, y), measureDist=False) > 0


def _beside(one: Floats, place: Floats, least: float) -> bool:
    """Whether two stand as a four-index card's along one side, whatever its shape in the picture, though no nearer
    across than ``least`` index heights."""
    found = beside(one, place, 0.7, 0.8)
    if found is None:
        return False
    u, v, turn = abs(found[0]), abs(found[1]), found[2]
    if turn > 0:
        apart = length(centre(place) - centre(one)) / max(length(axes(one)[1]), 1e-6)
        return ACROSS[0] < u < ACROSS[1] and v < LEVEL and apart >= least
    return ALONG[0] < v < ALONG[1] and u < ABREAST


def _parted(one: Floats, place: Floats, others: Iterable[Floats]) -> bool:
    """Whether another card's index stands between two: then they are two cards of a row."""
    return any(lies_between(centre(one), centre(place), axes(one)[1], centre(other)) for other in others)


def _quads(s: CardSighting) -> list[Floats]:
    return [np.array(q, np.float32) for q in s.indices]
