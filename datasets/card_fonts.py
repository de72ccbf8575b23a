"""The fonts that a card could be printed in: what decks for measuring are drawn with.

Training takes any font with the letters (`datasets.pool.fonts`): what is odd there does no harm. A figure of how well
decks are read must not hang on which odd fonts a machine has, so each benchmark asks here.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from datasets.deck import Image
from datasets.drawn import glyph
from datasets.pool import fonts

THINNEST = 0.055
"""A stroke of a rank, in shares of its height; decks are printed to be read across a table."""
SOLID = "1KJT7"
"""Ranks whose letters enclose nothing."""
ENCLOSED = 0.03
"""A letter of `SOLID` that encloses more of its box than this is drawn as an outline."""
_LETTERING = re.compile(r"oldania|solothurn|script|femkeklaver|weather", re.I)
"""Uncials, joined writing and lettering, in which an A or a T is another letter's shape; clouds in place of letters."""
_OTHER_SIGNS = re.compile(r"^(alfa-beta|cmsy|dseg7|elle(boli|n)|f500|futhark|msam|tamu_|zaghawa)", re.I)
"""Fonts with other signs in the places of some rank's letters or digits: mathematics, runes, Greek, Tamil and Beria
letters, faces, a display of seven segments, whose Q is a 9. No deck is printed so; nobody could read it."""


@lru_cache(maxsize=1)
def card_fonts() -> tuple[str, ...]:
    """The fonts of this machine without hairlines, outlines, boxes, keys of a keyboard, old or joined writing, and
    other signs.

    What has other signs is printed in the font before it: every other deck of a seed stays as it was, so that figures
    of before and after this was noticed can be compared.
    """
    chosen: list[str] = []
    for font in fonts():
        if _LETTERING.search(Path(font).name) or not _printable(font):
            continue
        if not _OTHER_SIGNS.search(Path(font).name):
            chosen.append(font)
        elif chosen:
            chosen.append(chosen[-1])
    return tuple(chosen)


def _printable(font: str) -> bool:
    stem = glyph(font, "1", 500)
    # The upright of a 1 is as wide as a stroke.
    stroke = float((stem[len(stem) // 2] > 127).sum() / max(len(stem), 1)) if stem.size else 0.0
    framed = any(_framed(glyph(font, letter, 500)) for letter in "AJ7")
    hollow = sum(_enclosed(glyph(font, letter, 500)) > ENCLOSED for letter in SOLID)
    return stroke >= THINNEST and not framed and hollow < 2


def _framed(mask: Image) -> bool:
    """Whether there is ink along nearly all of the upper edge and of both sides, as no letter has that stands on a
    card: the fonts that have none draw a box with a number in it."""
    ink, rim = mask > 127, max(3, min(mask.shape) // 30)
    sides = (ink[:rim].any(0), ink[:, :rim].any(1), ink[:, -rim:].any(1))
    return bool(mask.size) and all(float(side.mean()) > 0.8 for side in sides)


def _enclosed(mask: Image) -> float:
    """The share of a letter's box that its lines enclose."""
    if not mask.size:
        return 0.0
    ink = cv2.copyMakeBorder((mask > 127).astype(np.uint8), 1, 1, 1, 1, cv2.BORDER_CONSTANT)
    contours, tree = cv2.findContours(ink, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    if tree is None:
        return 0.0
    inner = [c for c, (_, _, _, parent) in zip(contours, tree.reshape(-1, 4), strict=True) if parent >= 0]
    return sum(float(cv2.contourArea(c)) for c in inner) / mask.size
