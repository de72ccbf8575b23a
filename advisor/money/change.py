"""Change and colouring up: chips against chips of the same total, announced before anything moves."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from advisor.money.amounts import AmountLike, MoneyError, amount_words, format_amount, parse_amount
from advisor.money.breakdown import Breaker, CannotPay, breakdown
from advisor.money.chips import DEFAULT_CHIPS, Chips, ChipSet, chips_words
from advisor.money.rack import UNLIMITED, Rack


@dataclass(frozen=True, slots=True)
class ChangePlan:
    """Chips, or an amount in cash, against chips of the same total."""

    amount: Fraction
    incoming: Chips | None
    """The player's chips, left of the line; `None` where cash is changed."""
    outgoing: Chips
    """What the player gets, right of the line."""
    announcement: str
    """What the dealer calls: "cheque change: one hundred"."""
    words: tuple[str, ...]
    """What the dealer does, step by step, the announcement included."""


@dataclass(frozen=True, slots=True)
class ColourUp:
    """A player's chips against the fewest of the same total."""

    total: Fraction
    handed_in: Chips
    """The player's chips that go to the rack."""
    given: Chips
    """The chips that the player gets for them, of the same total."""
    stays: Chips
    """The player's chips that stay as they are, because no higher chips can be had for them."""
    words: tuple[str, ...]

    @property
    def leaves_with(self) -> Chips:
        """All that the player holds afterwards."""
        return self.given + self.stays


def change(
    given: Chips | AmountLike,
    wanted: Chips | str | None = None,
    chipset: ChipSet = DEFAULT_CHIPS,
    rack: Rack = UNLIMITED,
) -> ChangePlan:
    """Change for chips, or for an amount in cash.

    ``wanted`` is the chips asked for, whose total must match; or one colour, of which as many are given as fit and the
    rest in the fewest chips; or nothing, for the fewest chips. The chips handed in stay out of the change. Raises
    `MoneyError` where totals differ or nothing is changed, `CannotPay` where the rack cannot make it.
    """
    incoming = given if isinstance(given, Chips) else None
    amount = incoming.total(chipset) if incoming is not None else parse_amount(given)
    if amount <= 0:
        raise MoneyError(f"{format_amount(amount)} cannot be changed: give more than 0")
    if isinstance(wanted, Chips):
        if wanted.total(chipset) != amount:
            raise MoneyError(
                f"totals must match before anything moves: {format_amount(amount)} in, "
                f"{format_amount(wanted.total(chipset))} out"
            )
        if not rack.holds(wanted):
            raise CannotPay(f"the rack does not hold {chips_words(wanted, chipset)}")
        outgoing = wanted
    elif wanted is None:
        outgoing = breakdown(amount, chipset, rack)
    else:
        outgoing = _mostly(amount, wanted.strip().lower(), chipset, rack)
    announcement = f"cheque change: {amount_words(amount)}" if incoming else f"change: {amount_words(amount)}"
    left = chips_words(incoming, chipset) if incoming else f"{format_amount(amount)} in cash"
    words = (
        f"Left of the line {left}; right of it {chips_words(outgoing, chipset)}.",
        f'Announce "{announcement}".',
        f"Both sides are {format_amount(amount)}: now move them.",
    )
    return ChangePlan(amount, incoming, outgoing, announcement, words)


def _mostly(amount: Fraction, colour: str, chipset: ChipSet, rack: Rack) -> Chips:
    """As many of the colour as fit and the rack holds, and the rest in the fewest chips."""
    value = chipset.value(colour)
    supply = rack.supply(colour)
    most = amount // value if supply is None else min(amount // value, supply)
    for count in range(most, 0, -1):
        of_colour = Chips({colour: count})
        rest = Breaker(chipset, rack - of_colour).break_down(amount - value * count)
        if rest is not None:
            return of_colour + rest
    raise CannotPay(f"{format_amount(amount)} cannot be changed into {colour} ({format_amount(value)} each)")


def colour_up(chips: Chips, chipset: ChipSet = DEFAULT_CHIPS, rack: Rack = UNLIMITED) -> ColourUp:
    """The fewest chips of the same total for a player who leaves the table.

    What the rack cannot give higher chips for stays as it is. Raises `MoneyError` for no chips at all.
    """
    if not chips:
        raise MoneyError("there is nothing to colour up: give the player's chips")
    total = chips.total(chipset)
    fewest = breakdown(total, chipset, rack + chips)
    stays = Chips({colour: min(count, fewest[colour]) for colour, count in chips})
    handed_in, given = chips - stays, fewest - stays
    if not handed_in:
        words: tuple[str, ...] = (f"{chips_words(chips, chipset).capitalize()}: nothing to colour up.",)
    else:
        words = (
            f'Announce "colouring up: {amount_words(given.total(chipset))}".',
            f"Take {chips_words(handed_in, chipset)}; give {chips_words(given, chipset)}.",
        )
        if stays:
            words += (f"{chips_words(stays, chipset).capitalize()} stay as they are.",)
    return ColourUp(total, handed_in, given, stays, words)
