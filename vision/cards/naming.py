"""What the indices of one physical card, and its whole face, say together."""

from __future__ import annotations

from collections.abc import Sequence

from vision.cards.faces import ruled_out, torn, weighed
from vision.cards.geometry import length
from vision.cards.groups import combined, heard
from vision.cards.indices import IndexReading
from vision.cards.patches import Floats
from vision.cards.profile import NONE
from vision.sightings import FACES, CardSighting, Quad


def named(members: Sequence[IndexReading], corners: Floats, face: Floats | None = None) -> CardSighting:
    """What the indices of one physical card, and its whole face, say together, as yet unsure."""
    chances = combined(heard(members))
    if face is not None:
        high = _height_of(members, corners)
        chances = weighed(chances, face, high)
        if ruled_out(face, int(chances[:NONE].argmax()), high):
            chances = torn(chances, face)
    best = int(chances[:NONE].argmax())
    top = sorted(range(NONE), key=lambda k: -chances[k])[:4]
    guesses = {FACES[k]: round(float(chances[k]), 4) for k in top if chances[k] > 0.02}
    quads = tuple(as_quad(r.quad) for r in members)
    return CardSighting("unsure", as_quad(corners), FACES[best], float(chances[best]), guesses, quads)


def _height_of(members: Sequence[IndexReading], corners: Floats) -> float:
    """The height of a card's index as a share of the card's."""
    return max(length(r.quad[3] - r.quad[0]) for r in members) / max(length(corners[3] - corners[0]), 1.0)


def as_quad(points: Floats) -> Quad:
    """A 4 x 2 array as plain floats."""
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return (a, b, c, d)
