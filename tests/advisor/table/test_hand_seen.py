"""What a picture of a hand is said to be wrong with, and in which order its cards come."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.table.hand_seen import BLURRED, Trouble, hand_seen
from vision.sightings import CardSighting, Quad, Reading


def reading(text: str) -> Reading:
    """Cards in a row from left to right.

    "9H?" is unsure, "9H!" stands on its head, "back" lies face down, "_" is nothing, "/" starts a hand far away.
    """
    seen = []
    for row, hand in enumerate(text.split("/")):
        for k, word in enumerate(hand.split()):
            x, y = 25.0 * k, 900.0 * row
            place: Quad = ((x, y), (x + 63, y), (x + 63, y + 89), (x, y + 89))
            if word == "_":
                continue
            if word == "back":
                seen.append(CardSighting("back", place))
            elif word.endswith("?"):
                seen.append(CardSighting("unsure", place, word[:-1], 0.5, {word[:-1]: 0.5}))
            elif word.endswith("!"):
                seen.append(CardSighting("card", (*place[2:], *place[:2]), word[:-1], 0.98))
            else:
                seen.append(CardSighting("card", place, word, 0.98))
    return Reading(2000, 2000, tuple(reversed(seen)))


def test_cards_come_as_they_lie_sure_or_not() -> None:
    seen = hand_seen(reading("10H 9S? JOKER 4C"))
    assert [face.label for face in seen.faces] == ["10H", "9S", "JOKER", "4C"]
    assert [face.label for face in seen.unsure] == ["9S"]


@pytest.mark.parametrize(
    ("text", "edge", "kinds"),
    [
        ("10H 9S", None, []),
        ("10H 9S", 2 * BLURRED, []),
        ("10H 9S?", BLURRED, [Trouble.UNSURE]),
        ("10H 9S?", 2 * BLURRED, [Trouble.BLURRED, Trouble.UNSURE]),
        ("10H back", None, [Trouble.FACE_DOWN]),
        ("10H 9H 8H/4C 5C 6C", None, [Trouble.SEVERAL_HANDS]),
        ("10H 9S 8C _ 4D 3C JS", None, [Trouble.GAP]),
        ("10H 9S 8C 2D _ 4D 3C JS", None, [Trouble.GAP]),
        ("10H 9S 8C _ _ _ _ 4D 3C JS", None, []),
        ("10H 9S _ 8C", None, []),
        ("10H 9S 9S 8C", None, []),
        ("10H 9S 9S! 8C", None, [Trouble.TWICE]),
        ("back back", 2 * BLURRED, [Trouble.NO_CARDS]),
        ("", None, [Trouble.NO_CARDS]),
    ],
)
def test_what_is_wrong_is_said_with_what_to_do(text: str, edge: float | None, kinds: list[Trouble]) -> None:
    """A blurred picture of which every card could be read all the same is not complained of."""
    troubles = hand_seen(reading(text), edge).troubles
    assert [kind for kind, _ in troubles] == kinds and all(sentence.endswith(".") for _, sentence in troubles)


@pytest.mark.parametrize(("high", "small"), [(9.0, True), (11.5, True), (12.5, False), (40.0, False)])
def test_cards_that_are_too_small_to_rely_on_are_said_to_be(high: float, small: bool) -> None:
    index: Quad = ((0, 0), (high / 2, 0), (high / 2, high), (0, high))
    read = reading("10H 9S 8C")
    shown = tuple(replace(it, indices=(index,)) for it in read.sightings)
    found = [kind for kind, _ in hand_seen(replace(read, sightings=shown)).troubles]
    assert found == ([Trouble.SMALL] if small else [])


def test_a_lamp_on_the_hands_end_is_said_beside_which_card_it_shines() -> None:
    place: Quad = ((-30, 4), (-20, 4), (-20, 20), (-30, 20))
    ((kind, sentence),) = hand_seen(reading("10H 9S 8C"), burnt=(place,)).troubles
    assert kind == Trouble.BURNT and sentence.startswith("beside 10H a lamp burns the picture out")
