"""Checks that frozen rules objects share: each refusal names the field, its value and what is allowed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, replace
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final, TypeVar, get_args, get_type_hints

ODDS: Final = 'odds written as "A:B" in whole numbers, such as "8:1"'
AMOUNT: Final = "a positive exact amount (a whole number, or text such as 2.50)"

_RATIO: Final = re.compile(r"([1-9]\d{0,3}):([1-9]\d{0,3})", re.ASCII)
_WORDS: Final = MappingProxyType({"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False})

Choices = Mapping[str, tuple[Any, ...]]
"""Fields with a closed list of values, and those values."""
RulesT = TypeVar("RulesT")


class RulesError(ValueError):
    """Rules that cannot be: the message names the field, its value and what is allowed."""


def refusal(name: str, value: object, allowed: str) -> RulesError:
    """The error for a field's value."""
    shown = f"{value}" if isinstance(value, Fraction) else f"{value!r}"
    return RulesError(f"house rule {name} cannot be {shown}: it must be {allowed}")


def choices_of(rules: type, **numbers: tuple[int, ...]) -> Choices:
    """The fields of a rules class that are yes or no or one of some words, and the whole numbers given here."""
    choices: dict[str, tuple[Any, ...]] = dict(numbers)
    for name, hint in get_type_hints(rules).items():
        if hint is bool:
            choices[name] = (True, False)
        elif get_args(hint) and all(isinstance(word, str) for word in get_args(hint)):
            choices[name] = get_args(hint)
    return MappingProxyType(choices)


def check_choices(rules: object, choices: Choices) -> None:
    """Raises `RulesError` for a field whose value is none of its choices."""
    for name, allowed in choices.items():
        value = getattr(rules, name)
        if type(value) is not type(allowed[0]) or value not in allowed:
            raise refusal(name, value, _one_of(allowed))


def check_odds(rules: object, *names: str, or_none: bool = False) -> None:
    """Raises `RulesError` for a field that is not odds, nor the word none where `or_none` allows that."""
    for name in names:
        value = getattr(rules, name)
        if not (isinstance(value, str) and (_RATIO.fullmatch(value) or (or_none and value == "none"))):
            raise refusal(name, value, f"{ODDS}, or none" if or_none else ODDS)


def ratio(text: str) -> Fraction:
    """The odds "A:B" as a multiple of the bet; raises `RulesError` on other text."""
    match = _RATIO.fullmatch(text)
    if match is None:
        raise RulesError(f"{text!r} are not odds: expected {ODDS}")
    return Fraction(int(match[1]), int(match[2]))


def exact(name: str, value: object, allowed: str) -> Fraction:
    """The value of a field as a fraction; raises `RulesError`, naming what is allowed, for a float or other things."""
    if isinstance(value, bool | float) or not isinstance(value, int | str | Decimal | Fraction):
        raise refusal(name, value, allowed)
    try:
        return Fraction(value)
    except (ValueError, OverflowError, ZeroDivisionError):
        raise refusal(name, value, allowed) from None


def check_limits(rules: Any) -> None:
    """Makes minimum, maximum and unit exact; raises `RulesError` where they do not fit together."""
    for name in ("minimum", "maximum", "unit"):
        amount = exact(name, getattr(rules, name), AMOUNT)
        if amount <= 0:
            raise refusal(name, getattr(rules, name), AMOUNT)
        object.__setattr__(rules, name, amount)
    if rules.minimum % rules.unit:
        raise refusal("minimum", rules.minimum, f"a whole number of units of {rules.unit}")
    if rules.maximum < rules.minimum or rules.maximum % rules.unit:
        raise refusal("maximum", rules.maximum, f"at least the minimum {rules.minimum}, in whole units of {rules.unit}")


def replaced(rules: RulesT, values: Mapping[str, Any], choices: Choices) -> RulesT:
    """The rules with some fields replaced; text stands for any value ("yes", "4", "2.50").

    Raises `RulesError` for an unknown field or a bad value.
    """
    names = tuple(field.name for field in fields(rules))  # type: ignore[arg-type]
    for name in values:
        if name not in names:
            raise RulesError(f"unknown house rule {name!r}: the fields are {', '.join(names)}")
    read = {name: _from_text(value, choices.get(name, ("",))[0]) for name, value in values.items()}
    return replace(rules, **read)  # type: ignore[type-var]


def _one_of(allowed: tuple[Any, ...]) -> str:
    words = [str(value).lower() if isinstance(value, bool) else str(value) for value in allowed]
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else words[0]


def _from_text(value: object, example: object) -> object:
    """The value as the field's own type where text stands for it; anything else is left for the field's check."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    if isinstance(example, bool):
        return _WORDS.get(text.lower(), value)
    if isinstance(example, int) and text.isascii() and text.isdigit():
        return int(text)
    return text
