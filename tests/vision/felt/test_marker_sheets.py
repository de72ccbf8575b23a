"""The printed sheets: every marker in true size, found by the camera's own detector on the rasterised pages."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pypdfium2
import pytest

from vision.felt import Layout, Marker, find_markers, layout_names, load_layout
from vision.felt.sheets import FOOT, MARGIN, PAPERS, RULER, Paper, pdf, sheets, where

DPI = 150
PIXELS = DPI / 25.4
"""Pixels a millimetre of paper."""
LAYOUTS = {name: load_layout(name) for name in layout_names()}


@cache
def pages(name: str, paper: Paper) -> list[np.ndarray]:
    """The document's pages, as a reader that knows nothing of ours shows them."""
    document = pypdfium2.PdfDocument(pdf(LAYOUTS[name], paper))
    return [np.ascontiguousarray(page.render(scale=DPI / 72).to_numpy()[..., :3]) for page in document]


def test_every_marker_is_on_the_paper_in_true_size() -> None:
    name, paper = "seven-seats", "a4"
    found: dict[int, float] = {}
    for page in pages(name, paper)[1:]:
        assert np.abs(np.array(page.shape[1::-1]) / PIXELS - PAPERS[paper]).max() < 0.3
        for seen in find_markers(page):
            sides = np.linalg.norm(np.roll(seen.corners, 1, axis=0) - np.array(seen.corners), axis=1) / PIXELS
            assert np.ptp(sides) < 0.2
            found[seen.id] = float(sides.mean())
    assert found.keys() == {m.id for m in LAYOUTS[name].markers}
    assert all(abs(found[m.id] - m.size) < 0.15 for m in LAYOUTS[name].markers)


def test_markers_lie_on_the_page_where_the_sheet_says() -> None:
    name, paper = "one-seat", "letter"
    sheet = sheets(LAYOUTS[name], paper)[0]
    seen = {s.id: np.mean(s.corners, axis=0) / PIXELS for s in find_markers(pages(name, paper)[1])}
    for placed in sheet.placed:
        # Their distances from one another are what a ruler on the paper would say.
        for other in sheet.placed:
            meant = np.subtract(placed.centre, other.centre)
            assert np.abs((seen[placed.marker.id] - seen[other.marker.id]) - meant).max() < 0.2
        assert np.abs(seen[placed.marker.id] - placed.centre).max() < 0.3


def test_the_ruler_measures_a_hundred_millimetres() -> None:
    page = pages("one-seat", "a4")[1]
    row = round((PAPERS["a4"][1] - MARGIN - 8) * PIXELS)
    dark = np.flatnonzero(page[row - 3 : row + 4].min(axis=(0, 2)) < 90)
    assert (dark[-1] - dark[0]) / PIXELS == pytest.approx(RULER, abs=0.5)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", LAYOUTS)
def test_nothing_overlaps_or_leaves_the_printable_page(name: str, paper: Paper) -> None:
    layout, (width, height) = LAYOUTS[name], PAPERS[paper]
    made = sheets(layout, paper)
    assert sorted(p.marker.id for s in made for p in s.placed) == sorted(m.id for m in layout.markers)
    for sheet in made:
        half = [(p.centre, p.marker.paper.area**0.5 / 2) for p in sheet.placed]
        for (x, y), side in half:
            assert x - side >= MARGIN - 0.01 and x + side <= width - MARGIN + 0.01
            assert y - side >= MARGIN - 0.01 and y + side <= height - MARGIN - FOOT
        for k, ((x, y), side) in enumerate(half):
            assert all(max(abs(x - u), abs(y - v)) >= side + other for (u, v), other in half[:k])


def test_the_largest_marker_fits_on_a_sheet() -> None:
    one = replace(LAYOUTS["one-seat"], markers=(Marker(60, (0.0, 300.0), 140.0),))
    for paper in PAPERS:
        ((placed,),) = (sheet.placed for sheet in sheets(one, paper))
        assert placed.centre[0] + 90 <= PAPERS[paper][0] - MARGIN + 5


def test_the_printed_paper_is_found_on_a_dark_cloth_after_it_was_cut() -> None:
    """The pale words in the white rim do not hide it, nor does the cut at the rim's edge."""
    page, sheet = pages("one-seat", "a4")[1], sheets(LAYOUTS["one-seat"], "a4")[0]
    cloth = np.full_like(page, 45)
    for placed in sheet.placed:
        side = placed.marker.paper.area**0.5 / 2
        x0, x1 = (round((placed.centre[0] + d) * PIXELS) for d in (-side, side))
        y0, y1 = (round((placed.centre[1] + d) * PIXELS) for d in (-side, side))
        cloth[y0:y1, x0:x1] = page[y0:y1, x0:x1]
    small = np.asarray(cv2.resize(cloth, None, fx=0.2, fy=0.2, interpolation=cv2.INTER_AREA), np.uint8)
    assert {s.id for s in find_markers(small)} == {p.marker.id for p in sheet.placed}


def test_where_a_marker_goes_is_said_as_the_dealer_sees_it() -> None:
    assert where(Marker(60, (-840.0, 60.0), 80.0)) == "840 mm to the dealer's right, 60 mm from the dealer's edge"
    assert where(Marker(60, (0.0, 700.0), 80.0, 90.0)).endswith(
        "in the middle, 700 mm from the dealer's edge, turned 90° clockwise"
    )


def test_a_title_in_any_script_prints() -> None:
    named: Layout = replace(LAYOUTS["one-seat"], title="Küche 卓 Łódź")
    assert pdf(named).startswith(b"%PDF")


def test_a_layout_without_markers_cannot_be_printed() -> None:
    with pytest.raises(ValueError, match="no markers to print"):
        pdf(replace(LAYOUTS["one-seat"], markers=()))
