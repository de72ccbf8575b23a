"""Basic strategy against the published charts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from advisor.games.blackjack import PRESETS, HouseRules
from advisor.games.blackjack.chart import CODES, UPCARDS, Chart, basic_strategy
from advisor.games.blackjack.values import VALUES

PUBLISHED = json.loads((Path(__file__).parent / "published.json").read_text())["basic_strategy"]
ROWS = dict(row.split("|") for row in PUBLISHED["rows"])


def changes(before: Chart, after: Chart) -> dict[str, str]:
    """The cells that differ, as "row v upcard": the new code."""
    return {
        f"{row} v {VALUES[upcard]}": after.code(row, upcard)
        for row in before.rows
        for upcard in UPCARDS
        if before.code(row, upcard) != after.code(row, upcard)
    }


@pytest.mark.parametrize("row", ROWS)
def test_the_six_deck_chart_equals_the_published_one(row: str) -> None:
    name = "A,A" if row == "1,1" else row
    assert list(basic_strategy(PRESETS["six-deck-s17"]).rows[name]) == ROWS[row].split()


def test_a_dealer_who_hits_soft_17_changes_what_is_published_and_no_more() -> None:
    assert changes(basic_strategy(PRESETS["six-deck-s17"]), basic_strategy(PRESETS["six-deck-h17"])) == {
        "hard 11 v A": "Dh",
        "hard 15 v A": "Rh",
        "hard 17 v A": "Rs",
        "8,8 v A": "Rp",
        "A,7 v 2": "Ds",
        "A,8 v 6": "Ds",
    }
    assert len(PUBLISHED["changes_under_H17"]) == 6


def test_no_hole_card_changes_what_is_published_and_no_more() -> None:
    # Without surrender, as in the published list; 11 against an ace is a hit with a peek too.
    found = changes(basic_strategy(HouseRules()), basic_strategy(PRESETS["european"]))
    assert found == {"hard 11 v 10": "H", "A,A v A": "H", "8,8 v 10": "H", "8,8 v A": "H"}
    assert basic_strategy(PRESETS["european"]).code("hard 11", 0) == "H"
    assert len(PUBLISHED["changes_with_no_hole_card_all_bets_lost"]) == 5


def test_a_chart_reads_as_text_with_a_key() -> None:
    chart = basic_strategy(PRESETS["six-deck-s17"])
    lines = chart.text().splitlines()
    assert lines[0].split() == ["2", "3", "4", "5", "6", "7", "8", "9", "10", "A"]
    assert ["hard", "16", *["S", "S", "S", "S", "S", "H", "H", "Rh", "Rh", "Rh"]] in [line.split() for line in lines]
    assert lines[-1].startswith("S stand, H hit, Dh double, else hit, Ds double, else stand, P split")
    assert {code for codes in chart.rows.values() for code in codes} <= set(CODES)
