"""The contract itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, Self

from advisor.games.contract.played import Choice, Played
from advisor.games.contract.story import Story


class Rules(Protocol):
    """A game's house rules: a frozen, self-checking object."""

    def with_values(self, values: Mapping[str, Any], /) -> Self:
        """The rules with these fields changed; raises a `ValueError` whose text says what is wrong."""


class TableGame(Protocol):
    """A game as the table deals it. Pure: no clock, no file but its rules', no chance."""

    @property
    def name(self) -> str:
        """As the command line and the store write it: "punto-banco"."""

    @property
    def title(self) -> str:
        """As people write it."""

    @property
    def seats(self) -> int:
        """How many seats may be dealt in."""

    @property
    def house(self) -> tuple[str, ...]:
        """The names of the house's hands, in order: ("Dealer",), or ("Player", "Banker")."""

    @property
    def seats_hold_cards(self) -> bool:
        """Whether cards are dealt to seats; where not, seats only bet."""

    @property
    def cards_face_down(self) -> bool:
        """Whether seats get their cards face down, so that a back does not tell the house's hand."""

    def presets(self) -> Mapping[str, Rules]:
        """The named house rules; the first is the usual one."""

    def load(self, name_or_path: str, /) -> Rules:
        """A preset's rules, or those of a TOML file; raises a `ValueError` with a sentence."""

    def summary(self, rules: Any, /) -> str:
        """The rules in one line."""

    def plain(self, rules: Any, /) -> Mapping[str, Any]:
        """The rules as plain data for the log; `restored` reads it back."""

    def restored(self, data: Mapping[str, Any], /) -> Rules:
        """The rules that `plain` wrote; raises a `ValueError`."""

    def play(self, rules: Any, story: Story, /) -> Played:
        """The round so far; what the rules forbid becomes a fault, never an exception."""

    def check(self, rules: Any, operation: Mapping[str, Any], /) -> None:
        """That `operation` can be read as one of this game's; raises a `ValueError` with a sentence."""

    def betting(self, rules: Any, seat: int, /) -> tuple[Choice, ...]:
        """The bets that a seat may put down, each an operation whose "amount" is to be filled in."""
