"""What was listed as a card where a fan's cards have their other ends: half covered, such an end is read as another
card's, and surely so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.detector import Found
from vision.cards.geometry import axes, corner_fit, cosine, degenerate, leaning, length, neighbouring, stands_as_most
from vision.cards.pairing import onto_unit
from vision.cards.patches import Floats
from vision.cards.side_steps import lie_so, side_steps
from vision.sightings import JOKER, CardSighting, of_one_colour

FEW = 2
"""So few lone indices say nothing of how most stand."""
HALF_TURNED = -0.93
"""Cosine of the angle between the ways down of a card's two ends, one of which may be half covered."""
ASTRAY = 0.1
"""How far from where it is expected such an end may lie, as a share of how far the two ends are apart."""
PLAINLY = 0.5
"""An outline this sure is a card's."""
ON_ITS_HEAD = -0.985
"""Cosine of the angle between the ways down of one card's two ends: less may be two of a fan."""


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


def without_measured_ends(seen: Sequence[CardSighting]) -> list[CardSighting]:
    """The sightings without each sure face of one index that stands on its head to most such of a picture and lies
    from another one of its colour as the two ends of a card do that shows both: a fan's uppermost always does.

    Of 2 900 rendered fans four had such a one (half a 10, a 4 or an 8 read as another card), and none held it
    (`models/EXPERIMENTS.md`, row 204). What is unsure stays, as above: of three such hands one held a card more that
    nothing else asked about.
    """
    cards = [[_quad(q) for q in s.indices] for s in seen if s.kind == "card" and s.label != JOKER]
    ways = [
        way
        for quads in cards
        for a, b in combinations(quads, 2)
        if cosine(axes(a)[1], axes(b)[1]) < HALF_TURNED
        for way in (_way(a, b), _way(b, a))
    ]
    lone = [quads[0] for quads in cards if len(quads) == 1]
    upright = [
        s for s in seen if s.kind == "card" and len(s.indices) == 1 and stands_as_most(_quad(s.indices[0]), lone)
    ]

    def an_end(s: CardSighting) -> bool:
        if len(s.indices) != 1 or s.kind != "card" or stands_as_most(_quad(s.indices[0]), lone):
            return False
        end = _quad(s.indices[0])
        return any(
            length(_way(whole, end) - way) < ASTRAY * length(way)
            for whole in (_quad(o.indices[0]) for o in upright if of_one_colour(o.label, s.label))
            if cosine(axes(whole)[1], axes(end)[1]) < HALF_TURNED
            for way in ways
        )

    return [s for s in seen if not an_end(s)] if len(lone) > FEW else list(seen)


def _way(a: Floats, b: Floats) -> Floats:
    """Where one index lies from another, in pixels right and down as the other stands."""
    right, down = axes(a)
    way = b.mean(0) - a.mean(0)
    return np.array([way @ right / max(length(right), 1e-6), way @ down / max(length(down), 1e-6)], np.float32)


def with_doubtful_ends(seen: Sequence[CardSighting], outlines: Sequence[Found] = ()) -> list[CardSighting]:
    """The sightings, with each sure card unsure that shows one index where another such card of its colour would have
    its other end, and stands on its head to most of them, or is the less likely one: half covered, that end is read as
    another rank, or as the other suit of its colour. Not so where it sits in a corner of one of the ``outlines``, and
    the other beside that: there lies a card of its own, whose other index was overlooked.

    Of 1 961 rendered fans that held no other doubt three were so, all of them wrong (`models/EXPERIMENTS.md`, row 199).
    """
    plain = [onto_unit(o) for o in outlines if o.confidence >= PLAINLY and not degenerate(o.quad)]
    lone = [(s, _quad(s.indices[0])) for s in seen if s.kind == "card" and s.label != JOKER and len(s.indices) == 1]
    quads = [quad for _, quad in lone]

    def worth(s: CardSighting, quad: Floats) -> tuple[bool, float]:
        return stands_as_most(quad, quads), s.confidence

    doubtful = set()
    for (one, a), (other, b) in combinations(lone, 2):
        if one.label != other.label and of_one_colour(one.label, other.label) and _at_both_ends(a, b):
            (end, place), (_, whole) = sorted(((one, a), (other, b)), key=lambda it: worth(*it))
            if not any(corner_fit(onto, place) and not _on(onto, whole) for onto in plain):
                doubtful.add(id(end))
    return [replace(s, kind="unsure") if id(s) in doubtful else s for s in seen]


def _on(onto: NDArray[np.float64], index: Floats) -> bool:
    """Whether an index's middle lies on the card of an outline."""
    u, v = cv2.perspectiveTransform(index[None], onto)[0].mean(0)
    return bool(min(u, v) >= 0 and max(u, v) <= 1)


def _at_both_ends(a: Floats, b: Floats) -> bool:
    on_its_head = cosine(axes(a)[1], axes(b)[1]) < ON_ITS_HEAD
    return on_its_head and (leaning(a, b) > 0 or neighbouring(a, b, loose=True))


def _quad(points: Sequence[tuple[float, float]]) -> Floats:
    return np.array(points, np.float32)


def _all_upright(quads: Sequence[Floats]) -> bool:
    return all(cosine(axes(quads[0])[1], axes(other)[1]) > 0 for other in quads)


def _on_its_head(whole: Floats, place: Floats) -> Floats:
    """An index turned round about the middle of another place: jokers' are read any way round."""
    return np.asarray(place.mean(0) + whole.mean(0) - whole, np.float32)
