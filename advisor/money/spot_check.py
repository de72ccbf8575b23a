"""One spot's chips before and after a round against what the round owes: correct, short, over, or not sure.

All chips at the spot count, wherever they lie there (the bet, a payout beside it or before the player), by their worth
and not by their colours: a payout coloured up is as good. Where counts or colours alone were not read surely, the
verdict is on what the chips most likely are (`advisor.money.weighing`), and said to be no more than likely.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from advisor.money.amounts import AmountLike, MoneyError, format_amount, parse_amount
from advisor.money.bet_sweep import amount_faults
from advisor.money.check import PULL_BACK, PULL_BACK_AND, PaymentCheck, Verdict, verify_payment
from advisor.money.chips import DEFAULT_CHIPS, Chips, ChipSet, chips_words
from advisor.money.outcomes import PayingRules
from advisor.money.rack import UNLIMITED, Rack
from advisor.money.settling import Ended, Settling, settle
from advisor.money.spot_chips import SpotSeen, runs_of
from advisor.money.weighing import PROBABLE, SUSPECT, Weighed, as_seen, weighed

LEANS = 0.9
"""Of what is unsure it is said that it is short, or over, where that is so likely, by whichever amounts."""
MOST_LIKELY = 0.99
"""More is not said of chips that were not read surely."""


@dataclass(frozen=True, slots=True)
class SpotCheck:
    """A spot before and after. ``after`` without ``take_back`` and with ``add`` is worth ``expected``.

    Amounts are None where they are not known for sure. ``add`` and ``take_back`` are empty where the verdict is
    correct or unsure, and where the chips at hand cannot put it right.
    """

    spot: str
    verdict: Verdict
    bet: Fraction | None
    """What lay there before."""
    owed: Fraction | None
    """What the player wins, or loses where it is negative."""
    expected: Fraction | None
    """What has to lie there after."""
    seen: Fraction | None
    """What lies there after."""
    add: Chips
    take_back: Chips
    words: tuple[str, ...]
    reason: str = ""
    """Why it is unsure."""
    notices: tuple[str, ...] = ()
    """What else should be looked at; the verdict hangs on it only where it is no more than likely."""
    chance: float | None = None
    """How likely the verdict is, where not every chip was read surely, or what was read is unlikely; else None."""

    @property
    def difference(self) -> Fraction | None:
        """How much is short or over; 0 where it is correct, None where it is unsure."""
        if self.verdict is Verdict.UNSURE or self.expected is None or self.seen is None:
            return None
        return abs(self.expected - self.seen)


def verify_spot(
    before: SpotSeen,
    after: SpotSeen,
    ended: Sequence[Ended],
    rules: PayingRules,
    chipset: ChipSet = DEFAULT_CHIPS,
    rack: Rack = UNLIMITED,
    *,
    first_bet: bool = False,
) -> SpotCheck:
    """Whether the spot was settled as its bets ended.

    ``before`` shows all that is at stake just before paying, or, with ``first_bet``, the one bet at the deal, before
    doubles and splits. Where the wrong one of the two would make a wrong payout right, or a right one wrong, the
    verdict is unsure and says so. Where counts and colours alone are in doubt it is the likeliest one if that is likely
    enough (`PROBABLE`), with a notice and its chance. Raises `MoneyError` for outcomes that the rules do not have.
    """
    for it in ended:
        it.gain(rules)  # what the rules do not have is said whatever the pictures show

    found = _verified(before, after, ended, rules, chipset, rack, first_bet)
    doubts = (*before.doubts(chipset), *after.doubts(chipset))
    if found.verdict is Verdict.CORRECT or (found.verdict is Verdict.UNSURE and not doubts):
        return found  # or it is not the chips that leave it open
    # One look at two still pictures, that is: what is watched would fit at last.
    most = weighed(before, after, ended, rules, chipset, first_bet=first_bet)
    if most is None:
        return found
    if found.seen is not None and found.expected is not None:
        return _suspected(found, most, after.title)
    if most.chance < PROBABLE:
        return _leaning(found, most, after.title)
    lay, lies = as_seen(before, most.lay), as_seen(after, most.lies)
    said = _verified(lay, lies, ended, rules, chipset, rack, first_bet, likely=True)
    return found if said.verdict is Verdict.UNSURE else _likely(said, most, before, after, doubts)


def _suspected(found: SpotCheck, most: Weighed, title: str) -> SpotCheck:
    """What is short or over by chips that were all read surely, with a notice where that is unlikely."""
    assert found.seen is not None and found.expected is not None
    chance = most.chances.get(found.seen - found.expected, 0.0)
    if chance >= SUSPECT:
        return found
    correct = most.chances.get(Fraction(0), 0.0) > chance
    would = "it would be correct if something was misread" if correct else "something may have been misread"
    return replace(found, notices=(*found.notices, f"{title}: {would}: look again."), chance=chance)


def _leaning(found: SpotCheck, most: Weighed, title: str) -> SpotCheck:
    """What is unsure, with a notice where most likely too little lies there, or too much, whatever it is."""
    for wrong, sign in ((Verdict.OVER, 1), (Verdict.SHORT, -1)):
        if sum(chance for amount, chance in most.chances.items() if amount * sign > 0) >= LEANS:
            words = f"{title}: most likely it is {wrong}; by how much cannot be told. Count it by hand."
            return replace(found, notices=(*found.notices, words))
    return found


def _likely(said: SpotCheck, most: Weighed, before: SpotSeen, after: SpotSeen, doubts: Sequence[str]) -> SpotCheck:
    """The verdict on what the chips most likely are, said to be no more than that."""
    chance = min(most.chance, MOST_LIKELY)
    otherwise = [
        f"what was read as {_chips(was.order)} may be {_chips(now)}"
        for spot, orders in ((before, most.lay), (after, most.lies))
        for was, now in zip(spot.stacks, orders, strict=True)
        if not was.doubt and was.order != now
    ]
    why = "; ".join(dict.fromkeys((*doubts, *otherwise)))
    notice = (
        f"{after.title}: not every chip was read surely ({why}). This verdict is about {chance:.0%} likely "
        "to be right: count it by hand."
    )
    return replace(said, notices=(*said.notices, notice), chance=chance)


def _chips(order: Sequence[str]) -> str:
    """Such as "3 red and 1 green", from the bottom up."""
    return " and ".join(f"{count} {colour}" for colour, count in runs_of(order)) or "no chips"


def _verified(
    before: SpotSeen,
    after: SpotSeen,
    ended: Sequence[Ended],
    rules: PayingRules,
    chipset: ChipSet,
    rack: Rack,
    first_bet: bool,
    *,
    likely: bool = False,
) -> SpotCheck:
    """The verdict on chips that were read surely; with ``likely`` its words say that they only probably are these."""
    bet = before.worth(chipset)
    if not bet:
        return _unsure(before, after, chipset, _why_no_bet(before, chipset))
    worths = [sum((chipset.value(colour) for colour in stack.order), Fraction(0)) for stack in before.stacks]
    settling = settle(bet, ended, rules, stacks=worths, first_bet=first_bet)
    notices = tuple(
        f"{before.title}: a bet of {format_amount(amount)} is not allowed here ({fault.trouble}): was it read rightly?"
        for amount in dict.fromkeys(settling.firsts)
        for fault in amount_faults(before, amount, rules)
    )
    if settling.doubt:
        return replace(_unsure(before, after, chipset, settling.doubt), notices=notices)
    found = _settled(before, after, settling, chipset, rack, likely)
    if found.verdict in (Verdict.SHORT, Verdict.OVER):
        other = settle(bet, ended, rules, first_bet=not first_bet)
        if not other.doubt and bet + other.added + other.net == found.seen:
            shows = "the first bet only" if not first_bet else "all that was at stake"
            reason = f"it would be correct if the chips before were {shows}"
            found = _unsure(before, after, chipset, reason)
    return replace(found, notices=(*found.notices, *notices))


def check_spot(
    before: SpotSeen,
    after: SpotSeen,
    owed: AmountLike,
    chipset: ChipSet = DEFAULT_CHIPS,
    rack: Rack = UNLIMITED,
    *,
    added: AmountLike = 0,
) -> SpotCheck:
    """Whether the spot gained what it is owed, or lost it where that is negative; for any game.

    ``added`` is what the player put down between the two. Raises `MoneyError` where more is lost than lies there.
    """
    net, more = parse_amount(owed), parse_amount(added)
    bet = before.worth(chipset)
    if not bet:
        return _unsure(before, after, chipset, _why_no_bet(before, chipset))
    return _settled(before, after, _one_amount(bet, net, more), chipset, rack)


def _one_amount(bet: Fraction, net: Fraction, added: Fraction) -> Settling:
    """A settlement of which only the sum is known."""
    stake = bet + added
    if added < 0 or stake + net < 0:
        raise MoneyError(f"{format_amount(-net)} cannot be lost where {format_amount(stake)} lies")
    if net < 0:
        words = f"{format_amount(-net)} of it goes to the rack"
    else:
        words = f"it is paid {format_amount(net)}" if net else "nothing is paid"
    return Settling((stake,), (net / stake,), (), added, (words,))


def _settled(
    before: SpotSeen, after: SpotSeen, settling: Settling, chipset: ChipSet, rack: Rack, likely: bool = False
) -> SpotCheck:
    """The verdict on a bet that was read surely, or that ``likely`` is what it was read as."""
    bet, lay = before.worth(chipset), before.chips(chipset)
    assert bet is not None and lay is not None
    expected = bet + settling.added + settling.net
    paid, lies = after.worth(chipset), after.chips(chipset)
    reason = _unread("after", after, chipset)
    if not reason and expected and not after.stacks:
        reason = "no chips are seen there after paying: they were picked up, or something hides them"
    if reason or paid is None or lies is None:
        found = _unsure(before, after, chipset, reason)
        held = f"{format_amount(expected)} should lie there after paying ({', '.join(settling.words)})."
        words = (*found.words[:1], held, *found.words[1:])
        return replace(found, owed=settling.net, expected=expected, words=words)
    check = _compared(expected, settling, lay, lies, chipset, rack)
    told = [
        f"{after.title}: {'probably ' if likely else ''}{_verdict(check)}. {_sentence(', '.join(settling.words))}: "
        f"{format_amount(expected)} should lie there and {format_amount(paid)} does."
    ]
    notices: tuple[str, ...] = ()
    if check.verdict is Verdict.CORRECT:
        if settling.coloured_up and lies == lay:
            notices = (f"{after.title}: the chips lie as they lay before: nothing was coloured up.",)
        elif lies != lay and not settling.coloured_up and not any(settling.gains) and not settling.added:
            notices = (f"{after.title}: the chips were changed for others of the same worth.",)
    else:
        if lies == lay:
            told.append("The chips lie as they lay before: it has not been settled yet.")
        told += _repair(check, chipset, paid=settling.pays and lies != lay)
    return SpotCheck(
        after.name, check.verdict, bet, settling.net, expected, paid, check.add, check.take_back, tuple(told),
        notices=notices,
    )  # fmt: skip


def _compared(
    expected: Fraction, settling: Settling, lay: Chips, lies: Chips, chipset: ChipSet, rack: Rack
) -> PaymentCheck:
    """The chips against what is owed; the bet's own chips are left out of it where they all still lie there."""
    if settling.only_adds and all(lies[colour] >= count for colour, count in lay):
        check = verify_payment(settling.net, lies - lay, chipset, rack)
        if check.verdict is Verdict.CORRECT or check.add or check.take_back:
            return check
    return verify_payment(expected, lies, chipset, rack)


def _verdict(check: PaymentCheck) -> str:
    if check.verdict is Verdict.CORRECT:
        return "correct"
    return f"{check.verdict} by {format_amount(check.difference)}"


def _repair(check: PaymentCheck, chipset: ChipSet, *, paid: bool) -> list[str]:
    """What puts it right: what was ``paid`` already is pulled back first."""
    steps = [f"take back {chips_words(check.take_back, chipset)}"] if check.take_back else []
    steps += [f"add {chips_words(check.add, chipset)}"] if check.add else []
    if not steps:
        cannot = f"{format_amount(check.owed)} cannot be made exactly with the chips at hand."
        return [cannot, PULL_BACK] if paid else [cannot]
    to_do = ", ".join(steps)
    return [PULL_BACK_AND.format(steps=to_do) if paid else f"{_sentence(to_do)}."]


def _unsure(before: SpotSeen, after: SpotSeen, chipset: ChipSet, reason: str) -> SpotCheck:
    words = (f"{after.title}: not sure, because {reason}.", "Count it by hand.")
    bet, seen = before.worth(chipset), after.worth(chipset)
    return SpotCheck(after.name, Verdict.UNSURE, bet, None, None, seen, Chips(), Chips(), words, reason)


def _why_no_bet(before: SpotSeen, chipset: ChipSet) -> str:
    return _unread("before", before, chipset) or "no chips are seen there before paying"


def _unread(when: str, spot: SpotSeen, chipset: ChipSet) -> str:
    doubts = spot.doubts(chipset)
    return f"the chips {when} paying could not be read surely ({'; '.join(doubts)})" if doubts else ""


def _sentence(text: str) -> str:
    """The text with its first letter large; names of outcomes within it stay as they are."""
    return text[:1].upper() + text[1:]
