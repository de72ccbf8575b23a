"""The whole face as a second witness: what a card's pips, court and colour say where its index leaves the name open.

In a webcam's picture of a table an index is eight pixels high and its suit a dot, while the pips are plain. So a card
whose outline was found is looked at as a whole, unless its index is large and read beyond doubt. A card that is partly
covered has no say: what lies on it would speak for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.patches import Floats, Image, to_input
from vision.cards.profile import NONE
from vision.cards.runtime import open_network
from vision.sightings import FACES, JOKER, RANKS, SUITS

FACE_WIDTH, FACE_HEIGHT = 64, 96
FILL = 0.9
_EDGES = np.array([[1 - FILL, 1 - FILL], [1 + FILL, 1 - FILL], [1 + FILL, 1 + FILL], [1 - FILL, 1 + FILL]]) / 2
TARGET: Floats = (_EDGES * [FACE_WIDTH, FACE_HEIGHT]).astype(np.float32)
"""Where the card's corners lie in its patch: a little of what is around it shows."""
LEAST = 0.001
"""No face is called less likely than this: the witness may raise a doubt and settle one, not overrule a clear index."""
RULED_OUT, WHOLE = 0.02, 0.8
"""A name to which the face gives less than this of its word is ruled out, where it is so surely a whole card's face."""
RULED_OUT_BY_PIPS, PLAIN_PIPS, MISCOUNTED = 0.1, 0.7, 2
"""The same where the face shows pips so plainly, and not so nearly as many as the name has: those are laid out alike on
all decks, and letters are not."""
BESIDE_PIPS = 0.3
"""The power to which an index's word is taken beside pips so plain: of 29 whole cards of rendered tables whose index
and pips named different numbers, the pips were right of 28 (`models/EXPERIMENTS.md`, row 179)."""
COURTLY, RULED_OUT_BY_COURT = 0.6, 0.05
"""The same where the face gives so much of its word to courts, whichever, and the name is a number's or an ace's:
letters in which a J is a good seven leave the court on the card a court."""
_COURTS = [FACES.index(f"{rank}{suit}") for rank in "JQK" for suit in SUITS]
_PIPS = {rank: 1 if rank == "A" else int(rank) for rank in RANKS if rank == "A" or rank.isdigit()}
ONE_PIP, LARGE_INDEX = 0.05, 0.22
"""Decks with large indices, so much of the card high or more, print one pip on every number: so much of what looks like
an ace may be any of its suit."""
SMALL_INDEX_PIP = 0.005
"""The same for decks with smaller indices, which hardly ever do: so little that a sure other name is asked about."""
_NUMBERS = {suit: [FACES.index(f"{rank}{suit}") for rank in RANKS if rank.isdigit()] for suit in SUITS}
SMALLEST = 30.0
"""Cards less high than this in the picture, in pixels, say nothing."""


def cut_face(levels: Sequence[Image], quad: Floats) -> Image:
    """The card with these corners (4 x 2 picture pixels, from its own top-left) upright, H x W x 3; ``levels`` is the
    picture's pyramid."""
    high = max(float(np.linalg.norm(quad[3] - quad[0])), float(np.linalg.norm(quad[2] - quad[1])))
    level = int(np.clip(np.floor(np.log2(max(high / (FACE_HEIGHT * FILL), 1.0)) + 0.3), 0, len(levels) - 1))
    shrink = np.array([levels[level].shape[k] / levels[0].shape[k] for k in (1, 0)], np.float32)
    m = cv2.getPerspectiveTransform(np.asarray(quad * shrink, np.float32), TARGET)
    cut = cv2.warpPerspective(
        levels[level], m, (FACE_WIDTH, FACE_HEIGHT), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(cut, np.uint8)


class FaceReader:
    """The trained witness."""

    def __init__(self, weights: Path, threads: int) -> None:
        self._session = open_network(weights, threads)

    def read(self, levels: Sequence[Image], quads: Sequence[Floats]) -> Floats:
        """Chances of every face and, last, of "not a whole card", for each quad: N x (faces + 1)."""
        if not quads:
            return np.zeros((0, NONE + 1), np.float32)
        cut = np.stack([cut_face(levels, quad) for quad in quads])
        (logits,) = self._session.run(None, {"faces": to_input(cut)})
        e = np.exp(logits.astype(np.float64) - logits.max(1, keepdims=True))
        return np.asarray(e / e.sum(1, keepdims=True), np.float32)


def _with_one_pip(face: Floats, index: float) -> NDArray[np.float64]:
    """The face's word on each name, in shares of all its names, with what it leaves to decks of one pip."""
    left = ONE_PIP if index >= LARGE_INDEX else SMALL_INDEX_PIP
    said = face[:NONE].astype(np.float64) / max(float(face[:NONE].sum()), 1e-9)
    for suit, numbers in _NUMBERS.items():
        # One large pip looks like an ace, or like no number more than another; with the pips of two large indices
        # beside it, like a two or a three.
        counted = said[numbers].max() if index < LARGE_INDEX else 0.0
        alike = said[FACES.index(f"A{suit}")] + said[numbers].sum() - counted
        said[numbers] = np.maximum(said[numbers], left * alike)
    return said


def weighed(chances: NDArray[np.float64], face: Floats, index: float) -> NDArray[np.float64]:
    """The chances that a card's indices give (every face and none), with what its whole face says.

    ``index`` is the height of its index as a share of the card's.

    The likelier the face is no whole card, the less it says. Beside plain pips a small index has less of a say.
    """
    whole = 1.0 - float(face[NONE])
    if whole <= LEAST:
        return chances
    said = np.clip(_with_one_pip(face, index), LEAST, 1.0) ** whole
    out = chances.copy()
    if whole >= WHOLE and index < LARGE_INDEX and _plain_pips(face):
        out[:NONE] **= BESIDE_PIPS
    out[:NONE] *= said / said.max()
    return np.asarray(out / out.sum(), np.float64)


def ruled_out(face: Floats, name: int, index: float) -> bool:
    """Whether the whole face says that a card is none of this name, however its index was read: a court is no two.

    A joker may show anything. ``index`` is the height of its index as a share of the card's.
    """
    if FACES[name] == JOKER or 1.0 - float(face[NONE]) < WHOLE:
        return False
    said = _with_one_pip(face, index)
    shown = int(said.argmax())
    apart = index < LARGE_INDEX and _pips_apart(shown, name) and float(said[shown]) >= PLAIN_PIPS
    courtly = name not in _COURTS and float(said[_COURTS].sum() / said.sum()) >= COURTLY
    return float(said[name]) < (RULED_OUT_BY_PIPS if apart else RULED_OUT_BY_COURT if courtly else RULED_OUT)


def _plain_pips(face: Floats) -> bool:
    """Whether the face plainly shows the pips of a number: two or more."""
    shown = int(face[:NONE].argmax())
    return _PIPS.get(FACES[shown][:-1], 0) > 1 and float(face[shown] / face[:NONE].sum()) >= PLAIN_PIPS


def _pips_apart(shown: int, name: int) -> bool:
    """Whether the one face has pips, and the other a court or far more or fewer of them."""
    here, there = (_PIPS.get(FACES[k][:-1]) for k in (shown, name))
    return here is not None and (there is None or abs(here - there) > MISCOUNTED)


def torn(chances: NDArray[np.float64], face: Floats) -> NDArray[np.float64]:
    """The chances where index and face speak against each other: a quarter of each one's word, and half for what both
    together leave likely, were the index half as sure (in logarithms) as it is: an odd jack reads as a three, but more
    like a jack than like a king. No name comes out sure.
    """
    index = chances[:NONE] / max(float(chances[:NONE].sum()), 1e-9)
    shown = face[:NONE].astype(np.float64) / max(float(face[:NONE].sum()), 1e-9)
    both = np.sqrt(index) * shown
    return np.append(index / 4 + shown / 4 + both / (2 * max(float(both.sum()), 1e-9)), 0.0)
