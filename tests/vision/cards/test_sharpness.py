"""How wide edges are: wider the more a picture is blurred, whatever its light."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from datasets.drawn import drawn_deck
from vision.cards.sharpness import edge_width, index_edges, typical_edge
from vision.sightings import CardSighting, Quad, Reading


@pytest.fixture(scope="module")
def card() -> tuple[np.ndarray, Quad]:
    face = drawn_deck().face("8S")
    a, b, c, d = ((float(x), float(y)) for x, y in face.indices[0])
    return np.ascontiguousarray(face.texture[..., :3]), (a, b, c, d)


def test_the_more_blurred_the_wider(card: tuple[np.ndarray, Quad]) -> None:
    image, index = card
    widths = [typical_edge(cv2.GaussianBlur(image, (0, 0), s) if s else image, [index]) for s in (0, 2, 5, 9)]
    assert all(width is not None for width in widths) and widths == sorted(widths)  # type: ignore[type-var]
    assert widths[0] < 0.05 < 0.085 < widths[-1]  # type: ignore[operator]


def test_light_does_not_matter_and_nothing_has_no_edges(card: tuple[np.ndarray, Quad]) -> None:
    image, index = card
    dark = (image * 0.5).astype(np.uint8)
    assert typical_edge(dark, [index]) == pytest.approx(typical_edge(image, [index]), rel=0.1)
    assert edge_width(np.full((96, 64, 3), 200, np.uint8)) is None
    assert index_edges(image, Reading(image.shape[1], image.shape[0])) is None


def test_a_reading_is_measured_where_its_indices_are(card: tuple[np.ndarray, Quad]) -> None:
    image, index = card
    sighting = CardSighting("card", index, "8S", 0.9, {}, (index,))
    found = index_edges(image, Reading(image.shape[1], image.shape[0], (sighting,)))
    assert found == typical_edge(image, [index])
