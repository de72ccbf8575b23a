"""The shoe: how many cards of each value are still unseen, and what cannot be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from advisor.games.blackjack.values import Counts, count_values
from advisor.games.cards import Card

_ONE_PACK: Final = (4, 4, 4, 4, 4, 4, 4, 4, 4, 16)


def full_shoe(decks: int) -> Counts:
    """The counts of the ten values in `decks` packs of 52."""
    return tuple(decks * count for count in _ONE_PACK)


def remaining(decks: int, seen: Iterable[Card]) -> Counts:
    """The unseen cards by value: `decks` packs less the cards seen.

    A count never falls below zero; where more cards of a kind were seen than exist, `shoe_problems` says so.
    """
    gone = count_values(seen)
    return tuple(max(0, count - out) for count, out in zip(full_shoe(decks), gone, strict=True))


def shoe_problems(decks: int, seen: Iterable[Card]) -> tuple[str, ...]:
    """Every card seen more often than the packs hold it, as sentences; empty when all is possible."""
    packs = "1 deck" if decks == 1 else f"{decks} decks"
    return tuple(
        f"{count} {card.plural} seen in {packs}, which {'holds' if decks == 1 else 'hold'} only {decks}"
        for card, count in sorted(Counter(seen).items(), key=lambda item: (item[0].suit, item[0].rank))
        if count > decks
    )
