"""Cards that were gone and show again: the same card where nobody can have laid another, and else a new one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from table_stand_ins import Card, Watched
from test_seeing import LOW, RIGHT, dealt


@pytest.mark.parametrize("hidden", [6, 4], ids=["the hole card", "a seat's card"])
def test_a_card_that_something_dark_passed_over_is_that_card_when_it_shows_again(hidden: int) -> None:
    table = Watched()
    table.deal(*dealt())
    before = table.state
    table.see(*(c for c in dealt() if c.card != hidden))
    assert [c.card for c in table.state.cards if c.gone] == [hidden]
    back = [replace(c, card=20 if c.card == hidden else c.card) for c in dealt()]
    table.see(*back)
    assert table.state.cards == before.cards and table.played.hands[0].total == "hard 17"
    assert table.see(*back) == ()


def test_another_card_or_one_elsewhere_or_after_its_hand_went_is_not_the_one_that_was_gone() -> None:
    rest = [c for c in dealt() if c.card != 4]
    for other in (Card(9, "7D", RIGHT + 22, LOW - 18), Card(9, "7C", RIGHT + 60, LOW - 50)):
        table = Watched()
        table.deal(*dealt())
        table.see(*rest)
        table.see(*rest, other)
        assert [c.card for c in table.state.cards if c.gone] == [4] and len(table.state.cards) == 7
    table = Watched()
    table.deal(*dealt())
    table.see(*(c for c in rest if c.card != 1))
    table.see(*(c for c in rest if c.card != 1), Card(9, "7C", RIGHT + 22, LOW - 18))
    assert {c.card for c in table.state.cards if c.gone} == {1, 4} and len(table.state.cards) == 7
