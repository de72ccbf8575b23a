"""What is wrong with a layout, all of it at once: a sentence each, with the zone, the place and the cure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from math import atan2
from typing import Final

from vision.felt.layout import MOST_SEATS, OF_A_SEAT, Layout, Marker, Zone
from vision.felt.shapes import Outline, common, farthest_out
from vision.sightings import Point

SMALLEST, LARGEST = 250.0, 4000.0
"""Millimetres that a felt may measure either way."""
MARKER_IDS: Final = 100
"""The dictionary has so many: 0 to 99."""
MARKER_SIZES: Final = (20.0, 140.0)
"""Millimetres: smaller is found only close up, larger does not fit on a sheet."""
BET: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
"""How a zone's bet is named."""
SLACK = 0.5
"""Millimetres that rounding in a file may cost."""


def problems(layout: Layout, complete: bool = True) -> tuple[str, ...]:
    """Everything wrong with it; empty where it can be used.

    Where zones are missing that could not be read (not ``complete``), what depends on all of them is not judged.
    """
    seats = _seats(layout.zones) if complete else ()
    return (*_felt(layout), *seats, *_places(layout), *_markers(layout.markers))


def _felt(layout: Layout) -> Iterator[str]:
    outline = layout.felt.outline
    for what, value in zip(("wide", "deep"), layout.size, strict=True):
        if not SMALLEST <= value <= LARGEST:
            yield f"the felt is {value:.0f} mm {what}: it must be {SMALLEST:.0f} to {LARGEST:.0f} mm"
    edge = [float(x) for x, y in outline if abs(y) <= 1]
    if float(outline[:, 1].min()) < -1 or len(edge) < 2 or abs(min(edge) + max(edge)) > 2:
        yield (
            "the felt's outline does not start at the dealer: the dealer's straight edge must lie at y = 0 with its "
            "middle at x = 0, and all of the felt at y above 0"
        )


def _seats(zones: Sequence[Zone]) -> Iterator[str]:
    for zone in zones:
        if zone.seat is None and zone.kind in ("seat-cards", "seat-bet"):
            yield f"a {zone.kind} zone at {_at(zone.shape.centre)} has no seat: give it seat = 1 to {MOST_SEATS}"
        elif zone.seat is not None and zone.kind not in OF_A_SEAT:
            yield f"{zone.name} cannot be: only {', '.join(OF_A_SEAT)} belong to a seat; take seat out"
        elif zone.seat is not None and not 1 <= zone.seat <= MOST_SEATS:
            yield f"seat cannot be {zone.seat}: it must be 1 to {MOST_SEATS}"
        if zone.bet and zone.kind != "seat-bet":
            yield f"{zone.name} cannot be: only a seat-bet zone says what is bet on; take bet out"
        elif zone.bet and not BET.fullmatch(zone.bet):
            yield f"bet cannot be {zone.bet!r}: write small letters, with dashes between words, such as player-pair"
    for key in dict.fromkeys((z.kind, z.seat, z.bet) for z in zones):
        same = [z for z in zones if (z.kind, z.seat, z.bet) == key]
        if len(same) > 1 and not (key[1] is None and key[0] in ("seat-cards", "seat-bet")):
            places = " and ".join(_at(z.shape.centre) for z in same)
            yield f"{same[0].name} is there {len(same)} times, at {places}: keep one"
    seated = [z for z in zones if (z.kind == "seat-cards" or z.bet) and z.seat is not None]
    # Where a seat has a place for its cards, that is where it sits; else its bets are.
    cards = {z.seat: z for z in sorted(seated, key=lambda z: z.kind == "seat-cards")}
    numbers = sorted(n for n in cards if n is not None and 1 <= n <= MOST_SEATS)
    missing = [str(n) for n in range(1, (numbers or [0])[-1]) if n not in numbers]
    if missing:
        yield f"seat {', '.join(missing)} is missing: seats are numbered 1, 2, 3 … without a gap"
    for zone in zones:
        if zone.kind in ("seat-bet", "insurance") and zone.seat is not None and zone.seat not in cards:
            yield f"seat {zone.seat} has {_article(zone)} but no seat-cards zone: add one, or take it out"
    for one, other in pairwise(numbers):
        if _direction(cards[one]) >= _direction(cards[other]):
            yield (
                f"seat {other} comes before seat {one}: seats are numbered clockwise seen from above, starting at the "
                "dealer's left (where x is largest)"
            )


def _places(layout: Layout) -> Iterator[str]:
    outline = layout.felt.outline
    areas: list[tuple[str, Outline]] = [(z.name, z.shape.outline) for z in layout.zones]
    areas += [(f"marker {m.id} with its white rim", m.paper.outline) for m in layout.markers]
    for name, area in areas:
        reach, place = farthest_out(area, outline)
        if reach > SLACK:
            yield f"{name} lies {reach:.0f} mm outside the felt at {_at(place)}: move it or make the felt larger"
    for (name, one), (other_name, other) in combinations(areas, 2):
        if name == other_name:
            continue
        shared, place = common(one, other)
        if shared > SLACK * max(1.0, min(_longest(one), _longest(other))):
            yield f"{name} and {other_name} overlap at {_at(place)}, {shared / 100:.0f} cm² of them: move one"


def _markers(markers: Sequence[Marker]) -> Iterator[str]:
    for marker in markers:
        if not 0 <= marker.id < MARKER_IDS:
            yield f"a marker's id cannot be {marker.id}: it must be 0 to {MARKER_IDS - 1}"
        if not MARKER_SIZES[0] <= marker.size <= MARKER_SIZES[1]:
            yield (
                f"marker {marker.id} is {marker.size:g} mm wide: it must be {MARKER_SIZES[0]:.0f} to "
                f"{MARKER_SIZES[1]:.0f} mm"
            )
    for number in dict.fromkeys(m.id for m in markers):
        places = [_at(m.centre) for m in markers if m.id == number]
        if len(places) > 1:
            yield f"marker {number} is there {len(places)} times, at {' and '.join(places)}: give each its own id"


def _direction(zone: Zone) -> float:
    x, y = zone.shape.centre
    return atan2(y, x)


def _longest(outline: Outline) -> float:
    width, depth = outline.max(axis=0) - outline.min(axis=0)
    return float(max(width, depth))


def _article(zone: Zone) -> str:
    return "an insurance zone" if zone.kind == "insurance" else f"a {zone.kind} zone"


def _at(point: Point) -> str:
    return f"({point[0]:.0f}, {point[1]:.0f})"
