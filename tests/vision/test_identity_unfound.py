"""Cards that no reader finds are told by how the table looks where they lie."""

from __future__ import annotations

from dataclasses import replace

import pytest
from scripted_table import Follower, Table, started

from vision.sightings import Reading

pytestmark = pytest.mark.slow


def blind_to_backs(table: Table) -> Reading:
    """The table's reading as of a finder that finds no back of this deck."""
    reading = table.reading()
    return replace(reading, sightings=tuple(s for s in reading.sightings if s.kind != "back"))


def watched(table: Table, follower: Follower, times: int) -> list[str]:
    for _ in range(times):
        follower.look(reading=blind_to_backs(table))
    return sorted(follower.named())


@pytest.mark.parametrize("sideways", [False, True], ids=["as the others", "across"])
def test_a_back_that_is_never_found_is_a_card_where_the_table_looks_otherwise(sideways: bool) -> None:
    table, follower = started(("7D", 300, 200))
    watched(table, follower, 12)
    table.deal("KS", 500, 220, up=False, sideways=sideways)
    assert watched(table, follower, 4) == ["7D", "back"]
    x, y = next(t.sighting.centre for t in follower.tracked if not t.up)
    assert abs(x - 500) < 9 and abs(y - 220) < 9


def test_it_is_there_for_as_long_as_it_lies_and_is_turned_up_in_its_place() -> None:
    table, follower = started(("7D", 300, 200))
    watched(table, follower, 12)
    card = table.deal("KS", 500, 220, up=False)
    watched(table, follower, 4)
    number = next(t.card for t in follower.tracked if not t.up)
    for _ in range(60):
        assert watched(table, follower, 1) == ["7D", "back"]
    table.change(card, up=True)
    assert watched(table, follower, 4) == ["7D", "KS"]
    assert next(t.card for t in follower.tracked if t.label == "KS") == number


@pytest.mark.parametrize("place", [(350, 168), (335, 181.5)], ids=["much of it", "a strip"])
def test_one_that_lies_on_most_of_another_card_is_told_by_what_shows_beside_it(place: tuple[float, float]) -> None:
    table, follower = started(("7D", 300, 200), ("3S", 320, 186))
    watched(table, follower, 12)
    table.deal("7C", *place, up=False)
    assert watched(table, follower, 4) == ["3S", "7D", "back"]


def test_it_is_gone_when_the_table_shows_again() -> None:
    table, follower = started(("7D", 300, 200))
    watched(table, follower, 12)
    card = table.deal("KS", 500, 220, up=False)
    watched(table, follower, 4)
    table.cards.remove(card)
    assert watched(table, follower, 3) == ["7D"]


@pytest.mark.parametrize(
    "thing",
    [(480, 180, 524, 224), (420, 120, 560, 330), (478, 100, 496, 300), (316, 176, 352, 212)],
    ids=["a chip", "a cup or a hand", "a cigar", "a chip beside a card"],
)
def test_what_has_another_size_or_shape_is_no_card(thing: tuple[int, int, int, int]) -> None:
    table, follower = started(("7D", 300, 200))
    watched(table, follower, 12)
    table.hands = [thing]
    assert watched(table, follower, 40) == ["7D"]


def test_chips_that_lay_long_and_went_make_no_card_of_the_next_bet() -> None:
    """A bet and what it won, side by side, are the table after a while; beside that, bare felt would look strange."""
    table, follower = started(("7D", 300, 200))
    watched(table, follower, 12)
    table.hands = [(470, 178, 530, 220)]
    watched(table, follower, 80)
    table.hands = []
    watched(table, follower, 8)
    table.hands = [(470, 220, 530, 262)]
    assert watched(table, follower, 6) == ["7D"]


def test_two_piles_of_chips_that_are_taken_together_leave_no_card() -> None:
    """A bet, and beside it what was put there for a double, cover as much as a card does."""
    table, follower = started(("7D", 300, 200))
    watched(table, follower, 12)
    table.hands = [(470, 178, 530, 220)]
    watched(table, follower, 80)
    table.hands = [(470, 178, 530, 262)]
    watched(table, follower, 80)
    table.hands = []
    assert watched(table, follower, 6) == ["7D"]


def test_before_the_table_was_seen_bare_nothing_is_told() -> None:
    table = Table()
    table.deal("7D", 300, 200)
    table.deal("KS", 500, 220, up=False)
    assert watched(table, Follower(table), 40) == ["7D"]


def test_what_reaches_from_over_a_card_beyond_it_is_a_hand() -> None:
    """Knuckles that rested beyond a pair were a card face down, as large as one and with a side as straight."""
    table, follower = started(("7D", 300, 200), ("9C", 500, 200), ("KS", 600, 200))
    watched(table, follower, 12)
    table.hands = [(266, 158, 391, 242)]
    assert watched(table, follower, 3) == ["7D", "9C", "KS"]
