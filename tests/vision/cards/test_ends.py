"""A thing found faintly at both ends of an outline, and read alike there, is a card; at one end it is nothing yet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from laid_cards import CARD_MM, INDEX_MM, both, reading, seen

from vision.cards.detector import CARD, INDEX, Found
from vision.cards.ends import at_both_ends, spoken_for
from vision.cards.indices import IndexReading
from vision.cards.reader import LIVE, CardReader

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


def test_what_is_found_of_large_indices_is_at_both_ends_where_it_is_mirrored_at_the_middle_of_its_outline() -> None:
    card = Found(CARD, seen(CARD_MM, 0.4, 300, 300), 0.6)
    upper = np.float32([[14, 16], [22, 16], [22, 34], [14, 34]])
    lower = np.float32([63.5, 88.9]) - upper
    for aside, pairs in ((0, 1), (20, 0)):
        two = [seen(upper + np.float32([0, aside]), 0.4, 300, 300), seen(lower, 0.4, 300, 300)]
        assert len(list(at_both_ends([reading("7C", q) for q in two], [card]))) == pairs
    askew = [seen(upper, 0.4, 300, 300), seen(lower[[2, 3, 0, 1]], 0.4, 300, 300)]
    assert len(list(at_both_ends([reading("7C", q) for q in askew], [card]))) == 0, "both upright"


class Finds:
    """Finds what is given, and reads an index by how far right it stands, in steps of 60 pixels."""

    def __init__(self, *found: Found) -> None:
        self.found = found
        marks = [f for f in found if f.kind == INDEX]
        left = min(f.quad[:, 0].min() for f in marks)
        self.names = {id(f): ["4C", "9D", "2S", "KH", "7C"][int((f.quad[:, 0].min() - left) // 60)] for f in marks}

    def at_scale(self, levels: Sequence[Any], long_side: int, least: float) -> list[Found]:
        return [f for f in self.found if f.confidence > least]

    def read(self, levels: Sequence[Any], found: Sequence[Found]) -> list[IndexReading]:
        return [IndexReading(f.quad, reading(self.names[id(f)], f.quad).chances, f.confidence) for f in found]


def watched(*found: Found) -> list[str | None]:
    """What a watched table shows where these are found."""
    finds = Finds(*found)
    image = np.random.default_rng(1).integers(0, 255, (1080, 1920, 3), np.uint8)
    return [s.label for s in CardReader(finds, finds, LIVE).look(image).reading.cards]  # type: ignore[arg-type]


def test_faint_indices_at_both_ends_of_an_outline_are_a_card_at_a_watched_table_too() -> None:
    """Pips that ran into the indices left those of a whole deck too faint to be found alone."""
    ends = [Found(INDEX, r.quad, 0.09) for r in both("4C", 0.95, 300, 300)]
    outline = Found(CARD, seen(CARD_MM, 0.95, 300, 300), 0.6)
    assert watched(outline, *ends) == ["4C"]
    assert watched(*ends) == [], "nothing says that a card lies there"
    assert watched(outline, ends[0]) == []


def test_a_faint_index_in_a_row_of_cards_is_none_at_a_watched_table() -> None:
    """Nobody holds a fan there: it peeps out from under another card."""
    row = [Found(INDEX, seen(INDEX_MM, 0.0, 300 + 60 * k, 300), 0.9 if k != 2 else 0.1) for k in range(5)]
    assert sorted(filter(None, watched(*row))) == ["4C", "7C", "9D", "KH"]
