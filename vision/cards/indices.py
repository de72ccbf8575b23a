"""Naming each index from native pixels: place it exactly, then read it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.detector import Found
from vision.cards.patches import PATCH_HEIGHT, PATCH_WIDTH, TARGET, Floats, Image, cut_patch, to_input
from vision.cards.profile import NONE, DeckProfile, ProfileError
from vision.cards.runtime import fingerprint, open_network
from vision.sightings import FACES, JOKER

_JOKER = FACES.index(JOKER)
SCALE = np.array([PATCH_WIDTH, PATCH_HEIGHT], np.float32)
BATCH = 64
PLACING = 1
"""How often corners are corrected before the index is read."""

PLACING_AGAIN = 2
"""How often more, where its face is still open."""

DOUBT = 0.4
"""From this chance of "none", an index is looked for in the other directions too."""
FAINT = 0.4
"""Finds fainter than this are not looked for in other directions: hardly any is an index, and there are many."""
OPEN = (0.05, 0.95)
"""A likeliest face between these chances is asked about again, from glances a little beside the first."""
GLANCES = ((0.05, 0.04, 1.0, 0.0), (-0.05, -0.04, 1.0, 0.0), (0.0, 0.0, 1.07, 0.04), (0.0, 0.0, 0.94, -0.04))
"""How each glance is off: shares of the index's width and height, its size, and its turn in radians."""


@dataclass(frozen=True)
class IndexReading:
    """One index: corners (4 x 2 picture pixels, in its own order), chances for every face and, last, for none."""

    quad: Floats
    chances: Floats
    found: float
    mirror_odds: float = 0.0
    """How much it speaks for a picture that a mirror shows so: a logarithm of odds, 0 where it was not asked."""

    @cached_property
    def best(self) -> int:
        """Number of the likeliest face (never "none")."""
        return int(self.chances[:NONE].argmax())

    @cached_property
    def centre(self) -> Floats:
        """Mean of the corners."""
        return np.asarray(self.quad.mean(0), np.float32)

    @property
    def sure(self) -> float:
        """The likeliest face's chance."""
        return float(self.chances[self.best])


def where_jokers_are_rare(readings: Sequence[IndexReading], times: float) -> list[IndexReading]:
    """The readings for a game that has no jokers: each is so many ``times`` less likely one than it looks."""
    out = []
    for r in readings:
        chances = r.chances.copy()
        chances[_JOKER] /= times
        out.append(replace(r, chances=chances / max(float(chances.sum()), 1e-9)))
    return out


class IndexReader:
    """The trained reader: passes that place each patch, then one that names it."""

    def __init__(
        self, weights: Path, threads: int, temperature: float = 1.0, profile: DeckProfile | None = None
    ) -> None:
        self._session = open_network(weights, threads)
        self._temperature = temperature
        self.network = fingerprint(weights)
        self.profile: DeckProfile | None = None
        """Of a person's own deck: how its indices look."""
        self.go_by(profile)
        self.glances = len(GLANCES)

    def go_by(self, profile: DeckProfile | None) -> None:
        """Read by this deck from now on. Raises `ProfileError` for one that another network learned."""
        if profile is not None and profile.network != self.network:
            raise ProfileError(
                f"The deck {profile.name} was learned by an earlier version of the reader, which this one does not "
                "understand; teach it again."
            )
        self.profile = profile

    def _run(self, patches: Sequence[Image]) -> tuple[Floats, Floats, Floats]:
        """Chances (N x faces + none), corner offsets (N x 4 x 2) and features (N x D, each of length 1)."""
        parts = [
            self._session.run(None, {"patches": to_input(np.stack(patches[k : k + BATCH]))})
            for k in range(0, len(patches), BATCH)
        ]
        logits, offsets, features = (np.concatenate(part) for part in zip(*parts, strict=True))
        z = logits.astype(np.float64) / self._temperature
        e = np.exp(z - z.max(1, keepdims=True))
        chances = (e / e.sum(1, keepdims=True)).astype(np.float32)
        profile = self.profile  # another thread may change it meanwhile
        if profile is not None:
            chances = profile.judged(chances, features)
        return chances, offsets.reshape(-1, 4, 2).astype(np.float32), features

    def features(self, levels: Sequence[Image], quads: Sequence[Floats]) -> Floats:
        """What the network describes the patches of these quads by: N x D, each of length 1."""
        return self._run([cut_patch(levels, quad)[0] for quad in quads])[2]

    def read(self, levels: Sequence[Image], found: Sequence[Found]) -> list[IndexReading]:
        """Read every found index of a picture (its pyramid); what turns out to be none is turned and read again."""
        if not found:
            return []
        first = [f.quad for f in found]
        quads = first
        for _ in range(PLACING):
            _, quads = self._pass(levels, quads)
        chances, final = self._pass(levels, quads)
        doubtful = [k for k, f in enumerate(found) if chances[k, NONE] > DOUBT and f.confidence > FAINT]
        if doubtful:
            turned = [q for k in doubtful for q in _turned(first[k])]
            for _ in range(PLACING):
                _, turned = self._pass(levels, turned)
            again, placed = self._pass(levels, turned)
            ways = len(turned) // len(doubtful)
            for n, k in enumerate(doubtful):
                best = max(range(n * ways, (n + 1) * ways), key=lambda j: float(again[j, :NONE].max()))
                if again[best, :NONE].max() > chances[k, :NONE].max():
                    chances[k], final[k] = again[best], placed[best]
        self._look_again(levels, chances, final)
        return [IndexReading(final[k], chances[k], f.confidence) for k, f in enumerate(found)]

    def _look_again(self, levels: Sequence[Image], chances: Floats, quads: list[Floats]) -> None:
        """Where the face is open, the index is placed anew, and the mean (of logarithms) over several glances there
        takes the place of the one look."""
        top = chances[:, :NONE].max(1)
        where = np.flatnonzero((top > OPEN[0]) & (top < OPEN[1]))
        if not len(where) or not self.glances:
            return
        placed = [quads[int(k)] for k in where]
        for _ in range(PLACING_AGAIN):
            chances[where], placed = self._pass(levels, placed)
        for k, quad in zip(where, placed, strict=True):
            quads[int(k)] = quad
        beside = [_beside(quads[int(k)], *glance) for k in where for glance in GLANCES[: self.glances]]
        said, _, _ = self._run([cut_patch(levels, quad)[0] for quad in beside])
        logs = np.log(said.reshape(len(where), -1, said.shape[1]) + 1e-7).sum(1) + np.log(chances[where] + 1e-7)
        mean = np.exp(logs / (min(self.glances, len(GLANCES)) + 1))
        chances[where] = mean / mean.sum(1, keepdims=True)

    def _pass(self, levels: Sequence[Image], quads: Sequence[Floats]) -> tuple[Floats, list[Floats]]:
        """Chances and corrected corners for each quad."""
        cut = [cut_patch(levels, q) for q in quads]
        chances, offsets, _ = self._run([p for p, _ in cut])
        moved = []
        for (_, m), offset in zip(cut, offsets, strict=True):
            moved.append(_back(offset * SCALE + TARGET, m))
        return chances, moved


def _beside(quad: Floats, across: float, down: float, size: float, turn: float) -> Floats:
    """The index's place as a slightly different find would give it."""
    centre = quad.mean(0)
    axes = np.stack([quad[1] - quad[0] + quad[2] - quad[3], quad[3] - quad[0] + quad[2] - quad[1]]) / 2
    c, s = np.cos(turn) * size, np.sin(turn) * size
    moved = (quad - centre) @ np.array([[c, s], [-s, c]], np.float32) + centre + np.array([across, down]) @ axes
    return np.asarray(moved, np.float32)


def _turned(quad: Floats) -> list[Floats]:
    """Where the index may be instead: on its head, or on its side with a pip taken for its suit."""
    right, down = (quad[1] - quad[0] + quad[2] - quad[3]) / 2, (quad[3] - quad[0] + quad[2] - quad[1]) / 2
    rank = quad.mean(0) - 0.25 * down
    out = [np.roll(quad, 2, axis=0)]
    for way in (1.0, -1.0):
        # The rank alone is half an index: what it took for its width is the rank's height.
        tall, wide = way * 1.8 * right, -way * 0.5 * down
        middle = rank + 0.22 * tall
        corners = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]], np.float32)
        out.append(np.asarray(middle + corners @ np.stack([wide, tall]), np.float32))
    return out


def _back(points: Floats, m: NDArray[np.float64]) -> Floats:
    """Patch pixels to picture pixels."""
    inverse = cv2.invertAffineTransform(m)
    return np.asarray(points @ inverse[:, :2].T + inverse[:, 2], np.float32)
