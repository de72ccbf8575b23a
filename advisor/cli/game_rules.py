"""``--rules`` and ``--set`` for the games beside blackjack, whichever rules object they have."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeVar

from advisor.cli.terminal import USAGE, Failure


class _Rules(Protocol):
    def with_values(self, values: Mapping[str, Any], /) -> Any: ...


R = TypeVar("R", bound=_Rules)


def add_rules_options(parser: argparse.ArgumentParser, usual: str, example: str) -> None:
    """Add ``--rules`` and ``--set``; `chosen_rules` reads them."""
    parser.add_argument(
        "--rules",
        default=usual,
        metavar="NAME",
        help=f"house rules: a preset's name or a TOML file (default {usual})",
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        dest="overrides",
        metavar="FIELD=VALUE",
        help=f"change one house rule, such as {example}; may be given more than once, the last one counts",
    )


def chosen_rules(load: Callable[[str], R], name: str, overrides: list[str]) -> R:
    """The rules that ``--rules`` and ``--set`` ask for; a bad name or value ends the command with a sentence."""
    from advisor.games.rule_fields import RulesError

    values: dict[str, str] = {}
    for override in overrides:
        field, equals, value = override.partition("=")
        if not equals or not field.strip():
            raise Failure(f"--set {override!r} is not FIELD=VALUE: write for example --set decks=1.", USAGE)
        values[field.strip()] = value.strip()
    try:
        rules: R = load(name).with_values(values)
    except RulesError as error:
        raise Failure(f"{error}.", USAGE) from error
    return rules
