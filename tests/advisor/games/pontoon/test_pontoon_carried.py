"""What passes from deal to deal on the table: whose bank it is, the pack that runs on, deals that do not count."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from pontoon_scenes import HOME, table
from table_scenes import Scene

from advisor.games.cards import parse_cards
from advisor.games.contract import HOUSE
from advisor.games.pontoon import Bank
from advisor.games.pontoon.table import GAME
from advisor.games.pontoon.table.start import DEALER, as_carried, read_start


def test_the_bank_is_named_sold_and_passed_on() -> None:
    scene = Scene(GAME, HOME).say("name-banker", seat=3)
    for _ in range(2):
        scene.deal(2, "back").deal(4, "back").deal(HOUSE, "back")
    assert scene.played.facts[0].value == "seat 3"
    first = [it["seat"] for it in scene.played.operations if it["op"] == "deal"]
    assert first[:3] == [4, 2, 3], "the dealing begins at the banker's left"
    assert set(scene.played.net) == {2, 3, 4}

    sold = Scene(GAME, HOME.with_values({"bank_passes": "sale"})).say("sell-bank", seat=3, amount="5")
    assert sold.played.net == {HOUSE: 5, 3: -5} and sold.played.carried["bank"] == 3
    refused = Scene(GAME, HOME).tell({"op": "sell-bank", "seat": 3, "amount": "5"})
    assert refused.played.faults[0].words.startswith("The bank is not for sale")


def test_the_bankers_cards_may_lie_at_his_own_seat_but_not_at_both_places() -> None:
    scene = Scene(GAME, HOME).tell({"op": "name-banker", "seat": 3})
    scene.deal(2, "back").deal(3, "back").say("stake", seat=2, amount="1").deal(2, "back").deal(3, "back")
    assert scene.played.step.startswith("Seat 2:") and len(scene.played.house[0].cards) == 2
    scene.deal(HOUSE, "back")
    (fault,) = scene.played.faults
    assert fault.words == "Seat 3 holds the bank, and the banker's cards lie at the house's place already."
    scene.tell(fault.choices[0].operation)
    assert [it.place.seat for it in scene.played.hands] == [2, 3] and not scene.played.faults


def test_the_pack_runs_on_and_a_card_that_came_before_shows_that_it_was_shuffled() -> None:
    scene = table(2, s2="3").say("stick", seat=2).turn(HOUSE, "10C", "7C").say("stay").turn(2, "10H", "8H").clear()
    carried = scene.played.carried
    assert carried["top"] == 48 and sorted(carried["seen"]) == ["10C", "10H", "7C", "8H"]
    again = table(2, s2="3").now(carried=carried)
    assert {it.name: it.value for it in again.played.facts}["cards-left"] == "48"
    again.say("stick", seat=2).turn(HOUSE, "9C", "9D").say("stay").turn(2, "10C", "8C")
    assert again.played.notices == (
        "The ten of clubs cannot come again: it was seen once since the shuffle of 1 pack. "
        "So the pack is taken as freshly shuffled.",
    )
    assert again.played.carried["top"] == 48 and not again.played.faults


def test_two_cards_of_one_kind_on_the_table_are_a_fault_not_a_shuffle() -> None:
    carried = as_carried(Bank(DEALER), replace(read_start(HOME, {}).pack, seen=parse_cards("2C")), ())
    scene = table(2, s2="3").now(carried=carried).deal(2, "5H").turn(HOUSE, "10C", "5H")
    assert not scene.played.notices
    (fault,) = scene.played.faults
    assert fault.words.startswith("The five of hearts cannot come again") and fault.choices


def test_a_shuffle_that_the_table_knows_of_makes_the_pack_fresh() -> None:
    carried = as_carried(Bank(3, 2), replace(read_start(HOME, {}).pack, top=40, seen=parse_cards("2C")), (2, 4))
    start = read_start(HOME, {**carried, "shuffled": True})
    assert (start.pack.top, start.pack.seen, start.bank, start.seats) == (52, (), Bank(3, 2), (2, 4))


def test_a_deal_called_off_gives_back_what_is_not_settled_even_when_the_cards_are_cleared() -> None:
    scene = table(2, 4, s2="3", s4="2").say("stick", seat=2).say("stick", seat=4).turn(HOUSE, "10H", "8H").say("stay")
    scene.turn(2, "10D", "9D").turn(4, "10S", "9S").say("settle", seat=2)
    final = scene.tell({"op": "call-off"}).clear().played
    assert (final.phase, final.faults, final.net) == ("over", (), {2: 3, 4: 0, HOUSE: -3})


@pytest.mark.parametrize(
    "carried",
    [
        {"bank": 99, "top": -1, "decks": "one"},
        {"bank": True, "decks": 1, "top": 52, "seen": ["5H", "5H"]},
        {"decks": 1, "top": 50, "under": ["5H", "XX"], "seen": [1]},
        {"decks": 1, "top": 52, "under": ["back"], "seen": []},
        {"seats": {"2": 3}, "decks": 2, "top": 104},
    ],
)
def test_what_cannot_be_carried_is_taken_as_a_shuffled_pack(carried: dict[str, Any]) -> None:
    start = read_start(HOME, carried)
    assert (start.bank, start.pack.top, start.pack.under, start.seats) == (Bank(DEALER), 52, (), ())
