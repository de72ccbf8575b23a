"""One identity per physical card: through hands, nudges, turns, faint readings and clear-ups."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scripted_table import HEIGHT, SMALL, WIDTH, Faults, Follower, Table, started

from vision.identity import shifted
from vision.sightings import CardSighting, Reading


def test_a_card_at_rest_is_there_after_one_sure_reading() -> None:
    _, follower = started(("9H", 300, 200), start=41)
    (card,) = follower.tracked
    assert (card.card, card.label, card.sure, card.up, card.covered) == (41, "9H", True, True, False)
    assert card.since == card.last_seen == pytest.approx(follower.at)


def test_a_card_keeps_its_number_while_it_lies_is_nudged_and_slides() -> None:
    table, follower = started(("9H", 300, 200), ("9H", 500, 200))
    first = follower.number(table.cards[0])
    for dx in (0, 4, 15, 40):
        table.change(table.cards[0], x=300 + dx)
        follower.look()
        assert [t.card for t in follower.tracked] == [1, 2]
        assert follower.number(table.cards[0]) == first


def test_two_equal_cards_side_by_side_and_stepped_stay_two() -> None:
    table, follower = started(("7D", 300, 200), ("7D", 318, 186))
    numbers = [follower.number(c) for c in table.cards]
    assert len(set(numbers)) == 2
    follower.look(5)
    assert [follower.number(c) for c in table.cards] == numbers


def test_a_hand_over_the_table_erases_nothing_for_any_time() -> None:
    table, follower = started(("7D", 300, 200), ("KS", 318, 186), ("2C", 700, 300))
    table.hands = [(240, 100, 420, 300)]
    follower.look(30, step=10.0)
    assert follower.named() == ["7D", "KS", "2C"]
    assert [t.covered for t in follower.tracked] == [True, True, False]
    table.hands = []
    follower.look()
    assert [(t.card, t.covered) for t in follower.tracked] == [(1, False), (2, False), (3, False)]


def test_a_moving_hand_erases_nothing() -> None:
    table, follower = started(("7D", 300, 200))
    table.hands = [(240, 100, 420, 300)]
    follower.look(15, moving=table.hands[0])
    assert [(t.label, t.covered) for t in follower.tracked] == [("7D", True)]


def test_a_hand_over_a_card_erases_nothing_though_the_table_was_never_seen_bare() -> None:
    table = Table()
    follower = Follower(table)
    table.deal("7D", 300, 200)
    table.deal("8C", 318, 186)
    follower.look(2)
    table.hands = [(220, 100, 420, 300)]
    follower.look(30)
    assert sorted(follower.named()) == ["7D", "8C"]


def test_a_card_whose_place_is_seen_empty_is_gone_at_once() -> None:
    table, follower = started(("7D", 300, 200), ("KS", 500, 200))
    table.cards.pop(0)
    follower.look()
    assert follower.named() == ["KS"]


def test_cards_swept_up_together_are_gone_together_and_their_numbers_are_not_used_again() -> None:
    table, follower = started(("7D", 300, 200), ("KS", 318, 186), ("2C", 336, 172), ("2D", 700, 300))
    hand = (500, 100, 600, 300)
    del table.cards[:3]
    table.hands = [hand]
    follower.look(3, step=0.1, moving=hand)
    assert len(follower.tracked) == 4
    table.hands = []
    follower.look()
    assert follower.named() == ["2D"]
    follower.look(8)
    table.deal("7D", 300, 200)
    follower.look()
    assert [t.card for t in follower.tracked] == [4, 5]


def test_a_card_goes_in_changed_light() -> None:
    table, follower = started(("7D", 300, 200), ("KS", 500, 200))
    for light in (0.9, 0.8, 0.7):
        table.light = light
        follower.look()
    assert follower.named() == ["7D", "KS"]
    table.cards.pop(0)
    follower.look()
    assert follower.named() == ["KS"]


def test_where_the_bare_table_was_never_seen_a_card_goes_after_three_seconds() -> None:
    table = Table()
    follower = Follower(table)
    table.deal("7D", 300, 200)
    follower.look(2)
    table.cards.clear()
    follower.look(9)
    assert follower.named() == ["7D"]
    follower.look(3)
    assert follower.named() == []


def test_without_pictures_a_card_goes_after_three_seconds() -> None:
    table = Table()
    follower = Follower(table, blind=True)
    table.deal("7D", 300, 200)
    follower.look()
    table.cards.clear()
    follower.look(9)
    assert follower.named() == ["7D"]
    follower.look(3)
    assert follower.named() == []


def test_a_card_turned_up_keeps_its_number() -> None:
    table, follower = started(("KS", 500, 200))
    card = table.deal("7D", 300, 200, up=False)
    follower.look()
    assert [(t.card, t.up, t.label) for t in follower.tracked] == [(1, True, "KS"), (2, False, None)]
    table.change(card, up=True, x=310)
    follower.look()
    assert [(t.card, t.up, t.label, t.sure) for t in follower.tracked][1] == (2, True, "7D", True)


def test_a_corner_seen_while_a_card_is_turned_is_no_second_card() -> None:
    table, follower = started(("KS", 240, 200))
    card = table.deal("7D", 300, 200, up=False)
    follower.look()
    known = table.reading().sightings
    (back,) = (s for s in known if s.kind == "back")
    halfway = CardSighting("card", tuple((x - 50, y) for x, y in back.corners), "7D", 0.97, {"7D": 0.97})
    table.hands = [(268, 150, 332, 250)]
    follower.look(reading=Reading(WIDTH, HEIGHT, (*known, halfway)))
    table.hands = []
    table.change(card, up=True)
    follower.look(4)
    assert [(t.card, t.label, t.covered) for t in follower.tracked] == [(1, "KS", False), (2, "7D", False)]


def test_a_card_that_is_laid_where_another_was_taken_up_is_there_alone() -> None:
    table, follower = started(("KS", 276, 200))
    table.deal("7D", 300, 200, up=False)
    follower.look(2)
    del table.cards[1]
    table.change(table.cards[0], x=306, y=186)
    follower.look(3)
    assert follower.named() == ["KS"]


def test_a_back_that_lies_on_most_of_a_card_is_a_card_where_both_are_seen() -> None:
    table, follower = started(("2H", 300, 200))
    seen = table.reading().sightings[0]
    table.deal("9S", 296, 190, up=False)
    over = next(s for s in table.reading().sightings if s.kind == "back")
    follower.look(2, reading=Reading(WIDTH, HEIGHT, (replace(seen, indices=seen.indices[1:]), over)))
    assert follower.named() == ["2H", "back"]


def test_a_back_found_twice_while_it_is_turned_is_one_card() -> None:
    table, follower = started(("KS", 500, 200))
    hole = table.deal("8H", 572, 202, up=False)
    follower.look(2)
    seen = table.reading()
    twice = [
        CardSighting("back", replace(hole, x=x, y=y).corners, None, c)
        for x, y, c in ((566, 208, 0.36), (580, 210, 0.55))
    ]
    follower.look(3, reading=replace(seen, sightings=(*(s for s in seen.sightings if s.kind != "back"), *twice)))
    table.change(hole, up=True)
    follower.look(3)
    assert follower.named() == ["KS", "8H"]


def test_a_back_drawn_over_the_face_beside_it_is_the_card_that_is_turned_up_there() -> None:
    table, follower = started(("2H", 300, 200))
    below = table.reading().sightings[0]
    card = table.deal("9S", 296, 176, up=False)
    over = next(s for s in table.reading().sightings if s.kind == "back")
    low = replace(over, corners=tuple((x + 2, y + 10) for x, y in over.corners))
    follower.look(3, reading=Reading(WIDTH, HEIGHT, (below, low)))
    table.change(card, up=True)
    follower.look(2)
    assert follower.named() == ["2H", "9S"]


def test_an_outline_alone_where_a_card_lies_is_that_card() -> None:
    table, follower = started(("2H", 300, 200))
    seen = table.reading().sightings[0]
    bare = CardSighting("unsure", tuple((x + 6, y + 6) for x, y in seen.corners), None, 0.0)
    follower.look(3, reading=Reading(WIDTH, HEIGHT, (seen, bare)))
    assert follower.named() == ["2H"]


def test_a_face_dealt_over_a_back_does_not_turn_it_up() -> None:
    table, follower = started()
    table.deal("7D", 300, 200, up=False)
    follower.look()
    table.deal("KS", 326, 178)
    table.faults.missed = 0.0
    follower.look()
    reading = Reading(WIDTH, HEIGHT, tuple(s for s in table.reading().sightings if s.kind != "back"))
    follower.look(reading=reading)
    assert follower.named() == ["back", "KS"]


def test_the_first_sure_name_stands_until_it_is_clearly_outweighed() -> None:
    table, follower = started(("7D", 300, 200))
    follower.look(3)
    for _ in range(10):
        table.faults = Faults(wrong=1.0)
        follower.look()
        table.faults = Faults()
        follower.look()
        assert follower.named() == ["7D"]
    true = table.reading().sightings[0]
    other = Reading(WIDTH, HEIGHT, (CardSighting("card", true.corners, "7H", 0.95, {}, true.indices),))
    follower.look(5, reading=other)
    assert follower.named() == ["7D"]
    follower.look(1, reading=other)
    assert [(t.card, t.label) for t in follower.tracked] == [(1, "7H")]


def test_unsure_readings_never_change_a_sure_name() -> None:
    table, follower = started(("7D", 300, 200))
    table.faults = Faults(unsure=1.0)
    follower.look(30)
    assert [(t.card, t.label, t.sure) for t in follower.tracked] == [(1, "7D", True)]


def test_an_unsure_card_needs_two_readings_and_becomes_sure() -> None:
    table, follower = started()
    table.faults = Faults(unsure=1.0)
    table.deal("7D", 300, 200)
    assert not follower.look()
    assert follower.memory.doubts and follower.memory.waiting
    (card,) = follower.look()
    assert not card.sure and card.sighting.kind == "unsure"
    table.faults = Faults()
    (card,) = follower.look()
    assert (card.card, card.label, card.sure) == (1, "7D", True)


def test_a_card_dealt_across_so_that_its_index_covers_the_others_is_a_second_card() -> None:
    table, follower = started(("KS", 500, 200))
    below, across = table.cards[0], table.deal("5C", 492, 250, sideways=True)
    assert np.allclose(np.mean(below.indices[1], 0), np.mean(across.indices[0], 0), atol=1)
    follower.look(3)
    assert follower.named() == ["KS", "5C"]


def test_an_equal_card_dealt_while_a_hand_hides_the_first_is_the_new_one() -> None:
    table, follower = started(("JS", 300, 200))
    first = table.cards[0]
    table.hands = [(240, 120, 330, 230)]
    second = table.deal("JS", 312, 245, sideways=True)
    follower.look(2)
    table.hands = []
    follower.look(2)
    assert follower.named() == ["JS", "JS"]
    assert (follower.number(first), follower.number(second)) == (1, 2)


def test_a_card_that_slid_and_is_covered_by_its_like_keeps_its_number() -> None:
    table, follower = started(("JS", 300, 200))
    moved = table.change(table.cards[0], x=345.0)
    follower.look(2)
    follower.look(20)
    table.deal("JS", 300, 200)
    follower.look(2)
    assert follower.named() == ["JS", "JS"]
    assert follower.number(moved) == 1


def test_a_card_carried_elsewhere_keeps_its_number() -> None:
    table, follower = started(("7D", 300, 200), ("KS", 500, 200))
    card = table.cards.pop(0)
    hand = (700, 300, 800, 400)
    table.hands = [hand]
    follower.look(3, step=0.2, moving=hand)
    table.hands = []
    table.cards.append(type(card)(card.uid, card.label, 800, 400))
    follower.look()
    assert [(t.card, t.label) for t in follower.tracked] == [(1, "7D"), (2, "KS")]
    assert follower.tracked[0].moved_at == follower.at and follower.tracked[1].moved_at is None


def test_a_card_picked_up_stays_so_though_the_next_card_comes_by_over_its_place() -> None:
    """A king went up, and the jack that came elsewhere looked like one at first: it was taken for the king, carried."""
    table, follower = started(("KD", 300, 200), ("QS", 500, 200))
    king = table.cards.pop(0)
    away = (700, 300, 800, 400)
    table.hands = [away]
    follower.look(3, step=0.2, moving=away)
    table.hands = [(240, 120, 310, 280)]
    follower.look(2, step=0.3, moving=away)
    table.hands = [away]
    follower.look(4, step=0.2, moving=away)
    assert follower.named() == ["QS"]
    jack = table.deal("JD", 518, 186)
    follower.look(2, reading=unsure_of(table, "JD", "KD"))
    table.hands = []
    follower.look(3)
    assert follower.named() == ["QS", "JD"] and follower.number(jack) not in (None, follower.number(king))


def test_a_card_carried_while_a_hand_still_hides_its_old_place_keeps_its_number() -> None:
    table, follower = started(("7D", 300, 200), ("KS", 500, 200))
    table.change(table.cards[0], x=800, y=400)
    hand = (240, 120, 380, 280)
    table.hands = [hand]
    follower.look(2, step=0.2, moving=hand)
    table.hands = []
    follower.look()
    assert [(t.card, t.label) for t in follower.tracked] == [(1, "7D"), (2, "KS")]
    assert follower.tracked[0].moved_at is not None


def unsure_of(table: Table, label: str, guess: str) -> Reading:
    """What shows, one card read as what it might be."""
    chances = {guess: 0.7, label: 0.29}
    seen = [
        s if s.label != label else replace(s, kind="unsure", label=guess, confidence=0.7, probabilities=chances)
        for s in table.reading().sightings
    ]
    return Reading(WIDTH, HEIGHT, tuple(seen))


@pytest.mark.parametrize("x", [402, 640])
def test_a_card_that_is_never_read_surely_keeps_its_number_when_it_is_drawn_aside_or_carried(x: float) -> None:
    table, follower = started(("10S", 300, 200))
    card = table.deal("JD", 318 if x < 400 else 480, 186)
    for guess in ("JD", "3D", "3D"):
        follower.look(reading=unsure_of(table, "JD", guess))
    assert [t.card for t in follower.tracked] == [1, 2]
    table.change(card, x=x, y=200)
    for _ in range(4):
        follower.look(reading=unsure_of(table, "JD", "3D"))
    assert [(t.card, t.sure, round(t.sighting.centre[0])) for t in follower.tracked] == [(1, True, 300), (2, False, x)]


def test_a_card_that_is_guessed_otherwise_after_it_was_drawn_aside_keeps_its_number() -> None:
    table, follower = started(("10S", 300, 200))
    card = table.deal("JD", 480, 186)
    for guess in ("QH", "JH", "QH"):
        follower.look(reading=unsure_of(table, "JD", guess))
    table.change(card, x=640, y=200)
    for guess in ("AH", "3D", "AH", "AH"):
        follower.look(reading=unsure_of(table, "JD", guess))
    assert [t.card for t in follower.tracked] == [1, 2]
    black = table.deal("4C", 800, 186)
    table.cards.remove(table.cards[1])
    for _ in range(8):
        follower.look(reading=unsure_of(table, "4C", "AS"))
    assert follower.number(black) == 3, "another colour is another card"


def test_a_card_read_badly_that_is_read_well_where_it_was_drawn_to_keeps_its_number() -> None:
    """A queen was a jack, and unsure, under the other card of its pair; drawn apart, it was plain."""
    table, follower = started(("10S", 300, 200))
    card = table.deal("QD", 480, 186)
    for guess in ("QD", "JD", "JD"):
        follower.look(reading=unsure_of(table, "QD", guess))
    table.change(card, x=560, y=200)
    follower.look(4)
    assert [(t.card, t.label, t.sure) for t in follower.tracked] == [(1, "10S", True), (2, "QD", True)]


def test_a_sure_card_of_another_colour_or_far_from_where_an_unread_one_lay_is_a_new_one() -> None:
    for label, x in (("QS", 560.0), ("QD", 900.0)):
        table, follower = started(("10S", 300, 200))
        table.deal("KD", 480, 186)
        for _ in range(3):
            follower.look(reading=unsure_of(table, "KD", "JD"))
        table.cards.remove(table.cards[1])
        other = table.deal(label, x, 200)
        follower.look(6)
        assert follower.number(other) == 3, label


def test_a_suit_of_the_same_colour_read_when_a_card_comes_to_lie_over_it_is_no_other_card() -> None:
    table, follower = started(("5C", 300, 200))
    follower.look(3)
    table.deal("JH", 318, 176)
    read = table.reading()
    other = [s if s.label != "5C" else replace(s, label="5S", probabilities={"5S": 0.95}) for s in read.sightings]
    follower.look(4, reading=Reading(WIDTH, HEIGHT, tuple(other)))
    assert [t.card for t in follower.tracked] == [1, 2]


def test_an_equal_card_dealt_later_is_a_new_card() -> None:
    table, follower = started(("7D", 300, 200))
    table.cards.clear()
    follower.look(8)
    table.deal("7D", 700, 200)
    follower.look()
    assert [t.card for t in follower.tracked] == [2]


def test_another_card_in_the_same_place_is_another_card() -> None:
    table, follower = started(("7D", 300, 200))
    follower.look(2)
    table.cards.clear()
    table.deal("QC", 303, 198)
    follower.look(2)
    assert [(t.card, t.label) for t in follower.tracked] == [(2, "QC")]


def test_a_stepped_hand_keeps_all_its_cards() -> None:
    table, follower = started(
        *[(label, 300 + 18 * k, 300 - 14 * k) for k, label in enumerate(["7D", "2C", "3H", "AS"])]
    )
    table.deal("KD", 380, 230, sideways=True)
    follower.look(3)
    assert follower.named() == ["7D", "2C", "3H", "AS", "KD"]


def test_missed_detections_make_nothing_flicker() -> None:
    table, follower = started(("7D", 300, 200), ("KS", 500, 200), ("2C", 518, 186))
    table.faults = Faults(missed=0.3, unsure=0.3, jitter=1.0)
    for _ in range(30):
        follower.look()
        assert [(t.card, t.label) for t in follower.tracked] == [(1, "7D"), (2, "KS"), (3, "2C")]


def test_what_lies_still_is_shown_still() -> None:
    table, follower = started(("7D", 300, 200))
    table.faults = Faults(jitter=0.5)
    shown = {follower.look()[0].sighting.corners for _ in range(20)}
    assert len(shown) == 1


def test_a_moved_camera_moves_the_cards_and_not_their_numbers() -> None:
    table, follower = started(("7D", 300, 200))
    follower.memory = shifted(follower.memory, [[1, 0, 200], [0, 1, 100], [0, 0, 1]])
    table.change(table.cards[0], x=500, y=300)
    follower.look()
    assert [(t.card, t.label) for t in follower.tracked] == [(1, "7D")]


def test_another_resolution_keeps_the_cards() -> None:
    table, follower = started(("7D", 300, 200))
    seen = table.reading().sightings[0]
    double = CardSighting("card", tuple((2 * x, 2 * y) for x, y in seen.corners), "7D", 0.9)  # type: ignore[arg-type]
    follower.look(reading=Reading(2 * WIDTH, 2 * HEIGHT, (double,)))
    assert [(t.card, t.label) for t in follower.tracked] == [(1, "7D")]
    assert follower.tracked[0].sighting.centre == pytest.approx((600, 400))


def test_what_was_not_read_anew_proves_nothing_anew() -> None:
    table, follower = started()
    table.faults = Faults(unsure=1.0)
    table.deal("7D", 300, 200)
    from vision.identity import follow

    memory, _ = follow(follower.memory, table.reading(), table.picture(), 50.0)
    nowhere = np.zeros((HEIGHT // SMALL, WIDTH // SMALL), np.bool_)
    for k in range(5):
        memory, tracked = follow(memory, table.reading(), table.picture(), 50.1 + k / 10, looked=nowhere)
        assert not tracked
    _, tracked = follow(memory, table.reading(), table.picture(), 51.0)
    assert len(tracked) == 1


def test_what_other_cards_show_may_name_a_card_that_was_not_read_anew_but_changes_no_sure_name() -> None:
    table, follower = started()
    table.deal("6D", 300, 200)
    (six,) = table.reading().sightings
    open_name = replace(six, kind="unsure", label="AD", confidence=0.7, probabilities={"AD": 0.7, "6D": 0.3})
    follower.look(3, reading=Reading(WIDTH, HEIGHT, (open_name,)))
    assert [(t.label, t.sure) for t in follower.tracked] == [("AD", False)]
    nowhere = np.zeros((HEIGHT // SMALL, WIDTH // SMALL), np.bool_)
    follower.look(reading=Reading(WIDTH, HEIGHT, (six,)), looked=nowhere)
    assert [(t.card, t.label, t.sure) for t in follower.tracked] == [(1, "6D", True)]
    follower.look(20, reading=Reading(WIDTH, HEIGHT, (replace(six, label="AD"),)), looked=nowhere)
    assert [t.label for t in follower.tracked] == ["6D"], "repeated, a reading is no second one"
