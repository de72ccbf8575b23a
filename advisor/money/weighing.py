"""What chips that were not read surely most likely are, before and after paying, weighed with how dealers settle.

Each stack may be several things, some likelier than others. A dealer mostly pays what is owed; where he errs, it is by
a chip too few, too many or of a wrong colour, or he does not pay, or does not take, far more often than by any other
amount. A stack that stands where it stood before is mostly the same one, so that both pictures tell of it. Together
that says which of all that the chips may be is the likeliest, and how likely it is (Bayes' rule). Chances are not
money: amounts stay exact.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from math import hypot, prod
from typing import Final

from advisor.money.amounts import MoneyError
from advisor.money.breakdown import breakdown
from advisor.money.chips import ChipSet
from advisor.money.outcomes import PayingRules
from advisor.money.settling import Ended, Settling, settle
from advisor.money.spot_chips import SpotSeen, StackSeen

ONE_CHIP: Final = 0.1
ONE_COLOUR: Final = 0.02
WHOLE: Final = 0.1
ELSE: Final = 0.001
"""How often, for each time that all is right, it is a certain chip too few or too many (`ONE_CHIP`), a certain chip
for another, one bet that was not paid or not taken, and any other certain amount."""
TOUCHED: Final = 0.5
"""How often a stack in the same spot is another one after paying, or not the same chips any more, where both pictures
do not tell (`StackSeen.kept`)."""
RESTACKED: Final = 0.1
"""How often one that was touched is the same chips again, over any others."""
SEEN, SECOND = 0.5, 0.5
"""What the picture after says of a stack that nobody touched, likelier than this, counts to that power: both are
misread alike."""
UNEQUAL: Final = 0.3
"""Doubled and split bets are as large as the first one; this is for those that are not, over those that are."""
UNREAD: Final = 0.005
"""What the stacks may be that no reading names weighs as if all of it came to one amount that often."""
OTHERWISE, AT_MOST = 0.25, 0.85
"""Where a stack is something else altogether likelier than the one (of a foreign colour, half hidden), what is said is
no likelier than the other: however well it fits, no payment in foreign chips must pass for paid."""
KNOWN: Final = 1.0
"""How likely a stack that was read surely is what it was read as, where nothing else is said of it."""
MISSED: Final = 0.003
"""How likely a stack is something that its readings leave out."""
TEMPER: Final = 0.7
"""Chances are raised to this power: the reader is a little surer than it should be where it is not sure."""
PROBABLE: Final = 0.5
"""From this chance on it is said what chips probably are that were not read surely."""
SUSPECT: Final = 0.8
"""What is short or over by chips that were all read surely is looked at again where it is less likely than that."""
STAYED: Final = 8.0
"""A stack that stands within so many millimetres of where one stood may be the same (as in `vision.chips.twice`)."""
MOST: Final = 60
"""So many ways that several stacks may be are weighed, the likeliest."""
UNVALUED: Final = 0.1
"""A stack that may be of colours without a value, more likely than this, is not weighed;"""
NO_BET: Final = 0.5
"""nor a bet that is none more likely than this. Where it is less likely, all that is said is less likely by as much."""

Order = tuple[str, ...]
Orders = tuple[Order, ...]
Ways = list[tuple[Orders, float]]


@dataclass(frozen=True)
class Weighed:
    """The likeliest of all that the spot may have shown, and the ``chance`` that what it says of the payment (correct,
    or short or over by so much) is right.

    ``lay`` and ``lies`` are what each stack that was seen before and after paying most likely is, from the bottom up
    (nothing where it most likely is no chips). ``chances`` are those of all that may lie there too much (too little:
    less than 0; correct: 0).
    """

    lay: Orders
    lies: Orders
    chance: float
    chances: Mapping[Fraction, float]


@dataclass
class _Sum:
    """The chances of all ways to come to one amount, and the likeliest of them."""

    total: float = 0.0
    most: float = 0.0
    way: tuple[Orders, ...] = ()

    def add(self, total: float, most: float, way: tuple[Orders, ...]) -> None:
        self.total += total
        if most > self.most:
            self.most, self.way = most, way


def weighed(
    before: SpotSeen,
    after: SpotSeen,
    ended: Sequence[Ended],
    rules: PayingRules,
    chipset: ChipSet,
    *,
    first_bet: bool = False,
) -> Weighed | None:
    """What the spot most likely showed; None where anything but counts and colours is in doubt, or nothing fits."""
    lay = [_ways_of(stack, chipset) for stack in before.stacks]
    lies = [_ways_of(stack, chipset) for stack in after.stacks]
    if not lay or not all((*lay, *lies)):
        return None
    stayed = _stayed(before.stacks, after.stacks)
    apart = [k for k in range(len(lies)) if k not in stayed]
    beside: dict[Fraction, _Sum] = defaultdict(_Sum)
    for orders, chance in _together([lies[k] for k in apart]):
        beside[_worth(orders, chipset)].add(chance, chance, (orders,))
    found: dict[Fraction, _Sum] = defaultdict(_Sum)
    together = _together(lay)
    none = sum(chance for bets, chance in together if not any(bets)) / sum(chance for _, chance in together)
    if none > NO_BET:
        return None
    for bets, chance in together:
        there = tuple(order for order in bets if order)
        settling = _settling(there, ended, rules, chipset, first_bet)
        if settling is None:
            continue
        if not first_bet and len(there) == sum(it.stacks for it in ended) and not _alike(there, chipset):
            chance *= UNEQUAL
        expected = sum(settling.bets, Fraction(0)) + settling.net
        errors = _errors(there, settling, chipset)
        for kept, sum_kept in _where_they_stood(bets, stayed, lies, after.stacks, chipset).items():
            for others, sum_others in beside.items():
                left = kept + others
                if expected and not left:
                    continue
                weight = chance * errors.get(left - expected, ELSE)
                found[left - expected].add(
                    weight * sum_kept.total * sum_others.total,
                    weight * sum_kept.most * sum_others.most,
                    (bets, *sum_kept.way, *sum_others.way),
                )
    if not found or not any(it.total for it in found.values()):
        return None
    best = max(found.values(), key=lambda it: it.total)
    unread = 1 - prod(_read(stack) for stack in (*before.stacks, *after.stacks))
    # What was settled was a bet. Where what was found may be none, it was another one, of which nothing is known.
    total = (sum(it.total for it in found.values()) + UNREAD * unread) / (1 - none)
    chance = best.total / total
    if any(1 - _read(stack) > OTHERWISE for stack in (*before.stacks, *after.stacks)):
        chance = min(chance, AT_MOST)
    bets, same, put = best.way
    after_orders = dict(zip(sorted(stayed), same, strict=True)) | dict(zip(apart, put, strict=True))
    return Weighed(
        bets,
        tuple(after_orders[k] for k in range(len(lies))),
        chance,
        {amount: it.total / total for amount, it in found.items()},
    )


def likely_worth(spot: SpotSeen, chipset: ChipSet) -> tuple[Fraction, float] | None:
    """What all chips of one spot most likely come to, and how likely; None where more is in doubt than count or
    colours, or a chip has no value."""
    stacks = [_ways_of(stack, chipset, 1.0) for stack in spot.stacks]
    if not all(stacks):
        return None
    chances: dict[Fraction, float] = defaultdict(float)
    for orders, chance in _together(stacks):
        chances[_worth(orders, chipset)] += chance
    best = max(chances, key=chances.__getitem__)
    return best, chances[best]


def as_seen(spot: SpotSeen, orders: Orders) -> SpotSeen:
    """The spot as it is if each of its stacks is what ``orders`` say, surely."""
    return SpotSeen(spot.name, tuple(StackSeen(order) for order in orders if order))


def _ways_of(stack: StackSeen, chipset: ChipSet, temper: float = TEMPER) -> list[tuple[Order, float]]:
    """What a stack may be; nothing where more is in doubt than that, or a chip may well have no value."""
    if stack.doubt and not (stack.open and stack.readings):
        return []
    said = stack.readings or ((stack.order, KNOWN),)
    valued = [(order, chance) for order, chance in said if all(colour in chipset for colour in order)]
    if sum(chance for _, chance in said) - sum(chance for _, chance in valued) > UNVALUED:
        return []
    return [(order, chance**temper) for order, chance in valued]


def _read(stack: StackSeen) -> float:
    """How likely a stack is one of the things that it was read as."""
    return min(1.0, sum(chance for _, chance in stack.readings)) if stack.readings else KNOWN


def _together(stacks: Iterable[Sequence[tuple[Order, float]]]) -> Ways:
    """The likeliest ways of several stacks at once."""
    found: Ways = [((), 1.0)]
    for ways in stacks:
        more = [((*orders, order), chance * each) for orders, chance in found for order, each in ways]
        found = sorted(more, key=lambda it: -it[1])[:MOST]
    return found


def _stayed(before: Sequence[StackSeen], after: Sequence[StackSeen]) -> dict[int, int]:
    """The stacks after paying that stand where just one stood before: their numbers, and those of the ones before."""
    found: dict[int, int] = {}
    for k, stack in enumerate(after):
        near = [n for n, other in enumerate(before) if _same_spot(stack, other)]
        if len(near) == 1 and near[0] not in found.values():
            found[k] = near[0]
    return found


def _same_spot(one: StackSeen, other: StackSeen) -> bool:
    if one.at is None or other.at is None:
        return False
    return hypot(one.at[0] - other.at[0], one.at[1] - other.at[1]) <= STAYED


def _where_they_stood(
    bets: Sequence[Order],
    stayed: Mapping[int, int],
    lies: Sequence[Sequence[tuple[Order, float]]],
    stacks: Sequence[StackSeen],
    chipset: ChipSet,
) -> dict[Fraction, _Sum]:
    """What the stacks that stand where ``bets`` stood may come to: mostly the same chips."""
    found: dict[Fraction, _Sum] = {Fraction(0): _Sum(1.0, 1.0, ((),))}
    for k in sorted(stayed):
        same, kept = bets[stayed[k]], stacks[k].kept
        touched = TOUCHED if kept is None else 1 - kept
        ways = [(order, touched * chance * (RESTACKED if order == same else 1)) for order, chance in lies[k]]
        if same in dict(ways) or len(ways) > 1:  # of what was read as one thing alone nothing is left open
            said = dict(lies[k]).get(same, MISSED)
            ways.append((same, (1 - touched) * (said if kept is None or kept < SEEN else said**SECOND)))
        worths = {order: _worth((order,), chipset) for order, _ in ways}
        more: dict[Fraction, _Sum] = defaultdict(_Sum)
        for worth, so_far in found.items():
            for order, chance in ways:
                more[worth + worths[order]].add(so_far.total * chance, so_far.most * chance, ((*so_far.way[0], order),))
        likeliest = sorted(more.items(), key=lambda it: -it[1].total)[:MOST]
        found = dict(likeliest)
    return found


def _settling(
    bets: Sequence[Order], ended: Sequence[Ended], rules: PayingRules, chipset: ChipSet, first_bet: bool
) -> Settling | None:
    """How it is settled if these are the bets; None where they cannot be."""
    worths = [_worth((order,), chipset) for order in bets]
    try:
        settling = settle(sum(worths, Fraction(0)), ended, rules, stacks=worths, first_bet=first_bet)
    except MoneyError:
        return None
    return None if settling.doubt else settling


def _errors(bets: Sequence[Order], settling: Settling, chipset: ChipSet) -> dict[Fraction, float]:
    """How often too much lies there by each amount (too little: less than 0), for each time that nothing is amiss."""
    found: dict[Fraction, float] = {}
    used = {colour for order in bets for colour in order}
    stacks = {_worth((order,), chipset) for order in bets}
    for bet, gain in zip(settling.bets, settling.gains, strict=True):
        owed = bet * gain
        if owed:  # of a doubled bet it may be one stack alone
            for part in {bet, *(worth for worth in stacks if worth <= bet)}:
                _raise(found, -part * gain, WHOLE)
            with suppress(MoneyError):  # where no chips make it, what was paid for it are other chips
                used |= {colour for colour, _ in breakdown(abs(owed), chipset)}
    for colour in used:
        value = chipset.value(colour)
        _raise(found, value, ONE_CHIP)
        _raise(found, -value, ONE_CHIP)
        for other in chipset.colours:
            _raise(found, chipset.value(other) - value, ONE_COLOUR)
    found[Fraction(0)] = 1.0
    return found


def _raise(found: dict[Fraction, float], amount: Fraction, often: float) -> None:
    found[amount] = max(found.get(amount, ELSE), often)


def _alike(bets: Sequence[Order], chipset: ChipSet) -> bool:
    return len({_worth((order,), chipset) for order in bets}) == 1


def _worth(orders: Iterable[Order], chipset: ChipSet) -> Fraction:
    return sum((chipset.value(colour) for order in orders for colour in order), Fraction(0))
