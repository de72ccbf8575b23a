"""Pontoon on the table: what each step is taken from, what cannot be, and whole deals seen by a camera."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pontoon_driver import Anybody, Table, pontoon_rules
from table_scenes import Scene
from test_pontoon_round import cards_are_conserved

from advisor.games.cards import FULL_PACK, parse_cards
from advisor.games.contract import HOUSE, Lying, Place
from advisor.games.pontoon import PRESETS, Bank, OpenHand, PontoonRules, advise_banker, advise_punter, pool_after
from advisor.games.pontoon.hand import count_values
from advisor.games.pontoon.round import LOG, Operation, Round, replay
from advisor.games.pontoon.round import operations as ops
from advisor.games.pontoon.table import GAME
from advisor.games.pontoon.table.drive import drive
from advisor.games.pontoon.table.start import DEALER, as_carried, read_start

HOME = PRESETS["home"]


def table(*seats: int, rules: PontoonRules = HOME, **stakes: str) -> Scene:
    """Two cards face down to each of these seats and to the banker, the stakes said: s2="3"."""
    scene = Scene(GAME, rules)
    for seat, amount in stakes.items():
        scene.tell({"op": "stake", "seat": int(seat[1:]), "amount": amount})
    for _ in range(2):
        for seat in (*seats, HOUSE):
            scene.deal(seat, "back")
    return scene


def said(scene: Scene) -> list[str]:
    """The operations so far as words without their fields."""
    return [str(it["op"]) for it in scene.played.operations]


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


# A punter's turn


def test_a_card_face_up_is_a_twist_and_one_face_down_a_buy() -> None:
    scene = table(2, s2="3")
    assert said(scene.deal(2, "back"))[-1] == "buy"
    assert (scene.played.hands[0].bets[1].amount, scene.played.hands[0].bets[1].assumed) == (1, True)
    scene.deal(2, "5H")
    assert said(scene)[-2:] == ["buy", "twist"]


def test_a_buy_that_was_said_counts_whether_its_card_came_before_or_after() -> None:
    for before in (True, False):
        scene = table(2, s2="3")
        if before:
            scene.say("buy", seat=2, amount="3")
            assert scene.played.step == "Seat 2 buys for 3: deal a card face down."
            scene.deal(2, "back")
        else:
            scene.deal(2, "back").tell({"op": "buy", "seat": 2, "hand": 1, "amount": "3", "card": "back"})
        assert scene.played.operations[-1] == {"op": "buy", "seat": 2, "amount": "3", "card": "back", "hand": 1}
        assert not scene.played.faults


def test_a_twist_that_was_said_is_one_though_the_card_was_first_seen_face_down() -> None:
    scene = table(2, s2="3").say("ask-twist", seat=2)
    assert scene.played.step == "Seat 2 twists: deal a card face up."
    scene.deal(2, "back")
    assert scene.played.step == "Seat 2: a card was twisted: turn it up."
    scene.turn(2, "", "", "5H")
    assert said(scene)[-1] == "twist"


def test_who_thinks_better_of_it_before_the_card_comes_does_what_he_said_last() -> None:
    scene = table(2, s2="3").say("buy", seat=2, amount="3").say("stick", seat=2)
    assert said(scene)[-1] == "stick" and not scene.played.faults


def test_nothing_is_bought_after_a_twist() -> None:
    scene = table(2, s2="3").deal(2, "5H", "back")
    (fault,) = scene.played.faults
    assert fault.words.startswith("Seat 2 cannot buy: it has twisted.") and fault.card == 6
    assert fault.choices[0].operation == {"op": "remove-card", "card": 6}


@pytest.mark.parametrize(
    "later",
    [
        lambda it: it.deal(4, "5H"),  # a third card at a later seat
        lambda it: it.tell({"op": "stick", "seat": 4, "hand": 1}),
        lambda it: it.turn(HOUSE, "10C", "9C"),
        lambda it: it.turn(4, "KC", "QC").deal(4, "JC").pick_up(4),  # and one that was collected
    ],
)
def test_that_a_punter_stuck_is_taken_from_what_can_only_come_later(later: Any) -> None:
    scene = table(2, 4, s2="3", s4="2")
    assert scene.played.step.startswith("Seat 2:")
    assert {"op": "stick", "seat": 2, "hand": 1} in later(scene).played.operations
    assert not scene.played.faults


def test_a_card_after_sticking_is_a_fault_and_one_before_is_not() -> None:
    scene = table(2, 4, s2="3", s4="2").deal(2, "5H").say("stick", seat=2)
    assert said(scene)[-2:] == ["twist", "stick"] and not scene.played.faults
    scene.deal(2, "4H")
    assert [it.words for it in scene.played.faults] == [
        "Seat 2 takes no more cards. The four of hearts lies there.",
    ]


def test_a_pontoon_turned_up_on_its_turn_is_shown_and_wins_the_bank() -> None:
    scene = table(2, 4, s2="3", s4="2").turn(2, "AC", "KC")
    assert said(scene)[-1] == "show-pontoon"
    scene.say("stick", seat=4).turn(HOUSE, "10H", "8H").say("stay").turn(4, "10D", "9D").settle()
    final = scene.clear().played
    assert final.net == {2: 6, 4: 2, HOUSE: -8}
    assert final.notices == ("The bank passes to seat 2.", "The dealer plays on from a seat.")
    assert (final.carried["bank"], final.carried["seen"]) == (2, [])


def test_a_pair_taken_apart_is_split_and_each_half_gets_a_second_card() -> None:
    scene = table(2, s2="3").turn(2, "8C", "8D")
    scene.now(cards=(scene.story.cards[0], scene.story.cards[1], move(scene.story.cards[2], 2), scene.story.cards[3]))
    assert said(scene)[-1] == "split"
    assert scene.played.step == "Seat 2, hand 1: deal the second card, face down."
    scene.deal(2, "back").say("stick", seat=2, hand=1).deal(2, "back", hand=2).say("stick", seat=2, hand=2)
    scene.turn(HOUSE, "10H", "8H").say("stay").turn(2, "8C", "10C").turn(2, "8D", "KD", hand=2)
    assert [(it.title, it.total, it.payment.words) for it in scene.played.hands if it.payment] == [
        ("Seat 2, hand 1", "18", "loses"),
        ("Seat 2, hand 2", "18", "loses"),
    ]


def move(lying: Lying, hand: int) -> Lying:
    return replace(lying, place=Place(lying.place.seat, hand))


def test_a_pair_that_is_said_to_be_split_is_two_hands_wherever_it_lies() -> None:
    scene = table(2, s2="3").turn(2, "8C", "8D").say("split", seat=2)
    assert [it.title for it in scene.played.hands] == ["Seat 2, hand 1", "Seat 2, hand 2"]


def test_a_split_that_the_rules_forbid_leaves_one_hand() -> None:
    scene = table(2, rules=PRESETS["plain"], s2="3").turn(2, "8C", "8D")
    scene.now(cards=tuple(move(it, 2) if it.card == 3 else it for it in scene.story.cards))
    assert [it.title for it in scene.played.hands] == ["Seat 2"]
    scene.tell({"op": "split", "seat": 2, "hand": 1, "cards": "8C 8D"})
    assert [it.words for it in scene.played.faults] == [
        "Seat 2 cannot split: these rules do not allow it now. Next: Seat 2: turn up a pontoon, stick on 16 or more, "
        "buy for 1 to 3 or twist?"
    ]


def test_a_hand_turned_up_over_21_is_collected_first() -> None:
    scene = table(2, 4, s2="3", s4="2").deal(2, "9D").turn(2, "KC", "5C")
    played = scene.played
    assert played.step == "Seat 2 is bust: collect 3, and the cards go to the bottom of the pack."
    payment = played.hands[0].payment
    assert payment is not None and (payment.amount, payment.done) == (-3, False)
    assert said(scene.pick_up(2))[-1] == "go-bust"
    assert scene.played.net[2] == -3


def test_a_hand_that_its_punter_holds_is_still_his() -> None:
    """Looking at cards, keeping them in the hand, and putting them back down changes nothing."""
    scene = table(2, 4, s2="3", s4="2")
    before = scene.played.operations
    assert scene.pick_up(2).played.operations == before
    assert scene.deal(2, "back").played.operations == before
    assert scene.deal(2, "back").played.operations == before
    assert len(scene.played.hands[0].cards) == 2
    bought = scene.say("buy", seat=2, amount="3").deal(2, "back").played
    assert [it["op"] for it in bought.operations][-1] == "buy" and len(bought.hands[0].cards) == 3


def test_a_first_card_that_is_looked_at_is_no_second_one() -> None:
    scene = Scene(GAME, HOME).deal(2, "back").deal(HOUSE, "back").pick_up(2).deal(2, "back")
    assert scene.played.step == "Seat 2 looks at its card and stakes 1 to 10."


def test_a_card_bought_while_the_others_are_held_is_the_third() -> None:
    scene = table(2, 4, s2="3", s4="2").pick_up(2).say("buy", seat=2, amount="3").deal(2, "back")
    assert said(scene)[-1] == "buy" and len(scene.played.hands[0].cards) == 3


def test_cards_put_down_face_up_from_the_hand_are_the_hand() -> None:
    scene = table(2, 4, s2="3", s4="2").pick_up(2).deal(2, "2C").pick_up(4)
    scene.say("stick", seat=2).say("stick", seat=4).turn(HOUSE, "10H", "8H").say("stay")
    scene.deal(2, "9C", "8C").deal(4, "KC", "8D")
    assert [(it.total, it.payment.words) for it in scene.played.hands if it.payment] == [
        ("19", "wins"),
        ("18", "loses"),
    ]
    assert not scene.played.faults


def test_a_pontoon_put_down_from_the_hand_is_shown() -> None:
    assert said(table(2, 4, s2="3", s4="2").pick_up(2).deal(2, "AC", "KC"))[-1] == "show-pontoon"


def test_a_hand_over_21_put_down_from_the_hand_is_collected() -> None:
    scene = table(2, 4, s2="3", s4="2").pick_up(2).say("ask-twist", seat=2).deal(2, "9D", "KC", "5C")
    assert scene.played.step.startswith("Seat 2 is bust: collect 3")


def test_the_banker_may_pick_his_cards_up_to_turn_them() -> None:
    scene = table(2, s2="3").say("stick", seat=2).pick_up(HOUSE).deal(HOUSE, "10C")
    assert scene.played.step == "The banker turns up two cards."
    assert scene.deal(HOUSE, "7C").played.step == "The banker has 17: draw or stay?"


def test_two_cards_that_lie_on_one_another_are_two_once_the_play_shows_it() -> None:
    scene = table(4, s2="3", s4="2").deal(2, "back")
    assert scene.played.step == "Deal seat 2 a second card, face down."
    scene.deal(2, "5H")
    assert said(scene)[-1] == "twist" and len(scene.played.hands[0].cards) == 3
    alone = Scene(GAME, HOME).tell({"op": "stake", "seat": 2, "amount": "3"}).deal(2, "back").deal(HOUSE, "back")
    assert said(alone.tell({"op": "stick", "seat": 2, "hand": 1}))[-1] == "stick"
    assert alone.turn(HOUSE, "10C").deal(HOUSE, "7C").played.phase == "house"


def test_a_hand_thrown_in_unseen_is_lost_when_that_is_said() -> None:
    scene = table(2, 4, s2="3", s4="2").deal(2, "9D").say("give-up", seat=2).pick_up(2)
    assert said(scene)[-1] == "give-up"
    payment = scene.played.hands[0].payment
    assert payment is not None and (payment.amount, payment.words, payment.done) == (-3, "given up", True)


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


def test_a_card_that_cannot_be_read_is_asked_for_and_a_joker_taken_out() -> None:
    scene = table(2, s2="2")
    scene.now(cards=(*scene.story.cards, Lying(9, Place(2), None)))
    assert scene.played.step == "Seat 2: a card cannot be read: name it."
    assert scene.played.hands[0].problems == ("Name the card that cannot be read.",)
    joker = table(2, s2="2").deal(2, "JOKER", "5H")
    assert [it.words for it in joker.played.faults] == ["'JOKER' is not a card of this game: take it out, or name it."]
    assert said(joker)[-1] == "twist"
    assert [it.label for it in joker.played.hands[0].cards] == [None, None, "5H", "JOKER"]


# The bank, the pack


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


# Whole deals, as a camera sees them


class Watched:
    """A deal of `Table`'s as it lies on the table, told of all that cards cannot show and of some that they can."""

    def __init__(self, table: Table, carried: dict[str, Any], random: Random) -> None:
        self.table, self.random = table, random
        self.scene = Scene(GAME, table.state.rules).now(carried=carried)
        self.cards: dict[tuple[int, int], list[int]] = {}

    def play(self) -> Watched:
        while not self.table.state.finished:
            before = len(self.table.operations)
            self.table.step()
            for operation in self.table.operations[before:]:
                self.see(operation)
                self.peek()
                assert not drive(self.scene.rules, self.scene.story).faults, operation
        return self

    def see(self, operation: Operation) -> None:
        table, plain = self.table, LOG.as_dict(operation)
        match operation:
            case ops.Deal(seat, _, hand):
                self.lay(seat, hand, up=False)
            case ops.Stake():
                self.scene.tell(plain)
            case ops.Buy(seat, _, _, hand):
                self.scene.tell({**plain, "card": "back"})
                self.lay(seat, hand, up=False)
            case ops.Twist(seat, _, hand):
                self.lay(seat, hand, up=True)
            case ops.Stick() | ops.Stay():
                if self.random.random() < 0.5:
                    self.scene.tell(plain)
            case ops.ShowPontoon(seat, _, hand) | ops.Show(seat, _, hand):
                self.turn(seat, hand)
            case ops.Split(seat, _, hand):
                self.turn(seat, hand, *(str(it[0]) for it in table.hands[seat][hand - 1 : hand + 1]))
                for number in range(len(table.hands[seat]), hand + 1, -1):
                    self.cards[seat, number] = self.cards.get((seat, number - 1), [])
                one, other = self.cards[seat, hand]
                self.cards[seat, hand], self.cards[seat, hand + 1] = [one], [other]
                self.put_down(seat)
            case ops.GoBust(seat, cards, hand):
                self.turn(seat, hand, *map(str, cards))
                self.pick_up(seat, hand)
            case ops.TurnBanker():
                self.turn(table.state.banker, 1)
            case ops.DrawBanker():
                self.lay(table.state.banker, 1, up=True)
            case ops.Settle(seat, hand):
                shown = all(self.scene.story.cards[it].up for it in self.cards[seat, hand])
                if self.random.random() < 0.5 or not shown:
                    self.scene.tell(plain)
                else:
                    self.pick_up(seat, hand)
            case ops.CallOff():
                self.scene.tell(plain)
            case ops.ClearCards():
                self.scene.clear()

    def peek(self) -> None:
        """Now and then a punter picks his hand up, looks at it and puts it back."""
        lies = self.scene.story.cards
        down = [
            there
            for (seat, _), there in self.cards.items()
            if seat != self.table.state.banker and there and all(not (lies[it].up or lies[it].gone) for it in there)
        ]
        if not down or self.random.random() > 0.15:
            return
        there = self.random.choice(down)
        self.change(there, gone=True)
        for at, number in enumerate(tuple(there)):
            there[at] = len(self.scene.story.cards)
            back = replace(self.scene.story.cards[number], card=100 + there[at], gone=False)
            self.scene.now(cards=(*self.scene.story.cards, back))

    def place(self, seat: int, hand: int) -> Place:
        return Place(HOUSE if seat == self.table.state.banker else seat, hand)

    def lay(self, seat: int, hand: int, *, up: bool) -> None:
        number = len(self.scene.story.cards)
        card = str(self.table.hands[seat][hand - 1][len(self.cards.get((seat, hand), []))])
        self.cards.setdefault((seat, hand), []).append(number)
        lying = Lying(number, self.place(seat, hand), card if up else None, up)
        self.scene.now(cards=(*self.scene.story.cards, lying))

    def change(self, numbers: list[int], **changes: Any) -> None:
        cards = list(self.scene.story.cards)
        for number in numbers:
            cards[number] = replace(cards[number], **changes)
        self.scene.now(cards=tuple(cards))

    def turn(self, seat: int, hand: int, *labels: str) -> None:
        there = self.cards[seat, hand]
        for number, label in zip(there, labels or map(str, self.table.hands[seat][hand - 1]), strict=True):
            if not self.scene.story.cards[number].up:
                self.change([number], up=True, label=label, turned=True)

    def pick_up(self, seat: int, hand: int) -> None:
        self.change(self.cards[seat, hand], gone=True)

    def put_down(self, seat: int) -> None:
        for (there, hand), numbers in self.cards.items():
            if there == seat:
                self.change(numbers, place=self.place(seat, hand))


@st.composite
def watched_tables(draw: st.DrawFn) -> tuple[Table, Random]:
    """A table of up to seven, the bank at the dealer's place or at a seat, and what is left to chance."""
    rules, random = draw(pontoon_rules()), Random(draw(st.integers(0, 2**32 - 1)))
    cards = [card for card in FULL_PACK for _ in range(rules.decks)]
    random.shuffle(cards)
    if draw(st.booleans()):
        cards.sort(key=lambda card: card.rank not in ("A", "K", "7", "8"))
        front = cards[:20]
        random.shuffle(front)
        cards = front + cards[20:]
    seats = random.sample(range(1, 8), draw(st.integers(2, 6)))
    banker = draw(st.sampled_from([seats[0], DEALER]))
    start = Round.start(rules, sorted({*seats, banker}), banker)
    return Table(start, cards, Anybody(random)), random


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(watched_tables(), st.integers(1, 3))
def test_whole_deals_seen_on_the_table_come_to_what_was_played(drawn: tuple[Table, Random], deals: int) -> None:
    """The log worked out from cards and a few words is the log of the deal, deal after deal."""
    table, random = drawn
    bank = Bank(table.state.banker)
    carried: dict[str, Any] = {"bank": HOUSE if bank.holder == DEALER else bank.holder, "deals": 0}
    for _ in range(deals):
        start = table.state
        played = Watched(table, carried, random).play().scene.played
        final = table.state
        assert list(played.operations) == [LOG.as_dict(it) for it in table.operations]
        again = replay(start.rules, start.order, start.banker, map(LOG.from_dict, played.operations), start.pack)
        assert again == final
        assert played.phase == "over" and sum(played.net.values()) == 0
        assert not any("shuffled" in it for it in played.notices)
        cards_are_conserved(table)
        bank = final.bank_after(bank)
        carried = json.loads(json.dumps(dict(played.carried)))
        read = read_start(final.rules, carried)
        assert (read.bank, read.pack) == (bank, final.next_pack)
        cards = table.cards if not final.shuffle_due else [*FULL_PACK] * final.rules.decks
        # The dealer has no seat of his own, so he sits out where the bank is elsewhere.
        seats = [it for it in final.order if it in (bank.holder, *range(1, 8))]
        following = Round.start(final.rules, seats, bank.holder, final.next_pack)
        table = Table(following, cards, table.choose)
