"""What the cards seen say about the rest of the shoe: the Hi-Lo count, and how rich it is in tens.

Derived facts for people who follow them. Advice does not rest on them: it is worked out for the exact shoe.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from advisor.games.blackjack.values import TEN, Counts

HI_LO: Final = (-1, 1, 1, 1, 1, 1, 0, 0, 0, -1)
"""Hi-Lo tags by value index: 2 to 6 count +1, 7 to 9 nothing, tens and aces -1 (H. Dubner, 1963)."""


@dataclass(frozen=True, slots=True)
class ShoeCount:
    """Facts about the cards left, all exact."""

    running: int
    """Hi-Lo tags of all cards gone."""
    true: Fraction
    """Running count per pack of 52 left; 0 where no card is left."""
    unseen: int
    """Cards left, the dealer's hole card among them."""
    tens: Fraction
    """Share of ten-values among them."""
    ten_richness: Fraction
    """That share against the full shoe's: over 1 is rich in tens."""


def shoe_count(whole: Counts, left: Counts) -> ShoeCount:
    """The facts about what is `left` of a shoe that began as `whole`, both counts by value."""
    gone = [before - now for before, now in zip(whole, left, strict=True)]
    running = sum(tag * number for tag, number in zip(HI_LO, gone, strict=True))
    unseen = sum(left)
    if not unseen:
        return ShoeCount(running, Fraction(0), 0, Fraction(0), Fraction(0))
    tens, usual = Fraction(left[TEN], unseen), Fraction(whole[TEN], sum(whole))
    return ShoeCount(running, Fraction(52 * running, unseen), unseen, tens, tens / usual if usual else Fraction(0))
