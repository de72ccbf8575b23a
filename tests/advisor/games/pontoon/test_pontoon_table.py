"""Pontoon on the table: what each step is taken from, from the first card to the settlement."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from pontoon_scenes import HOME, said, table
from table_scenes import Scene

from advisor.games.cards import parse_cards
from advisor.games.contract import HOUSE, Lying, Place
from advisor.games.pontoon import Bank, OpenHand, advise_banker, advise_punter, pool_after
from advisor.games.pontoon.hand import count_values
from advisor.games.pontoon.table import GAME
from advisor.games.pontoon.table.start import DEALER, as_carried, read_start

# The order of a deal


def test_a_deal_begins_with_a_card_each_then_the_stakes_then_a_second_card() -> None:
    scene = Scene(GAME, HOME)
    steps = [scene.played.step]
    for seat in (2, 4, HOUSE):
        steps.append(scene.deal(seat, "back").played.step)
    assert steps == [
        "Deal each player a card, face down, from the banker's left; the banker's comes last.",
        "Deal the next player a first card, face down; the banker's comes last.",
        "Deal the next player a first card, face down; the banker's comes last.",
        "Seat 2 looks at its card and stakes 1 to 10.",
    ]
    assert scene.played.phase == "bets"
    scene.say("stake", seat=2, amount="3")
    assert scene.played.step == "Seat 4 looks at its card and stakes 1 to 10."
    assert scene.say("stake", seat=4, amount="2").played.step == "Deal seat 2 a second card, face down."


def test_cards_may_be_seen_in_any_order_between_seats() -> None:
    ordered, shuffled = table(2, 4, s2="3", s4="2"), table(4, 2, s2="3", s4="2")
    assert ordered.played.operations == shuffled.played.operations
    cards = list(ordered.story.cards)
    Random(7).shuffle(cards)
    assert GAME.play(HOME, replace(ordered.story, cards=tuple(cards))).operations == ordered.played.operations


def test_the_players_of_the_last_deal_are_expected_until_the_second_cards_come() -> None:
    carried = as_carried(Bank(DEALER), read_start(HOME, {}).pack, (2, 4, 6))
    scene = Scene(GAME, HOME).now(carried=carried).deal(2, "back")
    assert scene.played.step == "Deal seat 4 a first card, face down."
    scene.deal(HOUSE, "back", "back").deal(2, "back")
    assert [it.place.seat for it in scene.played.hands] == [2]


# Stakes


def test_stakes_are_those_said_else_the_usual_ones_else_the_least() -> None:
    scene = table(2, 4, 6, s2="3").now(usual_bets={4: Fraction(5)})
    bets = {it.place.seat: (it.bets[0].amount, it.bets[0].assumed) for it in scene.played.hands}
    assert bets == {2: (3, False), 4: (5, True), 6: (1, True)}


def test_a_usual_stake_that_the_rules_forbid_is_a_fault_and_the_least_is_taken() -> None:
    scene = table(2).now(usual_bets={2: Fraction(11)})
    assert scene.played.hands[0].bets[0].amount == 1
    assert [it.words for it in scene.played.faults] == ["Seat 2: a stake of 11 is over the most allowed, 10."]


def test_of_two_stakes_said_the_last_counts_and_a_wrong_one_is_refused() -> None:
    scene = table(2, s2="3").tell({"op": "stake", "seat": 2, "amount": "4"})
    assert scene.played.hands[0].bets[0].amount == 4 and not scene.played.faults
    scene.tell({"op": "stake", "seat": 2, "amount": "40"})
    assert scene.played.hands[0].bets[0].amount == 4
    assert [it.words for it in scene.played.faults] == ["Seat 2: a stake of 40 is over the most allowed, 10."]


def test_a_stake_said_before_the_cards_is_kept_and_shown() -> None:
    scene = Scene(GAME, HOME).tell({"op": "stake", "seat": 2, "amount": "3"})
    (hand,) = scene.played.hands
    assert (hand.bets[0].amount, hand.bets[0].assumed, scene.played.faults) == (3, False, ())


# The banker


def test_the_banker_turns_two_cards_draws_and_stays() -> None:
    scene = table(2, s2="3").say("stick", seat=2)
    assert scene.played.step == "The banker turns up two cards."
    scene.turn(HOUSE, "10C")
    assert said(scene)[-1] == "stick", "one card turned is not two"
    scene.turn(HOUSE, "10C", "4C")
    house = scene.played.house[0]
    assert (scene.played.step, house.total, house.active) == ("The banker has 14: draw or stay?", "14", True)
    expected = advise_banker(
        HOME, parse_cards("10C 4C"), [OpenHand(Fraction(3), 2)], pool_after(HOME, parse_cards("10C 4C"))
    )
    assert (house.action, dict(house.values)) == ("draw", {"stay": expected.stay, "draw": expected.draw})
    assert house.private and house.margin == pytest.approx(expected.draw - expected.stay)
    assert said(scene.deal(HOUSE, "3H"))[-1] == "draw-banker"


def test_what_lies_open_before_the_banker_decides_is_reckoned_with() -> None:
    scene = table(2, 4, s2="3", s4="2").deal(2, "5H").deal(4, "5D").turn(HOUSE, "10C", "4C")
    shown = parse_cards("10C 4C 5H 5D")
    fives = [OpenHand(Fraction(it), 2, count_values(parse_cards("5H"))) for it in (3, 2)]
    expected = advise_banker(HOME, shown[:2], fives, pool_after(HOME, shown))
    assert dict(scene.played.house[0].values) == {"stay": expected.stay, "draw": expected.draw}


@pytest.mark.parametrize("stays", [lambda it: it.turn(2, "10H", "8H"), lambda it: it.say("stay")])
def test_that_the_banker_stayed_is_said_or_taken_from_a_hand_turned_up(stays: Any) -> None:
    scene = table(2, s2="3").say("stick", seat=2).turn(HOUSE, "10C", "7C")
    assert "stay" not in said(scene)
    assert "stay" in said(stays(scene))


def test_one_hand_of_two_turned_up_early_does_not_say_that_the_banker_stayed() -> None:
    scene = table(2, 4, s2="3", s4="2").say("stick", seat=2).say("stick", seat=4).turn(2, "10H", "8H")
    scene.turn(HOUSE, "10C", "7C")
    assert scene.played.step == "The banker has 17: draw or stay?"
    assert "stay" in said(scene.turn(4, "10D", "8D"))


def test_a_bankers_card_after_staying_is_a_fault() -> None:
    scene = table(2, s2="3").say("stick", seat=2).turn(HOUSE, "10C", "7C").say("stay").deal(HOUSE, "2C")
    assert [it.words for it in scene.played.faults] == ["The banker takes no more cards. The two of clubs lies there."]


# Settlement


@pytest.mark.parametrize(
    ("banker", "punter", "net", "words"),
    [
        ("AC KC", "AD KD", -3, "loses to the banker's pontoon"),
        ("7C 7D 7H", "AD KD", 6, "pontoon pays 2:1"),
        ("7C 7D 7H", "KD JD 9S", -3, "bust"),
        ("8C 6D 7H", "KD JD", -3, "loses to the banker's 21"),
        ("10C 8D", "KD 9D", 3, "wins"),
        ("10C 8D", "KD 8S", -3, "loses"),
        ("10C 8D", "AD KD", 6, "pontoon pays 2:1"),
        ("10C 6D KH", "KD 6S", 3, "wins: the banker is bust"),
        ("10C 6D KH", "KD 5S", -3, "too low to win"),
        ("10C 6D KH", "AD KD", 6, "pontoon pays 2:1"),
        ("10C 8D", "2D 3D 4D 5D 6D", 6, "five-card trick pays 2:1"),
        ("10C 8D", "7S 7H 7D", 9, "royal pontoon pays 3:1"),
        ("AC KC", "7S 7H 7D", -3, "loses to the banker's pontoon"),
        ("AC KC", "2D 3D 4D 5D 6D", -3, "loses to the banker's pontoon"),
    ],
)
def test_each_case_of_the_settlement(banker: str, punter: str, net: int, words: str) -> None:
    """Every case of rules/pontoon.md, from cards face down to the payment."""
    scene = table(2, s2="3")
    his, mine = punter.split(), banker.split()
    scene.deal(2, *his[2:]).tell({"op": "stick", "seat": 2, "hand": 1})
    scene.turn(HOUSE, *mine[:2]).deal(HOUSE, *mine[2:])
    if any(it.operation["op"] == "stay" for it in scene.played.choices):
        scene.say("stay")
    scene.turn(2, *his[:2])
    payment = scene.played.hands[0].payment
    assert payment is not None and payment.words == words and payment.amount == net
    assert scene.clear().played.net == {2: net, HOUSE: -net}


def test_a_hand_never_turned_up_is_taken_as_lost_when_the_cards_are_cleared() -> None:
    scene = table(2, s2="3").say("stick", seat=2).turn(HOUSE, "10C", "7C").say("stay")
    final = scene.clear().played
    assert final.net == {2: -3, HOUSE: 3} and final.phase == "over"
    assert final.notices == ("Seat 2 never turned its cards up, so its stake is taken as lost.",)


def test_cards_cleared_before_the_banker_turned_give_the_stakes_back() -> None:
    final = table(2, s2="3").clear().played
    assert final.net == {2: 0, HOUSE: 0}
    assert final.notices == ("The banker's cards were not read, so the stakes are taken as given back.",)


# Advice


def test_a_hand_that_lies_open_gets_advice_and_one_face_down_none() -> None:
    scene = table(2, s2="2")
    hidden = scene.played.hands[0]
    assert (hidden.active, hidden.action, dict(hidden.values), hidden.total) == (True, None, {}, "")
    scene.turn(2, "10C", "4C")
    hand = scene.played.hands[0]
    found = advise_punter(HOME, parse_cards("10C 4C"), [Fraction(2)], pool_after(HOME, parse_cards("10C 4C")))
    assert (hand.action, hand.values[str(hand.action)]) == ("twist", found.best.value)
    assert {"twist", "buy 1", "buy 2"} == set(hand.values)


def test_a_hand_that_lies_open_is_asked_only_what_it_may_do() -> None:
    scene = table(2, s2="2").turn(2, "10C", "4C")
    assert scene.played.step == "Seat 2 has 14: buy or twist?"
    assert [it.words for it in scene.played.choices] == [
        "Buys for 1",
        "Buys for 2",
        "Twists",
        "Call the deal off",
    ]
    pair = table(2, s2="2").turn(2, "8C", "8D")
    assert pair.played.step == "Seat 2 has 16: stick, buy, twist or split?"
    assert "split" in pair.played.hands[0].values


def test_an_unsure_card_counts_as_its_guess_but_gives_no_advice() -> None:
    scene = table(2, s2="2").turn(2, "10C", "4C")
    scene.change(2, {}, {"sure": False})
    hand = scene.played.hands[0]
    assert (hand.total, hand.action, dict(hand.values)) == ("14", None, {})
    assert hand.problems == ("Check the four of clubs: it may be misread.",)
    unsure = table(2, s2="2").deal(2, "5H", sure=False).turn(HOUSE, "10H", "4H")
    assert unsure.played.house[0].action is None
    assert unsure.played.house[0].problems == ("Check the five of hearts: it may be misread.",)


def test_a_doubtful_card_that_was_picked_up_still_withholds_the_advice() -> None:
    scene = table(2, s2="2").turn(2, "10C", "4C")
    scene.change(2, {}, {"sure": False, "gone": True})
    assert scene.played.hands[0].action is None


def test_where_only_the_suit_is_open_the_advice_stands_and_the_suit_is_asked_about() -> None:
    scene = table(2, s2="2").turn(2, "10C", "4C")
    sure = scene.played.hands[0]
    scene.change(2, {}, {"sure": False, "suit_open": True})
    hand = scene.played.hands[0]
    assert hand.problems == ("Check the four of clubs: its suit may be misread.",)
    assert (hand.action, dict(hand.values)) == (sure.action, dict(sure.values)) and hand.action is not None


def test_a_card_that_cannot_be_read_is_asked_for_and_a_joker_taken_out() -> None:
    scene = table(2, s2="2")
    scene.now(cards=(*scene.story.cards, Lying(9, Place(2), None)))
    assert scene.played.step == "Seat 2: a card cannot be read: name it."
    assert scene.played.hands[0].problems == ("Name the card that cannot be read.",)
    joker = table(2, s2="2").deal(2, "JOKER", "5H")
    assert [it.words for it in joker.played.faults] == ["'JOKER' is not a card of this game: take it out, or name it."]
    assert said(joker)[-1] == "twist"
    assert [it.label for it in joker.played.hands[0].cards] == [None, None, "5H", "JOKER"]
