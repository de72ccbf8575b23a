"""A scripted table: plain cards and hands painted small, and a reader that is told what shows, with faults on order."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from vision.identity import Memory, Tracked, follow
from vision.sightings import FACES, CardSighting, Quad, Reading

WIDTH, HEIGHT, SMALL = 960, 540, 6
FINE = 3
"""Pixels of the frame to one that is painted; ``SMALL`` to one of the shrunken frame."""
CARD_W, CARD_H = 60, 84
INDEX_W, INDEX_H = 12, 20


@dataclass(frozen=True)
class Card:
    """A physical card: its centre in pixels, what is printed on it, and whether that shows."""

    uid: int
    label: str
    x: float
    y: float
    up: bool = True
    sideways: bool = False

    @property
    def corners(self) -> Quad:
        w, h = CARD_W / 2, CARD_H / 2
        a, b, c, d = (-w, -h), (w, -h), (w, h), (-w, h)
        if self.sideways:
            a, b, c, d = (h, -w), (h, w), (-h, w), (-h, -w)
        return tuple((self.x + u, self.y + v) for u, v in (a, b, c, d))  # type: ignore[return-value]

    def inner(self, left: float, top: float, wide: float, high: float) -> Quad:
        """A box of the card, in its own pixels from its top left."""
        a, b, _, d = (np.array(p) for p in self.corners)
        right, down = (b - a) / CARD_W, (d - a) / CARD_H
        points = [(left, top), (left + wide, top), (left + wide, top + high), (left, top + high)]
        return tuple((float(p[0]), float(p[1])) for p in (a + u * right + v * down for u, v in points))  # type: ignore[return-value]

    @property
    def indices(self) -> tuple[Quad, Quad]:
        first = self.inner(3, 3, INDEX_W, INDEX_H)
        last = self.inner(CARD_W - 3 - INDEX_W, CARD_H - 3 - INDEX_H, INDEX_W, INDEX_H)
        return first, (last[2], last[3], last[0], last[1])


@dataclass
class Faults:
    """Chances that a card is missed, read unsurely, or read surely as another; and how far outlines jitter (pixels)."""

    missed: float = 0.0
    unsure: float = 0.0
    wrong: float = 0.0
    jitter: float = 0.0


@dataclass
class Table:
    """Cards (the lowest first), hands (boxes of pixels), and the light; ``plain`` backs look like the felt."""

    seed: int = 1
    cards: list[Card] = field(default_factory=list)
    hands: list[tuple[int, int, int, int]] = field(default_factory=list)
    light: float = 1.0
    faults: Faults = field(default_factory=Faults)
    plain: bool = False

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.seed)
        shape = (HEIGHT // SMALL, WIDTH // SMALL)
        cloth = np.array([58, 92, 28]) + np.random.default_rng(3).normal(0, 6, (*shape, 1))
        self.cloth = np.repeat(np.repeat(cloth, SMALL // FINE, 0), SMALL // FINE, 1)
        self.painted: tuple[object, np.ndarray, np.ndarray] | None = None
        self.count = 0

    def deal(self, label: str, x: float, y: float, up: bool = True, sideways: bool = False) -> Card:
        self.count += 1
        self.cards.append(Card(self.count, label, x, y, up, sideways))
        return self.cards[-1]

    def change(self, card: Card, **changes: object) -> Card:
        self.cards[self.cards.index(card)] = changed = replace(card, **changes)  # type: ignore[arg-type]
        return changed

    def _full(self) -> tuple[np.ndarray, np.ndarray]:
        """The shrunken picture before light and noise, and who owns each painted pixel: a card's uid, 0 the felt, -1 a
        hand."""
        key = (tuple(self.cards), tuple(self.hands))
        if self.painted is not None and self.painted[0] == key:
            return self.painted[1:]
        image, owner = self.cloth.copy(), np.zeros((HEIGHT // FINE, WIDTH // FINE), np.int32)
        for card in self.cards:
            area = _painted(card.corners)
            cv2.fillConvexPoly(owner, area, card.uid)
            plain = self.plain and not card.up
            paper = (235, 240, 240) if card.up else (58, 92, 28) if plain else (60, 50, 190)
            cv2.fillConvexPoly(image, area, paper)
            if plain:
                continue
            cv2.polylines(image, [area], True, (150, 150, 150), 1)
            for x, y, tone in self._print(card):
                cv2.fillConvexPoly(image, _painted(card.inner(x, y, 9, 9)), (tone, tone, 40 if card.up else 230))
        for box in self.hands:
            x0, y0, x1, y1 = (v // FINE for v in box)
            image[y0:y1, x0:x1] = (120, 150, 205)
            owner[y0:y1, x0:x1] = -1
        small = cv2.resize(image, (WIDTH // SMALL, HEIGHT // SMALL), interpolation=cv2.INTER_AREA)
        self.painted = key, small, owner
        return small, owner

    def _print(self, card: Card) -> list[tuple[float, float, float]]:
        rng = np.random.default_rng(FACES.index(card.label) if card.up else 999)
        return [(float(rng.uniform(15, 38)), float(rng.uniform(20, 58)), float(rng.uniform(20, 200))) for _ in range(5)]

    def picture(self) -> np.ndarray:
        """The shrunken frame."""
        small = self._full()[0] * self.light
        return np.clip(small + self.rng.normal(0, 1.5, small.shape), 0, 255).astype(np.uint8)

    def reading(self) -> Reading:
        """What a reader makes of the frame."""
        _, owner = self._full()
        seen = [s for card in self.cards if (s := self._sighting(card, owner)) is not None]
        return Reading(WIDTH, HEIGHT, tuple(seen[k] for k in self.rng.permutation(len(seen))))

    def _sighting(self, card: Card, owner: np.ndarray) -> CardSighting | None:
        f = self.faults
        if self.rng.random() < f.missed:
            return None
        shift = self.rng.normal(0, f.jitter, 2) if f.jitter else np.zeros(2)
        corners = tuple((x + float(shift[0]), y + float(shift[1])) for x, y in card.corners)
        if not card.up:
            if self._shown(owner, card.uid, card.corners) < 0.5:
                return None
            return CardSighting("back", corners, None, 0.9)  # type: ignore[arg-type]
        marks = tuple(q for q in card.indices if self._shown(owner, card.uid, q) > 0.9)
        if not marks:
            return None
        label = card.label
        if self.rng.random() < f.wrong:
            label = FACES[int(self.rng.integers(52))]
        elif self.rng.random() < f.unsure:
            guess = FACES[int(self.rng.integers(52))]
            return CardSighting("unsure", corners, guess, 0.5, {}, marks)  # type: ignore[arg-type]
        return CardSighting("card", corners, label, 0.97, {label: 0.97}, marks)  # type: ignore[arg-type]

    def _shown(self, owner: np.ndarray, uid: int, quad: Quad) -> float:
        corners = _painted(quad)
        low, high = np.maximum(corners.min(0), 0), corners.max(0) + 1
        mine = owner[low[1] : high[1], low[0] : high[0]]
        mask = np.zeros(mine.shape, np.uint8)
        cv2.fillConvexPoly(mask, corners - low, 1)
        return float(np.count_nonzero((mine == uid) & (mask > 0)) / max(int(mask.sum()), 1))


def _painted(quad: Quad) -> np.ndarray:
    return np.round(np.array(quad) / FINE).astype(np.int32)


class Follower:
    """Turns the table's pictures into tracked cards, as the watch loop would."""

    def __init__(self, table: Table, start: int = 1, blind: bool = False) -> None:
        self.table, self.memory, self.at, self.blind = table, Memory(following=start), 10.0, blind
        self.tracked: tuple[Tracked, ...] = ()

    def look(
        self,
        times: int = 1,
        step: float = 0.3,
        settled: bool = True,
        moving: tuple[int, int, int, int] | None = None,
        reading: Reading | None = None,
        looked: np.ndarray | None = None,
    ) -> tuple[Tracked, ...]:
        """So many readings; ``moving`` is a box of pixels where something moves; ``looked`` marks what is read anew in
        the shrunken picture."""
        for _ in range(times):
            self.at += step
            picture = self.table.picture()
            restless = np.zeros(picture.shape[:2], np.bool_)
            if moving is not None:
                x0, y0, x1, y1 = (v // SMALL for v in moving)
                restless[y0:y1, x0:x1] = True
            self.memory, self.tracked = follow(
                self.memory,
                reading or self.table.reading(),
                None if self.blind else picture,
                self.at,
                settled,
                restless,
                looked,
            )
        return self.tracked

    def number(self, card: Card) -> int | None:
        """The number of the tracked card that lies where ``card`` does; None where there is none."""
        near = [
            (float(np.hypot(t.sighting.centre[0] - card.x, t.sighting.centre[1] - card.y)), t.card)
            for t in self.tracked
            if not t.up or not card.up or t.label in (card.label, None) or not t.sure
        ]
        return min(near)[1] if near and min(near)[0] < 12 else None

    def named(self) -> list[str]:
        """The names on the table, backs as "back", in order of number."""
        return [("back" if not t.up else t.label or "?") for t in self.tracked]


def started(*cards: tuple[str, float, float], start: int = 1) -> tuple[Table, Follower]:
    """A table seen empty first, then with these cards dealt one after another."""
    table = Table()
    follower = Follower(table, start)
    follower.look(4)
    for label, x, y in cards:
        table.deal(label, x, y)
        follower.look()
    return table, follower
