"""What is no card: phantoms, a card's own indices found twice or misread, and what is left of them under others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from scripted_table import CARD_H, HEIGHT, INDEX_H, INDEX_W, SMALL, WIDTH, Card, started

from vision.sightings import CardSighting, Quad, Reading


def misread(
    reading: Reading, label: str, name: str, askew: Sequence[tuple[float, float]] = ((0.0, 0.0),) * 4
) -> Reading:
    """The reading with one card, by its label, under another name, and its corners moved by ``askew``."""
    card = next(s for s in reading.sightings if s.label == label)
    corners = tuple((x + dx, y + dy) for (x, y), (dx, dy) in zip(card.corners, askew, strict=True))
    other = CardSighting("card", corners, name, 0.98, {name: 0.98}, card.indices)  # type: ignore[arg-type]
    return replace(reading, sightings=(*(s for s in reading.sightings if s is not card), other))


def test_phantoms_never_become_cards() -> None:
    table, follower = started(("KS", 500, 200))
    quad = ((300.0, 200.0), (360.0, 200.0), (360.0, 284.0), (300.0, 284.0))
    faint = CardSighting("unsure", quad, "9C", 0.4)
    sure = CardSighting("card", quad, "9C", 0.95)
    follower.look(reading=Reading(WIDTH, HEIGHT, (*table.reading().sightings, faint)))
    follower.look(3)
    follower.look(5, settled=False, reading=Reading(WIDTH, HEIGHT, (*table.reading().sightings, sure)))
    follower.look(3)
    follower.look(3, moving=(250, 150, 400, 320), reading=Reading(WIDTH, HEIGHT, (*table.reading().sightings, sure)))
    follower.look(3)
    assert [(t.card, t.label) for t in follower.tracked] == [(1, "KS")]


def test_a_scrap_of_the_hand_that_parts_a_pair_does_not_hold_a_cards_place() -> None:
    """It is read as a ten just where the four lay, and the four has slid most of its diagonal away."""
    table, follower = started(("4S", 300, 200), ("4D", 330, 200))
    follower.look(4)
    four = table.cards[0]
    table.change(four, x=348.0, y=145.0)
    table.change(table.cards[1], x=296.0, y=232.0)
    scrap = CardSighting("unsure", replace(four, x=296.0, y=198.0).corners, "10H", 0.29, {"10H": 0.29})
    follower.look(reading=Reading(WIDTH, HEIGHT, (*table.reading().sightings, scrap)), moving=(255, 190, 300, 240))
    follower.look(4)
    assert sorted((t.card, t.label) for t in follower.tracked) == [(1, "4S"), (2, "4D")]


def test_a_phantom_that_was_believed_is_forgotten() -> None:
    table, follower = started(("KS", 500, 200))
    quad = ((300.0, 200.0), (360.0, 200.0), (360.0, 284.0), (300.0, 284.0))
    sure = CardSighting("card", quad, "9C", 0.95)
    follower.look(reading=Reading(WIDTH, HEIGHT, (*table.reading().sightings, sure)))
    follower.look(4)
    assert follower.named() == ["KS"]


def test_a_phantom_that_was_believed_under_a_hand_is_forgotten_where_the_table_shows_again() -> None:
    """A player's hand rests on his cards for a moment, and a part of one is taken for a card that reaches beyond it."""
    table, follower = started(("JS", 300, 200), ("8C", 318, 186))
    table.hands = [(240, 248, 420, 330)]
    phantom = Card(9, "7D", 300, 262)
    guess = CardSighting("unsure", phantom.corners, "7D", 0.25, {"7D": 0.25}, phantom.indices[:1])
    seen = table.reading()
    follower.look(3, reading=replace(seen, sightings=(*seen.sightings, guess)))
    assert len(follower.tracked) == 3
    table.hands = []
    follower.look(2)
    assert [t.label for t in follower.tracked] == ["JS", "8C"]


def test_a_second_sighting_of_an_index_is_no_second_card() -> None:
    table, follower = started(("KS", 500, 200))
    one = table.reading().sightings[0]
    a, b = (CardSighting("card", one.corners, "KS", 0.95, {}, (q,)) for q in one.indices)
    follower.look(3, reading=Reading(WIDTH, HEIGHT, (a, b)))
    assert follower.named() == ["KS"]


@pytest.mark.parametrize(
    ("name", "chance", "cards"),
    [("QC", 0.3, ["QS", "5C"]), ("QC", 0.02, ["QS", "5C"]), ("KC", 0.02, ["QS", "5C", None])],
)
def test_what_is_left_of_an_index_that_was_read_before_is_no_second_card(
    name: str, chance: float, cards: list[str | None]
) -> None:
    """A card comes to lie on half of the far index, a pip beside it is taken for the index, and it stays over: half a
    spade is a club, but half a queen is no king."""
    table, follower = started(("QS", 300, 200))
    queen = table.cards[0]
    table.deal("5C", 318, 186)
    seen = next(s for s in table.reading().sightings if s.label == "5C")
    near, far = queen.indices
    pip = queen.inner(36, 60, 10, 10)
    aside = tuple((x + 24.0, y) for x, y in queen.corners)  # half an index misplaces its card
    half = CardSighting("unsure", aside, name, 0.57, {name: 0.57, "QS": chance}, (far,))
    both = CardSighting("card", queen.corners, "QS", 0.96, {"QS": 0.96}, (near, pip))
    follower.look(3, reading=Reading(WIDTH, HEIGHT, (seen, both, half)))
    assert [t.label if t.sure else None for t in follower.tracked] == cards


@pytest.mark.parametrize(("name", "cards"), [("AC", ["10C", "5S"]), ("AS", ["AS", "5S"])])
def test_half_a_ten_under_the_next_card_is_no_ace(name: str, cards: list[str]) -> None:
    """Aces are ones in some decks. Of another suit, it is what lies there now."""
    table, follower = started(("10C", 300, 200))
    ten = table.cards[0]
    table.deal("5S", 318, 186)
    five = next(s for s in table.reading().sightings if s.label == "5S")
    one = CardSighting("card", ten.corners, name, 0.93, {name: 0.93}, ten.indices[:1])
    follower.look(4, reading=Reading(WIDTH, HEIGHT, (five, one)))
    assert [t.label for t in follower.tracked] == cards


def test_an_ace_on_which_nothing_lies_takes_the_place_of_a_ten() -> None:
    """The ten was wrong, or was taken up unseen: what shows whole is read as it is."""
    table, follower = started(("10C", 300, 200))
    ten = table.cards[0]
    ace = CardSighting("card", ten.corners, "AC", 0.97, {"AC": 0.97}, ten.indices)
    follower.look(8, reading=Reading(WIDTH, HEIGHT, (ace,)))
    assert [t.label for t in follower.tracked] == ["AC"]


def test_a_known_cards_far_index_that_is_named_otherwise_is_no_second_card() -> None:
    table, follower = started(("2D", 300, 200))
    (seen,) = table.reading().sightings
    near = replace(seen, indices=seen.indices[:1])
    far = CardSighting("card", seen.corners, "2H", 0.91, {"2H": 0.91}, seen.indices[1:])
    follower.look(3, reading=Reading(WIDTH, HEIGHT, (near, far)))
    assert [(t.card, t.label) for t in follower.tracked] == [(1, "2D")]


@pytest.mark.parametrize(("name", "cards"), [("9S", ["9C"]), ("4S", ["9C", "4S"])])
def test_a_suit_misread_where_half_the_card_was_read_anew_is_no_second_card(name: str, cards: list[str]) -> None:
    table, follower = started(("9C", 300, 200))
    (seen,) = table.reading().sightings
    near = replace(seen, indices=seen.indices[:1])
    aside = tuple((x + 40.0, y) for x, y in seen.corners)
    far = CardSighting("card", aside, name, 0.92, {name: 0.92}, seen.indices[1:])  # type: ignore[arg-type]
    looked = np.zeros((HEIGHT // SMALL, WIDTH // SMALL), bool)
    looked[:, 306 // SMALL :] = True
    follower.look(2, reading=Reading(WIDTH, HEIGHT, (near, far)), looked=looked)
    assert follower.named() == cards


def test_a_known_cards_index_does_not_become_the_card_that_is_only_guessed_beside_it() -> None:
    table, follower = started(("QS", 300, 200))
    (seen,) = table.reading().sightings
    near = replace(seen, indices=seen.indices[:1])
    far = CardSighting("card", seen.corners, "QC", 0.95, {"QC": 0.95, "QS": 0.04}, seen.indices[1:])
    aside = tuple((x + 8, y + 4) for x, y in seen.corners)
    guess = CardSighting("unsure", aside, "JS", 0.7, {"JS": 0.7, "KS": 0.2})  # type: ignore[arg-type]
    reading = Reading(WIDTH, HEIGHT, (near, far, guess))
    follower.look(reading=reading)
    follower.look(3, reading=reading, looked=np.zeros((HEIGHT // SMALL, WIDTH // SMALL), bool))
    assert follower.named() == ["QS"]


def test_the_two_ends_of_a_card_that_is_being_turned_are_no_two_cards() -> None:
    """While it is turned the card looks narrow, its ends lie as no card's do, and both are read as whole cards."""
    table, follower = started(("KS", 500, 200))
    down = table.deal("7D", 300, 200, up=False)
    follower.look(3)
    table.change(down, up=True)
    king, seven = sorted(table.reading().sightings, key=lambda s: str(s.label), reverse=True)
    near = replace(seven, indices=seven.indices[:1])
    aside = tuple((x + 4.0, y - 18.0) for x, y in seven.corners)
    other = replace(seven, corners=aside, indices=tuple(tuple((x, y - 18.0) for x, y in q) for q in seven.indices[1:]))
    follower.look(2, reading=Reading(WIDTH, HEIGHT, (king, near, other)))
    follower.look(2)
    assert follower.named() == ["KS", "7D"]


@pytest.mark.parametrize(("aside", "cards"), [(2.0, ["3D"]), (24.0, ["3D", None])], ids=["in one place", "stepped"])
def test_an_end_of_a_card_that_is_misread_is_no_card_more(aside: float, cards: list[str | None]) -> None:
    """Odd letters of a dozen pixels: one end of a three of diamonds was an eight, as long as the card was moving."""
    table, follower = started(("KS", 700, 200))
    table.deal("3D", 300, 200)
    king, three = sorted(table.reading().sightings, key=lambda s: str(s.label), reverse=True)
    upper = replace(three, indices=three.indices[:1])
    corners, mark = (tuple((x + aside, y) for x, y in quad) for quad in (three.corners, three.indices[1]))
    lower = CardSighting("unsure", corners, "8D", 0.7, {"8D": 0.7}, (mark,))  # type: ignore[arg-type]
    follower.look(5, reading=Reading(WIDTH, HEIGHT, (king, upper, lower)))
    assert [t.label if t.sure else None for t in follower.tracked if t.label != "KS"] == cards


def test_a_card_misread_while_a_hand_lies_over_a_part_of_its_indices_is_no_second_card() -> None:
    """A ten of clubs was a seven, surely, for as long as a finger hid a part of it."""
    table, follower = started(("JD", 278, 186), ("10C", 300, 200))
    follower.look(4)
    reading = misread(table.reading(), "10C", "7C", ((-3, 5), (-3, 4), (-3, -4), (0, -2)))
    table.hands = [(310, 190, 420, 260)]
    follower.look(1)
    table.hands = []
    follower.look(2, reading=reading)
    follower.look(2)
    assert follower.named() == ["JD", "10C"]


def test_a_card_drawn_away_under_a_hand_whose_suit_is_misread_on_the_way_is_no_second_card() -> None:
    """A pair was drawn apart, and its jack of clubs was a jack of spades for one picture."""
    table, follower = started(("JH", 300, 200), ("JC", 320, 186))
    follower.look(4)
    table.hands = [(280, 130, 420, 320)]
    follower.look(1)
    table.change(table.cards[1], x=262.0, y=232.0)
    follower.look(1, reading=misread(table.reading(), "JC", "JS"))
    follower.look(1)
    table.hands = []
    follower.look(4)
    assert sorted((t.card, t.label) for t in follower.tracked) == [(1, "JH"), (2, "JC")]


def test_a_pair_under_one_hand_of_which_one_is_carried_away_keeps_its_numbers() -> None:
    table, follower = started(("JS", 300, 200), ("JC", 420, 200))
    follower.look(4)
    table.hands = [(250, 140, 480, 270)]
    follower.look(1)
    table.change(table.cards[0], x=300.0, y=360.0)
    follower.look(1)
    assert len(follower.tracked) == 2, "it waits: it may be the one that is covered"
    table.hands = []
    follower.look(4)
    assert sorted((t.card, t.label) for t in follower.tracked) == [(1, "JS"), (2, "JC")]


def test_a_card_that_was_read_while_a_finger_left_it_is_read_again_at_rest() -> None:
    """Its reading is repeated from then on, but says nothing anew: it would have waited for the next whole look."""
    table, follower = started(("7D", 300, 200))
    table.deal("KS", 500, 220)
    follower.look(moving=(515, 240, 530, 262))
    assert follower.named() == ["7D"]
    picture = table.picture()
    follower.look(looked=np.zeros(picture.shape[:2], np.bool_))
    assert follower.named() == ["7D"] and len(follower.memory.doubts) == 1
    follower.look()
    assert follower.named() == ["7D", "KS"]


def test_what_is_read_once_between_an_index_and_its_pip_is_no_card_and_what_is_read_twice_there_is() -> None:
    """A six's pip and the next card's edge were a seven of clubs, surely and once: a hand of 16 was bust, silently."""
    table, follower = started(("6C", 300, 200))
    follower.look(4)
    (six,) = table.reading().sightings
    beside = tuple((x + 9, y + 4) for x, y in six.indices[0])
    seven = CardSighting("card", Card(2, "7C", 309, 230).corners, "7C", 0.92, {"7C": 0.92}, (beside,))
    with_seven = replace(table.reading(), sightings=(six, seven))
    follower.look(1, reading=with_seven)
    assert follower.named() == ["6C"]
    follower.look(3)
    assert follower.named() == ["6C"]
    follower.look(2, reading=with_seven)
    assert sorted(follower.named()) == ["6C", "7C"]


def test_the_outline_of_a_card_that_is_seen_keeps_no_other_one_that_is_missed() -> None:
    """The seven lay mostly in the outline of the eight beside it, and so was taken to be missed by the reader alone."""
    table, follower = started(("8C", 300, 200))
    follower.look(4)
    (eight,) = table.reading().sightings
    seven = CardSighting("card", Card(2, "7C", 304, 204).corners, "7C", 0.97, {}, Card(2, "7C", 304, 230).indices[:1])
    follower.look(1, reading=replace(table.reading(), sightings=(eight, seven), outlines=(eight.corners,)))
    assert sorted(follower.named()) == ["7C", "8C"]
    follower.look(6, reading=replace(table.reading(), outlines=(eight.corners,)))
    assert follower.named() == ["8C"]


def test_of_two_equal_cards_shown_whole_neither_is_the_other_over_again() -> None:
    """As the second ten came down one reading took both cards' indices for one's; from then on the first was gone."""
    table, follower = started(("10D", 300, 200))
    follower.look(4)
    table.deal("10D", 326, 190)
    first, second = table.cards

    def ten(lies: Card, *indices: Quad) -> CardSighting:
        return CardSighting("card", lies.corners, "10D", 0.96, {"10D": 0.96}, indices)

    mixed = ten(second, second.indices[1], *first.indices)
    follower.look(reading=Reading(WIDTH, HEIGHT, (mixed,)))
    both = (ten(second, *second.indices), ten(first, *first.indices))
    follower.look(5, reading=Reading(WIDTH, HEIGHT, both))
    assert follower.named() == ["10D", "10D"]


def test_a_card_that_one_reading_shows_twice_in_one_place_is_one() -> None:
    """While it is laid, two of its indices fit no one card; its second sighting took the place of the card beneath."""
    table, follower = started(("8D", 500, 200))
    follower.look(4)
    table.deal("AS", 503, 170)
    whole = next(s for s in table.reading().sightings if s.label == "AS")
    eight = next(s for s in table.reading().sightings if s.label == "8D")
    part = replace(whole, confidence=0.9, indices=(whole.indices[0], *eight.indices[1:]))
    part = replace(part, corners=tuple((x - 2.0, y + 3.0) for x, y in whole.corners))  # type: ignore[arg-type]
    for _ in range(4):
        follower.look(reading=Reading(WIDTH, HEIGHT, (eight, part, whole)))
    assert sorted(t.label or "" for t in follower.tracked) == ["8D", "AS"]


def test_a_corner_of_a_card_whose_suit_is_misread_is_no_second_card() -> None:
    """A turned hole card was read by its upper corners, and then by a lower one as the five of the other black suit."""
    table, follower = started(("5C", 500, 200))
    follower.look(4)
    five = table.cards[0]
    corner = five.inner(3, CARD_H - 3 - INDEX_H, INDEX_W, INDEX_H)
    drawn = replace(five, x=five.x - 50.0)

    def looked(label: str, *indices: Quad) -> list[str]:
        other = CardSighting("card", drawn.corners, label, 0.96, {label: 0.96}, indices)
        for _ in range(3):
            follower.look(reading=Reading(WIDTH, HEIGHT, (*table.reading().sightings, other)))
        return follower.named()

    assert looked("5S", corner) == ["5C"]
    assert looked("8S", corner) == ["5C", "8S"]
