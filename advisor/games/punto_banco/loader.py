"""Punto banco's house rules from a preset's name or a TOML file."""

from __future__ import annotations

from pathlib import Path

from advisor.games.punto_banco.rules import PRESETS, PuntoBancoRules
from advisor.games.rule_fields import RulesError
from advisor.games.rules_file import load_rules_file


def load_rules(name_or_path: str | Path) -> PuntoBancoRules:
    """The rules of a preset, or those in a TOML file; raises `RulesError`. See `load_rules_file` for the file."""
    return load_rules_file(name_or_path, PRESETS, PuntoBancoRules(), RulesError)
