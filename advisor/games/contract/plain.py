"""Rules objects as plain data for a log, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from fractions import Fraction
from typing import Any, TypeVar

from advisor.games.contract.game import Rules
from advisor.money.amounts import format_amount

R = TypeVar("R", bound=Rules)


def plain_rules(rules: Any) -> dict[str, Any]:
    """Every field of a frozen rules object as text, a whole number or yes/no; amounts are exact text."""
    return {field.name: _plain(getattr(rules, field.name)) for field in fields(rules) if field.init}


def restored_rules(usual: R, data: Mapping[str, Any]) -> R:
    """The rules that `plain_rules` wrote; fields unknown to `usual` are refused with a `ValueError`."""
    return usual.with_values(data)


def _plain(value: object) -> Any:
    return format_amount(value) if isinstance(value, Fraction) else value
