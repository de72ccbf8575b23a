"""Half a ten under the next card: its 1 is an ace in some decks, and is read as one, surely."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from vision.identity_match import overlap, within
from vision.identity_values import Track
from vision.sightings import CardSighting

MOST = 0.6
"""So much of both lies in one place."""
UPON = 0.2
"""A card that lies over so much of another, or of its own, may hide half of its index."""
LESS = 0.5
"""So likely is what is read, and so likely the ten."""


def with_tens_for_ones(sightings: Sequence[CardSighting], tracks: Sequence[Track]) -> list[CardSighting]:
    """The sightings, those unsure that are sure aces where an index of a ten of their suit was read on which another
    card lies now: an ace that was laid just there is rarer by far."""

    def said(s: CardSighting) -> CardSighting:
        if s.kind != "card" or s.label is None or s.label[:-1] != "A":
            return s
        ten = "10" + s.label[-1]
        others = [o.corners for o in sightings if o is not s]
        tens = [
            t
            for t in tracks
            if t.up and t.name.sure and t.name.label == ten
            if any(overlap(other, t.sighting.corners) > UPON for other in others)
        ]
        # Of its far end the 1 alone may be found, a little beside where both figures were.
        each = [replace(s, indices=(quad,)) for quad in s.indices]
        if not any(within(t.marks, one) for t in tens for one in each if overlap(t.sighting.corners, s.corners) > MOST):
            return s
        return replace(s, kind="unsure", label=ten, confidence=LESS, probabilities={ten: LESS, s.label: LESS})

    return [said(s) for s in sightings]
