"""A printed marker is no card; a card that lies on one is."""

from __future__ import annotations

from vision.printed import without_printed
from vision.sightings import CardSighting, Quad, Reading

MARKER: Quad = ((100.0, 100.0), (160.0, 104.0), (156.0, 164.0), (98.0, 160.0))


def around(x: float, y: float) -> Quad:
    return ((x - 30, y - 40), (x + 30, y - 40), (x + 30, y + 40), (x - 30, y + 40))


def test_backs_and_bare_outlines_on_a_marker_are_left_out_and_nothing_else() -> None:
    on, beside = around(130, 132), around(230, 132)
    cards = CardSighting("card", on, "8S", 0.99), CardSighting("unsure", on, "3H", 0.6)
    elsewhere = CardSighting("back", beside, None, 0.9), CardSighting("unsure", beside)
    reading = Reading(
        640, 360, (CardSighting("back", on, None, 0.9), *cards, CardSighting("unsure", on), *elsewhere), {"total": 1.0}
    )
    left = without_printed(reading, [MARKER])
    assert left.sightings == (*cards, *elsewhere) and left.ms == reading.ms
    assert without_printed(reading, []) is reading
    assert without_printed(left, [MARKER]) is left
