"""``tableside rules``: the house rules that come with tableside."""

from __future__ import annotations

import argparse
import json
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from advisor.cli import game_rules
from advisor.cli.terminal import USAGE, Failure, coloured, command

if TYPE_CHECKING:
    from advisor.games.blackjack import HouseRules

DEFAULT_RULES = "six-deck-s17"


def register(commands: Any) -> None:
    """Add the sub-command."""
    parser = command(commands, "rules", "list the house rules that come with tableside", "tableside rules home")
    parser.add_argument("name", nargs="?", help="show every rule of this preset, or of a TOML file")
    parser.add_argument(
        "--game", default="blackjack", metavar="G", help="blackjack, pontoon or punto-banco (default blackjack)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def load(name: str) -> Any:
    """The house rules of that name or file; an unknown one ends the command with a sentence."""
    from advisor.games.blackjack import RulesError, load_rules

    try:
        return load_rules(name)
    except RulesError as error:
        raise Failure(f"{error}.", USAGE) from error


def add_rules_options(parser: argparse.ArgumentParser) -> None:
    """Add ``--rules`` and ``--set``; `chosen_rules` reads them."""
    game_rules.add_rules_options(parser, DEFAULT_RULES, "blackjack_pays=6:5")


def chosen_rules(arguments: argparse.Namespace) -> HouseRules:
    """The house rules that ``--rules`` and ``--set`` ask for; a bad name or value ends the command with a sentence."""
    from advisor.games.blackjack import load_rules

    return game_rules.chosen_rules(load_rules, arguments.rules, arguments.overrides)


def run(arguments: argparse.Namespace) -> int:
    """List the presets, or all fields of one."""
    from advisor.games.catalogue import UnknownGame
    from advisor.games.catalogue import game as game_named

    try:
        game = game_named(arguments.game)
        chosen = {arguments.name: game.load(arguments.name)} if arguments.name else dict(game.presets())
    except UnknownGame as error:
        raise Failure(str(error), USAGE) from error
    except ValueError as error:
        raise Failure(f"{error}.", USAGE) from error
    if arguments.json:
        print(json.dumps({name: _fields(rules) for name, rules in chosen.items()}))
    elif arguments.name:
        for field, value in _fields(chosen[arguments.name]).items():
            print(f"{field:26s} {value}")
    else:
        first = next(iter(chosen))
        usual = type(chosen[first])()
        for name, rules in chosen.items():
            special = [f"{k}={v}" for k, v in _fields(rules).items() if getattr(rules, k) != getattr(usual, k)]
            mark = coloured(" (used when none is named)", "green") if name == first else ""
            print(f"{coloured(name, 'bold')}{mark}: {', '.join(special) or 'as usual'}")
        of = "" if game.name == "blackjack" else f" --game {game.name}"
        print(f"\nWhat is not named is as usual: `tableside rules{of} NAME` shows all.")
        print("Use one with --rules NAME, or --rules FILE.toml for your own.")
    return 0


def _fields(rules: Any) -> dict[str, Any]:
    values = {f.name: getattr(rules, f.name) for f in fields(rules)}
    return {name: value if isinstance(value, bool | int | str) else str(value) for name, value in values.items()}
