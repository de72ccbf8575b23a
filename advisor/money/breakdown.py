"""Amounts into the fewest chips: exact for any denominations, and never more than the rack holds."""

from __future__ import annotations

import math
from fractions import Fraction

from advisor.money.amounts import MoneyError, format_amount
from advisor.money.chips import DEFAULT_CHIPS, MOST_CHIPS, Chips, ChipSet, chips_words
from advisor.money.rack import UNLIMITED, Rack


class CannotPay(MoneyError):  # noqa: N818 - it is what the dealer says, not a fault in the program
    """An amount that the chips at hand cannot make exactly; the message says which and why."""


class Breaker:
    """Breaks many amounts into chips of one set and one rack; what was worked out for one serves the next.

    Colour by colour from the highest: the fewest chips for what remains is remembered for each remainder (dynamic
    programming), so that sets such as 20, 25 and 50, where the highest chip first is not the fewest, come out right.
    """

    def __init__(self, chipset: ChipSet = DEFAULT_CHIPS, rack: Rack = UNLIMITED) -> None:
        usable = [(c, value, rack.supply(c)) for c, value in chipset.values if rack.supply(c) != 0]
        self._scale = math.lcm(*(value.denominator for _, value, _ in usable)) if usable else 1
        self._colours = [colour for colour, _, _ in usable]
        self._values = [int(value * self._scale) for _, value, _ in usable]
        self._supplies = [supply for _, _, supply in usable]
        # What the colours from each place on have in common, and the most that they can make together.
        self._steps = [math.gcd(*self._values[i:]) for i in range(len(usable))]
        self._most: list[int | None] = [0]
        for value, supply in zip(reversed(self._values), reversed(self._supplies), strict=True):
            below = self._most[0]
            self._most.insert(0, None if supply is None or below is None else below + value * supply)
        self._known: dict[tuple[int, int], tuple[int, ...] | None] = {}

    def break_down(self, amount: Fraction) -> Chips | None:
        """The fewest chips worth exactly the amount (of equals, those with more of the highest); `None` if none are.

        Raises `MoneyError` where it would take more than `MOST_CHIPS` chips of one colour.
        """
        scaled = amount * self._scale
        if amount < 0 or scaled.denominator != 1:
            return None
        counts = self._fewest(0, scaled.numerator)
        if counts is None:
            return None
        if any(count > MOST_CHIPS for count in counts):
            raise CannotPay(f"{format_amount(amount)} takes more than {MOST_CHIPS} chips of one colour")
        return Chips(zip(self._colours, counts, strict=True))

    def _fewest(self, place: int, rest: int) -> tuple[int, ...] | None:
        """Counts for the colours from ``place`` on that make ``rest``."""
        if rest == 0:
            return (0,) * (len(self._values) - place)
        if place == len(self._values) or rest % self._steps[place]:
            return None
        most = self._most[place]
        if most is not None and rest > most:
            return None
        key = place, rest
        if key not in self._known:
            self._known[key] = self._search(place, rest)
        return self._known[key]

    def _search(self, place: int, rest: int) -> tuple[int, ...] | None:
        value, supply = self._values[place], self._supplies[place]
        if place + 1 == len(self._values):
            count, left = divmod(rest, value)
            return None if left or (supply is not None and count > supply) else (count,)
        below = self._values[place + 1]
        highest = rest // value if supply is None else min(rest // value, supply)
        # Among any `crowd` lower chips some are worth a multiple of this colour together, and at most `swap` chips of
        # this colour would do for them. So fewer than `crowd` lower chips are needed, unless this colour runs out.
        crowd, swap = value // self._steps[place], below // self._steps[place]
        lowest = -((below * (crowd - 1) - rest) // value)
        if supply is not None:
            lowest = min(lowest, supply - swap + 1)
        most_below = self._most[place + 1]
        if most_below is not None:
            lowest = max(lowest, -((most_below - rest) // value))
        # Only every so many chips of this colour leave a rest that the lower ones can make at all.
        stride = self._steps[place + 1] // math.gcd(value, self._steps[place + 1])
        while highest > 0 and (rest - highest * value) % self._steps[place + 1]:
            highest -= 1
        best: tuple[int, ...] | None = None
        fewest = 0
        for count in range(highest, max(lowest, 0) - 1, -stride):
            left = rest - count * value
            if best is not None and count + -(-left // below) >= fewest:
                break
            lower = self._fewest(place + 1, left)
            if lower is not None and (best is None or count + sum(lower) < fewest):
                best, fewest = (count, *lower), count + sum(lower)
        return best


def breakdown(amount: Fraction | int, chipset: ChipSet = DEFAULT_CHIPS, rack: Rack = UNLIMITED) -> Chips:
    """The fewest chips in the rack that are worth exactly the amount.

    Raises `CannotPay` (a `MoneyError`) that says whether no chips of the set make the amount or the rack is short.
    """
    exact = Fraction(amount)
    if exact < 0:
        raise MoneyError(f"{format_amount(exact)} is negative: it cannot be paid in chips")
    chips = Breaker(chipset, rack).break_down(exact)
    if chips is None:
        raise CannotPay(_why(exact, chipset, rack))
    return chips


def can_pay(amount: Fraction | int, chipset: ChipSet = DEFAULT_CHIPS, rack: Rack = UNLIMITED) -> bool:
    """Whether the chips in the rack can make the amount exactly."""
    try:
        breakdown(amount, chipset, rack)
    except MoneyError:
        return False
    return True


def _why(amount: Fraction, chipset: ChipSet, rack: Rack) -> str:
    owed = format_amount(amount)
    with_all = None if rack.chips is None else Breaker(chipset).break_down(amount)
    if with_all is None:
        lowest, value = chipset.values[-1]
        return f"{owed} cannot be made exactly with these chips (the lowest is {lowest}, {format_amount(value)})"
    held = rack.chips or Chips()
    worth = sum((chipset.value(colour) * count for colour, count in held if colour in chipset), Fraction(0))
    if worth < amount:
        return f"the rack cannot pay {owed}: it holds {format_amount(worth)}"
    missing = Chips({c: max(0, count - held[c]) for c, count in with_all})
    return (
        f"the rack cannot pay {owed} exactly: {chips_words(with_all, chipset)} would do, "
        f"and it is short of {chips_words(missing, chipset)}"
    )
