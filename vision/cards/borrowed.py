"""Indices that are two cards' print: a rank that peeps out from under a card, read with that card's suit.

Under a queen of spades lay an eight of diamonds, all of whose lower index showed but the diamond; with a spade of the
queen's picture above it that was an eight of spades, surely, and a hand had a card more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from vision.cards.detector import Found
from vision.cards.geometry import axes, leaning, length
from vision.cards.indices import IndexReading
from vision.sightings import FACES, JOKER, OF_RANK

TALL: Final = 1.18
"""Such an index is this much taller than its card's other one."""
ASTRAY: Final = 0.16
"""It lies no farther than this, in ways between the two, from where an outline says that the other one's card ends."""


def with_borrowed_suits_open(readings: Sequence[IndexReading], outlines: Sequence[Found]) -> list[IndexReading]:
    """The readings, with any suit as likely as its own where an index lies at the other end of a card of its rank and
    reaches farther in than that card's index does."""
    return [
        _any_suit(r) if any(_borrows(r, other) and _same_card(r, other, outlines) for other in readings) else r
        for r in readings
    ]


def _borrows(one: IndexReading, other: IndexReading) -> bool:
    name, its = FACES[one.best], FACES[other.best]
    if JOKER in (name, its) or name == its or name[:-1] != its[:-1] or one.found >= other.found:
        return False
    taller = length(axes(one.quad)[1]) > TALL * length(axes(other.quad)[1])
    return taller and leaning(one.quad, other.quad) > 0


def _same_card(one: IndexReading, other: IndexReading, outlines: Sequence[Found]) -> bool:
    apart = length(one.centre - other.centre)
    return any(length(2 * o.centre - other.centre - one.centre) < ASTRAY * apart for o in outlines)


def _any_suit(one: IndexReading) -> IndexReading:
    chances = one.chances.copy()
    for same in OF_RANK.values():
        chances[same] = np.mean(chances[same])
    return replace(one, chances=chances)
