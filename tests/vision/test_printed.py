"""A printed marker is no card, nor is a court's picture; a card that lies on one is."""

from __future__ import annotations

from vision.printed import without_jokers, without_printed
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


def test_what_covers_more_of_the_felt_than_any_card_is_no_card_unless_it_has_a_name() -> None:
    place = around(230, 132)
    back, named = CardSighting("back", place, None, 0.9), CardSighting("card", place, "8S", 0.99)
    reading = Reading(640, 360, (back, CardSighting("unsure", place), named))
    assert without_printed(reading, [], lambda quad: 14_000.0).sightings == (named,), "a betting area"
    assert without_printed(reading, [], lambda quad: 5_600.0) is reading, "a card"
    assert without_printed(reading, [], lambda quad: float("nan")) is reading, "beyond the felt's horizon"


def test_where_no_jokers_are_dealt_one_on_a_card_alone_is_its_picture_and_any_other_is_asked_about() -> None:
    index, beside = around(235, 130), around(400, 132)
    jack = CardSighting("card", around(230, 132), "JD", 0.99)
    part = CardSighting("card", around(250, 140), "JOKER", 0.91, {}, (index,))
    whole = CardSighting("card", around(235, 135), "JOKER", 0.91, {}, (index, around(225, 140)))
    two = CardSighting("card", around(250, 140), "JOKER", 0.91, {}, (index, beside))
    alone = CardSighting("card", beside, "JOKER", 0.99, {}, (beside,))
    left = without_jokers(Reading(640, 360, (jack, part, whole, two, alone)))
    assert [(s.label, s.kind, len(s.indices)) for s in left.sightings] == [
        ("JD", "card", 0),
        ("JOKER", "unsure", 2),
        ("JOKER", "unsure", 1),
    ]
    assert without_jokers(left).sightings == left.sightings
    assert all(a is b for a, b in zip(without_jokers(left).sightings, left.sightings, strict=True)), "the same ones"
