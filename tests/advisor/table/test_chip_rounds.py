"""Whole rounds with their chips: doubles and splits lie beside the first bet, and a wrong payout stays said."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from chips_stand_ins import ChipRound, asked, check_at

from advisor.games.contract import Place
from advisor.money import Verdict
from advisor.table import changes as ch
from advisor.table import check
from advisor.table.bets_memory import Spot
from advisor.table.words import undo_words

RIGHT, WRONG = Verdict.CORRECT, (Verdict.SHORT, Verdict.OVER)


def betting(*stacks: str, rules: str = "home") -> ChipRound:
    """A bet is laid at seat 1 and read."""
    scene = ChipRound(rules=rules)
    scene.lay(1, *stacks)
    scene.look()
    return scene


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


def reveal(scene: ChipRound, *cards: str) -> None:
    """The dealer turns the hole card and draws."""
    hole = next(card for card in scene.state.cards if card.face == "back")
    scene.make(ch.CardShown(card=hole.card, face=cards[0]))
    scene.cards(*(f"0 {card}" for card in cards[1:]))


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


# The wrong one is never left half done.


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


@pytest.mark.parametrize("settled", [pushed, won])
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
@pytest.mark.parametrize("settled", [pushed, won])
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
    scene.lay(1, "black")
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
