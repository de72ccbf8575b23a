"""Basic strategy: the best play by total and upcard alone, for any house rules, off the top of the shoe.

Total-dependent play is worked out, not copied: every two-card hand of a total is priced exactly, and the play with
the best average over them, each weighed by its chance, is the total's play. Pairs and soft hands are each one hand.
Hands of three and more cards are not averaged in, as in the published charts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from advisor.games.blackjack.decision import Action
from advisor.games.blackjack.game import Column, Pair, whole_game
from advisor.games.blackjack.play import Matchup
from advisor.games.blackjack.rules import HouseRules
from advisor.games.blackjack.shoe import full_shoe
from advisor.games.blackjack.values import ACE, VALUES

UPCARDS: Final = (1, 2, 3, 4, 5, 6, 7, 8, 9, 0)
"""Value indexes of the columns: 2 to 10, then the ace."""

CODES: Final = MappingProxyType(
    {
        "S": "stand",
        "H": "hit",
        "Dh": "double, else hit",
        "Ds": "double, else stand",
        "P": "split",
        "Rh": "surrender, else hit",
        "Rs": "surrender, else stand",
        "Rp": "surrender, else split",
        "Rd": "surrender, else double",
    }
)
"""What the chart's codes mean."""


@dataclass(frozen=True, slots=True)
class Chart:
    """Basic strategy for one set of house rules."""

    rules: HouseRules
    rows: Mapping[str, tuple[str, ...]]
    """A code of `CODES` for each of `UPCARDS`, by row: "hard 19" to "hard 5", "A,9" to "A,2", "A,A", "10,10" to "2,2".
    """

    def code(self, row: str, upcard: int) -> str:
        """The code in one row against an upcard (a value index)."""
        return self.rows[row][UPCARDS.index(upcard)]

    def text(self) -> str:
        """The chart as aligned plain text with a key to its codes."""
        lines = [f"{'':8}" + "".join(f"{VALUES[upcard]:>4}" for upcard in UPCARDS)]
        lines += [f"{row:8}" + "".join(f"{code:>4}" for code in codes) for row, codes in self.rows.items()]
        used = {code for codes in self.rows.values() for code in codes}
        key = ", ".join(f"{code} {words}" for code, words in CODES.items() if code in used)
        return "\n".join([*lines, "", key])


@lru_cache(maxsize=16)
def basic_strategy(rules: HouseRules) -> Chart:
    """The basic strategy chart for these house rules. Takes about a fifth of a second, then is kept."""
    columns = {each.upcard: each for each in whole_game(rules, full_shoe(rules.decks))}
    rows = {
        name: tuple(_code(_average(rules, columns[upcard], pairs)) for upcard in UPCARDS)
        for name, pairs in _rows().items()
    }
    return Chart(rules, MappingProxyType(rows))


def _rows() -> Mapping[str, tuple[Pair, ...]]:
    """The rows, and the two-card hands that each stands for."""
    rows: dict[str, tuple[Pair, ...]] = {}
    for total in range(19, 4, -1):
        cards = [(low, total - low) for low in range(2, 11) if low < total - low <= 10]
        rows[f"hard {total}"] = tuple((low - 1, high - 1) for low, high in cards)
    rows |= {f"A,{VALUES[other]}": ((ACE, other),) for other in range(8, 0, -1)}
    rows |= {f"{VALUES[value]},{VALUES[value]}": ((value, value),) for value in (ACE, *range(9, 0, -1))}
    return rows


def _average(rules: HouseRules, column: Column, pairs: tuple[Pair, ...]) -> Mapping[Action, float]:
    """What each action is worth over the hands, each weighed by the chance that it must be decided."""
    matchup = Matchup(rules, column.upcard)
    totals: dict[Action, float] = {}
    for pair in pairs:
        unseen = _unseen(rules, column.upcard, pair)
        decided = 1.0 - matchup.blackjack_chance(unseen) if matchup.conditioned else 1.0
        for action, value in column.hands[pair].items():
            totals[action] = totals.get(action, 0.0) + column.chances[pair] * decided * value
    return totals


def _unseen(rules: HouseRules, upcard: int, pair: Pair) -> tuple[int, ...]:
    known = (upcard, *pair)
    return tuple(count - known.count(value) for value, count in enumerate(full_shoe(rules.decks)))


def _code(values: Mapping[Action, float]) -> str:
    """The chart code: the best action, and what to do instead where it may not be open."""
    ranked = sorted(values, key=lambda action: -values[action])
    best = ranked[0]
    if best is Action.SURRENDER:
        return "R" + {"S": "s", "H": "h", "D": "d", "P": "p"}[_letter(ranked[1])]
    if best is Action.DOUBLE:
        return "Dh" if values[Action.HIT] > values[Action.STAND] else "Ds"
    return _letter(best)


def _letter(action: Action) -> str:
    return "P" if action is Action.SPLIT else str(action)[0].upper()
