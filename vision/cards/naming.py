"""What the indices of one physical card, and its whole face, say together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType

from vision.cards.faces import LARGE_INDEX, ruled_out, torn, weighed
from vision.cards.geometry import length
from vision.cards.groups import combined, heard
from vision.cards.indices import IndexReading
from vision.cards.patches import Floats
from vision.cards.profile import NONE
from vision.sightings import FACES, CardSighting, Quad

MOST, LISTED = 4, 0.02
"""So many names of a card are listed, and none that is less likely."""
TRACE = 1e-4


def named(
    members: Sequence[IndexReading], corners: Floats, face: Floats | None = None, one_pip: bool = False
) -> CardSighting:
    """What the indices of one physical card, and its whole face, say together, as yet unsure.

    Where its deck prints ``one_pip`` on every number, as decks with large indices do, the face speaks as theirs.

    Every name that is at all likely is among its ``probabilities``: `with_likeliest_names` makes the list short.
    """
    chances = combined(heard(members))
    if face is not None:
        high = max(_height_of(members, corners), LARGE_INDEX if one_pip else 0.0)
        chances = weighed(chances, face, high)
        if ruled_out(face, int(chances[:NONE].argmax()), high):
            chances = torn(chances, face)
    best = int(chances[:NONE].argmax())
    guesses = {FACES[k]: float(chances[k]) for k in range(NONE) if chances[k] > TRACE}
    quads = tuple(as_quad(r.quad) for r in members)
    return CardSighting("unsure", as_quad(corners), FACES[best], float(chances[best]), guesses, quads)


def with_likeliest_names(seen: CardSighting) -> CardSighting:
    """The sighting as it is listed: with `MOST` names at the most."""
    likely = [(name, chance) for name, chance in seen.probabilities.items() if chance > LISTED]
    names = {name: round(chance, 4) for name, chance in sorted(likely, key=lambda it: -it[1])[:MOST]}
    return replace(seen, probabilities=MappingProxyType(names))


def _height_of(members: Sequence[IndexReading], corners: Floats) -> float:
    """The height of a card's index as a share of the card's."""
    return max(length(r.quad[3] - r.quad[0]) for r in members) / max(length(corners[3] - corners[0]), 1.0)


def as_quad(points: Floats) -> Quad:
    """A 4 x 2 array as plain floats."""
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return (a, b, c, d)
