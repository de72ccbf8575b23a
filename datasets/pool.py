"""Which decks a scene is dealt from: those installed on this machine, and freshly drawn ones, both by seed."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from datasets.art import court_art, shared_decks
from datasets.deck import Deck
from datasets.drawn import BUILT_IN_FONT, SUIT_GLYPHS, Style, drawn_deck, glyph, random_style
from datasets.jokers import DESIGNS, deck_with_joker
from datasets.odd_jokers import odd_design
from vision.sightings import JOKER

_NOT_FOR_TEXT = re.compile(
    r"symbol|dingbat|d050|emoji|math|s050|music|braille|barcode|icons|z003|chancery|initials|biolinum_k", re.I
)
LEARNED_JOKERS = (
    "word-down", "short-word", "star-letter", "cap", "crown", "bell", "letter-bell", "letter-crown", "word-turned",
    "word-turned-small", "little-figure",
)  # fmt: skip
"""Designs of jokers that scenes for training show; the others are first seen in the benchmark of rummy hands."""
ODD = 0.6
"""In so many decks with a joker of a known design's place stands one like no other."""
BLOCK = 8
"""Scenes with consecutive seeds share decks in blocks of this many, so that drawn faces are drawn once."""


@lru_cache(maxsize=1)
def fonts() -> tuple[str, ...]:
    """Font files on this machine that have every letter an index needs, and the built-in font."""
    good = [BUILT_IN_FONT]
    for path in sorted(Path("/usr/share/fonts").rglob("*.[to]tf")):
        if _NOT_FOR_TEXT.search(path.name):
            continue
        try:
            marks = [glyph(str(path), c, 400) for c in ("A", "1", "0", "J", "Q", "K", "7")]
        except Exception:
            continue
        shapes = {m.tobytes() for m in marks if m.size}
        if len(shapes) == len(marks):
            good.append(str(path))
    return tuple(good)


def likest_suit(font: str, suit: str) -> str:
    """Which of its colour's two suits a font's symbol looks more like: FreeSerif Bold prints a spade for a club."""

    def shape(mark: np.ndarray) -> np.ndarray:
        return np.asarray(cv2.resize(mark, (48, 48), interpolation=cv2.INTER_AREA) > 127)

    mark = shape(glyph(font, SUIT_GLYPHS[suit], 400))

    def apart(other: str) -> int:
        return int((mark ^ shape(glyph(BUILT_IN_FONT, SUIT_GLYPHS[other], 400))).sum())

    return min("CS" if suit in "CS" else "DH", key=apart)


@lru_cache(maxsize=1)
def suit_fonts() -> tuple[str, ...]:
    """Fonts that have all four suit symbols."""
    good = [BUILT_IN_FONT]
    for path in sorted(Path("/usr/share/fonts").rglob("*.[to]tf")):
        if re.search(
            r"DejaVuSans(-Bold)?\.|FreeSans\.|FreeSerif(Bold)?\.|Symbola|FreeMonoBold\.|LinLibertine_R\.|Junicode\.",
            path.name,
        ):
            try:
                sound = all(likest_suit(str(path), suit) == suit for suit in SUIT_GLYPHS)
            except Exception:
                continue
            if sound:
                good.append(str(path))
    return tuple(good)


@lru_cache(maxsize=3)
def decks_for_block(block: int) -> tuple[Deck, ...]:
    """The decks of one block of scenes: three drawn ones and two installed ones, where there are any."""
    rng = np.random.default_rng([block, 77])
    art = shared_decks()
    courts = _courts()
    out = [_drawn(random_style(rng, fonts(), suit_fonts(), courts), rng) for _ in range(3)]
    if block % 16 == 0:
        out[0] = drawn_deck(Style())
    if art:
        out += [art[int(k)] for k in rng.integers(0, len(art), 3)]
    return tuple(out)


def _drawn(style: Style, rng: np.random.Generator) -> Deck:
    """The deck drawn in ``style``, in most cases with two jokers of some design in place of its own one."""
    if rng.random() < 0.3:
        return drawn_deck(style)
    odd = rng.random() < ODD
    design = odd_design(int(rng.integers(2**31))) if odd else DESIGNS[str(rng.choice(LEARNED_JOKERS))]
    deck = deck_with_joker(style, design, bool(rng.random() < 0.5))
    return replace(deck, labels=(*deck.labels, JOKER))


@lru_cache(maxsize=1)
def _courts() -> tuple[np.ndarray, ...]:
    return court_art(shared_decks())


def decks_for(seed: int) -> tuple[Deck, ...]:
    """The decks that the scene with this seed is dealt from."""
    return decks_for_block(seed // BLOCK)
