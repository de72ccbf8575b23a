"""Chips at the betting places while a round goes on: the bets before the deal, none changed after it, each paid right.

`watch_bets` is given what the camera reads at the places of a calibrated felt, and the round as its game tells it. Only
what was read surely, and lay still for a while, counts: before the first card it becomes what a seat is taken to bet,
later it is compared with what should lie there. Everything else is a question. What a round owes is the game's to say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from advisor.games.catalogue import game as game_named
from advisor.games.contract import Fault, HandView, Place, Played
from advisor.money import (
    DEFAULT_CHIPS,
    BetTrouble,
    ChipSet,
    SpotCheck,
    SpotSeen,
    Verdict,
    bet_changed,
    check_spot,
    format_amount,
    sweep_bet,
)
from advisor.table.changes import UsualBet
from advisor.table.spots_seen import place_seen
from advisor.table.state import TableState
from vision.chips.spots import SpotReading

REST: Final = 1.0
"""Seconds for which chips must lie as they do before anything is made of it."""
OF_THE_BET: Final = frozenset({"bet", "double", "stake", "buy"})
"""Names of bets whose chips lie together at a seat's place."""
NO_BET: Final = frozenset({BetTrouble.BELOW_MINIMUM, BetTrouble.ABOVE_MAXIMUM, BetTrouble.NOT_WHOLE_UNITS})
"""What makes an amount none that can be played for; how its chips are stacked does not."""


@dataclass(frozen=True, slots=True)
class BetsMemory:
    """What is remembered from one look to the next; by seat."""

    round: int = 0
    lying: Mapping[int, tuple[object, float]] = field(default_factory=lambda: MappingProxyType({}))
    """What lies there, and since when (seconds)."""
    agreed: Mapping[int, SpotSeen] = field(default_factory=lambda: MappingProxyType({}))
    """The bet as it was read last before the first card."""
    stakes: Mapping[int, SpotSeen] = field(default_factory=lambda: MappingProxyType({}))
    """All that was at stake, before any of the seat's hands was settled."""
    checks: Mapping[int, SpotCheck] = field(default_factory=lambda: MappingProxyType({}))
    """The last verdict that was sure. A right one stands: the player may take his chips."""


@dataclass(frozen=True, slots=True)
class BetsSeen:
    """What follows from a look at the chips."""

    changes: tuple[UsualBet, ...] = ()
    faults: tuple[Fault, ...] = ()
    """What is surely wrong."""
    questions: tuple[str, ...] = ()
    """What somebody should look at, because the camera is not sure."""
    checks: Mapping[int, SpotCheck] = field(default_factory=lambda: MappingProxyType({}))
    """By seat: whether it was paid right, as far as that is known."""


@dataclass(slots=True)
class _Found:
    """What one look finds, while it is put together."""

    changes: list[UsualBet] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)


def watch_bets(
    memory: BetsMemory,
    readings: Sequence[SpotReading],
    at: float,
    state: TableState,
    shown: Played,
    chipset: ChipSet = DEFAULT_CHIPS,
) -> tuple[BetsMemory, BetsSeen]:
    """What the chips say at the moment ``at`` (seconds, of a clock that only goes on).

    ``shown`` is the round of ``state``. A game whose seats bet on several things (they hold no cards) tells nothing by
    where its chips lie: nothing is said of it.
    """
    if memory.round != state.round:
        memory = BetsMemory(state.round, memory.lying)
    if not game_named(state.game).seats_hold_cards:
        return memory, BetsSeen()
    insured_apart = {r.zone.seat for r in readings if r.zone.kind == "insurance"}
    dealt = any(hand.cards for hand in (*shown.hands, *shown.house))
    found = _Found()
    for reading in readings:
        seat = reading.zone.seat
        if reading.zone.kind != "seat-bet" or seat is None or seat > state.seats:
            continue
        name = f"seat {seat}"
        around = place_seen(name, reading, beside=True)
        memory, still = _lies(memory, seat, around, at, chipset)
        if not still:
            continue
        hands = [hand for hand in shown.hands if hand.place.seat == seat and hand.bets]
        if not dealt:
            memory = _before(memory, place_seen(name, reading), seat, hands, state, chipset, found)
        elif hands and not _elsewhere(hands, seat in insured_apart):
            memory = _after(memory, around, seat, hands, chipset, found)
    for seat, check in memory.checks.items():
        if check.verdict is not Verdict.CORRECT:
            found.faults.append(Fault(" ".join(check.words), Place(seat)))
    return memory, BetsSeen(tuple(found.changes), tuple(found.faults), tuple(found.questions), memory.checks)


def _lies(memory: BetsMemory, seat: int, spot: SpotSeen, at: float, chipset: ChipSet) -> tuple[BetsMemory, bool]:
    """Whether the chips have lain so for a while: how their stacks stand does not matter, only which chips they are."""
    chips = spot.chips(chipset)
    key = spot.doubts(chipset) if chips is None else chips
    before, since = memory.lying.get(seat, (None, at))
    since = since if before == key else at
    lying = MappingProxyType({**memory.lying, seat: (key, since)})
    return replace(memory, lying=lying), at - since >= REST


def _before(
    memory: BetsMemory,
    spot: SpotSeen,
    seat: int,
    hands: Sequence[HandView],
    state: TableState,
    chipset: ChipSet,
    found: _Found,
) -> BetsMemory:
    """Before the first card: a sure bet is taken as it lies, and what is wrong with it is said."""
    swept = sweep_bet(spot, state.rules, chipset)
    for fault in swept.faults:
        if fault.trouble is BetTrouble.UNSURE:
            found.questions.append(fault.words)
        else:
            found.faults.append(Fault(fault.words, Place(seat)))
    agreed = {number: it for number, it in memory.agreed.items() if number != seat}
    if swept.amount and not NO_BET.intersection(fault.trouble for fault in swept.faults):
        agreed[seat] = spot
        told = [bet.amount for hand in hands for bet in hand.bets if bet.name in OF_THE_BET and not bet.assumed]
        if told and sum(told) != swept.amount:
            found.questions.append(
                f"{spot.title}: {format_amount(sum(told, Fraction(0)))} was said and {format_amount(swept.amount)} "
                "lies there. Which is right?"
            )
        if state.usual_bets.get(seat) != swept.amount:
            found.changes.append(UsualBet(seat=seat, amount=format_amount(swept.amount)))
    return replace(memory, agreed=MappingProxyType(agreed))


def _elsewhere(hands: Sequence[HandView], insured_apart: bool) -> bool:
    """Whether the seat has bets of which nobody knows where their chips lie, so that the place cannot be judged."""
    known = OF_THE_BET | ({"insurance"} if insured_apart else set())
    return any(bet.name not in known for hand in hands for bet in hand.bets)


def _after(
    memory: BetsMemory,
    spot: SpotSeen,
    seat: int,
    hands: Sequence[HandView],
    chipset: ChipSet,
    found: _Found,
) -> BetsMemory:
    """From the first card on: the chips against what should lie there, and what they became against what is owed."""
    bets = [bet for hand in hands for bet in hand.bets if bet.name in OF_THE_BET]
    right = sum((bet.amount for bet in bets), Fraction(0))
    owed = [hand.payment.amount for hand in hands if hand.payment is not None]
    if owed:
        # One hand of a split may be settled while the other is played: then nobody can say what should lie there.
        return _paid(memory, spot, seat, sum(owed, Fraction(0)), chipset, found) if len(owed) == len(hands) else memory
    worth = spot.worth(chipset)
    if worth == right:
        return replace(memory, stakes=MappingProxyType({**memory.stakes, seat: spot}))
    if any(hand.active for hand in hands):
        return memory  # chips for a double or a split are put down before anybody can know what they are for
    agreed = memory.agreed.get(seat)
    if agreed is not None:
        fault = bet_changed(agreed, spot, chipset, expected=right)
        if fault is not None and fault.trouble is BetTrouble.CHANGED:
            found.faults.append(Fault(fault.words, Place(seat)))
        elif fault is not None:
            found.questions.append(fault.words)
    elif worth is not None and any(bet.assumed for bet in bets):
        lies = f"{format_amount(worth)} lies there" if worth else "no chips are seen there"
        found.questions.append(
            f"{spot.title}: the bet is taken to be {format_amount(right)} and {lies}. Which is right?"
        )
    return memory


def _paid(memory: BetsMemory, spot: SpotSeen, seat: int, owed: Fraction, chipset: ChipSet, found: _Found) -> BetsMemory:
    """Once all of a seat's hands are decided: the verdict, as soon as the chips have moved."""
    known = memory.checks.get(seat)
    if known is not None and known.verdict is Verdict.CORRECT:
        return memory
    stake = memory.stakes.get(seat)
    if stake is None:
        found.questions.append(
            f"{spot.title}: what lay there before paying could not be read surely. Count the payout by hand."
        )
        return memory
    if owed and spot.chips(chipset) == stake.chips(chipset):
        checks = {number: it for number, it in memory.checks.items() if number != seat}
        return replace(memory, checks=MappingProxyType(checks))  # not paid yet, or pulled back to be paid again
    check = check_spot(stake, spot, owed, chipset)
    if check.verdict is Verdict.UNSURE:
        if known is None:
            found.questions.append(" ".join(check.words))
        return memory
    return replace(memory, checks=MappingProxyType({**memory.checks, seat: check}))
