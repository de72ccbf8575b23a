"""What earlier coups left: the cards seen of this shoe, commission owed, and the scoreboard, as plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final

from advisor.games.cards import Card
from advisor.games.contract.driving import carried_amounts, carried_cards, carried_texts
from advisor.games.contract.story import Carried
from advisor.games.punto_banco.rules import PuntoBancoRules
from advisor.games.punto_banco.scoreboard import CoupResult
from advisor.games.punto_banco.shoe import shoe_problems
from advisor.games.punto_banco.tableau import Result
from advisor.money.amounts import format_amount

_MARKS: Final = MappingProxyType({"player_pair": "player-pair", "banker_pair": "banker-pair", "natural": "natural"})
"""How the scoreboard's marks are written."""


@dataclass(frozen=True, slots=True)
class Start:
    """How the table stands before a coup."""

    seen: tuple[Card, ...] = ()
    """Cards gone from this shoe."""
    commission: Mapping[int, Fraction] = field(default_factory=lambda: MappingProxyType({}))
    """Owed by seat."""
    history: tuple[CoupResult, ...] = ()
    """The coups of this shoe in order."""

    def new_shoe(self) -> Start:
        """The same with a fresh shoe: commission stays owed, the scoreboard begins anew."""
        return Start(commission=self.commission)


def read_start(rules: PuntoBancoRules, carried: Carried) -> Start:
    """What `carried` says; what cannot be read, or cannot be, is taken as a fresh shoe or as nothing owed.

    The shoe is fresh too where the table says that it was shuffled: "shuffled" is true.
    """
    seen = carried_cards(carried, "seen")
    owed = carried_amounts(carried, "commission")
    commission = {seat: amount for seat, amount in owed.items() if 1 <= seat <= rules.seats}
    if carried.get("shuffled") or seen is None or shoe_problems(rules.decks, seen):
        return Start(commission=commission)
    history = tuple(found for it in carried_texts(carried, "coups") if (found := _result(it)) is not None)
    return Start(seen, commission, history)


def as_carried(
    seen: Sequence[Card], commission: Mapping[int, Fraction], history: Sequence[CoupResult]
) -> dict[str, Any]:
    """The table as plain data, which `read_start` reads back."""
    return {
        "seen": [str(card) for card in seen],
        "commission": {str(seat): format_amount(amount) for seat, amount in commission.items()},
        "coups": [" ".join((it.result.value, *marks(it))) for it in history],
    }


def marks(coup: CoupResult) -> tuple[str, ...]:
    """What the scoreboard marks on a coup beside who won: "natural", "player-pair", "banker-pair"."""
    return tuple(word for field, word in _MARKS.items() if getattr(coup, field))


def _result(text: str) -> CoupResult | None:
    """The coup that `as_carried` wrote: "banker", or "player natural banker-pair"."""
    winner, *words = text.split() or [""]
    if winner not in set(Result) or not set(words) <= set(_MARKS.values()):
        return None
    return CoupResult(Result(winner), **{field: word in words for field, word in _MARKS.items()})
