"""Blackjack's ten card values: the alphabet in which hands and shoes are counted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from advisor.games.cards import RANKS, Card

VALUES: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10")
"""Value names in index order: ace first, tens and courts together last."""

ACE: Final = 0
"""Index of the ace in a count of values."""
TEN: Final = 9
"""Index of the ten-values in a count of values."""

Counts = tuple[int, ...]
"""How many cards of each of the ten `VALUES`, in that order."""

_INDEX: Final = {rank: min(place, TEN) for place, rank in enumerate(RANKS)}


def value_index(card: Card) -> int:
    """The card's place in `VALUES`, 0 (ace) to 9 (ten, jack, queen, king)."""
    return _INDEX[card.rank]


def count_values(cards: Iterable[Card]) -> Counts:
    """The cards as counts of the ten values."""
    counts = [0] * 10
    for card in cards:
        counts[value_index(card)] += 1
    return tuple(counts)
