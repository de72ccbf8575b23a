"""A picture of one hand as a person photographed it: its cards as they lie, and what is wrong with the picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import dist
from statistics import median

from advisor.table.hand_doubts import doubles, gaps
from advisor.table.melds import hands_seen, in_order
from vision.sightings import CardSighting, Quad, Reading, middle

BLURRED = 0.085
"""Edges wider than this share of an index's patch (`vision.cards.sharpness`) are a blurred picture's: of rendered fans
blurred step by step, cards begin to be lost between .08 and .1."""

SMALL = 12.0
"""Pixels; in pictures whose indices are mostly lower cards are misread surely. Of 50 photographs shrunk step by step 20
of 101 such pictures had a sure card wrong, and 5 of 153 with indices from 15 pixels on."""


class Trouble(StrEnum):
    """What can be wrong with a picture of a hand."""

    NO_CARDS = "no-cards"
    BLURRED = "blurred"
    SMALL = "small"
    SEVERAL_HANDS = "several-hands"
    FACE_DOWN = "face-down"
    UNSURE = "unsure"
    GAP = "gap"
    TWICE = "twice"
    BURNT = "burnt"


DOUBTS = frozenset({Trouble.GAP, Trouble.TWICE, Trouble.BURNT})
"""What is only likely, and may be passed over by who has looked."""


@dataclass(frozen=True)
class HandSeen:
    """One hand in one picture."""

    faces: tuple[CardSighting, ...]
    """Cards lying face up, sure or not, along the line on which they lie."""
    backs: int
    hands: int
    """How many hands the picture shows, by what lies far apart."""
    blurred: bool
    small: bool = False
    """Whether its cards are too small in it to be relied on."""
    burnt: tuple[Quad, ...] = ()
    """Where the picture is burnt out just where the hand goes on (`vision.cards.glare`)."""

    @property
    def unsure(self) -> tuple[CardSighting, ...]:
        """Those that somebody should look at."""
        return tuple(s for s in self.faces if s.kind == "unsure")

    @property
    def troubles(self) -> tuple[tuple[Trouble, str], ...]:
        """Everything wrong with the picture, each with a sentence that says what to do."""
        return tuple(self._troubles())

    def _troubles(self) -> Iterator[tuple[Trouble, str]]:
        if not self.faces:
            yield Trouble.NO_CARDS, "no card was found; take it again, sharp and from nearer."
            return
        if self.hands > 1:
            yield Trouble.SEVERAL_HANDS, f"it shows {self.hands} hands far apart; take a picture of each."
        if self.small:
            yield Trouble.SMALL, "its cards are too small to be read surely; take it from nearer, or give it unshrunk."
        if self.blurred and self.unsure:
            yield Trouble.BLURRED, "it is blurred; hold the camera still, or give it more light, and take it again."
        if self.unsure:
            number = len(self.unsure)
            which = (
                "1 card is not certain; say what it is."
                if number == 1
                else f"{number} cards are not certain; say what they are."
            )
            yield Trouble.UNSURE, which
        for a, b in gaps(self.faces):
            yield (
                Trouble.GAP,
                f"between {_name(a)} and {_name(b)} a card may lie that was not read; look at the picture.",
            )
        for place in self.burnt:
            beside = min(self.faces, key=lambda face: _away(face, place))
            yield (
                Trouble.BURNT,
                f"beside {_name(beside)} a lamp burns the picture out; a card may lie there that cannot be seen.",
            )
        for face in doubles(self.faces):
            yield Trouble.TWICE, f"{_name(face)} may be one card seen twice; if so, count it once."
        if self.backs:
            number = self.backs
            yield Trouble.FACE_DOWN, f"{number} face-down card{' is' if number == 1 else 's are'} not counted."


def _name(face: CardSighting) -> str:
    return face.label or "a card that could not be read"


def _away(face: CardSighting, place: Quad) -> float:
    """How far it is (pixels) from a place to the nearest of a card's indices."""
    middles = [middle(quad) for quad in face.indices] or [face.centre]
    return min(dist(it, middle(place)) for it in middles)


def hand_seen(reading: Reading, edge: float | None = None, burnt: Sequence[Quad] = ()) -> HandSeen:
    """The hand that was read; ``edge`` is how wide its indices' edges are, where that was measured, ``burnt`` where a
    lamp burns the picture out at the hand's ends."""
    faces = (*reading.cards, *reading.unsure)
    heights = [max(dist(q[k], q[k - 1]) for k in range(4)) for face in faces for q in face.indices]
    return HandSeen(
        in_order(faces) if faces else (),
        len(reading.backs),
        hands_seen(faces),
        blurred=edge is not None and edge > BLURRED,
        small=bool(heights) and median(heights) < SMALL,
        burnt=tuple(burnt),
    )
