"""What a game is told of a round: which cards came to each place, in order, and what somebody said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final

from advisor.games.cards import Card, CardError, parse_card

HOUSE: Final = 0
"""The seat number of the house's own hands."""

Carried = Mapping[str, Any]
"""What earlier rounds left, as plain data that JSON can hold: the cards seen, whose bank it is, commission owed."""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where a hand lies: the seat (1 to 7 from the dealer's left; `HOUSE` for the house) and the hand in it, from 1."""

    seat: int
    hand: int = 1


@dataclass(frozen=True, slots=True)
class Lying:
    """One physical card of the round."""

    card: int
    """Its number, which stays the same while the card is on the table and is never used again."""
    place: Place
    label: str | None
    """The face as text ("10H", "JOKER"); None while it lies face down or cannot be read at all."""
    up: bool = True
    """Whether it lies face up."""
    sure: bool = True
    """Whether the label may be trusted; an unsure label is the best guess."""
    suit_open: bool = False
    """Whether it is the suit alone that may not be trusted: the rank was read surely."""
    crosswise: bool = False
    """Whether it lies at a right angle to the hand's other cards."""
    turned: bool = False
    """Whether it was dealt face down and turned up later."""
    gone: bool = False
    """Whether it has been picked up again."""
    came_at: int = 0
    turned_at: int = 0
    gone_at: int = 0
    """The place, among all that happened at the table, of its coming, of its being turned up and of its being picked
    up; 0 where that did not happen or is not known."""
    named: bool = False
    """Whether somebody said what it is."""
    place_said: bool = False
    """Whether somebody said that this is its place."""

    @property
    def face(self) -> Card | None:
        """The card, sure or guessed; None face down, unread, or where no such card is in a pack of 52."""
        if not self.up or self.label is None:
            return None
        try:
            return parse_card(self.label)
        except CardError:
            return None


@dataclass(frozen=True, slots=True)
class Told:
    """What somebody said: an operation of the game's round as plain data, such as {"op": "stand", "seat": 2}."""

    number: int
    """Its place among all that happened in the round."""
    operation: Mapping[str, Any]
    after: int = 0
    """How many cards had come when it was said."""


@dataclass(frozen=True, slots=True)
class Story:
    """A round so far. Frozen; a game makes a `Played` of it, the same each time."""

    cards: tuple[Lying, ...] = ()
    """Every card that came, in the order in which it came; those picked up are among them."""
    told: tuple[Told, ...] = ()
    """In the order in which it was said; what was taken back is not among them."""
    carried: Carried = field(default_factory=lambda: MappingProxyType({}))
    usual_bets: Mapping[int, Fraction] = field(default_factory=lambda: MappingProxyType({}))
    """What each seat is taken to bet where nothing else was said; a seat that is missing bets the least allowed."""
    cleared: bool = False
    """Whether the cards have been cleared, so that the round is over."""
    laid: Mapping[int, Fraction] = field(default_factory=lambda: MappingProxyType({}))
    """What surely lay at seats' places before the first card: these seats bet that, unless somebody says otherwise, or
    the deal shows that they were left out."""

    def at(self, place: Place) -> tuple[Lying, ...]:
        """The cards that came to a hand, in order."""
        return tuple(it for it in self.cards if it.place == place)

    def seats(self) -> tuple[int, ...]:
        """The seats that got cards, in order; the house is not among them."""
        return tuple(sorted({it.place.seat for it in self.cards} - {HOUSE}))

    def hands(self, seat: int) -> Iterator[tuple[int, tuple[Lying, ...]]]:
        """The hands of a seat from left to right, each with its number and its cards."""
        for hand in sorted({it.place.hand for it in self.cards if it.place.seat == seat}):
            yield hand, self.at(Place(seat, hand))
