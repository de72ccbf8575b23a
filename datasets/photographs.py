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

from datasets.deck import Floats
from datasets.patches import NONE
from vision.cards.detector import INDEX
from vision.cards.indices import IndexReading
from vision.cards.patches import Image, pyramid
from vision.cards.reader import CardReader
from vision.sightings import FACES

RANKS = {"ace": "A", "nine": "9", "ten": "10", "jack": "J", "queen": "Q", "king": "K"}
PLACED, SURE_SUIT, SURE_NAME = 0.5, 0.85, 0.8
"""A reading this sure of the labelled name has trusted corners; a suit this sure is added to a rank; where boxes
overlap, a name this sure tells whose index it is."""
LARGEST = 1600
"""Longer pictures are shrunk to this: more adds nothing but time."""


@dataclass(frozen=True)
class Labelled:
    """A photograph, and for each card its box (x0, y0, x1, y1 pixels) and the names it may have: one, or a rank's
    four."""

    image: Image
    boxes: Floats
    names: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class KnownIndex:
    """One find: where, the index's true corners (None where not known well), and its face's number or ``NONE``."""

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
    # Aces and eights read alike in a mirror; what decides is what reads one way only.
    if best[0][1] - rest[0][1] < max(0.9, 0.3 * best[0][1]):
        return best[1], []
    return best[1], best[0][0]


def known_indices(photo: Labelled, reader: CardReader) -> tuple[list[KnownIndex], float]:
    """The labelled indices of a photograph as it is, and the evidence that its labels fit."""
    levels = pyramid(photo.image)
    found = [f for f in reader.find(levels) if f.kind == INDEX]
    readings = reader.indices.read(levels, found)
    out: list[KnownIndex] = []
    fits = 0.0
    homes = [_home(r, photo) for r in readings]
    for n, names in enumerate(photo.names):
        mine = [k for k, home in enumerate(homes) if home == n]
        faces = [FACES.index(name) for name in names]
        # Every index of the card votes on which of its possible faces it is.
        votes = sum((np.log(readings[k].chances[faces] + 1e-3) for k in mine), np.zeros(len(faces)))
        share = np.exp(votes - votes.max())
        if not mine or share.max() / share.sum() < SURE_SUIT:
            continue
        face = faces[int(votes.argmax())]
        lead = max((readings[k] for k in mine), key=lambda r: float(r.chances[face]))
        if lead.chances[face] < PLACED:
            continue
        fits += sum(float(readings[k].chances[face]) for k in mine)
        for k in mine:
            r = readings[k]
            along = abs(_cosine(_down(r.quad), _down(lead.quad)))
            if along > 0.85 and r.chances[NONE] < 0.3:
                out.append(KnownIndex(found[k].quad, r.quad if r.chances[face] > PLACED else None, face))
            elif along < 0.5:
                # A quarter turn off: a rank on its side with a pip under it, which is nothing to read.
                out.append(KnownIndex(found[k].quad, None, NONE))
    return out, fits


def _down(quad: Floats) -> Floats:
    return np.asarray(quad[3] + quad[2] - quad[0] - quad[1], np.float32)


def _cosine(a: Floats, b: Floats) -> float:
    return float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b) + 1e-9))


def _home(reading: IndexReading, photo: Labelled) -> int:
    """Number of the card an index is on, -1 if unknown: the only box around it, or of several the one it names."""
    boxes, point = photo.boxes, reading.centre
    inside = np.flatnonzero(((boxes[:, :2] <= point) & (point <= boxes[:, 2:])).all(1))
    if len(inside) > 1:
        inside = inside[[FACES[reading.best] in photo.names[n] and reading.sure > SURE_NAME for n in inside]]
    return int(inside[0]) if len(inside) == 1 else -1


def shrunk(photo: Labelled, longest: int = LARGEST) -> Labelled:
    """The photograph with its longer side at most ``longest`` pixels."""
    scale = longest / max(photo.image.shape[:2])
    if scale >= 1:
        return photo
    small = cv2.resize(photo.image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return Labelled(np.asarray(small, np.uint8), np.asarray(photo.boxes * scale, np.float32), photo.names)
