"""Operations as plain dictionaries of text and whole numbers, for a log in JSON, and back."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final, get_args, get_type_hints

from advisor.games.blackjack.round.errors import IllegalMove, MalformedOperation
from advisor.games.blackjack.round.money import exact
from advisor.games.blackjack.round.operations import OPERATIONS, Operation, Side
from advisor.games.cards import Card, CardError, parse_card
from advisor.money.amounts import format_amount

FACE_DOWN: Final = "back"
"""How a card face down is written."""
_KIND: Final = "op"


def as_dict(operation: Operation) -> dict[str, str | int]:
    """The operation as text and whole numbers: {"op": "insure", "seat": 2, "amount": "7.50"}.

    A card is its text ("10H", or "back" face down), an amount exact text, yes and no are words.
    """
    values = {field.name: _plain(getattr(operation, field.name)) for field in fields(operation)}
    return {_KIND: _name(type(operation)), **values}


def operation_from_dict(data: Mapping[str, object]) -> Operation:
    """The operation that `as_dict` wrote; raises `MalformedOperation` naming the field and what is expected."""
    if not isinstance(data, Mapping):
        raise MalformedOperation(f"{data!r} is not an operation: a dictionary with an {_KIND!r} is expected.")
    kind = data.get(_KIND)
    operation = _BY_NAME.get(kind) if isinstance(kind, str) else None
    if operation is None:
        raise MalformedOperation(f"{kind!r} is not an operation: use one of {', '.join(_BY_NAME)}.")
    hints = get_type_hints(operation)
    unknown = [str(name) for name in data if name not in (_KIND, *hints)]
    if unknown:
        raise MalformedOperation(f"{kind} has no field {unknown[0]!r}: its fields are {', '.join(hints) or 'none'}.")
    missing = [name for name in hints if name not in data]
    if missing:
        raise MalformedOperation(f"{kind} needs the field {missing[0]!r}.")
    return operation(**{name: _read(f"{kind}: {name}", data[name], hint) for name, hint in hints.items()})


def _name(operation: type[Operation]) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "-", operation.__name__).lower()


_BY_NAME: Final = MappingProxyType({_name(operation): operation for operation in OPERATIONS})


def _plain(value: object) -> str | int:
    if value is None:
        return FACE_DOWN
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Fraction):
        return format_amount(value)
    return value if isinstance(value, int) else str(value)


def _read(what: str, value: object, hint: Any) -> Any:
    """The value of a field of this type."""
    return _READERS[hint](what, value)


def _read_number(what: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise MalformedOperation(f"{what} cannot be {value!r}: a whole number is expected.")
    return value


def _read_amount(what: str, value: object) -> Fraction:
    if not isinstance(value, str | int):
        raise MalformedOperation(f'{what} cannot be {value!r}: text such as "7.50" is expected.')
    try:
        return exact(value, what)
    except IllegalMove as error:
        raise MalformedOperation(str(error)) from None


def _read_card(what: str, value: object) -> Card:
    if not isinstance(value, str):
        raise MalformedOperation(f'{what} cannot be {value!r}: text such as "10H" is expected.')
    try:
        return parse_card(value)
    except CardError as error:
        raise MalformedOperation(f"{what}: {error}.") from None


def _read_any_card(what: str, value: object) -> Card | None:
    return None if value == FACE_DOWN else _read_card(what, value)


def _one_of(words: Mapping[str, object]) -> Callable[[str, object], object]:
    def read(what: str, value: object) -> object:
        if not isinstance(value, str) or value not in words:
            raise MalformedOperation(f"{what} cannot be {value!r}: {' or '.join(words)} is expected.")
        return words[value]

    return read


_READERS: Final[Mapping[Any, Callable[[str, object], object]]] = {
    int: _read_number,
    Fraction: _read_amount,
    Card: _read_card,
    Card | None: _read_any_card,
    bool: _one_of({"yes": True, "no": False}),
    Side: _one_of({side: side for side in get_args(Side)}),
}
