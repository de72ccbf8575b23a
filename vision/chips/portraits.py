"""What the chips of a stack look like, as small pictures: each one's edge, and the uppermost one's face.

They are cut from the stack's column between its seams, so a thick chip and a thin one, near and far, fill the same
pixels; three quarters of an edge above and below come with each, for light bleeds from one chip to the next.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.chips.crops import ACROSS, FOOT, SQUEEZE, Floats, Image
from vision.chips.values import COLOURS

HIGH, WIDE = 20, 48
"""Pixels of each portrait, high and wide: all of a chip's width."""
BEYOND = 0.75
"""How much of an edge above and below comes with it: the edge itself takes the middle eight rows."""
LEAST_FACE = 3.0
"""A face of fewer rows of its column is shown as that many: it is seen from the side."""


@dataclass(frozen=True, eq=False)
class Portrayed:
    """A stack of chips: the network's ``words`` on them (count x 12), from the bottom up, and ``pictures`` of their
    edges, and last of the uppermost one's face ((count + 1) x HIGH x WIDE x 3, BGR)."""

    words: Floats
    pictures: Image


def portraits(column: Image, rows: Sequence[int] | NDArray[np.intp], face: float) -> Image:
    """The edges of the chips between ``rows`` (count + 1 seams, from the bottom up), and last the uppermost one's
    ``face``, which takes so many rows above: (count + 1) x HIGH x WIDE x 3, BGR.
    """
    spans = [(high - BEYOND * (low - high), low + BEYOND * (low - high)) for low, high in pairwise(map(float, rows))]
    spans.append((float(rows[-1]) - max(face, LEAST_FACE), float(rows[-1])))
    return np.stack([_between(column, *span) for span in spans])


def _between(column: Image, upper: float, lower: float) -> Image:
    """The column from one row to another over a chip's width."""
    wide = ACROSS * SQUEEZE
    k = (lower - upper) / HIGH
    back = np.array([[wide / WIDE, 0, FOOT[0] - wide / 2], [0, k, upper + k / 2 - 0.5]], np.float64)
    mode = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    out = cv2.warpAffine(column, back, (WIDE, HIGH), flags=mode, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(out, np.uint8)


def as_data(stack: Portrayed) -> dict[str, Any]:
    """What is kept of a stack in a set's file: the pictures one below the other, as PNG."""
    sheet = cv2.imencode(".png", stack.pictures.reshape(-1, WIDE, 3))[1]
    words = [[round(float(v), 4) for v in row] for row in stack.words]
    return {"words": words, "pictures": b64encode(sheet.tobytes()).decode("ascii")}


def from_data(kept: Any) -> Portrayed:
    """The stack again. Raises `ValueError`, `KeyError` or `TypeError` where it is damaged."""
    words = np.array(kept["words"], np.float32)
    raw = np.frombuffer(b64decode(kept["pictures"], validate=True), np.uint8)
    sheet = cv2.imdecode(raw, cv2.IMREAD_COLOR) if len(raw) else None
    if words.ndim != 2 or words.shape[1] != len(COLOURS) or sheet is None:
        raise ValueError("no stack")
    return Portrayed(words, np.asarray(sheet, np.uint8).reshape(len(words) + 1, HIGH, WIDE, 3))
