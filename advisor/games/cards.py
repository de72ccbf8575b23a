"""Playing cards as values, and the one place where card text is parsed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
"""Ranks in canonical text, ace first."""

SUITS: Final = ("C", "D", "H", "S")
"""Suits in canonical text: clubs, diamonds, hearts, spades."""
RED_SUITS: Final = frozenset("DH")

RANK_NAMES: Final = dict(
    zip(
        RANKS,
        (
            "ace",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "jack",
            "queen",
            "king",
        ),
        strict=True,
    )
)
SUIT_NAMES: Final = dict(zip(SUITS, ("clubs", "diamonds", "hearts", "spades"), strict=True))

_SUIT_SIGNS: Final = str.maketrans("♣♧♦♢♥♡♠♤", "CCDDHHSS", "\ufe0e\ufe0f")
_ALLOWED: Final = "a rank (A 2 3 4 5 6 7 8 9 10 J Q K, or T for 10) followed by a suit (C D H S), such as 10H"


class CardError(ValueError):
    """Text that names no playing card; the message gives the text and what is allowed."""


class AmbiguousCard(CardError):  # noqa: N818 - it names what the text is
    """Text that could be several cards: a rank without its suit, or a suit without its rank."""


@dataclass(frozen=True, slots=True)
class Card:
    """One playing card of the 52, without regard to which pack it comes from.

    Raises `CardError` when built from an unknown rank or suit; use `parse_card` for text from outside.
    """

    rank: str
    """One of `RANKS`."""
    suit: str
    """One of `SUITS`."""

    def __post_init__(self) -> None:
        if self.rank not in RANKS or self.suit not in SUITS:
            raise CardError(f"{self.rank + self.suit!r} is not a card: expected {_ALLOWED}")

    def __str__(self) -> str:
        return self.rank + self.suit

    @property
    def name(self) -> str:
        """The card in words: "ten of hearts"."""
        return f"{RANK_NAMES[self.rank]} of {SUIT_NAMES[self.suit]}"

    @property
    def plural(self) -> str:
        """Several of the card in words: "sevens of hearts"."""
        word = RANK_NAMES[self.rank]
        return f"{word}{'es' if word.endswith('x') else 's'} of {SUIT_NAMES[self.suit]}"


FULL_PACK: Final = tuple(Card(rank, suit) for suit in SUITS for rank in RANKS)
"""The 52 cards of one pack, clubs to spades, ace to king."""


def parse_card(text: str) -> Card:
    """Read one card leniently: "10H", "TH", "th" and "10♥" are all the ten of hearts.

    Raises `CardError` (a `ValueError`) naming the text and what is allowed, `AmbiguousCard` where half of it is there.
    """
    plain = text.strip().translate(_SUIT_SIGNS).upper()
    if plain in (*RANKS, "T"):
        raise AmbiguousCard(f"{text!r} could be any of four cards: add its suit, such as {plain}H")
    if plain in SUITS:
        raise AmbiguousCard(f"{text!r} could be any of thirteen cards: put its rank before the suit, such as 10{plain}")
    rank, suit = plain[:-1], plain[-1:]
    rank = "10" if rank == "T" else rank
    if rank not in RANKS or suit not in SUITS:
        raise CardError(f"{text!r} is not a card: expected {_ALLOWED}")
    return Card(rank, suit)


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards parted by spaces or commas, in the order given; empty text is no cards.

    Raises `CardError` naming the first part that is no card.
    """
    return tuple(parse_card(part) for part in re.split(r"[\s,]+", text.strip()) if part)


def cards_text(cards: Iterable[Card]) -> str:
    """The cards in canonical text, parted by spaces; `parse_cards` reads it back."""
    return " ".join(str(card) for card in cards)
