"""Stills of films: exact labels, what hands cover is known as covered, crops agree with the whole."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.faces import faces_of
from datasets.rounds.film import Conditions, Film
from datasets.rounds.script import HOUSE, Act, Deal, Script
from datasets.rounds.script_file import save_script
from datasets.rounds.stills import crop, still, stills, write_crops, write_cuts
from datasets.scene import BACK

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def script() -> Script:
    acts: list[Act] = [
        Deal(0.5, 1, "10H"), Deal(1.5, 2, "8S"), Deal(2.5, HOUSE, "KD"), Deal(3.5, 1, "2C"),
        Deal(4.5, HOUSE, "AS", up=False),
    ]  # fmt: skip
    return Script(tuple(acts), 3, "five cards", 12.0)


@pytest.fixture(scope="module")
def film(script: Script) -> Film:
    return Film(script, 3, Conditions(markers=False))


def test_a_still_lists_every_card_that_lies_there_where_it_is(film: Film) -> None:
    scene = still(film, 11.0)
    assert sorted(card.label for card in scene.cards) == sorted(["10H", "8S", "KD", "2C", BACK])
    for card in scene.cards:
        middle = card.corners.mean(0).astype(int)
        assert card.visible > 0.4
        assert scene.image[middle[1], middle[0]].mean() > 60, "a card is lighter than the felt"
        assert all(0 <= index.visible <= 1 for index in card.indices) and (card.label == BACK) == (not card.indices)


def test_what_an_arm_lies_over_does_not_show(film: Film) -> None:
    times = [t for t in np.arange(0.2, 6, 0.1) if film.reached_over(float(t)).any() and film.course.lying(float(t))]
    assert times
    least = min(min(card.visible for card in still(film, float(t)).cards) for t in times)
    assert least < 0.9


def test_stills_show_cards_at_rest_alone(film: Film) -> None:
    found = list(stills(film, np.random.default_rng(1), 4))
    assert len(found) == 4 and all(len(scene.cards) >= 3 for scene in found)


def test_a_crop_shows_the_same_cards_moved_along(film: Film) -> None:
    scene, rng = still(film, 11.0), np.random.default_rng(2)
    for _ in range(6):
        part = crop(scene, rng, 416)
        assert part.image.shape == (416, 416, 3)
        assert any(card.visible > 0.5 for card in part.cards)
        for card, whole in zip(part.cards, scene.cards, strict=True):
            assert card.visible <= whole.visible + 1e-6
            side = np.linalg.norm(card.corners[3] - card.corners[0])
            assert 0.6 < side / np.linalg.norm(whole.corners[3] - whole.corners[0]) < 1.17
            for index in card.indices:
                inside = ((index.quad >= -1) & (index.quad <= 417)).all()
                assert inside or index.visible == 0


def test_scripts_become_crops_and_shards(script: Script, tmp_path: Path) -> None:
    for name in ("scripts", "scenes/images", "scenes/labels"):
        (tmp_path / name).mkdir(parents=True)
    path = tmp_path / "scripts" / "one.json"
    save_script(script, path)
    write_crops(tmp_path / "scenes", [path], 416, 1)
    write_cuts(faces_of, tmp_path / "faces", [path], 1)
    pictures = sorted((tmp_path / "scenes" / "images").glob("film_*.jpg"))
    labels = [(tmp_path / "scenes" / "labels" / f"{p.stem}.txt").read_text().split() for p in pictures]
    assert pictures and any(labels) and cv2.imread(str(pictures[0])).shape == (416, 416, 3)  # type: ignore[union-attr]
    (shard,) = (tmp_path / "faces").glob("*.npz")
    with np.load(shard) as held:
        assert len(held["images"]) == len(held["labels"]) > 0
