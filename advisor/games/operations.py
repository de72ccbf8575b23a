"""What a round kept as a log of frozen operations needs, whatever the game: refusals, triples, plain data."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Concatenate, Final, Generic, Literal, ParamSpec, TypeVar, get_args, get_origin, get_type_hints

from advisor.games.cards import Card, CardError, cards_text, parse_card, parse_cards
from advisor.money.amounts import AmountLike, MoneyError, format_amount, parse_amount

FACE_DOWN: Final = "back"
"""How a card face down is written."""
_KIND: Final = "op"
_YES, _NO = "yes", "no"

P = ParamSpec("P")
Op = TypeVar("Op")
AnyOp = TypeVar("AnyOp")
State = TypeVar("State")


class IllegalMove(ValueError):  # noqa: N818 - it names what the operation is, as the callers say it
    """An operation that the round does not allow; the message names the place, what is wrong and what is allowed."""


class MalformedOperation(ValueError):  # noqa: N818 - as above
    """A logged operation that cannot be read; the message names the field and what is expected."""


def exact(amount: AmountLike, what: str) -> Fraction:
    """The amount as a fraction; raises `IllegalMove`, naming `what`, for a float or for text that is no amount."""
    try:
        return parse_amount(amount)
    except MoneyError as error:
        raise IllegalMove(f"{what}: {error}.") from None


def bet_problems(what: str, amount: Fraction, least: Fraction, most: Fraction, unit: Fraction) -> tuple[str, ...]:
    """Everything wrong with an amount that is put down, a sentence each beginning with `what`; empty when it may stay.

    `least` may be 0, where any whole number of units will do.
    """
    bet = f"{what} of {format_amount(amount)}"
    if amount <= 0:
        return (f"{bet} cannot be: it must be more than 0.",)
    problems = []
    if amount % unit:
        problems.append(f"{bet} is not in whole units of {format_amount(unit)}.")
    if amount < least:
        problems.append(f"{bet} is under the least allowed, {format_amount(least)}.")
    if amount > most:
        problems.append(f"{bet} is over the most allowed, {format_amount(most)}.")
    return tuple(problems)


Triple = tuple[
    Callable[Concatenate[State, P], None],
    Callable[Concatenate[State, P], bool],
    Callable[Concatenate[State, P], Op],
]
"""`verify_x`, `can_x` and `x` for one operation."""


def triple(verify: Callable[[State, Op], None], make: Callable[P, Op]) -> Triple[State, P, Op]:
    """`verify_x`, `can_x` and `x` for the operation that `make` builds.

    Each takes the round and then what the operation is built from. `verify_x` raises `IllegalMove` with a sentence
    where the round does not allow it; `can_x` says whether it would; `x` verifies and returns the operation.
    """

    def do(state: State, /, *args: P.args, **kwargs: P.kwargs) -> Op:
        operation = make(*args, **kwargs)
        verify(state, operation)
        return operation

    def verify_it(state: State, /, *args: P.args, **kwargs: P.kwargs) -> None:
        do(state, *args, **kwargs)

    def can(state: State, /, *args: P.args, **kwargs: P.kwargs) -> bool:
        try:
            do(state, *args, **kwargs)
        except IllegalMove:
            return False
        return True

    return verify_it, can, do


class OperationLog(Generic[AnyOp]):
    """Operations of one game as plain dictionaries of text and whole numbers, for a log in JSON, and back."""

    def __init__(self, operations: tuple[type[AnyOp], ...]) -> None:
        self._by_name: Mapping[str, type[AnyOp]] = MappingProxyType({_name(it): it for it in operations})
        self._hints = {name: get_type_hints(it) for name, it in self._by_name.items()}

    def as_dict(self, operation: AnyOp) -> dict[str, str | int]:
        """The operation as text and whole numbers: {"op": "place-bet", "seat": 2, "amount": "7.50"}.

        A card is its text ("10H", or "back" face down), several are parted by spaces; an amount is exact text.
        """
        names = (field.name for field in fields(operation))  # type: ignore[arg-type]
        return {_KIND: _name(type(operation)), **{name: _plain(getattr(operation, name)) for name in names}}

    def from_dict(self, data: Mapping[str, object]) -> AnyOp:
        """The operation that `as_dict` wrote; raises `MalformedOperation` naming the field and what is expected."""
        if not isinstance(data, Mapping):
            raise MalformedOperation(f"{data!r} is not an operation: a dictionary with an {_KIND!r} is expected.")
        kind = data.get(_KIND)
        operation = self._by_name.get(kind) if isinstance(kind, str) else None
        if operation is None:
            raise MalformedOperation(f"{kind!r} is not an operation: use one of {', '.join(self._by_name)}.")
        hints = self._hints[str(kind)]
        unknown = [str(name) for name in data if name not in (_KIND, *hints)]
        if unknown:
            raise MalformedOperation(
                f"{kind} has no field {unknown[0]!r}: its fields are {', '.join(hints) or 'none'}."
            )
        missing = [name for name in hints if name not in data]
        if missing:
            raise MalformedOperation(f"{kind} needs the field {missing[0]!r}.")
        values = {name: _read(f"{kind}: {name}", data[name], hint) for name, hint in hints.items()}
        try:
            return operation(**values)
        except IllegalMove as error:
            raise MalformedOperation(str(error)) from None


def _name(operation: type[object]) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "-", operation.__name__).lower()


def _plain(value: object) -> str | int:
    if value is None:
        return FACE_DOWN
    if isinstance(value, bool):
        return _YES if value else _NO
    if isinstance(value, Fraction):
        return format_amount(value)
    if isinstance(value, tuple):
        return cards_text(value)
    return value if isinstance(value, int) else str(value)


def _read(what: str, value: object, hint: Any) -> object:
    """The value of a field of this type."""
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return hint(_one_of(what, value, [str(word) for word in hint]))
    if get_origin(hint) is Literal:
        return _one_of(what, value, get_args(hint))
    return _READERS[hint](what, value)


def _one_of(what: str, value: object, words: Sequence[str]) -> str:
    if not isinstance(value, str) or value not in words:
        raise MalformedOperation(f"{what} cannot be {value!r}: {' or '.join(words)} is expected.")
    return value


def _read_yes(what: str, value: object) -> bool:
    return _one_of(what, value, (_YES, _NO)) == _YES


def _read_number(what: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise MalformedOperation(f"{what} cannot be {value!r}: a whole number is expected.")
    return value


def _read_amount(what: str, value: object) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise MalformedOperation(f'{what} cannot be {value!r}: text such as "7.50" is expected.')
    try:
        return exact(value, what)
    except IllegalMove as error:
        raise MalformedOperation(str(error)) from None


def _cards(what: str, value: object, read: Callable[[str], Any], example: str) -> Any:
    if not isinstance(value, str):
        raise MalformedOperation(f'{what} cannot be {value!r}: text such as "{example}" is expected.')
    try:
        return read(value)
    except CardError as error:
        raise MalformedOperation(f"{what}: {error}.") from None


def _read_card(what: str, value: object) -> object:
    return _cards(what, value, parse_card, "10H")


def _read_any_card(what: str, value: object) -> object:
    return None if value == FACE_DOWN else _read_card(what, value)


def _read_cards(what: str, value: object) -> object:
    return _cards(what, value, parse_cards, "10H 5S")


_READERS: Final[Mapping[Any, Callable[[str, object], object]]] = {
    int: _read_number,
    bool: _read_yes,
    Fraction: _read_amount,
    Card: _read_card,
    Card | None: _read_any_card,
    tuple[Card, ...]: _read_cards,
}
