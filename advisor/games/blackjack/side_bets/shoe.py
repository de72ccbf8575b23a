"""The unseen cards by face: side bets tell suits apart, so the ten values do not do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from advisor.games.cards import FULL_PACK, Card

_PLACE: Final = {card: place for place, card in enumerate(FULL_PACK)}


@dataclass(frozen=True, slots=True)
class FaceShoe:
    """How many of each of the 52 faces are unseen, in the order of `FULL_PACK`; any composition of any number of packs.

    Raises `ValueError` where there are not 52 counts, or a count is no whole number from 0 up.
    """

    counts: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.counts) != len(FULL_PACK):
            raise ValueError(f"a shoe has a count for each of {len(FULL_PACK)} faces, not {len(self.counts)}")
        for card, count in zip(FULL_PACK, self.counts, strict=True):
            if isinstance(count, bool) or not isinstance(count, int) or count < 0:
                raise ValueError(f"a shoe cannot hold {count!r} {card.plural}: give a whole number from 0 up")

    @classmethod
    def of(cls, decks: int, seen: Iterable[Card] = ()) -> FaceShoe:
        """So many packs of 52 less the cards seen.

        A count never falls below zero; where more of a card were seen than the packs hold,
        `advisor.games.blackjack.shoe_problems` says so.
        """
        gone = Counter(seen)
        return cls(tuple(max(0, decks - gone[card]) for card in FULL_PACK))

    @classmethod
    def from_cards(cls, cards: Iterable[Card]) -> FaceShoe:
        """A shoe of exactly these cards."""
        held = Counter(cards)
        return cls(tuple(held[card] for card in FULL_PACK))

    @property
    def size(self) -> int:
        """How many cards are in it."""
        return sum(self.counts)

    def count(self, card: Card) -> int:
        """How many of the face are in it."""
        return self.counts[_PLACE[card]]

    def without(self, cards: Iterable[Card]) -> FaceShoe:
        """The shoe after these cards came out; raises `ValueError` for a card that is not in it."""
        left = list(self.counts)
        for card in cards:
            left[_PLACE[card]] -= 1
            if left[_PLACE[card]] < 0:
                raise ValueError(f"the {card.name} is not in the shoe any more")
        return FaceShoe(tuple(left))
