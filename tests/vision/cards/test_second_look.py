"""What is read plainly but found faintly is looked for again at other scales."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np
from laid_cards import INDEX_MM, seen
from laid_cards import reading as laid

from vision.cards.detector import CARD, INDEX, Found
from vision.cards.indices import IndexReading
from vision.cards.naming import as_quad
from vision.cards.patches import Floats
from vision.cards.second_look import doubted, found_anew, of_their_own, overlooked
from vision.cards.settings import LIVE, Settings
from vision.sightings import FACES, CardSighting

SETTINGS = Settings()


def quad(x: float, y: float, size: float = 1.0) -> Floats:
    """Upright, 20 x 50 pixels times ``size``, its middle at x, y."""
    return np.array([[-10, -25], [10, -25], [10, 25], [-10, 25]], np.float32) * size + np.array([x, y], np.float32)


def reading(x: float, name: str, chance: float, found: float) -> IndexReading:
    chances = np.zeros(len(FACES) + 1, np.float32)
    chances[FACES.index(name)], chances[-1] = chance, 1 - chance
    return IndexReading(quad(x, 0), chances, found)


def sighting(r: IndexReading, kind: Literal["card", "unsure"] = "unsure") -> CardSighting:
    return CardSighting(kind, as_quad(r.quad), FACES[r.best], r.sure, {}, (as_quad(r.quad),))


def test_only_what_is_unsure_for_being_found_faintly_is_looked_for_again() -> None:
    plain_but_faint = reading(0, "KC", 0.97, 0.2)
    poorly_read = reading(100, "7H", 0.5, 0.2)
    well_found = reading(200, "7D", 0.97, 0.7)
    listed = reading(300, "2S", 0.99, 0.2)
    readings = [plain_but_faint, poorly_read, well_found, listed]
    seen = [sighting(plain_but_faint), sighting(poorly_read), sighting(well_found), sighting(listed, "card")]
    assert doubted(seen, readings, SETTINGS) == [0]


def test_an_index_counts_as_surely_found_as_the_scale_that_finds_it_best() -> None:
    readings = [reading(0, "KC", 0.97, 0.2), reading(100, "7H", 0.97, 0.2)]
    found = [Found(CARD, quad(0, 0, 4), 0.9), Found(INDEX, quad(0, 0), 0.2), Found(INDEX, quad(100, 0), 0.2)]
    again = [Found(INDEX, quad(1, 2), 0.5), Found(INDEX, quad(0, 0), 0.4)]
    assert [r.found for r in found_anew(found, readings, [0, 1], again)] == [0.5, 0.2]


def test_a_find_fainter_than_the_first_takes_nothing_away() -> None:
    one = reading(0, "KC", 0.97, 0.28)
    again = [Found(INDEX, quad(0, 0), 0.26)]
    assert found_anew([Found(INDEX, quad(0, 0), 0.28)], [one], [0], again)[0].found == 0.28


def test_neither_a_card_nor_a_pip_nor_a_neighbour_speaks_for_an_index() -> None:
    one, at = reading(0, "KC", 0.97, 0.2), Found(INDEX, quad(0, 0), 0.2)
    for other in (Found(CARD, quad(0, 0), 0.9), Found(INDEX, quad(0, 12, 0.5), 0.9), Found(INDEX, quad(22, 0), 0.9)):
        assert found_anew([at], [one], [0], [other])[0].found == 0.2


def test_a_watched_camera_does_not_look_again() -> None:
    assert LIVE.again == () and SETTINGS.again


def test_a_plain_index_of_a_name_that_is_not_listed_is_asked_about_once() -> None:
    listed = reading(0, "KC", 0.97, 0.6)
    again, two, twice = reading(300, "KC", 0.97, 0.1), reading(400, "2D", 0.96, 0.12), reading(500, "2D", 0.97, 0.1)
    poor, beside = reading(600, "4S", 0.7, 0.2), reading(3, "5H", 0.96, 0.2)
    faint = [again, two, twice, poor, beside]
    left = [Found(INDEX, r.quad, r.found) for r in faint]
    assert overlooked(left, faint, [sighting(listed, "card")]) == [two]


def test_of_jokers_every_one_is_asked_about_but_not_the_other_end_of_one_that_is_listed() -> None:
    listed, second, third = (
        reading(0, "JOKER", 0.97, 0.6),
        reading(300, "JOKER", 0.97, 0.1),
        reading(400, "JOKER", 0.96, 0.1),
    )
    far = reading(0, "JOKER", 0.97, 0.1)
    width, height = far.quad[1] - far.quad[0], far.quad[3] - far.quad[0]
    far = replace(far, quad=(far.quad + 3.2 * width + 4 * height)[[2, 3, 0, 1]])
    left = [Found(INDEX, r.quad, r.found) for r in (second, third, far)]
    assert overlooked(left, [second, third, far], [sighting(listed, "card")]) == [second, third]
    near = reading(0, "JOKER", 0.97, 0.2)
    assert overlooked([left[2], Found(INDEX, near.quad, 0.2)], [far, near], []) == [near], "two ends, and none listed"


def test_a_faint_find_that_is_another_cards_far_end_is_not_asked_about() -> None:
    """Half of a ten at the lower rim of a fan was a queen; a jack's fourth corner was a jack more."""
    known = [r for k, label in enumerate(("QD", "2S", "5H")) for r in sides(label, k)]
    plain, half = sides("10D", 3)
    cut = (half.quad + (half.quad[[1, 0, 3, 2]] - half.quad) * np.array([[0.25], [0], [0], [0.25]])).astype(np.float32)
    other = replace(half, quad=cut)
    queen, elsewhere = replace(laid("QD", cut, 0.93), found=0.1), laid("7C", half.quad + 300, 0.95)
    assert of_their_own([queen, elsewhere], [*known, plain], []) == [elsewhere]
    assert of_their_own([replace(other, found=0.1)], [*known, plain], []) == []


def sides(label: str, k: int) -> list[IndexReading]:
    """The two indices on the left side of the card at place ``k`` of a row."""
    lower = np.array([12, 88.9], np.float32) - INDEX_MM
    at = np.array([k * 25, 0], np.float32)
    return [laid(label, seen((q + at).astype(np.float32), 0.05, 100, 100)) for q in (INDEX_MM, lower)]
