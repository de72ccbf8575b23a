"""Labels of whole cards become labelled indices, and mirrored photographs are turned back."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.demo_clip import ROUND, last_picture
from datasets.patches import NONE
from datasets.photo_sets import cropped, detector_lines, patches_of_photo, write_photographs
from datasets.photographs import KnownIndex, Labelled, bicycle, fmjio, unmirrored
from vision.cards.reader import CardReader
from vision.sightings import FACES

pytestmark = pytest.mark.slow


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


def faces(known: list[KnownIndex]) -> set[str]:
    return {FACES[k.face] for k in known if k.face != NONE}


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
        assert faces(known) == {m.label for m in ROUND[:4]}
        assert any(k.quad is not None for k in known)


def test_labels_that_fit_neither_way_give_no_index(reader: CardReader, table: Labelled) -> None:
    wrong = Labelled(table.image, table.boxes, (("2S",),) * len(table.names))
    assert unmirrored(wrong, reader)[1] == []


def test_a_rank_alone_takes_its_suit_from_the_picture(reader: CardReader, table: Labelled) -> None:
    ranks = tuple(tuple(name[:-1] + s for s in "CDHS") for (name,) in table.names)
    known = unmirrored(Labelled(table.image, table.boxes, ranks), reader)[1]
    assert faces(known) == {m.label for m in ROUND[:4]}


def test_patches_and_detector_lines_follow_the_indices(reader: CardReader, table: Labelled) -> None:
    photo, known = unmirrored(table, reader)
    made = patches_of_photo(photo, known, np.random.default_rng(1))
    placed = [k for k in known if k.quad is not None]
    assert made is not None and len(made.labels) == len(made.images) == len(known) + 3 * len(placed)
    assert np.isfinite(made.corners).all((1, 2)).sum() == 4 * len(placed)
    lines = [[float(v) for v in line.split()] for line in detector_lines(photo, known)]
    assert len(lines) == len(table.names) + sum(k.face != NONE for k in known)
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


def test_a_crop_keeps_what_is_in_it_and_where_it_is(reader: CardReader, table: Labelled) -> None:
    photo, known = unmirrored(table, reader)
    for seed in range(6):
        crop = cropped(photo, known, np.random.default_rng(seed), 256)
        if crop is None:
            continue
        part, inside = crop
        assert part.image.shape == (256, 256, 3)
        assert (part.boxes >= 0).all() and (part.boxes <= 256).all()
        # An index read again in the crop is the one that was carried over.
        read = {c.label for c in reader.read(part.image).cards}
        assert faces(inside) & read, (faces(inside), read)


def test_a_folder_of_photographs_becomes_both_training_sets(
    reader: CardReader, table: Labelled, tmp_path: Path
) -> None:
    source = tmp_path / "photos" / "fmjio"
    for name in ("images", "labels"):
        (source / name).mkdir(parents=True)
    (tmp_path / "photos" / "bicycle").mkdir()
    flipped = mirrored(table)
    cv2.imwrite(str(source / "images" / "x.jpg"), flipped.image)
    names = [name for (name,) in flipped.names]
    h, w = flipped.image.shape[:2]
    middles, sizes = (flipped.boxes[:, :2] + flipped.boxes[:, 2:]) / 2, flipped.boxes[:, 2:] - flipped.boxes[:, :2]
    rows = np.column_stack([np.arange(len(names)), middles / [w, h], sizes / [w, h]])
    (source / "classes.json").write_text(json.dumps(names))
    (source / "labels" / "x.txt").write_text("\n".join(f"{int(r[0])} {' '.join(map(str, r[1:]))}" for r in rows))
    write_photographs(tmp_path / "photos", tmp_path / "patches", tmp_path / "scenes", reader, 416)
    (shard,) = (tmp_path / "patches").glob("*.npz")
    assert {FACES[k] for k in np.load(shard)["labels"] if k != NONE} == set(names)
    pictures = sorted(p.stem for p in (tmp_path / "scenes" / "images").iterdir())
    assert pictures == sorted(p.stem for p in (tmp_path / "scenes" / "labels").iterdir()) and pictures
