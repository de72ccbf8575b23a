"""Pontoon's house rules: every difference between tables as a field of one frozen, self-checking object.

The fields and values are those of rules/pontoon.md. What that page leaves open is said beside the field.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final, Literal

from advisor.games import rule_fields
from advisor.games.rule_fields import check_choices, check_limits, check_odds, choices_of, ratio

Buying = Literal["at-least-previous", "may-be-less"]
Split = Literal["none", "aces", "not-aces", "any"]
BankPasses = Literal["after-deals", "first-pontoon", "sale"]
Shuffle = Literal["after-pontoon", "every-deal"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PontoonRules:
    """The rules of one table.

    The default is the home game with one pack, five-card trick, royal pontoon and splits; the bank goes to the first
    pontoon. Amounts are exact, in the table's currency; give them as int, `Fraction`, `Decimal` or text, never as
    float. Raises `RulesError`.
    """

    decks: int = 1
    """Packs of 52, 1 to 4."""
    stick_at: int = 16
    """The lowest total that may stick, and the lowest that a bust banker pays: 15, 16 or 17."""
    buying: Buying = "at-least-previous"
    """at-least-previous: each buy at least the one before and at most all staked so far; the first buy, which has none
    before it, at least the minimum. may-be-less: at least the minimum, and never more than the one before (the first
    buy never more than the stake)."""
    pontoon_pays: str = "2:1"
    pontoons_shown: bool = True
    """Whether a punter turns a pontoon up on his turn, so that two cards face down are none."""
    five_card_trick: bool = True
    """Whether five cards without a bust beat all but the banker's pontoon; the hand ends there."""
    five_card_pays: str = "2:1"
    royal_pontoon: bool = True
    """Whether 7-7-7 beats all but the banker's pontoon."""
    royal_pays: str = "3:1"
    split: Split = "any"
    """Which pairs of one rank may be split."""
    split_hands: int = 4
    """The most hands one punter may reach by splitting: 2, 3 or 4."""
    split_pontoon: bool = False
    """Whether two cards of 21 after a split are a pontoon, paid so and winning the bank; if not, an ordinary 21."""
    bank_passes: BankPasses = "first-pontoon"
    """after-deals: to the left after so many deals; first-pontoon: to the first other than the banker with a pontoon;
    sale: only when sold."""
    bank_deals: int = 5
    """How many deals a banker has where the bank passes after deals, 1 to 20."""
    banker_pontoon_keeps_bank: bool = False
    """Whether a banker who has a pontoon himself keeps the bank, whoever else has one."""
    shuffle: Shuffle = "after-pontoon"
    """When the pack is shuffled: only after a deal in which somebody got a pontoon, or always."""
    minimum: Fraction = Fraction(1)
    """The smallest stake, and the smallest buy."""
    maximum: Fraction = Fraction(10)
    """The largest first stake, as agreed."""
    unit: Fraction = Fraction(1)
    """Every stake is a whole number of units."""

    def __post_init__(self) -> None:
        check_choices(self, _CHOICES)
        check_odds(self, "pontoon_pays", "five_card_pays", "royal_pays")
        check_limits(self)

    @property
    def pontoon_odds(self) -> Fraction:
        """What a pontoon is paid as a multiple of the stake."""
        return ratio(self.pontoon_pays)

    @property
    def five_card_odds(self) -> Fraction:
        """What a five-card trick is paid as a multiple of the stake."""
        return ratio(self.five_card_pays)

    @property
    def royal_odds(self) -> Fraction:
        """What a royal pontoon is paid as a multiple of the stake."""
        return ratio(self.royal_pays)

    def may_split(self, rank: str) -> bool:
        """Whether a pair of this rank may be split."""
        return self.split == "any" or self.split == ("aces" if rank == "A" else "not-aces")

    def with_values(self, values: Mapping[str, Any]) -> PontoonRules:
        """These rules with some fields replaced; raises `RulesError` for an unknown field or a bad value.

        Text is accepted for every field ("yes", "2", "2.50"), so that values may come from a command line or a file.
        """
        return rule_fields.replaced(self, values, _CHOICES)


_CHOICES: Final = choices_of(
    PontoonRules, decks=(1, 2, 3, 4), stick_at=(15, 16, 17), split_hands=(2, 3, 4), bank_deals=tuple(range(1, 21))
)

FIELDS: Final = tuple(field.name for field in fields(PontoonRules))
"""The names of the house rules, in order."""

PRESETS: Final[Mapping[str, PontoonRules]] = MappingProxyType(
    {
        "home": PontoonRules(),
        "plain": PontoonRules(five_card_trick=False, royal_pontoon=False, split="none"),
        "split-aces": PontoonRules(split="aces", split_pontoon=True),
    }
)
"""House rules by name."""
