"""Rendered cards, the shipped networks and the loop together: dealt, covered by a hand, turned up, swept up."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from datasets.backgrounds import felt
from datasets.drawn import Style, drawn_deck
from datasets.layouts import Place
from datasets.scene import BACK, camera_view, compose
from vision.cards.patches import Image
from vision.cards.reader import LIVE, CardReader
from vision.identity import Tracked
from vision.sources import Frame
from vision.watch import Observation, Watch

pytestmark = pytest.mark.slow

Lying = Sequence[tuple[Place, str]]
DECK = drawn_deck(Style(rank_height=0.1, suit_height=0.08))
VIEW = camera_view(960, 540, 130, np.radians(70), -np.pi / 2, 0.0, np.radians(50))
CLOTH = np.asarray(felt(np.random.default_rng(2), 540, 960), np.uint8)
FIRST, SECOND = (Place(-150, 40, 0.05), "8S"), (Place(-131, 25, 0.0), "KC")
DOWN, UP = (Place(120, -20, 0.0, True), BACK), (Place(124, -18, 0.04), "6D")


class Film:
    """Frames of a rendered table, thirty a second, each with its noise."""

    def __init__(self) -> None:
        self.published: list[Observation] = []
        self.watch = Watch(None, CardReader.load(settings=LIVE), self.published.append)  # type: ignore[arg-type]
        rng = np.random.default_rng(6)
        self.noise = [rng.standard_normal(CLOTH.shape, dtype=np.float32) * 2 for _ in range(5)]
        self.sequence = 0

    def show(self, image: Image, frames: int = 1) -> tuple[Tracked, ...]:
        for _ in range(frames):
            self.sequence += 1
            noisy = image + self.noise[self.sequence % len(self.noise)]
            self.watch.turn(Frame(self.sequence, self.sequence / 30, np.clip(noisy, 0, 255).astype(np.uint8)))
        return self.published[-1].tracked


def table(lying: Lying, hand: tuple[int, int] | None = None) -> Image:
    """The cards, and an arm from the right whose fingers end at ``hand``."""
    placed = [(place, DECK, label) for place, label in lying]
    image, _ = compose(CLOTH, VIEW, placed, np.random.default_rng(3), clutter=False)
    if hand is not None:
        cv2.line(image, hand, (hand[0] + 130, hand[1] + 30), (110, 140, 200), 130, cv2.LINE_AA)
        cv2.line(image, (hand[0] + 130, hand[1] + 30), (2000, hand[1] + 300), (60, 45, 40), 150, cv2.LINE_AA)
    return image


def told(tracked: Sequence[Tracked]) -> list[tuple[int, str, bool]]:
    return [(t.card, t.label or "back", t.covered) for t in tracked]


@pytest.fixture(scope="module")
def film() -> Film:
    return Film()


def test_a_round_in_short(film: Film) -> None:
    film.show(table([]), 3)
    film.show(table([FIRST]), 3)
    film.show(table([FIRST, SECOND]), 3)
    dealt = film.show(table([FIRST, SECOND, DOWN]), 10)
    assert told(dealt) == [(1, "8S", False), (2, "KC", False), (3, "back", False)]
    reach = [(900 - 120 * k, 300) for k in range(6)]
    for at in reach:
        film.show(table([FIRST, SECOND, DOWN], at))
    covered = film.show(table([FIRST, SECOND, DOWN], reach[-1]), 12)
    assert [(n, label) for n, label, _ in told(covered)] == [(1, "8S"), (2, "KC"), (3, "back")]
    assert covered[1].covered
    for at in reversed(reach):
        film.show(table([FIRST, SECOND, DOWN], at))
    assert told(film.show(table([FIRST, SECOND, DOWN]), 4)) == told(dealt)
    turned = film.show(table([FIRST, SECOND, UP]), 4)
    assert told(turned) == [(1, "8S", False), (2, "KC", False), (3, "6D", False)]
    dark = np.full_like(CLOTH, 8)
    assert told(film.show(dark, 20)) == told(turned)
    assert film.published[-1].trouble is not None
    assert told(film.show(table([FIRST, SECOND, UP]), 3)) == told(turned)
    assert told(film.show(table([]), 6)) == []
    status = film.watch.status()
    assert status.whole <= 4 and status.failures == 0
