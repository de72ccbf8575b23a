"""A picture's cards are mostly of one deck: an open index is compared with those beside it that were read surely.

Letters that no network has seen often (a Q that is a square, a French R, digits drawn with stars) look like nothing
that it knows, but just like the same letters on the cards beside them. Each half of the index, rank and suit, is laid
over the same half of every index that is sure; how well they fit says whether they are the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from vision.cards.indices import IndexReading
from vision.cards.patches import FILL, PATCH_HEIGHT, PATCH_WIDTH, Floats, Image, cut_patch
from vision.sightings import FACES, JOKER, OF_RANK, RANKS

KNOWN: Final = (0.9, 0.6)
"""An index that is so likely what it is, and was found so plainly, is one to compare with."""
FEWEST: Final = 3
"""Fewer of them say nothing of the deck."""
OPEN: Final = (0.05, 0.96)
"""An index is compared whose likeliest face lies between these chances."""
CLEAR: Final = 0.9
"""One that is so likely what it is becomes no likelier by it: it may be doubted only."""
RANK_FITS: Final = ((0.3, 0.6, 0.7, 0.78, 0.85, 0.93), (-1.2, -0.8, -0.3, 0.0, 1.5, 3.0))
SUIT_FITS: Final = ((0.6, 0.8, 0.9, 0.94, 0.97, 0.99), (-2.0, -1.2, -0.6, 0.3, 2.0, 3.0))
"""What a fit (correlation) says: a logarithm of odds, same over other, half of what it is among sure ones of 140
rendered fans, and less where a rank does not fit: a hand may be of two packs. Suits are compared within their
colour."""
LIKELY: Final = 1e-3
"""A rank is compared of which one face is likelier than that."""
RANK_SHARE: Final = 0.56
"""So much of an index's height is its rank's."""
ROOM: Final = 5
"""By so many patch pixels one may be aside of the other."""
SIZES: Final = (0.92, 1.0, 1.09)

_X = round((1 - FILL) / 2 * PATCH_WIDTH), round((1 + FILL) / 2 * PATCH_WIDTH)
_TOP, _FOOT = round((1 - FILL) / 2 * PATCH_HEIGHT), round((1 + FILL) / 2 * PATCH_HEIGHT)
_MIDDLE = round(_TOP + RANK_SHARE * (_FOOT - _TOP))
_RANK, _SUIT = (_TOP, _MIDDLE), (_MIDDLE, _FOOT)
_ALIKE = [[FACES.index(rank + suit) for suit in colour] for rank in RANKS for colour in ("HD", "SC")]
"""Each rank's two cards of one colour."""
_OPEN = float(np.interp(0, SUIT_FITS[1], SUIT_FITS[0]))
"""The fit that says nothing of a suit: none that is sure shows it."""


@dataclass(frozen=True, eq=False)
class _Known:
    rank: str
    suit: str
    ink: Floats


def beside_their_like(
    levels: Sequence[Image], readings: Sequence[IndexReading], besides: Sequence[IndexReading] = ()
) -> list[IndexReading]:
    """The readings of one picture (its pyramid), the open ones weighed by what the sure ones look like, these and those
    ``besides``.
    """
    open_ = [k for k, r in enumerate(readings) if OPEN[0] < r.sure < OPEN[1]]
    if not open_:
        return list(readings)
    known = {
        k: _Known(FACES[r.best][:-1], FACES[r.best][-1], _ink(cut_patch(levels, r.quad)[0]))
        for k, r in enumerate((*readings, *besides))
        if r.sure >= KNOWN[0] and r.found >= KNOWN[1] and FACES[r.best] != JOKER
    }
    out = list(readings)
    for k in open_:
        others = [it for n, it in known.items() if n != k]
        if len(others) >= FEWEST:
            ink = _ink(cut_patch(levels, out[k].quad)[0])
            chances = _weighed(out[k].chances, ink, others)
            if out[k].sure < CLEAR or chances[out[k].best] < out[k].sure:
                out[k] = replace(out[k], chances=chances)
    return out


def _weighed(chances: Floats, ink: Floats, known: Sequence[_Known]) -> Floats:
    """The chances, with each face so much likelier as the sure ones of its rank and of its suit look like it."""
    ranks: dict[str, float] = {}
    suits: dict[str, float] = {}
    likely = {rank for rank, its in OF_RANK.items() if chances[its].max() > LIKELY}
    for it in known:
        if it.rank in likely:
            ranks[it.rank] = max(ranks.get(it.rank, -1.0), _fit(it.ink, ink, _RANK))
        suits[it.suit] = max(suits.get(it.suit, -1.0), _fit(it.ink, ink, _SUIT))
    out = chances.astype(np.float64)
    # A suit that fits says which of a rank's two cards of its colour it is, not that it is of that rank or colour.
    for pair in _ALIKE:
        weights = np.array([np.exp(np.interp(suits.get(FACES[k][-1], _OPEN), *SUIT_FITS)) for k in pair])
        if out[pair].sum() > 0:
            out[pair] *= out[pair].sum() / (weights * out[pair]).sum() * weights
    for rank, its in OF_RANK.items():
        if rank in ranks:
            out[its] *= np.exp(np.interp(ranks[rank], *RANK_FITS))
    return np.asarray(out / out.sum(), np.float32)


def _ink(patch: Image) -> Floats:
    """How dark or coloured each pixel is against the card's paper, 0 to 1."""
    pixels = patch.astype(np.float32)
    paper = np.percentile(pixels.reshape(-1, 3), 85, axis=0)
    apart = np.abs(pixels - paper).max(2)
    return np.asarray(np.clip(apart / max(float(np.percentile(apart, 97)), 1.0), 0, 1), np.float32)


def _fit(one: Floats, other: Floats, rows: tuple[int, int]) -> float:
    """The best correlation of these rows of ``one`` with ``other``, a little aside and of a little other size."""
    (top, foot), (left, right) = rows, _X
    shape = one[top:foot, left:right]
    if float(shape.std()) < 0.05:
        return 0.0
    there = other[max(top - ROOM, 0) : foot + ROOM, left - ROOM : right + ROOM]
    best = -1.0
    for size in SIZES:
        sized = shape if size == 1 else cv2.resize(shape, None, fx=size, fy=size)
        if sized.shape[0] <= there.shape[0] and sized.shape[1] <= there.shape[1]:
            best = max(best, float(cv2.matchTemplate(there, sized, cv2.TM_CCOEFF_NORMED).max()))
    return best
