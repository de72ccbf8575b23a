"""Chips from a TOML file: the one place in this package that reads a file."""

from __future__ import annotations

import tomllib
from decimal import Decimal
from pathlib import Path
from typing import Any

from advisor.money.amounts import MoneyError, as_written
from advisor.money.chips import Chips, ChipSet
from advisor.money.rack import UNLIMITED, Rack


def load_chips(path: str | Path) -> tuple[ChipSet, Rack]:
    """The chips of a table, and what its rack holds, from a TOML file.

    The table ``[chips]`` gives each colour its value (a whole number, a decimal number, or text such as "2.50"; all
    read exactly). The table ``[rack]`` gives counts by colour; without it the rack never runs out. Raises `MoneyError`
    that names the file, the field and the value.
    """
    name = str(path)
    try:
        content = tomllib.loads(Path(path).read_text(encoding="utf-8"), parse_float=Decimal)
    except (OSError, ValueError) as error:
        if isinstance(error, OSError):
            raise MoneyError(f"chips file {name!r} cannot be read: {error.strerror or error}") from error
        raise MoneyError(f"chips file {name!r} is not valid TOML: {error}") from error
    try:
        return chips_from(content)
    except MoneyError as error:
        raise MoneyError(f"chips file {name!r}: {error}") from error


def chips_from(content: dict[str, Any]) -> tuple[ChipSet, Rack]:
    """The chips and the rack of such a file's content; raises `MoneyError` naming the field and the value."""
    for key, value in content.items():
        if key not in ("chips", "rack"):
            raise MoneyError(f"unknown field {key!r}: the tables are [chips] and [rack]")
        if not isinstance(value, dict):
            raise MoneyError(f"{key} cannot be {as_written(value)}: it must be a table, [{key}]")
    if "chips" not in content:
        raise MoneyError("[chips] is missing: give each colour its value, such as red = 5")
    chipset = ChipSet(content["chips"])
    if "rack" not in content:
        return chipset, UNLIMITED
    held: dict[str, Any] = content["rack"]
    for colour in held:
        chipset.value(colour)
    return chipset, Rack(Chips(held))
