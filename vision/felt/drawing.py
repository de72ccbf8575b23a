"""A layout drawn: one list of marks in millimetres, and what makes an SVG text or a picture of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.felt.layout import Layout, Zone
from vision.felt.markers import cells
from vision.sightings import Point, Quad
from vision.sources.values import Image

Colour = tuple[int, int, int]
"""Red, green, blue."""
CLOTH: Final[Colour] = (24, 84, 58)
LINE: Final[Colour] = (232, 214, 150)
PAPER: Final[Colour] = (255, 255, 255)
INK: Final[Colour] = (0, 0, 0)
TEXT: Final = 24.0
"""Millimetres that letters are high on the drawn felt."""
RIM: Final = 90.0
"""Millimetres of room around the felt, for the words."""


@dataclass(frozen=True)
class Area:
    """A filled or outlined area; ``width`` is its line's, in millimetres."""

    points: tuple[Point, ...]
    fill: Colour | None = None
    line: Colour | None = None
    width: float = 3.0


@dataclass(frozen=True)
class Words:
    """A short text around its middle."""

    at: Point
    text: str
    colour: Colour = LINE
    height: float = TEXT


Mark = Area | Words


def printed(layout: Layout, words: bool = True, markers: bool = True) -> Iterator[Mark]:
    """What is on the felt itself: the cloth, the zones' outlines and the markers."""
    yield Area(_points(layout.felt.outline), CLOTH, LINE, 2.0)
    for zone in layout.zones:
        yield Area(_points(zone.shape.outline), None, LINE)
        if words:
            small = zone.kind == "insurance" or zone.bet
            yield Words(zone.shape.centre, _word(zone), height=0.6 * TEXT if small else TEXT)
    for each in layout.markers if markers else ():
        yield Area(each.paper.points, PAPER)
        yield from marker(each.id, each.corners)


def plan(layout: Layout) -> Iterator[Mark]:
    """The felt with everything on it, sizes, ids and directions: what a person compares with the table."""
    yield from printed(layout)
    for each in layout.markers:
        away = each.paper.area**0.5 / 2 + 0.7 * TEXT
        beside = each.centre[1] + (away if each.centre[1] < layout.size[1] / 2 else -away)
        yield Words((each.centre[0], beside), f"{each.id}")
    width, depth = layout.size
    yield Words((0.0, -RIM / 2), f"the dealer  ·  {width:.0f} mm  ·  x grows to the dealer's left (right here)", INK)
    yield Words((0.0, depth + RIM / 2), f"the players  ·  y grows from the dealer, {depth:.0f} mm", INK)


def as_svg(layout: Layout) -> str:
    """The plan as an SVG document whose units are millimetres."""
    width, depth = layout.size
    box = (-width / 2 - RIM, -RIM, width + 2 * RIM, depth + 2 * RIM)
    view = " ".join(f"{v:g}" for v in box)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}" font-family="sans-serif" text-anchor="middle">',
        f"<title>{escape(layout.title)}</title>",
    ]
    for mark in plan(layout):
        if isinstance(mark, Area):
            points = " ".join(f"{x:.1f},{y:.1f}" for x, y in mark.points)
            line = "none" if mark.line is None else _hex(mark.line)
            fill = "none" if mark.fill is None else _hex(mark.fill)
            lines.append(f'<polygon points="{points}" fill="{fill}" stroke="{line}" stroke-width="{mark.width:g}"/>')
        else:
            x, y = mark.at[0], mark.at[1] + 0.36 * mark.height
            style = f'font-size="{mark.height:g}" fill="{_hex(mark.colour)}"'
            lines.append(f'<text x="{x:.1f}" y="{y:.1f}" {style}>{escape(mark.text)}</text>')
    return "\n".join([*lines, "</svg>", ""])


def as_picture(layout: Layout, pixels_per_mm: float = 1.0) -> Image:
    """The plan as a picture, H x W x 3 BGR, with the room around it."""
    width, depth = layout.size
    size = (round((width + 2 * RIM) * pixels_per_mm), round((depth + 2 * RIM) * pixels_per_mm))
    image = np.full((size[1], size[0], 3), 255, np.uint8)
    for mark in plan(layout):
        draw(image, mark, (-width / 2 - RIM, -RIM), pixels_per_mm)
    return image


def as_png(layout: Layout) -> bytes:
    """The plan as a PNG file."""
    _, data = cv2.imencode(".png", as_picture(layout))
    return data.tobytes()


def draw(image: Image, mark: Mark, corner: Point, pixels_per_mm: float) -> None:
    """Draw one mark into a picture whose top-left corner lies at ``corner`` millimetres."""
    if isinstance(mark, Words):
        # The letters of this font are 21 units high at scale 1.
        scale, font = mark.height * pixels_per_mm / 30, cv2.FONT_HERSHEY_SIMPLEX
        thick = max(1, round(scale * 2))
        # Its letters have no such signs.
        text = mark.text.replace("·", "-")
        (wide, high), _ = cv2.getTextSize(text, font, scale, thick)
        x, y = ((mark.at[k] - corner[k]) * pixels_per_mm for k in (0, 1))
        place = (round(x - wide / 2), round(y + high / 2))
        cv2.putText(image, text, place, font, scale, mark.colour[::-1], thick, cv2.LINE_AA)
        return
    # Sixteenths of a pixel, so that a marker's cells lie where they should; whole numbers are pixel centres.
    at = ((np.array(mark.points) - np.array(corner)) * pixels_per_mm - 0.5) * 16
    points: NDArray[np.int32] = np.round(at).astype(np.int32).reshape(-1, 1, 2)
    if mark.fill is not None:
        cv2.fillPoly(image, [points], mark.fill[::-1], cv2.LINE_AA, 4)
    if mark.line is not None:
        thick = max(1, round(mark.width * pixels_per_mm))
        cv2.polylines(image, [points], True, mark.line[::-1], thick, cv2.LINE_AA, 4)


def marker(number: int, corners: Quad) -> Iterator[Area]:
    """A marker: a black square, and each row's runs of white cells on it, so that no seam shows between them."""
    black = cells(number)
    (ax, ay), (bx, by), _, (dx, dy) = corners
    count = len(black)

    def place(column: float, row: float) -> Point:
        u, v = column / count, row / count
        return (ax + u * (bx - ax) + v * (dx - ax), ay + u * (by - ay) + v * (dy - ay))

    yield Area((place(0, 0), place(count, 0), place(count, count), place(0, count)), INK)
    for row in range(count):
        for start, end in _runs([not bool(cell) for cell in black[row]]):
            yield Area((place(start, row), place(end, row), place(end, row + 1), place(start, row + 1)), PAPER)


def _runs(row: list[bool]) -> Iterator[tuple[int, int]]:
    """First and last-but-one of each run of true values."""
    start = None
    for k, value in enumerate([*row, False]):
        if value and start is None:
            start = k
        elif not value and start is not None:
            yield start, k
            start = None


def _word(zone: Zone) -> str:
    what = zone.bet or {"seat-cards": "seat", "seat-bet": "bet"}.get(zone.kind, zone.kind)
    return what if zone.seat is None else f"{what} {zone.seat}"


def _points(outline: NDArray[np.float32]) -> tuple[Point, ...]:
    return tuple((float(x), float(y)) for x, y in outline)


def _hex(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)
