"""Chips at the betting places through a round: what is sure becomes a bet or a verdict, the rest a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from table_stand_ins import Watched
from test_seeing import dealt

from advisor.games.catalogue import game as game_named
from advisor.games.contract import BetView, CardView, HandView, Payment, Place, Played
from advisor.money import PULL_BACK, Chips, Verdict, breakdown
from advisor.table import TableState, begin, fold
from advisor.table import changes as ch
from advisor.table.bets_seen import REST, BetsMemory, BetsSeen, watch_bets
from vision.chips.spots import PlacedStack, SpotReading
from vision.chips.values import ChipStack
from vision.felt import load_layout

LAYOUT = load_layout("seven-seats")
RULES = game_named("blackjack").load("home")
CARD = (CardView(1, "10H", "up"), CardView(2, "7C", "up"))


def place(seat: int, *stacks: str, kind: str = "seat-bet", in_view: bool = True, outside: float = 0.0) -> SpotReading:
    """Stacks written from the bottom: "green red red"; "? red" is read unsurely."""
    zone = next(z for z in LAYOUT.zones if z.kind == kind and z.seat == seat)
    placed = []
    for text in stacks:
        words = text.split()
        reason = "something hides a part of it" if "?" in words else ""
        stack = ChipStack((0, 0, 9, 9), tuple(word for word in words if word != "?"), 0.9, reason)
        placed.append(PlacedStack(stack, zone.shape.centre, outside))
    return SpotReading(zone, tuple(placed), in_view)


def hand(seat: int, *bets: tuple[str, int], owed: str | None = None, active: bool = False, number: int = 1) -> HandView:
    payment = None if owed is None else Payment(Fraction(owed), "wins")
    views = tuple(BetView(name, Fraction(amount)) for name, amount in bets)
    return HandView(Place(seat, number), f"Seat {seat}", CARD, bets=views, payment=payment, active=active)


def table(**fields: object) -> TableState:
    return replace(begin("blackjack", RULES, "home"), **fields)


class Looking:
    """Looks at the chips again and again, each time long enough for them to count as lying still."""

    def __init__(self, state: TableState | None = None) -> None:
        self.memory, self.state, self.at = BetsMemory(), state or table(), 0.0

    def glance(self, shown: Played, *readings: SpotReading) -> BetsSeen:
        self.memory, seen = watch_bets(self.memory, readings, self.at, self.state, shown)
        return seen

    def look(self, shown: Played, *readings: SpotReading) -> BetsSeen:
        self.glance(shown, *readings)
        self.at += REST
        return self.glance(shown, *readings)


NO_CARDS = Played("bets", "Take bets.")


def playing(*hands: HandView) -> Played:
    return Played("play", "", hands=hands)


def words(seen: BetsSeen) -> list[str]:
    return [fault.words for fault in seen.faults]


def test_a_bet_that_lies_still_becomes_what_the_seat_bets() -> None:
    looking = Looking()
    assert looking.glance(NO_CARDS, place(1, "red red")).changes == ()
    looking.at += REST / 2
    assert looking.glance(NO_CARDS, place(1, "red red", "red")).changes == ()
    looking.at += REST / 2
    assert looking.glance(NO_CARDS, place(1, "red red", "red")).changes == ()
    looking.at += REST / 2
    seen = looking.glance(NO_CARDS, place(1, "red red red"))
    assert seen.changes == (ch.UsualBet(seat=1, amount="15"),) and not seen.faults and not seen.questions
    looking.state = fold(looking.state, seen.changes[0])
    assert looking.look(NO_CARDS, place(1, "red red red")).changes == ()


@pytest.mark.parametrize(
    ("reading", "fault", "question"),
    [
        (place(3, "? red red"), "", "Seat 3: the bet could not be read surely"),
        (place(3, in_view=False), "", "the camera does not see all of the spot"),
        (place(3, "red", outside=45.0), "", "a stack lies beside the spot, not on it"),
        (place(3, "white"), "Seat 3 bets 1, below the minimum of 5", ""),
        (place(3, "purple red"), "Seat 3 bets 505, above the maximum", ""),
        (place(3, "red pink"), "Seat 3: no value is known for pink", ""),
        (place(3), "", ""),
    ],
)
def test_what_is_wrong_or_doubtful_becomes_no_bet(reading: SpotReading, fault: str, question: str) -> None:
    seen = Looking().look(NO_CARDS, reading)
    assert seen.changes == ()
    for said, expected in ((words(seen), fault), (list(seen.questions), question)):
        assert len(said) == bool(expected) and all(expected in sentence for sentence in said)
    assert all(it.place == Place(3) for it in seen.faults)


def test_a_stack_between_two_places_is_nobody_s_bet() -> None:
    reading = place(3, "red")
    shared = replace(reading, stacks=tuple(replace(it, shared=True) for it in reading.stacks))
    seen = Looking().look(NO_CARDS, shared)
    assert seen.changes == () and "a stack lies midway between two spots" in seen.questions[0]


def test_a_badly_stacked_bet_is_a_bet_all_the_same() -> None:
    seen = Looking().look(NO_CARDS, place(3, "red green"))
    assert seen.changes == (ch.UsualBet(seat=3, amount="30"),)
    assert "the highest is not at the bottom" in words(seen)[0]


def test_a_bet_that_was_said_is_not_overruled() -> None:
    told = Played("bets", "", hands=(replace(hand(2, ("bet", 10)), cards=()),))
    seen = Looking().look(told, place(2, "green"))
    assert seen.questions == ("Seat 2: 10 was said and 25 lies there. Which is right?",)


def test_a_bet_changed_after_the_first_card_is_said_and_a_double_is_not() -> None:
    looking = Looking()
    looking.look(NO_CARDS, place(1, "red red"))
    assert looking.look(playing(hand(1, ("bet", 10))), place(1, "red red")).faults == ()
    seen = looking.look(playing(hand(1, ("bet", 10))), place(1, "red red red"))
    assert words(seen) == [
        "Seat 1: the bet was 10 when the first card came and 15 lies there now: take off one red before the next card."
    ]
    mine = playing(hand(1, ("bet", 10), active=True))
    assert looking.look(mine, place(1, "red red", "red red")).faults == ()
    doubled = playing(hand(1, ("bet", 10), ("double", 10)))
    assert looking.look(doubled, place(1, "red red", "red red")).faults == ()
    assert "20 should lie there by now and 10 lies there now" in words(looking.look(doubled, place(1, "red red")))[0]
    split = playing(hand(1, ("bet", 10)), hand(1, ("bet", 10), number=2))
    assert looking.look(split, place(1, "red red", "red red")).faults == ()
    assert looking.look(split, place(1, "red red", "? red red")).questions[0].startswith("Seat 1: whether the bet was")


def test_a_seat_that_was_dealt_in_without_a_readable_bet_is_asked_about() -> None:
    assumed = HandView(Place(1), "Seat 1", CARD, bets=(BetView("bet", Fraction(5), assumed=True),))
    seen = Looking().look(playing(assumed), place(1, "green"))
    assert seen.questions == ("Seat 1: the bet is taken to be 5 and 25 lies there. Which is right?",)
    assert "no chips are seen there" in Looking().look(playing(assumed), place(1)).questions[0]


def test_a_payout_is_judged_once_chips_have_moved_and_stays_right_when_they_are_picked_up() -> None:
    looking = Looking()
    looking.look(playing(hand(1, ("bet", 10))), place(1, "red red"))
    owed = Played("settle", "", hands=(hand(1, ("bet", 10), owed="15"),))
    assert looking.look(owed, place(1, "red red")) == BetsSeen()
    short = looking.look(owed, place(1, "red red", "red red"))
    assert short.checks[1].verdict is Verdict.SHORT and short.checks[1].add == Chips({"red": 1})
    assert "Seat 1: short by 5." in words(short)[0] and PULL_BACK in words(short)[0]
    # Chips picked up before it was put right do not make it right.
    assert "short by 5" in words(looking.look(owed, place(1)))[0]
    assert looking.look(owed, place(1, "red red")).faults == ()
    right = looking.look(owed, place(1, "red red", "red red red", outside=30))
    assert right.checks[1].verdict is Verdict.CORRECT and not right.faults
    gone = looking.look(owed, place(1, "red"))
    assert gone.checks[1].verdict is Verdict.CORRECT and not gone.faults and not gone.questions
    gone = looking.look(owed, place(1))
    assert gone.checks[1].verdict is Verdict.CORRECT and not gone.faults and not gone.questions


def test_nothing_is_judged_without_a_sure_stake_or_while_a_hand_is_played() -> None:
    owed = Played("settle", "", hands=(hand(1, ("bet", 10), owed="10"),))
    looking = Looking()
    looking.look(playing(hand(1, ("bet", 10))), place(1, "? red red"))
    seen = looking.look(owed, place(1, "red red red"))
    assert not seen.checks and "before paying could not be read surely" in seen.questions[0]
    looking = Looking()
    looking.look(playing(hand(1, ("bet", 10)), hand(1, ("bet", 10), number=2)), place(1, "red red", "red red"))
    half = playing(hand(1, ("bet", 10), owed="-10"), hand(1, ("bet", 10), number=2))
    assert looking.look(half, place(1, "red red")) == BetsSeen()
    both = Played("settle", "", hands=(hand(1, ("bet", 10), owed="-10"), hand(1, ("bet", 10), owed="10", number=2)))
    assert looking.look(both, place(1, "red red", "red red")).checks[1].verdict is Verdict.CORRECT


def test_bets_that_may_lie_elsewhere_are_left_alone() -> None:
    insured = playing(hand(1, ("bet", 10), ("insurance", 5)))
    looking = Looking()
    looking.look(NO_CARDS, place(1, "red red"))
    assert looking.look(insured, place(1, "red red", "red")).faults == ()
    with_its_place = (place(1, "red red", "red"), place(1, kind="insurance"))
    assert "15 lies there now" in words(looking.look(insured, *with_its_place))[0]


def test_a_new_round_forgets_the_last_one_s_verdicts() -> None:
    looking = Looking()
    looking.look(playing(hand(1, ("bet", 10))), place(1, "red red"))
    looking.look(Played("settle", "", hands=(hand(1, ("bet", 10), owed="10"),)), place(1, "red red red"))
    assert looking.memory.checks
    looking.state = replace(looking.state, round=2)
    assert looking.look(NO_CARDS, place(1)) == BetsSeen()
    assert not looking.memory.checks and not looking.memory.stakes


def test_where_seats_bet_on_several_things_nothing_is_said() -> None:
    rules = game_named("punto-banco").load("home") if "home" in game_named("punto-banco").presets() else None
    rules = rules or next(iter(game_named("punto-banco").presets().values()))
    looking = Looking(begin("punto-banco", rules, "usual"))
    assert looking.look(NO_CARDS, place(1, "? red")) == BetsSeen()


def test_a_real_round_takes_its_bets_from_the_chips() -> None:
    """Two seats are dealt in; what lay there is what the round is played for."""
    watched = Watched(rules="home")
    looking = Looking(watched.state)
    bets = (place(1, "green red"), place(2, "red red"))
    for change in looking.look(watched.played, *bets).changes:
        watched.make(change)
    watched.deal(*dealt())
    looking.state = watched.state
    amounts = {it.place.seat: [bet.amount for bet in it.bets] for it in watched.played.hands}
    assert amounts == {1: [30], 2: [10]}
    assert looking.look(watched.played, *bets) == BetsSeen()
    watched.make(ch.Tell(operation={"op": "stand", "seat": 1, "hand": 1}))
    looking.state = watched.state
    (fault,) = looking.look(watched.played, place(1, "green red red"), place(2, "red red")).faults
    assert fault.place == Place(1) and "take off one red" in fault.words


@given(bet=st.integers(1, 40), owed=st.integers(-40, 60), off=st.sampled_from([0, 1, -1, 5]))
def test_the_verdict_is_right_exactly_where_the_money_is(bet: int, owed: int, off: int) -> None:
    owed = max(owed, -bet)
    after = bet + owed + off
    if after <= 0 or (owed and after == bet):
        return

    def chips(amount: int) -> Sequence[str]:
        return [" ".join(breakdown(amount).stack())]

    looking = Looking()
    looking.look(playing(hand(1, ("bet", bet))), place(1, *chips(bet)))
    settled = Played("settle", "", hands=(hand(1, ("bet", bet), owed=str(owed)),))
    check = looking.look(settled, place(1, *chips(after))).checks[1]
    assert check.verdict is (Verdict.CORRECT if not off else Verdict.OVER if off > 0 else Verdict.SHORT)
