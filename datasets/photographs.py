"""Training photographs: whole-card boxes in, labelled indices out.

The sources label whole cards; the networks learn corner indices. So a trained reader finds the indices, and the
labels say what they are: an index inside exactly one labelled card carries that card's name, whatever the reader
called it. Pictures that their source mirrored are turned back first: the orientation in which more cards read as
labelled is the true one.
"""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from datasets.camera import Rng
from datasets.deck import Floats
from datasets.patches import NONE, Patches, misplaced
from vision.cards.detector import CARD, INDEX
from vision.cards.indices import IndexReading
from vision.cards.patches import Image, cut_patch, pyramid
from vision.cards.reader import CardReader
from vision.sightings import FACES

RANKS = {"ace": "A", "nine": "9", "ten": "10", "jack": "J", "queen": "Q", "king": "K"}
PLACED, SURE_SUIT = 0.5, 0.85
"""A reading this sure of the labelled name has trusted corners; a suit this sure is added to a rank."""


@dataclass(frozen=True)
class Labelled:
    """A photograph, and for each card its box (x0, y0, x1, y1 pixels) and the names it may have: one, or a rank's
    four."""

    image: Image
    boxes: Floats
    names: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class KnownIndex:
    """One real index: where it was found, where its corners are (None where not known well), its face's number."""

    found: Floats
    quad: Floats | None
    face: int


def fmjio(folder: Path) -> Iterator[Labelled]:
    """YOLO boxes of whole cards with ``classes.json``; about half the pictures are mirrored."""
    classes = json.loads((folder / "classes.json").read_text())
    for path in sorted((folder / "images").glob("*.jpg")):
        image = cv2.imread(str(path))
        rows = [line.split() for line in (folder / "labels" / f"{path.stem}.txt").read_text().splitlines() if line]
        if image is None or not rows:
            continue
        h, w = image.shape[:2]
        v = np.array([[float(x) for x in row[1:5]] for row in rows]) * [w, h, w, h]
        boxes = np.column_stack([v[:, :2] - v[:, 2:] / 2, v[:, :2] + v[:, 2:] / 2]).astype(np.float32)
        yield Labelled(np.asarray(image, np.uint8), boxes, tuple((classes[int(row[0])],) for row in rows))


def bicycle(folder: Path) -> Iterator[Labelled]:
    """VOC boxes of whole cards with the rank's English name."""
    for path in sorted(folder.glob("*.xml")):
        picture = next((p for p in folder.glob(f"{path.stem}.*") if p.suffix.lower() in {".jpg", ".jpeg"}), None)
        image = cv2.imread(str(picture)) if picture else None
        things = ET.parse(path).getroot().findall("object")
        if image is None or not things:
            continue
        edges = ("xmin", "ymin", "xmax", "ymax")
        boxes = np.array([[float(t.findtext(f"bndbox/{e}", "0")) for e in edges] for t in things], np.float32)
        ranks = [RANKS[t.findtext("name", "")] for t in things]
        yield Labelled(np.asarray(image, np.uint8), boxes, tuple(tuple(r + s for s in "CDHS") for r in ranks))


def unmirrored(photo: Labelled, reader: CardReader) -> tuple[Labelled, list[KnownIndex]]:
    """The photograph the right way round, with its indices. Where neither way reads better, no index is returned."""
    width = photo.image.shape[1]
    flipped = photo.boxes[:, [2, 1, 0, 3]] * [-1, 1, -1, 1] + [width, 0, width, 0]
    mirror = replace(photo, image=np.ascontiguousarray(photo.image[:, ::-1]), boxes=np.asarray(flipped, np.float32))
    best, rest = sorted(((known_indices(p, reader), p) for p in (photo, mirror)), key=lambda a: -a[0][1])
    if best[0][1] < 2 * rest[0][1] + 0.9:
        return best[1], []
    return best[1], best[0][0]


def known_indices(photo: Labelled, reader: CardReader) -> tuple[list[KnownIndex], float]:
    """The labelled indices of a photograph as it is, and the evidence that its labels fit."""
    levels = pyramid(photo.image)
    found = [f for f in reader.find(levels) if f.kind == INDEX]
    readings = reader.indices.read(levels, found)
    out: list[KnownIndex] = []
    fits = 0.0
    homes = [_home(r.centre, photo.boxes) for r in readings]
    for n, names in enumerate(photo.names):
        mine = [k for k, home in enumerate(homes) if home == n]
        faces = [FACES.index(name) for name in names]
        # Every index of the card votes on which of its possible faces it is.
        votes = sum((np.log(readings[k].chances[faces] + 1e-3) for k in mine), np.zeros(len(faces)))
        share = np.exp(votes - votes.max())
        if not mine or share.max() / share.sum() < SURE_SUIT:
            continue
        face = faces[int(votes.argmax())]
        for k in mine:
            r = readings[k]
            agrees = float(r.chances[face])
            fits += agrees
            if not _may_be(r, face):
                continue
            out.append(KnownIndex(found[k].quad, r.quad if agrees > PLACED else None, face))
    return out, fits


def _may_be(reading: IndexReading, face: int) -> bool:
    """Whether a find may be an index at all: pips and court pictures inside a card are found now and then, too."""
    return bool(reading.chances[NONE] < 0.3 and (reading.found > 0.5 or reading.chances[face] > 0.05))


def _home(point: Floats, boxes: Floats) -> int:
    """Number of the only box around a point; -1 for none or several."""
    inside = np.flatnonzero(((boxes[:, :2] <= point) & (point <= boxes[:, 2:])).all(1))
    return int(inside[0]) if len(inside) == 1 else -1


def patches_of_photo(photo: Labelled, known: list[KnownIndex], rng: Rng, copies: int = 2) -> Patches | None:
    """Each known index as the detector found it, exactly placed, and ``copies`` times misplaced; None without any."""
    levels = pyramid(photo.image)
    images, labels, corners = [], [], []
    for index in known:
        places = [index.found]
        if index.quad is not None:
            places += [index.quad, *(misplaced(index.quad, rng, float(rng.uniform(0.4, 1.4))) for _ in range(copies))]
        for place in places:
            patch, m = cut_patch(levels, place)
            images.append(patch)
            labels.append(index.face)
            corners.append(index.quad @ m[:, :2].T + m[:, 2] if index.quad is not None else np.full((4, 2), np.nan))
    if not images:
        return None
    return Patches(np.stack(images), np.array(labels, np.int64), np.array(corners, np.float32))


def detector_lines(photo: Labelled, known: list[KnownIndex]) -> list[str]:
    """Ultralytics pose lines (see ``datasets.yolo``): placed indices with corners, cards by their box alone."""
    h, w = photo.image.shape[:2]
    lines = []
    for x0, y0, x1, y1 in photo.boxes:
        box = f"{(x0 + x1) / 2 / w:.5f} {(y0 + y1) / 2 / h:.5f} {(x1 - x0) / w:.5f} {(y1 - y0) / h:.5f}"
        lines.append(f"{CARD} {box} " + " ".join(["0 0 0"] * 4))
    for index in known:
        quad = index.quad if index.quad is not None else index.found
        (x0, y0), (x1, y1) = quad.min(0), quad.max(0)
        box = f"{(x0 + x1) / 2 / w:.5f} {(y0 + y1) / 2 / h:.5f} {(x1 - x0) / w:.5f} {(y1 - y0) / h:.5f}"
        shown = 2 if index.quad is not None else 0
        lines.append(f"{INDEX} {box} " + " ".join(f"{x / w:.5f} {y / h:.5f} {shown}" for x, y in quad))
    return lines
