"""Learning a person's own deck from pictures of single cards or of a spread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.cards.patches import Floats, Image, pyramid
from vision.cards.profile import DeckProfile, ProfileError
from vision.cards.reader import CardReader
from vision.sightings import CARDS, FACES, CardSighting

SHIFTS = ((0.0, 0.0, 0.0), (0.05, 0.03, 0.06), (-0.05, -0.03, -0.06), (0.04, -0.04, -0.03), (-0.04, 0.04, 0.03))
"""How each index is looked at: moved by shares of its sides, turned by radians; as finds will be off later."""
SURE = 0.97
"""From this confidence on a card's own reading is taken without a question."""
RESTS = 0.03
"""A card rests when it moves less than this share of its diagonal between two pictures."""


@dataclass(frozen=True, eq=False)
class Look:
    """One card in a picture: the sighting with the reader's guess, and the features of its indices."""

    sighting: CardSighting
    features: Floats

    @property
    def sure(self) -> bool:
        """Whether the reader's own word on it needs no question."""
        return self.sighting.kind == "card" and self.sighting.confidence >= SURE


def look_at(reader: CardReader, image: Image) -> list[Look]:
    """Every card of ``image`` that shows an index; the picture's largest first."""
    reading, looks = reader.read(image), []
    if reading.mirrored:  # what a mirror shows is not what the deck looks like
        image, reading = np.ascontiguousarray(image[:, ::-1]), reading.in_mirror()
    levels = pyramid(image)
    for sighting in reading.sightings:
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


def rests(before: CardSighting, now: CardSighting) -> bool:
    """Whether the same card lies where it lay in the picture before."""
    (ax, ay), (bx, by) = before.centre, now.centre
    (cx, cy), (dx, dy) = now.corners[0], now.corners[2]
    return before.label == now.label and abs(ax - bx) + abs(ay - by) < RESTS * (abs(cx - dx) + abs(cy - dy))


def _size(sighting: CardSighting) -> float:
    corners = np.array(sighting.corners)
    return float(np.linalg.norm(corners[2] - corners[0]))


@dataclass
class Enrolment:
    """A profile in the making; a card shown again adds to what is known of it."""

    name: str
    network: str
    """What describes its indices (`IndexReader.network`)."""
    _parts: list[tuple[Floats, NDArray[np.int64]]] = field(default_factory=list)
    """Features and, for each, its face's number; one part for each card shown."""

    @classmethod
    def of(cls, profile: DeckProfile) -> Enrolment:
        """One that goes on from what is known already."""
        return cls(profile.name, profile.network, [(profile.features, profile.labels)])

    def add(self, label: str, look: Look) -> None:
        """``look`` shows ``label``, whatever was said of it before. Raises ``ValueError`` for what is no card."""
        number = FACES.index(label)
        self._parts = [part for part in self._parts if part[0] is not look.features]
        self._parts.append((look.features, np.full(len(look.features), number, np.int64)))

    @property
    def learned(self) -> Sequence[str]:
        """The faces that have been shown, jokers too."""
        shown = {int(k) for _, labels in self._parts for k in labels}
        return [face for k, face in enumerate(FACES) if k in shown]

    @property
    def missing(self) -> Sequence[str]:
        """The cards of a pack that have not been shown."""
        learned = set(self.learned)
        return [card for card in CARDS if card not in learned]

    def profile(self) -> DeckProfile:
        """What was learned. Raises :class:`ProfileError` if nothing was."""
        if not self._parts:
            raise ProfileError("No card was shown, so there is nothing to keep.")
        features, labels = zip(*self._parts, strict=True)
        return DeckProfile(self.name, np.concatenate(features), np.concatenate(labels), self.network)
