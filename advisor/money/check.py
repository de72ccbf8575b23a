"""A payout on the felt against what is owed: correct, short or over, and the chips that put it right."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final

from advisor.money.amounts import AmountLike, MoneyError, format_amount, parse_amount
from advisor.money.breakdown import Breaker
from advisor.money.chips import DEFAULT_CHIPS, Chips, ChipSet, chips_words
from advisor.money.rack import UNLIMITED, Rack

PULL_BACK: Final = "Never leave it half corrected: pull the whole payout back before the rack, fix it, pay again."
"""The rule for a wrong payout (rules/chips-and-payouts.md, "Payouts")."""
PULL_BACK_AND: Final = (
    "Pull the whole payout back before the rack, {steps}, and pay again: never leave it half corrected."
)
"""The same with what is to be changed, so that one sentence says all that is to be done."""


class Verdict(StrEnum):
    """How a payout compares with what is owed."""

    CORRECT = "correct"
    SHORT = "short"
    OVER = "over"
    UNSURE = "unsure"
    """Nothing can be said, because something was not read surely; never the verdict on chips that are known."""


@dataclass(frozen=True, slots=True)
class PaymentCheck:
    """One payout compared with what is owed. ``paid`` without ``take_back`` and with ``add`` is worth ``owed``."""

    verdict: Verdict
    owed: Fraction
    paid: Fraction
    add: Chips
    take_back: Chips
    words: tuple[str, ...]

    @property
    def difference(self) -> Fraction:
        """How much the payout is short or over; 0 where it is correct."""
        return abs(self.owed - self.paid)


def verify_payment(
    owed: AmountLike, paid: Chips, chipset: ChipSet = DEFAULT_CHIPS, rack: Rack = UNLIMITED
) -> PaymentCheck:
    """Compare the chips paid with the amount owed; any chips of the right total are correct.

    A payout that is over is put right by taking chips back where that alone does it. Where no chips at hand make the
    difference, ``add`` and ``take_back`` are empty and the words say so. Raises `MoneyError` for a negative ``owed``.
    """
    amount = parse_amount(owed)
    if amount < 0:
        raise MoneyError(f"{format_amount(amount)} cannot be owed: it is negative")
    total = paid.total(chipset)
    if total == amount:
        return PaymentCheck(Verdict.CORRECT, amount, total, Chips(), Chips(), (f"Correct: {format_amount(amount)}.",))
    verdict = Verdict.SHORT if total < amount else Verdict.OVER
    fix = _fix(amount - total, paid, chipset, rack)
    add, back = fix or (Chips(), Chips())
    told = [f"{verdict.capitalize()} by {format_amount(abs(amount - total))}."]
    if fix is None:
        told.append(f"{format_amount(amount)} cannot be paid exactly with the chips at hand.")
    else:
        steps = [f"take back {chips_words(back, chipset)}"] if back else []
        steps += [f"add {chips_words(add, chipset)}"] if add else []
        told.append(f"{', '.join(steps).capitalize()}.")
    return PaymentCheck(verdict, amount, total, add, back, (*told, PULL_BACK))


def _fix(missing: Fraction, paid: Chips, chipset: ChipSet, rack: Rack) -> tuple[Chips, Chips] | None:
    """Chips to add and to take back: by one of the two alone, else with one chip changed, else the whole anew."""
    if missing < 0:
        back = Breaker(chipset, Rack(paid)).break_down(-missing)
        if back is not None:
            return Chips(), back
    else:
        add = Breaker(chipset, rack).break_down(missing)
        if add is not None:
            return add, Chips()
    for colour in reversed(paid.ordered(chipset)):
        rest = chipset.value(colour) + missing
        # Not of the same colour: a chip taken back and put down again would be no correction.
        others = Chips({c: n for c, n in (rack.chips or Chips()) if c != colour})
        usable = rack if rack.chips is None else Rack(others)
        add = Breaker(chipset, usable).break_down(rest) if rest >= 0 else None
        if add is not None and not add[colour]:
            return add, Chips({colour: 1})
    total = paid.total(chipset) + missing
    whole = Breaker(chipset, rack + paid).break_down(total)
    return None if whole is None else (whole, paid)
