"""Rendering in several processes goes on after they have been begun anew."""

from __future__ import annotations

import os

from datasets.processes import RENEWED, in_processes


def who(number: int) -> tuple[int, int]:
    return number, os.getpid()


def test_every_piece_is_done_in_order_and_by_more_than_one_process_in_turn() -> None:
    done = list(in_processes(who, range(2 * RENEWED + 3), workers=1))
    assert [number for number, _ in done] == list(range(2 * RENEWED + 3))
    assert len({process for _, process in done}) == 3
