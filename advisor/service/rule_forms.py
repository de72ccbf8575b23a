"""House rules as a form: each field of a rules object with its words, its kind and its choices.

Read from the rules class itself, so that a new rule needs no second list.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Mapping
from dataclasses import fields
from fractions import Fraction
from itertools import pairwise
from typing import Any, Literal, get_args, get_type_hints

from advisor.money import MoneyError, format_amount, typed_amount
from advisor.service.wire import Wire

PER_CENT = frozenset({"commission"})
"""Exact fields that are no amounts: their rules read them."""

Kind = Literal["choice", "yes-no", "number", "amount", "text"]


class FieldWire(Wire):
    """A rule that may be changed; `words` are its description, `choices` its values where they are few."""

    name: str
    words: str
    kind: Kind
    choices: list[str]


def fields_of(rules: Any) -> list[FieldWire]:
    """Every field of a rules object."""
    hints, words = get_type_hints(type(rules)), _words(type(rules))
    out = []
    for field in fields(rules):
        hint = hints[field.name]
        choices = [str(choice) for choice in get_args(hint)] if all(isinstance(c, str) for c in get_args(hint)) else []
        out.append(
            FieldWire(
                name=field.name,
                words=words.get(field.name, field.name.replace("_", " ")),
                kind=_kind(hint, choices),
                choices=choices,
            )
        )
    return out


def typed_values(rules: Any, values: Mapping[str, Any]) -> dict[str, Any]:
    """What a person typed for some fields, its amounts read; raises `ValueError` that names the field and the text."""
    hints = get_type_hints(type(rules))
    amounts = {name for name, hint in hints.items() if hint is Fraction and name not in PER_CENT}
    return {name: _typed(name, value) if name in amounts else value for name, value in values.items()}


def _typed(name: str, value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return format_amount(typed_amount(value))
    except MoneyError as error:
        raise ValueError(f"house rule {name}: {error}") from None


def _kind(hint: Any, choices: list[str]) -> Kind:
    if choices:
        return "choice"
    if hint is bool:
        return "yes-no"
    if hint is int:
        return "number"
    return "amount" if hint is Fraction else "text"


def _words(rules: type) -> dict[str, str]:
    """The strings under the fields of the class, which describe them."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(rules)))
    body = tree.body[0].body if isinstance(tree.body[0], ast.ClassDef) else []
    found = {}
    for before, after in pairwise(body):
        if (
            isinstance(before, ast.AnnAssign)
            and isinstance(before.target, ast.Name)
            and isinstance(after, ast.Expr)
            and isinstance(after.value, ast.Constant)
            and isinstance(after.value.value, str)
        ):
            found[before.target.id] = " ".join(after.value.value.split())
    return found
