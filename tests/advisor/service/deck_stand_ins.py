"""A stand-in for the card reader that reads what a test says lies before it, each card with features of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from vision.cards.profile import DeckProfile, ProfileError
from vision.sightings import FACES, CardSighting, Reading


class FakeIndices:
    """Describes what was read last: one direction for each face."""

    def __init__(self) -> None:
        self.profile: DeckProfile | None = None
        self.network = "one"
        self.labels: list[str] = []

    def go_by(self, profile: DeckProfile | None) -> None:
        """As `IndexReader.go_by`."""
        if profile is not None and profile.network != self.network:
            raise ProfileError("teach it again")
        self.profile = profile

    def features(self, levels: Any, quads: Sequence[Any]) -> np.ndarray:
        """As `IndexReader.features`; asked for once for each card, in order."""
        out = np.zeros((len(quads), len(FACES)), np.float32)
        out[:, FACES.index(self.labels.pop(0))] = 1
        return out


class FakeReader:
    """`lies` are the labels and whether each is read surely, the largest card first."""

    def __init__(self) -> None:
        self.indices = FakeIndices()
        self.lies: list[tuple[str, bool]] = []
        self.moved = 0.0

    def read(self, image: Any, /) -> Reading:
        """As `CardReader.read`."""
        self.indices.labels = [label for label, _ in self.lies]
        return Reading(640, 480, tuple(self._card(k, *card) for k, card in enumerate(self.lies)))

    def _card(self, k: int, label: str, sure: bool) -> CardSighting:
        x, y, size = 20.0 + 120 * k + self.moved, 30.0, 100.0 - k
        corners = ((x, y), (x + size, y), (x + size, y + 1.4 * size), (x, y + 1.4 * size))
        index = ((x + 2, y + 2), (x + 14, y + 2), (x + 14, y + 30), (x + 2, y + 30))
        return CardSighting("card" if sure else "unsure", corners, label, 0.99 if sure else 0.5, {}, (index,))
