"""The shoe: how many cards of each rank, or only of each value, are left in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from advisor.games.cards import RANKS, Card
from advisor.games.punto_banco.tableau import POINTS

SUITS: Final = 4
"""Cards of a rank in one pack."""
TENS: Final = ("10", "J", "Q", "K")
"""The ranks that count nothing."""
COUP: Final = 6
"""The most cards that a coup takes; a shoe with fewer cannot be sure to finish one."""
MOST: Final = 100_000
"""No table has so many cards of a rank; a larger number is a slip."""
_ALLOWED: Final = 'RANK:NUMBER parted by commas, such as "A:32,2:32,10:32,J:32,Q:32,K:32"'


class ShoeError(ValueError):
    """A shoe that cannot be: the message names the part and what is allowed."""


@dataclass(frozen=True, slots=True)
class Shoe:
    """What is left in a shoe.

    `ranks` counts the 13 ranks in the order of `RANKS`; where only values are known it is None and pairs have no
    chance that could be worked out. `points` counts the cards that count 0 to 9. Build one with `full`, `of_ranks`,
    `of_values` or `parse_shoe`.
    """

    points: tuple[int, ...]
    ranks: tuple[int, ...] | None = None

    @classmethod
    def full(cls, decks: int) -> Shoe:
        """So many packs of 52."""
        return cls.of_ranks(dict.fromkeys(RANKS, SUITS * decks))

    @classmethod
    def of_ranks(cls, counts: Mapping[str, int]) -> Shoe:
        """A shoe by its 13 ranks; one that is not named has no card. Raises `ShoeError`."""
        _check(counts, RANKS)
        points = [0] * 10
        for rank, count in counts.items():
            points[POINTS[rank]] += count
        return cls(tuple(points), tuple(counts.get(rank, 0) for rank in RANKS))

    @classmethod
    def of_values(cls, counts: Mapping[str, int]) -> Shoe:
        """A shoe by its ten values, "10" for tens and courts together. Raises `ShoeError`."""
        _check(counts, RANKS[:10])
        points = [0] * 10
        for rank, count in counts.items():
            points[POINTS[rank]] += count
        # Without any ten or court the ranks are known after all.
        known = points[0] == 0
        return cls(tuple(points), tuple(counts.get(rank, 0) for rank in RANKS) if known else None)

    @property
    def cards(self) -> int:
        """How many cards are left."""
        return sum(self.points)


def parse_shoe(text: str) -> Shoe:
    """A shoe written as "A:32,2:32,...": by rank, or by value; a rank that is not named has no card.

    Where jacks, queens and kings are named, "10" are tens alone, and all four of 10, J, Q and K must be named. Where
    none of them is named, "10" are tens and courts together. Anything between is refused, since it could mean either.
    Raises `ShoeError` for that, an unknown rank, a number below zero or no whole number, and a rank named twice.
    """
    counts: dict[str, int] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        rank, colon, number = (piece.strip().upper() for piece in part.partition(":"))
        rank = "10" if rank == "T" else rank
        if not colon or rank not in RANKS:
            raise ShoeError(f"{part!r} in the shoe is not {_ALLOWED}")
        if re.fullmatch(r"-\d+", number):
            raise ShoeError(f"{part!r} in the shoe: there cannot be {number} cards of a rank, give 0 or more")
        if not (number.isascii() and number.isdigit()) or int(number) > MOST:
            raise ShoeError(f"{part!r} in the shoe: {number!r} is not a number of cards, give a whole number")
        if rank in counts:
            raise ShoeError(f"the shoe names {rank} twice")
        counts[rank] = int(number)
    if not any(counts.values()):
        raise ShoeError(f"the shoe {text!r} has no cards: write {_ALLOWED}")
    courts = [rank for rank in TENS[1:] if rank in counts]
    if not courts:
        return Shoe.of_values(counts)
    missing = [rank for rank in TENS if rank not in counts]
    if missing:
        raise ShoeError(
            f"the shoe names {' and '.join(courts)} but not {' and '.join(missing)}: name all of 10, J, Q and K "
            "(0 where there are none), or none of J, Q and K, and 10 for tens and courts together"
        )
    return Shoe.of_ranks(counts)


def remaining(decks: int, seen: Iterable[Card]) -> Shoe:
    """The unseen cards: so many packs less the cards seen. A count never falls below zero; see `shoe_problems`."""
    out = Counter(card.rank for card in seen)
    return Shoe.of_ranks({rank: max(0, SUITS * decks - out[rank]) for rank in RANKS})


def shoe_problems(decks: int, seen: Iterable[Card]) -> tuple[str, ...]:
    """Every card seen more often than the packs hold it, as sentences; empty when all is possible."""
    packs = f"{decks} deck{'s' if decks > 1 else ''}, which hold{'' if decks > 1 else 's'} only {decks}"
    return tuple(
        f"{count} {card.plural} seen in {packs}"
        for card, count in sorted(Counter(seen).items(), key=lambda item: str(item[0]))
        if count > decks
    )


def _check(counts: Mapping[str, int], allowed: tuple[str, ...]) -> None:
    for rank, count in counts.items():
        if rank not in allowed:
            raise ShoeError(f"{rank!r} is not one of {', '.join(allowed)}")
        if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= MOST:
            raise ShoeError(f"{count!r} is not a number of cards of {rank}: give a whole number from 0 to {MOST}")
