"""What a bet is paid, in which chips, and how the dealer puts them down (rules/chips-and-payouts.md, "Payouts")."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final

from advisor.money.amounts import AmountLike, MoneyError, count_words, format_amount, odds_text, parse_odds
from advisor.money.breakdown import Breaker, breakdown
from advisor.money.chips import DEFAULT_CHIPS, Chips, ChipSet, chips_words
from advisor.money.rack import UNLIMITED, Rack

THREE_TO_TWO: Final = Fraction(3, 2)


class Method(StrEnum):
    """How a bet is settled, as the dealer calls it."""

    SIZE_INTO = "size into"
    BY_COLOUR = "by colour"
    COLOUR_UP = "colour up"
    BRIDGE = "bridge"
    HEEL = "splash and heel"
    SIZE_TWICE = "size in twice"
    SIZE_TIMES = "size in"
    KNOCK = "knock"
    HALF_BACK = "half back"
    TAKE = "take"


@dataclass(frozen=True, slots=True)
class PayoutPlan:
    """How one bet is settled."""

    bet: Chips
    """The chips on the spot, a doubled bet's second stack included."""
    owed: Fraction
    """What goes to the player on top of the bet; after a surrender, what goes back of it."""
    chips: Chips
    """The chips that make ``owed``."""
    method: Method
    order: tuple[str, ...]
    """The colour of each chip of the pay stack, bottom first: the highest is at the bottom."""
    words: tuple[str, ...]
    """What the dealer does, step by step."""


def payout_plan(
    bet: Chips,
    odds: AmountLike,
    chipset: ChipSet = DEFAULT_CHIPS,
    rack: Rack = UNLIMITED,
    *,
    blackjack: bool = False,
) -> PayoutPlan:
    """How a winning bet is paid at the odds ("3:2", or a multiple of the bet).

    ``blackjack`` pays as a blackjack is paid: 3:2 on an even number of chips of one colour is bridged, any other but
    even money is splashed and heeled. Where the rack lacks the colours that a method asks for, the exact amount is
    splashed and heeled in others. Raises `CannotPay` where no chips at hand make it, `MoneyError` on no bet at all.
    """
    multiple = parse_odds(odds)
    if not bet:
        raise MoneyError("there is no bet to pay: it has no chips")
    owed = bet.total(chipset) * multiple
    if not owed:
        return knock(bet)
    plan: PayoutPlan | None = None
    if multiple == 1:
        plan = _even_money(bet, owed, chipset, rack)
    elif multiple == THREE_TO_TWO:
        plan = _bridge(bet, owed, chipset, rack)
    elif multiple.denominator == 1 and not blackjack:
        plan = _size_times(bet, owed, multiple.numerator, chipset, rack)
    return plan or _heel(bet, owed, multiple, chipset, rack)


def knock(bet: Chips) -> PayoutPlan:
    """A push: nothing moves."""
    return PayoutPlan(bet, Fraction(0), Chips(), Method.KNOCK, (), ("Push: knock, nothing moves.",))


def take(bet: Chips, chipset: ChipSet = DEFAULT_CHIPS) -> PayoutPlan:
    """A lost bet: it goes to the rack."""
    words = (f"Lost: take {chips_words(bet, chipset)} to the rack.",)
    return PayoutPlan(bet, Fraction(0), Chips(), Method.TAKE, (), words)


def half_back(bet: Chips, chipset: ChipSet = DEFAULT_CHIPS, rack: Rack = UNLIMITED) -> PayoutPlan:
    """A surrendered bet: half goes back, out of its own chips where they can be halved.

    Raises `CannotPay` where neither the bet nor the rack has the chips for exactly half.
    """
    if not bet:
        raise MoneyError("there is no bet to halve: it has no chips")
    half = bet.total(chipset) / 2
    if all(count % 2 == 0 for _, count in bet):
        back = Chips({colour: count // 2 for colour, count in bet})
        how = f"Take half, {chips_words(back, chipset)}, to the rack and leave the other half."
    else:
        back = breakdown(half, chipset, rack + bet)
        how = f"Take the bet to the rack and give back {chips_words(back, chipset)}."
    words = (f"Surrender: half back, {format_amount(half)}.", how)
    return PayoutPlan(bet, half, back, Method.HALF_BACK, back.stack(chipset), words)


def _even_money(bet: Chips, owed: Fraction, chipset: ChipSet, rack: Rack) -> PayoutPlan | None:
    """Colour by colour, each in its own colour or, where that makes whole chips of higher ones, in those."""
    paid = Chips()
    steps: dict[str, str] = {}
    coloured_up = False
    for colour, count in bet.ordered(chipset).items():
        same = Chips({colour: count})
        left = rack - paid
        higher = _in_higher(colour, count, chipset, left)
        if higher is None and not left.holds(same):
            return None
        if higher is None:
            steps[colour] = f"size into {chips_words(same, chipset)}"
        else:
            coloured_up = True
            up = chips_words(higher, chipset)
            steps[colour] = f"colour up, {chips_words(same, chipset)} make {up}: pay {up}"
        paid += higher or same
    colours = list(steps)
    if len(colours) > 1:
        method = Method.BY_COLOUR
        words: tuple[str, ...] = (
            f"By colour: split the bet, {colours[0]} nearest you, then {', '.join(colours[1:])}.",
            *(f"{colour.capitalize()}: {step}." for colour, step in steps.items()),
            _stacked(paid, chipset),
        )
    elif coloured_up:
        method, words = Method.COLOUR_UP, (f"Even money: {steps[colours[0]]}.",)
    else:
        words = (f"Even money: size into the bet with the same colour, {chips_words(bet, chipset)}.",)
        method = Method.SIZE_INTO
    return PayoutPlan(bet, owed, paid, method, paid.stack(chipset), words)


def _in_higher(colour: str, count: int, chipset: ChipSet, rack: Rack) -> Chips | None:
    """The chips of one colour as whole chips of higher colours, where they make them."""
    value = chipset.value(colour)
    higher = [(name, worth) for name, worth in chipset.values if worth > value]
    return Breaker(ChipSet(higher), rack).break_down(value * count) if higher else None


def _bridge(bet: Chips, owed: Fraction, chipset: ChipSet, rack: Rack) -> PayoutPlan | None:
    """3:2 on an even number of chips of one colour: as many again, and half as many across the two stacks."""
    ((colour, count), *others) = bet.counts
    if others or count % 2:
        return None
    paid = Chips({colour: count * 3 // 2})
    if not rack.holds(paid):
        return None
    words = (
        f"Bridge: size {count_words(count)} {colour} beside the bet, "
        f"then lay half as many, {count_words(count // 2)} {colour}, across bet and payout.",
        f"That pays {format_amount(owed)} at 3:2.",
    )
    return PayoutPlan(bet, owed, paid, Method.BRIDGE, paid.stack(chipset), words)


def _size_times(bet: Chips, owed: Fraction, times: int, chipset: ChipSet, rack: Rack) -> PayoutPlan | None:
    """Whole odds: the bet's own colours, so many times over."""
    paid = bet.times(times)
    if not rack.holds(paid):
        return None
    often = "twice" if times == 2 else f"{count_words(times)} times"
    each = chips_words(bet, chipset)
    words = [f"Size in {often} at {times}:1: {count_words(times)} stacks, each of {each}."]
    if len(bet.counts) > 1:
        words.append(_stacked(paid, chipset))
    method = Method.SIZE_TWICE if times == 2 else Method.SIZE_TIMES
    return PayoutPlan(bet, owed, paid, method, paid.stack(chipset), tuple(words))


def _heel(bet: Chips, owed: Fraction, odds: Fraction, chipset: ChipSet, rack: Rack) -> PayoutPlan:
    """Any other amount: worked out, splashed so that each chip shows, and heeled beside the bet."""
    paid = breakdown(owed, chipset, rack)
    words = [
        f"{format_amount(bet.total(chipset))} pays {format_amount(owed)} at {odds_text(odds)}.",
        f"Splash {chips_words(paid, chipset)}, then heel it beside the bet.",
    ]
    if len(paid.counts) > 1:
        words.append(_stacked(paid, chipset))
    return PayoutPlan(bet, owed, paid, Method.HEEL, paid.stack(chipset), tuple(words))


def _stacked(chips: Chips, chipset: ChipSet) -> str:
    return f"Stack the payout with the highest at the bottom: {', '.join(chips.ordered(chipset))}."
