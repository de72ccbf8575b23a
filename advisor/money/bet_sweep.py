"""The sweep over the bets before the deal, and a bet changed after it: what is wrong at a spot and what to do.

How a bet has to lie: rules/chips-and-payouts.md. Only what was read surely is called wrong; anything else is a doubt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from advisor.money.amounts import count_words, format_amount
from advisor.money.chips import DEFAULT_CHIPS, Chips, ChipSet, chips_words
from advisor.money.outcomes import BetLimits
from advisor.money.spot_chips import SpotSeen, StackSeen
from advisor.money.weighing import PROBABLE, likely_worth


class BetTrouble(StrEnum):
    """What can be wrong with a bet."""

    UNSURE = "unsure"
    UNKNOWN_COLOUR = "unknown colour"
    BELOW_MINIMUM = "below minimum"
    ABOVE_MAXIMUM = "above maximum"
    NOT_WHOLE_UNITS = "not whole units"
    SANDWICHED = "sandwiched"
    DIRTY = "dirty"
    """The highest chips are not at the bottom."""
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class BetFault:
    """One thing that is wrong at a spot."""

    trouble: BetTrouble
    spot: str
    words: str
    """A sentence or two that name the spot and say what to do."""
    probably: Fraction | None = None
    """What a bet that could not be read surely is most likely worth, where that is likely enough."""


@dataclass(frozen=True, slots=True)
class SweptBet:
    """One spot's bet. ``chips`` and ``amount`` are None where anything at the spot is in doubt; 0 is no bet."""

    spot: str
    chips: Chips | None
    amount: Fraction | None
    faults: tuple[BetFault, ...] = ()


def sweep(spots: Iterable[SpotSeen], limits: BetLimits, chipset: ChipSet = DEFAULT_CHIPS) -> tuple[SweptBet, ...]:
    """Every spot's bet with what is wrong with it, in the order given."""
    return tuple(sweep_bet(spot, limits, chipset) for spot in spots)


def sweep_bet(spot: SpotSeen, limits: BetLimits, chipset: ChipSet = DEFAULT_CHIPS) -> SweptBet:
    """One spot's bet with what is wrong with it; all its stacks count as one bet, a spot without chips has none.

    The order in a stack is judged wherever that stack was read surely, the amount only where all of them were.
    """
    faults = list(_doubts(spot, chipset))
    chips = spot.chips(chipset)
    amount = None if chips is None else chips.total(chipset)
    if amount:
        faults += amount_faults(spot, amount, limits)
    for stack in spot.stacks:
        if not stack.doubt and all(colour in chipset for colour in stack.order):
            faults += _order_faults(spot, stack, chipset)
    return SweptBet(spot.name, chips, amount, tuple(faults))


def amount_faults(spot: SpotSeen, amount: Fraction, limits: BetLimits) -> list[BetFault]:
    """What the limits say against a bet of ``amount``, above 0: at most one thing, whose order mends it all."""
    least, most = -(-limits.minimum // limits.unit) * limits.unit, limits.maximum // limits.unit * limits.unit
    said, over = f"{spot.title} bets {format_amount(amount)}", amount % limits.unit
    unit = f"not a whole number of units of {format_amount(limits.unit)}"
    odd = f", and {unit}" if over else ""
    if amount < limits.minimum:
        to_do = f"add {format_amount(least - amount)}, or take the bet back"
        words = f"{said}, below the minimum of {format_amount(limits.minimum)}{odd}: {to_do}."
        return [BetFault(BetTrouble.BELOW_MINIMUM, spot.name, words)]
    if amount > limits.maximum:
        to_do = f"take {format_amount(amount - most)} off"
        words = f"{said}, above the maximum of {format_amount(limits.maximum)}{odd}: {to_do}."
        return [BetFault(BetTrouble.ABOVE_MAXIMUM, spot.name, words)]
    if not over:
        return []
    under = limits.unit - over
    ways = [f"take {format_amount(over)} off"] if amount - over >= least else []
    ways += [f"add {format_amount(under)}"] if amount + under <= most else []
    to_do = f": {' or '.join(ways)}." if ways else "."
    return [BetFault(BetTrouble.NOT_WHOLE_UNITS, spot.name, f"{said}, which is {unit}{to_do}")]


def bet_changed(
    agreed: SpotSeen,
    now: SpotSeen,
    chipset: ChipSet = DEFAULT_CHIPS,
    expected: Fraction | None = None,
    *,
    when: str = "when the first card came",
) -> BetFault | None:
    """What to say of a bet that is not what it was ``when`` bets were closed; None where nothing was changed.

    ``expected`` is what lies there by right where the round has added to the bet (a double, a split); without it the
    agreed amount. Chips changed for others of the same worth are no fault. Where either reading is in doubt that is
    what is said, never that the bet was changed.
    """
    then, here = agreed.chips(chipset), now.chips(chipset)
    if then is None or here is None:
        which, seen = (when, agreed) if then is None else ("now", now)
        words = (
            f"{now.title}: whether the bet was changed cannot be told, because {which} it could not be read surely "
            f"({'; '.join(seen.doubts(chipset))}). Count it by hand."
        )
        return BetFault(BetTrouble.UNSURE, now.name, words)
    was, amount = then.total(chipset), here.total(chipset)
    right = was if expected is None else expected
    if amount == right:
        return None
    lies = f"{format_amount(amount)} lies there now" if amount else "no chips are seen there now"
    if right != was:
        more = "take back" if amount > right else "add"
        words = (
            f"{now.title}: {format_amount(right)} should lie there by now and {lies}: "
            f"{more} {format_amount(abs(amount - right))} before the next card."
        )
    else:
        steps = [f"{how} {chips_words(chips, chipset)}" for how, chips in _undoing(then, here) if chips]
        words = (
            f"{now.title}: the bet was {format_amount(was)} {when} and {lies}: "
            f"{' and '.join(steps)} before the next card."
        )
    return BetFault(BetTrouble.CHANGED, now.name, words)


def _undoing(then: Chips, now: Chips) -> tuple[tuple[str, Chips], tuple[str, Chips]]:
    """What to take off and what to put back so that the chips of ``then`` lie there again."""
    more = Chips({colour: max(0, count - then[colour]) for colour, count in now})
    fewer = Chips({colour: max(0, count - now[colour]) for colour, count in then})
    return ("take off", more), ("put back", fewer)


def _doubts(spot: SpotSeen, chipset: ChipSet) -> Iterator[BetFault]:
    unread = dict.fromkeys(stack.doubt for stack in spot.stacks if stack.doubt)
    likely = likely_worth(spot, chipset) if unread else None
    probably, do = None, "Count"
    if likely and likely[1] >= PROBABLE:
        probably = likely[0]
        worth = f"It is probably {format_amount(probably)}" if probably else "There are probably no chips"
        do = f"{worth}: count"
    if unread:
        words = f"{spot.title}: the bet could not be read surely ({'; '.join(unread)}). {do} it by hand."
        yield BetFault(BetTrouble.UNSURE, spot.name, words, probably)
    for colour in spot.unvalued(chipset):
        words = f"{spot.title}: no value is known for {colour}. Change it for this table's chips, or enrol it."
        yield BetFault(BetTrouble.UNKNOWN_COLOUR, spot.name, words)


def _order_faults(spot: SpotSeen, stack: StackSeen, chipset: ChipSet) -> Iterator[BetFault]:
    rest = stack
    odd = _sandwiched(stack)
    for colour, among in odd.items():
        count = stack.order.count(colour)
        lie = "chip lies" if count == 1 else "chips lie singly"
        words = (
            f"{spot.title}: {count_words(count)} {colour} {lie} between {among} ones. "
            f"Ask whose {'it is' if count == 1 else 'they are'}, and restack the bet with the highest at the bottom."
        )
        yield BetFault(BetTrouble.SANDWICHED, spot.name, words)
        rest = StackSeen(tuple(c for c in rest.order if c != colour))
    worths = [chipset.value(colour) for colour in rest.order]
    if worths != sorted(worths, reverse=True):
        # The stack is told as it lies, runs of one colour together, and as it should lie.
        lies = ", ".join(f"{count_words(count)} {colour}" for colour, count in stack.runs)
        right = chips_words(Chips(Counter(stack.order)), chipset)
        words = (
            f"{spot.title}: the highest is not at the bottom (from the bottom: {lies}). "
            f"Restack it from the bottom: {right}."
        )
        yield BetFault(BetTrouble.DIRTY, spot.name, words)


def _sandwiched(stack: StackSeen) -> dict[str, str]:
    """Odd colours with the colour around them: every chip of it lies alone between chips of one other.

    A proper stack has each colour in one run, so that its neighbours are of two colours and nothing is sandwiched.
    """
    runs = stack.runs
    inside: dict[str, set[str]] = {}
    for at, (colour, count) in enumerate(runs):
        below, above = (runs[k][0] if 0 <= k < len(runs) else "" for k in (at - 1, at + 1))
        alone = count == 1 and below == above != ""
        inside.setdefault(colour, set()).add(below if alone else "")
    return {colour: next(iter(around)) for colour, around in inside.items() if len(around) == 1 and "" not in around}
