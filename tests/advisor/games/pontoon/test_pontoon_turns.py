"""A punter's turn on the table: what shows that he bought, twisted, stuck, split, or put his hand down."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from pontoon_scenes import HOME, said, table
from table_scenes import Scene

from advisor.games.contract import HOUSE, Lying, Place
from advisor.games.pontoon import PRESETS
from advisor.games.pontoon.table import GAME


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


def test_a_card_that_comes_out_from_under_another_after_a_twist_is_no_new_one() -> None:
    """Its punter pushed the two apart, or somebody said that it lies there; nothing can be bought by then."""
    scene = table(4, s2="3", s4="2").deal(2, "back").deal(2, "5H")
    guessed = scene.played.hands[0]
    assert [card.card for card in guessed.cards][1] < 0
    scene.deal(2, "back")
    hand = scene.played.hands[0]
    assert not scene.played.faults and said(scene)[-1] == "twist"
    assert [card.lies for card in hand.cards] == ["down", "down", "up"] and hand.total == guessed.total
    assert all(card.card >= 0 for card in hand.cards)
    scene.deal(2, "back")
    assert scene.played.faults, "one more would be bought after a twist"


def test_a_hand_thrown_in_unseen_is_lost_when_that_is_said() -> None:
    scene = table(2, 4, s2="3", s4="2").deal(2, "9D").say("give-up", seat=2).pick_up(2)
    assert said(scene)[-1] == "give-up"
    payment = scene.played.hands[0].payment
    assert payment is not None and (payment.amount, payment.words, payment.done) == (-3, "given up", True)
