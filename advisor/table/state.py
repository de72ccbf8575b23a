"""The table's state as the display shows it: frozen values, nothing computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from vision.sightings import Point

DealerSide = Literal["top", "bottom", "left", "right"]
"""Where in the picture the dealer's cards lie."""


@dataclass(frozen=True)
class CardShown:
    """A card of a hand: sure, face down, or unsure (``label`` is then the best guess or None)."""

    kind: Literal["card", "back", "unsure"]
    label: str | None


@dataclass(frozen=True)
class DealerState:
    """The dealer's hand. ``upcard`` is the card advice is given against; ``next_step`` says what the dealer does."""

    cards: tuple[CardShown, ...]
    upcard: str | None
    total: str
    centre: Point
    next_step: str = ""


@dataclass(frozen=True)
class HandState:
    """One player hand with its advice; ``action`` is None where none can be given, and ``problems`` says why.

    ``values`` maps each allowed action to its expected winnings in units of the bet, best first.
    """

    id: str
    cards: tuple[CardShown, ...]
    total: str
    soft: bool
    centre: Point
    action: str | None = None
    values: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    margin: float = 0.0
    why: str = ""
    insurance: str | None = None
    problems: tuple[str, ...] = ()


@dataclass(frozen=True)
class TableState:
    """Everything known at a moment; ``problems`` are what is wrong with the table as a whole."""

    dealer: DealerState | None = None
    hands: tuple[HandState, ...] = ()
    problems: tuple[str, ...] = ()
