"""What was seen for a moment, and never surely, leaves no card in the round."""

from __future__ import annotations

import pytest
from table_stand_ins import Card, Watched
from test_seeing import HIGH, LEFT, LOW, MIDDLE, RIGHT, dealt

from advisor.games.contract import Place
from advisor.table import changes as ch
from advisor.table.state import lying

HIT = Card(8, "2C", RIGHT + 44, LOW - 36)
"""Seat 1 has 10-7 before."""


def phantom(face: str) -> Card:
    return Card(7, face, RIGHT + 30, LOW - 24)


def total(table: Watched) -> str:
    return next(hand.total for hand in table.played.hands if hand.place.seat == 1)


@pytest.mark.parametrize(("face", "left"), [("?3C", "hard 19"), ("?", "hard 19"), ("3C", "bust 22")])
def test_a_card_that_was_never_sure_and_went_alone_does_not_count(face: str, left: str) -> None:
    table = Watched()
    table.deal(*dealt())
    table.see(*dealt(), phantom(face))
    table.see(*dealt())
    table.see(*dealt(), HIT)
    assert total(table) == left


def test_it_does_not_count_either_where_the_next_card_is_the_dealers() -> None:
    table = Watched()
    table.deal(*dealt())
    table.see(*dealt(), phantom("?3C"))
    table.see(*dealt())
    shown = [*dealt()[:5], Card(6, "10C", MIDDLE + 80, HIGH), Card(9, "KD", MIDDLE + 160, HIGH)]
    table.see(*shown)
    assert total(table) == "hard 17"


def test_it_does_not_count_either_where_the_hole_card_is_turned_before_another_card_comes() -> None:
    table = Watched()
    table.deal(*dealt())
    table.see(*dealt(), phantom("?3C"))
    table.see(*dealt())
    table.see(*dealt()[:5], Card(6, "10C", MIDDLE + 80, HIGH))
    assert total(table) == "hard 17"


def test_a_doubtful_card_taken_up_with_its_hand_counts() -> None:
    table = Watched()
    table.deal(*dealt())
    doubtful = phantom("?9C")
    table.see(*dealt(), doubtful)
    hand = {1, 4}
    others = [card for card in dealt() if card.card not in hand]
    table.see(*others)
    table.see(*others, Card(9, "4C", LEFT + 44, LOW - 36))
    assert [it.label for it in table.played.hands[0].cards] == ["10H", "7C", "9C"]


def test_one_of_a_hand_that_is_taken_up_while_the_hole_card_is_turned_counts() -> None:
    """What hides the hand lets its third card go first."""
    table = Watched()
    table.deal(*dealt())
    table.see(*dealt(), phantom("?9C"))
    table.see(*dealt())
    shown = [*dealt()[:5], Card(6, "10C", MIDDLE + 80, HIGH)]
    table.see(*shown)
    table.see(*(card for card in shown if card.card not in {1, 4}))
    assert [it.label for it in table.played.hands[0].cards] == ["10H", "7C", "9C"]


def test_one_that_somebody_has_named_counts() -> None:
    table = Watched()
    table.deal(*dealt())
    table.see(*dealt(), phantom("?3C"))
    table.make(ch.NameCard(card=7, label="3C"))
    table.see(*dealt())
    table.see(*dealt(), HIT)
    assert total(table) == "bust 22"


def test_one_that_was_read_surely_and_went_alone_is_asked_about_and_may_be_taken_out_or_kept() -> None:
    table = Watched()
    table.deal(*dealt())
    table.see(*dealt(), phantom("3C"))
    table.see(*dealt())
    assert not table.played.faults, "a hand may hide it"
    table.see(*dealt(), HIT)
    (fault,) = table.played.faults
    assert fault.card is not None and (fault.card, fault.place) == (7, Place(1, 1))
    assert fault.words == "Seat 1: the three of clubs counts but is not seen any more, and the cards beside it are."
    never, stays = fault.choices
    assert (never.words, stays.words) == ("It was never there", "It lies there")
    table.make(ch.RemoveCard(card=never.operation["card"]))
    assert (total(table), table.played.faults) == ("hard 19", ())
    table.make(ch.Undo())
    table.make(ch.NameCard(card=stays.operation["card"], label=stays.operation["label"]))
    assert (total(table), table.played.faults) == ("bust 22", ())


def test_a_card_seen_twice_for_a_moment_counts_once_and_nobody_is_asked() -> None:
    table = Watched()
    table.deal(*dealt())
    twin = Card(8, "3C", RIGHT + 44, LOW - 30)
    table.see(*dealt(), phantom("3C"), twin)
    table.see(*dealt(), twin)
    table.see(*dealt(), twin, Card(9, "2C", RIGHT + 60, LOW - 42))
    assert (total(table), table.played.faults) == ("bust 22", ())


def test_of_two_cards_dealt_face_down_upon_each_other_the_hidden_one_still_counts() -> None:
    table = Watched()
    table.deal(*dealt())
    upper = Card(8, "back", RIGHT + 44, LOW - 36)
    table.see(*dealt(), Card(7, "back", RIGHT + 30, LOW - 24), upper)
    table.see(*dealt(), upper)
    table.see(*dealt(), upper, Card(9, "2C", RIGHT + 60, LOW - 42))
    assert {7, 8} <= {it.card for it in lying(table.state)}


def test_an_equal_card_that_came_before_another_is_no_card_seen_twice() -> None:
    table = Watched()
    table.deal(*dealt())
    table.see(*dealt(), phantom("AC"))
    table.see(*dealt(), phantom("AC"), Card(10, "KD", LEFT + 44, LOW - 36))
    twin = Card(8, "AC", RIGHT + 44, LOW - 36)
    table.see(*dealt(), phantom("AC"), Card(10, "KD", LEFT + 44, LOW - 36), twin)
    table.see(*dealt(), Card(10, "KD", LEFT + 44, LOW - 36), twin)
    table.see(*dealt(), Card(10, "KD", LEFT + 44, LOW - 36), twin, Card(9, "AD", RIGHT + 60, LOW - 42))
    assert total(table) == "hard 20"


def test_cards_taken_up_with_their_hand_are_not_asked_about() -> None:
    table = Watched()
    table.deal(*dealt())
    others = [card for card in dealt() if card.card not in {1, 4}]
    table.see(*others)
    table.see(*others, Card(9, "4C", LEFT + 44, LOW - 36))
    assert not any("not seen any more" in fault.words for fault in table.played.faults)


def test_a_doubtful_one_that_went_alone_after_the_last_card_counts_and_is_asked_about() -> None:
    table = Watched()
    table.deal(*dealt())
    shown = [*dealt()[:5], Card(6, "10C", MIDDLE + 80, HIGH), Card(9, "KD", MIDDLE + 160, HIGH)]
    table.see(*dealt(), phantom("?9C"))
    table.see(*shown, phantom("?9C"))
    table.see(*shown)
    assert not [fault for fault in table.played.faults if "not seen any more" in fault.words]
    hand = {1, 4}
    table.see(*(card for card in shown if card.card not in {2, 5}))
    assert [fault.card for fault in table.played.faults if "not seen any more" in fault.words] == [7]
    table.see(*(card for card in shown if card.card not in {2, 5} | hand))
    assert [fault.card for fault in table.played.faults if "not seen any more" in fault.words] == [7]
