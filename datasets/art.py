"""Decks whose art other packages carry, rasterised into the user's cache; none of it is part of the project.

Looked for: Debian's ``gnome-cards-data`` (needs ``rsvg-convert`` from ``librsvg2-bin``), and the npm packages
``@heruka_urgyen/react-playing-cards`` and ``cardsJS`` under the folder that ``TABLESIDE_NPM_ART`` names. What is not
installed is left out; the drawn decks alone are enough to render.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from platformdirs import user_cache_path

from datasets.deck import TEXTURE_WIDTH, Deck, Face, Floats, Image, box_quad, rounded_alpha, turned
from datasets.drawn import Style, draw_back
from vision.sightings import CARDS, JOKER, RANKS

log = logging.getLogger(__name__)
GNOME_CARDS = Path("/usr/share/aisleriot/cards")
# Suits that are not the French ones, courts without an index, or letters that mean another rank elsewhere (a
# Cyrillic T is an ace).
LEFT_OUT = {"swiss-xvii", "guyenne-classic", "slavic_costumes", "Атласные", "tango_nuevo"}
_GRID_SUITS = "CDHS"


def decks() -> list[Deck]:
    """Every deck found on this machine, in a fixed order; cut up once, then mapped from the cache."""
    found: list[Deck] = []
    for name, source in _sources():
        kept = user_cache_path("tableside") / "decks" / f"{name}.npy"
        if not kept.exists():
            loaded = _grid_deck(source) if source.suffix == ".svgz" else _folder_deck(source)
            cut = _assemble(name, *loaded) if loaded else None
            if cut is None:
                continue
            _keep(kept, *cut)
        found.append(_kept_deck(kept))
    return found


def _keep(path: Path, faces: dict[str, tuple[Image, Floats]], back: Image) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    boxes = {label: quads.tolist() for label, (_, quads) in faces.items()}
    path.with_suffix(".json").write_text(json.dumps(boxes))
    np.save(path, np.stack([*(image for image, _ in faces.values()), back]))


def _kept_deck(path: Path) -> Deck:
    textures = np.load(path, mmap_mode="r")
    boxes = json.loads(path.with_suffix(".json").read_text())
    labels = tuple(boxes)

    @lru_cache(maxsize=60)
    def face(label: str) -> Face:
        quads = np.array(boxes[label], np.float32).reshape(-1, 4, 2)
        return Face.make(np.array(textures[labels.index(label)]), quads)

    @lru_cache(maxsize=1)
    def back() -> Face:
        return Face.make(np.array(textures[-1]))

    return Deck(path.stem, textures.shape[2] / textures.shape[1], face, back, labels)


def court_art(found: Sequence[Deck]) -> tuple[Image, ...]:
    """The middles of court cards, for drawn decks to borrow."""
    out = []
    for deck in found:
        for label in ("JC", "QD", "KH", "KS", "QS", "JH"):
            if label in deck.labels:
                t = deck.face(label).texture
                h, w = t.shape[:2]
                out.append(
                    np.ascontiguousarray(t[round(h * 0.1) : round(h * 0.9), round(w * 0.2) : round(w * 0.8), :3])
                )
    return tuple(out)


def _sources() -> Iterator[tuple[str, Path]]:
    if not shutil.which("rsvg-convert"):
        return
    if GNOME_CARDS.is_dir():
        yield from ((p.stem, p) for p in sorted(GNOME_CARDS.glob("*.svgz")) if p.stem not in LEFT_OUT)
    npm = os.environ.get("TABLESIDE_NPM_ART")
    if npm:
        images = Path(npm) / "@heruka_urgyen/react-playing-cards/src/images"
        yield from ((p.name, p) for p in [*sorted(images.glob("*")), Path(npm) / "cardsJS/cards"] if p.is_dir())


def _rasterised(source: Path, width: int) -> Image | None:
    cache = user_cache_path("tableside") / "art"
    cache.mkdir(parents=True, exist_ok=True)
    target = cache / f"{source.parent.name}-{source.stem}-{width}.png"
    if not target.exists():
        run = subprocess.run(
            ["rsvg-convert", "-w", str(width), "-o", str(target), str(source)],
            capture_output=True,
            text=True,
            timeout=120,
        )
        if run.returncode:
            log.warning("%s could not be drawn: %s", source, run.stderr.strip()[:200])
            return None
    image = cv2.imread(str(target), cv2.IMREAD_UNCHANGED)
    if image is None or image.ndim != 3 or image.shape[2] != 4:
        return None
    return np.asarray(image, np.uint8)


def _grid_deck(path: Path) -> tuple[dict[str, Image], Image | None] | None:
    sheet = _rasterised(path, TEXTURE_WIDTH * 13)
    if sheet is None:
        return None
    cw, ch = sheet.shape[1] / 13, sheet.shape[0] / 5

    def cell(row: int, column: int) -> Image:
        return sheet[round(row * ch) : round((row + 1) * ch), round(column * cw) : round((column + 1) * cw)].copy()

    faces = {rank + suit: cell(r, c) for r, suit in enumerate(_GRID_SUITS) for c, rank in enumerate(RANKS)}
    faces[JOKER] = cell(4, 0)
    return faces, cell(4, 2)


def _folder_deck(folder: Path) -> tuple[dict[str, Image], Image | None] | None:
    faces = {}
    for label in CARDS:
        for name in (label, label.replace("10", "T")):
            if (folder / f"{name}.svg").exists():
                image = _rasterised(folder / f"{name}.svg", TEXTURE_WIDTH)
                if image is not None:
                    faces[label] = image
                break
    backs = sorted(folder.glob("*ack*.svg")) + sorted(folder.glob("*1B.svg"))
    if len(faces) < 52:
        return None
    return faces, _rasterised(backs[0], TEXTURE_WIDTH) if backs else None


def _on_paper(image: Image) -> Image:
    """Composite over the paper colour where the art is see-through inside the card; keep a clean rounded alpha."""
    h, w = image.shape[:2]
    a = image[..., 3:].astype(np.float32) / 255
    out = np.empty_like(image)
    out[..., :3] = (image[..., :3] * a + 255 * (1 - a)).astype(np.uint8)
    out[..., 3] = np.minimum(rounded_alpha(w, h, 0.035 * h), 255)
    return out


def _ink(face: Image) -> Image:
    region = face[..., :3].astype(np.int16)
    paper = np.median(region[round(face.shape[0] * 0.03) : round(face.shape[0] * 0.3), 8:-8].reshape(-1, 3), axis=0)
    return np.asarray(np.abs(region - paper).max(axis=2) > 70, np.uint8)


def _corner_box(face: Image) -> tuple[int, int, int, int] | None:
    """Tight box of the rank and the suit mark below it in the top-left corner of a plain number card."""
    h, w = face.shape[:2]
    corner = _ink(face)[: round(h * 0.36), : round(w * 0.36)]
    n, _, stats, _ = cv2.connectedComponentsWithStats(corner, connectivity=8)
    parts = []
    for k in range(1, n):
        x, y, pw, ph, area = (int(v) for v in stats[k])
        if area < 40 or x <= 1 or y <= 1 or pw > 0.3 * w or ph > 0.3 * h:
            continue
        if x < 0.14 * w:
            parts.append((x, y, x + pw, y + ph))
    if len(parts) < 2:
        return None
    parts.sort(key=lambda p: p[1])
    box = list(parts[0])
    for part in parts[1:]:
        if part[1] - box[3] < 0.06 * h:
            box = [min(box[0], part[0]), box[1], max(box[2], part[2]), max(box[3], part[3])]
    return (box[0], box[1], box[2], box[3])


def _tightened(face: Image, box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    x0, y0, x1, y1 = (round(v) for v in box)
    ink = _ink(face)[y0 : y1 + 1, x0 : x1 + 1]
    x, y, w, h = cv2.boundingRect(ink)
    if w < 0.6 * (x1 - x0) or h < 0.8 * (y1 - y0):
        return box
    return (x0 + x, y0 + y, x0 + x + w, y0 + y + h)


def _assemble(
    name: str, faces: dict[str, Image], back: Image | None
) -> tuple[dict[str, tuple[Image, Floats]], Image] | None:
    """Find the index boxes: measured on number cards, and from them taken over to aces, courts and jokers."""
    plain = {label: _on_paper(image) for label, image in faces.items()}
    h, w = plain["AC"].shape[:2]
    boxes = {lab: _corner_box(f) for lab, f in plain.items() if lab[:-1].isdigit() and lab != JOKER}
    measured = {lab: b for lab, b in boxes.items() if b}
    narrow = np.array([b for lab, b in measured.items() if not lab.startswith("10")])
    if len(narrow) < 16:
        log.warning("deck %s is left out: its indices could not be found", name)
        return None
    usual = np.median(narrow, axis=0)
    built: dict[str, tuple[Image, Floats]] = {}
    for label, image in plain.items():
        if label == JOKER:
            # Packages agree on nothing about a joker's corner: it is a card without an index.
            built[label] = (_fit(image, w, h), np.zeros((0, 4, 2), np.float32))
            continue
        box = measured.get(label)
        if box is None or abs(box[3] - box[1] - (usual[3] - usual[1])) > 0.2 * (usual[3] - usual[1]):
            pad = 0.02 * w if label[0] in "1QKAD" else 0.0
            loose = (usual[0] - pad, usual[1] - 2, usual[2] + pad, usual[3] + 2)
            found = _tightened(image, loose)
        else:
            found = (float(box[0]), float(box[1]), float(box[2]), float(box[3]))
        quad = box_quad(*found)
        quads = [quad, turned(quad, w, h)]
        if name == "dondorf":
            shift = np.array([w - quad[0, 0] - quad[1, 0], 0], np.float32)
            quads += [quad + shift, turned(quad + shift, w, h)]
        built[label] = (_fit(image, w, h), np.stack(quads))
    reverse = _on_paper(back) if back is not None else draw_back(Style(back_seed=len(name))).texture
    return built, _fit(reverse, w, h)


def _fit(image: Image, width: int, height: int) -> Image:
    return np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


@lru_cache(maxsize=1)
def shared_decks() -> tuple[Deck, ...]:
    """:func:`decks`, once a process."""
    return tuple(decks())
