"""Paytables: what each outcome of a side bet pays, as data in TOML; a table's own file is read the same way."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any

from advisor.games.blackjack.side_bets.bets import BETS, SideBet
from advisor.money import MoneyError, parse_odds


class PaytableError(ValueError):
    """A paytable that cannot be; the message names the field, its value and what is allowed."""


@dataclass(frozen=True, slots=True, init=False)
class Paytable:
    """What one table pays on one side bet.

    ``pays`` gives every outcome of the bet its odds: a whole number, or text such as "3:2"; 0 where it pays nothing.
    Raises `PaytableError`.
    """

    bet: str
    """A name in `BETS`."""
    name: str
    source: str
    """Where the odds come from, in words."""
    pays: tuple[tuple[str, Fraction], ...]
    """Outcome and multiple of the bet paid on top of it, best outcome first."""

    def __init__(self, bet: str, name: str, source: str, pays: Mapping[str, object]) -> None:
        known = _bet(bet)
        for field, words in (("name", name), ("source", source)):
            if not isinstance(words, str) or not words.strip():
                raise PaytableError(f"paytable field {field} cannot be {words!r}: it must be words")
        odds: dict[str, Fraction] = {}
        for outcome, value in pays.items():
            if outcome not in known.outcomes:
                allowed = ", ".join(known.outcomes)
                raise PaytableError(f"paytable {name!r}: {bet} has no outcome {outcome!r}: its outcomes are {allowed}")
            try:
                odds[outcome] = parse_odds(value)
            except MoneyError as error:
                raise PaytableError(f"paytable {name!r}: {outcome} cannot pay {value!r}: {error}") from error
        for outcome in known.outcomes:
            if outcome not in odds:
                raise PaytableError(f"paytable {name!r}: {outcome} is missing: give 0 where it pays nothing")
        for field, words in (("bet", bet), ("name", name), ("source", source)):
            object.__setattr__(self, field, words)
        object.__setattr__(self, "pays", tuple((outcome, odds[outcome]) for outcome in known.outcomes))

    def odds(self, outcome: str) -> Fraction:
        """What the outcome pays as a multiple of the bet; raises `PaytableError` for one that the bet does not have."""
        for name, paid in self.pays:
            if name == outcome:
                return paid
        raise PaytableError(f"{self.bet} has no outcome {outcome!r}")


def read_paytables(text: str) -> tuple[Paytable, ...]:
    """The paytables in TOML text: ``bet`` at the top, then one ``[[table]]`` with name, source and pays for each.

    Raises `PaytableError` for text that is no TOML, an unknown or missing field, or a bad value.
    """
    try:
        content = tomllib.loads(text, parse_float=Decimal)
    except (tomllib.TOMLDecodeError, ValueError) as error:
        raise PaytableError(f"it is not valid TOML: {error}") from error
    _fields("the file", content, {"bet": str, "table": list})
    _bet(content["bet"])
    if not content["table"]:
        raise PaytableError("the file has no [[table]]: give one or more")
    tables = []
    for number, table in enumerate(content["table"], 1):
        where = f"table {number}"
        if not isinstance(table, dict):
            raise PaytableError(f"{where} cannot be {table!r}: write it as [[table]]")
        _fields(where, table, {"name": str, "source": str, "pays": dict})
        tables.append(Paytable(content["bet"], table["name"], table["source"], table["pays"]))
    names = [table.name for table in tables]
    for name in names:
        if names.count(name) > 1:
            raise PaytableError(f"two tables are named {name!r}: each needs its own name")
    return tuple(tables)


@cache
def paytables(bet: str) -> tuple[Paytable, ...]:
    """The paytables that come with tableside for a bet, the usual one first; raises `PaytableError` for no such bet."""
    _bet(bet)
    folder = files("advisor.games.blackjack.side_bets") / "paytables"
    return read_paytables((folder / f"{bet.replace('+', '-plus-')}.toml").read_text(encoding="utf-8"))


def default_paytable(bet: str) -> Paytable:
    """The usual paytable of a bet; raises `PaytableError` for no such bet."""
    return paytables(bet)[0]


def _bet(name: object) -> SideBet:
    if not isinstance(name, str) or name not in BETS:
        raise PaytableError(f"there is no side bet {name!r}: use one of {', '.join(BETS)}")
    return BETS[name]


def _fields(where: str, content: Mapping[str, Any], wanted: Mapping[str, type]) -> None:
    for field, value in content.items():
        if field not in wanted:
            raise PaytableError(f"{where} has an unknown field {field!r}: the fields are {', '.join(wanted)}")
        if not isinstance(value, wanted[field]):
            raise PaytableError(f"{where}: {field} cannot be {value!r}: see the tables that come with tableside")
    for field in wanted:
        if field not in content:
            raise PaytableError(f"{where} has no {field}: give {', '.join(wanted)}")
