"""Chips as a camera reads them at one spot of the table: stacks from the bottom up, each sure or with a doubt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from advisor.money.amounts import MoneyError
from advisor.money.chips import DEFAULT_CHIPS, Chips, ChipSet


def runs_of(order: Sequence[str]) -> tuple[tuple[str, int], ...]:
    """Neighbours of one colour taken together, from the bottom up: (("green", 1), ("red", 3))."""
    return tuple((colour, len(list(same))) for colour, same in groupby(order))


@dataclass(frozen=True, slots=True)
class StackSeen:
    """One stack; a loose chip is a stack of one. Raises `MoneyError` for a stack without chips and without a doubt."""

    order: tuple[str, ...]
    """Each chip's colour from the bottom up; where there is a doubt it is a guess, perhaps none at all."""
    doubt: str = ""
    """Why nobody may count on it, such as "something hides a part of it"; empty where it was read surely."""
    open: bool = False
    """Whether nothing but count and colours is in doubt: then the guess is as good as it gets."""
    readings: tuple[tuple[tuple[str, ...], float], ...] = ()
    """All that it may be and how likely each is, the likeliest first, where that is known; an empty one: no chips."""
    at: tuple[float, float] | None = None
    """Where it stands, in millimetres of the felt, where that is known."""
    kept: float | None = None
    """How likely it is the stack that stood there in an earlier picture, as nobody touched it; None: unknown."""

    def __post_init__(self) -> None:
        if not self.order and not self.doubt:
            raise MoneyError("a stack without chips must say why it could not be read")
        if self.open and not (self.order and self.doubt):
            raise MoneyError("a stack whose count is open has a guess, and a doubt")

    @property
    def runs(self) -> tuple[tuple[str, int], ...]:
        """As `runs_of`."""
        return runs_of(self.order)


@dataclass(frozen=True, slots=True)
class SpotSeen:
    """All chips at one spot; without stacks it is empty."""

    name: str
    """As sentences name it: "seat 3", "the insurance of seat 3"."""
    stacks: tuple[StackSeen, ...] = ()

    @property
    def title(self) -> str:
        """The name at the beginning of a sentence."""
        return self.name[:1].upper() + self.name[1:]

    def unvalued(self, chipset: ChipSet = DEFAULT_CHIPS) -> tuple[str, ...]:
        """Colours read surely that the set gives no value."""
        return tuple(sorted({c for s in self.stacks if not s.doubt for c in s.order if c not in chipset}))

    def doubts(self, chipset: ChipSet = DEFAULT_CHIPS) -> tuple[str, ...]:
        """Why the chips cannot be counted on, each reason once; empty where all was read surely and has a value."""
        unread = dict.fromkeys(s.doubt for s in self.stacks if s.doubt)
        return (*unread, *(f"no value is known for {colour}" for colour in self.unvalued(chipset)))

    def chips(self, chipset: ChipSet = DEFAULT_CHIPS) -> Chips | None:
        """All its chips; None where there is a doubt about any of them."""
        if self.doubts(chipset):
            return None
        return Chips(Counter(colour for stack in self.stacks for colour in stack.order))

    def worth(self, chipset: ChipSet = DEFAULT_CHIPS) -> Fraction | None:
        """What all its chips are worth; None where there is a doubt about any of them."""
        chips = self.chips(chipset)
        return None if chips is None else chips.total(chipset)
