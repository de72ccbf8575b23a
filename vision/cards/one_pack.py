"""Many cards of one pack tell each other apart: a card that lies there plainly is hardly a second one's name as well.

How likely each name is for each card, if all were dealt from one pack, is a sum over all ways of giving each card a
name of its own. It is reckoned by belief propagation on the graph of cards and names, which is exact on trees and close
on whole packs (P. Vontobel, "The Bethe permanent of a nonnegative matrix", IEEE Trans. Inf. Theory 59(3), 2013). The
same sum, beside that for cards that may repeat, says whether the picture shows one pack at all. A pack may hold a
double, which seldom happens, so that two that are both plain stay two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import lgamma, log
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from vision.cards.naming import TRACE
from vision.sightings import CARDS, FACES, JOKER, CardSighting

Chances = NDArray[np.float64]

FEWEST = 20
"""Fewer cards do not tell one pack from two."""
EVIDENCE = 3.0
"""How much likelier (a logarithm) one pack must be than many, for what is seen."""
DOUBLE = 0.02
"""How likely a name is there twice, over once."""
ANYTHING = 0.03
"""How likely a reading is to be worth nothing: some of the names that it rules out are right."""
TRUSTED = (0.4, 0.55, 0.7, 0.85, 1.0, 1.2)
"""Powers of what is read: the one is taken under which one pack is likeliest to look so. Where a picture is so poor
that the net takes clubs for spades, it does so all over that picture, and the pack shows it by its doubles. In 238
rendered ribbons 31 of 10 737 sure names were not those of the cards they stood on; at a power of 1 and with odds to
the power of 1.2 67 of 10 869."""
ROUNDS, KEPT = 60, 0.5
MOST = 1e9


def as_one_pack(seen: Sequence[CardSighting], sure: float, faint: float) -> tuple[list[CardSighting], bool]:
    """The sightings, named as the cards of one pack, and whether they are; else as they were.

    A card is listed where its name is at least ``sure`` then; what was surer and is unsure for another reason, such as
    a faint find, where it is at least ``faint``. Of jokers a pack says nothing.
    """
    named = [k for k, s in enumerate(seen) if s.label is not None and s.indices]
    if len(named) < FEWEST:
        return list(seen), False
    chances = np.zeros((len(named), len(FACES)))
    for row, k in zip(chances, named, strict=True):
        s = seen[k]
        for name, chance in {str(s.label): s.confidence, **s.probabilities}.items():
            row[FACES.index(name)] = chance
    chances += np.maximum(1 - chances.sum(1, keepdims=True), 0) / len(FACES)
    found, evidence = max((dealt(_trusted(chances, power)) for power in TRUSTED), key=lambda it: it[1])
    if evidence < EVIDENCE:
        return list(seen), False
    out = list(seen)
    for row, k in zip(found, named, strict=True):
        out[k] = _named(seen[k], row, sure, faint)
    return out, True


def _trusted(chances: Chances, power: float) -> Chances:
    """The chances of each card's names (N x 53), if what is read is worth so much."""
    out = chances**power
    return np.asarray((1 - ANYTHING) * out / out.sum(1, keepdims=True) + ANYTHING / len(FACES))


def dealt(chances: Chances) -> tuple[Chances, float]:
    """How likely each name is for each card of one pack (N x 53, from ``chances`` of the same shape for each alone;
    jokers, the last, come in any number), and the logarithm of how much likelier one pack is than many."""
    free, pack = slice(len(CARDS), None), slice(0, len(CARDS))
    back = np.ones_like(chances)
    for _ in range(ROUNDS):
        forth = _forth(chances, back)
        others = forth.sum(0) - forth
        pairs = np.maximum((others**2 - ((forth**2).sum(0) - forth**2)) / 2, 0)
        new = (1 + DOUBLE * others) / (1 + others + DOUBLE * pairs)
        new[:, free] = 1
        back = back**KEPT * new ** (1 - KEPT)
    total = (chances * back).sum(1, keepdims=True)
    forth = _forth(chances, back)[:, pack]
    each = forth.sum(0)
    pairs = np.maximum((each**2 - (forth**2).sum(0)) / 2, 0)
    ways = np.log(total).sum() + np.log(1 + each + DOUBLE * pairs).sum() - np.log1p(forth * back[:, pack]).sum()
    number = min(len(CARDS), round(float((1 - chances[:, free].sum(1)).sum())))
    once = lgamma(len(CARDS) + 1 - number) - lgamma(len(CARDS) + 1)
    return chances * back / total, float(ways) + once + number * log(len(CARDS))


def _forth(chances: Chances, back: Chances) -> Chances:
    """What each card says to each name: the odds of it, by what the other names say."""
    by_name = chances * back
    return np.asarray(np.minimum(chances / np.maximum(by_name.sum(1, keepdims=True) - by_name, 1e-12), MOST))


def _named(seen: CardSighting, row: Chances, sure: float, faint: float) -> CardSighting:
    best = int(row.argmax())
    if FACES[best] == JOKER:
        # Every name that others have leaves room for a joker: what can be nothing else need not be one.
        return seen if seen.label == JOKER else replace(seen, kind="unsure")
    chance = min(1.0, float(row[best]))
    listed = chance >= (sure if seen.kind == "card" or seen.confidence < sure else faint)
    names = {FACES[k]: float(row[k]) for k in range(len(FACES)) if row[k] > TRACE}
    return replace(
        seen,
        kind="card" if listed else "unsure",
        label=FACES[best],
        confidence=chance,
        probabilities=MappingProxyType(names),
    )
