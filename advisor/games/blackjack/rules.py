"""House rules: every difference between tables as a field of one frozen, self-checking object.

The fields and the values seen in the sources are those of rules/blackjack.md; the code that plays and prices hands
holds no rule of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, Final, Literal

from advisor.games.rule_fields import RulesError, check_choices, check_limits, check_odds, choices_of, ratio, replaced

__all__ = ["FIELDS", "HouseRules", "RulesError", "dealer_draws", "ratio"]

Soft17 = Literal["stand", "hit"]
HoleCard = Literal["peek", "none"]
NoHoleCardLoss = Literal["all", "original"]
DoubleOn = Literal["any", "9-11", "10-11", "none"]
SplitOn = Literal["same-rank", "ten-values", "not-4-5-10"]
Surrender = Literal["none", "late", "early-ten", "early"]
Insurance = Literal["any", "blackjack-only", "none"]
Charlie = Literal["none", "five-card", "six-card"]


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRules:
    """The rules of one table.

    The default is the six-deck shoe game (dealer stands on soft 17, peeks, 3:2, double any two, double after split,
    split to four hands, split aces one card each, insurance, no surrender). Amounts are exact, in the table's currency;
    give them as int, `Fraction`, `Decimal` or text, never as float. Raises `RulesError`.
    """

    decks: int = 6
    """Packs of 52 in the shoe, 1 to 8."""
    dealer_soft_17: Soft17 = "stand"
    """What the dealer does on soft 17."""
    hole_card: HoleCard = "peek"
    """peek: second card face down, looked at under an ace or ten; none: dealt after the players (European, British)."""
    no_hole_card_loss: NoHoleCardLoss = "all"
    """Without a hole card, what a dealer blackjack takes: all bets, or the original bets only."""
    blackjack_pays: str = "3:2"
    """What a natural pays, as text."""
    double_on: DoubleOn = "any"
    """Totals of two cards that may double. Under 9-11 and 10-11 a soft hand counts its ace as one."""
    double_soft: bool = True
    """Whether soft hands may double at all."""
    double_after_split: bool = True
    """Whether a hand made by a split may double."""
    double_for_less: bool = False
    """Whether the added bet may be less than the first."""
    doubled_card_face_down: bool = False
    """Whether the doubled card stays face down until settlement."""
    split_on: SplitOn = "ten-values"
    """same-rank: K-K but not K-Q; ten-values: any two ten-values too; not-4-5-10: same rank, never 4s, 5s or tens."""
    split_hands: int = 4
    """The most hands one seat may reach by splitting: 2 (no resplit), 3 or 4."""
    resplit_aces: bool = False
    """Whether a pair of aces made by splitting aces may be split again."""
    hit_split_aces: bool = False
    """Whether split aces may draw more than one card each."""
    surrender: Surrender = "none"
    """late: after the peek; early: before it; early-ten: before the peek, and not against an ace at all."""
    insurance: Insurance = "any"
    """Which hands may insure against an ace, at 2:1 up to half the bet."""
    even_money: bool = True
    """Whether a blackjack may take 1:1 at once against an ace."""
    charlie: Charlie = "none"
    """A five-card hand pays 2:1, or a six-card hand 4:1, whatever the dealer draws."""
    bonus_678: str = "none"
    """What a three-card 6-7-8 pays, such as "2:1", or none."""
    bonus_777: str = "none"
    """What a three-card 7-7-7 pays, such as "3:1", or none."""
    over_under_13: bool = False
    """Whether the side bet on two cards over or under 13 is offered."""
    minimum: Fraction = Fraction(5)
    """The smallest bet."""
    maximum: Fraction = Fraction(500)
    """The largest bet."""
    unit: Fraction = Fraction(1)
    """Every bet is a whole number of units, so that a blackjack can be paid."""

    def __post_init__(self) -> None:
        check_choices(self, _CHOICES)
        check_odds(self, "blackjack_pays")
        check_odds(self, "bonus_678", "bonus_777", or_none=True)
        check_limits(self)

    @property
    def blackjack_odds(self) -> Fraction:
        """What a natural pays as a multiple of the bet."""
        return ratio(self.blackjack_pays)

    @property
    def charlie_cards(self) -> int:
        """How many cards make a charlie; 0 where there is none."""
        return {"none": 0, "five-card": 5, "six-card": 6}[self.charlie]

    @property
    def charlie_odds(self) -> Fraction:
        """What a charlie pays as a multiple of the bet (rules/blackjack.md: five cards 2:1, six cards 4:1)."""
        return Fraction({"none": 0, "five-card": 2, "six-card": 4}[self.charlie])

    def with_values(self, values: Mapping[str, Any]) -> HouseRules:
        """These rules with some fields replaced; raises `RulesError` for an unknown field or a bad value.

        Text is accepted for every field ("yes", "4", "2.50"), so that values may come from a command line or a file.
        """
        return replaced(self, values, _CHOICES)


def dealer_draws(total: int, soft: bool, soft_17: Soft17) -> bool:
    """Whether the dealer takes a card on this total: to 16, and on soft 17 where the rules say hit."""
    return total < 17 or (total == 17 and soft and soft_17 == "hit")


FIELDS: Final = tuple(field.name for field in fields(HouseRules))
"""The names of the house rules, in order."""
_CHOICES: Final = choices_of(HouseRules, decks=tuple(range(1, 9)), split_hands=(2, 3, 4))
