"""The shoe: how many cards of each value are still unseen, and what cannot be."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

from advisor.games.blackjack.values import VALUES, Counts, count_values
from advisor.games.cards import Card

_ONE_PACK: Final = (4, 4, 4, 4, 4, 4, 4, 4, 4, 16)
_MOST: Final = 100_000
"""No table has so many cards of a value; a larger number is a slip."""
_ALLOWED: Final = 'VALUE:NUMBER parted by commas, such as "A:4,2:4,10:16" (10 counts tens, jacks, queens and kings)'


class ShoeError(ValueError):
    """Text that is no shoe: the message names the part and what is allowed."""


def full_shoe(decks: int) -> Counts:
    """The counts of the ten values in `decks` packs of 52."""
    return tuple(decks * count for count in _ONE_PACK)


def parse_shoe(text: str) -> Counts:
    """A shoe by its ten values, written as "A:4,2:4,...,10:16"; a value that is not named has no card.

    Raises `ShoeError` for an unknown value, a number below zero or no whole number, and a value named twice.
    """
    counts: dict[str, int] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        value, colon, number = (piece.strip().upper() for piece in part.partition(":"))
        value = "10" if value == "T" else value
        if not colon or value not in VALUES:
            raise ShoeError(f"{part!r} in the shoe is not {_ALLOWED}")
        if re.fullmatch(r"-\d+", number):
            raise ShoeError(f"{part!r} in the shoe: there cannot be {number} cards of a value, give 0 or more")
        if not (number.isascii() and number.isdigit()):
            raise ShoeError(f"{part!r} in the shoe: {number!r} is not a number of cards, give a whole number")
        if len(number) > len(str(_MOST)) or int(number) > _MOST:
            raise ShoeError(f"{part[:40]!r} in the shoe is too large: at most {_MOST} cards of a value")
        if value in counts:
            raise ShoeError(f"the shoe names {value} twice")
        counts[value] = int(number)
    if not any(counts.values()):
        raise ShoeError(f"the shoe {text!r} has no cards: write {_ALLOWED}")
    return tuple(counts.get(value, 0) for value in VALUES)


def shoe_text(shoe: Counts) -> str:
    """The counts as `parse_shoe` reads them."""
    return ",".join(f"{value}:{count}" for value, count in zip(VALUES, shoe, strict=True))


def remaining(decks: int, seen: Iterable[Card]) -> Counts:
    """The unseen cards by value: `decks` packs less the cards seen.

    A count never falls below zero; where more cards of a kind were seen than exist, `shoe_problems` says so.
    """
    return left_of(full_shoe(decks), seen)


def left_of(shoe: Counts, seen: Iterable[Card]) -> Counts:
    """What the cards seen leave of a shoe; never below zero, see `composition_problems`."""
    return tuple(max(0, count - out) for count, out in zip(shoe, count_values(seen), strict=True))


def composition_problems(shoe: Counts, seen: Iterable[Card]) -> tuple[str, ...]:
    """Every value seen more often than the shoe held it, as sentences."""
    words = {"A": "aces", "10": "ten-values"}
    return tuple(
        f"{out} {words.get(value, value + 's')} seen, but the shoe held only {count}"
        for value, count, out in zip(VALUES, shoe, count_values(seen), strict=True)
        if out > count
    )


def shoe_problems(decks: int, seen: Iterable[Card]) -> tuple[str, ...]:
    """Every card seen more often than the packs hold it, as sentences; empty when all is possible."""
    packs = "1 deck" if decks == 1 else f"{decks} decks"
    return tuple(
        f"{count} {card.plural} seen in {packs}, which {'holds' if decks == 1 else 'hold'} only {decks}"
        for card, count in sorted(Counter(seen).items(), key=lambda item: (item[0].suit, item[0].rank))
        if count > decks
    )
