"""Chips that nobody touched are what they were; of chips that cannot be read, a touch is said all the same."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from chips_stand_ins import NO_CARDS, Looking, asked, hand, place, playing, words

from advisor.table import fold, played
from advisor.table.bets_seen import TOUCHED
from advisor.table.bets_since import since, surer
from advisor.table.changes import Tell
from vision.chips.crops import Image
from vision.chips.spots import SpotReading
from vision.chips.twice import OTHERWISE

BOX = (0.0, 0.0, 60.0, 60.0)


def picture(turned: int = 0, noise: int = 0) -> Image:
    """Chips as no others look; ``turned`` by some pixels they are others."""
    plain = np.random.default_rng(4).integers(40, 215, (10, 10, 3)).repeat(6, axis=0).repeat(6, axis=1)
    noisy = np.roll(plain, turned, axis=0) + np.random.default_rng(noise).normal(0, 4, plain.shape)
    return np.asarray(np.clip(noisy, 0, 255), np.uint8)


def seen(*stacks: str, turned: int = 0, noise: int = 0) -> SpotReading:
    """Seat 2's place with these stacks, and what the picture shows there."""
    reading = place(2, *stacks)
    placed = tuple(
        replace(it, stack=replace(it.stack, box=(10.0, 10.0, 50.0, 50.0)), at=(it.at[0] + 40 * k, it.at[1]))
        for k, it in enumerate(reading.stacks)
    )
    return replace(reading, stacks=placed, box=BOX, part=picture(turned, noise))


def test_what_was_read_surely_holds_for_a_later_look_at_the_same_chips() -> None:
    now = since(seen("red red"), seen("~ red red", noise=1))
    assert now.same is True and now.reading.stacks[0].stack.sure
    assert not since(seen("red red"), seen("~ red red", turned=6)).reading.stacks[0].stack.sure
    assert not since(None, seen("~ red red")).reading.stacks[0].stack.sure


def test_the_same_chips_cannot_be_surely_two_things() -> None:
    now = since(seen("red red"), seen("red red red", noise=1))
    assert now.same is True and now.reading.stacks[0].stack.reason == OTHERWISE
    assert since(seen("red red"), seen("red red red", turned=6)).reading.stacks[0].stack.sure


@pytest.mark.parametrize(
    ("earlier", "later", "same"),
    [
        (seen("red"), seen("? red", noise=1), True),
        (seen("red"), seen("red", turned=6), False),
        (seen("red"), replace(seen("red"), part=None), None),
        (seen("red"), replace(seen("red"), box=(1.0, 0.0, 61.0, 60.0)), None),
        (seen("red"), seen(), None),
        (seen(), seen(), None),
    ],
)
def test_whether_chips_were_touched_is_said_where_it_can_be_seen(
    earlier: SpotReading, later: SpotReading, same: bool | None
) -> None:
    assert since(earlier, later).same is same


def test_a_later_look_is_compared_with_what_says_more_of_the_same_chips() -> None:
    sure, unsure = seen("red red"), seen("~ red red red", noise=1)
    assert surer(sure, since(sure, unsure)) is sure
    for earlier, later in ((unsure, sure), (sure, seen("~ red red", turned=6)), (None, unsure)):
        assert surer(earlier, since(earlier, later)) == later


def test_a_bet_that_cannot_be_read_any_more_but_was_not_touched_is_no_question() -> None:
    looking = Looking()
    looking.look(NO_CARDS, seen("red red"))
    now = looking.look(playing(hand(2, ("bet", 10))), seen("? red red", noise=1))
    assert asked(now) == [] and words(now) == []


def test_a_bet_that_cannot_be_read_and_was_touched_is_asked_about_at_once() -> None:
    looking = Looking()
    looking.look(NO_CARDS, seen("? red red"))
    now = looking.look(playing(hand(2, ("bet", 10))), seen("? red red", turned=6))
    assert f"Seat 2: {TOUCHED}" in asked(now)
    now = looking.look(playing(hand(2, ("bet", 10))), seen("? red red", noise=2))
    assert not any(TOUCHED in text for text in asked(now)), "it was put back"


def test_while_a_hand_is_played_chips_that_come_may_be_a_double() -> None:
    looking = Looking()
    looking.look(NO_CARDS, seen("? red red"))
    now = looking.look(playing(hand(2, ("bet", 10), active=True)), seen("? red red", turned=6))
    assert not any(TOUCHED in text for text in asked(now))


def test_a_doubt_that_wavers_from_look_to_look_is_asked_about_once() -> None:
    looking = Looking()
    first = looking.look(NO_CARDS, seen("~ red red"))
    for noise in range(1, 5):
        now = looking.look(NO_CARDS, seen("~ red red red" if noise % 2 else "~ red red", noise=noise))
        assert asked(now) == asked(first) and not now.changes


def test_other_chips_that_cannot_be_read_either_are_asked_about_anew() -> None:
    scene = Looking()
    first = scene.look(NO_CARDS, seen("~ red red"))
    (choice, *_) = first.questions[0].choices
    scene.state = fold(scene.state, Tell(operation=choice.operation))
    assert asked(scene.look(played(scene.state), seen("~ red red", noise=1))) == []
    now = scene.look(played(scene.state), seen("~ green green", turned=6))
    assert ["probably 50" in text for text in asked(now)] == [True]
