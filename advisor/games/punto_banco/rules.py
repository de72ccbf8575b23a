"""Punto banco's house rules: every difference between tables as a field of one frozen, self-checking object.

The fields and values are those of rules/baccarat.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final, Literal

from advisor.games import rule_fields
from advisor.games.rule_fields import RulesError, check_choices, check_limits, check_odds, choices_of, ratio, refusal

CommissionTaken = Literal["later", "at-once"]

_PERCENT: Final = "a percentage from 0 to below 100 (a whole number, or text such as 5 or 2.5%)"
_HUNDRED: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class PuntoBancoRules:
    """The rules of one table.

    The default is the eight-deck game with 5 % commission, kept per seat and collected later. Amounts are exact, in the
    table's currency; give them as int, `Fraction`, `Decimal` or text, never as float. Raises `RulesError`.
    """

    decks: int = 8
    """Packs of 52 in the shoe, 1 to 8; 6 or 8 are usual."""
    player_pays: str = "1:1"
    banker_pays: str = "1:1"
    """What Banker pays before commission."""
    banker_six_pays: str = "1:1"
    """What Banker pays before commission where it wins with 6; 1:2 where there is no commission."""
    commission: Fraction = Fraction(5)
    """Percent of a Banker bet's winnings that the house takes; 0 is a table without commission."""
    commission_taken: CommissionTaken = "later"
    """later: the win is paid in full and the commission kept per seat; at-once: the win is paid less commission."""
    tie_pays: str = "8:1"
    pair_pays: str = "11:1"
    """What the bets on a pair of one rank in the first two cards of Player or Banker pay."""
    seats: int = 14
    """How many seats there are."""
    minimum: Fraction = Fraction(5)
    """The smallest bet on Player or Banker; tie and pairs may be as small as a unit."""
    maximum: Fraction = Fraction(500)
    """The largest bet of any kind."""
    unit: Fraction = Fraction(1)
    """Every bet is a whole number of units."""

    def __post_init__(self) -> None:
        check_choices(self, _CHOICES)
        check_odds(self, "player_pays", "banker_pays", "banker_six_pays", "tie_pays", "pair_pays")
        object.__setattr__(self, "commission", _percent(self.commission))
        check_limits(self)

    @property
    def commission_rate(self) -> Fraction:
        """The commission as a share of a Banker bet's winnings."""
        return self.commission / _HUNDRED

    def banker_odds(self, banker_total: int) -> Fraction:
        """What a Banker win on this total pays before commission, as a multiple of the bet."""
        return ratio(self.banker_six_pays if banker_total == SPECIAL_TOTAL else self.banker_pays)

    def with_values(self, values: Mapping[str, Any]) -> PuntoBancoRules:
        """These rules with some fields replaced; raises `RulesError` for an unknown field or a bad value.

        Text is accepted for every field ("yes", "8", "2.50"), so that values may come from a command line or a file.
        """
        return rule_fields.replaced(self, values, _CHOICES)


SPECIAL_TOTAL: Final = 6
"""The total on which a Banker win has odds of its own (rules/baccarat.md)."""

_CHOICES: Final = choices_of(PuntoBancoRules, decks=tuple(range(1, 9)), seats=tuple(range(1, 15)))

FIELDS: Final = tuple(field.name for field in fields(PuntoBancoRules))
"""The names of the house rules, in order."""


def _percent(value: object) -> Fraction:
    plain = value.strip().removesuffix("%") if isinstance(value, str) else value
    try:
        percent = rule_fields.exact("commission", plain, _PERCENT)
    except RulesError:
        raise refusal("commission", value, _PERCENT) from None
    if not 0 <= percent < _HUNDRED:
        raise refusal("commission", value, _PERCENT)
    return percent


PRESETS: Final[Mapping[str, PuntoBancoRules]] = MappingProxyType(
    {
        "eight-deck": PuntoBancoRules(),
        "six-deck": PuntoBancoRules(decks=6),
        "no-commission": PuntoBancoRules(commission=Fraction(0), banker_six_pays="1:2"),
        "tie-nine": PuntoBancoRules(tie_pays="9:1"),
    }
)
"""House rules by name."""
