"""Operations as plain dictionaries, for a log in JSON, and back.

`advisor.games.operations.OperationLog` writes rounds played for chips; a sheet has names, lists and things left out
besides, so it reads and writes its own, in the same shape.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from types import MappingProxyType
from typing import Any, Final, get_type_hints

from advisor.games.cards import CardError
from advisor.games.operations import MalformedOperation
from advisor.games.rummy.cards import RummyCard, parse_rummy_cards, rummy_text
from advisor.games.rummy.fields import as_data
from advisor.games.rummy.sheet.operations import OPERATIONS, Opening, Operation, Source, variant_of
from advisor.games.rummy.variant import Variant, VariantError

_KIND: Final = "op"
_OVERRIDES: Final = "overrides"


def as_dict(operation: Operation) -> dict[str, Any]:
    """The operation as plain data: {"op": "record-hand", "player": "Ann", "deal": 3, "cards": "10H JOKER"}.

    Cards are text, yes and no words, and what has its usual value is left out. A variant is its name and, under
    "overrides", every field, so that a sheet is counted by the rules that it began with.
    """
    data: dict[str, Any] = {_KIND: _name(type(operation))}
    for field in fields(operation):
        value = getattr(operation, field.name)
        if isinstance(value, Variant):
            data |= {field.name: value.name, _OVERRIDES: as_data(value)}
        elif value != field.default:
            data[field.name] = _plain(field.name, value)
    return data


def operation_from_dict(data: Mapping[str, object]) -> Operation:
    """The operation that `as_dict` wrote; raises `MalformedOperation` naming the field and what is expected.

    The "overrides" of a variant that comes with tableside may name only what differs from it.
    """
    if not isinstance(data, Mapping):
        raise MalformedOperation(f"{data!r} is not an operation: a dictionary with an {_KIND!r} is expected.")
    kind = data.get(_KIND)
    operation = _BY_NAME.get(kind) if isinstance(kind, str) else None
    if operation is None:
        raise MalformedOperation(f"{kind!r} is not an operation: use one of {', '.join(_BY_NAME)}.")
    hints = {field.name: get_type_hints(operation)[field.name] for field in fields(operation)}
    allowed = [*hints, *([_OVERRIDES] if "variant" in hints else [])]
    unknown = [str(name) for name in data if name != _KIND and name not in allowed]
    if unknown:
        raise MalformedOperation(f"{kind} has no field {unknown[0]!r}: its fields are {', '.join(allowed) or 'none'}.")
    missing = [field.name for field in fields(operation) if field.default is MISSING and field.name not in data]
    if missing:
        raise MalformedOperation(f"{kind} needs the field {missing[0]!r}.")
    given = {name: value for name, value in data.items() if name in hints}
    values = {name: _READERS[hints[name]](f"{kind}: {name}", value) for name, value in given.items()}
    if "variant" in hints:
        values["variant"] = _variant(f"{kind}: variant", values["variant"], data.get(_OVERRIDES, {}))
    return operation(**values)


def _name(operation: type[Operation]) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "-", operation.__name__).lower()


_BY_NAME: Final = MappingProxyType({_name(operation): operation for operation in OPERATIONS})


def _plain(name: str, value: Any) -> Any:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return rummy_text(value) if name == "cards" else list(value)
    return value if value is None or isinstance(value, int) else str(value)


def _variant(what: str, name: str, overrides: object) -> Variant:
    if not isinstance(overrides, Mapping):
        raise MalformedOperation(f"{what}: its {_OVERRIDES} cannot be {overrides!r}: fields and values are expected.")
    try:
        return variant_of(name, overrides)
    except (VariantError, TypeError) as error:  # a TypeError where a part of a table was left out
        raise MalformedOperation(f"{what}: {error}.") from error


def _text(what: str, value: object) -> str:
    if not isinstance(value, str):
        raise MalformedOperation(f"{what} cannot be {value!r}: text is expected.")
    return value


def _number(what: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise MalformedOperation(f"{what} cannot be {value!r}: a whole number is expected.")
    return value


def _texts(what: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        raise MalformedOperation(f"{what} cannot be {value!r}: a list of names is expected.")
    return tuple(_text(what, each) for each in value)


def _cards(what: str, value: object) -> tuple[RummyCard, ...]:
    if not isinstance(value, str):
        raise MalformedOperation(f'{what} cannot be {value!r}: text such as "10H JOKER" is expected.')
    try:
        return parse_rummy_cards(value)
    except CardError as error:
        raise MalformedOperation(f"{what}: {error}, or JOKER.") from None


def _one_of(words: Mapping[str, object]) -> Callable[[str, object], object]:
    def read(what: str, value: object) -> object:
        if not isinstance(value, str) or value not in words:
            raise MalformedOperation(f"{what} cannot be {value!r}: {' or '.join(words)} is expected.")
        return words[value]

    return read


def _or_none(read: Callable[[str, object], object]) -> Callable[[str, object], object]:
    return lambda what, value: None if value is None else read(what, value)


_YES_NO: Final = _one_of({"yes": True, "no": False})
_READERS: Final[Mapping[Any, Callable[[str, object], Any]]] = MappingProxyType(
    {
        str: _text,
        str | None: _or_none(_text),
        int: _number,
        int | None: _or_none(_number),
        bool: _YES_NO,
        bool | None: _or_none(_YES_NO),
        tuple[str, ...]: _texts,
        tuple[RummyCard, ...] | None: _or_none(_cards),
        Source: _one_of({str(source): source for source in Source}),
        Opening: _one_of({str(opening): opening for opening in Opening}),
        Variant: _text,
    }
)
