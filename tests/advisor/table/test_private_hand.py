"""A private view gives the holder advice and the table nothing."""

from __future__ import annotations

import pytest
from table_stand_ins import Card, Watched

from advisor.games.contract import Place
from advisor.table import ChangeError
from advisor.table.private import private_hand

SEAT, OTHER, BANKER = (1000.0, 520.0), (280.0, 520.0), (640.0, 120.0)


def dealt() -> Watched:
    table = Watched("pontoon", "home")
    places = (SEAT, OTHER, BANKER, SEAT, OTHER, BANKER)
    table.deal(*(Card(n, "back", x + 22 * (n > 3), y - 18 * (n > 3)) for n, (x, y) in enumerate(places, 1)))
    return table


def test_the_holder_gets_advice_on_his_turn_and_the_state_stays_as_it_was() -> None:
    table = dealt()
    before = table.state
    found = private_hand(table.state, Place(1), ["6H", "10S"])
    assert found.active and found.values and found.why
    assert max(found.values, key=lambda action: found.values[action]) == found.action
    assert table.state is before
    assert all(card.label is None for hand in table.played.hands for card in hand.cards)


def test_a_hand_whose_turn_has_not_come_gets_none() -> None:
    found = private_hand(dealt().state, Place(2), ["6H", "10S"])
    assert not found.active and not found.values


@pytest.mark.parametrize(
    ("seat", "cards", "words"),
    [
        (1, ["6H"], "1 card, but 2 lie"),
        (1, ["6H", "10S", "3C"], "3 cards, but 2 lie"),
        (5, ["6H", "10S"], "No cards lie at seat 5"),
        (1, ["6H", "what"], "no card"),
    ],
)
def test_what_does_not_lie_there_is_refused(seat: int, cards: list[str], words: str) -> None:
    with pytest.raises(ChangeError, match=words):
        private_hand(dealt().state, Place(seat), cards)


def test_another_seats_open_card_gives_a_wrong_seat_away() -> None:
    table = dealt()
    seats = [card for card in table.state.cards if card.place.seat == 1]
    shown = [
        Card(n, "9C" if n == 7 else "back", x, y)
        for n, x, y in [*((c.card, *c.at) for c in table.state.cards), (7, seats[1].at[0] + 22, seats[1].at[1] - 18)]
    ]
    table.see(*shown)
    with pytest.raises(ChangeError, match="9C lies open"):
        private_hand(table.state, Place(1), ["6H", "10S", "2D"])
