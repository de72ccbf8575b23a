"""House rules of any game from a preset's name or a TOML file: the one place in the games that reads a file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any, Protocol, TypeVar


class _Rules(Protocol):
    def with_values(self, values: Mapping[str, Any], /) -> Any: ...


R = TypeVar("R", bound=_Rules)


def load_rules_file(name_or_path: str | Path, presets: Mapping[str, R], usual: R, error: type[ValueError]) -> R:
    """The rules of a preset, or those in a TOML file.

    A file holds rule fields at its top level, and may name a preset to start from: `preset = "NAME"`; without one it
    starts from the usual rules. Amounts written with a decimal point are read exactly. Raises `error`, which must be
    what the rules themselves raise, for an unknown name, an unreadable file, an unknown field or a bad value.
    """
    name = str(name_or_path)
    if name in presets:
        return presets[name]
    path = Path(name_or_path)
    if path.suffix.lower() != ".toml" and not _is_file(path):
        raise error(f"unknown house rules {name!r}: use one of {', '.join(presets)}, or the path of a TOML file")
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
    except OSError as trouble:
        raise error(f"house rules file {name!r} cannot be read: {trouble.strerror or trouble}") from trouble
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as trouble:
        raise error(f"house rules file {name!r} is not valid TOML: {trouble}") from trouble
    base = values.pop("preset", None)
    if base is not None and not (isinstance(base, str) and base in presets):
        raise error(f"house rules file {name!r}: unknown preset {base!r}: use one of {', '.join(presets)}")
    try:
        found: R = (usual if base is None else presets[base]).with_values(values)
    except error as trouble:
        raise error(f"house rules file {name!r}: {trouble}") from trouble
    return found


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that no file system would take
        return False
