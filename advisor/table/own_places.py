"""Bets that have a place of their own: insurance, and every bet of a game in which seats bet on several things.

Their chips are taken as the bet while it may be laid, must stay as they are after that, and are paid or collected
there. What may be laid, and what it is owed, the round says itself: it is asked what it would accept, and what saying
it brings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from advisor.games.catalogue import game as game_named
from advisor.games.contract import Choice, HandView, Place, Played
from advisor.money import BetTrouble, ChipSet, SpotSeen, bet_changed, format_amount, sweep_bet
from advisor.money.outcomes import INSURANCE_ODDS
from advisor.table.bet_questions import ask, filled, no_question, refused
from advisor.table.bets_memory import Insured, Look, ReadBet, Spot, Taken, with_one
from advisor.table.changes import Tell
from advisor.table.fold import fold, played
from advisor.table.payouts_seen import Due, Payout, judge, spelt
from advisor.table.state import TableState

INSURE: Final = "insure"
CLOSE_INSURANCE: Final = "close-insurance"
SETTLE_INSURANCE: Final = "settle-insurance"
TAKE_BACK: Final = "take-back-bets"
SETTLING: Final = frozenset({"settle", "give-back", SETTLE_INSURANCE})
"""Operations by which a round goes on to its end without a card or a decision."""
MOST_SETTLED: Final = 40
NO_BET: Final = frozenset({BetTrouble.BELOW_MINIMUM, BetTrouble.ABOVE_MAXIMUM, BetTrouble.NOT_WHOLE_UNITS})
"""What makes an amount none that can be played for; how its chips are stacked does not."""


@dataclass(frozen=True, slots=True)
class OwnPlace:
    """A place for one bet, and what the round says of it."""

    spot: Spot
    title: str
    """As sentences begin with it."""
    place: Place
    bet: Fraction | None
    """What the round takes to lie there; None for no bet."""
    due: Due | None
    """How it ends, as far as that is known; None for no bet."""
    lay: Mapping[str, Any]
    """The operation that bets, its amount left open."""
    open: bool
    """Whether the bet may be laid and changed now."""
    late: bool
    """Whether chips without a bet are out of order now."""
    closes: str
    """When bets were closed, for sentences."""
    back: tuple[Mapping[str, Any], ...] = ()
    """What to say to have no bet there any more; empty where that cannot be said."""


def insurance_place(look: Look, spot: Spot, title: str) -> OwnPlace | None:
    """The place of a seat's insurance; None where this game has none.

    What is known of it is remembered, since a settled bet is shown no more.
    """
    shown, seat = look.shown, spot.seat
    lay = {"op": INSURE, "seat": seat, "amount": ""}
    try:
        game_named(look.state.game).check(look.state.rules, {**lay, "amount": "1"})
    except ValueError:
        return None
    bet = next((bet.amount for hand in _hands(shown, seat) for bet in hand.bets if bet.name == spot.bet), None)
    open_ = any(it.operation.get("op") == CLOSE_INSURANCE for it in shown.choices)
    known, due = look.memory.insured.get(seat), None
    if bet is not None:
        owed = None if open_ else insurance_owed(look.state, shown).get(seat)
        known = Insured(bet, owed, _apart(shown, seat))
        due = Due(bet, owed)
    elif any(it.get("op") == SETTLE_INSURANCE and it.get("seat") == seat for it in shown.operations):
        due = _settled(known, shown, seat)
    else:
        known = None
    look.memory = replace(look.memory, insured=with_one(look.memory.insured, seat, known))
    return OwnPlace(
        spot,
        title,
        Place(seat),
        due.stake if due else None,
        due,
        lay,
        open_,
        shown.phase == "play",
        "when insurance was closed",
    )


def named_place(look: Look, spot: Spot, title: str) -> OwnPlace | None:
    """The place of one of the several things that a seat may bet on; None where this game has no such bet."""
    state, shown = look.state, look.shown
    ways = {
        spelt(it.operation.get("bet", "")): it for it in game_named(state.game).betting(state.rules, spot.seat)
    }  # fmt: skip
    way = ways.get(spot.bet)
    if way is None:
        return None
    hands = {bet.name: (hand, bet) for hand in _hands(shown, spot.seat) for bet in hand.bets}
    hand, bet = hands.get(spot.bet, (None, None))
    due = None
    if hand is not None and bet is not None:
        payment = hand.payment
        due = Due(bet.amount, payment.amount if payment else None, payment.done if payment else False)
    all_back = [it for it in shown.choices if it.operation.get("op") == TAKE_BACK]
    back = [it.operation for it in all_back if it.operation.get("seat") == spot.seat]
    again = [
        filled(ways[name].operation, it.amount) for name, (_, it) in hands.items() if name != spot.bet and name in ways
    ]
    return OwnPlace(
        spot,
        title,
        way.place or Place(spot.seat),
        bet.amount if bet else None,
        due,
        way.operation,
        not look.dealt and shown.phase == "bets",
        shown.phase in ("deal", "house"),
        "when the first card came",
        (*back, *again) if back else (),
    )


def watch_own(look: Look, place: OwnPlace, on: SpotSeen, around: SpotSeen, chipset: ChipSet) -> None:
    """What the chips at a place say: `on` are those that stand on it, `around` those laid beside it too."""
    if place.open:
        _laying(look, place, on, chipset)
        return
    no_question(look, place.spot)
    if place.due is None or place.bet is None:
        _astray(look, place, around, chipset)
    else:
        payout, question = judge(
            look.memory.payouts.get(place.spot, Payout()), around, {1: place.due}, look.state.number, chipset
        )
        look.memory = replace(look.memory, payouts=with_one(look.memory.payouts, place.spot, payout))
        look.wonder(question, place.place)
        if place.due.owed is None and around.worth(chipset) != place.bet:
            _changed(look, place, around, place.bet, chipset)


def _laying(look: Look, place: OwnPlace, seen: SpotSeen, chipset: ChipSet) -> None:
    """While the bet may be laid: what surely lies there is the bet, unless somebody has said otherwise."""
    swept = sweep_bet(seen, look.state.rules, chipset)
    taken = look.memory.taken.get(place.spot)
    mine = taken.amount if taken is not None else None
    told = place.bet is not None and place.bet != mine
    for fault in swept.faults:
        if fault.trouble is BetTrouble.UNSURE:
            if not told:
                ask(look, place.spot, fault.words, (fault.probably,), None, place.lay, place.place)
        elif fault.trouble not in NO_BET:
            look.blame(fault.words, place.place)
    if swept.amount is None:
        return
    lies, question = swept.amount, ""
    if not lies and place.bet is None:
        look.memory = replace(look.memory, taken=with_one(look.memory.taken, place.spot, None))
    elif lies == place.bet:
        _agreed(look, place, seen)
        if lies == mine:
            look.memory = replace(look.memory, taken=with_one(look.memory.taken, place.spot, Taken(lies, kept=True)))
    elif place.bet is not None and (told or not (lies or place.back)):
        there = f"{format_amount(lies)} lies there" if lies else "no chips are seen there"
        question = f"{place.title}: {format_amount(place.bet)} was said and {there}. Which is right?"
    elif place.bet is None and taken is not None and lies == mine and (taken.kept or _undone(look, place, lies)):
        look.memory = replace(look.memory, read=look.memory.read - {ReadBet(*place.spot, lies)})
        question = f"{place.title}: {format_amount(lies)} lies there and was taken back. Which is right?"
    elif lies:
        _take(look, place, seen, lies)
    else:
        for operation in place.back:
            _say(look, operation)
    if question:
        ask(look, place.spot, question, (place.bet, lies), lies, place.lay, place.place)
    else:
        no_question(look, place.spot)


def _take(look: Look, place: OwnPlace, seen: SpotSeen, lies: Fraction) -> None:
    """The chips become the bet, where the round allows it."""
    against = refused(look.state, filled(place.lay, lies))
    if against:
        look.blame(against, place.place)
        return
    _say(look, filled(place.lay, lies))
    look.memory = replace(
        look.memory,
        taken=with_one(look.memory.taken, place.spot, Taken(lies)),
        read=look.memory.read | {ReadBet(*place.spot, lies)},
    )
    _agreed(look, place, seen)


def _undone(look: Look, place: OwnPlace, lies: Fraction) -> bool:
    """Whether somebody has just taken back what the chips said."""
    changes = (saying.change for saying in look.state.undone)
    return any(isinstance(it, Tell) and it.operation == filled(place.lay, lies) for it in changes)


def _agreed(look: Look, place: OwnPlace, seen: SpotSeen) -> None:
    """The bet is what lies there."""
    look.memory = replace(
        look.memory,
        agreed=with_one(look.memory.agreed, place.spot, seen),
        payouts=with_one(look.memory.payouts, place.spot, Payout(seen)),
    )


def _astray(look: Look, place: OwnPlace, seen: SpotSeen, chipset: ChipSet) -> None:
    """Chips where there is no bet any more: somebody may say that they were laid in time, where that can still be."""
    worth = seen.worth(chipset)
    if not place.late or not worth:
        return
    lies, operation = f"{place.title}: {format_amount(worth)} lies there, and", filled(place.lay, worth)
    if refused(look.state, operation):
        look.wonder(f"{lies} there is no such bet now. Whose is it?", place.place)
    else:
        in_time = Choice("It was laid in time", operation, place.place)
        words = f"{lies} no bet was seen there {place.closes}. Give it back, or say that it was laid in time."
        look.blame(words, place.place, (in_time,))


def _changed(look: Look, place: OwnPlace, seen: SpotSeen, bet: Fraction, chipset: ChipSet) -> None:
    """A bet that must lie as it lay, and does not."""
    agreed, worth = look.memory.agreed.get(place.spot), seen.worth(chipset)
    if agreed is not None and agreed.worth(chipset) == bet:
        fault = bet_changed(agreed, seen, chipset, when=place.closes)
        if fault is not None and fault.trouble is BetTrouble.CHANGED:
            look.blame(fault.words, place.place)
        elif fault is not None:
            look.wonder(fault.words, place.place)
    elif worth is not None:
        lies = f"{format_amount(worth)} lies there" if worth else "no chips are seen there"
        look.wonder(f"{place.title}: the bet is {format_amount(bet)} and {lies}. Which is right?", place.place)


def insurance_owed(state: TableState, shown: Played) -> dict[int, Fraction]:
    """What each insurance bet brings its player, by seat, for those that are decided.

    The round is asked: it is carried on by what is said usually, as far as that only settles, and what a seat has
    gained when its insurance is settled is what was owed.
    """
    found: dict[int, Fraction] = {}
    for _ in range(MOST_SETTLED):
        usual = next((it for it in shown.choices if it.main), None)
        if usual is None or usual.operation.get("op") not in SETTLING:
            break
        state = fold(state, Tell(operation=dict(usual.operation)))
        before, shown = shown, played(state)
        if usual.operation["op"] == SETTLE_INSURANCE:
            seat = int(usual.operation["seat"])
            found[seat] = shown.net.get(seat, Fraction(0)) - before.net.get(seat, Fraction(0))
    return found


def _settled(known: Insured | None, shown: Played, seat: int) -> Due | None:
    """An insurance that the round shows no more; None where what it was owed cannot be told."""
    if known is None:
        return None
    owed = _apart(shown, seat) - known.apart if known.owed is None else known.owed
    return Due(known.amount, owed, done=True) if owed in (-known.amount, INSURANCE_ODDS * known.amount) else None


def _apart(shown: Played, seat: int) -> Fraction:
    """What the seat has gained so far beside its hands."""
    paid = [hand.payment.amount for hand in _hands(shown, seat) if hand.payment is not None and hand.payment.done]
    return shown.net.get(seat, Fraction(0)) - sum(paid, Fraction(0))


def _hands(shown: Played, seat: int) -> list[HandView]:
    return [hand for hand in shown.hands if hand.place.seat == seat]


def _say(look: Look, operation: Mapping[str, Any]) -> None:
    """It is said because the chips say it, and the round goes on from there."""
    change = Tell(operation=dict(operation))
    look.changes.append(change)
    look.state = fold(look.state, change)
    look.shown = played(look.state)
