"""From the cards that the camera follows to what changed at the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import reduce
from math import dist
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from advisor.games.contract import HOUSE, Place
from advisor.money import format_amount
from advisor.table.again import Followed, back_again, face_of, read_again
from advisor.table.changes import (
    BACK,
    UNREAD,
    AddCard,
    BetsLaid,
    CardCame,
    CardGone,
    CardLies,
    CardsCleared,
    CardShown,
    Change,
    Seen,
    label_in,
)
from advisor.table.crosswise import crosswise
from advisor.table.fold import fold
from advisor.table.nearness import diagonal
from advisor.table.seating import Lies, Places, Table, in_turn, seated
from advisor.table.state import FeltCard, TableState, lying
from vision.sightings import Point

SAME_SPOT: Final = 0.7
"""After a restart a card of the same face within so many card diagonals of where one lay is that card."""


@dataclass(frozen=True)
class SeeingMemory:
    """Which card of the table each card that vision follows is."""

    bound: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))
    begun: bool = False
    rests: Mapping[int, Point] = field(default_factory=lambda: MappingProxyType({}))
    """Where each card lay when the last card came to its hand, when it was last taken to another, or came back."""
    seen: Mapping[int, Point] = field(default_factory=lambda: MappingProxyType({}))
    """Where each card was seen last, those that are gone too."""
    contradicted: frozenset[int] = frozenset()
    """Cards that were read surely as two different ones: neither is believed until somebody says which it is."""


def see(
    memory: SeeingMemory, followed: Sequence[Followed], state: TableState, table: Table
) -> tuple[SeeingMemory, tuple[Seen, ...]]:
    """What changed, and what to remember once those changes are stored. Pure."""
    bound = {track: card for track, card in memory.bound.items() if _known(state, card)}
    here = {it.card for it in followed}
    gone = [card for track, card in bound.items() if track not in here]
    bound = {track: card for track, card in bound.items() if track in here}
    if not memory.begun:
        # Cards that lay there before a restart, and do not any more, are gone.
        _recognise(bound, followed, state)
        gone += [card.card for card in state.cards if not card.gone and card.card not in bound.values()]
    added = _added(state)
    fresh = [it for it in followed if it.card not in bound and not _adopted(it, bound, added, state)]
    # Of cards seen for the first time together, those were dealt first whose turn is first.
    fresh.sort(key=lambda it: in_turn(it.sighting.centre, table.side))
    back = back_again(gone, fresh, state, memory.seen)
    fresh = [it for it in fresh if it.card not in back]
    again = read_again(gone, fresh, state, memory.rests)
    gone = [card for card in gone if card not in again.values()]
    fresh = [it for it in fresh if it.card not in again]
    bound |= back | again
    contradicted = memory.contradicted | _contradicting(followed, again, state)
    numbers = {it.card: state.following + at for at, it in enumerate(fresh)}
    rested = {**memory.rests, **{back[it.card]: it.sighting.centre for it in followed if it.card in back}}
    places = seated(_lies(followed, {**bound, **numbers}, state, rested), table)
    for it in followed:
        # An added card that has come into view is at the place that was said.
        if bound.get(it.card) in added:
            places.pop(bound[it.card], None)
    changes: list[Seen] = [*_changed(followed, bound, places, state, contradicted)]
    if fresh and _house_gone(state, gone, back.values()):
        # A new card after the house's have been picked up begins the next round; what still lies there is left over.
        returned = (it for it in changes if isinstance(it, CardShown) and it.card in back.values())
        picked_up = (CardGone(card=card) for card in gone if _still(state, card))
        cleared: tuple[Seen, ...] = (*returned, *picked_up, CardsCleared())
        after = reduce(fold, cleared, state)
        memory, rest = see(replace(memory, bound=MappingProxyType(bound), begun=True), followed, after, table)
        return memory, (*cleared, *rest)
    came = _came(fresh, numbers, places, followed, {**bound, **numbers}, state)
    bound.update({track: change.card for track, change in came})
    changes += [change for _, change in came]
    changes += [CardGone(card=card) for card in gone if _still(state, card)]
    if _cleared(state, changes):
        changes.append(CardsCleared())
    rests = _rests(rested, changes, followed, bound, state)
    seen = {card: at for card, at in memory.seen.items() if _known(state, card)} | _where(followed, bound)
    known = SeeingMemory(MappingProxyType(bound), True, MappingProxyType(rests), MappingProxyType(seen), contradicted)
    return known, tuple(changes)


def _where(followed: Sequence[Followed], bound: Mapping[int, int]) -> dict[int, Point]:
    """Where the cards are, by their numbers at the table."""
    return {bound[it.card]: it.sighting.centre for it in followed if it.card in bound}


def _rests(
    before: Mapping[int, Point],
    changes: Sequence[Seen],
    followed: Sequence[Followed],
    bound: Mapping[int, int],
    state: TableState,
) -> dict[int, Point]:
    """The cards' places of rest after the changes: a hand that got a card, or gave one away, begins anew."""
    where = _where(followed, bound)
    rests = {card: at for card, at in before.items() if card in where}
    touched = {Place(it.seat, it.hand) for it in changes if isinstance(it, CardCame | CardLies)}
    lies = {it.card: it.place for it in lying(reduce(fold, changes, state))} if touched else {}
    rests.update({card: where[card] for card, place in lies.items() if place in touched and card in where})
    return rests


def _known(state: TableState, card: int) -> bool:
    return card in state.left_over or card in _added(state) or any(it.card == card for it in state.cards)


def _added(state: TableState) -> set[int]:
    return {it.card for it in state.sayings if isinstance(it.change, AddCard)}


def _still(state: TableState, card: int) -> bool:
    return card in state.left_over or any(it.card == card and not it.gone for it in state.cards)


def _recognise(bound: dict[int, int], followed: Sequence[Followed], state: TableState) -> None:
    """After a restart: the cards of the log among those that lie there."""
    for card in state.cards:
        if card.gone or card.card in bound.values():
            continue
        alike = [
            it
            for it in followed
            if it.card not in bound
            and _same_face(card.face, face_of(it))
            and dist(card.at, it.sighting.centre) <= SAME_SPOT * max(1.0, diagonal(it.sighting.corners))
        ]
        if alike:
            bound[min(alike, key=lambda it: dist(card.at, it.sighting.centre)).card] = card.card


def _contradicting(followed: Sequence[Followed], again: Mapping[int, int], state: TableState) -> frozenset[int]:
    """Those read again whose name was sure and is another now, as sure."""
    faces = {it.card: it.face for it in state.cards}
    return frozenset(
        again[it.card]
        for it in followed
        if it.card in again and it.sure and faces[again[it.card]] not in (face_of(it), BACK)
        if not faces[again[it.card]].startswith(UNREAD)
    )


def _same_face(one: str, other: str) -> bool:
    return label_in(one) == label_in(other) or UNREAD in (one, other)


def _adopted(card: Followed, bound: dict[int, int], added: set[int], state: TableState) -> bool:
    """Whether it is a card that somebody added while the camera could not see it."""
    for it in lying(state):
        free = it.card in added and it.card not in bound.values()
        if free and (it.label == card.label if card.up else not it.up):
            bound[card.card] = it.card
            return True
    return False


def _lies(
    followed: Sequence[Followed], numbers: Mapping[int, int], state: TableState, rests: Mapping[int, Point]
) -> list[Lies]:
    """The cards on the felt with the places that they have; those left over from earlier rounds are nobody's."""
    facts = {it.card: it for it in state.cards}
    now = {it.card: it.place for it in lying(state)}
    lies = []
    for it in followed:
        number = numbers[it.card]
        if number in state.left_over:
            continue
        fact = facts.get(number)
        lies.append(Lies(number, it.sighting, now.get(number), rests.get(number, fact.at) if fact else None))
    return sorted(lies, key=lambda it: it.card)


def _changed(
    followed: Sequence[Followed],
    bound: Mapping[int, int],
    places: Places,
    state: TableState,
    contradicted: frozenset[int],
) -> Iterable[Seen]:
    """What became of the cards that were there."""
    facts = {it.card: it for it in state.cards}
    house = [it.face for it in state.cards if it.place.seat == HOUSE]
    over = len(house) > 1 and BACK not in house
    numbers = {bound[it.card]: it for it in followed if it.card in bound}
    for number, it in sorted(numbers.items()):
        fact = facts.get(number)
        if fact is None:
            continue
        doubted = number in contradicted and it.up
        face = f"{UNREAD}{it.label or ''}" if doubted else face_of(it)
        across = fact.crosswise
        worse = _worse(fact, face) and not doubted and not it.given_up
        if fact.gone or ((face, across) != (fact.face, fact.crosswise) and not worse):
            yield CardShown(card=number, face=fact.face if worse else face, crosswise=int(across))
        place = places.get(number)
        # Once the house has shown its hand nobody's cards change hands: they slide over others as they are picked up.
        stays = over and fact.place.seat != HOUSE
        if place is not None and not stays and place != fact.place and place != _corrected_place(state, number):
            yield CardLies(card=number, seat=place.seat, hand=place.hand)


def _worse(fact: FeltCard, face: str) -> bool:
    """A name that was read surely is not given up for a doubt, such as a track that began anew has."""
    return face.startswith(UNREAD) and not fact.face.startswith(UNREAD) and fact.face != BACK


def _corrected_place(state: TableState, number: int) -> Place | None:
    card = state.card(number)
    return None if card is None else card.place


def _came(
    fresh: Sequence[Followed],
    numbers: Mapping[int, int],
    places: Places,
    followed: Sequence[Followed],
    all_numbers: Mapping[int, int],
    state: TableState,
) -> list[tuple[int, CardCame]]:
    """The new cards that belong to somebody, numbered without gaps."""
    sightings = {all_numbers[it.card]: it.sighting for it in followed}
    placed = {it.card: it.place for it in state.cards if not it.gone} | {
        card: place for card, place in places.items() if place is not None
    }
    came: list[tuple[int, CardCame]] = []
    for it, place in _dealt(fresh, numbers, places, placed):
        first = next(
            (n for n in sorted(placed) if placed[n] == place and n < numbers[it.card] and n in sightings), None
        )
        across = first is not None and place.seat != HOUSE and crosswise(it.sighting.corners, sightings[first].corners)
        x, y = it.sighting.centre
        number = state.following + len(came)
        came.append(
            (
                it.card,
                CardCame(
                    card=number,
                    seat=place.seat,
                    hand=place.hand,
                    face=face_of(it),
                    crosswise=int(across),
                    x=round(x),
                    y=round(y),
                ),
            )
        )
    return came


def _dealt(
    fresh: Sequence[Followed], numbers: Mapping[int, int], places: Places, placed: Mapping[int, Place]
) -> list[tuple[Followed, Place]]:
    """The new cards that belong to somebody in the order of dealing: everybody's first before anybody's second."""
    new = [(it, place) for it in fresh if (place := places.get(numbers[it.card])) is not None]
    here = {numbers[it.card] for it, _ in new}
    lay = Counter(place for card, place in placed.items() if card not in here)
    rounds = []
    for it, place in new:
        lay[place] += 1
        rounds.append((lay[place], it, place))
    return [(it, place) for _, it, place in sorted(rounds, key=lambda dealt: dealt[0])]


def _house_gone(state: TableState, gone: Sequence[int], back: Collection[int]) -> bool:
    """Whether the house had two cards or more, and has none any more, nor one that is back."""
    house = [card for card in state.cards if card.place.seat == HOUSE]
    return len(house) > 1 and all((card.gone or card.card in gone) and card.card not in back for card in house)


def _cleared(state: TableState, changes: Sequence[Seen]) -> bool:
    """Whether no card of the round lies there any more."""
    if any(isinstance(it, CardCame) for it in changes) or not state.cards:
        return False
    gone = {it.card for it in changes if isinstance(it, CardGone)}
    shown = {it.card for it in changes if isinstance(it, CardShown)} - gone
    return bool(gone) and all((card.gone or card.card in gone) and card.card not in shown for card in state.cards)


def with_laid(state: TableState, changes: Sequence[Change], laid: Mapping[int, Fraction]) -> Sequence[Change]:
    """The changes, with what surely lies at the seats' places before them where the round's first card is among them:
    from then on nobody can tell a bet that lies there from what a round before has left."""
    if not laid or laid == state.laid or not any(isinstance(it, CardCame | AddCard) for it in changes):
        return changes
    return [BetsLaid(bets={str(seat): format_amount(bet) for seat, bet in sorted(laid.items())}), *changes]


def moved(memory: SeeingMemory) -> SeeingMemory:
    """The memory after vision began anew: its numbers mean nothing any more, but cards that lie there are known."""
    return replace(memory, bound=MappingProxyType({}), begun=False)


def pushed(memory: SeeingMemory, matrix: ArrayLike) -> SeeingMemory:
    """The memory after the camera was pushed: `matrix` (3 x 3) takes pixels before to pixels now."""
    m = np.asarray(matrix, np.float64)

    def along(point: Point) -> Point:
        x, y, w = m @ (*point, 1.0)
        return (float(x / w), float(y / w))

    def pushed_along(places: Mapping[int, Point]) -> Mapping[int, Point]:
        return MappingProxyType({card: along(at) for card, at in places.items()})

    return replace(memory, rests=pushed_along(memory.rests), seen=pushed_along(memory.seen))
