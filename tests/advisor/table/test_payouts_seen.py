"""What holds of every place that is paid: no false alarm on the way, no wrong end without one, nothing forgotten."""

from __future__ import annotations

from fractions import Fraction

from chips_stand_ins import stack_of
from hypothesis import given
from hypothesis import strategies as st

from advisor.money import DEFAULT_CHIPS, SpotSeen, StackSeen, Verdict, format_amount
from advisor.table.payouts_seen import Due, Payout, judge, settles

HIDDEN = SpotSeen("seat 1", (StackSeen(("red",), "something hides a part of it"),))


def spot(amount: Fraction | int) -> SpotSeen:
    stacks = (StackSeen(tuple(stack_of(amount).split())),) if amount else ()
    return SpotSeen("seat 1", stacks)


@st.composite
def hands(draw: st.DrawFn) -> dict[int, Due]:
    """One to four hands of a seat, each decided: lost, pushed, or paid up to three times its bet."""
    count = draw(st.integers(1, 4))
    bets = [Fraction(draw(st.integers(1, 40))) for _ in range(count)]
    ways = st.sampled_from([Fraction(-1), Fraction(-1, 2), Fraction(0), Fraction(1), Fraction(3, 2), Fraction(3)])
    return {number: Due(bet, bet * draw(ways)) for number, bet in enumerate(bets, 1)}


def told(payout: Payout, seen: SpotSeen, dues: dict[int, Due]) -> Payout:
    return judge(payout, seen, dues, 1, DEFAULT_CHIPS)[0]


def at_stake(dues: dict[int, Due]) -> Payout:
    """What was at stake was read before anything was decided."""
    open_ = {number: Due(due.stake) for number, due in dues.items()}
    return told(Payout(), spot(total(dues)), open_)


def total(dues: dict[int, Due]) -> Fraction:
    return sum((due.stake for due in dues.values()), Fraction(0))


@given(dues=hands(), order=st.randoms(use_true_random=False))
def test_settling_hand_after_hand_raises_no_alarm_and_ends_right(dues: dict[int, Due], order: object) -> None:
    payout, lies = at_stake(dues), total(dues)
    numbers = list(dues)
    order.shuffle(numbers)  # type: ignore[attr-defined]
    for number in numbers:
        lies += dues[number].owed or 0
        if lies or not payout.is_wrong:
            payout = told(payout, spot(lies), dues)
        assert not payout.is_wrong
    if lies and any(due.owed for due in dues.values()):
        assert payout.check is not None and payout.check.verdict is Verdict.CORRECT


@given(dues=hands(), lies=st.integers(0, 400))
def test_what_lies_there_when_all_is_done_is_right_exactly_where_it_is_what_is_owed(
    dues: dict[int, Due], lies: int
) -> None:
    end = total(dues) + sum((due.owed or Fraction(0) for due in dues.values()), Fraction(0))
    done = {number: Due(due.stake, due.owed, done=True) for number, due in dues.items()}
    payout = told(at_stake(dues), spot(lies), done)
    if payout.check is None:
        assert lies == total(dues) or not lies  # not begun, or picked up or hidden
    else:
        assert (payout.check.verdict is Verdict.CORRECT) == (lies == end)


@given(dues=hands(), wrong=st.integers(1, 400), between=st.lists(st.sampled_from(["hidden", "gone"]), max_size=4))
def test_a_wrong_payout_stays_wrong_whatever_hides_it(dues: dict[int, Due], wrong: int, between: list[str]) -> None:
    payout = told(at_stake(dues), spot(wrong), dues)
    if not payout.is_wrong or payout.check is None:
        return
    expected = payout.check.expected
    for what in between:
        if expected or what == "hidden":
            payout = told(payout, HIDDEN if what == "hidden" else spot(0), dues)
        assert payout.is_wrong
    assert told(payout, spot(wrong), dues).is_wrong
    right = told(payout, spot(expected or 0), dues)
    assert right.check is not None and not right.is_wrong
    # It is right now, and what the player does with his chips is his own affair.
    assert not told(right, spot(0), dues).is_wrong


@given(dues=hands(), more=st.integers(1, 200), looks=st.lists(st.integers(0, 400), max_size=4))
def test_what_was_right_is_over_when_more_is_laid_down_unless_some_was_taken(
    dues: dict[int, Due], more: int, looks: list[int]
) -> None:
    """A split and a blackjack alike; no sentence says that something lies there where something else does."""
    done = {number: Due(due.stake, due.owed, done=True) for number, due in dues.items()}
    expected = total(dues) + sum((due.owed or Fraction(0) for due in dues.values()), Fraction(0))
    right = told(told(at_stake(dues), spot(expected), done), spot(expected), done)
    if right.check is None or right.check.verdict is not Verdict.CORRECT:
        return
    over = told(right, spot(expected + more), done)
    assert over.check is not None and over.is_wrong == bool(expected)
    if expected:
        assert over.check.verdict is Verdict.OVER and over.check.difference == more
        taken = told(right, spot(0), done)
        assert not told(taken, spot(expected + more), done).is_wrong
    payout = right
    for lies in looks:
        payout = told(payout, spot(lies), done)
        assert payout.check is not None
        if lies != expected and expected:
            assert f" and {format_amount(expected)} does" not in " ".join(payout.check.words)


@given(dues=hands())
def test_without_the_stake_there_is_no_verdict(dues: dict[int, Due]) -> None:
    open_ = {number: Due(due.stake) for number, due in dues.items()}
    payout, question = judge(told(Payout(), HIDDEN, open_), HIDDEN, dues, 1, DEFAULT_CHIPS)
    assert payout.check is None and "could not be read surely" in question


@given(dues=hands(), lies=st.integers(0, 400))
def test_after_a_restart_nothing_is_said_to_have_been_read_that_was_not_looked_at(
    dues: dict[int, Due], lies: int
) -> None:
    if lies == total(dues):
        return
    payout, question = judge(Payout(), spot(lies), dues, 1, DEFAULT_CHIPS)
    assert payout.check is None and question == (
        "Seat 1: what lay there before paying has not been seen since Tableside was started. Count the payout by hand."
    )


def test_an_operation_settles_the_place_that_it_names() -> None:
    hand = {"op": "settle", "seat": 1, "hand": 2}
    insurance = {"op": "settle-insurance", "seat": 1}
    pair = {"op": "settle", "seat": 1, "bet": "player_pair"}
    assert settles(hand, 1, "") and not settles(hand, 1, "insurance") and not settles(hand, 2, "")
    assert settles(insurance, 1, "insurance") and not settles(insurance, 1, "")
    assert settles(pair, 1, "player-pair") and not settles(pair, 1, "player") and not settles(pair, 1, "")
    assert not settles({"op": "stand", "seat": 1, "hand": 1}, 1, "")
