"""Rendered pictures of rummy hands and of melds on a table, each with its cards as truth.

A hand is laid as a person asked to photograph it would: every card shows an index, and all of it is in the picture.
The decks are drawn anew for every picture from seeds that no training set uses, jokers in several designs. A picture
depends on nothing but its kind and number (and on which fonts are installed).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from datasets.backgrounds import table_top
from datasets.camera import Rng, lit
from datasets.card_fonts import card_fonts
from datasets.deck import Deck, Image
from datasets.drawn import random_style
from datasets.jokers import DESIGNS, deck_with_joker
from datasets.layouts import CARD_HEIGHT, Place
from datasets.pool import suit_fonts
from datasets.scene import SeenCard, camera_view, card_corners, compose
from vision.sightings import CARDS, JOKER, RANKS, SUITS

LONG, SHORT = 2016, 1512
"""Pixels of the picture's sides: a quarter of a 12-megapixel photograph."""
FEWEST, MOST = 10, 13
"""Cards of a hand."""
SHOWS = 0.9
"""So much of one index of every card can be seen, or the hand is laid again."""
SEED = 910_000_000
"""Above every seed that the recipes use, and apart from that of `datasets.groups`."""
TRIES = 40
JOKERS = ("word-down", "word-down-small", "short-word", "star", "star-letter", "cap")
"""Designs that are shown; two of them, star and word-down-small, are in no scene for training."""
JOKERS_OFTEN = 0.4
"""In how many hands jokers are seen to; from the packs alone they would be in one of four."""
Groups = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class HandPicture:
    """A rendered hand or table; ``groups`` are its cards as they lie together (a hand held as one is one group)."""

    kind: str
    number: int
    image: Image
    groups: Groups
    seen: tuple[SeenCard, ...]

    @property
    def name(self) -> str:
        """Such as "fan-007"."""
        return f"{self.kind}-{self.number:03d}"

    @property
    def cards(self) -> tuple[str, ...]:
        """All cards."""
        return tuple(card for group in self.groups for card in group)


def dealt(rng: Rng, count: int) -> list[str]:
    """So many cards of two packs with a joker each, now and then with one or two jokers for sure."""
    pack = [str(c) for c in rng.permutation([*CARDS, *CARDS, JOKER, JOKER])]
    put_in = [JOKER] * int(rng.choice([1, 1, 2])) if rng.random() < JOKERS_OFTEN else []
    if not put_in:
        return pack[:count]
    cards = [*[c for c in pack if c != JOKER][: count - len(put_in)], *put_in]
    return [str(c) for c in rng.permutation(cards)]


def dealt_melds(rng: Rng) -> Groups:
    """Two to four sets and sequences of two packs, some with a joker in place of one of their cards."""
    left = [*CARDS, *CARDS]
    melds: list[tuple[str, ...]] = []
    while len(melds) < 2 + int(rng.integers(3)):
        if rng.random() < 0.5:
            rank = str(rng.choice(RANKS))
            cards = [rank + str(s) for s in rng.choice(SUITS, int(rng.integers(3, 5)))]
        else:
            size, suit = int(rng.integers(4, 6)), str(rng.choice(SUITS))
            start = int(rng.integers(len(RANKS) - size + 1))
            cards = [rank + suit for rank in RANKS[start : start + size]]
        if any(left.count(card) < cards.count(card) for card in cards):
            continue
        for card in cards:
            left.remove(card)
        if rng.random() < 0.3:
            cards[int(rng.integers(len(cards)))] = JOKER
        melds.append(tuple(cards))
    return tuple(melds)


@dataclass(frozen=True)
class IndexReach:
    """How far, in millimetres from a card's left and upper edge, the indices of these cards reach."""

    right: float
    bottom: float


def index_reach(deck: Deck, cards: Sequence[str]) -> IndexReach:
    """How far the largest of the cards' indices reaches."""
    right = bottom = 0.0
    for card in set(cards):
        face = deck.face(card)
        mm = CARD_HEIGHT / face.texture.shape[0]
        right = max(right, float(face.indices[0][:, 0].max()) * mm)
        bottom = max(bottom, float(face.indices[0][:, 1].max()) * mm)
    return IndexReach(right, bottom)


Lay = Callable[[Rng, Groups, IndexReach], list[Place]]


def fan(rng: Rng, groups: Groups, index: IndexReach) -> list[Place]:
    """Cards round a point below them, as they are held."""
    count = len(groups[0])
    radius = float(rng.uniform(65, 140))
    arm = radius + CARD_HEIGHT / 2 - index.bottom
    spread = max(float(rng.uniform(0.1, 0.18)), (index.right + 1.5) / arm * float(rng.uniform(1.0, 1.3)))
    if spread * count > 2.5:  # wider than a fan can be held: from farther away
        spread = 2.5 / count
        radius = (index.right + 1.5) / spread - CARD_HEIGHT / 2 + index.bottom
    out = []
    for k in range(count):
        a = (k - (count - 1) / 2) * spread + rng.normal(0, 0.008)
        out.append(Place(float(radius * np.sin(a)), float(-radius * np.cos(a) + rng.normal(0, 0.8)), float(a)))
    return out


def ribbon(rng: Rng, groups: Groups, index: IndexReach) -> list[Place]:
    """A row in one swing, a little bent."""
    return _row(rng, 0, 0, 0, len(groups[0]), index.right + rng.uniform(1.5, 10), float(rng.normal(0, 0.0012)))


def heaps(rng: Rng, groups: Groups, index: IndexReach) -> list[Place]:
    """Heaps of a few cards pushed apart, two or three beside each other."""
    out: list[Place] = []
    across = 2 if len(groups) < 5 else 3
    wide = 63.5 + max(len(g) - 1 for g in groups) * (index.right + 6) + rng.uniform(12, 35)
    high = CARD_HEIGHT + max(len(g) - 1 for g in groups) * 4 + rng.uniform(12, 35)
    for k, group in enumerate(groups):
        x, y = (k % across) * wide + rng.normal(0, 3), (k // across) * high + rng.normal(0, 3)
        step = index.right + float(rng.uniform(1.5, 6))
        angle = float(rng.normal(0, 0.12))
        out += _row(rng, x, y, angle, len(group), step, 0.0, rise=float(rng.uniform(-4, 4)))
    return out


def melds(rng: Rng, groups: Groups, index: IndexReach) -> list[Place]:
    """Melds one below another, or in two columns, farther apart than two centimetres."""
    out: list[Place] = []
    steps = [index.right + float(rng.uniform(1.5, 12)) for _ in groups]
    across = 1 if len(groups) < 4 else 2
    wide = 63.5 + max((len(g) - 1) * s for g, s in zip(groups, steps, strict=True)) + rng.uniform(32, 60)
    for k, (group, step) in enumerate(zip(groups, steps, strict=True)):
        x, y = (k % across) * wide + rng.normal(0, 2), (k // across) * (CARD_HEIGHT + rng.uniform(36, 60))
        out += _row(rng, x, y, float(rng.normal(0, 0.05)), len(group), step, 0.0)
    return out


KINDS: dict[str, Lay] = {"fan": fan, "ribbon": ribbon, "heaps": heaps, "melds": melds}


def _row(
    rng: Rng, x: float, y: float, angle: float, count: int, step: float, bend: float, rise: float = 0.0
) -> list[Place]:
    """Cards one on another along ``angle``, each moved by (step, rise) millimetres, none laid quite exactly."""
    out = []
    c, s = np.cos(angle), np.sin(angle)
    for k in range(count):
        along = (k - (count - 1) / 2) * step
        u, v = along + rng.normal(0, 0.4), bend * along**2 / 2 + k * rise + rng.normal(0, 1.0)
        turn = angle + bend * along + rng.normal(0, 0.02)
        out.append(Place(float(x + u * c - v * s), float(y + u * s + v * c), float(turn)))
    return out


def turned(rng: Rng, places: Sequence[Place]) -> list[Place]:
    """The whole hand round its middle: mostly as its owner sees it, sometimes on its head or from the side."""
    angle = float(rng.normal(0, 0.15))
    if rng.random() < 0.35:
        angle += float(rng.uniform(-np.pi, np.pi))
    c, s = np.cos(angle), np.sin(angle)
    # A single card lying the other way round shows its other index just as well.
    on_head = [np.pi * bool(rng.random() < 0.15) for _ in places]
    corners = np.concatenate([card_corners(p, 63.5 / 88.9) for p in places])
    x0, y0 = (corners.min(0) + corners.max(0)) / 2
    return [
        Place(
            float((p.x - x0) * c - (p.y - y0) * s), float((p.x - x0) * s + (p.y - y0) * c), float(p.angle + angle + h)
        )
        for p, h in zip(places, on_head, strict=True)
    ]


def centred(places: Sequence[Place], aspect: float) -> tuple[list[Place], float, float]:
    """The places moved round (0, 0), and how wide and high all of them reach; ``aspect`` is a card's width over its
    height."""
    corners = np.concatenate([card_corners(p, aspect) for p in places])
    middle, (wide, high) = (corners.min(0) + corners.max(0)) / 2, corners.max(0) - corners.min(0)
    moved = [replace(p, x=p.x - float(middle[0]), y=p.y - float(middle[1])) for p in places]
    return moved, float(wide), float(high)


def picture_of(kind: str, number: int) -> HandPicture:
    """Picture ``number`` of ``kind`` (one of `KINDS`)."""
    for attempt in range(TRIES):
        rng = np.random.default_rng([SEED, list(KINDS).index(kind), number, attempt])
        found = _attempt(rng, kind, number)
        if found is not None:
            return found
    raise RuntimeError(f"{kind} {number}: no way was found to lay it so that every card shows")


def _attempt(rng: Rng, kind: str, number: int) -> HandPicture | None:
    style = random_style(rng, card_fonts(), suit_fonts())
    deck = deck_with_joker(style, DESIGNS[str(rng.choice(JOKERS))], bool(rng.random() < 0.5))
    groups = dealt_melds(rng) if kind == "melds" else (tuple(dealt(rng, int(rng.integers(FEWEST, MOST + 1)))),)
    if kind == "heaps":
        parts = np.array_split(np.array(groups[0]), int(rng.integers(3, 6)))
        groups = tuple(tuple(str(c) for c in part) for part in parts)
    labels = [card for group in groups for card in group]
    laid_out = turned(rng, KINDS[kind](rng, groups, index_reach(deck, labels)))
    places, wide, high = centred(laid_out, deck.aspect)
    width, height = (LONG, SHORT) if wide > high else (SHORT, LONG)
    view = camera_view(
        width,
        height,
        card_px=CARD_HEIGHT / max(wide / width, high / height) * float(rng.uniform(0.72, 0.92)),
        elevation=float(rng.uniform(np.radians(52), np.pi / 2)),
        azimuth=-np.pi / 2 + float(rng.normal(0, 0.15)),
        roll=float(rng.normal(0, 0.05)),
        fov=float(np.radians(rng.uniform(45, 68))),
    )
    laid = [(place, deck, label) for place, label in zip(places, labels, strict=True)]
    image, cards = compose(table_top(rng, height, width), view, laid, rng, clutter=False, worn=True)
    if len(cards) < len(labels) or not all(any(i.visible >= SHOWS for i in c.indices) for c in cards):
        return None
    return HandPicture(kind, number, seen_by_phone(lit(image, rng), rng), groups, cards)


def seen_by_phone(image: Image, rng: Rng) -> Image:
    """What a phone's camera makes of a view it is held still at: a little blur and noise, sharpening, compression.

    The faults of webcams and streams (`datasets.camera.seen_by_camera`) are left to the pictures of the live table.
    """
    if rng.random() < 0.5:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), max(0.3, float(rng.gamma(2.0, 0.35)))), np.uint8)
    sigma = float(rng.gamma(1.5, 1.5))
    grain = cv2.GaussianBlur(rng.standard_normal(image.shape, dtype=np.float32), (0, 0), float(rng.uniform(0.4, 1.0)))
    image = np.clip(image + grain * sigma, 0, 255).astype(np.uint8)
    if rng.random() < 0.6:
        soft = cv2.GaussianBlur(image, (0, 0), 1.2).astype(np.float32)
        image = np.clip(image + rng.uniform(0.2, 0.9) * (image - soft), 0, 255).astype(np.uint8)
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(70, 96))])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def write_hands(folder: Path, pictures: int, kinds: Sequence[str] = tuple(KINDS)) -> Iterator[Path]:
    """Write ``pictures`` of each kind and, last, a ``manifest.json`` as `datasets.bench` reads it.

    Each item has ``groups`` besides. Gives each file as it is written; raises ``OSError`` where one cannot be.
    """
    folder.mkdir(parents=True, exist_ok=True)
    items = []
    for kind in kinds:
        for number in range(pictures):
            picture = picture_of(kind, number)
            path = folder / f"{picture.name}.jpg"
            if not cv2.imwrite(str(path), picture.image, [cv2.IMWRITE_JPEG_QUALITY, 92]):
                raise OSError(0, "the picture could not be written", str(path))
            groups = [list(group) for group in picture.groups]
            items.append({"image": path.name, "source": kind, "cards": list(picture.cards), "groups": groups})
            yield path
    manifest = folder / "manifest.json"
    manifest.write_text(json.dumps({"items": items}, indent=1), encoding="utf-8")
    yield manifest
