"""What the chips have told of a round's payouts, as a change for the log: a restart goes on from it.

Kept is what cannot be seen again: the bets that were agreed, what was at stake, and how far each place was settled.
What lies there now, and what a round owes, are read and worked out anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from advisor.money import (
    CannotPay,
    ChipSet,
    SpotCheck,
    SpotSeen,
    StackSeen,
    Verdict,
    breakdown,
    check_spot,
    format_amount,
    parse_amount,
)
from advisor.table.bets_memory import BetsMemory, Spot
from advisor.table.changes import ChipsKept
from advisor.table.payouts_seen import Payout, was_correct

Plain = dict[str, str | int]
FLAGS: Final = ("looked", "moved", "right", "taken", "disputed", "unpaid")
AGREED: Final = ("agreed", "fitted")
"""What bets are compared with from the first card on, as the memory calls it."""


def kept(memory: BetsMemory, chipset: ChipSet, *, dealt: bool = True) -> ChipsKept:
    """What a restart needs of the memory; colours are written from the bottom of a stack up.

    Until the round is ``dealt`` every bet may still be changed, and is read anew.
    """
    now = [_plain(spot, payout, chipset) for spot, payout in memory.payouts.items()]
    left = [_plain(spot, payout, chipset) | {"left": 1} for spot, payout in memory.left.items()]
    bets: list[Plain] = [
        {"seat": spot.seat, "bet": spot.bet, "name": seen.name, which: _colours(seen)}
        for which, agreed in (("agreed", memory.agreed), ("fitted", memory.fitted))
        for spot, seen in sorted(agreed.items(), key=lambda it: it[0])
    ]
    return ChipsKept(round=memory.round, places=[*now, *left, *(bets if dealt else ())])


def restored(change: ChipsKept | None, chipset: ChipSet, number: int) -> BetsMemory:
    """The memory with which round ``number`` goes on; an empty one where there is none of it or of the round before, or
    it cannot be read."""
    if change is None or not number - 1 <= change.round <= number:
        return BetsMemory()
    now: dict[Spot, Payout] = {}
    left: dict[Spot, Payout] = {}
    bets: dict[str, dict[Spot, SpotSeen]] = {which: {} for which in AGREED}
    try:
        for plain in change.places:
            spot = Spot(int(plain["seat"]), str(plain["bet"]))
            which = next((it for it in AGREED if it in plain), None)
            if which is not None:
                seen = _seen(plain, plain[which])
                bets[which] |= {spot: seen} if seen.chips(chipset) is not None else {}
            else:
                (left if plain.get("left") else now)[spot] = _payout(plain, chipset)
    except (KeyError, ValueError):
        return BetsMemory()
    return BetsMemory(
        change.round,
        payouts=MappingProxyType(now),
        left=MappingProxyType(left),
        agreed=MappingProxyType(bets["agreed"]),
        fitted=MappingProxyType(bets["fitted"]),
    )


def _plain(spot: Spot, payout: Payout, chipset: ChipSet) -> Plain:
    flags = {name: 1 for name in FLAGS if getattr(payout, name)}
    plain: Plain = {"seat": spot.seat, "bet": spot.bet, "since": payout.since, **flags}
    if payout.gone:
        plain["gone"] = " ".join(map(str, sorted(payout.gone)))
    if payout.stake is not None:
        plain["name"] = payout.stake.name
        plain["stake"] = _colours(payout.stake)
    if payout.wrong is not None:
        plain["wrong"] = " ".join(payout.wrong.stack(chipset))
    if payout.check is not None and payout.check.owed is not None and payout.check.expected is not None:
        plain["owed"] = format_amount(payout.check.owed)
        plain["right-now"] = int(not payout.is_wrong)
    return plain


def _colours(seen: SpotSeen) -> str:
    return " ".join(colour for order in sorted(it.order for it in seen.stacks) for colour in order)


def _seen(plain: Mapping[str, str | int], colours: str | int) -> SpotSeen:
    order = tuple(str(colours).split())
    return SpotSeen(str(plain["name"]), (StackSeen(order),) if order else ())


def _payout(plain: Mapping[str, str | int], chipset: ChipSet) -> Payout:
    stake = _seen(plain, plain["stake"]) if "stake" in plain else None
    wrong = _seen(plain, plain["wrong"]) if "wrong" in plain and stake is not None else None
    check = None
    if stake is not None and "owed" in plain:
        owed = parse_amount(plain["owed"])
        lies = _right(stake, owed, chipset) if plain["right-now"] else wrong
        check = None if lies is None else _checked(stake, lies, owed, chipset)
    return Payout(
        stake,
        gone=frozenset(map(int, str(plain.get("gone", "")).split())),
        check=check,
        wrong=None if wrong is None else wrong.chips(chipset),
        since=int(plain["since"]),
        **{name: bool(plain.get(name)) for name in FLAGS},
    )


def _checked(stake: SpotSeen, lies: SpotSeen, owed: Fraction, chipset: ChipSet) -> SpotCheck | None:
    """The verdict of then; of what was right it is not said that it still lies there."""
    check = check_spot(stake, lies, owed, chipset)
    if check.verdict is Verdict.UNSURE:
        return None
    return was_correct(check, stake.title) if check.verdict is Verdict.CORRECT else check


def _right(stake: SpotSeen, owed: Fraction, chipset: ChipSet) -> SpotSeen | None:
    """Some chips that are right; which they were makes no difference."""
    try:
        chips = breakdown((stake.worth(chipset) or Fraction(0)) + owed, chipset)
    except CannotPay:
        return None
    return SpotSeen(stake.name, (StackSeen(chips.stack(chipset)),) if chips else ())
