"""Chips at the betting places through a round: what is sure becomes a bet or a verdict, the rest a question."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from chips_stand_ins import CARD, NO_CARDS, Looking, asked, check_at, hand, place, playing, stack_of, words
from hypothesis import given
from hypothesis import strategies as st
from table_stand_ins import Watched
from test_seeing import dealt

from advisor.games.catalogue import game as game_named
from advisor.games.contract import BetView, Choice, HandView, Place, Played
from advisor.money import Chips, Verdict
from advisor.table import begin, fold
from advisor.table import changes as ch
from advisor.table.bets_memory import HANDS, ReadBet, Spot
from advisor.table.bets_seen import REST
from vision.chips.spots import SpotReading

PULLED = "Pull the whole payout back before the rack, "


def test_a_bet_that_lies_still_becomes_what_the_seat_bets() -> None:
    looking = Looking()
    assert looking.glance(NO_CARDS, place(1, "red red")).changes == ()
    looking.at += REST / 2
    assert looking.glance(NO_CARDS, place(1, "red red", "red")).changes == ()
    looking.at += REST / 2
    assert looking.glance(NO_CARDS, place(1, "red red", "red")).changes == ()
    looking.at += REST / 2
    seen = looking.glance(NO_CARDS, place(1, "red red red"))
    assert seen.changes == (ch.UsualBet(seat=1, amount="15"),) and not seen.faults and not seen.questions
    looking.state = fold(looking.state, seen.changes[0])
    assert looking.look(NO_CARDS, place(1, "red red red")).changes == ()


@pytest.mark.parametrize(
    ("reading", "fault", "question"),
    [
        (place(3, "? red red"), "", "Seat 3: the bet could not be read surely"),
        (place(3, in_view=False), "", "the camera does not see all of the spot"),
        (place(3, "red", outside=45.0), "", "a stack lies beside the spot, not on it"),
        (place(3, "white"), "Seat 3 bets 1, below the minimum of 5", ""),
        (place(3, "purple red"), "Seat 3 bets 505, above the maximum", ""),
        (place(3, "red pink"), "Seat 3: no value is known for pink", ""),
        (place(3), "", ""),
    ],
)
def test_what_is_wrong_or_doubtful_becomes_no_bet(reading: SpotReading, fault: str, question: str) -> None:
    seen = Looking().look(NO_CARDS, reading)
    assert seen.changes == ()
    for said, expected in ((words(seen), fault), (asked(seen), question)):
        assert len(said) == bool(expected) and all(expected in sentence for sentence in said)
    assert all(it.place == Place(3) for it in seen.faults)


def test_a_stack_between_two_places_is_nobody_s_bet() -> None:
    reading = place(3, "red")
    shared = replace(reading, stacks=tuple(replace(it, shared=True) for it in reading.stacks))
    seen = Looking().look(NO_CARDS, shared)
    assert seen.changes == () and "a stack lies midway between two spots" in asked(seen)[0]


def test_a_badly_stacked_bet_is_a_bet_all_the_same() -> None:
    seen = Looking().look(NO_CARDS, place(3, "red green"))
    assert seen.changes == (ch.UsualBet(seat=3, amount="30"),)
    assert "the highest is not at the bottom" in words(seen)[0]


def test_a_bet_that_was_said_is_not_overruled() -> None:
    told = Played("bets", "", hands=(replace(hand(2, ("bet", 10)), cards=()),))
    seen = Looking().look(told, place(2, "green"))
    assert asked(seen) == ["Seat 2: 10 was said and 25 lies there. Which is right?"]


def test_a_bet_changed_after_the_first_card_is_said_and_a_double_is_not() -> None:
    looking = Looking()
    looking.look(NO_CARDS, place(1, "red red"))
    assert looking.look(playing(hand(1, ("bet", 10))), place(1, "red red")).faults == ()
    seen = looking.look(playing(hand(1, ("bet", 10))), place(1, "red red red"))
    assert words(seen) == [
        "Seat 1: the bet was 10 when the first card came and 15 lies there now: take off one red before the next card."
    ]
    doubles = Choice("Doubles", {"op": "double", "seat": 1, "hand": 1, "amount": "10"}, Place(1))
    mine = replace(playing(hand(1, ("bet", 10), active=True)), choices=(doubles,))
    assert looking.look(mine, place(1, "red red", "red red")).faults == ()
    doubled = playing(hand(1, ("bet", 10), ("double", 10)))
    assert looking.look(doubled, place(1, "red red", "red red")).faults == ()
    assert "20 should lie there by now and 10 lies there now" in words(looking.look(doubled, place(1, "red red")))[0]
    split = playing(hand(1, ("bet", 10)), hand(1, ("bet", 10), number=2))
    assert looking.look(split, place(1, "red red", "red red")).faults == ()
    assert asked(looking.look(split, place(1, "red red", "? red red")))[0].startswith("Seat 1: whether the bet was")


def test_a_seat_that_was_dealt_in_without_a_readable_bet_is_asked_about() -> None:
    assumed = HandView(Place(1), "Seat 1", CARD, bets=(BetView("bet", Fraction(5), assumed=True),))
    seen = Looking().look(playing(assumed), place(1, "green"))
    assert asked(seen) == ["Seat 1: the bet is taken to be 5 and 25 lies there. Which is right?"]
    assert "no chips are seen there" in asked(Looking().look(playing(assumed), place(1)))[0]


def test_a_payout_is_judged_once_chips_have_moved_and_stays_right_when_they_are_picked_up() -> None:
    looking = Looking()
    looking.look(playing(hand(1, ("bet", 10))), place(1, "red red"))
    owed = Played("settle", "", hands=(hand(1, ("bet", 10), owed="15"),))
    waiting = looking.look(owed, place(1, "red red"))
    assert not (waiting.checks or waiting.questions or words(waiting))
    short = looking.look(owed, place(1, "red red", "red red"))
    assert check_at(short, 1).verdict is Verdict.SHORT and check_at(short, 1).add == Chips({"red": 1})
    assert "Seat 1: short by 5." in words(short)[0] and PULLED in words(short)[0]
    # Chips picked up before it was put right do not make it right.
    assert "short by 5" in words(looking.look(owed, place(1)))[0]
    # Pulled back before the rack, as it should be, it is still to be paid.
    (pulled,) = words(looking.look(owed, place(1, "red red")))
    assert "short by 15" in pulled and "has not been settled yet" in pulled and PULLED not in pulled
    right = looking.look(owed, place(1, "red red", "red red red", outside=30))
    assert check_at(right, 1).verdict is Verdict.CORRECT and not words(right)
    gone = looking.look(owed, place(1, "red"))
    assert check_at(gone, 1).verdict is Verdict.CORRECT and not words(gone) and not gone.questions
    gone = looking.look(owed, place(1))
    assert check_at(gone, 1).verdict is Verdict.CORRECT and not words(gone) and not gone.questions


def test_nothing_is_judged_without_a_sure_stake_or_while_a_hand_is_played() -> None:
    owed = Played("settle", "", hands=(hand(1, ("bet", 10), owed="10"),))
    looking = Looking()
    looking.look(playing(hand(1, ("bet", 10))), place(1, "? red red"))
    seen = looking.look(owed, place(1, "red red red"))
    assert not seen.checks and "before paying could not be read surely" in asked(seen)[0]
    looking = Looking()
    looking.look(playing(hand(1, ("bet", 10)), hand(1, ("bet", 10), number=2)), place(1, "red red", "red red"))
    half = playing(hand(1, ("bet", 10), owed="-10"), hand(1, ("bet", 10), number=2))
    seen = looking.look(half, place(1, "red red"))
    assert not (seen.checks or seen.questions or words(seen))
    both = Played("settle", "", hands=(hand(1, ("bet", 10), owed="-10"), hand(1, ("bet", 10), owed="10", number=2)))
    assert check_at(looking.look(both, place(1, "red red", "red red")), 1).verdict is Verdict.CORRECT


def test_bets_that_may_lie_elsewhere_are_left_alone() -> None:
    insured = playing(hand(1, ("bet", 10), ("insurance", 5)))
    looking = Looking()
    looking.look(NO_CARDS, place(1, "red red"))
    assert looking.look(insured, place(1, "red red", "red")).faults == ()
    with_its_place = (place(1, "red red", "red"), place(1, kind="insurance"))
    assert "15 lies there now" in words(looking.look(insured, *with_its_place))[0]


def test_a_new_round_forgets_the_last_one_s_verdicts_where_they_were_right() -> None:
    looking = Looking()
    looking.look(playing(hand(1, ("bet", 10))), place(1, "red red"))
    looking.look(Played("settle", "", hands=(hand(1, ("bet", 10), owed="10"),)), place(1, "red red red red"))
    assert looking.memory.payouts
    looking.state = replace(looking.state, round=2)
    seen = looking.look(NO_CARDS, place(1))
    assert not (seen.checks or seen.faults or seen.questions or seen.wrong)
    assert not looking.memory.payouts and not looking.memory.agreed and not looking.memory.left


def test_where_seats_bet_on_several_things_a_place_that_names_none_says_nothing() -> None:
    rules = next(iter(game_named("punto-banco").presets().values()))
    looking = Looking(begin("punto-banco", rules, "usual"))
    seen = looking.look(NO_CARDS, place(1, "? red"), place(1, "red", kind="insurance"))
    assert not (seen.changes or seen.faults or seen.questions or seen.checks)
    looking = Looking()
    seen = looking.look(NO_CARDS, place(1, "? red", bet="tie"))
    assert not (seen.changes or seen.faults or seen.questions or seen.checks)


def test_a_real_round_takes_its_bets_from_the_chips() -> None:
    """Two seats are dealt in; what lay there is what the round is played for."""
    watched = Watched(rules="home")
    looking = Looking(watched.state)
    bets = (place(1, "green red"), place(2, "red red"))
    for change in looking.look(watched.played, *bets).changes:
        watched.make(change)
    watched.deal(*dealt())
    looking.state = watched.state
    amounts = {it.place.seat: [bet.amount for bet in it.bets] for it in watched.played.hands}
    assert amounts == {1: [30], 2: [10]}
    seen = looking.look(watched.played, *bets)
    assert not (seen.changes or seen.faults or seen.questions or seen.checks)
    assert seen.read >= {ReadBet(1, "bet", Fraction(30)), ReadBet(2, "bet", Fraction(10))}
    watched.make(ch.Tell(operation={"op": "stand", "seat": 1, "hand": 1}))
    looking.state = watched.state
    (fault,) = looking.look(watched.played, place(1, "green red red"), place(2, "red red")).faults
    assert fault.place == Place(1) and "take off one red" in fault.words


@given(bet=st.integers(1, 40), owed=st.integers(-40, 60), off=st.sampled_from([0, 1, -1, 5]))
def test_the_verdict_is_right_exactly_where_the_money_is(bet: int, owed: int, off: int) -> None:
    owed = max(owed, -bet)
    after = bet + owed + off
    if after <= 0 or (owed and after == bet):
        return

    looking = Looking()
    looking.look(playing(hand(1, ("bet", bet))), place(1, stack_of(bet)))
    settled = Played("settle", "", hands=(hand(1, ("bet", bet), owed=str(owed)),))
    check = looking.look(settled, place(1, stack_of(after))).checks[Spot(1, HANDS)]
    assert check.verdict is (Verdict.CORRECT if not off else Verdict.OVER if off > 0 else Verdict.SHORT)
