"""Which cards of a picture lie together as a meld, from where they lie alone; and how many hands it shows."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, cos, sin

from advisor.table.nearness import CARD_HEIGHT, CARD_WIDTH, Cluster, centre_of, clusters, size_of
from vision.sightings import CardSighting

MELD_REACH = 0.3 * CARD_WIDTH
"""Cards of a meld overlap or lie side by side; a wider gap (millimetres) parts two melds."""
HAND_REACH = 2 * CARD_HEIGHT
"""Heaps of one hand may be pushed apart; a wider gap (millimetres) parts two hands."""
LEAST_OF_A_HAND = 3
"""Fewer cards lying apart are strays, such as the upcard."""


def meld_groups(sightings: Sequence[CardSighting]) -> tuple[Cluster, ...]:
    """The cards in groups that lie together, each in the order in which it lies; rows from the top, left to right.

    Takes faces, sure or not; cards lying face down belong to no meld and should be left out by the caller.
    """
    groups = [in_order(group) for group in clusters(sightings, MELD_REACH)]
    if not groups:
        return ()
    row = sum(map(size_of, groups)) / len(groups)
    return tuple(sorted(groups, key=lambda g: (round(centre_of(g)[1] / row), centre_of(g)[0])))


def in_order(group: Sequence[CardSighting]) -> Cluster:
    """The cards along the line on which they lie, from the left (or, in a column, from the top)."""
    mid = centre_of(group)
    away = [(s.centre[0] - mid[0], s.centre[1] - mid[1]) for s in group]
    xx, yy, xy = sum(x * x for x, _ in away), sum(y * y for _, y in away), sum(x * y for x, y in away)
    angle = atan2(2 * xy, xx - yy) / 2
    along, down = cos(angle), sin(angle)
    if along < 0.1 and down < 0:  # a column is read from the top
        along, down = -along, -down
    return tuple(sorted(group, key=lambda s: s.centre[0] * along + s.centre[1] * down))


def hands_seen(sightings: Sequence[CardSighting]) -> int:
    """How many hands the picture shows: groups of three cards or more that lie far apart; at least one."""
    groups = clusters(sightings, HAND_REACH)
    return max(1, sum(len(group) >= LEAST_OF_A_HAND for group in groups))
