"""What lies on a table that is not calibrated, told in sight of the picture's other finds.

A find by itself may be a chip, a few on each other seen from above, a coin, or print. Those of one picture lie on one
table under one camera and lamp, and are mostly of one set: chips are about as wide and as round as their neighbours,
and splashed singly or stacked all. A network sees what was read of each find, how it looks, and all others; it says
how much likelier no chip, one, two, three and more become, and which colour the uppermost has.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from vision.cards.runtime import open_network
from vision.chips.appearance import STANDARD_WEIGHT
from vision.chips.counter import FEW, OTHERS, WORTH_SAYING, Count
from vision.chips.crops import Floats, Image, cut, to_input
from vision.chips.finder import Find
from vision.chips.values import COLOURS, Box

SIDE, WIDE, BELOW = 96, 66.0, 12.0
"""A find's picture is so large, shows it so wide, and so much of what is below it, in pixels."""
KINDS = FEW + 2
"""What is told apart: no chip, one, two, three, more."""
LEAST = 1e-4
"""No kind is less likely before the network has its say."""
RARER = 1e-5
FAR, THICKER, APART = 50.0, 5.0, 4.0
"""What some facts are brought to about one by."""
LAST_CHANCE, ROLL, FOOT_ASIDE, WORDS, ASIDE = 6, 16, 20, 23, 7
"""Where among the `facts` the last of the chances is, how much the stack leans, how far aside its foot is, and the
words on its colours; and how many `relations` there are."""


class Company:
    """The trained network and what is made of its output."""

    def __init__(self, weights: Path, threads: int) -> None:
        self._session = open_network(weights, threads)

    def told(
        self,
        levels: Sequence[Image],
        finds: Sequence[Find],
        counts: Sequence[Count],
        usual: Collection[str],
        learned: bool = False,
    ) -> list[Count]:
        """The readings of a picture's ``finds`` in sight of each other: their chances of no chip and of each number.

        The words on the uppermost chip's colour too, where those are expected that are ``usual``, unless the chips were
        ``learned`` and are told by what they looked like then. ``levels`` is the picture's pyramid.
        """
        if not finds:
            return []
        height, width = levels[0].shape[:2]
        known = np.stack([facts(f, c, usual) for f, c in zip(finds, counts, strict=True)])
        placed = relations(np.array([f.box for f in finds]), width, height)
        looks = to_input(np.stack([picture(levels, f.box) for f in finds]))
        (said,) = self._session.run(None, {"looks": looks, "facts": known, "places": placed})
        tints = np.zeros_like(said[:, KINDS:]) if learned else said[:, KINDS:] / STANDARD_WEIGHT
        return [_told(count, *it) for count, *it in zip(counts, said[:, :KINDS], tints, strict=True)]


def picture(levels: Sequence[Image], box: Box) -> Image:
    """How a find looks: `SIDE` x `SIDE`, its lower end always in the same place."""
    x0, _, x1, y1 = box
    k = WIDE / max(x1 - x0, 1.0)
    affine = np.array([[k, 0, SIDE / 2 - k * (x0 + x1) / 2], [0, k, SIDE - BELOW - k * y1]])
    return cut(levels, affine, SIDE, SIDE)


def facts(find: Find, count: Count, usual: Collection[str]) -> Floats:
    """What was read of one find: chances as logarithms, how it stands, the words on its chips' colours."""
    stand = count.stand
    x0, y0, x1, y1 = find.box
    chances = np.clip(count.chances.astype(np.float64), RARER, 1)
    return np.array(
        [
            _odds(float(count.chances[0])),
            *np.log(chances[1:6]),
            np.log(max(float(count.chances[6:].sum()), RARER)),
            *(_odds(it) for it in (stand.alone, stand.shows, count.shows, find.confidence)),
            float(find.shape == "other"),
            np.log1p(min(count.misshapen, FAR)),
            count.step / THICKER,
            stand.squash,
            stand.tall,
            stand.roll,
            np.log(stand.across / (x1 - x0)),
            (y1 - y0) / (x1 - x0),
            np.log(stand.across) - APART,
            (stand.foot[0] - (x0 + x1) / 2) / (x1 - x0),
            (stand.foot[1] - y1) / (x1 - x0),
            stand.stretch - 1,
            *count.words[-1],
            *count.words.mean(0),
            *(float(colour in usual) for colour in COLOURS),
        ],
        np.float32,
    )


def relations(boxes: Floats, width: int, height: int) -> Floats:
    """Where each find lies among the others, and in the picture, and how wide it is: N x 7."""
    wide = boxes[:, 2] - boxes[:, 0]
    usual = np.exp(np.median(np.log(wide)))
    middle, lower = (boxes[:, 0] + boxes[:, 2]) / 2, boxes[:, 3]
    columns = (
        np.log(wide / usual),
        (middle - np.median(middle)) / usual / APART,
        (lower - np.median(lower)) / usual / APART,
        np.log(wide / width),
        boxes[:, 0] / width - 0.5,
        boxes[:, 1] / height - 0.5,
        np.full(len(wide), np.log(len(wide))),
    )
    return np.stack(columns, 1).astype(np.float32)


def kinds(chances: Floats) -> Floats:
    """The logarithms of `KINDS` from the chances of 0 to ``MOST`` chips."""
    each = np.array([*chances[: KINDS - 1], chances[KINDS - 1 :].sum()], np.float64)
    return np.asarray(np.log(np.maximum(each, LEAST)), np.float32)


def _told(count: Count, kind: Floats, colour: Floats) -> Count:
    """The reading with what the network says of it."""
    logits = kinds(count.chances) + kind
    each = np.exp(logits - logits.max())
    each /= each.sum()
    more = max(float(count.chances[KINDS - 1 :].sum()), 1e-12)
    chances = count.chances.astype(np.float64)
    chances[: KINDS - 1] = each[:-1]
    chances[KINDS - 1 :] *= float(each[-1]) / more
    told = np.asarray(chances, np.float32)
    every = [count, *count.others]
    taken = [int(count.chances[1:].argmax()) + 1, *(it.count for it in count.others)]
    # What was never read as so many chips has no colours to show: of the others the likeliest.
    best = max(taken, key=lambda n: float(told[n]))
    likeliest = int(told[1:].argmax()) + 1
    readings = [
        replace(it, chances=told, taken=n, others=(), words=_tinted(it.words, colour))
        for n, it in zip(taken, every, strict=True)
    ]
    first = readings.pop(taken.index(best))
    readings = sorted((it for it in readings if told[it.count] >= WORTH_SAYING), key=lambda it: -float(told[it.count]))
    nothing = float(told[0]) > 0.5
    return replace(first, taken=None if best == likeliest or nothing else best, others=tuple(readings[:OTHERS]))


def _tinted(words: Floats, colour: Floats) -> Floats:
    """The words on a stack's colours with what is said of the uppermost chip."""
    out = words.copy()
    out[-1] += colour
    return out


def _odds(chance: float) -> float:
    chance = float(np.clip(chance, 1e-4, 1 - 1e-4))
    return float(np.log(chance / (1 - chance)))
