"""Decks that print one pip on every number: there a card's picture looks like its suit's ace, and says nothing."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from vision.cards.patches import Floats
from vision.cards.profile import NONE
from vision.sightings import FACES

SURELY, PLAINLY = 0.95, 0.7
"""So likely an index's name and a whole face's must be to tell of the deck."""
FEWEST = 2
"""So many different numbers must look like aces: a single one, in one suit or more, may be how an ace's odd letter is
misread."""
COUNTED = 4
"""A number this high whose pips say the same as its index shows that the deck prints them all."""


def prints_one_pip(cards: Iterable[tuple[NDArray[np.float64], Floats]], before: bool = False) -> bool:
    """Whether the cards of a picture, each by what its indices and its whole face say (chances of every face and none),
    are of a deck that prints one pip on every number.

    What was known ``before``, of the same table, holds until a number shows its pips: the faces that told it may lie
    under others by now.
    """
    like_aces = set()
    for index, face in cards:
        name, shown = int(index[:NONE].argmax()), int(face[:NONE].argmax())
        rank = FACES[name][:-1]
        if not rank.isdigit() or float(index[name]) < SURELY or float(face[shown]) < PLAINLY:
            continue
        if shown == name and int(rank) >= COUNTED:
            return False
        if FACES[shown] == f"A{FACES[name][-1]}":
            like_aces.add(rank)
    return before or len(like_aces) >= FEWEST
