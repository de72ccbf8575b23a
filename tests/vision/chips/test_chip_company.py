"""What lies on a table is told in sight of the picture's other finds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.chips.bench import rendered_loose
from vision.cards.patches import pyramid
from vision.cards.runtime import SHIPPED
from vision.chips.appearance import STANDARD_WEIGHT
from vision.chips.company import (
    ASIDE,
    BELOW,
    FOOT_ASIDE,
    KINDS,
    LAST_CHANCE,
    ROLL,
    SIDE,
    WIDE,
    WORDS,
    Company,
    facts,
    kinds,
    picture,
    relations,
)  # fmt: skip
from vision.chips.counter import Count
from vision.chips.crops import Stand
from vision.chips.finder import Find
from vision.chips.reader import COMPANY_FILE, ChipReader
from vision.chips.values import COLOURS, MOST

STAND = Stand((200.0, 300.0), 60.0, 0.1, 0.9, 0.1, shows=0.9)
FIND = Find("stack", (172.0, 240.0, 232.0, 300.0), 0.9)


def read(chances: dict[int, float], *numbers: int) -> Count:
    """A reading with these chances, and what it would be as each of these numbers of chips, the likeliest first."""
    every = np.zeros(MOST + 1, np.float32)
    every[list(chances)] = list(chances.values())

    def of(count: int, taken: int | None, others: tuple[Count, ...] = ()) -> Count:
        words, image = np.zeros((count, 12), np.float32), np.zeros((4, 4, 3), np.uint8)
        rows, alike = np.arange(count + 1), np.zeros(count - 1, np.float32)
        return Count(every, rows, words, words, alike, 0.5, 3.0, 0.0, STAND, image, 50.0, others, taken=taken)

    first, *others = numbers
    return of(first, None, tuple(of(n, n) for n in others))


class Says(Company):
    """A network that says this of every find."""

    def __init__(self, kind: dict[int, float], colour: dict[str, float] | None = None) -> None:
        self.said = np.zeros((1, KINDS + len(COLOURS)), np.float32)
        self.said[0, list(kind)] = list(kind.values())
        for name, much in (colour or {}).items():
            self.said[0, KINDS + COLOURS.index(name)] = much
        self._session = self

    def run(self, _: None, __: dict[str, Any]) -> list[Any]:
        return [self.said]

    def of(self, count: Count, learned: bool = False) -> Count:
        (told,) = self.told([np.zeros((400, 400, 3), np.uint8)], [FIND], [count], COLOURS, learned)
        return told


def test_where_the_network_says_nothing_a_reading_stays_as_it_is() -> None:
    count = read({0: 0.1, 1: 0.5, 2: 0.3, 7: 0.1}, 1, 2)
    told = Says({}).of(count)
    assert told.count == 1 and told.chances == pytest.approx(count.chances, abs=1e-4)
    assert [it.count for it in told.others] == [2]


def test_what_it_says_is_added_to_what_was_read() -> None:
    told = Says({2: 2.0}).of(read({0: 0.1, 1: 0.6, 2: 0.3}, 1, 2))
    assert told.count == 2 and len(told.words) == 2 and [it.count for it in told.others] == [1]
    assert told.chances[2] / told.chances[1] == pytest.approx(0.5 * np.exp(2), rel=0.01)
    assert told.chances.sum() == pytest.approx(1, abs=1e-3)


def test_of_several_chips_it_says_nothing_of_how_many() -> None:
    told = Says({4: 3.0}).of(read({1: 0.38, 4: 0.4, 6: 0.22}, 4, 1, 6))
    assert told.count == 4 and told.chances[4] == pytest.approx(0.4 / 0.22 * told.chances[6])


def test_a_number_that_was_never_read_is_not_shown_as_if_it_were_sure() -> None:
    told = Says({3: 14.0}).of(read({1: 0.9, 2: 0.1}, 1, 2))
    assert told.count == 1 and told.chances[1] < 0.1


def test_one_chip_is_told_though_by_itself_it_looked_like_many() -> None:
    told = Says({1: 12.0}).of(read({1: 0.0, 5: 0.5, 6: 0.3, 7: 0.2}, 5, 6, 7, 1))
    assert told.count == 1 and told.chances[1] > 0.9 and told.taken is None


def test_what_is_hardly_likely_any_more_is_not_told_beside() -> None:
    told = Says({1: 12.0}).of(read({1: 0.1, 2: 0.1, 3: 0.1, 4: 0.3, 5: 0.2, 6: 0.2}, 4, 5, 6, 1, 2, 3))
    assert told.count == 1 and not told.others
    doubtful = Says({1: 2.0}).of(read({1: 0.1, 2: 0.1, 3: 0.1, 4: 0.3, 5: 0.2, 6: 0.2}, 4, 5, 6, 1, 2, 3))
    assert doubtful.count == 1 and [it.count for it in doubtful.others] == [4, 5, 6], "the likeliest of them"


def test_what_is_no_chip_is_none() -> None:
    told = Says({0: 9.0}).of(read({0: 0.2, 1: 0.8}, 1))
    assert told.chances[0] > 0.99 and told.count == 0


def test_colours_are_those_of_the_set_where_it_was_learned() -> None:
    seen, count = Says({}, {"grey": 3.0}), read({2: 1.0}, 2)
    told = seen.of(count)
    assert told.words[-1, COLOURS.index("grey")] == pytest.approx(3.0 / STANDARD_WEIGHT) and not told.words[0].any()
    assert not seen.of(count, learned=True).words.any()


def test_the_facts_are_where_they_are_said_to_be() -> None:
    count = replace(read({1: 0.5, 2: 0.5}, 2), words=np.arange(24, dtype=np.float32).reshape(2, 12))
    known = facts(FIND, count, {"red"})
    assert known[1:3].tolist() == pytest.approx([np.log(0.5)] * 2) and known[LAST_CHANCE] == pytest.approx(np.log(1e-5))
    assert known[ROLL] == pytest.approx(STAND.roll) and known[FOOT_ASIDE] == pytest.approx(-2 / 60)
    assert known[WORDS : WORDS + 12].tolist() == list(range(12, 24))
    usual = known[WORDS + 24 : WORDS + 36]
    assert usual.sum() == 1 and usual[COLOURS.index("red")] == 1 and len(known) == WORDS + 36


@given(st.floats(0.5, 4), st.integers(1, 5))
def test_a_picture_twice_as_large_shows_the_same_relations(scale: float, number: int) -> None:
    rng = np.random.default_rng(number)
    corner = rng.uniform(0, 300, (number, 2))
    boxes = np.concatenate([corner, corner + rng.uniform(20, 60, (number, 2))], 1)
    first = relations(boxes, 400, 300)
    assert first.shape == (number, ASIDE)
    assert relations(boxes * scale, int(400 * scale), int(300 * scale)) == pytest.approx(first, abs=0.02)


def test_kinds_count_all_higher_stacks_together() -> None:
    chances = np.array([0.1, 0.2, 0.3, 0.15, 0.15, 0.1], np.float32)
    assert np.exp(kinds(chances)).tolist() == pytest.approx([0.1, 0.2, 0.3, 0.15, 0.25])


def test_a_find_is_shown_as_wide_as_any_and_its_foot_where_any_has_it() -> None:
    image = np.zeros((300, 400, 3), np.uint8)
    image[100:160, 150:230] = 255
    shown = picture([image], (150.0, 100.0, 230.0, 160.0))[..., 0] > 127
    rows, columns = np.nonzero(shown)
    assert shown.shape == (SIDE, SIDE)
    assert np.ptp(columns) + 1 == pytest.approx(WIDE, abs=2) and rows.max() + 1 == pytest.approx(SIDE - BELOW, abs=2)


def test_a_picture_without_finds_is_not_asked_about() -> None:
    assert Says({}).told([np.zeros((40, 40, 3), np.uint8)], [], [], COLOURS) == []


def test_the_shipped_network_tells_loose_chips_better_together() -> None:
    reader, company = ChipReader.load(threads=1), Company(SHIPPED / COMPANY_FILE, 1)
    single = told = 0.0
    for number in range(3):
        levels = pyramid(rendered_loose(number, ["red", "green", "white"]).image)
        finds, counts = reader.counted(levels, reader.find(levels))
        both = company.told(levels, finds, counts, ["red", "green", "white"])
        for find, alone, together in zip(finds, counts, both, strict=True):
            if find.confidence > 0.5:
                single += float(alone.chances[1])
                told += float(together.chances[1])
    assert told > single > 0
