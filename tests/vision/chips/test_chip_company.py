"""One chip alone or a few on each other, told in sight of the picture's others."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.chips.company import in_company, shared_odds
from vision.chips.counter import Count
from vision.chips.crops import Stand

STAND = Stand((200.0, 300.0), 60.0, 0.0, 0.9, 0.1, shows=0.9)


def seen(single: float, thick: float | None = None, nothing: float = 0.0) -> Count:
    """A reading of a chip that is one alone with such a chance, and else two, if it is a chip."""
    chances = np.array([nothing, (1 - nothing) * single, (1 - nothing) * (1 - single)], np.float32)
    stand = replace(STAND, thick=thick)

    def of(count: int, taken: int | None, others: tuple[Count, ...] = ()) -> Count:
        words, image = np.zeros((count, 12), np.float32), np.zeros((4, 4, 3), np.uint8)
        rows, alike = np.arange(count + 1), np.zeros(count - 1, np.float32)
        shows = stand.shows if count == 1 else 0.1
        return Count(chances, rows, words, words, alike, shows, 3.0, 0.0, stand, image, 50.0, others, taken=taken)

    first, second = (1, 2) if single >= 0.5 else (2, 1)
    return of(first, None, (of(second, second),))


def test_a_doubtful_chip_among_single_ones_is_single() -> None:
    told = in_company([seen(0.98), seen(0.98), seen(0.98), seen(0.3)])
    assert [it.count for it in told] == [1, 1, 1, 1]
    assert told[-1].chances[1] > 0.7 and len(told[-1].words) == 1 and [it.count for it in told[-1].others] == [2]
    assert told[-1].shows == STAND.shows, "what one chip alone would show, and not what two would"


def test_a_doubtful_chip_among_stacks_is_a_stack() -> None:
    told = in_company([seen(0.02), seen(0.02), seen(0.02), seen(0.7)])
    assert [it.count for it in told] == [2, 2, 2, 2]
    assert len(told[-1].words) == 2 and told[-1].shows == 0.1
    assert told[-1].chances[2] == pytest.approx(0.3), "of how many chips it is the others say nothing"


def test_by_itself_and_on_a_felt_a_chip_stays_what_it_looks_like() -> None:
    alone, felt = seen(0.3), seen(0.3, thick=0.05)
    assert in_company([alone]) == [alone]
    assert in_company([seen(0.98), felt, seen(0.98), seen(0.98)])[1] is felt


def test_how_likely_it_is_that_there_is_a_chip_stays() -> None:
    told = in_company([seen(0.98), seen(0.4, nothing=0.6), seen(0.98)])
    assert told[1].chances[0] == pytest.approx(0.6) and told[1].chances.sum() == pytest.approx(1)


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=12))
def test_what_looks_more_like_one_chip_is_it_the_likelier(seen_: list[tuple[float, float]]) -> None:
    looks, weights = (np.array(it, np.float64) for it in zip(*seen_, strict=True))
    told = shared_odds(looks, weights)
    assert ((told > 0) & (told < 1)).all()
    same = np.full(len(looks), 0.5)
    assert shared_odds(same, np.ones(len(looks))) == pytest.approx(same), "nothing that is known says nothing"
    even = shared_odds(looks, np.ones(len(looks)))
    assert (np.diff(even[np.argsort(looks, kind="stable")]) > -1e-9).all()
