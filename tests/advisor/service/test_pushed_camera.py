"""A camera that is pushed in the middle of a round: every card stays the card it was, at the seat it was dealt to."""

from __future__ import annotations

import time
from collections.abc import Iterator

import cv2
import numpy as np
import pytest
from service_stand_ins import LiveCamera, Lying, sighting, table_of, until

from advisor.service.felt_view import FeltView
from advisor.service.live import LiveTable
from advisor.service.table_log import MemoryLog
from vision.sightings import Reading

pytestmark = pytest.mark.slow

ROUND: tuple[Lying, ...] = (("10H", 840, 510), ("10H", 440, 510), ("6H", 640, 190), ("5S", 865, 495), ("5S", 465, 495))
"""Two seats with equal cards from two packs, and the house."""
WIDTH, HEIGHT, EDGE = 1280, 720, 120
RNG = np.random.default_rng(4)
ROOM = cv2.resize(
    RNG.integers(0, 200, (24, 38, 3), np.uint8), (WIDTH + 2 * EDGE, HEIGHT + 2 * EDGE), interpolation=cv2.INTER_NEAREST
)


class Camera(LiveCamera):
    """Looks at the room from where it was turned to; the first pixel tells the reader which way that is."""

    def __init__(self) -> None:
        self.cards: tuple[Lying, ...] = ()
        self.turned = (0, 0)
        super().__init__()

    def picture(self) -> np.ndarray:
        room, (right, down) = ROOM.copy(), self.turned
        for label, x, y in self.cards:
            face = np.random.default_rng(len(str(label)) * ord(str(label)[-1])).integers(120, 250, (6, 4, 3), np.uint8)
            card = cv2.resize(face, (60, 84), interpolation=cv2.INTER_NEAREST)
            room[int(y) + EDGE - 42 : int(y) + EDGE + 42, int(x) + EDGE - 30 : int(x) + EDGE + 30] = card
        seen = room[EDGE + down : EDGE + down + HEIGHT, EDGE + right : EDGE + right + WIDTH].copy()
        seen = np.clip(seen + RNG.integers(-2, 3, seen.shape), 0, 255).astype(np.uint8)
        seen[0, 0] = (right + 128, down + 128, len(self.cards))
        return seen

    def read(self, image: np.ndarray, /) -> Reading:
        """The reader's part: what lies there, where the camera sees it."""
        right, down, there = (int(v) for v in image[0, 0])
        lying = [sighting(label, x - right + 128, y - down + 128) for label, x, y in self.cards[:there]]
        return Reading(image.shape[1], image.shape[0], tuple(lying), {"total": 1.0})


@pytest.fixture
def camera() -> Camera:
    return Camera()


@pytest.fixture(params=["kitchen-table", ""], ids=["felt", "by nearness"])
def table(camera: Camera, request: pytest.FixtureRequest) -> Iterator[LiveTable]:
    felt = FeltView()
    live = LiveTable(camera, camera, MemoryLog(table_of(layout=request.param)), felt=felt)
    live.start()
    assert until(lambda: live.state().settled)
    if request.param:
        live.drag([(80.0, 40.0), (1200.0, 40.0), (1200.0, 680.0), (80.0, 680.0)])
    yield live
    live.stop()


def dealt(table: LiveTable) -> list[tuple[int, str, int]]:
    return [(card.card, card.face, card.place.seat) for card in table.table.cards if not card.gone]


def test_every_card_stays_the_card_it_was(camera: Camera, table: LiveTable) -> None:
    for number in range(1, len(ROUND) + 1):
        camera.cards = ROUND[:number]
        assert until(lambda number=number: len(table.table.cards) == number)
    before, changes, corners = dealt(table), table.table.number, table.corners()
    assert len({seat for _, _, seat in before}) == 3
    for step in (20, 60, 100):
        camera.turned = (step, step // 4)
        time.sleep(0.05)
    assert until(lambda: table.felt.message != "")
    time.sleep(0.6)
    assert table.table.number == changes, "nothing happened at the table"
    assert table.felt.message.startswith("The camera was moved; the cards were followed")
    assert any("camera was moved" in words for words in table.state().problems)
    if corners is not None:
        assert np.allclose(table.corners(), np.add(corners, (-100, -25)), atol=4)
    camera.cards = (*ROUND, ("2C", 490, 480))
    assert until(lambda: len(table.table.cards) == len(ROUND) + 1)
    assert dealt(table)[:-1] == before
    assert dealt(table)[-1][2] == before[1][2], "a card that is dealt next goes to the hand where it lies"
    outlined = {it.card: it.corners for it in table.state().sightings}
    assert np.allclose(np.mean(outlined[1], axis=0), (ROUND[0][1] - 100, ROUND[0][2] - 25), atol=3)
