"""What the table says to the dealer at one moment: frozen values, made by :func:`advisor.table.follow`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from advisor.games.blackjack import Action
from vision.sightings import Kind, Quad


class Phase(StrEnum):
    """How far the round is, as far as the cards show it."""

    EMPTY = "empty"
    DEALING = "dealing"
    """The dealer's upcard or a hand's second card is still missing."""
    PLAYERS = "players"
    DEALER = "dealer"
    """The hole card is up: the players are done."""


class Reason(StrEnum):
    """Why a hand has no advice."""

    UNSURE = "unsure"
    FACE_DOWN = "face_down"
    NO_UPCARD = "no_upcard"
    UPCARD_UNSURE = "upcard_unsure"
    ONE_CARD = "one_card"
    DEALER_PLAYS = "dealer_plays"
    NOT_A_GAME_CARD = "not_a_game_card"
    IMPOSSIBLE = "impossible"


@dataclass(frozen=True)
class TableCard:
    """A card of a hand: ``label`` is the reading (a best guess if ``kind`` is unsure, None for a back)."""

    kind: Kind
    label: str | None
    corners: Quad
    guesses: Mapping[str, float] = MappingProxyType({})
    upcard: bool = False


@dataclass(frozen=True)
class HandAdvice:
    """The move for a hand: expected winnings by action in units of the bet, best first, and why."""

    action: Action
    values: Mapping[Action, float]
    margin: float
    why: str
    insurance_value: float | None = None
    even_money_value: float | None = None


@dataclass(frozen=True)
class HandState:
    """One hand. ``total`` and ``soft`` count the cards read surely; ``text`` says it in words ("soft 17").

    Without ``advice``, ``reason`` and the sentence ``missing`` say why and what to do.
    """

    cards: tuple[TableCard, ...]
    total: int | None = None
    soft: bool = False
    text: str = ""
    complete: bool = True
    """Whether every card of the hand is face up and surely read, so that the total is the hand's."""
    advice: HandAdvice | None = None
    reason: Reason | None = None
    missing: str = ""

    @property
    def unsure(self) -> int:
        """How many cards somebody should look at."""
        return sum(c.kind == "unsure" for c in self.cards)

    @property
    def face_down(self) -> int:
        """How many cards lie face down."""
        return sum(c.kind == "back" for c in self.cards)


@dataclass(frozen=True)
class Problem:
    """Something wrong on the table: ``code`` for programs, ``message`` for people, ``places`` to point at."""

    code: str
    message: str
    places: tuple[Quad, ...] = ()


@dataclass(frozen=True)
class TableState:
    """The table at one moment; player hands from left to right as the camera sees them."""

    phase: Phase = Phase.EMPTY
    dealer: HandState | None = None
    upcard: str | None = None
    """The dealer's upcard if it is surely read."""
    hands: tuple[HandState, ...] = ()
    loose: tuple[TableCard, ...] = ()
    """Cards that belong to no hand: face-down ones lying alone, such as the pack."""
    problems: tuple[Problem, ...] = ()
