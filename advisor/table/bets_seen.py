"""Chips at the betting places while a round goes on: the bets before the deal, none changed after it, each paid right.

`watch_bets` is given what the camera reads at the places of a calibrated felt, and the round as its game tells it. Only
what was read surely, and lay still for a while, counts: before the first card it becomes what a seat bets, later it is
compared with what should lie there. Everything else is a question. What a round owes is the game's to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from advisor.games.catalogue import game as game_named
from advisor.games.contract import BetView, Choice, Fault, HandView, Place, Played
from advisor.money import (
    DEFAULT_CHIPS,
    BetTrouble,
    ChipSet,
    SpotSeen,
    amount_faults,
    bet_changed,
    format_amount,
    parse_amount,
    sweep_bet,
)
from advisor.table.bet_questions import ask, filled, fits, has_cards, is_asked, no_question, questions_now, refused
from advisor.table.bets_memory import (
    FIRST,
    HANDS,
    OF_THE_BET,
    BetsMemory,
    BetsSeen,
    Look,
    ReadBet,
    SeenBet,
    Spot,
    Warned,
    unsaid,
    with_one,
)
from advisor.table.bets_since import since, surer
from advisor.table.changes import PayoutFine, UsualBet
from advisor.table.own_places import NO_BET, insurance_place, named_place, watch_own
from advisor.table.payouts_seen import Due, Payout, judge, said_fine, settles
from advisor.table.spots_seen import place_seen
from advisor.table.state import NOTHING_LAID, TableState
from vision.chips.spots import SpotReading

REST: Final = 1.0
"""Seconds for which chips must lie as they do before anything is made of it."""
INSURANCE: Final = "insurance"
SPLIT: Final = "split"
TOUCHED: Final = (
    "its chips no longer look as they did when the first card came, and cannot be read surely. See whether the bet was "
    "changed."
)
FIRST_CARD: Final = "when the first card came"
READ_LAST: Final = "when it was read last"
FINE: Final = "It is fine as it lies"


def watch_bets(
    memory: BetsMemory,
    readings: Sequence[SpotReading],
    at: float,
    state: TableState,
    shown: Played,
    chipset: ChipSet = DEFAULT_CHIPS,
) -> tuple[BetsMemory, BetsSeen]:
    """What the chips say at the moment ``at`` (seconds, of a clock that only goes on).

    ``shown`` is the round of ``state``. Where seats bet on several things (they hold no cards), only places that say
    what is bet on there tell anything.
    """
    dealt = has_cards(shown)
    look = Look(state, shown, _of_this_round(memory, state, dealt), dealt)
    insured_apart = {r.zone.seat for r in readings if r.zone.kind == INSURANCE}
    for reading in readings:
        spot = _spot(reading, look)
        if spot is None:
            continue
        closed = look.memory.closed.get(spot)
        now = since(closed, reading)
        around = place_seen(_name(spot), now.reading, beside=True)
        if not _still(look, spot, around, at, chipset):
            continue
        last = look.memory.left.get(spot)
        if last is not None and last.check is not None and around.worth(chipset) == last.check.expected:
            look.memory = replace(look.memory, left=with_one(look.memory.left, spot, None))
        on = place_seen(_name(spot), now.reading)
        if spot.bet == HANDS:
            if not dealt:
                look.memory = replace(look.memory, closed=with_one(look.memory.closed, spot, surer(closed, now)))
            _watch_hands(look, spot, on, around, now.same, spot.seat in insured_apart, chipset)
            continue
        find = insurance_place if spot.bet == INSURANCE else named_place
        own = find(look, spot, around.title)
        if own is not None:
            watch_own(look, own, on, around, chipset)
    memory = look.memory
    return memory, BetsSeen(
        tuple(look.changes),
        tuple(look.faults),
        questions_now(look.questions, memory.asked, look.state, look.shown),
        tuple(look.questions),
        memory.asked,
        (*_wrong(memory.left, look.shown, last_round=True), *_wrong(memory.payouts, look.shown)),
        MappingProxyType({it: payout.check for it, payout in memory.payouts.items() if payout.check is not None}),
        memory.read,
        MappingProxyType({} if dealt else dict(_laid(memory, chipset))),
    )


def laid_now(number: int, seen: BetsSeen, state: TableState) -> Mapping[int, Fraction]:
    """What surely lies at the seats' places, as ``seen`` in round ``number``; nothing from the first card on."""
    return seen.laid if state.round == number and not state.cards else NOTHING_LAID


def still_wrong(number: int, seen: BetsSeen, state: TableState, shown: Played) -> Iterator[Fault]:
    """The payouts that are wrong and of which nobody has said since that they are fine, each with how to say so.

    ``number`` is the round in which they were seen; those of the round before are told until the next one's first card.
    """
    for warned in seen.wrong:
        seat, bet = warned.spot
        before = warned.last_round or state.round != number
        if before and (state.cards or state.round - number != int(not warned.last_round)):
            continue
        if said_fine((*(state.said_before if before else ()), *state.sayings), seat, bet, warned.since):
            continue
        settled = [it for it in shown.choices if it.main and settles(it.operation, seat, bet)]
        fine = [Choice(FINE, it.operation, it.place) for it in settled]
        fine = fine or [Choice(FINE, PayoutFine(seat=seat, bet=bet).data, warned.fault.place)]
        words = f"From the last round: {warned.fault.words}" if before else warned.fault.words
        yield replace(warned.fault, words=words, choices=tuple(fine))


def marked(hand: HandView, read: frozenset[ReadBet]) -> HandView:
    """The hand with those of its bets that were read from their chips, and not said, shown as seen."""
    bets = tuple(
        SeenBet(bet.name, bet.amount)
        if ReadBet(hand.place.seat, bet.name, bet.amount) in read and (bet.assumed or bet.name not in OF_THE_BET)
        else bet
        for bet in hand.bets
    )
    return hand if bets == hand.bets else replace(hand, bets=bets)


def _of_this_round(memory: BetsMemory, state: TableState, dealt: bool) -> BetsMemory:
    """The memory; in a new round only what still lies there, and until its first card what was paid wrong."""
    if memory.before is not None and memory.before.round == state.round:
        memory = replace(memory.before, lying=memory.lying)
    elif memory.round != state.round:
        void = bool(state.results) and state.results[-1].void
        wrong = {} if void else {spot: it for spot, it in memory.payouts.items() if it.is_wrong}
        last = replace(memory, before=None)
        memory = BetsMemory(state.round, memory.lying, left=MappingProxyType(wrong), before=last)
    return replace(memory, left=MappingProxyType({})) if dealt and memory.left else memory


def _laid(memory: BetsMemory, chipset: ChipSet) -> Iterator[tuple[int, Fraction]]:
    for spot, seen in memory.agreed.items():
        worth = seen.worth(chipset)
        if spot.bet == HANDS and worth:
            yield spot.seat, worth


def _spot(reading: SpotReading, look: Look) -> Spot | None:
    """Which bets lie there in this game; None where that says nothing."""
    zone, hold = reading.zone, game_named(look.state.game).seats_hold_cards
    if zone.seat is None or zone.seat > look.state.seats or bool(zone.bet) == hold:
        return None
    return Spot(zone.seat, INSURANCE if zone.kind == INSURANCE else zone.bet)


def _name(spot: Spot) -> str:
    if spot.bet == INSURANCE:
        return f"the insurance of seat {spot.seat}"
    return f"seat {spot.seat}, {spot.bet.replace('-', ' ')}" if spot.bet else f"seat {spot.seat}"


def _wrong(payouts: Mapping[Spot, Payout], shown: Played, *, last_round: bool = False) -> Iterator[Warned]:
    for spot, payout in payouts.items():
        if payout.is_wrong and payout.check is not None:
            hands = [hand for hand in shown.hands if hand.place.seat == spot.seat]
            its = (hand.place for hand in hands if any(bet.name == spot.bet for bet in hand.bets))
            fault = Fault(" ".join(payout.check.words), next(its, Place(spot.seat)))
            yield Warned(spot, fault, payout.since, last_round)


def _still(look: Look, spot: Spot, seen: SpotSeen, at: float, chipset: ChipSet) -> bool:
    """Whether the chips have lain so for a while: how their stacks stand does not matter, only which chips they are."""
    chips = seen.chips(chipset)
    key = seen.doubts(chipset) if chips is None else chips
    before, since = look.memory.lying.get(spot, (None, at))
    since = since if before == key else at
    look.memory = replace(look.memory, lying=with_one(look.memory.lying, spot, (key, since)))
    return at - since >= REST


# A seat's own place: all bets on its hands.


def _watch_hands(
    look: Look, spot: Spot, on: SpotSeen, around: SpotSeen, same: bool | None, insured_apart: bool, chipset: ChipSet
) -> None:
    hands = [hand for hand in look.shown.hands if hand.place.seat == spot.seat and hand.bets]
    if not look.dealt:
        _before(look, spot, on, hands, same, chipset)
        return
    known = OF_THE_BET | ({INSURANCE} if insured_apart else set())
    if not hands or any(bet.name not in known for hand in hands for bet in hand.bets):
        return  # nobody knows where the chips of other bets lie, so the place cannot be judged
    dues = {
        hand.place.hand: Due(
            sum((bet.amount for bet in hand.bets if bet.name in OF_THE_BET), Fraction(0)),
            hand.payment.amount if hand.payment else None,
            hand.payment.done if hand.payment else False,
        )
        for hand in hands
    }
    playing = any(hand.active and hand.payment is None for hand in hands)
    payout, question = judge(
        look.memory.payouts.get(spot, Payout()), around, dues, look.state.number, chipset, playing=playing
    )
    look.memory = replace(look.memory, payouts=with_one(look.memory.payouts, spot, payout))
    look.wonder(question, Place(spot.seat))
    live = [hand for hand in hands if hand.place.hand not in payout.gone]
    if all(hand.payment is None for hand in live):
        _after(look, spot, around, live, playing, same, chipset)


def _before(
    look: Look, spot: Spot, seen: SpotSeen, hands: Sequence[HandView], same: bool | None, chipset: ChipSet
) -> None:
    """Before the first card: a sure bet is taken as it lies, and what is wrong with it is said.

    ``same`` is whether they look as they did before: then a doubt about them is asked about once, however it wavers.
    """
    seat, place = spot.seat, Place(spot.seat)
    swept = sweep_bet(seen, look.state.rules, chipset)
    told = [bet.amount for hand in hands for bet in hand.bets if bet.name in OF_THE_BET and not unsaid(bet)]
    for fault in swept.faults:
        if fault.trouble is not BetTrouble.UNSURE:
            look.blame(fault.words, place)
        elif (not told and not (same and is_asked(look, spot))) or same is False:
            ask(look, spot, fault.words, (fault.probably,), None, touched=same is False)
            _has_not_read(look, seat)
            if not told:
                _assume(look, seat, fault.probably, seen)
    good = swept.amount and not NO_BET.intersection(fault.trouble for fault in swept.faults)
    agreed = with_one(look.memory.agreed, spot, seen if good else None)
    look.memory = replace(look.memory, agreed=agreed, fitted=with_one(look.memory.fitted, spot, None))
    if swept.amount is None:
        return
    said = sum(told, Fraction(0))
    if good and told and said != swept.amount:
        words = f"{format_amount(said)} was said and {format_amount(swept.amount)} lies there. Which is right?"
        ask(look, spot, f"{seen.title}: {words}", (said, swept.amount), swept.amount)
    else:
        fits(look, spot, swept.amount)
    if not good:
        _has_not_read(look, seat)
        return
    _has_read(look, {ReadBet(seat, name, swept.amount) for name in FIRST})
    if look.state.usual_bets.get(seat) != swept.amount:
        look.changes.append(UsualBet(seat=seat, amount=format_amount(swept.amount)))


def _assume(look: Look, seat: int, amount: Fraction | None, seen: SpotSeen) -> None:
    """The seat is taken to bet what its chips most likely are, for want of better; nobody has seen that surely."""
    if not amount or NO_BET.intersection(it.trouble for it in amount_faults(seen, amount, look.state.rules)):
        return
    if look.state.usual_bets.get(seat) != amount:
        look.changes.append(UsualBet(seat=seat, amount=format_amount(amount)))


def _after(
    look: Look,
    spot: Spot,
    seen: SpotSeen,
    hands: Sequence[HandView],
    playing: bool,
    same: bool | None,
    chipset: ChipSet,
) -> None:
    """From the first card until a hand is decided: the chips against what should lie there.

    ``same`` is whether they look as they did before the first card: of chips that cannot be read that is all there is.
    """
    bets = [bet for hand in hands for bet in hand.bets if bet.name in OF_THE_BET]
    right, worth = sum((bet.amount for bet in bets), Fraction(0)), seen.worth(chipset)
    if worth == right:
        _has_read(look, {ReadBet(spot.seat, bet.name, bet.amount) for bet in bets if bet.assumed})
        fits(look, spot, worth)
        _agree(look, spot, seen, len(bets) == 1, chipset)
        return
    if playing and (worth is None or any(_may_lay(look, hand, worth - right) for hand in hands if hand.active)):
        return  # chips for a double or a split are put down before anybody can know what they are for
    if worth is None and same is not None:
        if not same:
            look.wonder(f"{seen.title}: {TOUCHED}", Place(spot.seat))
        return
    _differs(look, spot, seen, bets, chipset)


def _agree(look: Look, spot: Spot, seen: SpotSeen, alone: bool, chipset: ChipSet) -> None:
    """What lies there is what should: from now on it is agreed. ``alone`` is whether one bet is all that lies there."""
    agreed = look.memory.agreed.get(spot)
    if agreed is None or alone:
        as_agreed = agreed is not None and agreed.worth(chipset) == seen.worth(chipset)
        fitted = with_one(look.memory.fitted, spot, None if as_agreed else seen)
        look.memory = replace(look.memory, fitted=fitted)


def _differs(look: Look, spot: Spot, seen: SpotSeen, bets: Sequence[BetView], chipset: ChipSet) -> None:
    """What lies there is not known to be what should: an error where it was agreed and the chips were changed."""
    right, worth = sum((bet.amount for bet in bets), Fraction(0)), seen.worth(chipset)
    alone, place, asked = len(bets) == 1, Place(spot.seat), look.memory.asked.get(spot)
    if worth is not None and asked is not None and asked.lies is not None:
        if alone and asked.lies == worth:
            return  # it is asked which is right, or was said
        no_question(look, spot)
    fitted = look.memory.fitted.get(spot) if worth is not None else None
    agreed = look.memory.agreed.get(spot)
    if agreed is not None and not alone and all(agreed.worth(chipset) != it.amount for it in bets if it.name in FIRST):
        agreed = None  # another bet was said than lay there, and the others came to it
    was = fitted or agreed
    if was is not None and not (alone and worth is not None and was.worth(chipset) == worth):
        when = FIRST_CARD if fitted is None else READ_LAST
        fault = bet_changed(was, seen, chipset, expected=right, when=when)
        if fault is not None and fault.trouble is BetTrouble.CHANGED:
            look.blame(fault.words, place)
        elif fault is not None:
            look.wonder(fault.words, place)
        return
    before = look.memory.closed.get(spot)
    if worth is None or not (worth or any(map(unsaid, bets)) or (before is not None and before.stacks)):
        return  # a bet may be said where no chips ever lay
    lies = f"{format_amount(worth)} lies there" if worth else "no chips are seen there"
    limits = [it for it in amount_faults(seen, worth, look.state.rules) if it.trouble is BetTrouble.ABOVE_MAXIMUM]
    if not alone:
        # An answer would have to say one bet, and what lies there is the sum of several.
        words = f"{format_amount(right)} should lie there for all of its bets, and {lies}. Count them by hand."
        look.wonder(f"{seen.title}: {words}", place)
    elif limits:
        no_question(look, spot)
        look.blame(limits[0].words, place)
    else:
        taken = f"the bet is taken to be {format_amount(right)}"
        said = taken if any(map(unsaid, bets)) else f"{format_amount(right)} was said"
        ask(look, spot, f"{seen.title}: {said} and {lies}. Which is right?", (right, worth), worth)


def _may_lay(look: Look, hand: HandView, more: Fraction) -> bool:
    """Whether the hand's player may put down just so much more now: to double, to split, to buy a card.

    Where he may still bet, as in pontoon once he has seen his first card, he may change all of it.
    """
    betting = {it.operation.get("op") for it in game_named(look.state.game).betting(look.state.rules, hand.place.seat)}
    bet = sum((bet.amount for bet in hand.bets if bet.name in FIRST), Fraction(0))
    for operation in (it.operation for it in look.shown.choices if it.place == hand.place):
        if operation.get("op") in betting:
            return True
        if more <= 0:
            continue
        amount = bet if operation.get("op") == SPLIT else operation.get("amount")
        if amount == "":
            if not refused(look.state, filled(operation, more)):
                return True
        elif amount is not None and parse_amount(amount) == more:
            return True
    return False


def _has_read(look: Look, bets: set[ReadBet]) -> None:
    """These bets stand in their chips; what was read of the same bets before no longer counts."""
    names = {(bet.seat, bet.name) for bet in bets}
    others = {bet for bet in look.memory.read if (bet.seat, bet.name) not in names}
    look.memory = replace(look.memory, read=frozenset(others | bets))


def _has_not_read(look: Look, seat: int) -> None:
    """What was read of the seat's bet before no longer counts."""
    read = frozenset(bet for bet in look.memory.read if bet.seat != seat or bet.name not in FIRST)
    look.memory = replace(look.memory, read=read)
