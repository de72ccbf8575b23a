"""Who draws, why, and who wins: the third-card rules of rules/baccarat.md, and nothing of money."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from advisor.games.cards import RANKS, Card

POINTS: Final[Mapping[str, int]] = MappingProxyType(
    {rank: (place + 1 if place < 9 else 0) for place, rank in enumerate(RANKS)}
)
"""What a card counts by rank: ace 1, numerals their face, tens and courts 0."""
NATURAL: Final = (8, 9)
"""Totals of two cards with which neither side draws."""
PLAYER_DRAWS: Final = range(6)
"""Totals on which Player draws."""
BANKER_DRAWS_ALONE: Final = range(6)
"""Totals on which Banker draws where Player stood."""
BANKER_DRAWS: Final[Mapping[int, frozenset[int]]] = MappingProxyType(
    {
        **{total: frozenset(range(10)) for total in range(3)},
        3: frozenset(range(10)) - {8},
        4: frozenset(range(2, 8)),
        5: frozenset(range(4, 8)),
        6: frozenset(range(6, 8)),
        **{total: frozenset() for total in (7, 8, 9)},
    }
)
"""By Banker's total, the third cards of Player on which Banker draws."""


class Side(StrEnum):
    """The two hands of the table."""

    PLAYER = "player"
    BANKER = "banker"

    @property
    def words(self) -> str:
        """The side in a sentence."""
        return self.value.capitalize()


class Result(StrEnum):
    """Who wins a coup."""

    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"


def points_total(points: Iterable[int]) -> int:
    """The total of cards that count so much: the last digit of the sum."""
    return sum(points) % 10


def total(cards: Iterable[Card]) -> int:
    """The total of the cards, 0 to 9."""
    return points_total(POINTS[card.rank] for card in cards)


def natural(player: int, banker: int) -> bool:
    """Whether one of these totals of two cards ends the coup."""
    return player in NATURAL or banker in NATURAL


def player_draws(player: int) -> bool:
    """Whether Player draws on this total, where there is no natural."""
    return player in PLAYER_DRAWS


def banker_draws(banker: int, third: int | None) -> bool:
    """Whether Banker draws on this total after Player's third card counting so much (None where Player stood)."""
    return banker in BANKER_DRAWS_ALONE if third is None else third in BANKER_DRAWS[banker]


def winner(player: int, banker: int) -> Result:
    """Who wins with these final totals."""
    if player == banker:
        return Result.TIE
    return Result.PLAYER if player > banker else Result.BANKER


@dataclass(frozen=True, slots=True)
class NextCard:
    """The side that takes the next card, and why."""

    side: Side
    third: bool
    """Whether it is a third card, which the third-card rules ask for."""
    why: str
    """A clause for a sentence, such as "it has 5, and Player drew a 4"; empty for the first four cards."""


@dataclass(frozen=True, slots=True)
class Coup:
    """The cards of one coup as far as they are dealt, in order."""

    player: tuple[Card, ...] = ()
    banker: tuple[Card, ...] = ()

    def with_card(self, side: Side, card: Card) -> Coup:
        """The coup with one more card."""
        if side is Side.PLAYER:
            return Coup((*self.player, card), self.banker)
        return Coup(self.player, (*self.banker, card))

    def cards(self, side: Side) -> tuple[Card, ...]:
        """The cards of one side."""
        return self.player if side is Side.PLAYER else self.banker

    @property
    def dealt(self) -> int:
        """How many cards lie there."""
        return len(self.player) + len(self.banker)

    @property
    def player_total(self) -> int:
        """Player's total so far."""
        return total(self.player)

    @property
    def banker_total(self) -> int:
        """Banker's total so far."""
        return total(self.banker)

    @property
    def natural(self) -> bool:
        """Whether a natural ended the coup."""
        return self.dealt >= 4 and natural(total(self.player[:2]), total(self.banker[:2]))

    @property
    def next_card(self) -> NextCard | None:
        """The side that takes the next card; None where the coup is complete."""
        if self.dealt < 4:
            side = Side.PLAYER if len(self.player) <= len(self.banker) else Side.BANKER
            return NextCard(side, False, "")
        if self.natural or len(self.banker) == 3:
            return None
        if len(self.player) == 2 and player_draws(self.player_total):
            return NextCard(Side.PLAYER, True, f"it has {self.player_total}, and draws on 0 to 5")
        third = POINTS[self.player[2].rank] if len(self.player) == 3 else None
        if not banker_draws(self.banker_total, third):
            return None
        cause = f"Player stood on {self.player_total}" if third is None else f"Player drew a card of {third}"
        return NextCard(Side.BANKER, True, f"it has {self.banker_total}, and {cause}")

    @property
    def result(self) -> Result | None:
        """Who wins; None while cards are still to come."""
        return None if self.next_card else winner(self.player_total, self.banker_total)

    def pair(self, side: Side) -> bool:
        """Whether the first two cards of a side are of one rank."""
        first = self.cards(side)[:2]
        return len(first) == 2 and first[0].rank == first[1].rank
