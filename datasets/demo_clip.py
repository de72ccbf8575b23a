"""The demo's clip: a home blackjack round, dealt card by card by the renderer with the project's own deck.

Nothing about the round is stored beside the pictures: whatever the display shows was read from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from datasets.backgrounds import felt
from datasets.deck import Deck, Floats, Image
from datasets.drawn import Style, drawn_deck
from datasets.layouts import Place
from datasets.scene import BACK, View, camera_view, compose

WIDTH, HEIGHT, FPS = 1280, 720, 12
REST, GLIDE, EMPTY = 14, 5, 42
"""Frames between two cards, those that a card takes from the shoe to its place, and those of the empty table before."""
SHOE = (330.0, -230.0)
Lying = tuple[tuple[Place, str], ...]
"""Cards on the table, the lowest first."""


@dataclass(frozen=True)
class Move:
    """A card comes to lie at ``place``; with ``turns`` it replaces the face-down card that was dealt as ``turns``."""

    label: str
    place: Place
    turns: int | None = None


def _spot(x: float, y: float, number: int) -> Place:
    """The ``number``-th card of a hand whose first card lies at (x, y) millimetres: stepped right and up."""
    return Place(x + 19.0 * number, y - 15.0 * number, 0.03 * ((number % 3) - 1))


def _dealer(number: int, face_down: bool = False) -> Place:
    return Place(-40.0 + 76.0 * number, -165.0, 0.015 * ((-1) ** number), face_down)


LEFT, MIDDLE, RIGHT = (-270.0, 90.0), (-20.0, 110.0), (230.0, 90.0)
ROUND: tuple[Move, ...] = (
    Move("8S", _spot(*LEFT, 0)),
    Move("AD", _spot(*MIDDLE, 0)),
    Move("5C", _spot(*RIGHT, 0)),
    Move("10H", _dealer(0)),
    Move("3H", _spot(*LEFT, 1)),
    Move("6C", _spot(*MIDDLE, 1)),
    Move("6D", _spot(*RIGHT, 1)),
    Move(BACK, _dealer(1, face_down=True)),
    Move("KC", _spot(*LEFT, 2)),
    Move("4S", _spot(*MIDDLE, 2)),
    Move("9D", _spot(*RIGHT, 2)),
    Move("6S", _dealer(1), turns=7),
    Move("QC", _dealer(2)),
)
"""11 takes a king; soft 17 takes a four; 11 takes a nine; the dealer turns up 16 and busts with a queen."""


class _Set:
    """Deck, camera, cloth and lamp: the same for every picture of the clip."""

    def __init__(self) -> None:
        self.deck = drawn_deck(Style(rank_height=0.1, suit_height=0.078, back_seed=4))
        self.view = camera_view(WIDTH, HEIGHT, 128, np.radians(62), -np.pi / 2, 0.0, np.radians(50))
        cloth = np.full((HEIGHT, WIDTH, 3), (58, 92, 28), np.float32)
        cloth += felt(np.random.default_rng(2), HEIGHT, WIDTH).mean(2, keepdims=True) * 0.12
        self.cloth, self.light = np.asarray(cloth, np.float32), _lamp()

    def picture(self, lying: Lying) -> Floats:
        """The table with these cards on it, before the sensor's noise."""
        return _picture(lying, self.deck, self.view, self.cloth, self.light)


def _after(lying: Lying, dealt: tuple[int, ...], move: Move, number: int) -> tuple[Lying, tuple[int, ...]]:
    """The cards on the table, and each one's move, once ``move`` (the ``number``-th) is done."""
    if move.turns is not None and move.turns in dealt:
        at = dealt.index(move.turns)
        return (*lying[:at], (move.place, move.label), *lying[at + 1 :]), dealt
    return (*lying, (move.place, move.label)), (*dealt, number)


def last_picture(moves: Sequence[Move] = ROUND) -> Image:
    """The table after all the moves, BGR, ``HEIGHT`` x ``WIDTH`` x 3."""
    lying: Lying = ()
    dealt: tuple[int, ...] = ()
    for number, move in enumerate(moves):
        lying, dealt = _after(lying, dealt, move, number)
    return np.clip(_Set().picture(lying), 0, 255).astype(np.uint8)


def frames(moves: Sequence[Move] = ROUND, seed: int = 11) -> Iterator[Image]:
    """Every frame of the round, BGR, ``HEIGHT`` x ``WIDTH`` x 3."""
    rng = np.random.default_rng(seed)
    scene = _Set()

    def shoot(lying: Lying, count: int = 1) -> Iterator[Image]:
        still = scene.picture(lying)
        for _ in range(count):
            noise = rng.standard_normal(still.shape, dtype=np.float32) * 2.2
            yield np.clip(still + noise, 0, 255).astype(np.uint8)

    lying: Lying = ()
    dealt: tuple[int, ...] = ()
    yield from shoot(lying, EMPTY)
    for number, move in enumerate(moves):
        if move.turns is None:
            for step in range(1, GLIDE):
                yield from shoot((*lying, (_between(move.place, step / GLIDE), move.label)))
        lying, dealt = _after(lying, dealt, move, number)
        yield from shoot(lying, REST)
    yield from shoot(lying, 2 * REST)


def _between(place: Place, share: float) -> Place:
    ease = 1 - (1 - share) ** 2
    return replace(place, x=SHOE[0] + (place.x - SHOE[0]) * ease, y=SHOE[1] + (place.y - SHOE[1]) * ease)


def _lamp() -> Floats:
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
    d = ((x - WIDTH * 0.45) / WIDTH) ** 2 + ((y - HEIGHT * 0.4) / HEIGHT) ** 2
    return np.asarray((1.06 - 0.55 * d)[..., None] * np.array([0.9, 0.98, 1.04]), np.float32)


def _picture(lying: Lying, deck: Deck, view: View, cloth: Floats, light: Floats) -> Floats:
    placed = [(place, deck, label) for place, label in lying]
    # The same generator each time: a card that lies still must not change its shade from frame to frame.
    image, _ = compose(np.clip(cloth, 0, 255).astype(np.uint8), view, placed, np.random.default_rng(3), clutter=False)
    return np.asarray(cv2.GaussianBlur(image.astype(np.float32) * light, (0, 0), 0.6), np.float32)


def write_clip(path: Path, moves: Sequence[Move] = ROUND, done: Callable[[], None] | None = None) -> None:
    """Render the round and write it as MPEG-4. Raises ``OSError`` where the file cannot be written."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), FPS, (WIDTH, HEIGHT))
    if not writer.isOpened():
        raise OSError(f"{path}: it could not be written; check the folder.")
    for frame in frames(moves):
        writer.write(frame)
        if done:
            done()
    writer.release()
