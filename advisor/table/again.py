"""Cards under a new number that are one which the table knows: read otherwise, or out of sight for a while."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import dist
from typing import Final, Protocol

from advisor.table.changes import BACK, SUIT_OPEN, UNREAD, RemoveCard, label_in
from advisor.table.nearness import diagonal
from advisor.table.state import TableState, lying
from vision.sightings import CardSighting, Point

READ_AGAIN: Final = 0.25
"""What is seen for the first time within so many card diagonals of a card that went is that card."""


class Followed(Protocol):
    """A card as vision follows it: :class:`vision.identity.Tracked`."""

    @property
    def card(self) -> int:
        """Its number with vision, which begins anew at every start."""

    @property
    def sighting(self) -> CardSighting:
        """Its outline now."""

    @property
    def label(self) -> str | None:
        """Its name, trusted or guessed."""

    @property
    def sure(self) -> bool:
        """Whether the name is trusted."""

    @property
    def rank_sure(self) -> bool:
        """Whether at least the name's rank is."""

    @property
    def given_up(self) -> bool:
        """Whether its name was trusted and is not any more."""

    @property
    def up(self) -> bool:
        """Whether its face shows."""


def face_of(card: Followed) -> str:
    """The face as a change writes it."""
    if not card.up:
        return BACK
    mark = "" if card.sure and card.label else SUIT_OPEN if card.rank_sure and card.label else UNREAD
    return f"{mark}{card.label or ''}"


def read_again(
    gone: Sequence[int], fresh: Sequence[Followed], state: TableState, rests: Mapping[int, Point]
) -> dict[int, int]:
    """New cards that are one which went at this very moment, for they lie where it lay and its hand lies there still.

    Nobody changes one card of a hand for another in the middle of it: it is the same card, read otherwise.
    """
    again: dict[int, int] = {}
    for number in gone:
        fact = next((it for it in state.cards if it.card == number and not it.gone), None)
        if fact is None:
            continue
        hand = [it.card for it in state.cards if it.place == fact.place and not it.gone]
        if all(card in gone for card in hand):
            continue
        here = rests.get(number, fact.at)
        near = [
            (dist(here, it.sighting.centre) / max(1.0, diagonal(it.sighting.corners)), it.card)
            for it in fresh
            if it.up and it.card not in again
        ]
        if near and min(near)[0] <= READ_AGAIN:
            again[min(near)[1]] = number
    return again


def back_again(
    gone: Sequence[int], fresh: Sequence[Followed], state: TableState, seen: Mapping[int, Point]
) -> dict[int, int]:
    """New cards that are one which was gone: of its face, where it lay, and its hand lies there as it was then.

    Something of the table's colour passed over it, a dark sleeve or a shadow. Nobody takes one card of a hand away and
    lays one of its face in its place; but what somebody took out afterwards is not put back, and as all cards are
    picked up none comes back. ``gone`` are those that go in this look, ``seen`` is where each was seen last.
    """
    if all(it.gone or it.card in gone for it in state.cards):
        return {}
    back: dict[int, int] = {}
    out = {it.change.card: it.number for it in state.sayings if isinstance(it.change, RemoveCard)}
    said = {it.card: it for it in lying(state)}
    places = {it.card: said[it.card].place if it.card in said else it.place for it in state.cards}
    for fact in (it for it in state.cards if it.gone and out.get(it.card, 0) <= it.gone_at):
        hand = [it for it in state.cards if places[it.card] == places[fact.card] and it.card != fact.card]
        if all(it.gone for it in hand) or any(it.came_at > fact.gone_at for it in hand):
            continue
        named = said[fact.card].label if fact.card in said else None
        names = {label_in(fact.face), named or label_in(fact.face)}
        lay = (fact.at, seen.get(fact.card, fact.at))
        near = [
            it.card
            for it in fresh
            if it.card not in back
            and label_in(face_of(it)) in names
            and min(dist(at, it.sighting.centre) for at in lay) <= READ_AGAIN * max(1.0, diagonal(it.sighting.corners))
        ]
        if len(near) == 1:
            back[near[0]] = fact.card
    return back
