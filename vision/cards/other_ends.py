"""What was listed as a card where a fan's cards have their other ends: half covered, such an end is read as another
card's, and surely so."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.cards.geometry import axes, cosine, stands_as_most
from vision.cards.patches import Floats
from vision.cards.side_steps import lie_so, side_steps
from vision.sightings import JOKER, CardSighting


def without_other_ends(seen: Sequence[CardSighting]) -> list[CardSighting]:
    """The sightings without each sure card that shows one index which lies from another card's as both of other cards'
    sides do: that card's other one it is, whatever it was read as. So it is where it stands on its head to most cards
    of a fan, and where the other card shows two indices of its own and lacks that one.

    Of 280 rendered fans four listed such a card, and none held it (`models/EXPERIMENTS.md`, row 184). What is unsure
    stays: it is asked about, and two other hands that had such a one held more that was wrong.
    """
    cards = [[_quad(q) for q in s.indices] for s in seen if s.kind == "card" and s.label != JOKER]
    steps = side_steps(cards)
    lone = [quads[0] for quads in cards if len(quads) == 1]
    plain = [quad for quad in lone if stands_as_most(quad, lone)]
    plain += [quad for quads in cards if len(quads) > 1 and _all_upright(quads) for quad in quads]

    def other_end(s: CardSighting) -> bool:
        if s.kind != "card" or len(s.indices) != 1:
            return False
        quad = _quad(s.indices[0])
        return any(
            lie_so(steps, whole, _on_its_head(whole, quad) if s.label == JOKER else quad)
            for whole in plain
            if not np.array_equal(whole, quad)
        )

    return [s for s in seen if not other_end(s)]


def _quad(points: Sequence[tuple[float, float]]) -> Floats:
    return np.array(points, np.float32)


def _all_upright(quads: Sequence[Floats]) -> bool:
    return all(cosine(axes(quads[0])[1], axes(other)[1]) > 0 for other in quads)


def _on_its_head(whole: Floats, place: Floats) -> Floats:
    """An index turned round about the middle of another place: jokers' are read any way round."""
    return np.asarray(place.mean(0) + whole.mean(0) - whole, np.float32)
