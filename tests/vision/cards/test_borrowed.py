"""A rank that peeps out under a card, read with that card's suit, is no card of that suit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from laid_cards import CARD_MM, both, seen

from vision.cards.borrowed import with_borrowed_suits_open
from vision.cards.detector import CARD, Found
from vision.cards.grouping import group
from vision.cards.indices import IndexReading
from vision.sightings import FACES

OUTLINE = Found(CARD, seen(CARD_MM, 0.3, 300, 300), 0.8)


def two_ends(lower: str, times: float) -> list[IndexReading]:
    """An eight of diamonds' upper index, and one at its other end, named ``lower`` and so many ``times`` as tall."""
    upper, _ = both("8D", 0.3, 300, 300)
    _, end = both(lower, 0.3, 300, 300)
    farther = end.quad.copy()
    farther[2:] += (end.quad[[3, 2]][::-1] - end.quad[[0, 1]][::-1]) * (times - 1)
    return [replace(upper, found=0.64), replace(end, quad=farther.astype(np.float32), found=0.4)]


def test_an_index_that_reaches_for_another_cards_suit_is_its_own_cards_end() -> None:
    readings = with_borrowed_suits_open(two_ends("8S", 1.35), [OUTLINE])
    upper, end = readings
    assert FACES[upper.best] == "8D" and upper.sure > 0.9
    by_name = dict(zip(FACES, end.chances.tolist(), strict=False))
    assert by_name["8S"] == pytest.approx(by_name["8D"]) and end.chances.sum() == pytest.approx(1.0, abs=1e-4)
    assert [sorted(g.members) for g in group(readings, [OUTLINE])] == [[0, 1]]


@pytest.mark.parametrize(
    ("lower", "times"),
    [("8S", 1.0), ("7S", 1.35), ("8D", 1.35), ("JOKER", 1.35)],
    ids=["as tall as the other end", "of another rank", "of the same name", "a joker"],
)
def test_no_other_index_is_doubted(lower: str, times: float) -> None:
    readings = two_ends(lower, times)
    for before, after in zip(readings, with_borrowed_suits_open(readings, [OUTLINE]), strict=True):
        assert np.array_equal(before.chances, after.chances)


def test_nor_is_one_that_no_outline_joins_to_the_other_end() -> None:
    readings = two_ends("8S", 1.35)
    elsewhere = Found(CARD, seen(CARD_MM, 0.3, 420, 240), 0.8)
    assert with_borrowed_suits_open(readings, [elsewhere])[1].sure == readings[1].sure
