"""The scoreboard as pure data: which cell of the bead plate and of the big road shows which coup."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from advisor.games.punto_banco.tableau import Coup, Result, Side

ROWS: Final = 6
"""How many rows both boards have."""


@dataclass(frozen=True, slots=True)
class CoupResult:
    """What the scoreboard keeps of one coup."""

    result: Result
    player_pair: bool = False
    banker_pair: bool = False
    natural: bool = False

    @classmethod
    def of(cls, coup: Coup) -> CoupResult:
        """What to keep of a finished coup; raises `ValueError` while cards are still to come."""
        if coup.result is None:
            raise ValueError("the coup is not finished: a card is still to come")
        return cls(coup.result, coup.pair(Side.PLAYER), coup.pair(Side.BANKER), coup.natural)


@dataclass(frozen=True, slots=True)
class Bead:
    """A cell of the bead plate: one coup."""

    column: int
    row: int
    """From the top, 0 to 5; the column from the left, from 0."""
    coup: CoupResult


@dataclass(frozen=True, slots=True)
class RoadCell:
    """A cell of the big road: one win of Player or Banker, and the ties that followed it."""

    column: int
    row: int
    coup: CoupResult
    ties: int = 0
    """How many ties are marked on the cell."""


@dataclass(frozen=True, slots=True)
class BigRoad:
    """The big road."""

    cells: tuple[RoadCell, ...]
    leading_ties: int = 0
    """Ties before anybody has won; from the first win on they are marked on its cell instead."""

    @property
    def columns(self) -> int:
        """How many columns are in use."""
        return max((cell.column + 1 for cell in self.cells), default=0)


def bead_plate(coups: Sequence[CoupResult], rows: int = ROWS) -> tuple[Bead, ...]:
    """Every coup in order, down the columns and from left to right."""
    return tuple(Bead(*divmod(place, rows), coup) for place, coup in enumerate(coups))


def big_road(coups: Sequence[CoupResult], rows: int = ROWS) -> BigRoad:
    """Wins of the same side below one another, each change of side in a new column, ties marked on the win before.

    A new column is the first to the right of where the last streak began whose top cell is free. A streak that meets
    the bottom or a cell in use turns right and stays in its row.
    """
    cells: list[RoadCell] = []
    used: set[tuple[int, int]] = set()
    ties = start = 0
    turned = False
    for coup in coups:
        if coup.result is Result.TIE:
            if cells:
                cells[-1] = replace(cells[-1], ties=cells[-1].ties + 1)
            else:
                ties += 1
            continue
        if not cells:
            column = row = 0
        elif coup.result is not cells[-1].coup.result:
            turned = False
            while (start, 0) in used:
                start += 1
            column, row = start, 0
        else:
            column, row = cells[-1].column, cells[-1].row
            turned = turned or row + 1 == rows or (column, row + 1) in used
            column, row = (column + 1, row) if turned else (column, row + 1)
            while (column, row) in used:  # a streak that turned in the top row keeps clear of what lies there
                column += 1
        used.add((column, row))
        cells.append(RoadCell(column, row, coup, 0 if cells else ties))
    return BigRoad(tuple(cells), 0 if cells else ties)
