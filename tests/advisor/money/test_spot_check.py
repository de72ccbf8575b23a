"""A spot before and after paying: the verdict is exact, its repair exact, and of a doubt nothing is claimed."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from money_strategies import chipsets, handfuls, racks
from test_bet_sweep import spot

from advisor.games.blackjack import HouseRules
from advisor.money import (
    ENDINGS,
    CannotPay,
    Chips,
    Ended,
    MoneyError,
    SpotCheck,
    SpotSeen,
    StackSeen,
    Verdict,
    breakdown,
    check_spot,
    parse_amount,
    parse_ended,
    settle,
    verify_spot,
)

RULES = HouseRules(surrender="late", charlie="five-card", bonus_678="2:1", bonus_777="3:1", even_money=True)


def verified(before: str, after: str, outcome: str, *, first_bet: bool = False) -> SpotCheck:
    """Stacks are parted by strokes: "red red | red" are two."""
    seen = [spot(*(part for part in text.split("|") if part.strip())) for text in (before, after)]
    return verify_spot(seen[0], seen[1], parse_ended(outcome), RULES, first_bet=first_bet)


@pytest.mark.parametrize(
    ("before", "after", "outcome"),
    [
        ("red", "red | red white white yellow", "blackjack"),
        ("red", "red red white white yellow", "blackjack"),
        ("red red", "red red red red red", "blackjack"),
        ("green", "green | red red red red red", "win"),
        ("red red red red red", "red red red red red | green", "win"),
        ("red red red red red", "green green", "win"),
        ("red red", "red red", "push"),
        ("red red", "", "lose"),
        ("red red", "red", "surrender"),
        ("red", "white white yellow", "surrender"),
        ("red", "red | red red", "insurance"),
        ("red", "", "insurance-lose"),
        ("red red", "red red | red red", "even-money"),
        ("red red | red red", "red red | red red | red red red red", "double-win"),
        ("red red | red red", "", "double-lose"),
        ("red red | red red", "red red | red red", "double-push"),
        ("red red | red red", "red red | red red", "win,lose"),
        ("red red | red red", "red red | red red red red", "win,push"),
        ("red red | red red | red red", "red red red red red red red red", "double-win,lose"),
        ("red red | red", "red red red", "lose,insurance"),
        ("red", "red red", "win"),
        ("red red | red red red", "red red red red", "win=10,lose=15"),
        ("red", "red red red red", "7-7-7"),
        ("red red red red red", "green", "colour-up"),
    ],
)
def test_what_is_owed_and_paid_is_correct(before: str, after: str, outcome: str) -> None:
    found = verified(before, after, outcome)
    assert found.verdict is Verdict.CORRECT, found.words
    assert found.difference == 0 and not found.add and not found.take_back and not found.reason
    assert found.words[0].startswith("Seat 3: correct. ")


@pytest.mark.parametrize(
    ("before", "after", "outcome", "verdict", "by", "add", "back"),
    [
        ("red", "red | red", "blackjack", "short", "2.50", "white:2 yellow:1", ""),
        ("red", "red", "blackjack", "short", "7.50", "red:1 white:2 yellow:1", ""),
        ("red", "red | red red", "blackjack", "over", "2.50", "white:2 yellow:1", "red:1"),
        ("green", "green | red red red red red red", "win", "over", "5", "", "red:1"),
        ("green", "green | green green", "win", "over", "25", "", "green:1"),
        # The player's own green chip stays: what is over is taken out of the payout.
        ("green", "green | " + "red " * 10, "win", "over", "25", "", "red:5"),
        ("red red", "red", "push", "short", "5", "red:1", ""),
        ("red red", "red red", "lose", "over", "10", "", "red:2"),
        ("red red", "red red", "surrender", "over", "5", "", "red:1"),
        ("red red | red red", "red red | red red | red red", "double-win", "short", "10", "red:2", ""),
        ("red red | red red", "red red | red red | red red", "win,lose", "over", "10", "", "red:2"),
        ("red", "red | red", "insurance", "short", "5", "red:1", ""),
        ("red red red red red", "green red", "colour-up", "over", "5", "", "red:1"),
    ],
)
def test_what_is_wrong_is_said_with_what_puts_it_right(
    before: str, after: str, outcome: str, verdict: str, by: str, add: str, back: str
) -> None:
    found = verified(before, after, outcome)
    assert (str(found.verdict), found.difference) == (verdict, parse_amount(by))
    assert (found.add, found.take_back) == (Chips.parse(add), Chips.parse(back))
    assert found.words[0].startswith(f"Seat 3: {verdict} by {by}. ")
    pays = outcome not in ("push", "lose", "surrender", "colour-up")
    unsettled = any("has not been settled" in line for line in found.words)
    orders = [it for it in found.words if it.startswith(("Pull", "Add", "Take", "Never"))]
    assert len(orders) == 1 and orders[0].startswith("Pull the whole payout back") == (pays and not unsettled)
    assert unsettled == (sorted(before.replace("|", "").split()) == sorted(after.replace("|", "").split()))


@pytest.mark.parametrize(
    ("before", "after", "outcome", "reason"),
    [
        ("? red", "red red", "win", "the chips before paying could not be read surely (something hides a part of it)"),
        ("red", "red | ? red", "win", "the chips after paying could not be read surely"),
        ("red pink", "red pink red pink", "win", "no value is known for pink"),
        ("", "red", "win", "no chips are seen there before paying"),
        ("red", "", "win", "no chips are seen there after paying"),
        ("red red", "red red red red", "win=15", "the bets named come to 15, and 10 is seen"),
        ("red red | red", "red", "win=15,lose", "the bets named come to 15, and of 15 nothing is left for others"),
        ("green", "green", "win,lose", "at least 2 stacks are expected before paying (win, lose) and one is seen"),
        ("red red", "red red red red", "double-win", "2 stacks are expected before paying (double-win) and one is"),
        (
            "red red | red",
            "red red red",
            "win,lose",
            "the stacks seen before paying (10, 5) are not the bets of win, lose",
        ),
        ("red red | red red | red", "red", "double-win,lose", "(10, 10, 5) are not the bets of double-win, lose"),
        (" | ".join(["white"] * 20), "", "win,lose", "are not the bets of win, lose"),
        ("white yellow | white yellow", "", "win,lose", "3 does not come apart into such bets of whole units of 1"),
        ("red", "red", "insurance=2.50", "the bets named come to 2.50, and 5 is seen"),
        (
            "red | red",
            "red red red red red red red red",
            "double-win",
            "correct if the chips before were the first bet",
        ),
    ],
)
def test_where_anything_is_doubtful_the_verdict_is_unsure(before: str, after: str, outcome: str, reason: str) -> None:
    found = verified(before, after, outcome)
    assert found.verdict is Verdict.UNSURE and found.difference is None
    assert reason in found.reason and found.words[-1] == "Count it by hand."
    assert not found.add and not found.take_back


def test_what_should_lie_there_is_told_where_the_bet_is_sure() -> None:
    found = verified("red", "? red red", "blackjack")
    assert found.expected == Fraction(25, 2) and found.seen is None
    assert "12.50 should lie there after paying (blackjack on 5 pays 7.50 at 3:2)." in found.words


@pytest.mark.parametrize(
    ("before", "after", "outcome"),
    [
        ("red red", "red red red red red red red red", "double-win"),
        ("red red", "red red red red", "win,lose"),
        ("red red", "red red red", "lose,insurance"),
        ("red red", "", "double-lose"),
    ],
)
def test_the_first_bet_may_be_shown_in_place_of_all_that_is_at_stake(before: str, after: str, outcome: str) -> None:
    assert verified(before, after, outcome, first_bet=True).verdict is Verdict.CORRECT


def test_a_first_bet_is_part_of_what_was_at_stake() -> None:
    found = verified("red red", "red", "win=5", first_bet=True)
    assert found.verdict is Verdict.UNSURE and "the bets named come to 5, and 10 is seen" in found.reason


def test_bets_that_end_alike_need_not_be_told_apart() -> None:
    for before, outcome in (("red red | red", "win,win"), ("red red | red", "double-win")):
        assert verified(before, "red red red red red red", outcome).verdict is Verdict.CORRECT


def test_one_stack_that_is_a_whole_doubled_bet_is_named_with_its_amount() -> None:
    assert verified("red red red red", "red red red red red red red red", "double-win=20").verdict is Verdict.CORRECT


def test_chips_that_were_not_read_surely_are_what_they_most_likely_are_with_a_notice_and_a_chance() -> None:
    def faint(*said: tuple[str, float], open_: bool = True) -> StackSeen:
        readings = tuple((tuple(text.split()), chance) for text, chance in said)
        return StackSeen(readings[0][0], "its chips could not be counted surely", open_, readings)

    bet = StackSeen(("red", "red"))
    won = parse_ended("win")

    def said(*after: StackSeen, before: StackSeen = bet) -> SpotCheck:
        return verify_spot(SpotSeen("seat 1", (before,)), SpotSeen("seat 1", after), won, RULES)

    right = said(bet, faint(("red red", 0.8), ("red", 0.15)))
    assert right.verdict is Verdict.CORRECT and right.chance is not None and right.chance > 0.95
    assert right.owed == right.bet == parse_amount("10")
    assert right.words[0].startswith("Seat 1: probably correct. ")
    assert right.notices[-1] == (
        "Seat 1: not every chip was read surely (its chips could not be counted surely). This verdict is about "
        f"{right.chance:.0%} likely to be right: count it by hand."
    )

    mostly = said(bet, faint(("red white", 0.6), ("red red", 0.3)))
    assert mostly.verdict is Verdict.CORRECT, "a dealer pays right far oftener than he lays a white chip for a red one"
    short = said(bet, faint(("red", 0.97), ("red red", 0.01)))
    assert (short.verdict, short.difference) == (Verdict.SHORT, 5) and short.chance is not None
    assert short.words[0].startswith("Seat 1: probably short by 5. ") and short.add == Chips({"red": 1})

    open_question = said(bet, faint(("red", 0.4), ("red red red", 0.4), ("red red white", 0.2)))
    hidden = said(bet, faint(("red red", 0.9), open_=False))
    worthless = said(bet, faint(("red grey", 0.9)))
    for other in (open_question, hidden, worthless, said(before=StackSeen((), "something hides a part of it"))):
        assert other.verdict is Verdict.UNSURE and other.chance is None and not other.add and not other.take_back
    assert said(bet, bet).chance is None, "all was sure"

    doubted = StackSeen(("red",), readings=((("red",), 0.8), (("red", "red"), 0.2)))
    again = said(bet, doubted)
    assert again.verdict is Verdict.SHORT and again.words[0].startswith("Seat 1: short by 5. ")
    assert again.notices == ("Seat 1: it would be correct if something was misread: look again.",)
    odd = StackSeen(("black",), readings=((("black",), 0.9), (("red",), 0.1)))
    (notice,) = said(bet, odd).notices
    assert notice == "Seat 1: something may have been misread: look again.", "with a red chip it would be short"
    assert said(bet, StackSeen(("red",), readings=((("red",), 0.999),))).notices == ()

    three = StackSeen(("red",) * 3, readings=((("red",) * 3, 0.7), (("red",) * 2, 0.3)))
    otherwise = said(three, faint(("red red", 0.9), ("red red red", 0.01)), before=three)
    assert otherwise.verdict is Verdict.CORRECT and otherwise.bet == 10
    assert "what was read as 3 red may be 2 red" in otherwise.notices[-1], "a sure stack is overruled in the open"

    watched = check_spot(
        SpotSeen("seat 1", (bet,)), SpotSeen("seat 1", (bet, faint(("red red", 0.9), ("red", 0.1)))), 10
    )
    assert watched.verdict is Verdict.UNSURE, "what is looked at again and again would fit at last"


def test_a_stack_whose_count_is_open_has_a_guess_and_a_doubt() -> None:
    for order, doubt in (((), "something hides a part of it"), (("red",), "")):
        with pytest.raises(MoneyError, match="has a guess, and a doubt"):
            StackSeen(order, doubt, open=True)


def test_chips_changed_at_a_push_and_an_impossible_bet_are_noticed() -> None:
    changed = verified("red red red red red", "green", "push")
    assert changed.verdict is Verdict.CORRECT and "others of the same worth" in changed.notices[0]
    odd = verified("red yellow", "red yellow red yellow", "win")
    assert odd.verdict is Verdict.CORRECT and "a bet of 5.50 is not allowed here" in odd.notices[0]
    left = verified("red red red red red", "red red red red red", "colour-up")
    assert left.verdict is Verdict.CORRECT and "nothing was coloured up" in left.notices[0]


def test_a_payout_that_these_chips_cannot_make_is_never_called_right() -> None:
    rules = HouseRules(blackjack_pays="6:5")
    ended = parse_ended("blackjack")
    found = verify_spot(spot("white white white"), spot("white white white", "white white white"), ended, rules)
    assert found.verdict is Verdict.SHORT and found.difference == Fraction(3, 5)
    assert "6.60 cannot be made exactly with the chips at hand." in found.words


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("luck", "no bet ends with 'luck'"),
        ("", "no bet ends with ''"),
        ("double-blackjack", "no bet ends with 'double-blackjack'"),
        ("win=0", "win=0 cannot be: a bet is more than 0"),
        ("win=x", "'x' is not an amount"),
        ("win,,lose", "no bet ends with ''"),
    ],
)
def test_what_is_no_outcome_is_refused(text: str, says: str) -> None:
    with pytest.raises(MoneyError, match=says.replace("(", r"\(")):
        parse_ended(text)


@pytest.mark.parametrize("name", ["surrender", "charlie", "6-7-8", "7-7-7", "even-money"])
def test_outcomes_that_the_rules_do_not_have_are_refused_whatever_is_seen(name: str) -> None:
    rules = HouseRules(surrender="none", charlie="none", bonus_678="none", bonus_777="none", even_money=False)
    with pytest.raises(MoneyError, match=f"these house rules pay no {name}"):
        verify_spot(spot("? red"), spot(), parse_ended(name), rules)


def test_insurance_lost_needs_insurance() -> None:
    with pytest.raises(MoneyError, match="pay no insurance"):
        Ended("insurance-lose").gain(HouseRules(insurance="none"))
    with pytest.raises(MoneyError, match="how the bets ended is missing"):
        settle(Fraction(5), (), RULES)
    with pytest.raises(MoneyError, match="no bet to settle"):
        settle(Fraction(0), parse_ended("win"), RULES)
    with pytest.raises(MoneyError, match="20 cannot be lost where 10 lies"):
        check_spot(spot("red red"), spot(), -20)


@given(st.data())
def test_before_and_owed_make_after_exactly_where_the_verdict_is_correct(data: st.DataObject) -> None:
    """Conservation, in any chips, whatever was added by the player; and a repair repairs exactly."""
    chipset = data.draw(chipsets())
    lay, lies = data.draw(handfuls(chipset, least=1)), data.draw(handfuls(chipset))
    bet, paid = lay.total(chipset), lies.total(chipset)
    added = data.draw(handfuls(chipset, most=2)).total(chipset)
    owed = data.draw(
        st.sampled_from([paid - bet - added, bet, bet * Fraction(3, 2), Fraction(0), -bet / 2, -bet - added])
    )
    rack = data.draw(racks(chipset))
    if bet + added + owed < 0:
        owed = Fraction(0)
    before, after = (SpotSeen("seat 1", tuple(StackSeen((c,) * n) for c, n in held)) for held in (lay, lies))
    found = check_spot(before, after, owed, chipset, rack, added=added)
    right = bet + added + owed
    if found.verdict is Verdict.UNSURE:
        assert not lies and right
        return
    assert (found.verdict is Verdict.CORRECT) == (right == paid)
    assert (found.expected, found.seen, found.difference) == (right, paid, abs(right - paid))
    assert found.verdict is not (Verdict.SHORT if paid > right else Verdict.OVER)
    if found.add or found.take_back:
        assert (lies - found.take_back + found.add).total(chipset) == right
        assert (rack + found.take_back).holds(found.add)
    elif found.verdict is not Verdict.CORRECT:
        with pytest.raises(CannotPay):
            breakdown(right, chipset, rack + lies)


@given(st.data())
def test_a_payout_made_in_any_chips_is_correct_and_any_other_is_not(data: st.DataObject) -> None:
    chips = {"white": data.draw(st.integers(0, 4)), "red": data.draw(st.integers(1, 4))}
    lay = Chips(chips)
    name = data.draw(st.sampled_from([n for n in ENDINGS if not n.startswith("double")]))
    (ended,) = parse_ended(name)
    right = lay.total() * (1 + ended.gain(RULES))
    before = SpotSeen("seat 2", tuple(StackSeen((c,) * n) for c, n in lay))
    settled = breakdown(right) if right else Chips()
    off = data.draw(st.sampled_from([Chips(), Chips({"yellow": 1}), Chips({"red": 2})]))
    lies = settled + off
    after = SpotSeen("seat 2", (StackSeen(lies.stack()),) if lies else ())
    found = verify_spot(before, after, (ended,), RULES)
    assert found.verdict is (Verdict.OVER if off else Verdict.CORRECT), found.words
    if off:
        assert (lies - found.take_back + found.add).total() == right


def test_of_a_lost_bet_that_still_lies_there_it_is_said_though_nobody_knows_how_much_it_is() -> None:
    """Which way a payment is wrong is mostly plain before its amount is."""
    orders = [("red", "red", colour) for colour in ("white", "yellow", "green", "black")]
    readings = tuple((order, 0.25) for order in orders)
    unread = StackSeen(orders[0], "its colours could not be told apart surely", True, readings, (0.0, 0.0))
    there = SpotSeen("seat 1", (unread,))
    kept = SpotSeen("seat 1", (replace(unread, kept=0.99),))
    lost = verify_spot(there, kept, parse_ended("lose"), RULES)
    assert lost.verdict is Verdict.UNSURE and lost.difference is None
    assert lost.notices == ("Seat 1: most likely it is over; by how much cannot be told. Count it by hand.",)
    assert not verify_spot(there, kept, parse_ended("push"), RULES).difference
