"""The side bets: which cards decide each, and what those cards are called. What they pay is in the paytables.

A bet looks at the cards so far and either names the outcome, says that it is lost, or asks for more cards. Pricing and
settling ask the same question, so they cannot disagree.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from advisor.games.blackjack.values import ACE, TEN, value_index
from advisor.games.cards import RANKS, RED_SUITS, Card


@dataclass(frozen=True, slots=True)
class Draw:
    """The next cards that decide: so many of the player's, then so many of the dealer's (the upcard is the first).

    The answer does not depend on the order of the cards of one draw.
    """

    player: int = 0
    dealer: int = 0

    @property
    def size(self) -> int:
        """How many cards in all."""
        return self.player + self.dealer


Look = Callable[[tuple[Card, ...]], "Draw | str | None"]
"""From the cards so far, in the order drawn: more cards needed, the outcome's name, or nothing for a lost bet."""


@dataclass(frozen=True, slots=True)
class SideBet:
    """One side bet."""

    name: str
    title: str
    cards: str
    """Which cards decide it, in words."""
    outcomes: tuple[str, ...]
    """What may be paid, best first."""
    look: Look


def _same_colour(*cards: Card) -> bool:
    return len({card.suit in RED_SUITS for card in cards}) == 1


def _one(values: tuple[str, ...]) -> bool:
    return len(set(values)) == 1


def _is_twenty(first: Card, second: Card) -> bool:
    values = sorted((value_index(first), value_index(second)))
    return values in ([TEN, TEN], [ACE, 8])  # index 8 is the nine


def _is_blackjack(first: Card, second: Card) -> bool:
    return sorted((value_index(first), value_index(second))) == [ACE, TEN]


def _perfect_pairs(seen: tuple[Card, ...]) -> Draw | str | None:
    if not seen:
        return Draw(player=2)
    first, second = seen
    if first.rank != second.rank:
        return None
    if first.suit == second.suit:
        return "identical-pair"
    return "same-colour-pair" if _same_colour(first, second) else "mixed-pair"


def _twenty_one_plus_three(seen: tuple[Card, ...]) -> Draw | str | None:
    if not seen:
        return Draw(player=2, dealer=1)
    flush = seen[0].suit == seen[1].suit == seen[2].suit
    if seen[0].rank == seen[1].rank == seen[2].rank:
        return "suited-three-of-a-kind" if flush else "three-of-a-kind"
    low, middle, high = sorted(RANKS.index(card.rank) for card in seen)
    straight = (middle == low + 1 and high == low + 2) or (low, middle, high) == (0, 11, 12)  # Q-K-A
    if straight:
        return "straight-flush" if flush else "straight"
    return "flush" if flush else None


def _lucky_ladies(seen: tuple[Card, ...]) -> Draw | str | None:
    if not seen:
        return Draw(player=2)
    first, second = seen[:2]
    if not _is_twenty(first, second):
        return None
    if first == second and str(first) == "QH":
        if len(seen) == 2:
            return Draw(dealer=2)
        return "queen-of-hearts-pair" + ("-with-dealer-blackjack" if _is_blackjack(*seen[2:]) else "")
    if first == second:
        return "matched-20"
    return "suited-20" if first.suit == second.suit else "any-20"


def _kings_bounty(seen: tuple[Card, ...]) -> Draw | str | None:
    if not seen:
        return Draw(player=2)
    first, second = seen[:2]
    if not _is_twenty(first, second):
        return None
    suited = first.suit == second.suit
    if first == second and str(first) == "KS":
        if len(seen) == 2:
            return Draw(dealer=2)
        return "king-of-spades-pair" + ("-with-dealer-blackjack" if _is_blackjack(*seen[2:]) else "")
    if first.rank == second.rank == "K":
        return "suited-kings" if suited else "unsuited-kings"
    if suited:
        return "suited-queens-jacks-or-tens" if first == second else "suited-20"
    return "unsuited-20"


def _super_sevens(seen: tuple[Card, ...]) -> Draw | str | None:
    # The third card is always dealt to a pair of sevens, even where a dealer blackjack ends the round.
    if seen and seen[-1].rank != "7":
        if len(seen) == 1:
            return None
        if len(seen) == 2:
            return "one-seven"
        return "two-suited-sevens" if seen[0].suit == seen[1].suit else "two-sevens"
    if len(seen) < 3:
        return Draw(player=1)
    return "three-suited-sevens" if _one(tuple(card.suit for card in seen)) else "three-sevens"


def _suited_777(seen: tuple[Card, ...]) -> Draw | str | None:
    if not seen:
        return Draw(player=2)
    sevens = [card for card in seen if card.rank == "7"]
    if len(sevens) < 2:
        return "one-seven" if sevens else None
    if len(seen) == 2:
        return Draw(dealer=1)
    if len(sevens) == 2:
        return "two-sevens"
    if _one(tuple(card.suit for card in seen)):
        return "three-suited-sevens"
    return "three-sevens-of-one-colour" if _same_colour(*seen) else "three-sevens"


def _thirteen(name: str, wins: Callable[[int], bool]) -> Look:
    def look(seen: tuple[Card, ...]) -> Draw | str | None:
        if not seen:
            return Draw(player=2)
        return name if wins(sum(value_index(card) + 1 for card in seen)) else None

    return look


_TWO: Final = "the player's first two cards"

BETS: Final[Mapping[str, SideBet]] = MappingProxyType(
    {
        bet.name: bet
        for bet in (
            SideBet(
                "perfect-pairs",
                "Perfect Pairs",
                _TWO,
                ("identical-pair", "same-colour-pair", "mixed-pair"),
                _perfect_pairs,
            ),
            SideBet(
                "21+3",
                "21+3",
                f"{_TWO} and the dealer's upcard",
                ("suited-three-of-a-kind", "straight-flush", "three-of-a-kind", "straight", "flush"),
                _twenty_one_plus_three,
            ),
            SideBet(
                "lucky-ladies",
                "Lucky Ladies",
                f"{_TWO}, and the dealer's two where those are both the queen of hearts",
                (
                    "queen-of-hearts-pair-with-dealer-blackjack",
                    "queen-of-hearts-pair",
                    "matched-20",
                    "suited-20",
                    "any-20",
                ),
                _lucky_ladies,
            ),
            SideBet(
                "kings-bounty",
                "King's Bounty",
                f"{_TWO}, and the dealer's two where those are both the king of spades",
                (
                    "king-of-spades-pair-with-dealer-blackjack",
                    "king-of-spades-pair",
                    "suited-kings",
                    "suited-queens-jacks-or-tens",
                    "suited-20",
                    "unsuited-kings",
                    "unsuited-20",
                ),
                _kings_bounty,
            ),
            SideBet(
                "suited-777",
                "Suited 777",
                f"{_TWO}, and the dealer's upcard where those are both sevens",
                ("three-suited-sevens", "three-sevens-of-one-colour", "three-sevens", "two-sevens", "one-seven"),
                _suited_777,
            ),
            SideBet(
                "super-sevens",
                "Super Sevens",
                "the player's first card, the second after a seven, and a third after two sevens",
                ("three-suited-sevens", "three-sevens", "two-suited-sevens", "two-sevens", "one-seven"),
                _super_sevens,
            ),
            SideBet("over-13", "Over 13", f"{_TWO}, an ace counting 1", ("over",), _thirteen("over", lambda n: n > 13)),
            SideBet(
                "under-13", "Under 13", f"{_TWO}, an ace counting 1", ("under",), _thirteen("under", lambda n: n < 13)
            ),
        )
    }
)
"""The side bets by name."""
