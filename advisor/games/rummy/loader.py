"""Variants by name or from a TOML file: the one place in the rummy games that reads a file."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from advisor.games.rummy.fields import from_data, with_values
from advisor.games.rummy.variant import Variant, VariantError


@cache
def variant_names() -> tuple[str, ...]:
    """The variants that come with tableside, contract rummy first."""
    names = [entry.name.removesuffix(".toml") for entry in _folder().iterdir() if entry.name.endswith(".toml")]
    return tuple(sorted(names, key=lambda name: (not name.startswith("contract"), name)))


@cache
def shipped_variant(name: str) -> Variant:
    """A variant that comes with tableside, by its name or its title, whatever the capitals ("12-step", "Shanghai").

    Raises `VariantError` for an unknown name.
    """
    known = name if name in variant_names() else _titles().get(_spelt(name))
    if known is None:
        raise VariantError(f"unknown variant {name!r}: use one of {', '.join(variant_names())}, or a TOML file's path")
    return from_data(known, _content(known))


ALSO: Final = {"plain": "rummy", "plain-rummy": "rummy", "6-to-10": "six-to-ten"}
"""What else some variants are called."""


@cache
def _titles() -> dict[str, str]:
    """Each variant's name by how its name and its title may be spelt."""
    found = dict(ALSO)
    for name in variant_names():
        title = _spelt(str(_content(name)["title"]))
        found |= dict.fromkeys((title, title.removesuffix("-rummy"), name), name)
    return found


def _spelt(name: str) -> str:
    return "-".join(name.casefold().replace("_", " ").replace("-", " ").split())


def _content(name: str) -> dict[str, Any]:
    return tomllib.loads((_folder() / f"{name}.toml").read_text(encoding="utf-8"))


def load_variant(name_or_path: str | Path) -> Variant:
    """A variant that comes with tableside, or the one in a TOML file.

    A file gives every field, or names a variant to start from and only what differs: ``variant = "contract-b"``; with
    no title of its own it has that variant's and its own file's name.
    Raises `VariantError` for an unknown name, an unreadable file, or a field that is unknown, missing or wrong.
    """
    name = str(name_or_path)
    path = Path(name_or_path)
    if name in variant_names() or (path.suffix.lower() != ".toml" and not _is_file(path)):
        return shipped_variant(name)
    try:
        data: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as wrong:
        raise VariantError(f"variant file {name!r} cannot be read: {wrong.strerror or wrong}") from wrong
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise VariantError(f"variant file {name!r} is not valid TOML: {wrong}") from wrong
    base = data.pop("variant", None)
    try:
        if base is None:
            return from_data(path.stem, data)
        if not isinstance(base, str):
            raise VariantError(f"variant cannot be {base!r}: it must be one of {', '.join(variant_names())}")
        start = shipped_variant(base)
        return with_values(start, {"title": f"{start.title}, as {path.stem} has it", **_dotted(data)})
    except VariantError as wrong:
        raise VariantError(f"variant file {name!r}: {wrong}") from wrong


def _dotted(data: dict[str, Any]) -> dict[str, Any]:
    """Tables of points and bonuses part by part, so that what a file does not name stays as in its base."""
    found: dict[str, Any] = {}
    for name, value in data.items():
        if name in ("points", "bonuses") and isinstance(value, dict):
            found.update({f"{name}.{part}": each for part, each in value.items()})
        else:
            found[name] = value
    return found


def _folder() -> Any:
    return files("advisor.games.rummy") / "variants"


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that no file system would take
        return False
