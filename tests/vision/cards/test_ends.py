"""A thing found faintly at both ends of an outline, and read alike there, is a card; at one end it is nothing yet."""

from __future__ import annotations

import numpy as np
import pytest
from laid_cards import CARD_MM, INDEX_MM, both, reading, seen

from vision.cards.detector import CARD, Found
from vision.cards.ends import at_both_ends, spoken_for

OUTLINE = Found(CARD, seen(CARD_MM, 0.4, 300, 300), 0.6)


@pytest.mark.parametrize(
    ("name", "chance", "kept"), [("JOKER", 0.95, 2), ("KC", 0.95, 0), ("JOKER", 0.7, 0)], ids=["alike", "other", "poor"]
)
def test_both_ends_must_be_named_alike_and_surely(name: str, chance: float, kept: int) -> None:
    upper, lower = both("JOKER", 0.4, 300, 300)
    faint = [upper, reading(name, lower.quad, chance)]
    assert len(spoken_for(faint, [OUTLINE])) == kept


def test_without_an_outline_about_them_two_faint_finds_say_nothing() -> None:
    elsewhere = Found(CARD, seen(CARD_MM, 0.4, 600, 300), 0.6)
    assert not spoken_for(both("JOKER", 0.4, 300, 300), [elsewhere])
    folded = Found(CARD, np.zeros((4, 2), np.float32), 0.6)
    assert not spoken_for(both("JOKER", 0.4, 300, 300), [folded])


def test_two_on_one_side_of_a_card_are_not_at_its_both_ends() -> None:
    upper, _ = both("JOKER", 0.4, 300, 300)
    below = reading("JOKER", seen(INDEX_MM + np.float32([0, 60]), 0.4, 300, 300))
    assert not list(at_both_ends([upper, below], [OUTLINE]))
    assert len(list(at_both_ends(both("JOKER", 0.4, 300, 300), [OUTLINE]))) == 1
