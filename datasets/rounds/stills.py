"""Still moments of filmed rounds as scenes with exact labels: to learn from, as from any other scene.

Cards of a whole table in a webcam's picture are smaller, and lie among more of a felt, than scenes have them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.camera import Rng
from datasets.deck import Face, Floats
from datasets.layouts import Place
from datasets.pool import decks_for
from datasets.processes import in_processes
from datasets.rounds.film import Conditions, Film
from datasets.rounds.script import HOUSE, Deal
from datasets.rounds.script_file import load_script
from datasets.scene import BACK, Scene, SeenCard, SeenIndex
from datasets.scene_shards import save_cuts
from datasets.yolo import write_scene

MOMENTS: Final = 10
"""Stills of one film."""
LEAST_CARDS: Final = 3
CROPS: Final = 4
"""Crops of a still for the detector, each at a scale of its own."""
SCALES: Final = (0.62, 1.15)
PILE: Final = 3
"""So many of the discarded cards are drawn, one upon the other (`Film`)."""


def stills(film: Film, rng: Rng, most: int = MOMENTS) -> Iterator[Scene]:
    """Moments of the film in which cards lie and none moves; hands may be in the way."""
    found = 0
    for t in np.sort(rng.uniform(min(4.0, film.script.length / 2), film.script.length - 0.5, 6 * most)):
        if found == most:
            return
        if len(film.course.lying(t)) < LEAST_CARDS or any(True for _ in film.course.moving(t)):
            continue
        found += 1
        yield still(film, float(t))


def still(film: Film, t: float) -> Scene:
    """The picture at a second, and the cards that lie there, each with how much of it shows."""
    placed: list[tuple[str, Floats, Face]] = []
    if film.course.discarded(t):
        pile, k = film.spots.discards, min(film.course.discarded(t), PILE) - 1
        top = Place(pile.x + 1.5 * k, pile.y - 2.0 * k, pile.angle + 0.05 * k)
        placed.append((BACK, film.corners(top, t), film.deck.back()))
    for rest in film.course.lying(t):
        face = film.deck.face(rest.label) if rest.up else film.deck.back()
        placed.append((rest.label if rest.up else BACK, film.corners(rest.place, t), face))
    owner = np.full((film.conditions.height, film.conditions.width), -1, np.int16)
    for number, (_, corners, _) in enumerate(placed):
        cv2.fillConvexPoly(owner, np.round(corners * 16).astype(np.int32), number, shift=4)
    owner[film.reached_over(t)] = -1
    cards = []
    for number, (label, corners, face) in enumerate(placed):
        indices = () if label == BACK else _indices(face, corners)
        seen = tuple(SeenIndex(quad, _shown(owner, quad, number)) for quad in indices)
        cards.append(SeenCard(label, corners, _shown(owner, corners, number), seen))
    return Scene(film.at(t, int(t * film.conditions.fps)), tuple(cards), film.seed)


def _indices(face: Face, corners: Floats) -> Iterator[Floats]:
    high, wide = face.texture.shape[:2]
    m = cv2.getPerspectiveTransform(
        np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32), corners.astype(np.float32)
    )
    for quad in face.indices:
        yield np.asarray(cv2.perspectiveTransform(quad.reshape(1, -1, 2).astype(np.float32), m)[0], np.float32)


def _shown(owner: NDArray[np.int16], quad: Floats, number: int) -> float:
    """The share of the quad that `number` owns; what lies outside the picture does not show."""
    high, wide = owner.shape
    (x0, y0), (x1, y1) = np.floor(quad.min(0)).astype(int) - 1, np.ceil(quad.max(0)).astype(int) + 2
    x0, y0, x1, y1 = max(int(x0), 0), max(int(y0), 0), min(int(x1), wide), min(int(y1), high)
    area = abs(float(cv2.contourArea(quad.astype(np.float32))))
    if x1 <= x0 or y1 <= y0 or area < 1:
        return 0.0
    inside = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillConvexPoly(inside, np.round((quad - [x0, y0]) * 16).astype(np.int32), 1, shift=4)
    return min(float(((owner[y0:y1, x0:x1] == number) & (inside > 0)).sum()) / area, 1.0)


def crop(scene: Scene, rng: Rng, size: int) -> Scene:
    """A square of the scene round one of its cards, at a scale of ``SCALES``, as a scene of its own."""
    scale = float(np.exp(rng.uniform(*np.log(SCALES))))
    image = cv2.resize(
        scene.image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    )
    middle = scene.cards[int(rng.integers(len(scene.cards)))].corners.mean(0) * scale
    low = np.maximum([image.shape[1] - size, image.shape[0] - size], 0)
    corner = np.clip(middle - rng.uniform(0.2, 0.8, 2) * size, 0, low).astype(int)
    x, y = int(corner[0]), int(corner[1])

    def inside(quad: Floats) -> tuple[Floats, float]:
        moved = (quad * scale - corner).astype(np.float32)
        cut = np.clip(moved, 0, size)
        return moved, abs(float(cv2.contourArea(cut))) / max(abs(float(cv2.contourArea(moved))), 1e-6)

    cards = []
    for card in scene.cards:
        corners, share = inside(card.corners)
        indices = []
        for index in card.indices:
            quad, whole = inside(index.quad)
            indices.append(SeenIndex(quad, index.visible * float(whole > 0.99)))
        cards.append(replace(card, corners=corners, visible=card.visible * share, indices=tuple(indices)))
    return Scene(np.ascontiguousarray(image[y : y + size, x : x + size]), tuple(cards), scene.seed)


def filmed(script: Path, number: int) -> tuple[Film, Rng]:
    """A script filmed under conditions, and with a deck, drawn for its number."""
    rng, acts = np.random.default_rng([number, 5]), load_script(script)
    conditions = Conditions(
        lines=bool(rng.random() < 0.5),
        markers=bool(rng.random() < 0.6),
        noise=float(rng.uniform(1, 4.5)),
        light="changing" if rng.random() < 0.5 else "steady",
        house_hands=max((it.hand for it in acts.acts if isinstance(it, Deal) and it.seat == HOUSE), default=1),
    )
    decks = decks_for(number * 8 + int(rng.integers(8)))
    return Film(acts, number, conditions, deck=decks[int(rng.integers(len(decks)))]), rng


def write_crops(folder: Path, scripts: Sequence[Path], size: int, workers: int) -> None:
    """Crops of all scripts' films with the detector's labels, beside its scenes in ``folder``/images and /labels."""
    job = partial(_crops, folder=folder, size=size)
    for _ in in_processes(job, list(enumerate(scripts)), workers, at_once=2):
        pass


def _crops(script: tuple[int, Path], folder: Path, size: int) -> int:
    cv2.setNumThreads(1)
    number, path = script
    film, rng = filmed(path, number)
    for k, scene in enumerate(stills(film, rng)):
        for n in range(CROPS):
            write_scene(folder, f"film_{number:06d}_{k:02d}_{n}", crop(scene, rng, size))
    return number


def write_cuts(cut: Callable[[Scene, Rng, int], Any], folder: Path, scripts: Iterable[Path], workers: int) -> None:
    """What ``cut`` makes of all scripts' stills (a dataclass of arrays; one copy of each card), a shard a film."""
    folder.mkdir(parents=True, exist_ok=True)
    job = partial(_cuts, cut=cut, folder=folder)
    for _ in in_processes(job, list(enumerate(scripts)), workers, at_once=2):
        pass


def _cuts(script: tuple[int, Path], cut: Callable[[Scene, Rng, int], Any], folder: Path) -> int:
    cv2.setNumThreads(1)
    number, path = script
    film, rng = filmed(path, number)
    parts = [cut(scene, rng, 1) for scene in stills(film, rng)]
    if parts:
        save_cuts(folder / f"film_{number:06d}.npz", parts)
    return number
