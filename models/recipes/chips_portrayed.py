"""What the naming network learns from: stacks of crowded tables as they are read, and those tables' chips shown.

A table's chips are each shown alone (some as a small pile), as somebody would to have them learned, and read as the
product reads them then. Its stacks are read as on a calibrated felt, off as finds are, at their true counts.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from datasets.camera import Rng
from datasets.chips.orders import played
from datasets.chips.shards import LEAST_ACROSS, SHOWS, TABLES, cuts_of, wide_cut
from datasets.chips.tables import ChipTable, Laid, box_of, chip_table, crowded, drawn_on, finish_of, places_apart
from datasets.processes import in_processes
from models.recipes.chips_readers import SEEN_ENOUGH
from models.recipes.chips_whole import FOOTED, NEAR, WholeShaker
from vision.cards.patches import pyramid
from vision.cards.runtime import open_network
from vision.chips import seams
from vision.chips.alike import alike, looks
from vision.chips.appearance import Shown
from vision.chips.counter import Counter, chip_words
from vision.chips.crops import ACROSS, FOOT, Floats, to_input
from vision.chips.likeness import edges
from vision.chips.portraits import Portrayed, portraits
from vision.chips.stands import Placer
from vision.chips.values import COLOURS, Box

SALT, LOOK, FIRST = 77, 900, 90_000
"""Of the chance by which chips are shown; the number of the picture in which they are, and of the first of them."""
ALONE, PILE = 0.75, 5
"""So many chips are shown alone, the others as piles of two to so many."""
BOX_OFF = 0.03
"""How far off a find's box is, over its size."""


@dataclass(frozen=True, eq=False)
class Read:
    """A stack with the numbers of its colours from the bottom up (``order``), how its chips' edges look (``seen``) and
    whether neighbours look ``alike`` (`vision.chips.alike`)."""

    stack: Portrayed
    order: list[int]
    seen: Floats
    alike: Floats


@dataclass(frozen=True, eq=False)
class Pictured:
    """One table: the ``colours`` that are played with, its ``stacks``, and the stacks that were ``shown`` of it, each
    with its colour's number."""

    number: int
    colours: tuple[str, ...]
    stacks: list[Read]
    shown: list[tuple[int, Shown]]


@dataclass(frozen=True)
class Networks:
    """The files of the placer, the counter, and the counter for calibrated felts."""

    placer: Path
    counter: Path
    felt_counter: Path


def write(folder: Path, numbers: range, networks: Networks, workers: int, followed: bool = False) -> Iterator[int]:
    """Render and read so many shards of `TABLES` tables into ``folder``; those that are there are left alone.

    ``followed``: in light that is (`datasets.chips.traced`).
    """
    folder.mkdir(parents=True, exist_ok=True)
    yield from in_processes(partial(_shard, folder=folder, networks=networks, followed=followed), numbers, workers)


def load(folder: Path) -> list[Pictured]:
    """All tables of a folder's shards."""
    return [table for path in sorted(folder.glob("*.pickle")) for table in pickle.loads(path.read_bytes())]


def _shard(number: int, folder: Path, networks: Networks, followed: bool) -> int:
    cv2.setNumThreads(1)
    path = folder / f"{number:05d}.pickle"
    if not path.exists():
        placer, counter = Placer(networks.placer, 1), Counter(networks.counter, 1)
        session = open_network(networks.felt_counter, 1)
        made = [
            Pictured(table, played(table), _stacks(table, session, followed), _shown(table, placer, counter, followed))
            for table in range(number * TABLES, (number + 1) * TABLES)
        ]
        draft = path.with_suffix(".part")
        draft.write_bytes(pickle.dumps(made))
        draft.replace(path)
    return number


def _stacks(number: int, session: Any, followed: bool) -> list[Read]:
    """A crowded table's stacks, each from a column that is as far off as one is cut."""
    scene = crowded(number, played(number), followed=followed)
    plain = [
        s for s in scene.stacks
        if min(s.visible / SHOWS, s.across / LEAST_ACROSS, s.seen_front / SEEN_ENOUGH) >= 1
        and np.isfinite(s.seams).all()
    ]  # fmt: skip
    cuts = cuts_of([(image, s, m) for s in plain for image, m in [wide_cut(scene.image, s)]])
    shaker, name, out = WholeShaker(cuts, number), session.get_inputs()[0].name, []
    for k, stack in enumerate(plain):
        column = shaker.column(k, True)
        aspect, step, squash, growth, _ = column["told"]
        off = abs(float(column["foot"]) - FOOT[1])
        if off > NEAR:
            continue
        image = column["image"]
        logits, colours, _, parts = (it[0] for it in session.run(None, {name: to_input(image[None])}))
        runs = seams.best_runs(logits, parts, aspect, step=step, squash=squash, growth=growth, footed=off < FOOTED)
        if len(stack.order) > len(runs.rows):
            continue
        rows, face = runs.rows[len(stack.order) - 1], squash * ACROSS
        read, seen = Portrayed(chip_words(colours, rows, face), portraits(image, rows, face)), looks(image, rows)
        out.append(Read(read, [COLOURS.index(c) for c in stack.order], seen, alike(seen)))
    return out


def _shown(number: int, placer: Placer, counter: Counter, followed: bool) -> list[tuple[int, Shown]]:
    """What is learned of the table's chips, each with its colour's number; one that is miscounted is not."""
    table, rng = chip_table(number), np.random.default_rng([number, SALT])
    laid = _laid(table, rng, played(number))
    levels = pyramid(drawn_on(table, laid, LOOK, finish=finish_of(table) if followed else None)[0])
    boxes: list[Box] = []
    for it in laid:
        x0, y0, x1, y1 = box_of(table, it)
        a, b, c, d = rng.normal(0, BOX_OFF, 4) * [x1 - x0, y1 - y0, x1 - x0, y1 - y0]
        boxes.append((float(x0 + a), float(y0 + b), float(x1 + c), float(y1 + d)))
    counts = counter.read(levels, placer.place(levels, boxes))
    return [
        (
            COLOURS.index(it.order[0]),
            Shown(box, c.words, edges(c.column, c.rows), portraits(c.column, c.rows, c.face)),
        )
        for it, box, c in zip(laid, boxes, counts, strict=True)
        if c.count == len(it.order)
    ]


def _laid(table: ChipTable, rng: Rng, colours: tuple[str, ...]) -> list[Laid]:
    return [
        Laid(FIRST + k, at, (colour,) * (1 if rng.random() < ALONE else int(rng.integers(2, PILE + 1))))
        for k, (at, colour) in enumerate(zip(places_apart(table, rng, len(colours)), colours, strict=False))
    ]
