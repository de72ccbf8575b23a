"""What the naming network is taught by: pictures of some of a table's stacks, with its set or without, and truth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from datasets.camera import Rng
from models.recipes.chips_portrayed import Pictured
from vision.chips.appearance import Appearance, described, standard
from vision.chips.crops import Floats, Image
from vision.chips.likeness import GAMMA, USUALLY, explained
from vision.chips.naming import LEAST
from vision.chips.values import COLOURS

STACKS, OFTEN = (1, 2, 3, 5, 8), (0.3, 0.2, 0.2, 0.2, 0.1)
TAUGHT, CALLED = 0.65, 0.6
"""So many pictures come with a set that was shown; in so many of these its colours' names are told."""
SAME_LIGHT, NEAR_LIGHT, NEARLY = 0.4, 0.7, 0.4
"""So many sets were shown in the light in which the stacks stand, so many in that or one of `NEARLY` as far off as is
usual."""
WORDS_OFF = 0.15
EXPECTED, FEW, UNEXPECTED = 0.8, 0.6, 0.08
"""So often it is told which colours are expected; where a table has all twelve, so often only some of them are; so
often one that is there is not."""


@dataclass(frozen=True, eq=False)
class Task:
    """One picture's T portraits as the network is given them (`vision.chips.naming`), and the truth.

    ``chains`` are where each stack begins, its colours, and what it looks like by itself: the logarithms of its chances
    by the set that was shown and by the twelve colours, and whether neighbours look alike. ``names`` are the colours
    that were shown, ``whose`` T x names, once for edges and once for faces, which portraits speak for each.
    """

    pictures: Image
    faces: Floats
    words: Floats
    labels: Floats
    shown: Floats
    usual: Floats
    before: NDArray[np.int64]
    after: NDArray[np.int64]
    chains: list[tuple[int, list[int], Floats, Floats, Floats]]
    names: list[int]
    whose: Floats


@dataclass(frozen=True, eq=False)
class Table:
    """A table, and what each of its stacks looks like by itself: chips x names x lights, as logarithms, by the colours
    that were shown (``names``)."""

    pictured: Pictured
    names: list[int]
    likely: list[NDArray[np.float16]]


def tabled(pictured: Pictured) -> Table:
    """The table with its set learned."""
    names = sorted({c for c, _ in pictured.shown})
    if not names:
        return Table(pictured, [], [])
    own = Appearance.learned((COLOURS[c], it) for c in names for c2, it in pictured.shown if c == c2)
    return Table(
        pictured, names, [np.asarray(own.likely(it.stack.words, it.seen), np.float16) for it in pictured.stacks]
    )


def drawn(tables: list[Table], rng: Rng, stacks: int | None = None, taught: bool | None = None) -> Task:
    """Some ``stacks`` of one table, with its set or without."""
    known = tables[int(rng.integers(len(tables)))]
    table = known.pictured
    some = int(rng.choice(STACKS, p=OFTEN)) if stacks is None else stacks
    picked = [(table.stacks[k], k) for k in rng.permutation(len(table.stacks))[:some]]
    played = sorted({c for it, _ in picked for c in it.order})
    names = _names(known.names, played, rng) if (rng.random() < TAUGHT if taught is None else taught) else []
    usual = _usual(table, played, rng)
    light = rng.random()
    far = np.array(USUALLY) * (0 if light < SAME_LIGHT else NEARLY if light < NEAR_LIGHT else 1)
    ours, theirs = _light(rng, far * NEARLY), _light(rng, far)
    called = rng.random() < CALLED
    parts: list[tuple[Image, Floats, int | None]] = []
    for it, _ in picked:
        off = rng.normal(0, WORDS_OFF, it.stack.words.shape).astype(np.float32)
        parts.append((_lit(it.stack.pictures, ours), described(it.stack.words) + off, None))
    speaks = []
    for k, name in enumerate(names):
        for shown in (it for c, it in table.shown if c == name):
            assert shown.pictures is not None
            parts.append((_lit(shown.pictures, theirs), described(shown.words), name if called else None))
            speaks.append(k)
    total = sum(len(p) for p, _, _ in parts)
    faces, learned = np.zeros(total, np.float32), np.zeros(total, np.float32)
    words, labels = (np.zeros((total, len(COLOURS)), np.float32) for _ in range(2))
    before, after = np.arange(total) - 1, np.arange(total) + 1
    whose = np.zeros((2, total, len(names)), np.float32)
    chains, begin = [], 0
    for n, (pictures, said, label) in enumerate(parts):
        face = begin + len(pictures) - 1
        faces[face] = 1
        words[begin:face] = said
        before[begin] = after[face] = -1
        if n < len(picked):
            it, k = picked[n]
            by_set, by_colour = _by_itself(known, k, names), standard(it.stack.words, _colours(usual))[1]
            chains.append((begin, it.order, by_set, np.log(np.maximum(by_colour, LEAST)), it.alike))
        else:
            learned[begin : face + 1] = 1
            whose[0, begin:face, speaks[n - len(picked)]] = whose[1, face, speaks[n - len(picked)]] = 1
            if label is not None:
                labels[begin : face + 1, label] = 1
        begin = face + 1
    whose /= np.maximum(whose.sum(1, keepdims=True), 1)
    every = np.concatenate([p[:, :, ::-1] if rng.random() < 0.5 else p for p, _, _ in parts])
    return Task(every, faces, words, labels, learned, usual, before, after, chains, names, whose)


def _by_itself(table: Table, stack: int, names: list[int]) -> Floats:
    """Less than all colours of the set may have been shown."""
    if not names:
        return np.zeros((0, 0), np.float32)
    chances = explained(table.likely[stack][:, [table.names.index(c) for c in names]].astype(np.float32))[0]
    return np.asarray(np.log(np.maximum(chances, LEAST)), np.float32)


def _colours(usual: Floats) -> tuple[str, ...]:
    return tuple(c for c, it in zip(COLOURS, usual, strict=True) if it) or COLOURS


def _names(known: list[int], played: list[int], rng: Rng) -> list[int]:
    """Which chips of the table were shown, in any order: all that are played with, mostly, and some others."""
    others = [c for c in known if c not in played]
    rng.shuffle(others)
    names = [c for c in played if c in known]
    names += others[: max(int(rng.integers(max(len(names), 3), len(COLOURS) + 1)) - len(names), 0)]
    rng.shuffle(names)
    return names


def _usual(table: Pictured, played: list[int], rng: Rng) -> Floats:
    """Which colours are expected on that table, 1 each; none where nobody said."""
    usual = np.zeros(len(COLOURS), np.float32)
    if rng.random() < EXPECTED:
        if len(table.colours) == len(COLOURS) and rng.random() < FEW:
            usual[[*played, *rng.permutation(len(COLOURS))[: int(rng.integers(2, 6))]]] = 1
        else:
            usual[[COLOURS.index(c) for c in table.colours]] = 1
        if rng.random() < UNEXPECTED:
            usual[int(rng.choice(played))] = 0
    return usual


def _light(rng: Rng, far: NDArray[np.float64]) -> NDArray[np.uint8]:
    """What each level of the three channels becomes in a light that far off: 256 x 3."""
    bright, warm, green = rng.normal(0, 1, 3) * far
    gains = np.exp([bright - warm, bright + green, bright + warm])
    levels = np.linspace(0, 1, 256)[:, None] ** GAMMA * gains
    return np.asarray(255 * np.clip(levels, 0, 1) ** (1 / GAMMA), np.uint8)


def _lit(pictures: Image, light: NDArray[np.uint8]) -> Image:
    return np.stack([light[pictures[..., c], c] for c in range(3)], -1)
