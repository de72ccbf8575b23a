"""What a picture's other cards say of how far a card's name may be trusted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from vision.sightings import CardSighting

FEWEST = 5
"""So many others must be named before they say anything of the picture."""


def less_sure_in_a_poor_picture(seen: Sequence[CardSighting], poor: float, least: float) -> list[CardSighting]:
    """The sightings, with those unsure that are named less likely than ``least`` among others that are named less
    likely than ``poor`` in the mean.

    Blurred and blocky pictures spoil all their cards: an 8 of clubs that looks like spades looks so to a net that was
    trained on better ones, and is only less doubtful about it than about its neighbours.
    """
    named = [s.confidence for s in seen if s.kind != "back" and s.label is not None]
    total, others = sum(named), len(named) - 1
    if others < FEWEST:
        return list(seen)

    def doubtful(s: CardSighting) -> bool:
        return s.kind == "card" and s.confidence < least and (total - s.confidence) / others < poor

    return [replace(s, kind="unsure") if doubtful(s) else s for s in seen]
