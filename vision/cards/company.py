"""What a picture's other cards say of how far a card's name may be trusted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import median

from vision.sightings import CardSighting

FEWEST = 5
"""So many others must be named before they say anything of the picture."""


def less_sure_in_a_poor_picture(seen: Sequence[CardSighting], poor: float, least: float) -> list[CardSighting]:
    """The sightings, with those unsure that are named less likely than ``least`` where half of the others are named
    less likely than ``poor``: the median, for a pip taken for an index is named poorly in the best of pictures.

    Blurred and blocky pictures spoil all their cards: an 8 of clubs that looks like spades looks so to a net that was
    trained on better ones, and is only less doubtful about it than about its neighbours.
    """
    named = [s for s in seen if s.kind != "back" and s.label is not None]
    if len(named) <= FEWEST:
        return list(seen)

    def doubtful(s: CardSighting) -> bool:
        if s.kind != "card" or s.confidence >= least:
            return False
        return median(other.confidence for other in named if other is not s) < poor

    return [replace(s, kind="unsure") if doubtful(s) else s for s in seen]
