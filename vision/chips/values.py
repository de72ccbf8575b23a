"""What is said of the chips in one picture: frozen values, checked when they are made.

Coordinates are pixels of the picture that was read, x to the right and y down.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

COLOURS = (
    *("white", "yellow", "orange", "red", "pink", "purple"),
    *("blue", "light-blue", "green", "brown", "grey", "black"),
)
"""The colours that the networks were taught; a set of one's own chips may give them other names."""

MOST = 22
"""The tallest stack that is counted. A full column is 20."""

WIDE_MM, THICK_MM = (20.0, 70.0), (1.5, 5.0)
"""Chips smaller or larger than that are none that anybody plays with at a table."""
RULER_OFF = 0.5
"""By how many millimetres somebody who reads a ruler errs."""
MOST_STACKED = 100

Box = tuple[float, float, float, float]
Shape = Literal["stack", "tube", "other"]


@dataclass(frozen=True)
class ChipSize:
    """How large the chips of a set are, in millimetres: as most are sold, unless somebody measured them.

    ``stacked`` is how many lay on each other when their thickness was measured: a ruler errs by as much for twenty.
    """

    width: float = 39.0
    thick: float = 3.3
    stacked: int = 1

    def __post_init__(self) -> None:
        for name, value, (least, most) in (("wide", self.width, WIDE_MM), ("thick", self.thick, THICK_MM)):
            if not least <= value <= most:
                raise ValueError(f"chips are {least:g} to {most:g} mm {name}, not {value:g}")
        if not 1 <= self.stacked <= MOST_STACKED:
            raise ValueError(f"1 to {MOST_STACKED} chips are measured together, not {self.stacked}")

    @property
    def off(self) -> float:
        """By what share of it the thickness may well be off."""
        return RULER_OFF / (self.stacked * self.thick)


@dataclass(frozen=True)
class ChipStack:
    """One stack, a loose chip (a stack of one), or a row of chips in a tube.

    ``box`` is x0, y0, x1, y1. ``order`` names each chip's colour from the bottom up (in a tube from the far or left
    end). Where ``reason`` is not empty the reading is not sure: ``order`` is then the best guess, perhaps none at all,
    and nobody may count on it. ``confidence`` is how likely count and colours are all right. ``likely`` is a reading
    that is not sure, of what is plainly a stack, whose count is likelier right than wrong. ``open`` is one of which
    nothing but count and colours is in doubt (an empty reading: perhaps that it is one at all). ``readings`` are the
    orders that a sure or open one may have and how likely each is, the likeliest first (together at most one: the rest
    is anything else).
    """

    box: Box
    order: tuple[str, ...]
    confidence: float
    reason: str = ""
    shape: Shape = "stack"
    likely: bool = False
    open: bool = False
    readings: tuple[tuple[tuple[str, ...], float], ...] = ()
    found: float = 1.0
    """How plainly something of such a shape was found there."""
    thickness: float | None = None
    """How thick its chips look over what the felt foretells of usual ones (`ChipSize`); None without a felt, or where
    somebody measured them."""

    def __post_init__(self) -> None:
        x0, y0, x1, y1 = self.box
        if not (x0 < x1 and y0 < y1):
            raise ValueError(f"box must be x0, y0, x1, y1 with x0 < x1 and y0 < y1, got {self.box!r}")
        if not 0.0 <= self.confidence <= 1.0:
            raise ValueError(f"confidence must lie between 0 and 1, got {self.confidence!r}")
        if not self.order and not self.reason:
            raise ValueError("a stack without chips must say why it could not be read")
        if (self.likely or self.open) and not (self.order and self.reason):
            raise ValueError("a likely stack has a guess, and a reason why it is not sure")

    @property
    def sure(self) -> bool:
        """Whether count and colours can be relied on."""
        return not self.reason

    @property
    def count(self) -> int:
        """How many chips."""
        return len(self.order)

    @property
    def colours(self) -> Mapping[str, int]:
        """How many of each colour."""
        return MappingProxyType(dict(Counter(self.order)))

    @property
    def centre(self) -> tuple[float, float]:
        """The middle of the box, in pixels."""
        x0, y0, x1, y1 = self.box
        return (x0 + x1) / 2, (y0 + y1) / 2


@dataclass(frozen=True)
class ChipReading:
    """All chips in one picture of ``width`` x ``height`` pixels; ``ms`` names each step's milliseconds."""

    width: int
    height: int
    stacks: tuple[ChipStack, ...] = ()
    ms: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def sure(self) -> tuple[ChipStack, ...]:
        """The stacks whose count and colours can be relied on."""
        return tuple(s for s in self.stacks if s.sure)

    @property
    def listed(self) -> tuple[ChipStack, ...]:
        """The stacks that have a count to tell: the sure ones, and those whose count is likelier right than wrong."""
        return tuple(s for s in self.stacks if s.sure or s.likely)

    @property
    def unsure(self) -> tuple[ChipStack, ...]:
        """The stacks that somebody should look at."""
        return tuple(s for s in self.stacks if not s.sure)
