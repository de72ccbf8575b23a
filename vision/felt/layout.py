"""A felt and what is where on it, in millimetres.

The one convention for places on the felt, everywhere in tableside, seen from above::

                         the dealer
      right hand             |             left hand
            (-x) ------------0------------> x      the dealer's straight edge, y = 0
                  discards   |  rack    shoe
                             |
              seat 3         |         seat 1
                             v
                             y      towards the players

The origin is the middle of the dealer's straight edge, x grows to the dealer's LEFT and y towards the players. So a
drawing with the dealer at the top has x to the right and y down, as pictures have, and nothing is ever mirrored. Turns
are in degrees, clockwise seen from above. Seats are numbered clockwise from the dealer's left, which is the order in
which cards are dealt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, Final, Literal, get_args

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.felt.shapes import Outline, Polygon, Shape, box, gap, shared_area
from vision.sightings import Point, Quad

Kind = Literal["seat-cards", "seat-bet", "insurance", "house", "shoe", "discards", "rack"]
"""What a zone is for; ``house`` is where the dealer's own cards lie."""
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
OF_A_SEAT: Final = ("seat-cards", "seat-bet", "insurance")
"""Kinds that carry a seat's number; ``insurance`` may also be one area for all."""
PILES: Final = ("shoe", "discards")
MOST_SEATS: Final = 7
REACH: Final = 60.0
"""A card that lies on no area, but this near one, millimetres, belongs to it: hands outgrow what is printed."""
MODULES: Final = 7
"""Cells across a marker: five of code and one of black rim on either side."""


@dataclass(frozen=True)
class Zone:
    """An area of the felt; ``seat`` counts from 1, clockwise from the dealer's left."""

    kind: Kind
    shape: Shape
    seat: int | None = None
    bet: str = ""
    """What is bet on here, such as "tie", where a seat has a place for each of its bets; else empty."""

    @property
    def name(self) -> str:
        """For sentences: "the cards of seat 3", "the shoe"."""
        what = {"seat-cards": "cards", "seat-bet": "bet", "insurance": "insurance"}.get(self.kind, self.kind)
        whose = f"the {what}" if self.seat is None else f"the {what} of seat {self.seat}"
        return f"{whose} on {self.bet}" if self.bet else whose


@dataclass(frozen=True)
class Marker:
    """A printed square that the camera knows: ``size`` is its black side in millimetres.

    At ``turn`` 0 its top edge faces the dealer.
    """

    id: int
    centre: Point
    size: float
    turn: float = 0.0

    @cached_property
    def corners(self) -> Quad:
        """The black square's corners from its own top-left, clockwise seen from above."""
        a, b, c, d = box(self.centre, (self.size, self.size), self.turn).points
        return (a, b, c, d)

    @property
    def paper(self) -> Polygon:
        """The black square with the white rim, one cell wide, that it cannot be found without."""
        side = self.size * (1 + 2 / MODULES)
        return box(self.centre, (side, side), self.turn)


@dataclass(frozen=True)
class Handle:
    """A place that a person can find on the felt and in a picture of it."""

    name: str
    point: Point


@dataclass(frozen=True)
class Layout:
    """A felt: its outline, its zones and its markers. `load_layout` makes them and checks all of it."""

    name: str
    title: str
    felt: Polygon
    zones: tuple[Zone, ...] = ()
    markers: tuple[Marker, ...] = ()
    note: str = ""

    @property
    def size(self) -> tuple[float, float]:
        """Millimetres along the dealer's edge, and from it to the farthest player."""
        (left, top), (right, bottom) = self.felt.outline.min(axis=0), self.felt.outline.max(axis=0)
        return (float(right - left), float(bottom - top))

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats' numbers; a seat has a place for its cards, or places for several bets."""
        held = {z.seat for z in self.zones if z.kind == "seat-cards" or z.bet}
        return tuple(sorted(number for number in held if number is not None))

    def zone(self, kind: Kind, seat: int | None = None, bet: str = "") -> Zone | None:
        """The zone of this kind (and seat, and bet), if the felt has one."""
        return next((z for z in self.zones if (z.kind, z.seat, z.bet) == (kind, seat, bet)), None)

    def zone_at(self, point: Point) -> Zone | None:
        """The zone that holds a point in millimetres."""
        return next((z for z in self.zones if z.shape.contains(point)), None)

    def spot_of(self, card: Sequence[Point], reach: float = REACH) -> Zone | None:
        """Where a card with this outline in millimetres belongs: a seat's cards, the house, the shoe or the discards.

        A card half on a pile belongs to the pile; otherwise to whoever's area it covers most (a seat's bet and
        insurance count for its cards); otherwise to the nearest cards' area within ``reach`` millimetres; else None.
        """
        points = np.asarray(card, np.float32).reshape(-1, 2)
        if len(points) < 3 or not np.isfinite(points).all():
            return None
        outline: Outline = np.asarray(cv2.convexHull(points, clockwise=False), np.float32).reshape(-1, 2)
        whole = float(cv2.contourArea(outline))
        if whole <= 0:
            return None
        low, high = outline.min(axis=0), outline.max(axis=0)
        covered: dict[Zone, float] = {}
        for zone, owner in self._owned(low, high):
            area = shared_area(outline, zone.shape.outline)
            if zone.kind in PILES:
                if area >= whole / 2:
                    return zone
            elif area > 0:
                covered[owner] = covered.get(owner, 0.0) + area
        if covered:
            return max(covered, key=lambda zone: covered[zone])
        around = [zone for zone, owner in self._owned(low - reach, high + reach) if owner is zone]
        gaps = {zone: gap(outline, zone.shape.outline) for zone in around if zone.kind not in PILES}
        nearest = min(gaps, key=lambda zone: gaps[zone], default=None)
        return nearest if nearest is not None and gaps[nearest] <= reach else None

    def _owned(self, low: NDArray[np.float32], high: NDArray[np.float32]) -> list[tuple[Zone, Zone]]:
        """The zones that reach into a rectangle, each with the zone that a card on it belongs to."""
        corners, owned = self._reaches
        into = (corners[:, :2] <= high).all(axis=1) & (corners[:, 2:] >= low).all(axis=1)
        return [owned[k] for k in np.flatnonzero(into)]

    @cached_property
    def _reaches(self) -> tuple[NDArray[np.float32], list[tuple[Zone, Zone]]]:
        owned = [(zone, owner) for zone in self.zones if (owner := self._owner(zone)) is not None]
        outlines = [zone.shape.outline for zone, _ in owned]
        corners = [np.concatenate([o.min(axis=0), o.max(axis=0)]) for o in outlines]
        return np.array(corners, np.float32).reshape(-1, 4), owned

    @cached_property
    def handles(self) -> tuple[Handle, Handle, Handle, Handle]:
        """Four places to drag when there are no markers, clockwise seen from above, from the dealer's right hand.

        A felt with four corners has those. A rounded one has the ends of its straight edge and the middles of two
        bets, chosen so that the four span the most felt.
        """
        points = [(float(x), float(y)) for x, y in self.felt.outline]
        if len(points) != 4:
            edge = sorted(p for p in points if abs(p[1]) < 1)
            bets = [z for z in self.zones if z.kind == "seat-bet"]
            pairs = [
                (_area((edge[0], edge[-1], a.shape.centre, b.shape.centre)), a, b) for a, b in combinations(bets, 2)
            ]
            if len(edge) >= 2 and pairs:
                _, near, far = max(pairs, key=lambda pair: pair[0])
                left, right = sorted((near, far), key=lambda z: -z.shape.centre[0])
                return (
                    Handle("the end of the straight edge at the dealer's right hand", edge[0]),
                    Handle("the end of the straight edge at the dealer's left hand", edge[-1]),
                    Handle(f"the middle of {left.name}", left.shape.centre),
                    Handle(f"the middle of {right.name}", right.shape.centre),
                )
            width, depth = self.size
            points = [(-width / 2, 0.0), (width / 2, 0.0), (width / 2, depth), (-width / 2, depth)]
        first = min(range(4), key=lambda k: points[k][0] + points[k][1])
        a, b, c, d = points[first:] + points[:first]
        return (
            Handle("the corner at the dealer's right hand", a),
            Handle("the corner at the dealer's left hand", b),
            Handle("the far corner on the dealer's left", c),
            Handle("the far corner on the dealer's right", d),
        )

    def _owner(self, zone: Zone) -> Zone | None:
        if zone.kind in ("seat-cards", "house", *PILES):
            return zone
        return self.zone("seat-cards", zone.seat) if zone.seat is not None else None


def as_data(layout: Layout) -> dict[str, Any]:
    """The layout as JSON values, for a page or a program: all areas as outlines in millimetres."""
    return {
        "name": layout.name,
        "title": layout.title,
        "size_mm": list(layout.size),
        "seats": list(layout.seats),
        "felt": _corners(layout.felt),
        "zones": [
            {"kind": z.kind, "seat": z.seat, "centre": list(z.shape.centre), "outline": _corners(z.shape)}
            | ({"bet": z.bet} if z.bet else {})
            for z in layout.zones
        ],
        "markers": [{"id": m.id, "centre": list(m.centre), "size": m.size, "turn": m.turn} for m in layout.markers],
        "handles": [{"name": h.name, "point": list(h.point)} for h in layout.handles],
    }


def _corners(shape: Shape) -> list[list[float]]:
    return [[round(float(x), 1), round(float(y), 1)] for x, y in shape.outline]


def _area(points: Sequence[Point]) -> float:
    return float(cv2.contourArea(cv2.convexHull(np.asarray(points, np.float32))))
