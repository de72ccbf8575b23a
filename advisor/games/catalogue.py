"""Every game that this table deals, by name. A game is imported only when it is asked for."""

from __future__ import annotations

from importlib import import_module
from types import MappingProxyType
from typing import Final

from advisor.games.contract.game import TableGame

_MODULES: Final = MappingProxyType(
    {
        "blackjack": "advisor.games.blackjack.table",
        "pontoon": "advisor.games.pontoon.table",
        "punto-banco": "advisor.games.punto_banco.table",
    }
)


class UnknownGame(ValueError):  # noqa: N818 - it names what is the matter, as the callers say it
    """No game of this name; the message names those that there are."""


def games() -> tuple[str, ...]:
    """The names of all games, the usual one first."""
    return tuple(_MODULES)


def game(name: str) -> TableGame:
    """The game of this name; raises `UnknownGame`."""
    if name not in _MODULES:
        raise UnknownGame(f"There is no game {name!r} for this table: use one of {', '.join(_MODULES)}.")
    found: TableGame = import_module(_MODULES[name]).GAME
    return found
