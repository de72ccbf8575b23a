"""An open index is what the sure ones beside it look like: by its rank, then by its suit, and never by itself."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.cards.indices import IndexReading
from vision.cards.likes import CLEAR, beside_their_like
from vision.cards.patches import Floats, Image
from vision.cards.profile import NONE
from vision.sightings import FACES

HIGH, WIDE = 64, 42
SUITS = {"S": (40, 40, 40), "C": (40, 40, 40), "H": (40, 40, 200), "D": (40, 40, 200)}
SHAPES = {
    "S": [(21, 38), (8, 56), (34, 56)],
    "C": [(8, 42), (34, 42), (34, 58), (8, 58)],
    "D": [(21, 38), (34, 50), (21, 62), (8, 50)],
    "H": [(8, 42), (34, 42), (21, 62)],
}


def picture(labels: list[str]) -> tuple[list[Image], list[Floats]]:
    """A row of cards with these indices, in letters of one kind; its pyramid, and where they stand."""
    image = np.full((200, 120 * len(labels) + 80, 3), 235, np.uint8)
    quads = []
    for k, label in enumerate(labels):
        x, y = 40 + 120 * k, 60
        colour = SUITS[label[-1]]
        cv2.putText(image, label[:-1], (x + 4, y + 32), cv2.FONT_HERSHEY_SIMPLEX, 1.4, colour, 4)
        cv2.fillPoly(image, [np.array(SHAPES[label[-1]]) + np.array([x, y])], colour)
        quads.append(np.array([[x, y], [x + WIDE, y], [x + WIDE, y + HIGH], [x, y + HIGH]], np.float32))
    return [image], quads


def reading(quad: Floats, found: float = 0.8, **chances: float) -> IndexReading:
    """So read; the rest is "none"."""
    said = np.zeros(NONE + 1, np.float32)
    for label, chance in chances.items():
        said[FACES.index(label.lstrip("_"))] = chance
    said[NONE] = 1 - said.sum()
    return IndexReading(quad, said, found)


KNOWN = ["QH", "9C", "4S", "7D"]


def read(label: str, **chances: float) -> IndexReading:
    """An index of that card, read so beside four sure ones."""
    levels, quads = picture([*KNOWN, label])
    sure = [reading(quad, **{f"_{name}": 0.97}) for name, quad in zip(KNOWN, quads, strict=False)]
    *others, last = beside_their_like(levels, [*sure, reading(quads[-1], **chances)])
    assert [r.sure for r in others] == [r.sure for r in sure], "those stay"
    return last


def test_a_rank_is_told_by_the_same_letters_on_other_cards() -> None:
    said = read("QC", _QC=0.45, _9C=0.45)
    assert FACES[said.best] == "QC" and said.sure > 0.9


def test_a_rank_that_no_other_card_shows_is_what_is_left() -> None:
    said = read("JH", _JH=0.4, _4H=0.55)
    assert FACES[said.best] == "JH", "a four looks otherwise here"


@pytest.mark.parametrize(("true", "other"), [("8S", "8C"), ("8C", "8S"), ("8H", "8D"), ("8D", "8H")])
def test_a_suit_is_told_by_the_other_cards_of_its_colour(true: str, other: str) -> None:
    said = read(true, **{f"_{true}": 0.45, f"_{other}": 0.5})
    assert FACES[said.best] == true and said.sure > 0.8


def test_a_suit_that_fits_says_nothing_of_the_rank() -> None:
    said = read("8H", _8H=0.5, _3H=0.4)
    assert said.chances[FACES.index("8H")] == pytest.approx(0.5, abs=0.05)


def test_a_suit_is_compared_within_its_colour() -> None:
    said = read("8H", _8H=0.6, _8S=0.3)
    assert said.chances[FACES.index("8S")] == pytest.approx(0.3, abs=0.03), "shapes say nothing of red and black"


def test_what_is_clear_may_be_doubted_but_becomes_no_likelier() -> None:
    right, wrong = read("QC", _QC=CLEAR + 0.02), read("AC", _9C=CLEAR + 0.02, _AC=0.03)
    assert right.sure == pytest.approx(CLEAR + 0.02, abs=0.03)
    assert wrong.chances[FACES.index("9C")] < CLEAR - 0.05


def test_what_was_read_before_counts_beside_what_is_read_now() -> None:
    levels, quads = picture([*KNOWN, "QC"])
    sure = [reading(quad, **{f"_{name}": 0.97}) for name, quad in zip(KNOWN, quads, strict=False)]
    (said,) = beside_their_like(levels, [reading(quads[-1], _QC=0.45, _9C=0.45)], sure)
    assert FACES[said.best] == "QC" and said.sure > 0.9


def test_too_few_sure_ones_or_faint_ones_say_nothing() -> None:
    levels, quads = picture([*KNOWN, "QC"])
    open_ = reading(quads[-1], _QC=0.45, _9C=0.45)
    faint = [reading(quad, 0.3, **{f"_{name}": 0.97}) for name, quad in zip(KNOWN, quads, strict=False)]
    plain = [reading(quad, **{f"_{name}": 0.97}) for name, quad in zip(KNOWN[:2], quads, strict=False)]
    for others in (faint, plain):
        assert beside_their_like(levels, [*others, open_])[-1] is open_
    assert beside_their_like(levels, []) == []
