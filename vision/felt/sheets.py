"""A layout's markers on paper, in true size: sheets to print, cut and lay on the felt.

The first page shows where each goes. Every page has a ruler, for a printer that shrinks pages makes markers that lie.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from vision.felt.drawing import INK, RIM, Area, Mark, Words, plan
from vision.felt.drawing import marker as drawn_marker
from vision.felt.layout import Layout, Marker
from vision.felt.shapes import box
from vision.sightings import Point

if TYPE_CHECKING:
    from fpdf import FPDF

Paper = Literal["a4", "letter"]
PAPERS: Final[dict[Paper, tuple[float, float]]] = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Millimetres across and down."""
MARGIN: Final = 12.0
"""Millimetres: no printer prints to the edge."""
FOOT: Final = 26.0
"""Millimetres at the bottom for the ruler."""
WORDS: Final = 16.0
"""Millimetres under each marker for where it goes."""
RULER: Final = 100.0
GREY: Final = (150, 150, 150)
PALE: Final = (205, 205, 205)
POINT: Final = 72 / 25.4
"""Points a millimetre."""


@dataclass(frozen=True)
class Placed:
    """A marker on a page; ``centre`` in millimetres from the page's top-left corner."""

    marker: Marker
    centre: Point


@dataclass(frozen=True)
class Sheet:
    """One page with the markers on it."""

    placed: tuple[Placed, ...]


def sheets(layout: Layout, paper: Paper = "a4") -> tuple[Sheet, ...]:
    """The layout's markers in the order of their ids, as many on a page as fit; none where the layout has none."""
    width, height = PAPERS[paper]
    pages: list[list[Placed]] = [[]]
    x = y = MARGIN
    row = 0.0
    for marker in sorted(layout.markers, key=lambda m: m.id):
        side = _side(marker)
        if x > MARGIN and x + side > width - MARGIN:
            x, y, row = MARGIN, y + row, 0.0
        if pages[-1] and y + side + WORDS > height - MARGIN - FOOT:
            pages.append([])
            x, y, row = MARGIN, MARGIN, 0.0
        pages[-1].append(Placed(marker, (x + side / 2, y + side / 2)))
        x, row = x + side + 4, max(row, side + WORDS)
    return tuple(Sheet(tuple(page)) for page in pages if page)


def pdf(layout: Layout, paper: Paper = "a4") -> bytes:
    """The sheets as a PDF document, the plan first. Raises `ValueError` where the layout has no markers."""
    from fpdf import FPDF, ViewerPreferences

    pages = sheets(layout, paper)
    if not pages:
        raise ValueError(f"layout {layout.name} has no markers to print: add [markers] to its file")
    width, height = PAPERS[paper]
    document = FPDF(orientation="portrait", unit="mm", format=(width, height))
    document.set_auto_page_break(False)
    document.set_margin(0)
    document.set_title(_latin(f"Markers for {layout.title}"))
    document.set_creator("tableside")
    # Readers shrink pages to the printer's margins unless they are told not to.
    document.viewer_preferences = ViewerPreferences(print_scaling="None")
    document.add_page()
    _plan_page(document, layout, width, height, len(pages))
    for number, sheet in enumerate(pages, 1):
        document.add_page()
        for placed in sheet.placed:
            _marker(document, layout, placed)
        _ruler(document, height)
        _text(document, (width - MARGIN, height - MARGIN), f"{layout.name} {number}/{len(pages)}", 3.2, align="right")
    return bytes(document.output())


def where(marker: Marker) -> str:
    """Where a marker goes, in words: "840 mm to the dealer's right, 60 mm from the dealer's edge"."""
    x, y = marker.centre
    side = "in the middle" if abs(x) < 0.5 else f"{abs(x):.0f} mm to the dealer's {'left' if x > 0 else 'right'}"
    turned = f", turned {marker.turn:g}° clockwise" if marker.turn % 360 else ""
    return f"{side}, {y:.0f} mm from the dealer's edge{turned}"


def _plan_page(document: FPDF, layout: Layout, width: float, height: float, count: int) -> None:
    _text(document, (width / 2, MARGIN + 4), f"Markers for: {layout.title}", 6)
    felt_width, depth = layout.size
    share = min((width - 2 * MARGIN) / (felt_width + 2 * RIM), (height * 0.42) / (depth + 2 * RIM))
    corner = (width / 2, MARGIN + 12 + RIM * share)
    for mark in plan(layout):
        _mark(document, mark, corner, share)
    y = corner[1] + (depth + RIM) * share + 8
    pages_said = "the next page" if count == 1 else f"the next {count} pages"
    lines = [
        f"1. Print {pages_said} at 100 %, not 'fit to page', and measure the ruler.",
        "2. Cut along the grey lines. The white rim is part of the marker: leave it on.",
        "3. Lay each flat where the plan has it, its small triangle towards the dealer's edge, and fix it with tape.",
        "4. Distances are to the middle of the marker, left and right as the dealer sees them, from the middle of",
        "    the dealer's straight edge. Within 5 mm is good enough; what lies wrong is told by number.",
    ]
    for line in lines:
        _text(document, (MARGIN, y), line, 3.6, align="left")
        y += 5.4
    y += 3
    for marker in sorted(layout.markers, key=lambda m: m.id):
        _text(document, (MARGIN, y), f"Marker {marker.id}: {where(marker)}.", 3.6, align="left")
        y += 5.0
        if y > height - MARGIN - 3:
            # The rest is said under each marker.
            break


def _marker(document: FPDF, layout: Layout, placed: Placed) -> None:
    marker, (x, y) = placed.marker, placed.centre
    side = _side(marker)
    upright = box((x, y), (marker.size, marker.size)).points
    for mark in drawn_marker(marker.id, (upright[0], upright[1], upright[2], upright[3])):
        _mark(document, mark, (0.0, 0.0), 1.0)
    # In the outer half of the white rim, pale: it tells the hands, and the camera does not mind.
    top, cell = y - side / 2, (side - marker.size) / 2
    triangle = ((x, top + 0.08 * cell), (x + 0.3 * cell, top + 0.4 * cell), (x - 0.3 * cell, top + 0.4 * cell))
    _mark(document, Area(triangle, PALE), (0.0, 0.0), 1.0)
    _text(document, (x, y + side / 2 - 0.25 * cell), f"{marker.id}", 0.32 * cell, colour=PALE)
    document.set_draw_color(*GREY)
    document.set_line_width(0.2)
    document.set_dash_pattern(dash=2, gap=1.5)
    document.rect(x - side / 2, top, side, side)
    document.set_dash_pattern()
    below = y + side / 2
    _text(document, (x, below + 4), f"Marker {marker.id}, {layout.name}", 3.4)
    first, _, rest = where(marker).partition(", ")
    _text(document, (x, below + 8.5), f"{first},", 3.0)
    _text(document, (x, below + 12.5), rest, 3.0)


def _ruler(document: FPDF, height: float) -> None:
    left, y = MARGIN, height - MARGIN - 8
    document.set_draw_color(*INK)
    document.set_line_width(0.25)
    document.line(left, y, left + RULER, y)
    for mm in range(0, int(RULER) + 1):
        long = 5.0 if mm % 50 == 0 else 3.5 if mm % 10 == 0 else 1.6
        document.line(left + mm, y - long, left + mm, y)
    for mm in (0, 50, 100):
        _text(document, (left + mm, y - 7), f"{mm}", 3.0)
    _text(
        document, (left, y + 4.5), "This line must measure 100 mm. If it does not, print again at 100 %.", 3.2, "left"
    )


def _mark(document: FPDF, mark: Mark, corner: Point, share: float) -> None:
    """A drawn mark on the page, ``share`` times its size, its (0, 0) at ``corner``."""
    if isinstance(mark, Words):
        at = (corner[0] + mark.at[0] * share, corner[1] + mark.at[1] * share)
        _text(document, at, mark.text, mark.height * share, colour=mark.colour)
        return
    style: Literal["F", "D", "DF"] = "DF" if mark.fill and mark.line else "F" if mark.fill else "D"
    if mark.fill is not None:
        document.set_fill_color(*mark.fill)
    if mark.line is not None:
        document.set_draw_color(*mark.line)
        document.set_line_width(mark.width * share)
    document.polygon([(corner[0] + x * share, corner[1] + y * share) for x, y in mark.points], style=style)


def _text(
    document: FPDF,
    at: Point,
    text: str,
    height: float,
    align: Literal["left", "right", "middle"] = "middle",
    colour: tuple[int, int, int] = INK,
) -> None:
    """Words whose middle line runs through ``at``; ``height`` millimetres, letters and all."""
    document.set_font("helvetica", size=height * POINT)
    document.set_text_color(*colour)
    shown = _latin(text)
    wide = document.get_string_width(shown)
    x = at[0] - {"left": 0.0, "right": wide, "middle": wide / 2}[align]
    document.text(x, at[1] + 0.35 * height, shown)


def _latin(text: str) -> str:
    """The letters that every PDF reader has; others become question marks."""
    return text.encode("latin-1", "replace").decode("latin-1")


def _side(marker: Marker) -> float:
    """Millimetres of a marker with its white rim."""
    return float(marker.paper.area**0.5)
