"""Where a sequence can lie: windows of consecutive places, by what the ace may be.

A place is 0 for the ace below the deuce, 1 for the deuce, up to 12 for the king and 13 for the ace above it. Where
sequences go round the corner there is only one ace, place 0, and 12 is followed by 0.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from advisor.games.cards import RANKS, Card
from advisor.games.rummy.variant import Ace

Window = tuple[int, ...]
"""Consecutive places, low end first."""

RING: Final = len(RANKS)


@cache
def windows(ace: Ace, length: int) -> tuple[Window, ...]:
    """Every place where a sequence of that many cards can lie, from the ace upwards; none where it is too long."""
    if length < 1 or length > (RING + 1 if ace == "both_ends" else RING):
        return ()
    if ace == "wrap":
        # All 13 cards of a suit are one sequence wherever it begins.
        starts = range(RING) if length < RING else range(1)
        return tuple(tuple((start + k) % RING for k in range(length)) for start in starts)
    low, high = {"low": (0, RING), "high": (1, RING + 1)}.get(ace, (0, RING + 1))
    return tuple(tuple(range(start, start + length)) for start in range(low, high - length + 1))


def apart(one: Window, other: Window, ace: Ace) -> bool:
    """Whether a rank lies between two sequences of one suit on every side, so that they are not one cut up.

    Sequences that share a card, or would share one, are not apart.
    """
    if ace != "wrap":
        return one[-1] + 1 < other[0] or other[-1] + 1 < one[0]
    taken = {(place + step) % RING for place in one for step in (-1, 0, 1)}
    return not taken.intersection(other)


def card_at(place: int, suit: str) -> Card:
    """The card that belongs at a place."""
    return Card(RANKS[place % RING], suit)
