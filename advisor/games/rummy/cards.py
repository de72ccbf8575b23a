"""Rummy's cards: the 52 of each pack and the jokers, from text and as a hand in which a card may come several times."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from advisor.games.cards import RANKS, SUITS, Card, parse_card


@dataclass(frozen=True, slots=True)
class Joker:
    """A joker; all of them are equal. Use the constant `JOKER`."""

    def __str__(self) -> str:
        return "JOKER"

    @property
    def name(self) -> str:
        """The card in words."""
        return "joker"

    @property
    def plural(self) -> str:
        """Several of them in words."""
        return "jokers"


JOKER: Final = Joker()

RummyCard = Card | Joker
"""A card as it lies in a rummy hand."""

_JOKER_WORDS: Final = frozenset({"JOKER", "JK", "*", "🃏"})

RANK_AT: Final = {rank: place for place, rank in enumerate(RANKS)}
"""Rank to its place, ace 0 to king 12."""
SUIT_AT: Final = {suit: place for place, suit in enumerate(SUITS)}


def parse_rummy_card(text: str) -> RummyCard:
    """Read one card leniently: what `parse_card` reads, and "JOKER", "JK" or "*" for a joker.

    Raises `advisor.games.cards.CardError` naming the text and what is allowed.
    """
    return JOKER if text.strip().upper() in _JOKER_WORDS else parse_card(text)


def parse_rummy_cards(text: str) -> tuple[RummyCard, ...]:
    """Read cards parted by spaces or commas, in the order given; empty text is no cards.

    Raises `advisor.games.cards.CardError` naming the first part that is no card.
    """
    return tuple(parse_rummy_card(part) for part in re.split(r"[\s,]+", text.strip()) if part)


def rummy_text(cards: Iterable[RummyCard]) -> str:
    """The cards in canonical text, parted by spaces; `parse_rummy_cards` reads it back."""
    return " ".join(str(card) for card in cards)


def by_rank(card: RummyCard) -> tuple[int, int]:
    """A key that sorts cards by rank, ace first, then suit; jokers come last."""
    return (RANK_AT[card.rank], SUIT_AT[card.suit]) if isinstance(card, Card) else (len(RANKS), 0)
