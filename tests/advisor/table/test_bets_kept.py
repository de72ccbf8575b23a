"""What the chips told of payouts goes through the log: after a restart the table says what it said before."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from chips_stand_ins import ChipRound, asked, betting, check_at, reveal

from advisor.money import DEFAULT_CHIPS, SpotSeen, StackSeen, Verdict
from advisor.table import changes as ch
from advisor.table import fold
from advisor.table.bets_kept import kept, restored
from advisor.table.bets_memory import BetsMemory


def restart(scene: ChipRound) -> ChipRound:
    """The same table, and chips that lie as they lay, watched by a program that was just started."""
    data = json.loads(json.dumps(kept(scene.memory, DEFAULT_CHIPS).data))
    state = fold(scene.state, ch.read_change(data))
    assert state.number == scene.state.number
    again = ChipRound()
    again.state, again.chips, again.numbers = state, dict(scene.chips), scene.numbers
    again.memory = restored(state.chips, DEFAULT_CHIPS, state.round)
    again.look()
    return again


def decided(*hole: str) -> ChipRound:
    """Seat 1 stands on twenty with a bet of 25, and the dealer's cards are known."""
    scene = betting("green")
    scene.cards("1 10S", "0 6H", "1 QS", "0 back")
    scene.look()
    scene.say("stand", seat=1, hand=1)
    reveal(scene, *hole)
    scene.look()
    return scene


def won() -> ChipRound:
    return decided("10H", "KH")


def pushed() -> ChipRound:
    return decided("4H", "KH")


def lost() -> ChipRound:
    return decided("5H", "10H")


def test_what_was_at_stake_is_known_after_a_restart() -> None:
    scene = won()
    scene.lay(1, "green", "red")
    scene = restart(scene)
    assert ["short by 20" in it for it in scene.faults] == [True] and not scene.seen.questions
    scene.lay(1, "green", "green")
    assert check_at(scene.look(), 1).verdict is Verdict.CORRECT and not scene.faults


@pytest.mark.parametrize("hidden", [(), ("? green",)])
def test_a_wrong_payout_is_wrong_after_a_restart_whatever_hides_it(hidden: tuple[str, ...]) -> None:
    scene = won()
    scene.lay(1, "green", "green red")
    scene.look()
    before = scene.faults
    assert "over by 5" in before[0]
    scene.lay(1, *hidden)
    scene = restart(scene)
    assert scene.faults == before


def test_a_payout_that_was_said_to_be_fine_is_fine_after_a_restart() -> None:
    scene = won()
    scene.lay(1, "green", "green red")
    scene.look()
    scene.say("settle", seat=1, hand=1)
    scene = restart(scene)
    assert not scene.faults and not scene.seen.questions


@pytest.mark.parametrize("make", [won, pushed])
@pytest.mark.parametrize(("left", "new"), [((), ("black",)), (("red",), ("black",)), (None, None)])
def test_a_right_payout_is_right_after_a_restart_and_may_be_taken(
    make: Callable[[], ChipRound], left: tuple[str, ...] | None, new: tuple[str, ...] | None
) -> None:
    scene = make()
    scene.lay(1, *(("green", "green") if make is won else ("green",)))
    scene.look()
    if left is not None and new is not None:
        scene.lay(1, *left)
        scene.look()
        scene.lay(1, *new)
    scene = restart(scene)
    assert check_at(scene.seen, 1).words == ("Seat 1: was correct.",)
    assert not scene.faults and not scene.seen.questions
    if left is None:
        scene.lay(1, "black")
        scene.look()
        assert ["over by" in it for it in scene.faults] == [True]


def test_a_collected_bet_stays_collected() -> None:
    scene = lost()
    scene.lay(1)
    scene.look()
    scene.lay(1, "red red")
    scene = restart(scene)
    assert not scene.faults and not scene.seen.questions


def test_the_last_round_s_wrong_payout_is_told_after_a_restart_until_the_first_card() -> None:
    scene = won()
    scene.lay(1, "green", "green red")
    scene.look()
    scene.make(ch.CardsCleared())
    for looked in (False, True):
        if looked:
            scene.look()
        again = restart(scene)
        assert [it.startswith("From the last round: Seat 1: over by 5.") for it in again.faults] == [True]
    again.cards("1 5S")
    again.look()
    assert not again.faults


@pytest.mark.parametrize(("number", "goes_on"), [(1, True), (2, True), (3, False), (0, False)])
def test_only_the_round_itself_and_the_one_after_it_go_on_from_what_was_kept(number: int, goes_on: bool) -> None:
    """Payouts of rounds ago, which were watched without chips since, are no longer wrong."""
    change = kept(won().memory, DEFAULT_CHIPS)
    assert change.round == 1
    assert (restored(change, DEFAULT_CHIPS, number) != BetsMemory()) is goes_on


def test_stacks_that_are_found_in_another_order_are_kept_alike() -> None:
    memory = won().memory
    (spot, payout), *_ = memory.payouts.items()
    places = []
    for order in (("red", "green"), ("green", "red")):
        stake = SpotSeen("seat 1", tuple(StackSeen((colour,)) for colour in order))
        one = replace(memory, payouts={spot: replace(payout, stake=stake)})
        places.append(kept(one, DEFAULT_CHIPS).places)
    assert places[0] == places[1]


def test_what_cannot_be_read_is_as_if_nothing_had_been_kept() -> None:
    assert restored(None, DEFAULT_CHIPS, 1) == BetsMemory()
    assert restored(ch.ChipsKept(round=3, places=[{"seat": 1}]), DEFAULT_CHIPS, 3) == BetsMemory()
    scene = won()
    place = next(it for it in kept(scene.memory, DEFAULT_CHIPS).places if "stake" in it)
    unknown = ch.ChipsKept(round=1, places=[{**place, "stake": "pink", "owed": "25", "right-now": 1}])
    scene.memory = restored(unknown, DEFAULT_CHIPS, 1)
    scene.lay(1, "green", "green")
    assert "Count the payout by hand" in asked(scene.look())[0]


def dealt(scene: ChipRound) -> ChipRound:
    scene.cards("1 10S", "0 6H", "1 9S", "0 back")
    scene.say("stand", seat=1, hand=1)
    scene.look()
    return scene


@pytest.mark.parametrize("read_before", [True, False])
def test_a_bet_changed_while_the_program_was_started_again_is_an_error(read_before: bool) -> None:
    scene = betting("green green" if read_before else "? green")
    scene.say("place-bet", seat=1, amount="50")
    scene.look()
    scene.lay(1, "green", "green")
    scene = restart(dealt(scene))
    assert not scene.faults and not scene.seen.questions
    scene.lay(1, "green")
    scene = restart(scene)
    when = "when the first card came" if read_before else "when it was read last"
    back = f"Seat 1: the bet was 50 {when} and 25 lies there now: put back one green before the next card."
    assert scene.faults == [back]


def test_a_bet_with_a_place_of_its_own_is_agreed_after_a_restart_too() -> None:
    scene = betting("green")
    scene.lay(1, "red red", bet="insurance")
    scene.cards("1 10S", "0 AH", "1 9S", "0 back")
    scene.look()
    scene.say("close-insurance")
    scene.look()
    scene.lay(1, "red", bet="insurance")
    assert ["the bet was 10 when insurance was closed and 5 lies there" in it for it in restart(scene).faults] == [True]


def test_bets_that_may_still_be_changed_are_not_kept() -> None:
    scene = betting("green")
    assert not kept(scene.memory, DEFAULT_CHIPS, dealt=False).places
    assert kept(scene.memory, DEFAULT_CHIPS).places


def test_the_bets_of_another_round_are_forgotten() -> None:
    scene = dealt(betting("green"))
    change = kept(scene.memory, DEFAULT_CHIPS)
    scene.make(ch.EndRound())
    scene.memory = restored(change, DEFAULT_CHIPS, scene.state.round)
    assert scene.memory.agreed
    scene.glance()
    assert not scene.memory.agreed


def test_a_bet_in_chips_that_the_set_no_longer_has_is_not_compared_with() -> None:
    scene = dealt(betting("green"))
    change = kept(scene.memory, DEFAULT_CHIPS)
    places = [{**it, "agreed": "pink"} if "agreed" in it else it for it in change.places]
    scene.memory = restored(ch.ChipsKept(round=1, places=places), DEFAULT_CHIPS, 1)
    assert not scene.memory.agreed and scene.memory.payouts
    assert not scene.look().questions and not scene.faults
