"""What a game answers: a round as the display shows it. Frozen values; words are short English, amounts exact."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Literal

from advisor.games.contract.story import Carried, Place

Phase = Literal["bets", "deal", "play", "house", "settle", "clear", "over"]
"""Where the round is: taking bets, dealing, the players' turns, the house's, paying, clearing the cards, over."""
Lies = Literal["up", "down", "unsure"]


@dataclass(frozen=True, slots=True)
class CardView:
    """A card of a hand; `label` is the guess where it is unsure, None where nothing is known."""

    card: int
    label: str | None
    lies: Lies
    crosswise: bool = False
    gone: bool = False


@dataclass(frozen=True, slots=True)
class BetView:
    """Chips before a hand: "bet", "insurance", "tie" and so on. `assumed` where nobody said or showed how much."""

    name: str
    amount: Fraction
    assumed: bool = False


@dataclass(frozen=True, slots=True)
class Payment:
    """What a hand is owed or loses; `amount` is the player's gain, negative where the house collects, 0 at a push."""

    amount: Fraction
    words: str
    """The outcome: "wins", "push", "blackjack pays 3:2"."""
    done: bool = False
    """Whether it has been paid or collected."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that may be said now: the display shows `words` on a button and sends `operation` back as it is."""

    words: str
    operation: Mapping[str, Any]
    place: Place | None = None
    """The hand that it is about; None for the dealer's own."""
    main: bool = False
    """Whether it is what usually follows, to be the big button."""


@dataclass(frozen=True, slots=True)
class HandView:
    """One hand, with its advice where there is any to give.

    `values` maps each allowed action to what it is worth (units of the bet), best first; `problems` say why there is no
    advice, or what to check before trusting it.
    """

    place: Place
    title: str
    cards: tuple[CardView, ...] = ()
    total: str = ""
    active: bool = False
    """Whether its decision, or its card, is awaited now."""
    action: str | None = None
    """The best action: one of the words that are keys of `values`, or "done"."""
    values: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    margin: float = 0.0
    why: tuple[str, ...] = ()
    offer: str | None = None
    """Advice on an offer beside the action, such as insurance."""
    bets: tuple[BetView, ...] = ()
    payment: Payment | None = None
    problems: tuple[str, ...] = ()
    private: bool = False
    """Whether players should not see the advice on this hand."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that the rules forbid or the cards cannot be, with what would put it right.

    `choices` hold operations of the round, or a correction of the table: {"op": "name-card", "card": 7, "label": "5H"},
    {"op": "remove-card", "card": 7}.
    """

    words: str
    place: Place | None = None
    card: int | None = None
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """Something that nobody is sure of, with the answers that may be given as operations of the round.

    An operation whose "amount" is empty is to be filled in.
    """

    words: str
    place: Place | None = None
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True)
class Fact:
    """A figure beside the round: cards left, the running count. `private` ones are for the dealer's eyes."""

    name: str
    """A short word that never changes, such as "running-count"."""
    words: str
    value: str
    private: bool = False
    count: bool = False
    """Whether it tells the count or how deep the shoe is, which a dealer may want out of sight."""


@dataclass(frozen=True, slots=True)
class GridCell:
    """One mark of a scoreboard, counted from 0 at the top left."""

    column: int
    row: int
    kind: str
    words: str
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Grid:
    """A scoreboard."""

    name: str
    words: str
    columns: int
    rows: int
    cells: tuple[GridCell, ...] = ()


@dataclass(frozen=True, slots=True)
class Played:
    """A round as it stands, worked out from its story."""

    phase: Phase
    step: str
    """What the dealer does next, in one or two short sentences."""
    step_place: Place | None = None
    house: tuple[HandView, ...] = ()
    """The house's hands."""
    hands: tuple[HandView, ...] = ()
    """The seats' hands, in order of seats."""
    choices: tuple[Choice, ...] = ()
    faults: tuple[Fault, ...] = ()
    notices: tuple[str, ...] = ()
    """Things worth knowing that are not wrong: the shoe was taken as shuffled."""
    facts: tuple[Fact, ...] = ()
    grids: tuple[Grid, ...] = ()
    net: Mapping[int, Fraction] = field(default_factory=lambda: MappingProxyType({}))
    """What each seat has gained in this round so far; negative where it lost."""
    operations: tuple[Mapping[str, Any], ...] = ()
    """The round as the game's own log, which replays it."""
    carried: Carried = field(default_factory=lambda: MappingProxyType({}))
    """What the next round is to be given, were this one over now."""
    questions: tuple[Question, ...] = ()
    """What somebody should look at, because nobody is sure of it."""
