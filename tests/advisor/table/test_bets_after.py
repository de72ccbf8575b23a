"""After the first card: chips that were read and were right are agreed, whoever said the bet; no sum becomes a bet."""

from __future__ import annotations

import pytest
from chips_stand_ins import ChipRound, asked, betting

from advisor.table.bet_questions import OTHER

DEAL = ("1 10S", "0 6H", "1 9S", "0 back")
LAST = "Seat 1: the bet was 37 when it was read last and"
RIGHT_37 = ("green red red white white",)


def said(amount: str, *stacks: str) -> ChipRound:
    """Seat 1's bet could not be read and was said; then its cards came, it stood, and these chips were read."""
    scene = betting("? green")
    scene.say("place-bet", seat=1, amount=amount)
    scene.look()
    return stood(scene, *stacks)


def stood(scene: ChipRound, *stacks: str) -> ChipRound:
    scene.cards(*DEAL)
    scene.say("stand", seat=1, hand=1)
    scene.lay(1, *stacks)
    scene.look()
    return scene


def answers(scene: ChipRound) -> list[str]:
    (question,) = scene.seen.questions
    return [it.words for it in question.choices]


@pytest.mark.parametrize(
    ("then", "error"),
    [
        ("green red red", "35 lies there now: put back two white before the next card."),
        ("green green red red white white", "62 lies there now: take off one green before the next card."),
    ],
)
def test_a_bet_that_was_said_and_read_is_watched_like_one_that_was_read_before(then: str, error: str) -> None:
    scene = said("37", *RIGHT_37)
    assert not scene.faults and not scene.seen.questions
    scene.lay(1, then)
    scene.look()
    assert scene.faults == [f"{LAST} {error}"] and not scene.seen.questions
    scene.lay(1, *RIGHT_37)
    scene.look()
    assert not scene.faults and not scene.seen.questions


def test_an_assumed_bet_first_read_after_the_first_card_is_an_error_once_it_is_changed() -> None:
    scene = stood(ChipRound(), "red")
    assert scene.bets(1) == [("bet", "5", "seen")]
    scene.lay(1, "red red")
    scene.look()
    assert ["the bet was 5 when it was read last and 10 lies there now" in it for it in scene.faults] == [True]
    assert not scene.seen.questions


def test_what_was_said_and_what_lies_there_without_ever_having_been_the_same_is_asked() -> None:
    scene = said("37", "green red red")
    assert asked(scene.seen) == ["Seat 1: 37 was said and 35 lies there. Which is right?"]
    assert answers(scene) == ["37", "35", OTHER] and not scene.faults
    scene.say("place-bet", seat=1, amount="35")
    scene.look()
    assert not scene.seen.questions
    scene.lay(1, "green red")
    scene.look()
    assert ["the bet was 35 when it was read last and 30 lies there now" in it for it in scene.faults] == [True]


def test_an_answer_that_is_taken_back_is_asked_again_and_no_error() -> None:
    """The chips are as they were: it is the words that changed."""
    scene = said("37", "green red red")
    before = scene.state
    scene.say("place-bet", seat=1, amount="35")
    scene.look()
    scene.state = before
    assert asked(scene.look()) == ["Seat 1: 37 was said and 35 lies there. Which is right?"] and not scene.faults


def test_a_bet_said_where_no_chips_ever_lay_is_not_asked_about_and_one_that_went_is() -> None:
    scene = ChipRound()
    scene.lay(1)
    scene.say("place-bet", seat=1, amount="10")
    scene.look()
    assert not stood(scene).seen.questions
    assert asked(said("10").seen) == ["Seat 1: 10 was said and no chips are seen there. Which is right?"]


def test_chips_changed_before_the_deal_and_agreed_again_are_told_as_of_the_first_card() -> None:
    scene = stood(betting("green"), "green")
    scene.lay(1, "green red")
    scene.look()
    assert ["the bet was 25 when the first card came and 30 lies there now" in it for it in scene.faults] == [True]


def doubled() -> ChipRound:
    """A bet of 5 that nobody could read, doubled."""
    scene = betting("? green")
    scene.cards("1 5S", "0 6H", "1 6S", "0 back")
    scene.say("double", seat=1, amount="5", hand=1)
    scene.cards("1 9D")
    return scene


def test_the_sum_of_a_bet_and_its_double_is_no_answer_to_what_the_bet_is() -> None:
    scene = doubled()
    scene.lay(1, "red white white")
    scene.look()
    sums = [it for it in scene.seen.questions if "should lie there" in it.words]
    assert [it.words for it in sums] == [
        "Seat 1: 10 should lie there for all of its bets, and 7 lies there. Count them by hand."
    ]
    assert not sums[0].choices and not scene.faults
    scene.lay(1, "red red")
    scene.look()
    assert not scene.seen.questions
    scene.lay(1, "red red red")
    scene.look()
    assert ["was 10 when it was read last and 15 lies there now" in it for it in scene.faults] == [True]


def test_a_bet_that_was_doubled_while_it_was_asked_which_is_right_is_no_error() -> None:
    scene = betting("green")
    scene.say("place-bet", seat=1, amount="10")
    scene.look()
    scene.cards("1 5S", "0 6H", "1 6S", "0 back")
    assert answers(scene) == ["10", "25", OTHER]
    scene.say("double", seat=1, amount="10", hand=1)
    scene.cards("1 9D")
    for stacks, lies in ((("green",), 25), (("green", "red red"), 35)):
        scene.lay(1, *stacks)
        scene.look()
        words = f"Seat 1: 20 should lie there for all of its bets, and {lies} lies there. Count them by hand."
        assert asked(scene.seen) == [words] and not scene.faults


def test_a_question_of_the_bet_alone_is_gone_once_its_double_lies_there_too() -> None:
    scene = ChipRound()
    scene.cards("1 5S", "0 6H", "1 6S", "0 back", "2 10S", "2 9S")
    scene.lay(1, "white white")
    scene.look()
    scene.say("double", seat=1, amount="5", hand=1)
    scene.cards("1 9D")
    scene.look()
    assert asked(scene.seen) == [
        "Seat 1: 10 should lie there for all of its bets, and 2 lies there. Count them by hand."
    ]


def test_hands_of_a_split_are_not_answered_by_their_sum() -> None:
    scene = ChipRound()
    scene.cards("1 8S", "0 6H", "1 8D", "0 back")
    scene.say("split", seat=1, hand=1)
    scene.cards("1 10C", "1.2 9C")
    scene.say("stand", seat=1, hand=2)
    scene.lay(1, "red red red")
    (question,) = scene.look().questions
    assert "10 should lie there for all of its bets, and 15 lies there" in question.words and not question.choices


def test_a_bet_above_the_maximum_stays_named_after_the_first_card_until_it_is_within() -> None:
    scene = betting("black black black black black black")
    over = ["Seat 1 bets 600, above the maximum of 500: take 100 off."]
    assert scene.faults == over
    stood(scene, "black black black black black black")
    assert scene.faults == over and not scene.seen.questions
    scene.lay(1, "black black black black black")
    scene.look()
    assert not scene.faults
    assert asked(scene.seen) == ["Seat 1: the bet is taken to be 5 and 500 lies there. Which is right?"]
    scene.lay(1, "black black black black black black")
    scene.look()
    assert scene.faults == over and not scene.seen.questions
