"""Everything that can happen on a score sheet, each as a frozen value: a log of them replays the sheet.

An operation says what happened and nothing of what follows from it: totals, the dealer and who is ahead are worked
out. Players are called by name, whatever its case; deals are numbered from 1. Nothing is ever taken out of the log:
`Undo` and `Redo` are operations too.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, get_args

from advisor.games.rummy.cards import RummyCard
from advisor.games.rummy.fields import from_data, with_values
from advisor.games.rummy.loader import shipped_variant, variant_names
from advisor.games.rummy.variant import Variant


class Source(StrEnum):
    """Where a hand's points come from."""

    PHOTO = "photo"
    TYPED = "typed"


class Opening(StrEnum):
    """What a player who joins late starts with."""

    HIGHEST = "highest"
    """The highest total of those who play, at the end of the deal before."""
    ZERO = "zero"
    """Nothing; somebody who comes back keeps the total from before."""


def tidy(name: str) -> str:
    """A name as it is kept: without spaces at its ends or doubled ones, and each letter in one form of Unicode."""
    return " ".join(unicodedata.normalize("NFC", name).split())


class _Tidied:
    """Operations whose names are tidied however they were typed."""

    __slots__ = ()
    _NAMES: tuple[str, ...] = ("player",)

    def __post_init__(self) -> None:
        for field in self._NAMES:
            value = getattr(self, field)
            kept = tuple(map(tidy, value)) if isinstance(value, tuple) else value if value is None else tidy(value)
            object.__setattr__(self, field, kept)


@dataclass(frozen=True, slots=True)
class StartGame(_Tidied):
    """A game begins: its variant, the players in seating order to the left, and who deals first."""

    _NAMES = ("players", "dealer", "playing")

    variant: Variant
    players: tuple[str, ...]
    dealer: str
    playing: tuple[str, ...] = ()
    """Who of them plays from the first deal; empty: all of them. The others may join later."""
    deals: int | None = None
    """How many deals the game has; 0: as many as are played until it is ended. None: those of the variant, or, where
    a contract not met stays for the next deal, until somebody has met the last one. After the variant's last contract
    its first one follows again."""


@dataclass(frozen=True, slots=True)
class RecordHand(_Tidied):
    """The cards left in a player's hand, or their points, in the deal that is being played: one of the two."""

    player: str
    deal: int
    cards: tuple[RummyCard, ...] | None = None
    points: int | None = None
    source: Source = Source.TYPED
    image: str = ""
    """What the photograph is called, where there is one."""
    bonuses: tuple[str, ...] = ()
    """Which of the variant's bonuses the player earned; each is taken off the points."""
    met: bool | None = None
    """Whether the player met the contract; must be said only where a contract not met stays for the next deal."""


@dataclass(frozen=True, slots=True)
class WentOut(_Tidied):
    """A player got rid of every card: no points, and the variant's bonus `GOING_OUT` where it has one."""

    player: str
    deal: int
    bonuses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CorrectScore(_Tidied):
    """What takes the place of a recorded score, in any deal that counts: cards, points, or having gone out."""

    player: str
    deal: int
    cards: tuple[RummyCard, ...] | None = None
    points: int | None = None
    out: bool = False
    source: Source = Source.TYPED
    image: str = ""
    bonuses: tuple[str, ...] = ()
    met: bool | None = None


@dataclass(frozen=True, slots=True)
class TakeBackScore(_Tidied):
    """A score of the deal that is being played was another player's: it no longer stands, and is missing again."""

    player: str
    deal: int


@dataclass(frozen=True, slots=True)
class EndDeal:
    """Every score of the deal is in; the next deal follows, or the game is over."""

    deal: int


@dataclass(frozen=True, slots=True)
class VoidDeal:
    """A deal counts for nobody: one that has ended, or the one being played, which is skipped."""

    deal: int


@dataclass(frozen=True, slots=True)
class DealAgain:
    """The deal being played is dealt again by the same dealer; scores recorded in it no longer stand."""

    deal: int


@dataclass(frozen=True, slots=True)
class SetDealer(_Tidied):
    """Somebody else deals the deal being played; from there on the deal passes left as ever."""

    player: str
    deal: int


@dataclass(frozen=True, slots=True)
class RenamePlayer(_Tidied):
    """A player is called something else, on the whole sheet."""

    _NAMES = ("player", "to")

    player: str
    to: str


@dataclass(frozen=True, slots=True)
class JoinPlayer(_Tidied):
    """Somebody plays from this deal on, the one being played: a new player, or one who sat out or had left."""

    _NAMES = ("player", "after")

    player: str
    deal: int
    opening: Opening
    after: str | None = None
    """Whose left neighbour a new player is; None: the seat to the right of the first player."""


@dataclass(frozen=True, slots=True)
class LeavePlayer(_Tidied):
    """A player plays no more: from this deal on, or from the next where the score of this one is recorded.

    The total stays on the sheet, but cannot win.
    """

    player: str
    deal: int


@dataclass(frozen=True, slots=True)
class EndGame:
    """The game is over before its last deal."""


@dataclass(frozen=True, slots=True)
class Undo:
    """The last operation that stands no longer does."""


@dataclass(frozen=True, slots=True)
class Redo:
    """What was undone last stands again."""


Operation = (
    StartGame
    | RecordHand
    | WentOut
    | CorrectScore
    | TakeBackScore
    | EndDeal
    | VoidDeal
    | DealAgain
    | SetDealer
    | RenamePlayer
    | JoinPlayer
    | LeavePlayer
    | EndGame
    | Undo
    | Redo
)
"""Any operation."""

OPERATIONS: Final[tuple[type[Operation], ...]] = get_args(Operation)
"""The classes of all operations."""

Scoring = RecordHand | WentOut | CorrectScore
"""The operations that give a player a score."""


def variant_of(name: str, overrides: Mapping[str, Any]) -> Variant:
    """A variant that comes with tableside, some fields replaced; or one of your own, of which every field is given.

    Raises `VariantError`.
    """
    if name in variant_names() or not overrides:
        return with_values(shipped_variant(name), overrides)
    return from_data(name, overrides)
