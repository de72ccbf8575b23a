"""How far apart the deck of a picture prints the two indices of one side: a lone index's other one lies there too.

In a fan of four-index cards each card shows the two indices of its left side. One of them may be found half as tall as
it is, where a neighbour covers part of it, and then no measure of its own says that the two are one card's. But where
several cards show both, they say how far apart these are, and which way.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from vision.cards.geometry import axes, centre, cosine, length, neighbouring
from vision.cards.patches import Floats

FEWEST = 3
"""So many cards must show both indices of one side,"""
NEAREST = 4
"""of which so many, the nearest, are asked."""
STRAY, OWN_STRAY = 0.1, 0.2
"""The other index lies so near to where these say that it is, in shares of how far it is from the first; and so near
one that is looked for in a row and has the name of a card that lacks its other one: half covered, its middle is off."""
ACROSS = -0.9
"""Cosine of the angle between two indices that stand foot to foot."""
LEVEL = 0.9
"""The same of two that stand side by side, and of the way between them with the line on which they stand."""
WHOLE = 4
"""So many indices a card shows that says how far apart those lie that stand side by side."""


@dataclass(frozen=True)
class SideStep:
    """The way from one index of a card's side to the other: pixels, and by what angle (radians) it is turned from the
    way down of the first."""

    pixels: float
    slant: float
    middle: Floats
    """Where on the picture it was seen."""


def side_steps(cards: Iterable[Sequence[Floats]]) -> list[SideStep]:
    """Those of all cards (each by its indices' corners, 4 x 2) that show two indices foot to foot along one side."""
    found = []
    for quads in cards:
        for a, b in combinations(quads, 2):
            step = _step(a, b)
            if step is not None and neighbouring(a, b, loose=True):
                found.append(step)
    return found


def lie_so(steps: Sequence[SideStep], a: Floats, b: Floats, stray: float = STRAY) -> bool:
    """Whether two indices lie from each other as those of the cards beside them do."""
    step = _step(a, b) if len(steps) >= FEWEST else None
    if step is None:
        return False
    near = sorted(steps, key=lambda it: length(it.middle - step.middle))[:NEAREST]
    pixels = float(np.median([it.pixels for it in near]))
    slant = float(np.median([it.slant for it in near]))
    off = step.pixels * np.exp(1j * (step.slant - slant)) - pixels
    return bool(abs(off) < stray * pixels)


def widths(cards: Iterable[Sequence[Floats]]) -> list[float]:
    """How far apart (pixels) cards that show all four indices (each 4 x 2) have those that stand side by side."""
    return [
        length(centre(b) - centre(a))
        for quads in cards
        if len(quads) == WHOLE
        for a, b in combinations(quads, 2)
        if _abreast(a, b)
    ]


def lie_abreast(widths: Sequence[float], a: Floats, b: Floats) -> bool:
    """Whether two indices stand side by side as far apart as those of a card that shows all its four."""
    apart = length(centre(b) - centre(a))
    return any(abs(apart - width) < STRAY * width for width in widths) and _abreast(a, b)


def _abreast(a: Floats, b: Floats) -> bool:
    """Whether two indices stand alike, the one to the right of the other."""
    (right, down), (other_right, other_down) = axes(a), axes(b)
    way = centre(b) - centre(a)
    return min(cosine(down, other_down), abs(cosine(way, right + other_right))) > LEVEL


@dataclass(frozen=True)
class LoneIndices:
    """Cards of which one index was read, by their names, and how the cards beside them show two along one side."""

    steps: Sequence[SideStep]
    lone: Sequence[tuple[str, Floats]]

    @classmethod
    def of(cls, cards: Iterable[tuple[str | None, Sequence[Floats]]]) -> LoneIndices:
        """Of cards' names and their indices' corners (4 x 2 each)."""
        known = [(name, quads) for name, quads in cards if name is not None]
        lone = [(name, quads[0]) for name, quads in known if len(quads) == 1]
        return cls(side_steps(quads for _, quads in known) if lone else (), lone)

    def have(self, name: str, quad: Floats) -> bool:
        """Whether an index read as ``name`` is the other one on the same side of one of these cards."""
        return any(name == one and lie_so(self.steps, quad, there, OWN_STRAY) for one, there in self.lone)


def _step(a: Floats, b: Floats) -> SideStep | None:
    """From the one to the other, if they stand foot to foot; the same whichever is named first."""
    (_, down), (_, up) = axes(a), axes(b)
    if cosine(down, up) > ACROSS:
        return None
    way = centre(b) - centre(a)
    axis = down / max(length(down), 1e-6) - up / max(length(up), 1e-6)
    if float(way @ axis) <= 0:
        return None
    slant = float(np.arctan2(axis[0] * way[1] - axis[1] * way[0], axis @ way))
    return SideStep(length(way), slant, np.asarray((centre(a) + centre(b)) / 2, np.float32))
