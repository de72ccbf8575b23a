"""A game for the table, put together from what every game has: presets, a loader, a log, and its own play."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from advisor.games.contract.game import Rules
from advisor.games.contract.plain import plain_rules, restored_rules
from advisor.games.contract.played import Choice, Played
from advisor.games.contract.story import Story
from advisor.games.operations import OperationLog
from advisor.games.rule_fields import RulesError

R = TypeVar("R", bound=Rules)


@dataclass(frozen=True, slots=True, kw_only=True)
class StandardGame(Generic[R]):
    """Keeps the contract of `TableGame` with functions of the game's own."""

    name: str
    title: str
    seats: int
    house: tuple[str, ...]
    seats_hold_cards: bool
    cards_face_down: bool = False
    named: Mapping[str, R]
    """The presets, the usual one first."""
    reading: Callable[[str], R]
    """The game's loader."""
    told: OperationLog[Any]
    """What may be said of a round."""
    in_words: Callable[[R], str]
    playing: Callable[[R, Story], Played]
    bets: Callable[[R, int], tuple[Choice, ...]]

    def presets(self) -> Mapping[str, R]:
        """The named house rules; the first is the usual one."""
        return self.named

    def load(self, name_or_path: str, /) -> R:
        """A preset's rules, or those of a TOML file; raises `RulesError`."""
        return self.reading(name_or_path)

    def summary(self, rules: R, /) -> str:
        """The rules in one line."""
        return self.in_words(rules)

    def plain(self, rules: R, /) -> Mapping[str, Any]:
        """The rules as plain data for the log."""
        return plain_rules(rules)

    def restored(self, data: Mapping[str, Any], /) -> R:
        """The rules that `plain` wrote; raises `RulesError`."""
        if not isinstance(data, Mapping):
            raise RulesError(f"{data!r} are no house rules: a dictionary of fields is expected")
        return restored_rules(next(iter(self.named.values())), data)

    def play(self, rules: R, story: Story, /) -> Played:
        """The round so far; what the rules forbid becomes a fault, never an exception."""
        return self.playing(rules, story)

    def check(self, rules: R, operation: Mapping[str, Any], /) -> None:
        """That `operation` can be read as one of this game's; raises `MalformedOperation` with a sentence."""
        self.told.from_dict(operation)

    def betting(self, rules: R, seat: int, /) -> tuple[Choice, ...]:
        """The bets that a seat may put down, each an operation whose "amount" is to be filled in."""
        return self.bets(rules, seat)
