"""Whose card is it: the seat and hand that each card on the felt belongs to.

With a calibrated layout a card belongs to the seat on whose area it lies. Without one, cards that lie together are a
hand, hands become seats in the order in which they got their first card, and the house's hand is told by its face-down
card or by lying farthest towards the dealer. Either way a card keeps its place once it has one, until it is moved.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import dist
from typing import Final

from advisor.games.contract import HOUSE, Place
from advisor.table.nearness import (
    CARD_HEIGHT,
    CARD_WIDTH,
    REACH,
    Cluster,
    centre_of,
    clusters,
    diagonal,
    gap,
    size_of,
)
from advisor.table.state import DealerSide
from vision.felt import Calibration, Layout
from vision.sightings import CardSighting, Point

PARTED: Final = 0.12
"""A card that has moved by less, in card diagonals, was not drawn aside to split a pair."""
DRAWN: Final = REACH / 2
"""A pair with such a gap between its cards, of which one has moved, was drawn apart. Half of what makes two hands of
cards that came so, for an outline may be found a quarter too large."""
CARRIED: Final = 0.8
"""A card that has moved by more was carried to another hand."""
STRAY: Final = 1.4
"""A card that came alone this near to a hand, in card diagonals, belongs to it once the first cards are dealt."""
LONG_HAND: Final = 3
"""A hand of so many cards may reach into the next seat's area."""
OVERLAPPING: Final = 0.5
"""Nearer than this, in card diagonals, one card lies on another."""
CLEARLY: Final = 0.35
"""By so many card diagonals the house's hand must be farther towards the dealer's side than the next."""
SIZE: Final = 1.6
"""A card's outline on a calibrated felt may be so many times too large or too small,"""
TWICE: Final = 2.0
"""and so many times too large where the card is named surely."""
ITS_SHARE: Final = 0.6
"""The house's hand lies in this share of the picture, counted from the dealer's side."""


@dataclass(frozen=True)
class Table:
    """What is known of the table that does not change from card to card."""

    width: int
    """Of the camera's picture, pixels."""
    height: int
    seats: int = 7
    house_hands: int = 1
    seats_hold_cards: bool = True
    face_down: bool = False
    """Whether cards are dealt to seats face down, so that a back says nothing of whose it is."""
    side: DealerSide = "top"
    layout: Layout | None = None
    calibration: Calibration | None = None


@dataclass(frozen=True)
class Lies:
    """A card where it lies now; `place` and `came_at` are None for one that has no place yet."""

    card: int
    sighting: CardSighting
    place: Place | None = None
    came_at: Point | None = None

    @property
    def moved(self) -> float:
        """How far it lies from where it came to rest, in card diagonals."""
        if self.came_at is None:
            return 0.0
        return dist(self.came_at, self.sighting.centre) / max(1.0, diagonal(self.sighting.corners))


Places = dict[int, Place | None]
"""Each card's place by its number; None where the card is nobody's: on a pile, or off the felt."""


def seated(cards: Sequence[Lies], table: Table) -> Places:
    """The place of every card on the felt."""
    groups = _groups(cards)
    nobodys: Places = {}
    if table.layout is not None and table.calibration is not None:
        nobodys = {card.card: None for card in cards if not _is_a_card(card, table.layout, table.calibration)}
        cards = [card for card in cards if card.card not in nobodys]
        groups = _groups(cards)
    zoned = table.layout is not None and table.calibration is not None
    if not table.seats_hold_cards:
        if zoned:
            astray = {card: None for card, place in _by_zone(cards, table).items() if place is None or place.seat}
            nobodys |= astray
            cards = [card for card in cards if card.card not in astray]
            groups = _groups(cards)
        return {**_house_hands(cards, groups, table), **nobodys}
    places = _by_zone(cards, table) if zoned else _by_nearness(cards, groups, table)
    return {**_hands(cards, places, table), **nobodys}


def _is_a_card(card: Lies, layout: Layout, calibration: Calibration) -> bool:
    """Whether it has a card's size on the felt, and is no printed marker, nor anything on a pile. What is named surely
    by two indices may look too small or too large: of a card across others a part may be found for the whole, or it and
    the one beneath for one card."""
    felt = calibration.to_felt(card.sighting.corners)
    sides = [dist(felt[k - 1], felt[k]) for k in range(4)]
    across, along = sorted(((sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2))
    # An outline made up from one index may be off by a third; what is twice as large is a box printed on the felt.
    named = card.sighting.kind == "card" and len(card.sighting.indices) > 1
    if along >= CARD_HEIGHT * (TWICE if named else SIZE) or (across <= CARD_WIDTH / SIZE and not named):
        return False
    middle = (sum(p[0] for p in felt) / 4, sum(p[1] for p in felt) / 4)
    if any(marker.paper.contains(middle) for marker in layout.markers):
        return False
    zone = layout.zone_at(middle)
    return zone is None or zone.kind not in ("shoe", "discards", "rack")


def _groups(cards: Sequence[Lies]) -> list[list[Lies]]:
    """The cards that lie together."""
    by_sighting = {id(card.sighting): card for card in cards}
    return [[by_sighting[id(s)] for s in group] for group in clusters([card.sighting for card in cards])]


def _by_zone(cards: Sequence[Lies], table: Table) -> Places:
    """Seats by the areas of the layout; a card that has a place keeps it unless it was carried away."""
    assert table.layout is not None and table.calibration is not None
    places: Places = {}
    new: list[tuple[Lies, int]] = []
    for card in cards:
        if card.place is not None and card.moved < CARRIED:
            places[card.card] = card.place
            continue
        if (over := _laid_onto(card, cards, table)) is not None:
            places[card.card] = over
            continue
        zone = table.layout.spot_of(table.calibration.to_felt(card.sighting.corners))
        seat = None if zone is None or zone.kind in ("shoe", "discards") else (zone.seat or HOUSE)
        same = card.place is not None and card.place.seat == seat
        places[card.card] = card.place if same else None if seat is None else Place(seat)
        if not same and seat is not None:
            new.append((card, seat))
    for card, seat in new:
        # Where a pair was split, the area holds two hands: a card goes with the one that it lies by.
        there = [it for it in cards if it.place is not None and it.place.seat == seat and places[it.card] == it.place]
        if there:
            places[card.card] = _beside(card, there, places)
    return places


def _laid_onto(card: Lies, cards: Sequence[Lies], table: Table) -> Place | None:
    """The hand of another seat that a new card was laid onto: one of many cards reaches into the next seat's area."""
    assert table.layout is not None and table.calibration is not None
    if card.place is not None:
        return None
    zone = table.layout.spot_of(table.calibration.to_felt(card.sighting.corners))
    own = HOUSE if zone is None else zone.seat or HOUSE
    known = [it for it in cards if it.place is not None and it.place.seat != HOUSE]
    if own == HOUSE or not known:
        return None
    nearest = min(known, key=lambda it: dist(it.sighting.centre, card.sighting.centre))
    place = nearest.place
    theirs = [it for it in known if it.place is not None and it.place.seat == own]
    if place is None or place.seat == own or sum(it.place == place for it in known) < LONG_HAND:
        return None
    far = _gap(card, theirs) if theirs else STRAY
    return place if _gap(card, [nearest]) < min(OVERLAPPING, far / 2) else None


def _by_nearness(cards: Sequence[Lies], groups: Sequence[Sequence[Lies]], table: Table) -> Places:
    """Seats by which cards lie together."""
    house = _house(groups, table)
    places: Places = {}
    for card in cards:
        at_house = house is not None and any(card is it for it in house)
        if at_house:
            places[card.card] = Place(HOUSE)
        elif card.place is not None and card.place.seat != HOUSE:
            places[card.card] = card.place
    for group in groups:
        if group is house:
            continue
        known = [it for it in group if it.card in places]
        for card in group:
            if card.card not in places:
                places[card.card] = _beside(card, known, places) if known else None
            elif card.moved >= CARRIED and len(known) > 1 and not _alike(card, known, places):
                places[card.card] = _beside(card, [it for it in known if it is not card], places)
    _new_seats(groups, places, table)
    return places


def _alike(card: Lies, others: Sequence[Lies], places: Places) -> bool:
    return any(it is not card and places[it.card] == places[card.card] for it in others)


def _beside(card: Lies, known: Sequence[Lies], places: Places) -> Place | None:
    """The place of the nearest card that has one."""
    nearest = min(known, key=lambda it: dist(it.sighting.centre, card.sighting.centre))
    return places[nearest.card]


def _new_seats(groups: Sequence[Sequence[Lies]], places: Places, table: Table) -> None:
    """Groups without a place become the next seats, in the order in which their first cards came."""
    settled = [it for group in groups for it in group if places.get(it.card) is not None]
    dealt = bool(settled) and all(n >= 2 for n in _counts(places).values())
    new = sorted((g for g in groups if all(places.get(it.card) is None for it in g)), key=_first)
    for group in new:
        taken = {place.seat for place in places.values() if place is not None and place.seat != HOUSE}
        free = next((seat for seat in range(1, table.seats + 1) if seat > max(taken, default=0)), None)
        nearest = min(settled, key=lambda it: _gap(it, group), default=None)
        stray = nearest is not None and dealt and len(group) == 1 and _gap(nearest, group) <= STRAY
        theirs = nearest is not None and (stray or free is None)
        place = places[nearest.card] if nearest is not None and theirs else Place(free or table.seats)
        places.update({it.card: place for it in group})


def _counts(places: Places) -> dict[int, int]:
    counts: dict[int, int] = {}
    for place in places.values():
        if place is not None:
            counts[place.seat] = counts.get(place.seat, 0) + 1
    return counts


def _gap(card: Lies, group: Sequence[Lies]) -> float:
    """Card diagonals from a card to the nearest of a group, centre to centre."""
    near = min(dist(card.sighting.centre, it.sighting.centre) for it in group)
    return near / max(1.0, diagonal(card.sighting.corners))


def _first(group: Sequence[Lies]) -> int:
    return min(it.card for it in group)


def _house(groups: Sequence[Sequence[Lies]], table: Table) -> Sequence[Lies] | None:
    """The house's group. One that is known by two cards, or by a back, stays; a guess is made afresh each time."""
    known = [g for g in groups if any(it.place is not None and it.place.seat == HOUSE for it in g)]
    for group in known:
        if len(group) > 1 or (not table.face_down and any(it.sighting.kind == "back" for it in group)):
            return group
    if not table.face_down:
        backs = [g for g in groups if any(it.sighting.kind == "back" for it in g) and _unclaimed(g)]
        if backs:
            return min(backs, key=lambda g: _depth(_centre(g), table.side))
    return _clearly_farthest(groups, table)


def _unclaimed(group: Sequence[Lies]) -> bool:
    """Whether it may be the house's: a player's hand of two cards that shows a back has doubled."""
    return sum(it.place is not None and it.place.seat != HOUSE for it in group) < 2


def _clearly_farthest(groups: Sequence[Sequence[Lies]], table: Table) -> Sequence[Lies] | None:
    if not groups:
        return None
    ranked = sorted(groups, key=lambda g: _depth(_centre(g), table.side))
    first = ranked[0]
    if len(ranked) == 1 and len(first) > 1:
        return None  # one hand alone is a player's: the house shows one card before it shows two
    if len(ranked) > 1:
        lead = _depth(_centre(ranked[1]), table.side) - _depth(_centre(first), table.side)
        if lead < CLEARLY * size_of(_cluster(first)):
            return None
    x, y = _centre(first)
    share = {
        "top": y / table.height,
        "bottom": 1 - y / table.height,
        "left": x / table.width,
        "right": 1 - x / table.width,
    }[table.side]
    return first if share <= ITS_SHARE else None


def _house_hands(cards: Sequence[Lies], groups: Sequence[Sequence[Lies]], table: Table) -> Places:
    """All cards are the house's: its hands are the groups, in the order in which their first cards came."""
    places: Places = {card.card: card.place for card in cards if card.place is not None}
    for group in sorted(groups, key=_first):
        known = [it for it in group if it.card in places]
        everything = [it for it in cards if it.card in places]
        taken = {place.hand for place in places.values() if place is not None}
        free = next((hand for hand in range(1, table.house_hands + 1) if hand not in taken), None)
        for card in sorted(group, key=lambda it: it.card):
            if card.card in places:
                continue
            if known:
                places[card.card] = _beside(card, known, places)
            elif free is not None:
                places[card.card] = Place(HOUSE, free)
            else:
                places[card.card] = _beside(card, everything, places)
            known = [*known, card]
    return places


def _hands(cards: Sequence[Lies], places: Places, table: Table) -> Places:
    """Places with the hand in the seat: a pair that was drawn apart makes two, numbered as the seats are."""
    moved: Places = {}
    for seat in sorted({place.seat for place in places.values() if place is not None} - {HOUSE}):
        mine = [card for card in cards if (places[card.card] or Place(HOUSE)).seat == seat]
        more = 0
        for number in sorted({_hand_of(places, card) for card in mine}):
            parts = _parted([card for card in mine if _hand_of(places, card) == number])
            parts.sort(key=lambda part: _along(_centre(part), cards, places, table))
            for place, part in enumerate(parts, number + more):
                moved.update({card.card: Place(seat, place) for card in part})
            # Hands beyond one that was parted move up; those that have been picked up keep their numbers.
            more += len(parts) - 1
    places.update(moved)
    return places


def _hand_of(places: Places, card: Lies) -> int:
    place = places[card.card]
    return 1 if place is None else place.hand


def _parted(hand: Sequence[Lies]) -> list[list[Lies]]:
    """The hand, or its two parts where a pair was drawn apart; a card that has just come goes with what it lies by."""
    pair = [card for card in hand if card.place is not None]
    moved = len(pair) == 2 and any(card.moved > PARTED for card in pair)
    if not moved or gap(pair[0].sighting, pair[1].sighting) <= DRAWN:
        return [list(hand)]
    first, second = ([card] for card in pair)
    for card in hand:
        if card.place is None:
            nearer = min(pair, key=lambda it: dist(it.sighting.centre, card.sighting.centre))
            (first if nearer is pair[0] else second).append(card)
    return [first, second]


def _along(point: Point, cards: Sequence[Lies], places: Places, table: Table) -> float:
    """How far along the order of the seats a point lies."""
    if table.layout is not None and table.calibration is not None:
        return -table.calibration.to_felt([point])[0][0]
    seats: dict[int, list[Lies]] = {}
    for card in cards:
        place = places[card.card]
        if place is not None and place.seat != HOUSE:
            seats.setdefault(place.seat, []).append(card)
    steps = [
        (_centre(seats[b])[0] - _centre(seats[a])[0], _centre(seats[b])[1] - _centre(seats[a])[1])
        for a, b in pairwise(sorted(seats))
    ]
    x, y = sum(step[0] for step in steps), sum(step[1] for step in steps)
    if abs(x) + abs(y) < 1.0:
        return in_turn(point, table.side)
    return point[0] * x + point[1] * y


def in_turn(point: Point, side: DealerSide) -> float:
    """How late a place in the picture has its turn where nothing else tells: play goes round from the dealer's left."""
    return {"top": -point[0], "bottom": point[0], "left": point[1], "right": -point[1]}[side]


def _cluster(group: Sequence[Lies]) -> Cluster:
    return tuple(it.sighting for it in group)


def _centre(group: Sequence[Lies]) -> Point:
    return centre_of(_cluster(group))


def _depth(p: Point, side: DealerSide) -> float:
    """Smaller is nearer to the dealer's side."""
    return {"top": p[1], "bottom": -p[1], "left": p[0], "right": -p[0]}[side]
