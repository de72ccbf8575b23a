"""What a score sheet is made of: scores, players, the deals they play. Frozen values that know no procedure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from advisor.games.rummy.cards import RummyCard
from advisor.games.rummy.sheet.operations import Opening, Source


@dataclass(frozen=True, slots=True)
class Entry:
    """One player's score in one deal."""

    hand: int
    """What the cards left in hand count; 0 for who went out."""
    bonus: int = 0
    """Points taken off for `bonuses`."""
    cards: tuple[RummyCard, ...] | None = None
    """None where only points were given."""
    out: bool = False
    bonuses: tuple[str, ...] = ()
    met: bool | None = None
    """Whether the contract was met; None where nobody said."""
    source: Source = Source.TYPED
    image: str = ""

    @property
    def points(self) -> int:
        """What the deal adds to the total; negative where bonuses outweigh the hand."""
        return self.hand - self.bonus


@dataclass(frozen=True, slots=True)
class Stint:
    """Deals in a row that a player plays."""

    first: int
    last: int | None = None
    """None while it goes on."""
    opening: Opening = Opening.ZERO
    others: tuple[int, ...] = ()
    """The numbers of those who played when the player joined: the highest total is one of theirs."""

    def holds(self, deal: int) -> bool:
        """Whether the deal is one of them."""
        return self.first <= deal and (self.last is None or deal <= self.last)


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody at the table. The number never changes, whatever the name and the seat."""

    number: int
    name: str
    stints: tuple[Stint, ...] = ()

    @property
    def playing(self) -> bool:
        """Whether the player has not left (and has ever played)."""
        return bool(self.stints) and self.stints[-1].last is None

    def plays(self, deal: int) -> bool:
        """Whether the player plays in that deal."""
        return any(stint.holds(deal) for stint in self.stints)


class DealState(StrEnum):
    """What became of a deal."""

    PLAYING = "playing"
    ENDED = "ended"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class DealRecord:
    """One deal of the game."""

    number: int
    dealer: int
    """The number of the player who deals."""
    entries: tuple[tuple[int, Entry], ...] = ()
    """The scores by player's number, in the order recorded."""
    state: DealState = DealState.PLAYING

    def entry(self, player: Player) -> Entry | None:
        """The player's score, if it is recorded."""
        return dict(self.entries).get(player.number)
