"""Chips lying singly, told in sight of each other where no calibrated felt says how large they should be.

From high above hardly anything tells one chip from a few on each other, but chips are mostly splashed singly or stacked
all. So a chip is one alone the likelier, the more of the others in the picture are: the share of single chips is
unknown, and what is seen of the others says what it may be (a two-valued mixture, its share estimated as by
A. Dempster and others, 1977, each chip left out of its own estimate).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.chips.counter import Count

LEAST, ROUNDS = 0.003, 4
"""How little a single look may say at least, and how often all are looked at again."""
EVEN_ODDS = 0.5
"""As much as half a chip that is single, and half a one that is not, each picture's share is taken to have shown."""


def in_company(counts: Sequence[Count]) -> list[Count]:
    """The same readings, with how likely each is one chip alone in sight of the others; what stands on a calibrated
    felt stays as it is."""
    out = list(counts)
    free = [k for k, count in enumerate(counts) if count.stand.thick is None]
    if len(free) < 2:
        return out
    chips = np.array([1 - counts[k].chances[0] for k in free], np.float64)
    looks = np.array([counts[k].chances[1] for k in free], np.float64) / np.maximum(chips, LEAST)
    for k, single in zip(free, shared_odds(looks, chips), strict=True):
        out[k] = _alone(counts[k], single)
    return out


def shared_odds(looks: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """How likely each is single where each by itself ``looks`` so, and counts as so much (``weights``) for the rest."""
    looks = np.clip(looks, LEAST, 1 - LEAST)
    told = looks
    for _ in range(ROUNDS):
        singles, all_ = (float((weights * told).sum()) - weights * told, float(weights.sum()) - weights)
        share = (singles + EVEN_ODDS) / (all_ + 2 * EVEN_ODDS)
        told = looks * share / (looks * share + (1 - looks) * (1 - share))
    return np.asarray(told, np.float64)


def _alone(count: Count, single: float) -> Count:
    """The reading, one chip alone with the chance ``single`` if there is any chip.

    What else it may be grows no likelier: the others say nothing of how many chips a stack has, and a stack of three
    that looks like one or two would be two.
    """
    chances = count.chances.astype(np.float64)
    chip, rest = 1 - chances[0], chances[2:].sum()
    if chip <= 0 or rest <= 0:
        return count
    chances[1], chances[2:] = chip * single, chances[2:] * min(chip * (1 - single) / rest, 1.0)
    told = np.asarray(chances, np.float32)
    best = int(told[1:].argmax()) + 1
    every = [count, *count.others]
    taken = [int(count.chances[1:].argmax()) + 1, *(it.count for it in count.others)]
    if best not in taken:
        return count
    first = replace(every[taken.index(best)], chances=told, taken=None)
    others = [replace(it, chances=told, taken=n, others=()) for n, it in zip(taken, every, strict=True) if n != best]
    others.sort(key=lambda it: -float(told[it.count]))
    return replace(first, others=tuple(others))
