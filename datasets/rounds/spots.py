"""Where on the felt a dealer puts cards and chips, in the millimetres of `vision.felt.layout`.

Cards of a hand are laid in steps up and to the player's right, so that every index shows; a hand split off lies to the
player's left of the one it came from, which is the dealer's right. The house's first hands lie side by side: one in the
middle, or two with the first at the dealer's right.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import atan2, cos, pi, radians, sin
from typing import Final

from datasets.layouts import Place
from datasets.rounds.script import HOUSE, Spot
from vision.felt import Layout, Polygon, load_layout
from vision.felt.layout import Kind
from vision.sightings import Point

LAYOUTS: Final = {1: "one-seat", 3: "three-seats", 4: "kitchen-table", 5: "five-seats", 7: "seven-seats"}
"""The layout that a table with so many seats, or the next fewer, is filmed on."""
STEP: Final[Point] = (19.0, -14.0)
"""From one card of a hand to the next: to the player's right and away from him."""
CROSSWISE: Final[Point] = (17.0, 21.0)
"""What is added for a card at a right angle, so that it covers no index above it."""
APART: Final = 122.0
"""Between the first cards of a seat's hands."""
HOUSE_STEP: Final = 72.0
"""From one card of the house to the next: side by side."""
ACROSS: Final = 140.0
"""From the middle of the house's cards to each of its hands, where it has two."""
THIRD: Final = 118.0
"""From the middle of such a hand to its third card, which may lie crosswise."""
CARD: Final[Point] = (63.5, 88.9)


def layout_for(seats: int) -> Layout:
    """The smallest layout that comes with tableside and has so many seats."""
    return load_layout(LAYOUTS[min(number for number in LAYOUTS if number >= seats)])


@dataclass(frozen=True)
class Spots:
    """Places on one layout. `house_hands` says how many hands the house has, 1 or 2."""

    layout: Layout
    house_hands: int = 1

    def card(self, seat: int, hand: int, number: int, hands: int, crosswise: bool = False) -> Place:
        """Where the `number`-th card (from 0) of a hand lies, in a seat with so many hands."""
        if seat == HOUSE:
            return self._house(hand, number, crosswise)
        centre, angle = self._zone("seat-cards", seat)
        # So that a hand of three, the usual most, is about in the middle of its area.
        right = (hands - 1) / 2 * APART - (hand - 1) * APART + (number - 1) * STEP[0]
        up = (number - 1) * STEP[1] + 4.0
        if crosswise:
            right, up = right + CROSSWISE[0], up + CROSSWISE[1]
        x, y = _moved(centre, angle, right, up)
        return Place(x, y, angle + (pi / 2 if crosswise else 0.0))

    def chips(self, seat: int, spot: Spot) -> Point:
        """Where a stack stands."""
        bet, angle = self._zone("seat-bet", seat)
        if spot == "insurance":
            zone = self.layout.zone("insurance", seat)
            if zone is not None:
                return zone.shape.centre
        return _moved(bet, angle, *{"bet": (0, 0), "double": (46, 0), "insurance": (-46, -30), "side": (-46, 4)}[spot])

    def player(self, seat: int, back: float) -> Point:
        """A point so many millimetres behind a seat's bet, a little to the player's right."""
        centre, angle = self._zone("seat-bet", seat)
        return _moved(centre, angle, 60.0, back)

    @cached_property
    def dealer(self) -> Point:
        """Where the dealer's fingertips are while he does nothing, off the felt."""
        return (140.0, -330.0)

    @cached_property
    def body(self) -> Point:
        """Where the dealer's arm comes from."""
        return (90.0, -950.0)

    @cached_property
    def shoe(self) -> Place:
        """Where cards come from: the mouth of the shoe, cards pointing to the middle of the table."""
        x, y = self._pile("shoe")
        return Place(x - 38.0, y + 52.0, radians(28))

    @cached_property
    def shoe_box(self) -> tuple[Point, float]:
        """The shoe's middle and its turn in radians."""
        x, y = self._pile("shoe")
        return (x, y), radians(28)

    @cached_property
    def discards(self) -> Place:
        """Where cards go, face down."""
        x, y = self._pile("discards")
        return Place(x, y, radians(-6))

    @cached_property
    def rack(self) -> Point:
        """Where the dealer's chips come from."""
        zone = self.layout.zone("rack")
        return zone.shape.centre if zone else (0.0, 60.0)

    def _house(self, hand: int, number: int, crosswise: bool) -> Place:
        (x, y), _ = self._zone("house", None)
        if self.house_hands == 1:
            return Place(x - 105.0 + HOUSE_STEP * number, y, pi / 2 if crosswise else 0.0)
        side = -1 if hand == 1 else 1
        # The third card lies outside the first two.
        out = (number - 0.5) * HOUSE_STEP if number < 2 else THIRD + (number - 2) * HOUSE_STEP
        return Place(x + side * (ACROSS + out), y, pi / 2 if crosswise else 0.0)

    def _pile(self, kind: Kind) -> Point:
        zone = self.layout.zone(kind)
        if zone is not None:
            return zone.shape.centre
        side = 1 if kind == "shoe" else -1
        return (side * (self.layout.size[0] / 2 - 110.0), 100.0)

    def _zone(self, kind: Kind, seat: int | None) -> tuple[Point, float]:
        """A zone's middle, and its angle in radians; seats without the zone, or with a round one, face the house."""
        zone = self.layout.zone(kind, seat)
        cards = self.layout.zone("seat-cards", seat) if seat is not None else zone
        if cards is None:
            raise ValueError(f"the layout {self.layout.name!r} has no {kind} for seat {seat}")
        angle = _turn(cards.shape) if isinstance(cards.shape, Polygon) else 0.0
        if zone is None:
            return _moved(cards.shape.centre, angle, 0.0, 150.0), angle
        return zone.shape.centre, angle


def _turn(shape: Polygon) -> float:
    """The angle of a box: that of the edge from its own top-left to its top-right."""
    (ax, ay), (bx, by) = shape.points[:2]
    return atan2(by - ay, bx - ax)


def _moved(point: Point, angle: float, right: float, down: float) -> Point:
    """The point moved in a frame turned by `angle`, clockwise seen from above."""
    c, s = cos(angle), sin(angle)
    return (point[0] + right * c - down * s, point[1] + right * s + down * c)
