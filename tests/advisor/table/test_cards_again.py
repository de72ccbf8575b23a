"""Cards that were gone and show again: the same card where nobody can have laid another, and else a new one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from table_stand_ins import Card, Watched
from test_seeing import LOW, MIDDLE, RIGHT, dealt

from advisor.table.changes import NameCard, RemoveCard


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


def test_a_card_that_shows_again_where_its_hand_slid_to_is_that_card() -> None:
    table = Watched()
    table.deal(*dealt())
    slid = [replace(c, x=c.x + 30) if c.card in (1, 4) else c for c in dealt()]
    table.see(*slid)
    table.see(*(c for c in slid if c.card != 4))
    table.see(*(replace(c, card=20) if c.card == 4 else c for c in slid))
    assert len(table.state.cards) == len(dealt()) and not any(c.gone for c in table.state.cards)


def test_a_card_that_is_there_as_all_others_of_its_hand_go_is_another_one() -> None:
    table = Watched()
    table.deal(*dealt())
    table.see(*(c for c in dealt() if c.card != 4))
    table.see(Card(20, "7C", RIGHT + 22, LOW - 18))
    assert table.state.round == 2 and [c.face for c in table.state.cards] == ["7C"]


def test_a_card_that_shows_again_as_the_next_round_begins_is_left_over_from_the_last() -> None:
    table = Watched()
    table.deal(*dealt())
    table.see(*(c for c in dealt() if c.card != 4))
    players = [replace(c, card=20) if c.card == 4 else c for c in dealt() if c.card not in (3, 6)]
    table.see(*players, Card(21, "2C", MIDDLE, LOW))
    assert table.state.round == 2 and [c.face for c in table.state.cards] == ["2C"]


def test_what_somebody_took_out_is_not_put_back_by_a_card_that_is_laid_there() -> None:
    table = Watched()
    table.deal(*dealt())
    table.see(*(c for c in dealt() if c.card != 4))
    table.make(RemoveCard(card=4))
    table.see(*(replace(c, card=20) if c.card == 4 else c for c in dealt()))
    assert table.played.hands[0].total == "hard 17" and len(table.state.cards) == len(dealt()) + 1


@pytest.mark.parametrize("pair", [(3, 6), (6, 3), (4, 1)], ids=["upcard, hole card", "hole card, upcard", "a seat's"])
def test_a_sleeve_that_passes_from_one_card_of_a_hand_to_the_other_takes_none_away(pair: tuple[int, int]) -> None:
    first, second = pair
    table = Watched()
    table.deal(*dealt())
    table.see(*(c for c in dealt() if c.card != first))
    anew = [replace(c, card=20) if c.card == first else c for c in dealt()]
    table.see(*(c for c in anew if c.card != second))
    table.see(*(replace(c, card=21) if c.card == second else c for c in anew))
    assert table.state.round == 1
    assert len(table.state.cards) == len(dealt()) and not any(c.gone for c in table.state.cards)


def test_a_card_that_was_taken_out_while_it_was_seen_stays_out_when_it_shows_again() -> None:
    table = Watched()
    third = Card(7, "3S", RIGHT + 44, LOW - 36)
    table.deal(*dealt(), third)
    table.make(RemoveCard(card=7))
    table.see(*dealt())
    table.see(*dealt(), replace(third, card=20))
    assert table.played.hands[0].total == "hard 17"


def test_a_card_that_was_named_shows_again_under_that_name() -> None:
    table = Watched()
    misread = [replace(c, face="8C") if c.card == 4 else c for c in dealt()]
    table.deal(*misread)
    table.make(NameCard(card=4, label="7C"))
    table.see(*(c for c in misread if c.card != 4))
    table.see(*(replace(c, card=20) if c.card == 4 else c for c in dealt()))
    assert table.played.hands[0].total == "hard 17" and len(table.state.cards) == len(dealt())


def test_a_card_whose_outline_drifted_shows_again_where_it_was_dealt() -> None:
    table = Watched()
    table.deal(*dealt())
    table.see(*(replace(c, x=c.x + 27) if c.card == 4 else c for c in dealt()))
    table.see(*(c for c in dealt() if c.card != 4))
    table.see(*(replace(c, card=20) if c.card == 4 else c for c in dealt()))
    assert len(table.state.cards) == len(dealt()) and not any(c.gone for c in table.state.cards)
