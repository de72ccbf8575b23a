"""Which cards of the table belong to which hand of the round, splits included.

The table numbers a seat's hands from left to right as they lie now; the round knows one hand until it is split. A hand
of the round is therefore a group of heaps that lie side by side, each a list of cards by their place in the story. Its
cards are those of all its heaps in the order in which they came; after a split each half keeps its own heaps.
"""

from __future__ import annotations

from collections.abc import Sequence

from advisor.games.cards import Card
from advisor.games.contract.story import Lying, Story

Heap = list[int]
"""Cards by their place in the story, in the order in which they came."""
Group = list[Heap]
"""The heaps of one hand of the round, from left to right."""


def heaps(story: Story, seat: int) -> Group:
    """The heaps of a seat as they lie."""
    found: dict[int, Heap] = {}
    for place, lying in enumerate(story.cards):
        if lying.place.seat == seat:
            found.setdefault(lying.place.hand, []).append(place)
    return [found[hand] for hand in sorted(found)]


def in_order(group: Group) -> Heap:
    """The cards of a hand in the order in which they came."""
    return sorted(place for heap in group for place in heap)


def parted(group: Group) -> bool:
    """Whether the hand's first two cards lie in heaps of their own, as those of a split pair do."""
    first = in_order(group)[:2]
    return len(first) == 2 and not any(set(first) <= set(heap) for heap in group)


def split(group: Group) -> tuple[Group, Group]:
    """The two hands that a split makes of one, left and right; a pair that lies together is taken apart."""
    first, second = in_order(group)[:2]
    if not parted(group):
        rest = [it for it in in_order(group) if it != second]
        return [rest], [[second]]
    begins = max(at for at, heap in enumerate(group) if first in heap or second in heap)
    return group[:begins], group[begins:]


def without(group: Group, place: int) -> Group:
    """The hand without one card."""
    left = [[it for it in heap if it != place] for heap in group]
    return [heap for heap in left if heap]


def faces(cards: Sequence[Lying]) -> tuple[Card, ...] | None:
    """The cards where all of them lie face up and are read or guessed, else None."""
    known = tuple(face for it in cards if (face := it.face) is not None)
    return known if cards and len(known) == len(cards) else None


def up_faces(cards: Sequence[Lying]) -> tuple[Card, ...]:
    """Those that lie face up."""
    return tuple(face for it in cards if (face := it.face) is not None)
