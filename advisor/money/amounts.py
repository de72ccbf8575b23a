"""Exact amounts: the one place where amounts and odds are read from text, and where they become words."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from typing import Final

AmountLike = int | str | Decimal | Fraction
"""What stands for an exact amount."""

LARGEST: Final = 10**12
"""No amount is larger, whole or below: more than any table holds, and small enough to count with at once."""

_DECIMAL: Final = re.compile(r"[+-]?(\d{1,15}(\.\d{0,15})?|\.\d{1,15})", re.ASCII)
_LARGE: Final = re.compile(r"[+-]?[1-9]\d{15,}(\.\d*)?", re.ASCII)
_RATIO: Final = re.compile(r"[+-]?\d{1,15}/\d{1,15}", re.ASCII)
_ODDS: Final = re.compile(r"(\d{1,4}):([1-9]\d{0,3})", re.ASCII)
_ALLOWED: Final = "write a whole number or an exact decimal, such as 15 or 7.50"
_TOO_LARGE: Final = f"is too large: the largest amount is {LARGEST}"
_TYPED: Final = re.compile(r"\d{1,12}(\.\d{0,12})?|\.\d{1,12}", re.ASCII)
_GROUPED: Final = re.compile(r"[1-9]\d{0,2}(,\d{3}){1,3}(\.\d{0,12})?", re.ASCII)
_COMMA: Final = re.compile(r"\d{0,12},\d{1,2}", re.ASCII)
_TWO_WAYS: Final = re.compile(r"([1-9]\d{0,2})\.(\d{3})", re.ASCII)
_LONGEST_SHOWN: Final = 24

_SMALL: Final = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS: Final = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_GROUPS: Final = ((10**9, "billion"), (10**6, "million"), (1000, "thousand"))


class MoneyError(ValueError):
    """An amount, chips or odds that cannot be: the message is a sentence's worth of what is wrong and what to do."""


def parse_amount(value: object) -> Fraction:
    """The exact amount in the table's currency: from int, `Decimal`, `Fraction`, or text such as "15" or "7.50".

    A sign is read, so that a caller can say that a negative amount is wrong. Raises `MoneyError` for a float, other
    types, text that is no exact number, and amounts beyond `LARGEST`.
    """
    amount: Fraction | None = None
    if isinstance(value, bool | float):
        raise MoneyError(f"{as_written(value)} is not an exact amount: {_ALLOWED}")
    if isinstance(value, int | Fraction) or (isinstance(value, Decimal) and value.is_finite()):
        amount = Fraction(value)
    elif isinstance(value, str):
        text = value.strip()
        if _DECIMAL.fullmatch(text) or (_RATIO.fullmatch(text) and int(text.partition("/")[2])):
            amount = Fraction(text)
    if amount is None:
        large = isinstance(value, str) and _LARGE.fullmatch(value.strip())
        raise MoneyError(f"{str(value)[:40]!r} {_TOO_LARGE if large else f'is not an amount: {_ALLOWED}'}")
    if abs(amount) > LARGEST:
        raise MoneyError(f"{str(value)[:40]!r} {_TOO_LARGE}")
    if amount.denominator > LARGEST:
        raise MoneyError(f"{str(value)[:40]!r} is too fine to be counted with: {_ALLOWED}")
    return amount


def as_written(value: object) -> str:
    """A value of a file or an option for a sentence, as somebody wrote it."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value[:40]!r}" if isinstance(value, str) else str(value)[:40]


def typed_amount(text: str) -> Fraction:
    """The amount that a person typed, from 0 up: "15", "7.50", "7,50", "1,250" or "1,250.50".

    A comma before groups of three figures parts thousands, one before one or two figures is a decimal comma. Raises
    `MoneyError` that repeats what was typed: for all else, and for "1.250", which is a thousand to half the world.
    """
    tidy = text.strip()
    shown = f"'{tidy}'" if len(tidy) <= _LONGEST_SHOWN else f"'{tidy[:_LONGEST_SHOWN]}…'"
    if two := _TWO_WAYS.fullmatch(tidy):
        less = tidy.rstrip("0").rstrip(".") if tidy.endswith("0") else f"{tidy}0"
        raise MoneyError(f"{shown} may be {two[1]}{two[2]} or {less}: write the one that you mean")
    if _GROUPED.fullmatch(tidy):
        return Fraction(tidy.replace(",", ""))
    if _TYPED.fullmatch(tidy) or _COMMA.fullmatch(tidy):
        return Fraction(tidy.replace(",", "."))
    raise MoneyError(f"{shown} is no amount: write it like 15, 7.50 or 1,250")


def format_amount(amount: Fraction | int) -> str:
    """The amount as text: "5", "7.50", "0.125"; "1/3" where no decimal is exact. `parse_amount` reads it back."""
    exact = Fraction(amount)
    if exact.denominator == 1:
        return str(exact.numerator)
    rest = exact.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest != 1:
        return str(exact)
    places = next(n for n in range(2, 200) if 10**n % exact.denominator == 0)
    whole, part = divmod(abs(exact.numerator) * (10**places // exact.denominator), 10**places)
    return f"{'-' if exact < 0 else ''}{whole}.{part:0{places}d}"


def count_words(number: int) -> str:
    """A whole number from zero up in words: "one hundred and forty-nine"; a trillion and more in figures."""
    if number < 20:
        return _SMALL[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return _TENS[tens] + (f"-{_SMALL[ones]}" if ones else "")
    if number < 1000:
        hundreds, rest = divmod(number, 100)
        return f"{_SMALL[hundreds]} hundred" + (f" and {count_words(rest)}" if rest else "")
    for size, word in _GROUPS:
        if size <= number < 1000 * size:
            many, rest = divmod(number, size)
            joint = " and " if 0 < rest < 100 else " "
            return f"{count_words(many)} {word}" + (joint + count_words(rest) if rest else "")
    return str(number)


def amount_words(amount: Fraction | int) -> str:
    """The amount as a dealer calls it: "one hundred", "seven and a half", "a half"; otherwise in figures."""
    exact = Fraction(amount)
    whole, part = divmod(exact, 1)
    if exact < 0 or part not in (0, Fraction(1, 2)):
        return format_amount(exact)
    if not part:
        return count_words(whole)
    return f"{count_words(whole)} and a half" if whole else "a half"


def parse_odds(value: object) -> Fraction:
    """The odds as a multiple of the bet: from "3:2" in whole numbers, or a number from zero up.

    Raises `MoneyError` on anything else.
    """
    if isinstance(value, str) and ":" in value:
        match = _ODDS.fullmatch(value.strip())
        if match is None:
            raise MoneyError(f'{value[:40]!r} are not odds: write "A:B" in whole numbers, such as "3:2"')
        return Fraction(int(match[1]), int(match[2]))
    odds = parse_amount(value)
    if odds < 0:
        raise MoneyError(f"odds of {format_amount(odds)} are negative: a payout cannot be less than nothing")
    return odds


def odds_text(odds: Fraction) -> str:
    """The odds in lowest terms: "3:2", "6:5", "1:1"."""
    return f"{odds.numerator}:{odds.denominator}"
