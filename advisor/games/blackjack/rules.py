"""House rules: every difference between tables as a field of one frozen, self-checking object.

The fields and the values seen in the sources are those of rules/blackjack.md; the code that plays and prices hands
holds no rule of its own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final, Literal, get_args, get_type_hints

Soft17 = Literal["stand", "hit"]
HoleCard = Literal["peek", "none"]
NoHoleCardLoss = Literal["all", "original"]
DoubleOn = Literal["any", "9-11", "10-11", "none"]
SplitOn = Literal["same-rank", "ten-values", "not-4-5-10"]
Surrender = Literal["none", "late", "early-ten", "early"]
Insurance = Literal["any", "blackjack-only", "none"]
Charlie = Literal["none", "five-card", "six-card"]

_RATIO: Final = re.compile(r"([1-9]\d{0,3}):([1-9]\d{0,3})")
_RATIO_TEXT: Final = 'odds written as "A:B" in whole numbers, such as "3:2"'


class RulesError(ValueError):
    """House rules that cannot be: the message names the field, its value and what is allowed."""


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
        for name, allowed in _CHOICES.items():
            value = getattr(self, name)
            if type(value) is not type(allowed[0]) or value not in allowed:
                raise _error(name, value, _one_of(allowed))
        for name in ("blackjack_pays", "bonus_678", "bonus_777"):
            value = getattr(self, name)
            none_allowed = name != "blackjack_pays"
            if not (isinstance(value, str) and (_RATIO.fullmatch(value) or (none_allowed and value == "none"))):
                raise _error(name, value, _RATIO_TEXT + (", or none" if none_allowed else ""))
        for name in ("minimum", "maximum", "unit"):
            object.__setattr__(self, name, _amount(name, getattr(self, name)))
        if self.minimum % self.unit:
            raise _error("minimum", self.minimum, f"a whole number of units of {self.unit}")
        if self.maximum < self.minimum or self.maximum % self.unit:
            raise _error("maximum", self.maximum, f"at least the minimum {self.minimum}, in whole units of {self.unit}")

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
        for name in values:
            if name not in FIELDS:
                raise RulesError(f"unknown house rule {name!r}: the fields are {', '.join(FIELDS)}")
        return replace(self, **{name: _from_text(name, value) for name, value in values.items()})


def dealer_draws(total: int, soft: bool, soft_17: Soft17) -> bool:
    """Whether the dealer takes a card on this total: to 16, and on soft 17 where the rules say hit."""
    return total < 17 or (total == 17 and soft and soft_17 == "hit")


def ratio(text: str) -> Fraction:
    """The odds "A:B" as a multiple of the bet; raises `RulesError` on other text."""
    match = _RATIO.fullmatch(text)
    if match is None:
        raise RulesError(f"{text!r} are not odds: expected {_RATIO_TEXT}")
    return Fraction(int(match[1]), int(match[2]))


FIELDS: Final = tuple(field.name for field in fields(HouseRules))
"""The names of the house rules, in order."""


def _choices() -> Mapping[str, tuple[Any, ...]]:
    choices: dict[str, tuple[Any, ...]] = {"decks": tuple(range(1, 9)), "split_hands": (2, 3, 4)}
    for name, hint in get_type_hints(HouseRules).items():
        if hint is bool:
            choices[name] = (True, False)
        elif get_args(hint):
            choices[name] = get_args(hint)
    return MappingProxyType({name: choices[name] for name in FIELDS if name in choices})


def _one_of(allowed: tuple[Any, ...]) -> str:
    words = [str(value).lower() if isinstance(value, bool) else str(value) for value in allowed]
    return f"{', '.join(words[:-1])} or {words[-1]}"


def _error(name: str, value: object, allowed: str) -> RulesError:
    shown = f"{value}" if isinstance(value, Fraction) else f"{value!r}"
    return RulesError(f"house rule {name} cannot be {shown}: it must be {allowed}")


def _amount(name: str, value: object) -> Fraction:
    allowed = "a positive exact amount (a whole number, or text such as 2.50)"
    if isinstance(value, bool | float) or not isinstance(value, int | str | Decimal | Fraction):
        raise _error(name, value, allowed)
    try:
        amount = Fraction(value)
    except (ValueError, OverflowError, ZeroDivisionError):
        raise _error(name, value, allowed) from None
    if amount <= 0:
        raise _error(name, value, allowed)
    return amount


_WORDS: Final = MappingProxyType({"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False})
_CHOICES: Final = _choices()


def _from_text(name: str, value: object) -> Any:
    """The value as the field's own type where text stands for it; anything else is left for the field's check."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    allowed = _CHOICES.get(name, ("",))[0]
    if isinstance(allowed, bool):
        return _WORDS.get(text.lower(), value)
    if isinstance(allowed, int) and text.isascii() and text.isdigit():
        return int(text)
    return text
