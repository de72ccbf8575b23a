"""The rack: what the dealer has to pay with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from advisor.money.amounts import MoneyError
from advisor.money.chips import Chips


@dataclass(frozen=True, slots=True)
class Rack:
    """The chips in the dealer's rack; `None` is a rack that never runs out.

    A finite rack holds nothing of a colour that it does not name.
    """

    chips: Chips | None = None

    @classmethod
    def of(cls, counts: Mapping[str, int]) -> Rack:
        """A finite rack from counts by colour; raises `MoneyError` on a count that cannot be."""
        return cls(Chips(counts))

    def supply(self, colour: str) -> int | None:
        """How many chips of the colour can be paid out; `None` where there is no end of them."""
        return None if self.chips is None else self.chips[colour]

    def holds(self, chips: Chips) -> bool:
        """Whether all these chips are in the rack."""
        return self.chips is None or all(count <= self.chips[colour] for colour, count in chips)

    def __add__(self, chips: Chips) -> Rack:
        """The rack with chips put in."""
        return self if self.chips is None else Rack(self.chips + chips)

    def __sub__(self, chips: Chips) -> Rack:
        """The rack with chips paid out; raises `MoneyError` where it does not hold them."""
        if self.chips is None:
            return self
        if not self.holds(chips):
            short = [f"{count - self.chips[c]} {c}" for c, count in chips if count > self.chips[c]]
            raise MoneyError(f"the rack is short of {', '.join(short)}")
        return Rack(self.chips - chips)


UNLIMITED: Final = Rack()
"""A rack that never runs out."""
