"""A card that another lies on stays what it was."""

from __future__ import annotations

from dataclasses import replace

import pytest
from scripted_table import HEIGHT, WIDTH, Card, Table, started

from vision import identity_places
from vision.identity_evidence import unseen
from vision.identity_match import FAINT, fit
from vision.identity_names import Name
from vision.identity_values import Scene
from vision.sightings import CardSighting, Reading, middle

OUT = ((-1, -1), (1, -1), (1, 1), (-1, 1))
"""Outwards from each corner."""


def misread(table: Table) -> Reading:
    """The table's reading with its jack of diamonds surely read as a three."""
    seen = [
        replace(s, label="3D", probabilities={"3D": 0.97}) if s.label == "JD" else s for s in table.reading().sightings
    ]
    return replace(table.reading(), sightings=tuple(seen))


@pytest.mark.parametrize(
    ("at_once", "name"), [(False, "JD"), (True, "3D")], ids=["covered afterwards", "dealt with what covers it"]
)
def test_a_card_that_another_covers_keeps_the_name_that_its_whole_face_had(at_once: bool, name: str) -> None:
    table, follower = started(("JD", 300, 200))
    follower.look(2)
    if at_once:
        table.cards.clear()
        follower.look(9)  # long enough that it is not the same card, carried
        table.deal("JD", 300, 200)
    table.deal("8C", 318, 186)
    follower.look(3)
    follower.look(9, reading=misread(table))
    assert sorted((t.label, t.sure) for t in follower.tracked) == sorted([("8C", True), (name, True)])


def test_what_is_only_being_dealt_onto_a_card_covers_it_too() -> None:
    table, follower = started(("JD", 300, 200))
    follower.look(2)
    table.deal("8C", 318, 186)
    follower.look(9, reading=misread(table), moving=(300, 140, 360, 240))
    assert "JD" in follower.named()


def test_a_card_that_peeps_out_too_little_to_be_looked_at_is_still_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identity_places, "LARGE", 100)  # As before a camera, where more pixels show a card.
    table, follower = started(("8D", 267, 228), ("AC", 285, 214), ("4C", 303, 200))
    follower.look(4)
    table.deal("5H", 314, 200)
    seen = tuple(s for s in table.reading().sightings if s.label != "4C")
    follower.look(30, reading=replace(table.reading(), sightings=seen))
    assert sorted(follower.named()) == ["4C", "5H", "8D", "AC"]


@pytest.mark.parametrize(
    ("like", "table_like", "pixels", "stays"),
    [(1.0, 0.0, 5, True), (0.5, 0.0, 5, False), (1.0, 1.0, 5, False), (1.0, 0.0, 3, False)],
    ids=["as the card", "otherwise", "as the table too", "hardly any"],
)
def test_a_card_whose_rim_alone_shows_is_still_there_while_that_looks_as_it_did(
    monkeypatch: pytest.MonkeyPatch, like: float, table_like: float, pixels: int, stays: bool
) -> None:
    board, follower = started(("10H", 303, 200))
    follower.look(4)
    (track,) = follower.memory.tracks
    over = Card(2, "2S", 305, 199)
    laid = CardSighting("card", over.corners, "2S", 0.99, {}, over.indices)
    picture = board.picture()
    scale = picture.shape[1] / board.reading().width
    rim = identity_places.Judged(like, table_like, 0.03, 1.0, pixels, 0, 100)
    monkeypatch.setattr("vision.identity_evidence.judged", lambda *_a, **_k: rim)
    for number in range(4):
        scene = Scene(follower.at + number, True, picture, scale, None, None, follower.memory.ground)
        track = unseen(track, (track,), (laid,), {}, scene)
    assert track.left is not stays


def test_a_card_laid_across_what_shows_of_another_is_not_that_one_misread() -> None:
    def card(label: str, across: bool, x: float, y: float) -> CardSighting:
        drawn = Card(1, label, x, y, sideways=across)
        return CardSighting("card", drawn.corners, label, 0.99, {}, drawn.indices[:1])

    two = card("2H", False, 300, 200)
    ((x, y), (tx, ty)) = middle(two.indices[0]), middle(card("10S", True, 0, 0).indices[0])
    across = card("10S", True, x - tx, y - ty)
    assert fit(two, True, Name("2H", True, 0.99, 3), card("10S", False, 300, 200)) is not None
    assert fit(two, True, Name("2H", True, 0.99, 3), across) is None


def test_a_faint_back_beside_a_card_that_lies_face_up_is_not_that_card_turned_over() -> None:
    held = Card(1, "3D", 300, 200)
    seen = CardSighting("card", held.corners, "3D", 0.99, {}, held.indices[:1])

    def back(confidence: float) -> CardSighting:
        return CardSighting("back", Card(2, "3C", 312, 200).corners, None, confidence)

    assert fit(seen, True, Name("3D", True, 0.99, 3), back(FAINT)) is not None
    assert fit(seen, True, Name("3D", True, 0.99, 3), back(FAINT - 0.1)) is None
    assert fit(seen, False, Name("3D", True, 0.99, 3), back(FAINT - 0.1)) is not None


def test_half_an_index_that_was_read_whole_before_is_no_equal_card() -> None:
    """A card came to lie on half of it: what is left reads as surely as ever, but too askew for a card's other end."""
    table, follower = started(("QH", 300, 200))
    follower.look(4)
    table.deal("9C", 330, 186)
    read = {s.label: s for s in table.reading().sightings}
    queen, nine = read["QH"], read["9C"]
    first, second = Card(1, "QH", 300, 200).indices
    astray = tuple((x + 4, y + 4) for x, y in second)
    half = CardSighting("card", Card(1, "QH", 250, 200).corners, "QH", 0.91, {}, (astray,))
    follower.look(6, reading=replace(table.reading(), sightings=(replace(queen, indices=(first,)), nine, half)))
    assert sorted(follower.named()) == ["9C", "QH"]
    other_suit = replace(half, label="QD", confidence=0.97)
    follower.look(6, reading=replace(table.reading(), sightings=(replace(queen, indices=(first,)), nine, other_suit)))
    assert sorted(follower.named()) == ["9C", "QH"], "a suit half covered is read as the other one of its colour"
    elsewhere = replace(half, indices=Card(1, "QH", 120, 210).indices[:1], corners=Card(1, "QH", 120, 210).corners)
    follower.look(6, reading=replace(table.reading(), sightings=(replace(queen, indices=(first,)), nine, elsewhere)))
    assert sorted(follower.named()) == ["9C", "QH", "QH"]


def test_a_card_under_another_that_stays_was_not_exchanged_whatever_is_read_of_its_corner() -> None:
    """A jack in odd letters reads as a three once the next card lies on it, and the shadow changes what shows of it."""
    table, follower = started(("JH", 300, 200))
    follower.look(4)
    table.deal("JC", 320, 186)
    follower.look(2)
    number = follower.number(table.cards[0])
    read = table.reading()
    table.hands = [(262, 215, 340, 270)]
    misread = tuple(replace(s, label="3H", confidence=0.97) if s.label == "JH" else s for s in read.sightings)
    assert any(s.label == "3H" for s in misread)
    follower.look(6, reading=replace(read, sightings=misread))
    assert sorted(follower.named()) == ["JC", "JH"]
    assert follower.number(table.cards[0]) == number


def both_as_one(table: Table) -> Reading:
    """A reading in which the table's two equal cards are joined to one with the indices of both."""
    first, second = (Card(card.uid, card.label, card.x, card.y) for card in table.cards)
    whole = table.reading().sightings[-1]
    return Reading(WIDTH, HEIGHT, (replace(whole, indices=(*first.indices, *second.indices)),))


def test_an_equal_card_laid_over_another_is_a_second_one_though_one_picture_joins_both() -> None:
    table, follower = started(("4H", 300, 200))
    table.deal("4H", 318, 186)
    follower.look(reading=both_as_one(table))
    assert follower.memory.doubts == (follower.tracked[0].sighting.corners,), "it is read again"
    follower.look(step=0.01, reading=both_as_one(table))
    follower.look()
    assert follower.named() == ["4H", "4H"]
    assert [follower.number(card) for card in table.cards] == [1, 2]


def test_a_card_that_later_pictures_show_with_more_indices_has_them() -> None:
    table, follower = started(("4H", 300, 200))
    table.deal("4H", 318, 186)
    follower.look(3, reading=both_as_one(table))
    assert follower.named() == ["4H"]
    assert len(follower.tracked[0].sighting.indices) == 4
    assert follower.memory.doubts == ()


def test_what_is_covered_before_it_is_read_again_is_not_asked_for_over_and_over() -> None:
    table, follower = started(("4H", 300, 200))
    table.deal("4H", 318, 186)
    follower.look(reading=both_as_one(table))
    table.hands = [(220, 100, 420, 300)]
    follower.look(4)
    assert [t.covered for t in follower.tracked] == [True]
    assert follower.memory.doubts == ()


def test_a_place_where_an_unsure_face_shows_over_a_card_is_read_again_but_not_for_ever() -> None:
    table, follower = started(("6S", 300, 200))
    [six] = table.reading().sightings
    mark = six.indices[-1]
    corners = tuple((x + 4, y - 2) for x, y in six.corners)
    far = CardSighting("unsure", corners, "6D", 0.93, {"6D": 0.93}, (mark,))  # type: ignore[arg-type]
    asked = []
    for _ in range(4):
        follower.look(reading=Reading(WIDTH, HEIGHT, (replace(six, indices=six.indices[:1]), far)))
        asked.append(bool(follower.memory.doubts))
    assert asked == [True, True, False, False] and follower.named() == ["6S"]
    follower.look(2)
    follower.look(reading=Reading(WIDTH, HEIGHT, (replace(six, indices=six.indices[:1]), far)))
    assert follower.memory.doubts, "it was gone in between, so it may be something new"


def test_a_face_that_looks_otherwise_while_its_index_is_read_is_looked_at_again() -> None:
    """A double's back was taken for the card beneath it: what was read there was the same as before."""
    table, follower = started(("7D", 300, 200))
    follower.look(3)
    before = table.reading()
    assert not follower.memory.doubts
    table.deal("KS", 304, 196, up=False)
    asked = []
    for _ in range(4):
        follower.look(reading=before)
        asked.append(bool(follower.memory.doubts))
    assert asked == [True, True, False, False]


@pytest.mark.parametrize("outlined", [True, False])
def test_a_face_that_nobody_reads_any_more_stays_as_long_as_its_outline_is_found(outlined: bool) -> None:
    table, follower = started(("KH", 300, 200), ("7D", 600, 200))
    [king, seven] = sorted(table.reading().sightings, key=lambda s: s.centre)
    for _ in range(20):
        follower.look(reading=Reading(WIDTH, HEIGHT, (seven,), outlines=(king.corners,) if outlined else ()))
    assert follower.named() == (["KH", "7D"] if outlined else ["7D"])


def test_a_face_read_on_a_back_of_the_same_picture_waits_for_a_second_one() -> None:
    """A back's lattice was surely a ten of diamonds, once."""
    table, follower = started(("4D", 300, 200))
    table.deal("KS", 500, 220, up=False)
    reading = table.reading()
    [back] = reading.backs
    x, y = back.corners[2]
    quad = ((x - 60, y - 30), (x, y - 30), (x, y + 54), (x - 60, y + 54))
    mark = ((x - 20, y - 20), (x - 10, y - 20), (x - 10, y - 2), (x - 20, y - 2))
    ten = CardSighting("card", quad, "10D", 0.98, {"10D": 0.98}, (mark,))
    follower.look(reading=replace(reading, sightings=(ten, *reading.sightings)))
    assert "10D" not in follower.named()
    follower.look(2)
    assert sorted(follower.named()) == ["4D", "back"]


def test_a_card_read_as_two_while_it_is_turned_up_is_the_one_that_stays() -> None:
    """Half under a thumb the near end of a king of clubs was surely an ace; its far end was read rightly."""
    table, follower = started(("3S", 300, 200))
    card = table.deal("KC", 500, 220, up=False)
    follower.look(4)
    number = follower.number(card)
    table.change(card, up=True)
    [king] = [s for s in table.reading().sightings if s.label == "KC"]
    near, far = king.indices[0], king.indices[-1]
    ace = replace(king, label="AC", confidence=0.91, probabilities={"AC": 0.91}, indices=(near,))
    both = (ace, replace(king, indices=(far,)), *(s for s in table.reading().sightings if s.label != "KC"))
    follower.look(reading=replace(table.reading(), sightings=both))
    assert "AC" not in follower.named()
    follower.look(2)
    assert sorted(follower.named()) == ["3S", "KC"] and follower.number(card) == number


def test_a_card_that_is_turned_as_its_like_is_picked_up_elsewhere_is_not_carried_there() -> None:
    table, follower = started(("KS", 300, 200))
    card = table.deal("KS", 600, 220, up=False)
    follower.look(4)
    number = follower.number(card)
    table.cards.remove(table.cards[0])
    table.change(card, up=True)
    [king] = table.reading().sightings
    scrap = replace(
        king, kind="unsure", label="7D", confidence=0.9, probabilities={"7D": 0.9}, indices=king.indices[:1]
    )
    aside = replace(king, corners=tuple((x + 8, y - 8) for x, y in king.corners), indices=king.indices[1:])  # type: ignore[arg-type]
    follower.look(reading=Reading(WIDTH, HEIGHT, (scrap, aside)))
    follower.look(3)
    assert follower.named() == ["KS"] and follower.number(card) == number


def test_what_is_read_aside_of_a_card_that_is_hidden_wholly_under_another_name_is_another_card() -> None:
    """A fifth card came upon a hand whose third one could not be seen for a moment, and was taken for that one."""
    table, follower = started(("8C", 270, 214), ("3H", 300, 200), ("4D", 330, 186))
    follower.look(4)
    eight, three, four = table.reading().sightings
    nine = CardSighting("card", Card(9, "9D", 314, 192).corners, "9D", 0.99, {}, Card(9, "9D", 314, 192).indices)
    over = replace(
        four, corners=tuple((x + 3 * a, y + 3 * b) for (x, y), (a, b) in zip(three.corners, OUT, strict=True))
    )
    table.deal("9D", 314, 192)
    table.hands = [(262, 150, 340, 250)]
    follower.look(2, reading=replace(table.reading(), sightings=(eight, over, nine)))
    assert "9D" in follower.named()
    assert "3H" in follower.named()


@pytest.mark.parametrize(
    ("like", "table_like", "free", "gone"),
    [(0.0, 0.75, 1.0, True), (0.3, 0.75, 1.0, False), (0.0, 0.6, 1.0, False), (0.0, 0.75, 0.6, False)],
    ids=["mostly bare", "some of it as the card", "much of it as neither", "in part hidden"],
)
def test_a_card_whose_place_is_mostly_bare_is_gone_though_a_part_of_the_table_is_known_wrongly(
    monkeypatch: pytest.MonkeyPatch, like: float, table_like: float, free: float, gone: bool
) -> None:
    """A hand was taken up, and its first card stayed to the end: beside cards that lay long the table was misknown."""
    board, follower = started(("10S", 303, 200))
    follower.look(4)
    (track,) = follower.memory.tracks
    picture = board.picture()
    shown = identity_places.Judged(like, table_like, free, 1.0, 180, 20, 180)
    monkeypatch.setattr("vision.identity_evidence.judged", lambda *_a, **_k: shown)
    for number in range(6):
        at = follower.at + 0.1 * number
        scene = Scene(at, True, picture, picture.shape[1] / board.reading().width, None, None, follower.memory.ground)
        track = unseen(track, (track,), (), {}, scene)
    assert track.left is gone


def test_an_index_of_a_card_that_is_half_covered_and_found_aside_is_no_card_more() -> None:
    """A queen of hearts was asked about for as long as the king lay on the queen that it was an index of."""
    table, follower = started(("QH", 300, 200))
    follower.look(4)
    table.deal("KH", 322, 186)
    follower.look(2)
    queen, king = sorted(table.reading().sightings, key=lambda s: s.label != "QH")
    (first, second) = Card(1, "QH", 300, 200).indices

    def found(by: float, label: str = "QH", sure: float = 0.25, other: str = "JH") -> list[str | None]:
        astray = tuple((x + by, y + by) for x, y in second)
        corners = Card(3, "QH", 330, 240).corners
        half = CardSighting("unsure", corners, label, sure, {label: sure, other: 0.2}, (astray,))
        reading = replace(table.reading(), sightings=(replace(queen, indices=(first,)), king, half))
        follower.look(5, reading=reading)
        return sorted(t.label or "" for t in follower.tracked)

    assert found(7) == ["KH", "QH"]
    assert found(7, "5D") == ["KH", "QH"], "half a ten was a five"
    assert found(7, "QD", 0.86) == ["KH", "QH"], "half a diamond is a heart"
    assert found(7, "8H", 0.72) == ["KH", "QH"], "half a three was a two of its suit"
    assert found(7, "2H", 0.84, other="QH") == ["KH", "QH"], "likelier another card, perhaps this one"
    assert found(18) == ["KH", "QH", "QH"]


@pytest.mark.parametrize(("label", "sure"), [("5S", 0.25), ("5D", 0.8)], ids=["another colour", "read better"])
def test_what_is_no_half_of_the_cards_own_index_is_asked_about(label: str, sure: float) -> None:
    table, follower = started(("QH", 300, 200))
    follower.look(4)
    table.deal("KH", 322, 186)
    follower.look(2)
    (_, second) = Card(1, "QH", 300, 200).indices
    astray = tuple((x + 7, y + 7) for x, y in second)
    other = CardSighting("unsure", Card(3, label, 330, 240).corners, label, sure, {label: sure}, (astray,))
    follower.look(5, reading=replace(table.reading(), sightings=(*table.reading().sightings, other)))
    assert label in {t.label for t in follower.tracked}


@pytest.mark.parametrize(("sure", "cards"), [(0.95, ["10C", "8D", "QS"]), (0.8, ["10C", "8D"])])
def test_a_nearly_sure_card_on_which_a_hand_comes_to_rest_is_not_lost(sure: float, cards: list[str]) -> None:
    """A hand was bust by a card that showed for half a second under the dealer's fingers, before he took it up."""
    table, follower = started(("10C", 300, 200), ("8D", 318, 186))
    follower.look(4)
    table.deal("QS", 336, 172)
    *known, queen = table.reading().sightings
    guess = replace(queen, kind="unsure", confidence=sure, probabilities={"QS": sure})
    follower.look(1, reading=replace(table.reading(), sightings=(*known, guess)))
    assert sorted(follower.named()) == ["10C", "8D"]
    table.hands = [(300, 120, 420, 240)]
    follower.look(2, reading=replace(table.reading(), sightings=()))
    assert sorted(t.label or "" for t in follower.tracked) == cards
    table.cards, table.hands = [], []
    follower.look(6)
    assert follower.tracked == ()


@pytest.mark.parametrize(
    ("label", "across", "cards"),
    [("6H", False, ["6H", "QC"]), ("6S", True, ["6S", "QC"]), ("6S", False, ["QC"])],
    ids=["red", "across", "black and upright"],
)
def test_a_card_of_the_other_colour_or_across_whose_index_lies_where_one_of_anothers_was_is_a_card(
    label: str, across: bool, cards: list[str]
) -> None:
    """A double showed for half a second, its one open index just where the queen's had been."""
    table, follower = started(("QC", 300, 200))
    follower.look(4)
    first, second = Card(1, "QC", 300, 200).indices
    (queen,) = table.reading().sightings
    second = (*second[1:], second[0]) if across else second
    double = CardSighting("card", Card(2, label, 322, 165).corners, label, 0.96, {label: 0.96}, (second,))
    reading = replace(table.reading(), sightings=(replace(queen, indices=(first,)), double))
    follower.look(2, reading=reading)
    assert sorted(follower.named()) == cards
