"""Which chips tables are played with."""

from __future__ import annotations

from datasets.chips.orders import played
from vision.chips.values import COLOURS


def test_tables_are_played_with_all_colours_or_with_six_of_them_and_any_two_meet() -> None:
    tables = [played(k) for k in range(300)]
    assert {len(t) for t in tables} == {6, len(COLOURS)} and all(len(set(t)) == len(t) for t in tables)
    six = [set(t) for t in tables if len(t) == 6]
    assert all(any({a, b} <= t for t in six) for a in COLOURS for b in COLOURS)
