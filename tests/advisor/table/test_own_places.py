"""Bets with a place of their own: insurance at a seat's insurance, and each of the bets of punto banco."""

from __future__ import annotations

from fractions import Fraction

import pytest
from chips_stand_ins import ChipRound, asked, check_at, stack_of
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.games.contract import Place
from advisor.money import Verdict
from advisor.table import changes as ch

INSURANCE = "insurance"


def offered(bet: str = "red red") -> ChipRound:
    """Two seats have bet 10 and an ace was dealt to the dealer: insurance is offered."""
    scene = ChipRound()
    for seat in (1, 2):
        scene.lay(seat, bet)
        scene.lay(seat, bet=INSURANCE)
    scene.look()
    scene.cards("1 10S", "2 9S", "0 AH", "1 9D", "2 9C", "0 back")
    assert not scene.look().changes and not scene.faults and not scene.seen.questions
    return scene


def insured(*stacks: str) -> ChipRound:
    scene = offered()
    scene.lay(1, *stacks or ("red",), bet=INSURANCE)
    scene.look()
    return scene


def turn_hole(scene: ChipRound, face: str) -> None:
    hole = next(card for card in scene.state.cards if card.face == "back")
    scene.make(ch.CardShown(card=hole.card, face=face))


def test_chips_on_the_insurance_become_the_seat_s_insurance() -> None:
    scene = insured("red")
    assert scene.bets(1) == [("bet", "10", "seen"), ("insurance", "5", "seen")]
    assert scene.bets(2) == [("bet", "10", "seen")]
    assert not scene.look().changes and not scene.faults and not scene.seen.questions


def test_an_insurance_that_somebody_said_stays_said() -> None:
    scene = offered()
    scene.say("insure", seat=1, amount="5")
    scene.lay(1, "red", bet=INSURANCE)
    assert not scene.look().changes and not scene.seen.questions
    assert scene.bets(1)[1] == ("insurance", "5", "said")
    scene.lay(1, "white white", bet=INSURANCE)
    seen = scene.look()
    assert asked(seen) == ["The insurance of seat 1: 5 was said and 2 lies there. Which is right?"]
    assert not seen.changes


def test_insurance_that_is_laid_down_bit_by_bit_follows_its_chips() -> None:
    scene = insured("white white white white")
    assert scene.bets(1)[1] == ("insurance", "4", "seen")
    scene.lay(1, "red", bet=INSURANCE)
    scene.look()
    assert scene.bets(1)[1] == ("insurance", "5", "seen")


@pytest.mark.parametrize(
    ("stacks", "fault", "question"),
    [
        (("red white",), "an insurance bet of 6 is more than half the bet of 10: at most 5", ""),
        (("red", "red"), "at most 5", ""),
        (("pink",), "no value is known for pink", ""),
        (("? red",), "", "The insurance of seat 1: the bet could not be read surely (something hides a part of it)"),
        ((), "", ""),
    ],
)
def test_what_is_wrong_or_doubtful_becomes_no_insurance(stacks: tuple[str, ...], fault: str, question: str) -> None:
    scene = offered()
    scene.lay(1, *stacks, bet=INSURANCE)
    seen = scene.look()
    assert seen.changes == () and [bet for bet, _, _ in scene.bets(1)] == ["bet"]
    for said, expected in ((scene.faults, fault), (asked(seen), question)):
        assert len(said) == bool(expected) and all(expected in sentence for sentence in said)
    assert all(it.place == Place(1) for it in seen.faults)


def test_insurance_that_was_taken_back_is_asked_about_and_not_taken_again() -> None:
    scene = insured("red")
    scene.make(ch.Undo())
    seen = scene.look()
    assert asked(seen) == ["The insurance of seat 1: 5 lies there and was taken back. Which is right?"]
    assert not seen.changes and [bet for bet, _, _ in scene.bets(1)] == ["bet"]
    scene.lay(1, bet=INSURANCE)
    assert not scene.look().questions
    scene.lay(1, "red", bet=INSURANCE)
    scene.look()
    assert scene.bets(1)[1] == ("insurance", "5", "seen")


def test_insurance_that_could_not_be_kept_is_taken_at_the_next_look() -> None:
    scene = offered()
    scene.lay(1, "red", bet=INSURANCE)
    before = scene.state
    assert scene.look().changes
    scene.state = before  # the store was full
    seen = scene.glance()
    assert len(seen.changes) == 1 and not seen.questions and scene.bets(1)[1] == ("insurance", "5", "seen")


def test_chips_taken_off_the_insurance_are_asked_about() -> None:
    scene = insured("red")
    scene.lay(1, bet=INSURANCE)
    assert asked(scene.look()) == ["The insurance of seat 1: 5 was said and no chips are seen there. Which is right?"]
    assert scene.bets(1)[1] == ("insurance", "5", "seen")


def test_chips_that_come_after_insurance_was_closed_are_no_bet_unless_somebody_says_so() -> None:
    scene = offered()
    scene.say("close-insurance")
    scene.lay(1, "red", bet=INSURANCE)
    seen = scene.look()
    assert seen.changes == ()
    (fault,) = seen.faults
    assert "5 lies there, and no bet was seen there when insurance was closed" in fault.words
    (choice,) = fault.choices
    scene.say(**choice.operation)
    scene.look()
    assert not scene.faults and scene.bets(1)[1] == ("insurance", "5", "said")


def test_chips_on_the_insurance_where_none_is_offered_are_a_question() -> None:
    scene = ChipRound()
    scene.lay(1, "red red")
    scene.look()
    scene.cards("1 10S", "0 6H", "1 5D", "0 back")
    scene.lay(1, "red", bet=INSURANCE)
    seen = scene.look()
    assert seen.changes == () and not scene.faults and asked(seen)[0].endswith("Whose is it?")


def test_an_insurance_that_changes_while_the_dealer_peeks_is_said() -> None:
    scene = insured("red")
    scene.say("close-insurance")
    scene.look()
    assert not scene.faults
    scene.lay(1, "red white", bet=INSURANCE)
    scene.look()
    assert scene.faults == [
        "The insurance of seat 1: the bet was 5 when insurance was closed and 6 lies there now: "
        "take off one white before the next card."
    ]
    scene.lay(1, "red", bet=INSURANCE)
    scene.look()
    assert not scene.faults


@pytest.mark.parametrize(
    ("after", "verdict", "said"),
    [
        (("red", "red red"), Verdict.CORRECT, ""),
        (("red", "red"), Verdict.SHORT, "short by 5"),
        (("red", "red red red"), Verdict.OVER, "over by 5"),
        (("red", "red", "? red"), None, ""),
        ((), None, ""),
    ],
    ids=["two to one", "one to one", "three to one", "in doubt", "hidden"],
)
def test_won_insurance_is_paid_two_to_one(after: tuple[str, ...], verdict: Verdict | None, said: str) -> None:
    scene = insured("red")
    scene.say("close-insurance")
    scene.look()
    turn_hole(scene, "KC")
    scene.look()
    assert not scene.seen.checks and not scene.faults
    scene.lay(1, *after, bet=INSURANCE)
    seen = scene.look()
    assert [it.verdict for spot, it in seen.checks.items() if spot.bet == INSURANCE] == [verdict] * bool(verdict)
    assert bool(scene.faults) == bool(said) and all(said in it for it in scene.faults)


def test_the_bet_of_the_hand_that_plays_is_watched_beside_its_insurance() -> None:
    scene = insured("red")
    scene.say("close-insurance")
    scene.say("peek", blackjack="no")
    scene.lay(1, bet=INSURANCE)
    scene.say("settle-insurance", seat=1)
    scene.look()
    assert scene.played.hands[0].active and not scene.faults
    scene.lay(1, "red")
    scene.look()
    assert scene.faults == [
        "Seat 1: the bet was 10 when the first card came and 5 lies there now: put back one red before the next card."
    ]


def test_insurance_that_was_paid_right_is_over_when_more_is_laid_down_until_it_was_taken() -> None:
    scene = insured("red")
    scene.say("close-insurance")
    scene.look()
    turn_hole(scene, "KC")
    scene.look()
    scene.lay(1, "red", "red red", bet=INSURANCE)
    assert check_at(scene.look(), 1, INSURANCE).verdict is Verdict.CORRECT
    scene.lay(1, "red", "red red red", bet=INSURANCE)
    assert check_at(scene.look(), 1, INSURANCE).verdict is Verdict.OVER and len(scene.faults) == 1
    scene.lay(1, "red", "red red", bet=INSURANCE)
    scene.look()
    scene.lay(1, bet=INSURANCE)
    assert check_at(scene.look(), 1, INSURANCE).words == ("The insurance of seat 1: was correct.",)
    scene.lay(1, "green", bet=INSURANCE)
    assert check_at(scene.look(), 1, INSURANCE).verdict is Verdict.CORRECT and not scene.faults


def test_a_lost_insurance_is_taken_and_one_that_was_half_taken_stays_said() -> None:
    scene = insured("white white white white white")
    scene.say("close-insurance")
    scene.look()
    scene.say("peek", blackjack="no")
    scene.look()
    assert not scene.seen.checks and not scene.faults
    scene.lay(1, "white white", bet=INSURANCE)
    scene.look()
    assert ["The insurance of seat 1: over by 2." in it for it in scene.faults] == [True]
    scene.lay(1, "? white", bet=INSURANCE)
    scene.look()
    assert len(scene.faults) == 1
    scene.lay(1, bet=INSURANCE)
    assert check_at(scene.look(), 1, INSURANCE).verdict is Verdict.CORRECT and not scene.faults


@pytest.mark.parametrize("taken", [True, False])
def test_insurance_that_the_round_passed_over_is_still_judged(taken: bool) -> None:
    """Nobody says that it was collected: that play goes on shows it, and the round tells of it no more."""
    scene = insured("red")
    scene.say("close-insurance")
    scene.look()
    scene.cards("1 2H")
    assert [bet for bet, _, _ in scene.bets(1)] == ["bet"] and scene.played.net[1] == -5
    scene.lay(1, *() if taken else ("white",), bet=INSURANCE)
    scene.look()
    assert check_at(scene.seen, 1, INSURANCE).verdict is (Verdict.CORRECT if taken else Verdict.OVER)


@pytest.mark.parametrize(("drawn", "paid"), [("KC", True), ("7C", False)])
def test_without_a_hole_card_insurance_is_settled_at_the_end(drawn: str, paid: bool) -> None:
    scene = ChipRound(rules="european")
    scene.lay(1, "red red")
    scene.lay(1, bet=INSURANCE)
    scene.look()
    scene.cards("1 10S", "0 AH", "1 9D")
    scene.look()
    scene.lay(1, "red", bet=INSURANCE)
    scene.look()
    scene.say("close-insurance")
    scene.say("stand", seat=1, hand=1)
    scene.look()
    assert scene.bets(1)[1] == ("insurance", "5", "seen") and not scene.faults
    scene.cards(f"0 {drawn}")
    scene.look()
    assert (1, INSURANCE) not in scene.seen.checks and not scene.faults
    scene.lay(1, *("red", "red red") if paid else (), bet=INSURANCE)
    assert check_at(scene.look(), 1, INSURANCE).verdict is Verdict.CORRECT
    assert scene.seen.checks[1, INSURANCE].owed == (10 if paid else -5)  # type: ignore[index]


def test_a_game_without_insurance_asks_nothing_about_chips_there() -> None:
    scene = ChipRound("pontoon")
    scene.lay(1, "red", bet=INSURANCE)
    scene.cards("1 back", "2 back", "0 back")
    seen = scene.look()
    assert not (seen.questions or seen.faults or seen.changes)


def test_a_wrong_insurance_is_fine_once_somebody_says_so() -> None:
    scene = insured("red")
    scene.say("close-insurance")
    scene.look()
    turn_hole(scene, "KC")
    scene.lay(1, "red", "red", bet=INSURANCE)
    scene.look()
    assert len(scene.faults) == 1
    for operation in ({"op": "settle", "seat": 2, "hand": 1}, {"op": "settle", "seat": 1, "hand": 1}):
        scene.make(ch.Tell(operation=operation))
        assert len(scene.faults) == 1
    scene.make(ch.Tell(operation={"op": "settle-insurance", "seat": 1}))
    assert not scene.faults


# Punto banco.


def coup(**bets: str) -> ChipRound:
    """Seat 1's bets by name, read."""
    scene = ChipRound("punto-banco", "eight-deck")
    for bet in ("player", "banker", "tie", "player-pair", "banker-pair"):
        scene.lay(1, *([bets[name]] if (name := bet.replace("-", "_")) in bets else []), bet=bet)
    scene.look()
    return scene


def bets_of(scene: ChipRound) -> dict[str, str]:
    return {hand.bets[0].name: str(hand.bets[0].amount) for hand in scene.shown.hands}


def test_every_bet_of_punto_banco_is_taken_from_its_own_place() -> None:
    scene = coup(player="green", tie="red", banker_pair="red white")
    assert bets_of(scene) == {"player": "25", "tie": "5", "banker-pair": "6"}
    assert all(getattr(hand.bets[0], "seen", False) for hand in scene.shown.hands)
    assert not scene.look().changes and not scene.faults and not scene.seen.questions


def test_bets_of_punto_banco_follow_their_chips_until_the_first_card() -> None:
    scene = coup(player="green", tie="red")
    scene.lay(1, "green green", bet="player")
    scene.look()
    assert bets_of(scene) == {"player": "50", "tie": "5"}
    scene.lay(1, bet="tie")
    scene.look()
    assert bets_of(scene) == {"player": "50"}
    scene.lay(1, bet="player")
    scene.look()
    assert bets_of(scene) == {}
    scene.lay(1, "green", bet="banker")
    scene.look()
    scene.cards("0 9H")
    scene.lay(1, "green green", bet="banker")
    scene.look()
    assert bets_of(scene) == {"banker": "25"}
    assert scene.faults == [
        "Seat 1, banker: the bet was 25 when the first card came and 50 lies there now: "
        "take off one green before the next card."
    ]


def test_a_bet_of_punto_banco_that_was_said_is_not_overruled() -> None:
    scene = coup()
    scene.say("place-bet", seat=1, amount="10", bet="tie")
    scene.lay(1, "green", bet="tie")
    seen = scene.look()
    assert "Seat 1, tie: 10 was said and 25 lies there. Which is right?" in asked(seen) and not seen.changes
    assert bets_of(scene) == {"tie": "10"} and not getattr(scene.shown.hands[0].bets[0], "seen", False)


def test_a_bet_that_the_rules_forbid_is_said_in_their_words() -> None:
    scene = coup(player="white", tie="white")
    assert bets_of(scene) == {"tie": "1"}
    assert scene.faults == ["Seat 1: a bet on Player of 1 is under the least allowed, 5."]


def test_chips_laid_after_the_first_card_are_no_bet_unless_somebody_says_so() -> None:
    scene = coup(player="green")
    scene.cards("0 9H", "0.2 5H")
    scene.lay(1, "green", bet="banker")
    (fault,) = scene.look().faults
    assert "25 lies there, and no bet was seen there when the first card came" in fault.words
    assert bets_of(scene) == {"player": "25"}
    (choice,) = fault.choices
    scene.say(**choice.operation)
    scene.look()
    assert not scene.faults and bets_of(scene) == {"player": "25", "banker": "25"}


def test_each_bet_of_a_coup_is_paid_at_its_own_place() -> None:
    """Player wins with a natural nine; two nines make the pair of the player."""
    scene = coup(player="green", banker="red", tie="red", player_pair="red")
    scene.cards("0 9H", "0.2 5H", "0 QC", "0.2 2H")
    assert scene.played.phase == "settle"
    scene.look()
    assert not scene.seen.checks and not scene.faults
    scene.lay(1, "green", "green", bet="player")
    scene.lay(1, bet="banker")
    scene.lay(1, "red", bet="tie")
    scene.lay(1, "red", bet="player-pair")
    scene.look()
    verdicts = {spot.bet: it.verdict for spot, it in scene.seen.checks.items()}
    assert verdicts == {"player": Verdict.CORRECT, "banker": Verdict.CORRECT} and not scene.faults
    scene.lay(1, "green", "red red", bet="tie")
    scene.lay(1, bet="player-pair")
    scene.look()
    assert ["Seat 1, tie: over by 35." in it for it in scene.faults] == [True]
    assert check_at(scene.seen, 1, "player-pair").verdict is Verdict.CORRECT


def test_a_tie_leaves_player_and_banker_and_pays_its_bet_eight_to_one() -> None:
    scene = coup(player="green", tie="red")
    scene.cards("0 9H", "0.2 4H", "0 QC", "0.2 5H")
    scene.look()
    assert check_at(scene.seen, 1, "player").verdict is Verdict.CORRECT
    scene.lay(1, "red", "green red red red", bet="tie")
    assert check_at(scene.look(), 1, "tie").verdict is Verdict.CORRECT and not scene.faults


@settings(max_examples=25, deadline=None)
@given(
    bet=st.sampled_from(["player", "banker", "tie", "player-pair", "banker-pair"]),
    units=st.integers(5, 40),
    off=st.sampled_from([0, 1, 5, -1]),
)
def test_the_verdict_at_a_named_place_is_right_exactly_where_the_money_is(bet: str, units: int, off: int) -> None:
    """Banker wins with nine against three; whatever was bet, the round says what is owed."""
    scene = coup(**{bet.replace("-", "_"): stack_of(units)})
    scene.cards("0 KH", "0.2 9H", "0 3C", "0.2 QH")
    scene.look()
    owed = next(hand.payment.amount for hand in scene.played.hands if hand.payment is not None)
    after = units + owed + off
    if after < 0 or (after == units and owed):
        return
    scene.lay(1, *([stack_of(after)] if after else []), bet=bet)
    scene.look()
    expected = Verdict.CORRECT if not off else Verdict.OVER if off > 0 else Verdict.SHORT
    if after or owed == -Fraction(units):
        assert check_at(scene.seen, 1, bet).verdict is expected
