"""Backs that are hardly found: cards where the felt is known to be bare, else clutter."""

from __future__ import annotations

from dataclasses import replace

from scripted_table import Follower, Table

from vision.identity_match import FAINT
from vision.sightings import CardSighting, Quad, Reading

HERE = ((470.0, 160.0), (530.0, 160.0), (530.0, 244.0), (470.0, 244.0))
HELD = ((270.0, 160.0), (330.0, 160.0), (330.0, 244.0), (270.0, 244.0))


def faintly(reading: Reading, quad: Quad | None = None) -> Reading:
    """The reading with its backs hardly found, and with another such back at ``quad``."""
    seen = tuple(replace(s, confidence=FAINT - 0.1) if s.kind == "back" else s for s in reading.sightings)
    if quad is None:
        return replace(reading, sightings=seen)
    return replace(reading, sightings=(*seen, CardSighting("back", quad, None, FAINT - 0.1)))


def watched(table: Table, times: int, follower: Follower, quad: Quad | None = None) -> Follower:
    for _ in range(times):
        follower.look(reading=faintly(table.reading(), quad))
    return follower


def a_king_lies() -> tuple[Table, Follower]:
    """A table that was seen bare before the king of spades was dealt to `HELD`."""
    table = Table()
    follower = Follower(table)
    follower.look(6)
    table.deal("KS", 300, 202)
    follower.look(2)
    return table, follower


def test_a_faint_back_on_felt_that_was_seen_bare_is_a_card_after_two_readings() -> None:
    table = Table()
    follower = Follower(table)
    follower.look(6)
    table.deal("9H", 500, 202, up=False)
    assert watched(table, 1, follower).tracked == ()
    (card,) = watched(table, 1, follower).tracked
    assert (card.up, card.label) == (False, None)
    assert [t.card for t in watched(table, 20, follower).tracked] == [card.card], "it stays while it lies"


def test_a_faint_back_where_the_felt_looks_as_ever_is_none() -> None:
    table = Table()
    follower = Follower(table)
    follower.look(6)
    assert watched(table, 8, follower, HERE).tracked == ()


def test_a_faint_back_is_nothing_before_the_table_was_seen() -> None:
    table = Table()
    table.deal("9H", 500, 202, up=False)
    assert watched(table, 8, Follower(table)).tracked == ()


def test_a_faint_back_on_a_card_that_shows_its_face_is_that_cards_picture() -> None:
    table, follower = a_king_lies()
    (card,) = watched(table, 8, follower, HELD).tracked
    assert (card.label, card.up) == ("KS", True)


def test_a_faint_back_that_reaches_beyond_the_card_it_lies_on_is_a_card_dealt_face_down() -> None:
    table, follower = a_king_lies()
    table.deal("9H", 318, 190, up=False)
    watched(table, 3, follower)
    assert [(t.label, t.up) for t in follower.tracked] == [("KS", True), (None, False)]


def test_one_that_reaches_over_felt_that_looks_as_ever_is_the_cards_picture() -> None:
    table, follower = a_king_lies()
    aside = tuple((x + 18.0, y - 12.0) for x, y in HELD)
    (card,) = watched(table, 8, follower, aside).tracked  # type: ignore[arg-type]
    assert (card.label, card.up) == ("KS", True)


def test_a_faint_back_like_the_felt_is_a_card_where_it_hides_the_face_below() -> None:
    table, follower = a_king_lies()
    table.plain = True
    table.deal("9H", 318, 190, up=False)
    watched(table, 3, follower)
    assert [(t.label, t.up) for t in follower.tracked] == [("KS", True), (None, False)]


def test_a_faint_back_that_is_outlined_together_with_the_face_below_is_a_card_where_it_hides_that() -> None:
    """The face of a doubled hand was outlined with the back on it, so that little of the back lay beyond it."""
    table, follower = a_king_lies()
    wider = ((282.0, 156.0), (354.0, 156.0), (354.0, 240.0), (282.0, 240.0))
    for k in range(6):
        if k == 3:
            table.deal("9H", 324, 190, up=False)
        reading = faintly(table.reading())
        seen = [replace(s, corners=wider) if s.label == "KS" else s for s in reading.sightings]
        follower.look(reading=replace(reading, sightings=tuple(seen)))
    assert [(t.label, t.up) for t in follower.tracked] == [("KS", True), (None, False)]


def test_a_back_that_was_found_plainly_is_held_by_a_faint_one() -> None:
    table = Table()
    table.deal("9H", 500, 202, up=False)
    follower = Follower(table)
    (card,) = follower.look(2)
    assert follower.look(1) and card.card == 1
    assert [(t.card, t.covered) for t in watched(table, 5, follower).tracked] == [(card.card, False)]


def test_a_hand_at_rest_is_no_faint_back() -> None:
    table = Table()
    follower = Follower(table)
    follower.look(6)
    table.hands = [(430, 100, 600, 320)]
    assert watched(table, 8, follower, HERE).tracked == ()


def test_a_faint_back_of_another_size_than_the_cards_is_none() -> None:
    table, follower = a_king_lies()
    table.hands = [(460, 150, 490, 190)]
    small = ((460.0, 150.0), (490.0, 150.0), (490.0, 190.0), (460.0, 190.0))
    assert [t.label for t in watched(table, 8, follower, small).tracked] == ["KS"]
