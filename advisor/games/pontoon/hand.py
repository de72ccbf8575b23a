"""What a hand is: its total and its kind. Suits never matter, so hands are counted by ten values."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Final

from advisor.games.cards import RANKS, Card
from advisor.games.pontoon.rules import PontoonRules

VALUES: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10")
"""Value names in index order: ace first, tens and courts together last."""
ACE: Final = 0
SEVEN: Final = 6
TEN: Final = 9
TWENTY_ONE: Final = 21
SOFT: Final = 10
"""What an ace counts more than one where that does not pass 21."""
FIVE_CARDS: Final = 5
ROYAL_CARDS: Final = 3

Counts = tuple[int, ...]
"""How many cards of each of the ten `VALUES`, in that order."""

_INDEX: Final = {rank: min(place, TEN) for place, rank in enumerate(RANKS)}


class Kind(StrEnum):
    """What a hand counts as, lowest first."""

    BUST = "bust"
    POINTS = "points"
    """Any other total."""
    FIVE_CARDS = "five-card trick"
    ROYAL = "royal pontoon"
    PONTOON = "pontoon"


def value_index(card: Card) -> int:
    """The card's place in `VALUES`, 0 (ace) to 9 (ten, jack, queen, king)."""
    return _INDEX[card.rank]


def count_values(cards: Iterable[Card]) -> Counts:
    """The cards as counts of the ten values."""
    counts = [0] * len(VALUES)
    for card in cards:
        counts[value_index(card)] += 1
    return tuple(counts)


def full_pack(decks: int) -> Counts:
    """The counts of the ten values in so many packs of 52."""
    return (4 * decks,) * TEN + (16 * decks,)


def hard_total(counts: Counts) -> int:
    """The total with every ace as one."""
    return sum(count * (place + 1) for place, count in enumerate(counts))


def best_total(counts: Counts) -> int:
    """The total with an ace as eleven where that does not pass 21; above 21 the hand is bust."""
    hard = hard_total(counts)
    return hard + SOFT if counts[ACE] and hard + SOFT <= TWENTY_ONE else hard


def is_pontoon(counts: Counts) -> bool:
    """Whether these are two cards, an ace and a ten-value."""
    return sum(counts) == 2 and counts[ACE] == counts[TEN] == 1


def kind(rules: PontoonRules, counts: Counts, from_split: bool = False) -> Kind:
    """What a punter's hand counts as."""
    cards = sum(counts)
    if hard_total(counts) > TWENTY_ONE:
        return Kind.BUST
    if is_pontoon(counts):
        return Kind.PONTOON if rules.split_pontoon or not from_split else Kind.POINTS
    if rules.royal_pontoon and cards == counts[SEVEN] == ROYAL_CARDS:
        return Kind.ROYAL
    if rules.five_card_trick and cards >= FIVE_CARDS:
        return Kind.FIVE_CARDS
    return Kind.POINTS


def hand_words(rules: PontoonRules, counts: Counts, from_split: bool = False) -> str:
    """The hand in words, such as "17", "soft 17", "a pontoon" or "bust with 24"."""
    found = kind(rules, counts, from_split)
    if found is Kind.BUST:
        return f"bust with {hard_total(counts)}"
    return total_words(counts) if found is Kind.POINTS else f"a {found}"


def total_words(counts: Counts) -> str:
    """The total alone in words: "17" or "soft 17"."""
    soft = "soft " if best_total(counts) != hard_total(counts) else ""
    return f"{soft}{best_total(counts)}"
