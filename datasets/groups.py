"""Rendered pictures of the situations that are hard for a card reader, by name, as a manifest for ``bench cards``.

The decks are drawn anew for every picture from seeds that no training set uses. A card counts where one of its indices
shows; backs and cards that show none do not.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from datasets.backgrounds import table_top
from datasets.camera import Rng, lit, seen_by_camera
from datasets.card_fonts import card_fonts
from datasets.deck import Deck
from datasets.drawn import Style, drawn_deck, random_style
from datasets.layouts import Place
from datasets.pool import suit_fonts
from datasets.scene import Scene, camera_view, compose
from vision.sightings import CARDS, JOKER

WIDTH, HEIGHT = 1920, 1440
SHOWS = 0.85
"""A card is labelled when this share of one of its indices shows."""
SEED = 900_000_000
"""Above every seed that the recipes use."""
Laid = list[tuple[Place, Deck, str]]


def fan_of_13(rng: Rng, style: Style) -> Laid:
    """A squeezed, hand-held fan."""
    deck, cards = drawn_deck(style), _some(rng, 13)
    spread, radius = rng.uniform(0.1, 0.15), rng.uniform(110, 150)
    out: Laid = []
    for k, label in enumerate(cards):
        a = (k - 6) * spread + rng.normal(0, 0.01)
        out.append((Place(radius * np.sin(a), radius * (1 - np.cos(a)), a), deck, label))
    return out


def ribbon_of_52(rng: Rng, style: Style) -> Laid:
    """A whole deck spread in one swing."""
    deck, step, bend = drawn_deck(style), rng.uniform(10.5, 12.5), rng.uniform(-0.004, 0.004)
    out: Laid = []
    for k, label in enumerate(_some(rng, 52)):
        along = (k - 25.5) * step
        out.append(
            (Place(along, bend * along**2 / 2 + rng.normal(0, 0.8), bend * along + rng.normal(0, 0.02)), deck, label)
        )
    return out


def two_packs(rng: Rng, style: Style) -> Laid:
    """Hands from two packs of one deck with equal cards among them, side by side or in different hands."""
    chosen = _some(rng, 9)
    cards = [str(c) for c in rng.permutation([*chosen, *chosen[:5]])]
    return _rows(rng, drawn_deck(style), cards, across=5, step=80.0)


def jokers(rng: Rng, style: Style) -> Laid:
    """A few cards with two or three jokers."""
    cards = [str(c) for c in rng.permutation([*_some(rng, 8), *[JOKER] * int(rng.integers(2, 4))])]
    return _rows(rng, drawn_deck(style), cards, across=4, step=84.0)


def four_colours(rng: Rng, style: Style) -> Laid:
    """Green clubs, blue diamonds."""
    shade = rng.integers(0, 50, 12)
    colours = {
        "C": (int(30 + shade[0]), int(100 + shade[1]), int(shade[2])),
        "S": (int(20 + shade[3]),) * 3,
        "D": (int(160 + shade[4]), int(70 + shade[5]), int(shade[6])),
        "H": (int(20 + shade[7]), int(shade[8]), int(180 + shade[9])),
    }
    return _rows(rng, drawn_deck(replace(style, colours=colours)), _some(rng, 12), across=4, step=rng.uniform(30, 80))


def jumbo(rng: Rng, style: Style) -> Laid:
    """Indices a fifth to a quarter of the card high."""
    height = float(rng.uniform(0.18, 0.25))
    large = replace(style, rank_height=height, suit_height=height * float(rng.uniform(0.6, 0.9)), pips="one")
    return _rows(rng, drawn_deck(large), _some(rng, 12), across=4, step=rng.uniform(40, 80))


GROUPS: dict[str, Callable[[Rng, Style], Laid]] = {
    "fan-of-13": fan_of_13,
    "ribbon-of-52": ribbon_of_52,
    "two-packs": two_packs,
    "jokers": jokers,
    "four-colours": four_colours,
    "jumbo": jumbo,
}


def _some(rng: Rng, count: int) -> list[str]:
    return [str(c) for c in rng.permutation(list(CARDS))[:count]]


def _rows(rng: Rng, deck: Deck, cards: Sequence[str], across: int, step: float) -> Laid:
    """Rows of hands; later cards lie on earlier ones where ``step`` is less than a card's width."""
    out: Laid = []
    for k, label in enumerate(cards):
        row, column = divmod(k, across)
        x = (column - (across - 1) / 2) * step + rng.normal(0, 2)
        y = (row - (len(cards) / across - 1) / 2) * 112 + rng.normal(0, 2)
        turn = rng.normal(0, 0.06) + (np.pi if rng.random() < 0.2 else 0)
        out.append((Place(float(x), float(y), float(turn)), deck, label))
    return out


def scene_of(group: str, number: int) -> Scene:
    """Picture ``number`` of ``group``."""
    rng = np.random.default_rng([SEED, list(GROUPS).index(group), number])
    laid = GROUPS[group](rng, random_style(rng, card_fonts(), suit_fonts()))
    xs, ys = [p.x for p, _, _ in laid], [p.y for p, _, _ in laid]
    reach = max((max(xs) - min(xs) + 110) / WIDTH, (max(ys) - min(ys) + 130) / HEIGHT)
    middle = ((max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2)
    centred = [(replace(p, x=p.x - middle[0], y=p.y - middle[1]), deck, label) for p, deck, label in laid]
    view = camera_view(
        WIDTH,
        HEIGHT,
        card_px=88.9 / reach * rng.uniform(0.8, 0.95),
        elevation=rng.uniform(np.radians(50), np.pi / 2),
        azimuth=-np.pi / 2 + rng.normal(0, 0.15),
        roll=rng.normal(0, 0.1),
        fov=np.radians(rng.uniform(40, 65)),
    )
    image, cards = compose(table_top(rng, HEIGHT, WIDTH), view, centred, rng, clutter=False)
    return Scene(seen_by_camera(lit(image, rng), rng, blur=0.6), cards, number)


def readable(scene: Scene) -> list[str]:
    """The labels of the cards that show an index."""
    return [c.label for c in scene.cards if any(i.visible >= SHOWS for i in c.indices)]


def hinted(scene: Scene) -> list[str]:
    """The labels of the cards that show part of an index: whether they are read says nothing."""
    seen = ((c.label, max((i.visible for i in c.indices), default=0.0)) for c in scene.cards)
    return [label for label, visible in seen if 0.0 < visible < SHOWS]


def write_groups(folder: Path, pictures: int, groups: Sequence[str] = tuple(GROUPS)) -> Iterator[Path]:
    """Write ``pictures`` of each group and, last, ``manifest.json``; gives each file as it is written.

    Raises ``OSError`` where something cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    items = []
    for group in groups:
        for number in range(pictures):
            scene = scene_of(group, number)
            path = folder / f"{group}-{number:03d}.jpg"
            if not cv2.imwrite(str(path), scene.image, [cv2.IMWRITE_JPEG_QUALITY, 92]):
                raise OSError(0, "the picture could not be written", str(path))
            items.append({"image": path.name, "source": group, "cards": readable(scene), "also": hinted(scene)})
            yield path
    manifest = folder / "manifest.json"
    manifest.write_text(json.dumps({"items": items}, indent=1), encoding="utf-8")
    yield manifest
