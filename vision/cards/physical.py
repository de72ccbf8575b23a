"""From indices to physical cards: grouped by where they lie, then parted and joined where one by one says otherwise."""

from __future__ import annotations

from collections.abc import Sequence

from vision.cards.detector import Found
from vision.cards.grouping import group
from vision.cards.groups import Group, IndexSize, index_size
from vision.cards.indices import IndexReading
from vision.cards.odd_jokers import with_both_corners, with_two_for_one
from vision.cards.one_joker import of_one_joker, with_far_marks_parted
from vision.cards.one_place import with_places_of_their_own


def as_cards(
    readings: Sequence[IndexReading], outlines: Sequence[Found], shapes: Sequence[Found]
) -> tuple[list[Group], IndexSize]:
    """The cards that the indices are of, and how large indices are on these.

    ``outlines`` are those that were found surely enough to be cards by themselves, ``shapes`` all of them.
    """
    groups = group(readings, outlines)
    size = index_size([([readings[k] for k in g.members], g.outline) for g in groups])
    groups = with_two_for_one(with_places_of_their_own(groups, readings, size), readings)
    groups = with_far_marks_parted(with_both_corners(groups, readings, shapes), readings, shapes)
    return of_one_joker(groups, readings), size
