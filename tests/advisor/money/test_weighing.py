"""Open chips are weighed by their readings, by what dealers do, and by both pictures; sure ones are what they are."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.games.blackjack import HouseRules
from advisor.money import (
    DEFAULT_CHIPS,
    SpotSeen,
    StackSeen,
    Verdict,
    likely_worth,
    parse_ended,
    sweep_bet,
    verify_spot,
    weighing,
)
from advisor.money.weighing import AT_MOST, MOST, Weighed, weighed

RULES = HouseRules()
HERE, BESIDE = (0.0, 0.0), (60.0, 0.0)


def stack(*said: tuple[str, float], at: tuple[float, float] | None = None) -> StackSeen:
    """Open, with these readings ("red red", "white"), or sure where there is one that is certain."""
    readings = tuple((tuple(text.split()), chance) for text, chance in said)
    sure = len(said) == 1 and said[0][1] == 1
    order = next(order for order, _ in readings if order)
    return StackSeen(order, "" if sure else "its chips could not be counted surely", not sure, readings, at)


def of(before: list[StackSeen], after: list[StackSeen], outcome: str) -> Weighed:
    found = weighed(
        SpotSeen("seat 1", tuple(before)), SpotSeen("seat 1", tuple(after)), parse_ended(outcome), RULES, DEFAULT_CHIPS
    )
    assert found is not None
    return found


def test_a_stack_that_stayed_is_told_by_both_pictures() -> None:
    lay = stack(("red red red", 0.5), ("red red", 0.45), at=HERE)
    stayed = stack(("red red", 0.9), ("red red red", 0.05), at=HERE)
    pushed = of([lay], [stayed], "push")
    assert pushed.lay[0] == pushed.lies[0] == ("red", "red") and pushed.chance > 0.9


def test_a_stack_that_was_seen_to_be_touched_is_told_by_its_own_picture_alone() -> None:
    """A chip that was taken off a pushed bet: both pictures are hardly sure, and would else be taken for one stack."""
    lay = stack(("red red red", 0.87), ("red red", 0.08), at=HERE)
    left = stack(("red red", 0.9), ("red red red", 0.09), at=HERE)
    nobody_knows, touched, untouched = (
        of([lay], [replace(left, kept=kept)], "push").chances for kept in (None, 0.05, 0.99)
    )
    short = Fraction(-5)
    assert touched[short] > touched[Fraction(0)], "the red chip is gone"
    assert untouched[short] < nobody_knows[short] < touched[short]
    assert untouched[Fraction(0)] > 0.95


def test_what_hangs_on_chips_that_may_be_something_else_altogether_is_never_all_but_sure() -> None:
    """As a payout in chips that seem to be none of the set."""
    lay = stack(("red red red red", 0.9), ("red red red", 0.1), at=HERE)
    foreign = stack(("red red red red", 0.45), at=BESIDE)
    sure = stack(("red red red red", 1.0), at=BESIDE)
    paid, doubted = (of([lay], [replace(lay, kept=0.99), it], "win") for it in (sure, foreign))
    assert doubted.chances[Fraction(0)] > 0.9 and doubted.chance == AT_MOST < paid.chance


def test_where_it_stands_elsewhere_the_payment_alone_says_what_it_was() -> None:
    lay = stack(("red red red", 0.5), ("red red", 0.45), at=HERE)
    won = of([lay], [stack(("red red", 1.0), at=HERE), stack(("red red", 1.0), at=BESIDE)], "win")
    assert [*won.lay, *won.lies] == [("red", "red")] * 3


def test_a_doubled_bet_is_as_large_as_the_first() -> None:
    lay = [stack(("red red red", 0.55), ("red red", 0.45)), stack(("red red", 1.0))]
    lost = of(lay, [], "double-lose")
    assert lost.lay[0] == ("red", "red")


def test_the_right_payment_and_usual_slips_are_likelier_than_any_other_amount() -> None:
    sure = stack(("red red", 1.0))
    usual = of([sure], [sure, stack(("red green", 0.5), ("red", 0.45))], "win")
    assert usual.lies[1] == ("red",), "a chip short, not 20 over"
    right = of([sure], [sure, stack(("red", 0.6), ("red red", 0.35))], "win")
    assert right.lies[1] == ("red", "red")


def test_of_a_doubled_bet_that_was_lost_one_stack_may_not_have_been_taken() -> None:
    lay = [stack(("black black black", 1.0)), stack(("black black black", 1.0))]
    left = of(lay, [stack(("black black black", 0.5), ("black black", 0.45), ("red", 0.05))], "double-lose")
    assert left.lies == (("black", "black", "black"),) and left.chance > 0.9


PRINT = StackSeen(("white",), "it may be print on a card beside the spot", True, (((), 0.7), (("white",), 0.3)))


def test_what_may_be_print_is_no_chips_where_that_is_likelier() -> None:
    bet = stack(("red red", 1.0))
    pushed = of([bet, PRINT], [bet, PRINT], "push")
    assert pushed.lay == pushed.lies == (("red", "red"), ()) and 0.6 < pushed.chance < 1
    said = verify_spot(SpotSeen("seat 1", (bet, PRINT)), SpotSeen("seat 1", (bet, PRINT)), parse_ended("push"), RULES)
    assert said.verdict is Verdict.CORRECT and said.chance is not None and "may be print" in said.notices[0]
    assert likely_worth(SpotSeen("seat 1", (PRINT,)), DEFAULT_CHIPS) == (0, pytest.approx(0.7))
    swept = sweep_bet(SpotSeen("seat 1", (PRINT,)), RULES)
    assert swept.amount is None and "There are probably no chips: count it by hand." in swept.faults[0].words
    swept = sweep_bet(SpotSeen("seat 1", (bet, PRINT)), RULES)
    assert swept.amount is None and "It is probably 10: count it by hand." in swept.faults[0].words


def test_what_stands_where_print_was_may_be_said_to_be_no_chips() -> None:
    bet = stack(("red red", 1.0), at=HERE)
    chips = StackSeen(("black", "black"), readings=((("black", "black"), 0.99), (("black",), 0.01)), at=BESIDE)
    before, after = SpotSeen("seat 1", (bet, replace(PRINT, at=BESIDE))), SpotSeen("seat 1", (bet, chips))
    said = verify_spot(before, after, parse_ended("push"), RULES)
    assert said.verdict is Verdict.CORRECT and "what was read as 2 black may be no chips" in said.notices[0]


def test_of_a_bet_that_may_be_none_what_is_said_is_less_likely_by_as_much() -> None:
    """Then the bet was another one than what was found, and what it came to nobody knows."""
    sure, doubtful = (stack(("red red red red", 0.9), *none) for none in ((), (("", 0.2),)))
    chances = [of([bet], [stack(("red red red red red", 1.0))], "push").chance for bet in (sure, doubtful)]
    assert chances[1] < 0.8 * chances[0]


@pytest.mark.parametrize("outcome", ["win", "push", "lose", "double-win"])
def test_where_there_may_have_been_no_bet_at_all_nothing_is_said(outcome: str) -> None:
    nothing, paid = SpotSeen("seat 1", (PRINT,)), SpotSeen("seat 1", (stack(("red red red red", 1.0)),))
    for after in (nothing, paid, SpotSeen("seat 1")):
        assert weighed(nothing, after, parse_ended(outcome), RULES, DEFAULT_CHIPS) is None
        assert verify_spot(nothing, after, parse_ended(outcome), RULES).verdict is Verdict.UNSURE


@pytest.mark.parametrize(
    "doubtful",
    [
        StackSeen((), "something hides a part of it"),
        StackSeen(("red",), "something hides a part of it"),
        StackSeen(("red",), "its colours could not be told apart surely", open=True),
        stack(("grey", 0.9)),
        stack(("red", 0.6), ("grey", 0.3)),
    ],
)
def test_where_more_than_count_and_colours_is_in_doubt_nothing_is_said(doubtful: StackSeen) -> None:
    sure = SpotSeen("seat 1", (stack(("red red", 1.0)),))
    other = SpotSeen("seat 1", (doubtful,))
    for before, after in ((sure, other), (other, sure), (SpotSeen("seat 1"), sure)):
        assert weighed(before, after, parse_ended("push"), RULES, DEFAULT_CHIPS) is None
    assert likely_worth(other, DEFAULT_CHIPS) is None


def test_readings_that_are_worth_the_same_speak_for_that_amount_together() -> None:
    spot = SpotSeen("seat 1", (stack(("green", 0.4), ("red red red red red", 0.3), ("white red red red red", 0.25)),))
    assert likely_worth(spot, DEFAULT_CHIPS) == (Fraction(25), pytest.approx(0.7))
    assert likely_worth(SpotSeen("seat 1"), DEFAULT_CHIPS) == (0, 1)


def test_of_many_stacks_that_may_be_many_things_the_likeliest_ways_alone_are_weighed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Five that stayed and two that came, each of which may be eight things of eight worths: 30 000 ways to have bet
    alone, each of them with as many ways to lie there after."""
    colours = ("white", "red", "green", "black")

    def doubtful(k: int) -> StackSeen:
        said = [(" ".join([colours[(k + n) % 4]] * (n + 1)), 0.3 / (n + 1)) for n in range(8)]
        return stack(*said, at=(60.0 * k, 0.0))

    settled: list[int] = []
    stood: list[int] = []
    settle, where = weighing._settling, weighing._where_they_stood

    def settling(*words: Any) -> Any:
        settled.append(1)
        return settle(*words)

    def where_they_stood(*words: Any) -> Any:
        found = where(*words)
        stood.append(len(found))
        return found

    monkeypatch.setattr(weighing, "_settling", settling)
    monkeypatch.setattr(weighing, "_where_they_stood", where_they_stood)
    lay = [doubtful(k) for k in range(5)]
    assert 0 < of(lay, [*lay, doubtful(7), doubtful(8)], "win").chance <= 1
    assert 0 < len(settled) <= MOST and 0 < max(stood) <= MOST


STACKS = st.lists(
    st.lists(
        st.tuples(
            st.lists(st.sampled_from(["white", "red", "green"]), max_size=3).map(" ".join),
            st.floats(0.01, 0.9),
        ),
        min_size=1,
        max_size=3,
        unique_by=lambda it: it[0],
    )
    .filter(lambda said: any(text for text, _ in said))
    .map(lambda said: [(text, chance / sum(each for _, each in said)) for text, chance in said]),
    min_size=1,
    max_size=2,
)


@settings(max_examples=80, deadline=None)
@given(STACKS, STACKS, st.sampled_from(["win", "push", "lose", "double-win", "win,lose", "surrender"]))
def test_what_is_weighed_is_one_of_the_readings_and_its_chance_is_one(
    before: list[list[tuple[str, float]]], after: list[list[tuple[str, float]]], outcome: str
) -> None:
    spots = [
        SpotSeen("seat 1", tuple(stack(*said, at=(60.0 * k, 0.0)) for k, said in enumerate(stacks)))
        for stacks in (before, after)
    ]
    rules = HouseRules(surrender="late")
    found = weighed(spots[0], spots[1], parse_ended(outcome), rules, DEFAULT_CHIPS)
    if found is None:
        return
    assert 0 < found.chance <= 1
    for orders, spot in zip((found.lay, found.lies), spots, strict=True):
        for k, (chosen, given_) in enumerate(zip(orders, spot.stacks, strict=True)):
            allowed = {order for order, _ in given_.readings}
            if spot is spots[1] and k < len(spots[0].stacks):  # a stack that stayed may be what it was before
                allowed |= {order for order, _ in spots[0].stacks[k].readings}
            assert chosen in allowed
    said = verify_spot(spots[0], spots[1], parse_ended(outcome), rules)
    if said.chance is not None:
        assert said.verdict is not Verdict.UNSURE and said.notices
