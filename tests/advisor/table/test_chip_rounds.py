"""Whole rounds with their chips: doubles and splits lie beside the first bet, and a wrong payout stays said."""

from __future__ import annotations

from dataclasses import replace

import pytest
from chips_stand_ins import ChipRound, asked, betting, check_at, reveal

from advisor.games.contract import Place
from advisor.money import Verdict
from advisor.table import changes as ch

RIGHT, WRONG = Verdict.CORRECT, (Verdict.SHORT, Verdict.OVER)


def doubled() -> ChipRound:
    """Seat 1 has bet 10 and doubled 11 against a six; the second ten lies beside the first."""
    scene = betting("red red")
    scene.cards("1 5S", "0 6H", "1 6S", "0 back")
    assert not scene.look().faults
    scene.lay(1, "red red", "red red")
    assert not scene.look().faults and not scene.seen.questions
    scene.say("double", seat=1, amount="10", hand=1)
    scene.cards("1 9D")
    return scene


def split(first: str, second: str) -> ChipRound:
    """Seat 1 has bet 10, split eights against a six and put down a second ten; each hand got one card."""
    scene = betting("red red")
    scene.cards("1 8S", "0 6H", "1 8D", "0 back")
    scene.look()
    scene.lay(1, "red red", "red red")
    scene.say("split", seat=1, hand=1)
    scene.cards(f"1 {first}")
    scene.look()
    assert not scene.faults and not scene.seen.questions
    scene.cards(f"1.2 {second}")
    return scene


def test_a_bet_read_from_its_chips_is_shown_as_seen_and_one_that_was_said_as_said() -> None:
    scene = betting("red red")
    scene.cards("1 10S", "2 9S")
    assert scene.bets(1) == [("bet", "10", "seen")] and scene.bets(2) == [("bet", "5", "assumed")]
    scene = betting("red red")
    scene.say("place-bet", seat=1, amount="10")
    scene.look()
    scene.cards("1 10S", "2 9S")
    scene.look()
    assert scene.bets(1) == [("bet", "10", "said")]


def test_bets_that_lie_there_are_shown_as_seen_before_the_deal_and_swept_with_the_others() -> None:
    scene = betting("green")
    scene.lay(2, "? red")
    scene.say("place-bet", seat=3, amount="10")
    scene.look()
    assert scene.bets(1) == [("bet", "25", "seen")] and scene.bets(3) == [("bet", "10", "said")]
    assert scene.played.step == "Sweep the bets: seat 1 25, seat 3 10."
    scene.lay(1, "green red")
    scene.look()
    assert scene.bets(1) == [("bet", "30", "seen")]
    scene.say("sweep-bets")
    assert scene.played.step == "Deal to seat 1."
    scene.lay(1)
    scene.look()
    assert [hand.place for hand in scene.shown.hands] == [Place(3)]


def test_chips_alone_let_the_bets_be_swept_and_a_seat_that_is_not_dealt_in_is_not_waited_for() -> None:
    scene = betting("green")
    scene.lay(2, "red")
    scene.look()
    scene.say("sweep-bets")
    scene.cards("1 10S", "0 6H", "1 9S", "0 back")
    scene.look()
    assert [hand.place for hand in scene.shown.hands] == [Place(1)] and scene.played.hands[0].active
    assert scene.bets(1) == [("bet", "25", "seen")]


def test_a_bet_taken_away_before_the_deal_is_no_longer_shown_as_seen() -> None:
    scene = betting("green")
    scene.lay(1)
    scene.look()
    assert not scene.shown.hands
    scene.cards("1 10S")
    assert scene.bets(1) == [("bet", "25", "assumed")]


def test_a_bet_whose_chips_are_read_only_after_the_first_card_is_seen_where_they_are_what_it_was_taken_to_be() -> None:
    scene = ChipRound()
    scene.cards("1 10S", "0 9S", "1 9D")
    scene.lay(1, "red")
    assert scene.bets(1) == [("bet", "5", "assumed")]
    scene.look()
    assert scene.bets(1) == [("bet", "5", "seen")]


def test_a_bet_that_was_read_stays_seen_when_it_is_doubled_and_split() -> None:
    assert doubled().bets(1) == [("bet", "10", "seen"), ("double", "10", "said")]
    scene = split("10C", "9C")
    assert scene.bets(1) == scene.bets(1, 2) == [("bet", "10", "seen")]


@pytest.mark.parametrize(
    ("dealer", "paid", "verdict", "said"),
    [
        (("10H", "KH"), ("red red", "red red", "red red red red"), RIGHT, ""),
        (("10H", "KH"), ("red red", "red red", "red red"), Verdict.SHORT, "short by 10"),
        (("10H", "KH"), ("red red", "red red", "red red red red red"), Verdict.OVER, "over by 5"),
        (("10H", "5H"), (), RIGHT, ""),
        (("10H", "5H"), ("red red",), Verdict.OVER, "over by 10"),
        (("10H", "4H"), ("red red", "red red"), RIGHT, ""),
        (("10H", "4H"), ("red red", "red red", "red"), Verdict.OVER, "over by 5"),
    ],
    ids=["won", "only the first bet paid", "too much", "lost", "only the double taken", "push", "push, paid"],
)
def test_a_doubled_bet_is_twice(dealer: tuple[str, ...], paid: tuple[str, ...], verdict: Verdict, said: str) -> None:
    """A 20 of five, six and nine against a dealer's 26, 21 or 20."""
    scene = doubled()
    assert not scene.look().faults
    reveal(scene, *dealer)
    scene.lay(1, *paid)
    assert check_at(scene.look(), 1).verdict is verdict
    assert bool(scene.faults) == bool(said) and all(said in it for it in scene.faults)


def at_turn(*cards: str, **rules: str) -> ChipRound:
    """Seat 1 has bet 25 and is to play these two cards against a six."""
    scene = betting("green")
    scene.state = replace(scene.state, rules=scene.state.rules.with_values(rules))
    scene.cards(f"1 {cards[0]}", "0 6H", f"1 {cards[1]}", "0 back")
    scene.look()
    assert scene.played.hands[0].active and not scene.faults and not scene.seen.questions
    return scene


FOR_LESS = {"double_for_less": "yes"}


@pytest.mark.parametrize(
    ("cards", "rules", "lies", "said"),
    [
        (("10S", "9S"), {}, ("red",), "5 lies there now: take off one red and put back one green"),
        (("10S", "9S"), {}, (), "no chips are seen there now: put back one green"),
        (("10S", "9S"), {}, ("green white",), "26 lies there now: take off one white"),
        (("10S", "9S"), {}, ("green", "green"), "50 lies there now: take off one green"),
        (("6S", "5S"), {}, ("green", "green"), ""),
        (("6S", "5S"), {}, ("green", "red red"), "35 lies there now: take off two red"),
        (("6S", "5S"), {}, ("green", "? red red"), ""),
        (("6S", "5S"), FOR_LESS, ("green", "red red"), ""),
        (("6S", "5S"), FOR_LESS, ("green", "green", "red"), "55 lies there now: take off one green and one red"),
        (("10S", "9S"), FOR_LESS, ("green", "red red"), "35 lies there now: take off two red"),
        (("6S", "5S"), {"double_on": "none"}, ("green", "green"), "50 lies there now: take off one green"),
        (("8S", "8D"), {}, ("green", "green"), ""),
        (("8S", "8D"), {}, ("green", "red"), "30 lies there now: take off one red"),
    ],
)
def test_the_bet_of_the_hand_that_plays_may_grow_by_a_double_or_a_split_and_change_in_no_other_way(
    cards: tuple[str, ...], rules: dict[str, str], lies: tuple[str, ...], said: str
) -> None:
    scene = at_turn(*cards, **rules)
    scene.lay(1, *lies)
    scene.look()
    assert not scene.seen.questions
    assert [it.startswith("Seat 1: the bet was 25") and said in it for it in scene.faults] == [True] * bool(said)
    scene.lay(1, "green")
    scene.look()
    assert not scene.faults


def test_a_pontoon_player_buys_within_the_limits_and_changes_his_stake_in_no_other_way() -> None:
    scene = ChipRound("pontoon")
    scene.lay(1, "red red")
    scene.look()
    scene.cards("1 back", "0 back")
    scene.lay(1, "red")
    scene.look()
    assert not scene.faults and not scene.seen.questions  # he may stake once he has seen his card
    scene.lay(1, "red red")
    scene.cards("1 back", "0 back")
    scene.look()
    assert scene.played.hands[0].active and not scene.faults
    scene.lay(1, "red red", "red red")
    scene.look()
    assert not scene.faults and not scene.seen.questions
    scene.lay(1, "red")
    scene.look()
    assert ["10 when the first card came and 5 lies there now" in it for it in scene.faults] == [True]


def test_a_double_that_was_not_put_down_is_said() -> None:
    scene = betting("red red")
    scene.cards("1 5S", "0 6H", "1 6S", "0 back")
    scene.say("double", seat=1, amount="10", hand=1)
    scene.cards("1 9D")
    scene.look()
    assert scene.faults == ["Seat 1: 20 should lie there by now and 10 lies there now: add 10 before the next card."]


def test_a_doubled_hand_that_busts_before_its_chips_were_read_is_asked_about_and_nothing_breaks() -> None:
    scene = betting("red red", rules="six-deck-s17")
    scene.cards("1 10S", "0 6H", "1 6S", "0 back")
    scene.look()
    scene.say("double", seat=1, amount="10", hand=1)
    scene.cards("1 9D")
    scene.lay(1)
    seen = scene.look()
    assert not seen.checks and "what lay there before paying could not be read surely" in asked(seen)[0]
    # The chips that are seen before they are collected are what was at stake.
    scene.lay(1, "red red", "red red")
    scene.look()
    scene.lay(1)
    assert check_at(scene.look(), 1).verdict is RIGHT


def test_the_second_bet_of_a_split_belongs_to_the_second_hand() -> None:
    """The first hand is bust and collected while the second is played: the ten that stays is the second one's."""
    scene = split("10C", "9C")
    scene.look()
    scene.cards("1 7C")
    scene.look()
    assert not scene.faults  # bust, and still to be collected
    scene.lay(1, "red red")
    scene.look()
    assert not scene.faults and not scene.seen.questions
    scene.say("stand", seat=1, hand=2)
    reveal(scene, "10H", "KH")
    scene.look()
    assert not scene.faults and not scene.seen.checks  # it won, and is still to be paid
    scene.lay(1, "red red", "red")
    scene.look()
    assert ["short by 5" in it for it in scene.faults] == [True]
    scene.lay(1, "red red", "red red")
    assert check_at(scene.look(), 1).verdict is RIGHT and not scene.faults


def test_a_bet_of_the_second_hand_that_is_touched_while_the_first_is_gone_is_said() -> None:
    scene = split("10C", "9C")
    scene.look()
    scene.cards("1 7C")
    scene.lay(1, "red red")
    scene.look()
    scene.say("stand", seat=1, hand=2)
    scene.lay(1, "red red red")
    scene.look()
    assert len(scene.faults) == 1 and "15 lies there now: take off one red" in scene.faults[0]


def test_hands_of_a_split_are_settled_one_after_the_other() -> None:
    """Both win against a dealer's 26. Half the way is no error; a hand that was forgotten is one."""
    scene = split("10C", "9C")
    scene.say("stand", seat=1, hand=2)
    scene.look()
    reveal(scene, "10H", "KH")
    scene.look()
    assert not scene.seen.checks
    scene.lay(1, "red red", "red red", "red red")
    scene.look()
    assert not scene.seen.checks and not scene.faults
    scene.say("settle", seat=1, hand=2)
    scene.look()
    assert not scene.seen.checks and not scene.faults
    scene.say("settle", seat=1, hand=1)
    scene.look()
    assert ["short by 10" in it for it in scene.faults] == [True]
    scene.lay(1, "red red", "red red", "red red", "red red")
    assert check_at(scene.look(), 1).verdict is RIGHT and not scene.faults


def test_a_won_and_a_lost_hand_are_not_called_right_before_anything_moved() -> None:
    """18 loses and 20 wins against 19: in the end there lies as much as at the beginning."""
    scene = split("10C", "2C")
    scene.cards("1.2 10D")
    scene.say("stand", seat=1, hand=2)
    scene.look()
    reveal(scene, "10H", "3H")
    scene.look()
    assert [hand.payment.amount for hand in scene.played.hands if hand.payment] == [-10, 10]
    assert not scene.seen.checks and not scene.faults
    scene.lay(1, "red red")
    scene.look()
    assert not scene.seen.checks and not scene.faults
    scene.lay(1, "red red", "red red")
    assert check_at(scene.look(), 1).verdict is RIGHT


def test_the_card_that_was_misread_changes_the_verdict_with_what_is_owed() -> None:
    scene = doubled()
    scene.look()
    reveal(scene, "10H", "5H")
    scene.lay(1)
    assert check_at(scene.look(), 1).verdict is RIGHT
    scene.make(ch.NameCard(card=scene.state.cards[-1].card, label="4H"))
    seen = scene.look()
    assert not seen.checks and "no chips are seen there after paying" in asked(seen)[0]


# How else a bet may end.


@pytest.mark.parametrize(
    ("cards", "said", "after", "verdict"),
    [
        (("1 AS", "0 6H", "1 KS", "0 back"), None, ("red red", "red red red"), RIGHT),
        (("1 AS", "0 6H", "1 KS", "0 back"), None, ("red red", "red red"), Verdict.SHORT),
        (("1 AS", "0 6H", "1 KS", "0 back"), None, ("green",), RIGHT),
        (("1 10S", "0 9H", "1 6S", "0 back"), "surrender", ("red",), RIGHT),
        (("1 10S", "0 9H", "1 6S", "0 back"), "surrender", ("red", "white"), Verdict.OVER),
        (("1 10S", "0 9H", "1 6S", "0 back"), "surrender", ("white white",), Verdict.SHORT),
    ],
    ids=["three to two", "even", "coloured up", "half back", "too much back", "too little back"],
)
def test_a_blackjack_is_paid_and_a_surrender_taken_at_once(
    cards: tuple[str, ...], said: str | None, after: tuple[str, ...], verdict: Verdict
) -> None:
    scene = betting("red red", rules="six-deck-s17")
    scene.cards(*cards)
    scene.look()
    if said is not None:
        scene.say(said, seat=1)
        scene.look()
    assert not scene.seen.checks and not scene.faults
    scene.lay(1, *after)
    assert check_at(scene.look(), 1).verdict is verdict
    assert bool(scene.faults) == (verdict is not RIGHT)


def test_seats_whose_bets_were_read_stay_in_when_the_first_card_comes() -> None:
    scene = ChipRound()
    for seat, stack in ((1, "green red"), (2, "red red red red"), (3, "red red")):
        scene.lay(seat, stack)
    scene.look()
    assert scene.played.step == "Sweep the bets: seat 1 30, seat 2 20, seat 3 10."
    scene.cards("1 10S")
    assert scene.played.step == "Deal to seat 2."
    assert [scene.bets(seat) for seat in (1, 2, 3)] == [[("bet", it, "seen")] for it in ("30", "20", "10")]
    scene.look()
    assert scene.played.step == "Deal to seat 2." and not scene.faults and not scene.seen.questions
    scene.lay(3)
    scene.look()
    assert ["the bet was 10" in it for it in scene.faults] == [True]
    scene.cards("2 9S", "0 6H")
    scene.look()
    assert scene.played.step == "Deal a second card to seat 1." and not scene.faults


def test_a_double_dealt_face_down_is_judged_once_it_is_turned_before_its_turn_to_be_paid() -> None:
    scene = ChipRound()
    for seat in (1, 2):
        scene.lay(seat, "red red red red")
    scene.look()
    scene.cards("1 8S", "2 10S", "0 6H", "1 3S", "2 9H", "0 back")
    scene.look()
    scene.lay(1, "red red red red", "red red red red")
    scene.say("double", seat=1, hand=1, amount="20")
    scene.cards("1 back")
    scene.look()
    scene.say("stand", seat=2, hand=1)
    reveal(scene, "10H", "KH")
    doubled = scene.state.cards[6]
    scene.make(ch.CardShown(card=doubled.card, face="10D"))
    scene.lay(1, "red red red red", "red red red red", "green red red red")
    assert check_at(scene.look(), 1).verdict is RIGHT and scene.played.step_place == Place(2)
    assert not scene.faults
