"""Learning a person's own deck from pictures of single cards or of a spread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from vision.cards.patches import Floats, Image, pyramid
from vision.cards.profile import DeckProfile, ProfileError
from vision.cards.reader import CardReader
from vision.sightings import CARDS, FACES, CardSighting

SHIFTS = ((0.0, 0.0, 0.0), (0.05, 0.03, 0.06), (-0.05, -0.03, -0.06), (0.04, -0.04, -0.03), (-0.04, 0.04, 0.03))
"""How each index is looked at: moved by shares of its sides, turned by radians; as finds will be off later."""


@dataclass(frozen=True, eq=False)
class Look:
    """One card in a picture: the sighting with the reader's guess, and the features of its indices."""

    sighting: CardSighting
    features: Floats


def look_at(reader: CardReader, image: Image) -> list[Look]:
    """Every card of ``image`` that shows an index; the picture's largest first."""
    levels = pyramid(image)
    looks = []
    for sighting in reader.read(image).sightings:
        if sighting.kind != "back" and sighting.indices:
            quads = [moved(np.array(q, np.float32), *shift) for q in sighting.indices for shift in SHIFTS]
            looks.append(Look(sighting, reader.indices.features(levels, quads)))
    return sorted(looks, key=lambda look: -_size(look.sighting))


def moved(quad: Floats, right: float, down: float, turn: float) -> Floats:
    """The quad moved by shares of its own sides and turned by ``turn`` radians about its middle."""
    across, along = quad[1] - quad[0], quad[3] - quad[0]
    c, s = np.cos(turn), np.sin(turn)
    middle = quad.mean(0)
    return np.asarray(
        (quad - middle) @ np.array([[c, s], [-s, c]]) + middle + right * across + down * along, np.float32
    )


def _size(sighting: CardSighting) -> float:
    corners = np.array(sighting.corners)
    return float(np.linalg.norm(corners[2] - corners[0]))


@dataclass
class Enrolment:
    """A profile in the making; a card shown again adds to what is known of it."""

    name: str
    _features: list[Floats] = field(default_factory=list)
    _labels: list[int] = field(default_factory=list)

    def add(self, label: str, look: Look) -> None:
        """``look`` shows ``label``. Raises ``ValueError`` for what is no card."""
        self._features.append(look.features)
        self._labels += [FACES.index(label)] * len(look.features)

    @property
    def missing(self) -> Sequence[str]:
        """The cards of a pack that have not been shown."""
        return [card for card in CARDS if FACES.index(card) not in set(self._labels)]

    def profile(self) -> DeckProfile:
        """What was learned. Raises :class:`ProfileError` if nothing was."""
        if not self._features:
            raise ProfileError("No card was shown, so there is nothing to keep.")
        return DeckProfile(self.name, np.concatenate(self._features), np.array(self._labels, np.int64))
