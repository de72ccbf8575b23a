"""Saying how a find stands: its axis, foot, width and steepness, from a small square glance at it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from vision.cards.runtime import ModelError, open_network
from vision.chips.crops import GLANCE, Image, Stand, cut, glance_affine, to_input
from vision.chips.finder import shared
from vision.chips.ground import Ground, Lie
from vision.chips.values import Box
from vision.sightings import Point

TRUSTED = 0.5
"""A first glance is believed where its outline and the find's box share so much of their union."""

SAID = 8
"""So many numbers the network says of a glance."""
OTHER_CHIP = (0.22, 0.3)
"""A chip whose width differs by more than that (a logarithm) from what the felt foretells may be of another size than
usual, and from the second on it is; by less a leaning stack was taken for wider than it is."""


class Placer:
    """The trained network."""

    def __init__(self, weights: Path, threads: int) -> None:
        self._session = open_network(weights, threads)
        self._input = self._session.get_inputs()[0].name
        if self._session.get_outputs()[0].shape[1] != SAID:
            raise ModelError(f"The network file {weights.name} in {weights.parent} is of another version.")

    def place(self, levels: Sequence[Image], boxes: Sequence[Box]) -> list[Stand]:
        """How the stack in each box (picture pixels) stands; ``levels`` is the picture's pyramid.

        Looked at twice: the second glance is framed by what the first one said, so that a loose box does not matter.
        """
        first = self._glanced(levels, boxes)
        framed = [_framed(stand, box) for stand, box in zip(first, boxes, strict=True)]
        second = self._glanced(levels, framed)
        return [between(stand, box) for stand, box in zip(second, boxes, strict=True)]

    def _glanced(self, levels: Sequence[Image], boxes: Sequence[Box]) -> list[Stand]:
        if not boxes:
            return []
        maps = [glance_affine(box) for box in boxes]
        glances = np.stack([cut(levels, m, GLANCE, GLANCE) for m in maps])
        (said,) = self._session.run(None, {self._input: to_input(glances)})
        out = []
        for row, m in zip(said.astype(float), maps, strict=True):
            back = cv2.invertAffineTransform(m)
            foot = back[:, :2] @ ((row[:2] + 0.5) * GLANCE) + back[:, 2]
            across = float(np.exp(np.clip(row[2], -3, 2)) * 40 / m[0, 0])
            roll, squash, tall = float(np.clip(row[3], -1, 1)), float(np.clip(row[4], 0.02, 1)), float(row[5] * 2)
            alone, shows = (float(v) for v in 1 / (1 + np.exp(-row[6:])))
            place = (float(foot[0]), float(foot[1]))
            out.append(Stand(place, across, roll, squash, max(tall, 0.0), alone=alone, shows=shows))
        return out


def outline(stand: Stand) -> Box:
    """The box of a stack that stands so."""
    x, y = stand.foot
    head = x + np.sin(stand.roll) * stand.tall * stand.across
    top = y - (np.cos(stand.roll) * stand.tall + stand.squash) * stand.across
    half = stand.across / 2
    return float(min(x, head) - half), float(min(top, y - 1)), float(max(x, head) + half), float(y)


def moved(
    stand: Stand, roll: float = 0.0, aside: float = 0.0, wider: float = 0.0, steeper: float = 0.0, tilt: float = 0.0
) -> Stand:
    """A stand a little off this one, as high in the picture: turned, shifted (in chip widths), wider (a logarithm),
    looked down on more steeply, its seams tilted more."""
    across = stand.across * float(np.exp(wider))
    squash = float(np.clip(stand.squash + steeper, 0.02, 0.98))
    whole = (stand.tall + stand.squash) * stand.across / across
    return replace(
        stand,
        foot=(stand.foot[0] + aside * stand.across, stand.foot[1]),
        across=across,
        roll=stand.roll + roll,
        squash=squash,
        tall=max(whole - squash, 0.05),
        tilt=stand.tilt + tilt,
    )


def between(stand: Stand, box: Box) -> Stand:
    """Half-way between what the glance said and what the find's box says of a tidy, upright stack.

    Their errors have little to do with each other; together they place better than either (measured). Where across the
    picture the foot is, the glance alone says: a leaning stack's box has its middle elsewhere.
    """
    x0, y0, x1, y1 = box
    x, y = stand.foot
    across = float(np.sqrt(stand.across * (x1 - x0)))
    aspect = float(np.sqrt(max(stand.tall + stand.squash, 0.05) * (y1 - y0) / (x1 - x0)))
    squash = min(stand.squash, 0.95 * aspect)
    return replace(stand, foot=(x, (y + y1) / 2), across=across, squash=squash, tall=aspect - squash)


def grounded(stand: Stand, box: Box, lie: Lie) -> Stand:
    """The stand with what the felt says of stacks at its foot; its width too, where it is about what is seen."""
    ratio = float(np.log(lie.across / stand.across))
    across = stand.across * float(np.exp(ratio * np.clip((OTHER_CHIP[1] - abs(ratio)) / np.ptp(OTHER_CHIP), 0, 1)))
    high = (stand.foot[1] - box[1]) / across
    # Half-way between the box's height and what the glance said, as the rest of the stand is.
    aspect = float(np.sqrt(max(high, 0.05) * max((stand.tall + stand.squash) * stand.across / across, 0.05)))
    squash = min(lie.squash, 0.97 * aspect)
    return replace(
        stand,
        across=across,
        roll=lie.roll,
        squash=squash,
        tall=aspect - squash,
        thick=lie.thick / across,
        growth=lie.growth,
        within=lie.within if abs(ratio) < OTHER_CHIP[1] else None,
        wide=stand.across / lie.across,
    )


def relaid(stand: Stand, before: Point, ground: Ground | None) -> Stand:
    """A stand on a felt whose foot was moved from ``before``: larger, where it is nearer to the camera now."""
    was, now = (None, None) if ground is None else (ground(before), ground(stand.foot))
    if was is None or now is None or stand.thick is None or was.thick <= 0:
        return stand
    wider, thicker = now.across / was.across, now.thick / was.thick
    return replace(
        stand,
        across=stand.across * wider,
        roll=now.roll,
        squash=min(now.squash, stand.squash * now.squash / max(was.squash, 1e-6)),
        tall=stand.tall / wider,
        thick=stand.thick * thicker / wider,
        growth=stand.growth * thicker,
    )


def _framed(stand: Stand, box: Box) -> Box:
    """The stand's own box, unless it is far from where the find was."""
    own = outline(stand)
    return own if shared(own, box)[0] > TRUSTED else box
