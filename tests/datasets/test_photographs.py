"""Labels of whole cards become labelled indices, and mirrored photographs are turned back."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.demo_clip import ROUND, last_picture
from datasets.photographs import Labelled, bicycle, detector_lines, fmjio, patches_of_photo, unmirrored
from vision.cards.reader import CardReader
from vision.sightings import FACES


@pytest.fixture(scope="module")
def reader() -> CardReader:
    return CardReader.load()


@pytest.fixture(scope="module")
def table(reader: CardReader) -> Labelled:
    """The dealer's ten and the first card of each spot, with boxes as a labeller would draw them."""
    image = last_picture(ROUND[:4])
    cards = reader.read(image).cards
    corners = np.array([c.corners for c in cards], np.float32)
    boxes = np.concatenate([corners.min(1), corners.max(1)], 1) + np.array([-4, -4, 4, 4], np.float32)
    return Labelled(image, boxes, tuple((c.label or "",) for c in cards))


def mirrored(photo: Labelled) -> Labelled:
    w = photo.image.shape[1]
    boxes = photo.boxes[:, [2, 1, 0, 3]] * np.array([-1, 1, -1, 1], np.float32) + np.array([w, 0, w, 0], np.float32)
    return Labelled(np.ascontiguousarray(photo.image[:, ::-1]), boxes, photo.names)


def test_a_mirrored_photograph_is_turned_back_and_its_indices_carry_their_cards_names(
    reader: CardReader, table: Labelled
) -> None:
    for photo in (table, mirrored(table)):
        upright, known = unmirrored(photo, reader)
        assert np.array_equal(upright.image, table.image)
        assert {FACES[k.face] for k in known} == {m.label for m in ROUND[:4]}
        assert all(k.quad is not None for k in known)


def test_labels_that_fit_neither_way_give_no_index(reader: CardReader, table: Labelled) -> None:
    wrong = Labelled(table.image, table.boxes, (("2S",),) * len(table.names))
    assert unmirrored(wrong, reader)[1] == []


def test_a_rank_alone_takes_its_suit_from_the_picture(reader: CardReader, table: Labelled) -> None:
    ranks = tuple(tuple(name[:-1] + s for s in "CDHS") for (name,) in table.names)
    known = unmirrored(Labelled(table.image, table.boxes, ranks), reader)[1]
    assert {FACES[k.face] for k in known} == {m.label for m in ROUND[:4]}


def test_patches_and_detector_lines_follow_the_indices(reader: CardReader, table: Labelled) -> None:
    photo, known = unmirrored(table, reader)
    made = patches_of_photo(photo, known, np.random.default_rng(1))
    assert made is not None and len(made.labels) == 4 * len(known) == len(made.images)
    lines = [[float(v) for v in line.split()] for line in detector_lines(photo, known)]
    assert len(lines) == len(table.names) + len(known)
    assert all(len(line) == 5 + 12 and all(0 <= v <= 1 for v in line[1:5]) for line in lines)
    assert patches_of_photo(photo, [], np.random.default_rng(1)) is None


def test_both_sources_are_read_in_their_own_format(tmp_path: Path) -> None:
    for name in ("images", "labels"):
        (tmp_path / "a" / name).mkdir(parents=True)
    (tmp_path / "b").mkdir()
    picture = np.zeros((100, 200, 3), np.uint8)
    cv2.imwrite(str(tmp_path / "a" / "images" / "x.jpg"), picture)
    cv2.imwrite(str(tmp_path / "b" / "x.JPG"), picture)
    (tmp_path / "a" / "classes.json").write_text(json.dumps(["10C", "AS"]))
    (tmp_path / "a" / "labels" / "x.txt").write_text("1 0.5 0.5 0.2 0.4\n")
    (tmp_path / "b" / "x.xml").write_text(
        "<annotation><object><name>ten</name><bndbox><xmin>80</xmin><ymin>30</ymin><xmax>120</xmax><ymax>70</ymax>"
        "</bndbox></object></annotation>"
    )
    (one,), (other,) = fmjio(tmp_path / "a"), bicycle(tmp_path / "b")
    assert one.names == (("AS",),) and other.names == (("10C", "10D", "10H", "10S"),)
    assert np.allclose(one.boxes, [[80, 30, 120, 70]]) and np.allclose(other.boxes, one.boxes)
