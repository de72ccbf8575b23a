"""What may be stored: JSON of text, whole numbers, yes and no within limits, names, notes and times."""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from advisor.service.store.errors import RefusedError

MAX_DATA: Final = 65_536
"""Characters of an event's data, or a session's rules or layout, as JSON."""
MAX_TEXT: Final = 500
"""Characters of a note or a reason."""
MAX_DEPTH: Final = 8
"""Lists and objects within one another."""
MAX_INT: Final = 2**63 - 1
"""Whole numbers lie between this and its negative, so that every reader of an export can hold them."""
_NAME: Final = re.compile(r"[a-z][a-z0-9-]{0,63}")
_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")

EVENT_LEAVES: Final = (str, int, bool)
RULES_LEAVES: Final = (str, int, bool, type(None))
LAYOUT_LEAVES: Final = (str, int, bool, type(None), float)
"""A layout is measured in millimetres, so fractions are allowed there; nothing in it is money."""


def encode(what: str, data: Mapping[str, Any], leaves: tuple[type, ...] = EVENT_LEAVES) -> str:
    """The data as JSON in ASCII; raises `RefusedError` naming the place of what is not allowed."""
    if not isinstance(data, Mapping):
        raise RefusedError(f"{what} is {_kind(data)}: an object with text keys is expected.")
    text = json.dumps(_plain(what, data, leaves, MAX_DEPTH), separators=(",", ":"), allow_nan=False)
    if len(text) > MAX_DATA:
        raise RefusedError(f"{what} is {len(text)} characters long: at most {MAX_DATA} can be stored.")
    return text


def decode(text: str) -> dict[str, Any]:
    """The object that `encode` wrote; raises `ValueError` for anything else."""
    try:
        data = json.loads(text)
    except RecursionError:
        raise ValueError("lists or objects lie too deep within one another") from None
    if not isinstance(data, dict):
        raise ValueError("it is not an object")
    return data


def _plain(what: str, value: object, leaves: tuple[type, ...], depth: int) -> object:
    """The value in JSON's own types, copied."""
    if isinstance(value, Mapping | list | tuple) and depth == 0:
        raise RefusedError(f"{what} lies too deep: at most {MAX_DEPTH} lists and objects within one another.")
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise RefusedError(f"{what} has the key {key!r}: keys are text.")
        return {str(key): _plain(f"{what}: {key}", item, leaves, depth - 1) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(f"{what}, item {i}", item, leaves, depth - 1) for i, item in enumerate(value, 1)]
    allowed = isinstance(value, leaves) and (bool in leaves or not isinstance(value, bool))
    if not allowed or (isinstance(value, float) and not math.isfinite(value)):
        raise RefusedError(f"{what} is {_kind(value)}: {_expected(leaves)} is expected.")
    if isinstance(value, int) and abs(value) > MAX_INT:
        raise RefusedError(f"{what} is too large: whole numbers go up to {MAX_INT}.")
    return value


def _kind(value: object) -> str:
    return f"of the type {type(value).__name__}"


def _expected(leaves: tuple[type, ...]) -> str:
    if leaves == EVENT_LEAVES:
        return "text, a whole number (amounts as text), yes or no"
    return (
        "text, a finite number, yes, no or nothing" if float in leaves else "text, a whole number, yes, no or nothing"
    )


def check_name(what: str, name: object) -> str:
    """A kind of event or a game's name: lower-case letters, digits and hyphens; raises `RefusedError`."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise RefusedError(
            f"{what} cannot be {name!r}: up to 64 lower-case letters, digits and hyphens are expected, a letter first."
        )
    return name


def is_id(session: object) -> bool:
    """Whether this can be a session's name."""
    return isinstance(session, str) and _ID.fullmatch(session) is not None


def check_text(what: str, text: object) -> str:
    """A note or a reason: one line of text; raises `RefusedError`."""
    if not isinstance(text, str):
        raise RefusedError(f"{what} is {_kind(text)}: text is expected.")
    if len(text) > MAX_TEXT:
        raise RefusedError(f"{what} is {len(text)} characters long: at most {MAX_TEXT} can be stored.")
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in text):
        raise RefusedError(f"{what} has a line break or another control character: one line of text is expected.")
    return text


def format_time(time: datetime) -> str:
    """A moment as text that sorts by time: 2026-03-01T19:02:11.000250Z."""
    if time.tzinfo is None:
        raise RefusedError("A time needs its time zone.")
    return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ").rjust(27, "0")


def parse_time(text: str) -> datetime:
    """The moment that `format_time` wrote; raises `ValueError` for anything else."""
    time = datetime.fromisoformat(text)
    if format_time(time) != text:
        raise ValueError(f"{text!r} is not a time such as 2026-03-01T19:02:11.000250Z")
    return time.astimezone(UTC)
