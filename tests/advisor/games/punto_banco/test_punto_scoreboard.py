"""Where the scoreboard puts each coup."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.games.cards import parse_cards
from advisor.games.punto_banco import Coup, Result
from advisor.games.punto_banco.scoreboard import ROWS, CoupResult, bead_plate, big_road

BY_LETTER = {"P": Result.PLAYER, "B": Result.BANKER, "T": Result.TIE}


def coups(letters: str) -> list[CoupResult]:
    return [CoupResult(BY_LETTER[letter]) for letter in letters]


def places(letters: str) -> list[tuple[int, int]]:
    return [(cell.column, cell.row) for cell in big_road(coups(letters)).cells]


def test_beads_go_down_and_then_right() -> None:
    beads = bead_plate(coups("PBTPBTPB"))
    assert [(bead.column, bead.row) for bead in beads] == [*((0, row) for row in range(6)), (1, 0), (1, 1)]
    assert beads[2].coup.result is Result.TIE


@pytest.mark.parametrize(
    ("letters", "found"),
    [
        ("BB", [(0, 0), (0, 1)]),
        ("BBPB", [(0, 0), (0, 1), (1, 0), (2, 0)]),
        ("BBBBBBBB", [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (1, 5), (2, 5)]),
        # The next streak begins beside the start of the long one, and meets its tail one row higher.
        (
            "BBBBBBB" + "PPPPPPP",
            [*((0, row) for row in range(6)), (1, 5), *((1, row) for row in range(5)), (2, 4), (3, 4)],
        ),
    ],
)
def test_the_big_road(letters: str, found: list[tuple[int, int]]) -> None:
    assert places(letters) == found


def test_ties_are_marked_on_the_win_before_them() -> None:
    road = big_road(coups("TTBTPTT"))
    assert [(cell.column, cell.ties) for cell in road.cells] == [(0, 3), (1, 2)]
    assert (road.leading_ties, road.columns) == (0, 2)
    assert big_road(coups("TT")).leading_ties == 2
    assert big_road([]).columns == 0


def test_what_is_kept_of_a_coup() -> None:
    kept = CoupResult.of(Coup(parse_cards("4C 4D"), parse_cards("KC KD")))
    assert kept == CoupResult(Result.PLAYER, player_pair=True, banker_pair=True, natural=True)
    with pytest.raises(ValueError, match="not finished"):
        CoupResult.of(Coup(parse_cards("4C"), ()))


@given(st.text("PBT", max_size=200))
def test_every_win_has_a_cell_of_its_own_and_every_tie_a_mark(letters: str) -> None:
    road = big_road(coups(letters))
    spots = [(cell.column, cell.row) for cell in road.cells]
    assert len(set(spots)) == len(spots) == len(letters.replace("T", ""))
    assert all(0 <= row < ROWS for _, row in spots)
    assert sum(cell.ties for cell in road.cells) + road.leading_ties == letters.count("T")
    assert len(bead_plate(coups(letters))) == len(letters)
    wins = letters.replace("T", "")
    turns = sum(a != b for a, b in pairwise(wins))
    assert sum(row == 0 for _, row in spots) >= min(len(wins), turns + 1)
