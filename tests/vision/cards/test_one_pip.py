"""A deck of one pip a card is told by several cards, never by one that may be an ace whose letter was misread."""

from __future__ import annotations

import numpy as np
import pytest
from laid_cards import CARD_MM, INDEX_MM, reading, seen

from vision.cards.naming import named
from vision.cards.one_pip import prints_one_pip
from vision.cards.patches import Floats
from vision.cards.profile import NONE
from vision.sightings import FACES


def said(label: str, chance: float = 0.97) -> Floats:
    out = np.full(NONE + 1, (1 - chance) / NONE, np.float32)
    out[FACES.index(label)] = chance
    return out


@pytest.mark.parametrize(
    ("cards", "one_pip"),
    [
        ([("6D", "AD"), ("5H", "AH")], True),
        ([("6D", "AD"), ("5H", "AH"), ("AS", "AS"), ("JC", "QC")], True),
        ([("8H", "AH")], False),
        ([("8H", "AH"), ("8H", "AH")], False),
        ([("4H", "AH"), ("4S", "AS")], False),
        ([("8H", "AH"), ("5D", "AD"), ("8C", "8C")], False),
        ([("6D", "AH"), ("5H", "AD")], False),
        ([("KD", "AD"), ("QH", "AH")], False),
    ],
    ids=[
        "two",
        "among courts",
        "one",
        "one twice",
        "one odd letter in two suits",
        "another has its pips",
        "other suits",
        "courts",
    ],
)
def test_two_numbers_that_look_like_their_aces_tell_unless_another_shows_its_pips(
    cards: list[tuple[str, str]], one_pip: bool
) -> None:
    heard = [(said(index).astype(np.float64), said(face)) for index, face in cards]
    assert prints_one_pip(heard) is one_pip


def test_what_is_poorly_read_tells_nothing_of_the_deck() -> None:
    poor = [(said(f"{rank}S", 0.9).astype(np.float64), said("AS")) for rank in ("5", "7", "9")]
    vague = [(said(f"{rank}S").astype(np.float64), said("AS", 0.6)) for rank in ("5", "7", "9")]
    assert not prints_one_pip([*poor, *vague])


def test_a_number_that_looks_like_an_ace_is_sure_on_a_deck_of_one_pip_and_open_on_any_other() -> None:
    corners, index = seen(CARD_MM, 0.0, 100, 100), [reading("6D", seen(INDEX_MM, 0.0, 100, 100), 0.998)]
    assert named(index, corners, said("AD", 0.98), one_pip=True).confidence > 0.95
    other = named(index, corners, said("AD", 0.98))
    assert other.confidence < 0.9 and {"6D", "AD"} <= other.probabilities.keys()


def test_what_was_known_of_a_deck_holds_until_a_number_shows_its_pips() -> None:
    """The faces that had told it lay under others, and sure fours and eights were doubtful aces."""

    def told(*cards: tuple[str, str]) -> bool:
        return prints_one_pip([(said(index).astype(np.float64), said(face)) for index, face in cards], before=True)

    assert told() and told(("6D", "AD")) and told(("QH", "QH"), ("2S", "2S"))
    assert not told(("6D", "AD"), ("8C", "8C"))
