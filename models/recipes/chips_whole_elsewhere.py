"""Whole stacks that no felt foretells, as `models.recipes.chips_whole` teaches them to the counter for all pictures.

There the step from seam to seam is unknown, so runs of every step are weighed against the stack's height over its
width; columns are stretched by what the glance says of how steeply the stack is seen, and pictures are at times
stretched themselves. How likely one chip alone is says the glance too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from datasets.chips.shards import Cuts, joined
from models.recipes.chips_readers import Batch, Shaker
from models.recipes.chips_whole import TALL_OFF, Told
from vision.chips import counter, seams
from vision.chips.crops import ACROSS, FOOT, HEIGHT, Floats, upright

SHOWN_UPRIGHT: Final = 0.75
"""So many columns of several chips are as high as the product shows them, the others as they are: stacks that may be
one chip by the glance are not stretched,"""
ALONE_AS_IT_IS: Final = 0.85
"""and so many single chips are not either."""
SQUASH_OFF: Final = 0.05
"""How far off the glance is on how steeply a stack is seen."""
GLANCE: Final = ((2.0, 1.5), (-2.0, 1.0), (-5.0, 1.0))
"""The glance's word on "one chip alone", as a logarithm of odds (mean and spread): of one chip, of two or three, of
more."""
FEW: Final = 4
REAL: Final = 0.15
"""So many stacks that teach are photographed ones."""


class Elsewhere:
    """The `chips_whole.Telling` where no felt is calibrated. What is foretold: the height over the width, how much the
    column is stretched, the chip's width in pixels, and the glance's word."""

    doubted: ClassVar[float] = seams.DOUBTED
    parts_weigh: ClassVar[float] = seams.PARTS_WEIGH
    least: ClassVar[int] = 1

    def runs(self, told: Told, words: Floats, parts: Floats, foot: float) -> seams.Runs:
        """As the product finds them."""
        return seams.best_runs(words, parts, float(told[0]), stretch=float(told[1]))

    def face(self, told: Told, step: float) -> float:
        """By the steepness that the step tells."""
        return float(told[1] * seams.steepness(step / float(told[1]))) * ACROSS

    def weighs(self, told: Told, runs: seams.Runs) -> float:
        """Less where chips are thin in the picture."""
        many = int(runs.scores[1:].argmax()) + 1
        thick = float(told[2] * runs.steps[many] / ACROSS / told[1])
        seen = np.clip((thick - counter.THICK[0]) / np.ptp(counter.THICK), counter.BLURRED, 1)
        return counter.SEAMS_WEIGH * float(seen)

    def alone(self, told: Told) -> float:
        """The glance's word, as the product takes it."""
        return float(told[3]) + counter.ALONE


@dataclass(frozen=True)
class _Stretches:
    """By how much the product stretched the column, and the picture was stretched."""

    product: float = 1.0
    picture: float = 1.0


class ElsewhereShaker(Shaker):
    """Columns off felts with what is foretold of them."""

    _last = _Stretches()

    def stretch(self, k: int, shaken: bool) -> float:
        stand, alone = self.stand(k), int(self.counts[k]) == 1
        squash = float(np.clip(stand.squash + (self.rng.normal(0, SQUASH_OFF) if shaken else 0.0), 0.0, 1.0))
        fits = FOOT[1] / (ACROSS * max(stand.tall + counter.FACE_SHOWN * squash, 0.1))
        shown = self.rng.random() < (1 - ALONE_AS_IT_IS if alone else SHOWN_UPRIGHT)
        product = max(1.0, min(upright(squash), fits)) if shown else 1.0
        self._last = _Stretches(product, super().stretch(k, shaken))
        return self._last.product * self._last.picture

    def column(self, k: int, shaken: bool, off: float = 1.0, window: int = HEIGHT, astray: bool = False) -> Batch:
        row = super().column(k, shaken, off, window, astray)
        stand, count = self.stand(k), int(self.counts[k])
        high = (stand.tall + stand.squash) * self._last.product * self._last.picture
        aspect = high * float(np.exp(self.rng.normal(0, TALL_OFF)))
        mean, spread = GLANCE[0 if count == 1 else 1 if count < FEW else 2]
        most = float(np.log(1 / counter.SURPRISE - 1))
        word = float(np.clip(self.rng.normal(mean, spread), -most, most))
        return {**row, "told": np.array([aspect, self._last.product, float(self.cuts.numbers[k, 1]), word])}


def with_photographed(cuts: Cuts, real: Cuts) -> Cuts:
    """The rendered stacks and the photographed ones, those so often that `REAL` of all are such."""
    times = max(1, round(REAL / (1 - REAL) * len(cuts.jpegs) / max(len(real.jpegs), 1)))
    return joined([cuts] + [real] * times)
