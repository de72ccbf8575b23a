"""Scripts as JSON, and back::

    {"version": 1, "title": "A split", "seats": 3, "length": 12.5, "acts": [
      {"act": "deal", "at": 0.5, "seat": 1, "card": "10H"}, ...]}

What has its default need not be said. Whatever is wrong is named with its act and field.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, fields
from math import isfinite
from pathlib import Path
from typing import Any, Final

from datasets.rounds.script import NAMES, SPOTS, WORDS, Act, Script, ScriptError

VERSION: Final = 1
_WORDED: Final[Mapping[str, tuple[str, ...]]] = {"spot": SPOTS, "by": ("player", "dealer")}
"""Fields that hold one of a few words."""


def as_data(script: Script) -> dict[str, Any]:
    """The script as JSON holds it; what has its default is left out."""
    return {
        "version": VERSION,
        "title": script.title,
        "seats": script.seats,
        "length": script.least,
        "acts": [_act_data(act) for act in script.acts],
    }


def _act_data(act: Act) -> dict[str, Any]:
    data: dict[str, Any] = {"act": NAMES[type(act)]}
    for field in fields(act):
        value = getattr(act, field.name)
        if field.default is MISSING or value != field.default:
            data[field.name] = list(value) if isinstance(value, tuple) else value
    return data


def from_data(data: Any, where: str = "script") -> Script:
    """The script that `as_data` wrote; raises `ScriptError` naming the act, the field and what is expected."""
    if not isinstance(data, Mapping):
        raise ScriptError(where, ['It must be an object such as {"version": 1, "seats": 3, "acts": []}.'])
    if data.get("version") != VERSION:
        raise ScriptError(where, [f"Its version is {data.get('version')!r}; this program films version {VERSION}."])
    wrong = [
        f"It has no field {name!r}." for name in data if name not in ("version", "title", "seats", "length", "acts")
    ]
    acts = data.get("acts")
    if not isinstance(acts, list):
        raise ScriptError(where, [*wrong, 'Its "acts" must be a list.'])
    seats, title, length = data.get("seats", 3), data.get("title", ""), data.get("length", 0.0)
    if not _whole(seats) or not isinstance(title, str) or not _number(length):
        wrong.append("Its seats must be a whole number, its title text and its length a number.")
    read = [_act(one, f"Act {number}", wrong) for number, one in enumerate(acts, 1)]
    if wrong:
        raise ScriptError(where, wrong)
    try:
        return Script(tuple(act for act in read if act is not None), seats, title, float(length))
    except ScriptError as error:
        raise ScriptError(where, error.problems) from None


def _act(data: Any, where: str, wrong: list[str]) -> Act | None:
    kind = WORDS.get(str(data.get("act"))) if isinstance(data, Mapping) else None
    if kind is None:
        wrong.append(f'{where} needs an "act" that is one of {", ".join(WORDS)}.')
        return None
    where = f"{where} ({data['act']})"
    known = {field.name: field for field in fields(kind)}
    bad = [
        f"{where} has no field {name!r}: its fields are {', '.join(known)}."
        for name in data
        if name not in (*known, "act")
    ]
    bad += [f"{where} needs {n!r}." for n, field in known.items() if field.default is MISSING and n not in data]
    values: dict[str, Any] = {}
    for name, value in data.items():
        if name in known:
            values[name], sentence = _value(name, str(known[name].type), value)
            bad += [f"{where}: {sentence}"] if sentence else []
    wrong += bad
    return None if bad else kind(**values)


def _value(name: str, kind: str, value: Any) -> tuple[Any, str]:
    """The value of a field, and what is wrong with it."""
    if name in _WORDED:
        return value, "" if value in _WORDED[name] else f"{name} cannot be {value!r}: use {' or '.join(_WORDED[name])}."
    if kind == "float":
        return (float(value), "") if _number(value) else (0.0, f"{name} must be a number, not {value!r}.")
    if kind == "int":
        return value, "" if _whole(value) else f"{name} must be a whole number, not {value!r}."
    if kind == "bool":
        return value, "" if isinstance(value, bool) else f"{name} must be true or false, not {value!r}."
    if name == "chips":
        good = isinstance(value, list) and all(isinstance(it, str) for it in value)
        return (tuple(value), "") if good else ((), f"{name} must be a list of colours.")
    return value, "" if isinstance(value, str) else f"{name} must be text, not {value!r}."


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def load_script(path: Path) -> Script:
    """The script in a JSON file; raises `ScriptError`."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ScriptError(str(path), [f"It could not be read ({error.strerror})."]) from error
    except ValueError as error:
        raise ScriptError(str(path), [f"It is not JSON ({error})."]) from error
    return from_data(data, str(path))


def save_script(script: Script, path: Path) -> None:
    """Write the script, an act a line; raises `OSError`."""
    data = as_data(script)
    acts = ",\n  ".join(json.dumps(act) for act in data.pop("acts"))
    head = ", ".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in data.items())
    path.write_text(f'{{{head}, "acts": [\n  {acts}\n]}}\n', encoding="utf-8")
