"""Whether a picture shows all as a mirror does: selfie cameras do, and many webcam programs.

The reader hardly minds a mirror, and half of what it reads there is surely wrong. A network of its own says of each
index whether a mirror shows it so; an ace or an eight tells nothing, but a picture's indices together do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from vision.cards.indices import IndexReading
from vision.cards.patches import Image, cut_patch, to_input
from vision.cards.profile import NONE
from vision.cards.runtime import open_network

OPEN: Final = 0.5
"""Where a picture's indices together come to that, a logarithm of odds, its mirror image is looked at too."""
SAYS: Final = (3.0, 4.0)
"""No index says more than the first, and all indices of one name than the second: odd letters may look mirrored."""
AN_INDEX: Final = (0.3, 0.3)
"""What was found so plainly and is so unlikely to be none is asked."""
BATCH: Final = 64


class MirrorWitness:
    """The trained network."""

    def __init__(self, weights: Path, threads: int) -> None:
        self._session = open_network(weights, threads)

    def asked(self, levels: Sequence[Image], readings: Sequence[IndexReading]) -> list[IndexReading]:
        """The readings of a picture (its pyramid), each with what it says of a mirror."""
        found, none = AN_INDEX
        plain = [k for k, r in enumerate(readings) if r.found >= found and r.chances[NONE] < none]
        out = list(readings)
        for begin in range(0, len(plain), BATCH):
            some = plain[begin : begin + BATCH]
            patches = np.stack([cut_patch(levels, readings[k].quad)[0] for k in some])
            (said,) = self._session.run(None, {"patches": to_input(patches)})
            for k, logit in zip(some, said.tolist(), strict=True):
                out[k] = replace(readings[k], mirror_odds=float(np.clip(logit, -SAYS[0], SAYS[0])))
        return out


def in_all(readings: Sequence[IndexReading]) -> float:
    """What a picture's indices say of a mirror together."""
    said: dict[int, float] = defaultdict(float)
    for r in readings:
        said[r.best] += r.mirror_odds
    return sum(float(np.clip(each, -SAYS[1], SAYS[1])) for each in said.values())
