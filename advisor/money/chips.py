"""Chips: the colours a table uses with their exact values, and handfuls of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final

from advisor.money.amounts import MoneyError, as_written, count_words, format_amount, parse_amount

MOST_COLOURS: Final = 20
"""More colours than any rack has; the search for the fewest chips counts on few."""
MOST_CHIPS: Final = 100_000
"""The most chips of one colour in one handful."""

_NAME: Final = re.compile(r"[a-z][a-z0-9_-]{0,29}", re.ASCII)
_TOKEN: Final = re.compile(r"([^\s:,;]+):([^\s:,;]+)")
_WHOLE: Final = re.compile(r"[+-]?\d{1,9}", re.ASCII)


@dataclass(frozen=True, slots=True, init=False)
class ChipSet:
    """The colours of one table and what a chip of each is worth, in the table's currency.

    Built from a mapping or pairs of colour and value (int, text, `Decimal` or `Fraction`); kept highest value first.
    Two colours may be worth the same. Raises `MoneyError` naming the colour and the value.
    """

    values: tuple[tuple[str, Fraction], ...]
    _worth: Mapping[str, Fraction] = field(init=False, repr=False, compare=False, hash=False)

    def __init__(self, values: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> None:
        worth: dict[str, Fraction] = {}
        for name, value in values.items() if isinstance(values, Mapping) else values:
            if not isinstance(name, str) or not _NAME.fullmatch(name):
                raise MoneyError(f"chip colour {name!r} is no name: use small letters, such as red or light-blue")
            if name in worth:
                raise MoneyError(f"chip colour {name} is given twice: each colour has one value")
            try:
                worth[name] = parse_amount(value)
            except MoneyError as error:
                raise MoneyError(f"chip {name} cannot be {as_written(value)}: {error}") from error
            if worth[name] <= 0:
                raise MoneyError(f"chip {name} cannot be {format_amount(worth[name])}: it must be worth more than 0")
        if not 1 <= len(worth) <= MOST_COLOURS:
            raise MoneyError(f"a set of chips cannot have {len(worth)} colours: it must have 1 to {MOST_COLOURS}")
        ordered = tuple(sorted(worth.items(), key=lambda item: (-item[1], item[0])))
        object.__setattr__(self, "values", ordered)
        object.__setattr__(self, "_worth", MappingProxyType(worth))

    def __reduce__(self) -> tuple[Any, ...]:
        return ChipSet, (self.values,)

    @property
    def colours(self) -> tuple[str, ...]:
        """The colours, highest value first."""
        return tuple(colour for colour, _ in self.values)

    def value(self, colour: str) -> Fraction:
        """What one chip is worth; raises `MoneyError` for a colour that is not in the set."""
        try:
            return self._worth[colour]
        except KeyError:
            raise MoneyError(f"there is no {colour} chip: the colours are {', '.join(self.colours)}") from None

    def __contains__(self, colour: object) -> bool:
        return colour in self._worth


DEFAULT_CHIPS: Final = ChipSet({"yellow": "0.50", "white": 1, "red": 5, "green": 25, "black": 100, "purple": 500})
"""The standard denominations of rules/chips-and-payouts.md."""


@dataclass(frozen=True, slots=True, init=False)
class Chips:
    """A handful of chips: how many of each colour, without regard to what they are worth.

    Built from a mapping of colours to whole counts from 0 up; colours without chips are left out. Two handfuls of the
    same chips are equal. Raises `MoneyError` on a count that is no whole number, is negative, or is past `MOST_CHIPS`.
    """

    counts: tuple[tuple[str, int], ...]

    def __init__(self, counts: Mapping[str, int] | Iterable[tuple[str, int]] = ()) -> None:
        held: dict[str, int] = {}
        for colour, count in counts.items() if isinstance(counts, Mapping) else counts:
            if isinstance(count, bool) or not isinstance(count, int):
                raise MoneyError(f"{as_written(count)} {colour} chips cannot be: a count of chips is a whole number")
            if count < 0:
                raise MoneyError(f"{count} {colour} chips cannot be: a count of chips is never negative")
            held[colour] = held.get(colour, 0) + count
            if held[colour] > MOST_CHIPS:
                raise MoneyError(f"{held[colour]} {colour} chips are more than can be counted: at most {MOST_CHIPS}")
        object.__setattr__(self, "counts", tuple(sorted((c, n) for c, n in held.items() if n)))

    @classmethod
    def parse(cls, text: str, chipset: ChipSet = DEFAULT_CHIPS) -> Chips:
        """Chips written as colour:count, parted by spaces or commas: "red:1 green:2". Empty text is no chips.

        Spaces around the colon, capitals and a colour given twice are taken as meant. Raises `MoneyError` that says
        which part is malformed, of an unknown colour, no whole number, or negative.
        """
        counts: list[tuple[str, int]] = []
        for part in re.split(r"[\s,;]+", re.sub(r"\s*:\s*", ":", text).strip(" \t\r\n,;")):
            if not part:
                continue
            match = _TOKEN.fullmatch(part)
            if match is None:
                raise MoneyError(f"{part[:40]!r} are no chips: write colour:count, such as red:2 green:1")
            colour, count = match[1].lower(), match[2]
            chipset.value(colour)
            if not _WHOLE.fullmatch(count):
                raise MoneyError(f"{part[:40]!r}: a count of chips is a whole number, such as {colour}:2")
            if int(count) < 0:
                raise MoneyError(f"{part[:40]!r}: a count of chips is never negative")
            counts.append((colour, int(count)))
        return cls(counts)

    def __getitem__(self, colour: str) -> int:
        """How many chips of that colour; 0 where there are none."""
        return dict(self.counts).get(colour, 0)

    def __bool__(self) -> bool:
        return bool(self.counts)

    @property
    def size(self) -> int:
        """How many chips in all."""
        return sum(count for _, count in self.counts)

    def __iter__(self) -> Iterator[tuple[str, int]]:
        return iter(self.counts)

    def __add__(self, other: Chips) -> Chips:
        return Chips((*self.counts, *other.counts))

    def __sub__(self, other: Chips) -> Chips:
        """These chips without the others; raises `MoneyError` where there are fewer than are taken away."""
        for colour, count in other:
            if count > self[colour]:
                raise MoneyError(f"{count} {colour} cannot be taken from {self[colour]} {colour}")
        return Chips({colour: count - other[colour] for colour, count in self.counts})

    def times(self, factor: int) -> Chips:
        """Each count so many times over."""
        return Chips({colour: count * factor for colour, count in self.counts})

    def total(self, chipset: ChipSet = DEFAULT_CHIPS) -> Fraction:
        """What the chips are worth together; raises `MoneyError` for a colour that is not in the set."""
        return sum((chipset.value(colour) * count for colour, count in self.counts), Fraction(0))

    def ordered(self, chipset: ChipSet = DEFAULT_CHIPS) -> dict[str, int]:
        """The counts by colour, highest value first."""
        for colour, _ in self.counts:
            chipset.value(colour)
        held = dict(self.counts)
        return {colour: held[colour] for colour in chipset.colours if colour in held}

    def stack(self, chipset: ChipSet = DEFAULT_CHIPS) -> tuple[str, ...]:
        """The colour of every chip from the bottom of the stack up: highest value at the bottom."""
        return tuple(colour for colour, count in self.ordered(chipset).items() for _ in range(count))

    def text(self, chipset: ChipSet = DEFAULT_CHIPS) -> str:
        """The chips as `parse` reads them, highest value first: "green:2 red:1"."""
        return " ".join(f"{colour}:{count}" for colour, count in self.ordered(chipset).items())


def chips_words(chips: Chips, chipset: ChipSet = DEFAULT_CHIPS) -> str:
    """The chips as a dealer names them, highest first: "one red, two white and one yellow"; "no chips"."""
    parts = [f"{count_words(count)} {colour}" for colour, count in chips.ordered(chipset).items()]
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else "".join(parts) or "no chips"
