"""A mirrored camera is turned back once, and again when its program stops; what tells both ways is left alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.test_watch_cards import FakeLook, PartReader
from vision.looks import SAID, SELDOM, Looks
from vision.motion import Box
from vision.sightings import CardSighting, Quad, Reading
from vision.sources.values import Frame
from vision.watch import Watch
from vision.watch_values import Observation

PICTURE = np.arange(24, dtype=np.uint8).reshape(2, 4, 3)
TURNED = PICTURE[:, ::-1]
COORDINATE = st.floats(-50, 500)
QUAD = st.tuples(*[st.tuples(COORDINATE, COORDINATE)] * 4)


def test_frames_are_turned_back_once_a_mirror_was_seen() -> None:
    looks = Looks(PartReader(), 0.5)
    first = looks.upright(Frame(1, 10.0, PICTURE))
    assert (first.image == PICTURE).all() and not looks.turned
    again = looks.turn(first)
    assert (again.image == TURNED).all() and (again.sequence, again.at) == (1, 10.0)
    assert (looks.upright(Frame(2, 10.1, PICTURE)).image == TURNED).all() and looks.turned
    assert (looks.turn(Frame(3, 10.2, TURNED)).image == PICTURE).all() and not looks.turned


def test_that_frames_are_turned_is_told_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("vision.looks.time.monotonic", lambda: now)
    looks = Looks(PartReader(), 0.5)
    assert looks.message == ""
    looks.turn(Frame(1, 10.0, PICTURE))
    assert "mirrored" in looks.message
    now += SAID
    assert looks.message == "" and looks.turned
    looks.turn(Frame(2, 90.0, PICTURE))
    assert looks.message == ""


def test_what_does_not_become_plain_is_not_looked_at_all_the_time() -> None:
    reader, table = MirrorReader(), np.full((360, 640, 3), 90, np.uint8)
    table[100:160, 50:92] = (203, 230, 230)
    watch = Watch(None, reader, lambda _: None)  # type: ignore[arg-type]
    for number in range(1, 100):  # a second of thirty frames, each with something moving
        table[300:330, number * 4 : number * 4 + 40] = number * 2
        watch.turn(Frame(number, 5 + number / 30, table.copy()))
    assert not watch.looks.turned and 2 <= reader.asked <= 1 + 99 / 30 / SELDOM < len(reader.given)


@given(QUAD, st.integers(8, 4000))
def test_the_mirror_image_of_a_mirror_image_is_the_reading_itself(quad: Quad, width: int) -> None:
    card = CardSighting("card", quad, "7S", 0.9, indices=(quad,))
    reading = Reading(width, 100, (card,), outlines=(quad,))
    once, twice = reading.in_mirror(), reading.in_mirror().in_mirror()
    assert np.allclose(once.sightings[0].corners[1][0], width - 1 - quad[0][0])
    for one, other in ((twice.outlines[0], quad), (twice.cards[0].corners, quad), (twice.cards[0].indices[0], quad)):
        assert np.allclose(one, other)


class MirrorReader(PartReader):
    """Knows a mirror's picture by its left edge, which is dark; doubts every picture with a card in it."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    def look(self, image: np.ndarray, before: Any = None, boxes: Sequence[Box] | None = None, /) -> FakeLook:
        seen = super().look(image, before, boxes)
        return replace(seen, may_be_mirrored=bool(seen.reading.cards))

    def turned_back(self, image: np.ndarray, seen: FakeLook, /) -> FakeLook | None:
        self.asked += 1
        return seen if image[:, 0].max() < 50 else None


def test_a_watched_mirror_is_turned_back_before_anything_is_told() -> None:
    table = np.full((360, 640, 3), 90, np.uint8)
    table[:, -10:] = 20
    table[100:160, 50:92] = (203, 230, 230)
    mirrored = np.ascontiguousarray(table[:, ::-1])
    told: list[Observation] = []
    reader = MirrorReader()
    watch = Watch(None, reader, told.append)  # type: ignore[arg-type]
    for number in range(1, 8):
        watch.turn(Frame(number, 5 + number / 3, mirrored if number > 1 else np.full_like(table, 90)))
    assert watch.looks.turned and (told[-1].image == table).all()
    assert 1 <= reader.asked <= 2, "seldom"
    seen = {s.corners[0] for it in told for s in it.view.reading.cards}
    assert seen == {(50, 100)}, "no card was ever told where the mirror showed it"
    assert [t.sighting.label for t in told[-1].tracked] == [told[-1].view.reading.cards[0].label]
