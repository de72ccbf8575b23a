"""Scenes of hands, ribbons and rows in all letters of this machine, for the reader to learn from.

General scenes (`datasets.scene.random_scene`) hold few cards of a deck; here a deck drawn for each scene lies as hands
do, seen by phones and by webcams, a fifth of the pictures overexposed. Seeds are apart from those for measuring.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from datasets.art import court_art, shared_decks
from datasets.backgrounds import table_top
from datasets.camera import Rng, lit, seen_by_camera
from datasets.card_fonts import card_fonts
from datasets.deck import Deck, Image
from datasets.drawn import drawn_deck, random_style
from datasets.hands import Groups, centred, fan, index_reach, melds, ribbon, seen_by_phone, turned
from datasets.jokers import DESIGNS, deck_with_joker
from datasets.layouts import CARD_HEIGHT, Place
from datasets.odd_jokers import odd_design
from datasets.patches import Patches, patches_of
from datasets.pool import LEARNED_JOKERS, fonts, suit_fonts
from datasets.processes import in_shards
from datasets.scene import Scene, camera_view, compose
from datasets.scene_shards import save_cuts
from vision.sightings import CARDS, JOKER

SALT: Final = 4711
PRINTED, LETTERED, PLAIN, ODD = 0.85, 0.25, 0.35, 0.6
"""In so many decks the font is one that cards are printed in; have German or French letters; lack drawn jokers; have
jokers like no other, where they have any."""
KINDS: Final = {"fan": 0.42, "spread": 0.14, "ribbon": 0.16, "melds": 0.1, "cards": 0.18}
"""How often cards lie so; a spread is half a pack and more in one swing."""
OVEREXPOSED, PHONE = 0.22, 0.5
MOST = 70
"""Patches of one scene: a spread of many cards is one deck and one light all the same."""
COPIES = 2


def hand_scene(seed: int) -> Scene:
    """One random picture of cards of one deck, all from ``seed``."""
    rng = np.random.default_rng([seed, SALT])
    deck = _deck(rng)
    kind = str(rng.choice(list(KINDS), p=list(KINDS.values())))
    cards = _dealt(rng, kind)
    places, wide, high = centred(turned(rng, _laid(rng, kind, cards, deck)), deck.aspect)
    long = int(rng.choice([1280, 1600, 1920] if kind == "spread" else [960, 1280, 1600]))
    width, height = (long, long * 3 // 4) if wide > high else (long * 3 // 4, long)
    view = camera_view(
        width,
        height,
        card_px=CARD_HEIGHT / max(wide / width, high / height) * float(rng.uniform(0.7, 1.1)),
        elevation=float(rng.uniform(np.radians(42), np.pi / 2)),
        azimuth=-np.pi / 2 + float(rng.normal(0, 0.2)),
        roll=float(rng.normal(0, 0.08)),
        fov=float(np.radians(rng.uniform(40, 68))),
    )
    laid = [(place, deck, card) for place, card in zip(places, cards, strict=True)]
    clutter, worn = bool(rng.random() < 0.2), bool(rng.random() < 0.6)
    image, seen = compose(table_top(rng, height, width), view, laid, rng, clutter=clutter, worn=worn)
    return Scene(_photographed(lit(image, rng), rng), seen, seed)


def hand_patches(seed: int) -> Patches:
    """The patches of one such scene (`datasets.patches.patches_of`), `MOST` of them at the most."""
    rng = np.random.default_rng([seed, SALT, 1])
    found = patches_of(hand_scene(seed), rng, COPIES)
    if len(found.labels) <= MOST:
        return found
    some = np.sort(rng.permutation(len(found.labels))[:MOST])
    return Patches(found.images[some], found.labels[some], found.corners[some])


def write_hand_patches(
    folder: Path, seeds: Iterable[int], workers: int, done: Callable[[int], None] | None = None
) -> None:
    """Render each seed's scene and keep its patches as .npz shards; ``done`` gets the number of scenes finished."""
    in_shards(partial(_shard, folder=folder), folder, seeds, workers, done)


def _shard(seeds: list[int], folder: Path) -> int:
    cv2.setNumThreads(1)
    save_cuts(folder / f"hands_{seeds[0]:08d}.npz", [hand_patches(seed) for seed in seeds])
    return len(seeds)


@lru_cache(maxsize=1)
def _courts() -> tuple[Image, ...]:
    return court_art(shared_decks())


def _deck(rng: Rng) -> Deck:
    letters = card_fonts() if rng.random() < PRINTED else fonts()
    style = random_style(rng, letters, suit_fonts(), _courts())
    if rng.random() < LETTERED:
        style = replace(style, letters=str(rng.choice(["german", "french", "french-one"])))
    if rng.random() < PLAIN:
        return drawn_deck(style)
    odd = rng.random() < ODD
    design = odd_design(int(rng.integers(2**31))) if odd else DESIGNS[str(rng.choice(LEARNED_JOKERS))]
    return deck_with_joker(style, design, bool(rng.random() < 0.5))


def _dealt(rng: Rng, kind: str) -> list[str]:
    if kind == "spread":
        return [str(c) for c in rng.permutation(list(CARDS))[: int(rng.integers(22, 53))]]
    jokers = [JOKER] * int(rng.integers(0, 3)) if rng.random() < 0.5 else []
    pack = [str(c) for c in rng.permutation([*CARDS, *CARDS])]
    return [str(c) for c in rng.permutation([*pack[: int(rng.integers(7, 15)) - len(jokers)], *jokers])]


def _laid(rng: Rng, kind: str, cards: list[str], deck: Deck) -> list[Place]:
    groups: Groups = (tuple(cards),)
    if kind == "fan":
        return fan(rng, groups, index_reach(deck, cards))
    if kind == "ribbon":
        return ribbon(rng, groups, index_reach(deck, cards))
    if kind == "melds":
        parts = np.array_split(np.array(cards), 3)
        return melds(rng, tuple(tuple(str(c) for c in part) for part in parts), index_reach(deck, cards))
    out = []
    if kind == "spread":
        step, bend = float(rng.uniform(9.5, 14)), float(rng.uniform(-0.004, 0.004))
        for k in range(len(cards)):
            along = (k - (len(cards) - 1) / 2) * step
            aside, turn = bend * along**2 / 2 + rng.normal(0, 0.8), bend * along + rng.normal(0, 0.02)
            out.append(Place(along, float(aside), float(turn)))
        return out
    step, across = float(rng.uniform(30, 84)), int(rng.integers(3, 6))
    for k in range(len(cards)):
        row, column = divmod(k, across)
        turn = rng.normal(0, 0.06) + (np.pi if rng.random() < 0.2 else 0)
        out.append(Place(float(column * step + rng.normal(0, 2)), float(row * 112 + rng.normal(0, 2)), float(turn)))
    return out


def _photographed(image: Image, rng: Rng) -> Image:
    if rng.random() < OVEREXPOSED:
        image = np.clip(image.astype(np.float32) * float(rng.uniform(1.15, 1.6)), 0, 255).astype(np.uint8)
    return seen_by_phone(image, rng) if rng.random() < PHONE else seen_by_camera(image, rng, blur=0.8)
