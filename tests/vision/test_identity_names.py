"""A name over many readings: what an unsure one may still say of the rank."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

import pytest

from vision.identity_names import Name
from vision.sightings import CardSighting, Quad

CORNERS: Quad = ((0, 0), (60, 0), (60, 84), (0, 84))


def unsure(**chances: float) -> CardSighting:
    """A reading that names these, the first of them the guess."""
    named = {label.lstrip("_"): chance for label, chance in chances.items()}
    label, chance = next(iter(named.items()))
    return CardSighting("unsure", CORNERS, label, chance, named)


def heard(*readings: CardSighting) -> Name:
    return reduce(Name.heard, readings, Name())


def test_a_rank_read_twice_with_only_the_suit_open_is_sure_and_the_name_is_not() -> None:
    reading = unsure(_10S=0.6, _10C=0.385)
    assert not heard(reading).rank_sure
    name = heard(reading, reading)
    assert (name.label, name.sure, name.rank_sure) == ("10S", False, True)


@pytest.mark.parametrize("last", [unsure(JS=0.6, _10S=0.39), unsure(KS=0.6, KC=0.39), unsure(JOKER=0.98)])
def test_a_reading_of_another_rank_begins_anew(last: CardSighting) -> None:
    reading = unsure(_10S=0.6, _10C=0.385)
    assert not heard(reading, last).rank_sure
    assert not heard(reading, reading, last).rank_sure
    assert not heard(reading, last, reading).rank_sure


def test_a_sure_reading_settles_rank_and_suit() -> None:
    reading = unsure(_10S=0.6, _10C=0.385)
    name = heard(reading, CardSighting("card", CORNERS, "10C", 0.99))
    assert (name.label, name.sure, name.rank_sure) == ("10C", True, True)


def test_a_rank_once_sure_does_not_come_and_go_with_readings_a_little_less_clear() -> None:
    clear, less = unsure(_10S=0.6, _10C=0.385), unsure(_10S=0.58, _10C=0.38)
    assert heard(clear, clear, less).rank_sure
    assert heard(clear, less, clear).rank_sure
    assert not heard(clear, less, less).rank_sure


def sure(label: str, chance: float = 0.97) -> CardSighting:
    return CardSighting("card", CORNERS, label, chance, {label: chance})


def test_what_was_read_of_the_whole_card_is_borne_out_by_its_corner_and_not_changed() -> None:
    reading = unsure(JD=0.8, _3D=0.15)
    name = heard(reading, reading, unsure(_3D=0.6, _5D=0.3))
    for _ in range(9):
        name = name.heard(sure("3D"), whole=False)
    assert (name.label, name.sure) == ("JD", False)
    assert name.heard(sure("JD"), whole=False).sure
    assert name.heard(sure("3D")).label == "3D", "the whole card may be read anew"


def test_one_look_at_the_whole_card_is_outvoted_by_its_corner_like_any_other() -> None:
    name = heard(sure("3D"))
    for _ in range(9):
        name = name.heard(sure("JD"), whole=False)
    assert (name.label, name.sure) == ("JD", True)


def test_one_look_at_the_whole_card_keeps_its_suit_against_a_corner_that_is_no_surer() -> None:
    """A jack of clubs was dealt, and a jack of spades three times once the next card lay on it: in one deck, the
    dealer's own jack could not be."""
    for last, label in ((0.93, "JC"), (0.97, "JS")):
        name = heard(replace(sure("JC"), confidence=0.95))
        for _ in range(9):
            name = name.heard(replace(sure("JS"), confidence=last), whole=False)
        assert (name.label, name.sure) == (label, True)


def test_a_poor_look_at_the_whole_card_gives_way_to_its_corner() -> None:
    name = heard(unsure(JD=0.3, _3D=0.25)).heard(sure("3D"), whole=False)
    assert (name.label, name.sure) == ("3D", True)


def test_a_sure_name_is_not_outvoted_by_the_corner_of_a_covered_card() -> None:
    name = heard(sure("JD"), sure("JD"))
    for _ in range(9):
        name = name.heard(sure("3D"), whole=False)
    assert (name.label, name.sure, name.rival_readings) == ("JD", True, 0)


def test_a_card_that_was_never_seen_whole_is_named_by_its_corner() -> None:
    name = Name().heard(unsure(JD=0.5), whole=False).heard(sure("3D"), whole=False)
    assert (name.label, name.sure) == ("3D", True)


def test_what_the_whole_card_left_open_more_than_once_is_not_settled_by_its_corner() -> None:
    reading = unsure(_3C=0.57, JC=0.38)
    name = heard(reading, reading)
    for _ in range(4):
        name = name.heard(sure("3C"), whole=False)
    assert not name.sure
    assert name.heard(sure("JC")).sure, "the whole card may settle it"
    assert heard(sure("3C"), reading, reading).heard(sure("3C"), whole=False).sure, "what was sure before stays so"


def test_a_corner_that_was_sure_gives_way_to_the_whole_card_where_that_leaves_the_name_open() -> None:
    corner, reading = Name().heard(sure("7S"), whole=False), unsure(_7C=0.67, _7S=0.3)
    assert not corner.contested
    assert corner.heard(reading).sure and corner.heard(reading).contested, "one look is one look, and asks for another"
    name = corner.heard(reading).heard(reading)
    assert (name.label, name.sure) == ("7C", False)
    assert not name.heard(sure("7S"), whole=False).sure
    assert name.heard(sure("7C")).sure
    borne_out = unsure(_7S=0.6, _7C=0.3)
    assert reduce(Name.heard, [borne_out, reading, reading], corner).sure, "it was the likeliest of the whole card too"


def test_what_the_whole_card_gave_is_given_up_where_it_is_torn_about_it_three_times_in_a_row() -> None:
    """A jack whose letter is a good seven: a hand hid the court at first; then it spoke against the letter."""
    first, doubt = heard(sure("7S"), sure("7S")), unsure(JS=0.52, _7S=0.3)
    two = first.heard(unsure(_7S=0.34, JS=0.3)).heard(doubt)
    assert (two.label, two.sure, two.given_up) == ("7S", True, False)
    three = two.heard(doubt)
    assert (three.label, three.sure, three.given_up) == ("JS", False, True)
    assert reduce(Name.heard, [doubt, doubt, sure("7S"), doubt, doubt], first).sure, "borne out between"
    assert reduce(Name.heard, [unsure(JS=0.52)] * 9, first).sure, "poor looks that have nothing of it say nothing"
    again = three.heard(sure("JS"))
    assert (again.label, again.sure, again.given_up) == ("JS", True, False)
