"""Questions about bets: each has its answers, and stays until it is answered or the chips are read surely."""

from __future__ import annotations

import pytest
from chips_stand_ins import ChipRound, asked

from advisor.games.catalogue import game as game_named
from advisor.games.contract import Place
from advisor.table import changes as ch
from advisor.table.bet_questions import CALL_OFF, OTHER

PROBABLY = (
    "Seat 1: the bet could not be read surely (its chips could not be counted surely). "
    "It is probably 30: count it by hand."
)
LIKELY = "~ green red"


def betting(*stacks: str, game: str = "blackjack", rules: str = "home") -> ChipRound:
    """Chips are laid at seat 1 and looked at."""
    scene = ChipRound(game, rules)
    scene.lay(1, *stacks)
    scene.look()
    return scene


def deal(scene: ChipRound) -> None:
    scene.cards("1 10S", "0 6H", "1 9S", "0 back")
    scene.look()


def answers(scene: ChipRound) -> list[str]:
    (question,) = scene.seen.questions
    assert question.place == Place(1) and all(it.place == question.place for it in question.choices)
    return [it.words for it in question.choices]


def answer(scene: ChipRound, words: str) -> None:
    """Somebody taps it."""
    (question,) = scene.seen.questions
    (choice,) = (it for it in question.choices if it.words == words)
    scene.say(**choice.operation)
    scene.look()


def test_a_doubtful_bet_is_taken_to_be_what_it_most_likely_is_and_stays_in_doubt_through_the_round() -> None:
    scene = betting(LIKELY)
    assert asked(scene.seen) == [PROBABLY] and answers(scene) == ["30", OTHER]
    deal(scene)
    assert scene.bets(1) == [("bet", "30", "assumed")] and asked(scene.seen) == [PROBABLY]
    scene.lay(1, LIKELY, "? red")
    scene.look()
    assert asked(scene.seen) == [PROBABLY]
    scene.glance()
    assert asked(scene.seen) == [PROBABLY]
    scene.say("stand", seat=1, hand=1)
    scene.look()
    assert PROBABLY in asked(scene.seen)


def test_a_doubt_goes_once_the_chips_are_read_surely() -> None:
    scene = betting(LIKELY)
    deal(scene)
    scene.lay(1, "green red")
    scene.look()
    assert not scene.seen.questions and scene.bets(1) == [("bet", "30", "seen")]
    scene.lay(1, LIKELY)
    scene.look()
    assert not scene.seen.questions


@pytest.mark.parametrize("dealt", [False, True])
def test_a_doubt_goes_once_somebody_says_the_bet(dealt: bool) -> None:
    scene = betting(LIKELY)
    if dealt:
        deal(scene)
    answer(scene, "30")
    assert not scene.seen.questions
    if not dealt:
        deal(scene)
    assert not scene.seen.questions and scene.bets(1) == [("bet", "30", "said")]


def test_what_lies_there_in_doubt_is_not_asked_of_a_bet_that_was_said() -> None:
    scene = ChipRound()
    scene.say("place-bet", seat=1, amount="30")
    scene.lay(1, LIKELY)
    assert not scene.look().questions


def test_a_bet_that_is_likely_none_that_may_be_is_assumed_to_be_no_more_than_before() -> None:
    scene = betting("~ white")
    assert "It is probably 1: count it by hand." in asked(scene.seen)[0] and answers(scene) == [OTHER]
    assert not scene.state.usual_bets


def test_a_doubt_about_a_seat_that_was_not_dealt_in_is_gone_with_the_first_card() -> None:
    scene = betting("? red")
    scene.lay(2, "green")
    scene.look()
    assert answers(scene) == [OTHER]
    scene.cards("2 10S", "0 6H", "2 9S", "0 back")
    assert not scene.look().questions


def test_a_bet_read_surely_and_then_in_doubt_is_no_longer_shown_as_seen() -> None:
    scene = betting("green red")
    scene.lay(1, LIKELY)
    scene.look()
    assert not scene.shown.hands and asked(scene.seen) == [PROBABLY]
    scene.cards("1 10S")
    assert scene.bets(1) == [("bet", "30", "assumed")]


def said_and_seen() -> ChipRound:
    scene = betting("green")
    scene.say("place-bet", seat=1, amount="10")
    scene.look()
    assert asked(scene.seen) == ["Seat 1: 10 was said and 25 lies there. Which is right?"]
    assert answers(scene) == ["10", "25", OTHER]
    return scene


@pytest.mark.parametrize("dealt", [False, True])
@pytest.mark.parametrize(("tapped", "bet"), [("10", "10"), ("25", "25"), (OTHER, "15")])
def test_of_what_was_said_and_what_lies_there_either_is_right_with_one_tap(tapped: str, bet: str, dealt: bool) -> None:
    scene = said_and_seen()
    if dealt:
        deal(scene)
        assert asked(scene.seen) == ["Seat 1: 10 was said and 25 lies there. Which is right?"] and not scene.faults
    if tapped == OTHER:
        (question,) = scene.seen.questions
        scene.say(**{**question.choices[-1].operation, "amount": "15"})
        scene.look()
    else:
        answer(scene, tapped)
    assert not scene.seen.questions and not scene.faults
    if not dealt:
        deal(scene)
    assert scene.bets(1)[0][:2] == ("bet", bet) and not scene.seen.questions and not scene.faults


def test_other_chips_after_the_answer_are_asked_about_again() -> None:
    scene = said_and_seen()
    answer(scene, "10")
    scene.lay(1, "green red")
    assert asked(scene.look()) == ["Seat 1: 10 was said and 30 lies there. Which is right?"]


@pytest.mark.parametrize("tapped", ["5", "25"])
def test_an_assumed_bet_that_does_not_lie_there_is_asked_about_until_one_is_said(tapped: str) -> None:
    scene = ChipRound()
    deal(scene)
    scene.lay(1, "green")
    scene.look()
    assert asked(scene.seen) == ["Seat 1: the bet is taken to be 5 and 25 lies there. Which is right?"]
    assert answers(scene) == ["5", "25", OTHER]
    scene.lay(1, "? green")
    scene.look()
    assert len(scene.seen.questions) == 1
    scene.lay(1, "green")
    scene.look()
    answer(scene, tapped)
    assert not scene.seen.questions and scene.bets(1) == [("bet", tapped, "said")]


@pytest.mark.parametrize("dealt", [False, True])
def test_a_doubt_without_a_guess_offers_what_the_bet_is_taken_to_be(dealt: bool) -> None:
    scene = ChipRound()
    scene.make(ch.UsualBet(seat=1, amount="15"))
    scene.lay(1, "? red")
    scene.look()
    if dealt:
        deal(scene)
    assert answers(scene) == ["15", OTHER]
    answer(scene, "15")
    assert not scene.seen.questions
    if not dealt:
        deal(scene)
    assert scene.bets(1) == [("bet", "15", "said")]


def test_once_dealt_in_a_seat_is_offered_what_it_is_taken_to_bet() -> None:
    scene = betting("? red")
    assert answers(scene) == [OTHER]
    deal(scene)
    assert answers(scene) == ["5", OTHER]


def test_beside_a_double_no_other_amount_is_asked_for() -> None:
    """What is counted there by then is the sum of two bets."""
    scene = betting("~ red red")
    scene.cards("1 5S", "0 6H", "1 6S", "0 back")
    scene.look()
    assert answers(scene) == ["10", OTHER]
    scene.say("double", seat=1, amount="10", hand=1)
    scene.cards("1 9D")
    scene.look()
    assert answers(scene) == ["10"]


@pytest.mark.parametrize("said", [(), ("10",)])
def test_nothing_is_asked_about_a_round_that_was_called_off(said: tuple[str, ...]) -> None:
    scene = betting("? red")
    for amount in said:
        scene.say("place-bet", seat=1, amount=amount)
        scene.lay(1, "green")
        scene.look()
    deal(scene)
    assert scene.seen.questions
    scene.say("call-off")
    assert not scene.look().questions


@pytest.mark.parametrize("game", ["blackjack", "pontoon", "punto-banco"])
def test_every_game_is_called_off_by_the_same_word(game: str) -> None:
    named = game_named(game)
    rules = next(iter(named.presets().values()))
    named.check(rules, {"op": CALL_OFF})


def test_a_stake_of_pontoon_is_answered_in_its_own_words() -> None:
    scene = betting("~ white white", game="pontoon")
    (question,) = scene.seen.questions
    assert dict(question.choices[-1].operation) == {"op": "stake", "seat": 1, "amount": ""}


def test_bets_with_a_place_of_their_own_are_answered_there() -> None:
    scene = ChipRound("punto-banco", "eight-deck")
    scene.lay(1, "~ green red", bet="tie")
    scene.look()
    assert answers_of(scene) == [("30", "tie"), (OTHER, "tie")]
    scene.say("place-bet", seat=1, amount="10", bet="tie")
    assert not scene.look().questions
    scene.lay(1, "green", bet="tie")
    scene.look()
    assert answers_of(scene) == [("10", "tie"), ("25", "tie"), (OTHER, "tie")]
    scene.say("place-bet", seat=1, amount="10", bet="tie")
    assert not scene.look().questions


def answers_of(scene: ChipRound) -> list[tuple[str, str]]:
    (question,) = scene.seen.questions
    return [(it.words, str(it.operation["bet"])) for it in question.choices]


def test_a_bet_may_be_said_again_and_nothing_else_that_changes_nothing() -> None:
    scene = ChipRound()
    scene.say("place-bet", seat=1, amount="10")
    scene.say("place-bet", seat=1, amount="10")
    scene.say("sweep-bets")
    with pytest.raises(ch.ChangeError, match="cannot be said now"):
        scene.say("sweep-bets")


def test_a_bet_that_was_said_in_other_words_may_be_said_again() -> None:
    """A keypad writes ten as 10.00 where it was tapped together."""
    scene = betting("green")
    scene.say("place-bet", seat=1, amount="10.00")
    scene.look()
    assert answers(scene) == ["10", "25", OTHER]
    answer(scene, "10")
    assert not scene.seen.questions
