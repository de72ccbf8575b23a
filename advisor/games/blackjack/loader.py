"""House rules from a preset's name or a TOML file: the one place in the games that reads a file."""

from __future__ import annotations

import tomllib
from decimal import Decimal
from pathlib import Path

from advisor.games.blackjack.presets import PRESETS
from advisor.games.blackjack.rules import HouseRules, RulesError


def load_rules(name_or_path: str | Path) -> HouseRules:
    """The house rules of a preset, or those in a TOML file.

    A file holds house-rule fields at its top level, and may name a preset to start from: `preset = "six-deck-s17"`;
    without one it starts from the default rules. Amounts written with a decimal point are read exactly. Raises
    `RulesError` for an unknown name, an unreadable file, an unknown field or a bad value.
    """
    name = str(name_or_path)
    if name in PRESETS:
        return PRESETS[name]
    path = Path(name_or_path)
    if path.suffix.lower() != ".toml" and not _is_file(path):
        raise RulesError(f"unknown house rules {name!r}: use one of {', '.join(PRESETS)}, or the path of a TOML file")
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
    except OSError as error:
        raise RulesError(f"house rules file {name!r} cannot be read: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RulesError(f"house rules file {name!r} is not valid TOML: {error}") from error
    base = values.pop("preset", None)
    if base is not None and not (isinstance(base, str) and base in PRESETS):
        raise RulesError(f"house rules file {name!r}: unknown preset {base!r}: use one of {', '.join(PRESETS)}")
    try:
        return (HouseRules() if base is None else PRESETS[base]).with_values(values)
    except RulesError as error:
        raise RulesError(f"house rules file {name!r}: {error}") from error


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that no file system would take
        return False
