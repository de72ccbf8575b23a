"""Whose hand is the dealer's, and which of his cards is the upcard.

A face-down card beside a face-up one gives the dealer away. Once that has been seen, his place and his upcard are kept
for the round, so that turning the hole card up changes neither. Without a face-down card (none dealt yet, or a game
without a hole card) the hand farthest towards the dealer's side is his, if it is clearly so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

from advisor.table.nearness import Cluster, centre_of, size_of
from advisor.table.state import DealerSide
from vision.sightings import CardSighting, Point, Reading

NEAR = 1.3
"""A hand whose centre has moved by less than so many card diagonals may be the same hand."""
CLEARLY = 0.35
"""By so many card diagonals the dealer's hand must be farther towards his side than the next."""
HIS_SHARE = 0.6
"""His hand's centre lies in this share of the picture, counted from his side."""
SAME_ROUND = 0.5
"""While this share of the cards (of the smaller number) is still there, the round goes on."""


@dataclass(frozen=True)
class TableMemory:
    """What one view must tell the next: the round's cards, and the dealer's place and upcard once known."""

    labels: frozenset[str] = frozenset()
    dealer: Point | None = None
    upcard: str | None = None
    upcard_at: Point | None = None


@dataclass(frozen=True)
class Found:
    """The dealer's cluster, if any, his upcard, and what to remember."""

    cluster: Cluster | None
    upcard: CardSighting | None
    memory: TableMemory


def find_dealer(memory: TableMemory, reading: Reading, groups: Sequence[Cluster], side: DealerSide) -> Found:
    """The dealer among ``groups``."""
    memory = _of_this_round(memory, reading)
    hands = [g for g in groups if any(s.kind != "back" for s in g)]
    same_place = _nearest(hands, memory.dealer)
    chosen: Cluster | None
    if same_place and memory.upcard and any(_is(s, memory.upcard) for s in same_place):
        chosen = same_place
    else:
        with_back = [g for g in hands if any(s.kind == "back" for s in g)]
        if with_back:
            chosen = _farthest(with_back, side)
        elif memory.dealer:
            chosen = same_place
        else:
            chosen = _clearly_farthest(hands, reading, side)
    if chosen is None:
        return Found(None, None, memory)
    upcard = _upcard(chosen, memory)
    has_back = any(s.kind == "back" for s in chosen)
    certain = upcard is not None and upcard.kind == "card"
    return Found(
        chosen,
        upcard,
        TableMemory(
            labels=memory.labels,
            # A guess by side is made afresh each time; a place is kept once two cards or a back make it his.
            dealer=centre_of(chosen) if has_back or memory.dealer else None,
            upcard=upcard.label if certain and upcard else memory.upcard,
            upcard_at=upcard.centre if upcard else memory.upcard_at,
        ),
    )


def _of_this_round(memory: TableMemory, reading: Reading) -> TableMemory:
    """The memory, or a fresh one where the cards on the table are others than before."""
    now = frozenset(s.label for s in reading.cards if s.label)
    if not reading.sightings:
        return TableMemory()
    known = memory.labels
    if known and now and len(known & now) < SAME_ROUND * min(len(known), len(now)):
        return TableMemory(labels=now)
    return TableMemory(now or known, memory.dealer, memory.upcard, memory.upcard_at)


def _upcard(hand: Cluster, memory: TableMemory) -> CardSighting | None:
    """The face-up card beside the back; later the one remembered; else the only one."""
    faces = [s for s in hand if s.kind != "back"]
    backs = [s for s in hand if s.kind == "back"]
    if memory.upcard:
        same = [s for s in faces if _is(s, memory.upcard)]
        if same:
            return _closest(same, memory.upcard_at or same[0].centre)
    if backs and faces:
        return min(faces, key=lambda s: min(_apart(s.centre, b.centre) for b in backs))
    return faces[0] if len(faces) == 1 else None


def _is(sighting: CardSighting, label: str) -> bool:
    """Whether this is that card; a card that is hard to read just now counts if that card is among the guesses."""
    if sighting.kind == "unsure":
        return sighting.label == label or label in sighting.probabilities
    return sighting.label == label


def _nearest(hands: Sequence[Cluster], place: Point | None) -> Cluster | None:
    if place is None or not hands:
        return None
    best = min(hands, key=lambda h: _apart(centre_of(h), place))
    return best if _apart(centre_of(best), place) <= NEAR * size_of(best) else None


def _farthest(hands: Sequence[Cluster], side: DealerSide) -> Cluster:
    return min(hands, key=lambda h: _depth(centre_of(h), side))


def _clearly_farthest(hands: Sequence[Cluster], reading: Reading, side: DealerSide) -> Cluster | None:
    if not hands:
        return None
    ranked = sorted(hands, key=lambda h: _depth(centre_of(h), side))
    first = ranked[0]
    if len(ranked) == 1 and len(first) > 1:
        return None  # one hand alone is a player's: the dealer shows one card before he shows two
    if len(ranked) > 1:
        lead = _depth(centre_of(ranked[1]), side) - _depth(centre_of(first), side)
        if lead < CLEARLY * size_of(first):
            return None
    x, y = centre_of(first)
    share = {
        "top": y / reading.height,
        "bottom": 1 - y / reading.height,
        "left": x / reading.width,
        "right": 1 - x / reading.width,
    }[side]
    return first if share <= HIS_SHARE else None


def _depth(p: Point, side: DealerSide) -> float:
    """Smaller is nearer to the dealer's side."""
    return {"top": p[1], "bottom": -p[1], "left": p[0], "right": -p[0]}[side]


def _closest(sightings: Sequence[CardSighting], place: Point) -> CardSighting:
    return min(sightings, key=lambda s: _apart(s.centre, place))


def _apart(a: Point, b: Point) -> float:
    return hypot(a[0] - b[0], a[1] - b[1])
