"""A camera that begins or ends to show all as a mirror does in the middle of a round: the round goes on as it was."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from service_stand_ins import LiveCamera, Lying, sighting, table_of, until

from advisor.service.live import LiveTable
from advisor.service.table_log import MemoryLog
from vision.motion import Box
from vision.sightings import Reading

pytestmark = pytest.mark.slow

ROUND: tuple[Lying, ...] = (("10H", 840, 510), ("7H", 440, 510), ("6H", 640, 190), ("5S", 865, 495), ("3C", 465, 495))
RNG = np.random.default_rng(4)
ROOM = RNG.integers(0, 200, (720, 1280, 3), np.uint8)
MARK = (1, 2, 3)


@dataclass(frozen=True)
class Seen:
    reading: Reading
    boxes: tuple[Box, ...]
    may_be_mirrored: bool


class Camera(LiveCamera):
    """Shows the room, its first pixel marked; the reader knows by that which way round it is, and misreads a mirror."""

    def __init__(self) -> None:
        self.cards: tuple[Lying, ...] = ()
        self.mirror = False
        super().__init__()

    def picture(self) -> np.ndarray:
        seen = ROOM.copy()
        for label, x, y in self.cards:
            shade = 215 + len(str(label)) * ord(str(label)[-1]) % 40
            seen[int(y) - 42 : int(y) + 42, int(x) - 30 : int(x) + 30] = shade
        seen = np.clip(seen + RNG.integers(-2, 3, seen.shape), 0, 255).astype(np.uint8)
        seen[0, 0], seen[0, -1] = MARK, (0, 0, len(self.cards))
        return np.ascontiguousarray(seen[:, ::-1]) if self.mirror else seen

    def read(self, image: np.ndarray, /) -> Reading:
        return self.look(image).reading

    def look(self, image: np.ndarray, before: Any = None, boxes: Sequence[Box] | None = None, /) -> Seen:
        upright = tuple(image[0, 0]) == MARK
        there = int(image[0, -1 if upright else 0][2])
        lying = Reading(1280, 720, tuple(sighting(*card) for card in self.cards[:there]), {"total": 1.0})
        if not upright:
            wrong = [replace(card, label=f"{'A23456789'[k]}D") for k, card in enumerate(lying.sightings)]
            lying = replace(lying, sightings=tuple(wrong)).in_mirror()
        return Seen(lying, ((0, 0, 1280, 720),), not upright and bool(lying.sightings))

    def turned_back(self, image: np.ndarray, seen: Seen, /) -> Seen | None:
        return self.look(np.ascontiguousarray(image[:, ::-1])) if seen.may_be_mirrored else None


@pytest.fixture
def camera() -> Camera:
    return Camera()


@pytest.fixture
def table(camera: Camera) -> Iterator[LiveTable]:
    live = LiveTable(camera, camera, MemoryLog(table_of(layout="")))
    live.start()
    assert until(lambda: live.state().settled)
    yield live
    live.stop()


def dealt(table: LiveTable) -> list[tuple[str, int]]:
    return [(card.face, card.place.seat) for card in table.table.cards if not card.gone]


def test_the_round_goes_on_as_it_was_and_the_display_says_so(camera: Camera, table: LiveTable) -> None:
    for number in range(1, len(ROUND) + 1):
        camera.cards = ROUND[:number]
        assert until(lambda number=number: len(table.table.cards) == number)
    before, round_ = dealt(table), table.table.round
    assert [face for face, _ in before] == [label for label, _, _ in ROUND]
    for mirror in (True, False):
        camera.mirror = mirror
        assert until(lambda mirror=mirror: table._watch.looks.turned == mirror)
        time.sleep(1.5)
        assert (dealt(table), table.table.round, len(table.table.cards)) == (before, round_, len(ROUND))
        assert ("mirrored" in table.camera().message) == mirror
        assert any("mirrored" in words for words in table.state().problems) == mirror
    camera.cards = (*ROUND, ("2C", 490, 480))
    assert until(lambda: len(dealt(table)) == len(ROUND) + 1)
    assert dealt(table)[-1] == ("2C", dict(before)["3C"])


def test_what_a_mirror_showed_first_is_never_a_card(camera: Camera, table: LiveTable) -> None:
    camera.mirror = True
    for number in range(1, len(ROUND) + 1):
        camera.cards = ROUND[:number]
        assert until(lambda number=number: len(table.table.cards) == number)
    assert [face for face, _ in dealt(table)] == [label for label, _, _ in ROUND]
