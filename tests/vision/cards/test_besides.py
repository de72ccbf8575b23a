"""What a part of a picture is looked at besides: closer than the picture was, where that is worth it."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from datasets.backgrounds import felt
from datasets.drawn import Style, drawn_deck
from datasets.layouts import Place
from datasets.scene import camera_view, compose
from vision.cards.patches import Image
from vision.cards.reader import CardReader

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def reader() -> CardReader:
    return CardReader.load()


def table(cards: list[tuple[Place, str]], card_px: float) -> Image:
    deck = drawn_deck(Style(rank_height=0.1, suit_height=0.08))
    view = camera_view(1920, 1080, card_px, np.radians(80), -np.pi / 2, 0.0, np.radians(50))
    placed = [(place, deck, label) for place, label in cards]
    image, _ = compose(
        felt(np.random.default_rng(2), 1080, 1920), view, placed, np.random.default_rng(3), clutter=False
    )
    return np.clip(image + np.random.default_rng(4).normal(0, 2.0, image.shape), 0, 255).astype(np.uint8)


CARDS = [(Place(-150.0, 0.0, 0.0), "8S"), (Place(-50.0, 0.0, 0.1), "KD"), (Place(60.0, 0.0, -0.1), "3C")]
WHERE = (700, 400, 1200, 700)


def test_a_small_part_with_small_cards_is_looked_at_closer_than_the_picture(reader: CardReader) -> None:
    image = table(CARDS, 90)
    whole = reader.look(image)
    assert whole.besides == () and max(whole.scales) < 1920
    part = reader.look(image, whole, [WHERE])
    assert part.besides == (1920,) and part.scales == whole.scales
    assert sorted(s.label or "" for s in part.reading.cards) == ["3C", "8S", "KD"]
    # The closer look is for this part alone: the next one begins from the picture's scales again.
    assert reader.look(image, part, [(0, 0, 1900, 1060)]).besides == ()


def test_large_cards_and_small_pictures_are_not(reader: CardReader) -> None:
    large = table(CARDS, 420)
    whole = reader.look(large)
    assert reader.look(large, whole, [WHERE]).besides == ()
    small = np.asarray(cv2.resize(table(CARDS, 90), (640, 360), interpolation=cv2.INTER_AREA), np.uint8)
    seen = reader.look(small)
    closest = reader.look(small, replace(seen, scales=(640,)), [(200, 100, 300, 200)])
    assert closest.besides == (), "nothing is to be had beyond the picture's own pixels"
