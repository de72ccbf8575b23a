"""A wrong payout stays said until it is right, or said to be fine; a right one is wrong when more is laid down."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from chips_stand_ins import ChipRound, asked, betting, check_at, reveal

from advisor.games.contract import Place
from advisor.money import Verdict
from advisor.table import changes as ch
from advisor.table import check
from advisor.table.bets_memory import Spot
from advisor.table.words import undo_words

RIGHT = Verdict.CORRECT


def overpaid() -> ChipRound:
    """Seat 1 won 10 with twenty against 26 and was paid 15."""
    scene = betting("red red")
    scene.cards("1 10S", "0 6H", "1 QS", "0 back")
    scene.look()
    scene.say("stand", seat=1, hand=1)
    reveal(scene, "10H", "KH")
    scene.lay(1, "red red", "red red red")
    scene.look()
    (said,) = scene.faults
    assert said.startswith("Seat 1: over by 5. ")
    assert said.endswith(
        " Pull the whole payout back before the rack, take back one red, and pay again: never leave it half corrected."
    )
    return scene


@pytest.mark.parametrize(
    "between",
    [(), ("? red red",), ("red red", "? red red red"), ("?",), ("red red", "red red red")],
    ids=["hidden", "one stack in doubt", "one sure, one in doubt", "nothing but doubt", "glanced at"],
)
def test_a_hand_that_passes_over_a_wrong_payout_neither_clears_nor_turns_it(between: tuple[str, ...]) -> None:
    scene = overpaid()
    said = scene.faults
    scene.lay(1, *between)
    scene.look()
    assert scene.faults == said
    scene.lay(1, "red red", "red red red")
    scene.look()
    assert scene.faults == said


def test_a_glimpse_of_right_chips_is_not_enough() -> None:
    """What does not lie still for a while is not judged."""
    scene = overpaid()
    for stacks in (("red red", "red red"), ("red red", "red red red")):
        scene.lay(1, *stacks)
        scene.glance()
    assert ["over by 5" in it for it in scene.faults] == [True]


def test_chips_that_were_only_covered_when_it_seemed_right_are_found_again() -> None:
    scene = overpaid()
    scene.lay(1, "red red", "red red")
    scene.look()
    assert not scene.faults
    scene.lay(1, "red red", "red red red")
    scene.look()
    assert ["over by 5" in it for it in scene.faults] == [True]


def pushed() -> ChipRound:
    """Seat 1's 25 push with twenty against twenty, and nothing has been touched."""
    scene = betting("green")
    scene.cards("1 10S", "0 6H", "1 QS", "0 back")
    scene.look()
    scene.say("stand", seat=1, hand=1)
    reveal(scene, "4H", "KH")
    scene.look()
    assert check_at(scene.seen, 1).words[0].endswith("25 should lie there and 25 does.")
    return scene


def won() -> ChipRound:
    """Seat 1 won 25 and was paid 25."""
    scene = betting("green")
    scene.cards("1 10S", "0 6H", "1 QS", "0 back")
    scene.look()
    scene.say("stand", seat=1, hand=1)
    reveal(scene, "10H", "KH")
    scene.look()
    scene.lay(1, "green", "green")
    assert check_at(scene.look(), 1).verdict is RIGHT and not scene.faults
    return scene


def natural() -> ChipRound:
    """Seat 1 has a blackjack and was paid three to two at once, while seat 2 is still to play."""
    scene = betting("red red")
    scene.cards("1 AS", "2 9S", "0 6H", "1 KS", "2 8S", "0 back")
    scene.look()
    scene.lay(1, "red red", "red red red")
    assert check_at(scene.look(), 1).verdict is RIGHT and not scene.faults
    return scene


def split() -> ChipRound:
    """Seat 1 split eights and won with both."""
    scene = betting("red red")
    scene.cards("1 8S", "0 6H", "1 8D", "0 back")
    scene.look()
    scene.lay(1, "red red", "red red")
    scene.say("split", seat=1, hand=1)
    scene.cards("1 10C", "1.2 9C")
    scene.say("stand", seat=1, hand=2)
    scene.look()
    reveal(scene, "10H", "KH")
    scene.lay(1, "green red red red")
    assert check_at(scene.look(), 1).verdict is RIGHT and not scene.faults
    return scene


@pytest.mark.parametrize("settled", [pushed, won, natural, split])
def test_more_than_what_is_right_is_over_and_said_to_be_so(settled: Callable[[], ChipRound]) -> None:
    scene = settled()
    lay = scene.chips[Spot(1)]
    scene.lay(1, *lay, "red")
    assert check_at(scene.look(), 1).verdict is Verdict.OVER
    assert ["over by 5" in it for it in scene.faults] == [True]
    scene.lay(1, *lay, "? red")
    scene.look()
    assert ["over by 5" in it for it in scene.faults] == [True]
    scene.lay(1, *lay)
    assert check_at(scene.look(), 1).verdict is RIGHT and not scene.faults


@pytest.mark.parametrize("left", [(), ("red",)], ids=["all", "most of it"])
@pytest.mark.parametrize("settled", [pushed, won, natural, split])
def test_once_the_player_took_what_was_right_new_chips_are_his_next_bet(
    settled: Callable[[], ChipRound], left: tuple[str, ...]
) -> None:
    scene = settled()
    scene.lay(1, *left)
    assert check_at(scene.look(), 1).words == ("Seat 1: was correct.",) and not scene.faults
    scene.lay(1, "black")
    assert check_at(scene.look(), 1).words == ("Seat 1: was correct.",)
    assert not scene.faults and not scene.seen.questions


def test_the_next_bet_after_a_lost_one_is_no_error() -> None:
    scene = betting("green")
    scene.cards("1 10S", "0 6H", "1 QS", "0 back")
    scene.look()
    scene.say("stand", seat=1, hand=1)
    reveal(scene, "5H", "10H")
    scene.look()
    scene.lay(1)
    assert check_at(scene.look(), 1).verdict is RIGHT
    scene.lay(1, "red red")
    scene.look()
    assert not scene.faults and not scene.seen.questions


def test_chips_taken_of_what_was_right_and_then_over_are_not_said_to_be_short() -> None:
    scene = won()
    scene.lay(1, "green", "green", "red")
    scene.look()
    scene.lay(1, "green")
    scene.look()
    assert scene.faults == ["Seat 1: was over by 5, and since then chips were taken. Count what is owed by hand."]
    for bet in ("black", "green green red"):  # the next bet may happen to be the very chips that were too many
        scene.lay(1, bet)
        scene.look()
        assert ["was over by 5" in it for it in scene.faults] == [True]


def test_a_player_who_takes_what_he_was_paid_bit_by_bit_is_not_short_again() -> None:
    scene = overpaid()
    for stacks, wrong in (
        (("red red", "red"), True),
        (("red red", "red red"), False),
        (("red red", "red"), False),
        (("red red",), False),
        ((), False),
    ):
        scene.lay(1, *stacks)
        scene.look()
        assert bool(scene.faults) == wrong


def test_somebody_may_say_that_it_is_fine_and_other_wrong_chips_are_said_again() -> None:
    scene = overpaid()
    scene.say("settle", seat=1, hand=1)
    assert not scene.faults
    scene.look()
    assert not scene.faults
    scene.lay(1, "red red", "red red red red")
    scene.look()
    assert ["over by 10" in it for it in scene.faults] == [True]


def fine(scene: ChipRound) -> None:
    """Somebody taps that the wrong payout is fine."""
    (fault,) = scene.wrong
    (choice,) = fault.choices
    assert choice.words == "It is fine as it lies" and choice.place == Place(1)
    said = dict(choice.operation)
    change = ch.read_change(said if said["op"] == "found-fine" else {"op": "tell", "operation": said})
    check(scene.state, change)
    scene.make(change)


def after_paid(scene: ChipRound) -> None:
    scene.say("settle", seat=1, hand=1)
    scene.lay(1, "red red", "red red red red")
    scene.look()


def after_clearing(scene: ChipRound) -> None:
    scene.make(ch.CardsCleared())


def after_ending(scene: ChipRound) -> None:
    scene.make(ch.EndRound())
    scene.look()


@pytest.mark.parametrize("when", [lambda _: None, after_paid, after_clearing, after_ending])
def test_every_wrong_payout_may_be_said_to_be_fine(when: Callable[[ChipRound], None]) -> None:
    scene = overpaid()
    when(scene)
    fine(scene)
    assert not scene.faults
    scene.look()
    assert not scene.faults
    if scene.state.round == 1:
        scene.make(ch.CardsCleared())
        assert not scene.faults
        scene.look()
        assert not scene.faults


def test_a_wrong_payout_may_be_said_to_be_fine_before_its_turn_comes() -> None:
    """Seat 2 is paid first, and seat 1 was paid too much already."""
    scene = betting("red red")
    scene.cards("1 10S", "2 9S", "0 6H", "1 QS", "2 10D", "0 back")
    scene.look()
    for seat in (1, 2):
        scene.say("stand", seat=seat, hand=1)
    reveal(scene, "10H", "KH")
    scene.lay(1, "red red", "red red red")
    scene.look()
    assert scene.played.step_place == Place(2)
    fine(scene)
    assert not scene.faults and scene.played.step_place == Place(2)


def test_what_was_said_to_be_fine_is_taken_back_before_the_end_of_the_round_is() -> None:
    scene = overpaid()
    scene.make(ch.EndRound())
    scene.look()
    fine(scene)
    assert undo_words(scene.state) == "that the payout of seat 1 is fine"
    with pytest.raises(ch.ChangeError, match="no round to end"):
        check(scene.state, ch.EndRound())
    scene.make(ch.Undo())
    assert len(scene.faults) == 1 and undo_words(scene.state) == "the end of the round"


def test_what_was_said_before_it_was_found_wrong_does_not_make_it_fine() -> None:
    scene = betting("red red")
    scene.cards("1 10S", "0 6H", "1 QS", "0 back")
    scene.look()
    scene.say("stand", seat=1, hand=1)
    reveal(scene, "10H", "KH")
    scene.say("settle", seat=1, hand=1)
    scene.lay(1, "red red", "red red red")
    scene.look()
    assert ["over by 5" in it for it in scene.faults] == [True]


def after_the_round(scene: ChipRound) -> Iterator[list[str]]:
    scene.make(ch.CardsCleared())
    yield scene.faults
    scene.look()
    yield scene.faults


def test_a_wrong_payout_outlives_its_round_until_the_next_card() -> None:
    scene = overpaid()
    for faults in after_the_round(scene):
        assert [it.startswith("From the last round: Seat 1: over by 5.") for it in faults] == [True]
    scene.cards("1 5S")
    assert not scene.faults
    scene.look()
    assert not scene.faults


def test_a_round_whose_end_is_taken_back_has_its_wrong_payout_again() -> None:
    scene = overpaid()
    said = scene.faults
    scene.make(ch.EndRound())
    scene.look()
    scene.make(ch.Undo())
    scene.look()
    assert scene.faults == said


def test_a_payout_put_right_after_the_cards_were_cleared_is_right() -> None:
    scene = overpaid()
    assert all(after_the_round(scene))
    scene.lay(1, "red red", "red red")
    scene.look()
    assert not scene.faults


def test_a_void_round_leaves_nothing_to_pay() -> None:
    scene = overpaid()
    scene.make(ch.VoidRound())
    scene.look()
    assert not scene.faults


def disputed() -> ChipRound:
    """Seat 1 bet 10, ten more lay beside it while the dealer drew, and the dealer went bust."""
    scene = betting("red red")
    scene.cards("1 10S", "0 6H", "1 QS", "0 back")
    scene.look()
    scene.say("stand", seat=1, hand=1)
    reveal(scene, "10H")
    scene.lay(1, "red red", "red red")
    scene.look()
    assert ["the bet was 10" in it for it in scene.faults] == [True]
    scene.cards("0 KH")
    return scene


def test_chips_that_lay_beside_the_bet_before_the_end_pay_nobody() -> None:
    scene = disputed()
    words = "Seat 1: 20 lay there before anything was paid, and the bet was 10. Count it by hand."
    for stacks in (("red red", "red red"), ("? red red",), ("red red red", "red")):
        scene.lay(1, *stacks)
        scene.look()
        assert asked(scene.seen) == [words] and not scene.faults and not scene.seen.checks
    scene.say("settle", seat=1, hand=1)
    scene.look()
    assert not asked(scene.seen) and not scene.faults and not scene.seen.checks


def test_a_payout_that_comes_after_the_dispute_is_judged() -> None:
    scene = disputed()
    scene.look()
    scene.lay(1, "red red", "red red", "red red")
    assert check_at(scene.look(), 1).verdict is Verdict.OVER
    scene = disputed()
    scene.look()
    for stacks in (("red red",), ("red red", "red red")):
        scene.lay(1, *stacks)
        scene.look()
        assert not asked(scene.seen) and not scene.faults
    assert check_at(scene.seen, 1).verdict is RIGHT


def test_a_dispute_that_a_double_explains_is_none() -> None:
    scene = betting("red red")
    scene.cards("1 8S", "0 6H", "1 3S", "0 back")
    scene.look()
    scene.lay(1, "red red", "red red")
    scene.look()
    scene.say("double", seat=1, hand=1, amount="10")
    scene.cards("1 10D")
    scene.look()
    reveal(scene, "10H", "KH")
    scene.look()
    assert not asked(scene.seen) and not scene.faults
    scene.lay(1, "red red", "red red", "red red red red")
    assert check_at(scene.look(), 1).verdict is RIGHT


def forgotten() -> ChipRound:
    """Seat 1 won 10, nothing was laid, and somebody said that it is paid."""
    scene = betting("red red")
    scene.cards("1 10S", "0 6H", "1 QS", "0 back")
    scene.look()
    scene.say("stand", seat=1, hand=1)
    reveal(scene, "10H", "KH")
    for _ in range(2):
        scene.look()
        assert not scene.faults and not scene.seen.checks
    scene.say("settle", seat=1, hand=1)
    return scene


def test_a_payout_that_was_forgotten_is_short_once_it_was_said_to_be_paid() -> None:
    scene = forgotten()
    scene.look()
    (said,) = scene.faults
    assert said.startswith("Seat 1: short by 10. ") and said.endswith("it has not been settled yet. Add two red.")
    (fault,) = scene.wrong
    assert [choice.words for choice in fault.choices] == ["It is fine as it lies"]
    scene.lay(1, "red red", "red red")
    assert check_at(scene.look(), 1).verdict is RIGHT and not scene.faults
    scene = forgotten()
    scene.look()
    fine(scene)
    scene.look()
    assert not scene.faults


@pytest.mark.parametrize("then", [("red red", "red red"), (), ("? red red",)], ids=["paid", "taken", "covered"])
def test_a_payout_that_comes_a_moment_after_it_was_said_or_is_taken_is_not_short(then: tuple[str, ...]) -> None:
    scene = forgotten()
    scene.glance()
    assert not scene.faults
    scene.lay(1, *then)
    scene.look()
    scene.look()
    assert not scene.faults


def test_a_player_who_leaves_his_bet_and_takes_what_he_was_paid_is_not_short() -> None:
    scene = won()
    scene.say("settle", seat=1, hand=1)
    scene.lay(1, "green")
    for _ in range(3):
        scene.look()
        assert not scene.faults
