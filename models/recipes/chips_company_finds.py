"""What the network that sees a picture's finds together learns from: finds of rendered scenes as they are read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.chips.scene import SeenStack, random_chip_scene
from datasets.chips.strewn import Strewn, strewn
from datasets.processes import in_processes
from vision.cards.patches import pyramid
from vision.chips.appearance import USUAL
from vision.chips.company import facts, picture
from vision.chips.crops import Floats
from vision.chips.finder import Find, shared
from vision.chips.reader import ChipReader
from vision.chips.values import COLOURS, Box

PICTURES = 60
"""So many pictures' finds are kept in one file."""
ANY, SALT, FIRST = 4, 821, 5_000_000
"""Of ten pictures so many show any chips on any table; the rest is strewn (`datasets.chips.strewn`)."""
MATCHED, CLEAR = 0.5, 0.2
"""A find is a stack's where they share that much of their union; where it shares less than `CLEAR` it is no chip."""
SHOWS, COLOUR_SHOWS = 0.35, 0.5
"""So much of a stack must show for its count to be asked for, and its colour."""
UNKNOWN = -1


@dataclass(frozen=True, eq=False)
class Finds:
    """All finds of many pictures: ``facts`` N x F and ``crops`` (`vision.chips.company`), how many chips each is
    (``count``, 0 for none) and the number of the uppermost one's ``colour`` (both `UNKNOWN` where it cannot be said),
    the picture it is of (``scene``), its box and the picture's size (``box`` N x 6).
    """

    facts: Floats
    crops: NDArray[np.uint8]
    count: NDArray[np.int64]
    colour: NDArray[np.int64]
    scene: NDArray[np.int64]
    box: Floats

    @property
    def pictures(self) -> list[NDArray[np.intp]]:
        """The numbers of each picture's finds."""
        begins = np.flatnonzero(np.diff(self.scene)) + 1
        return list(np.split(np.arange(len(self.scene)), begins))


def write(folder: Path, numbers: range, workers: int) -> Iterator[int]:
    """Render and read the pictures of these numbers into ``folder``; files that are there are left alone."""
    folder.mkdir(parents=True, exist_ok=True)
    begins = range(numbers.start, numbers.stop, PICTURES)
    yield from in_processes(partial(_file, folder=folder), begins, workers)


def load(folder: Path) -> Finds:
    """All finds of a folder's files."""
    parts = [np.load(path) for path in sorted(folder.glob("*.npz"))]
    names = ("facts", "crops", "count", "colour", "scene", "box")
    return Finds(*(np.concatenate([part[name] for part in parts]) for name in names))


def pictured(number: int) -> Strewn:
    """The picture of that number."""
    if number % 10 >= ANY:
        return strewn(number)
    width = int(np.random.default_rng([SALT, number]).choice([480, 640, 960]))
    scene = random_chip_scene(FIRST + number, width, width * 3 // 4, (width * 0.03 + 4, width * 0.14))
    return Strewn(scene, frozenset(USUAL))


def _file(begin: int, folder: Path) -> int:
    cv2.setNumThreads(1)
    path = folder / f"{begin:07d}.npz"
    if not path.exists():
        reader = ChipReader.load(threads=1)
        rows = [row for number in range(begin, begin + PICTURES) for row in _finds(reader, number)]
        known, crops, count, colour, scene, box = (np.array(it) for it in zip(*rows, strict=True))
        draft = path.with_suffix(".part")
        with draft.open("wb") as out:
            np.savez(out, facts=known, crops=crops, count=count, colour=colour, scene=scene, box=box)
        draft.replace(path)
    return begin


def _finds(reader: ChipReader, number: int) -> Iterator[tuple[Floats, NDArray[np.uint8], int, int, int, Floats]]:
    """Each find of one picture."""
    shown = pictured(number)
    levels = pyramid(shown.scene.image)
    height, width = levels[0].shape[:2]
    finds, counts = reader.counted(levels, reader.find(levels))
    for find, count in zip(finds, counts, strict=True):
        many, colour = _truth(find, finds, shown.scene.stacks)
        place = np.array([*find.box, width, height], np.float32)
        yield facts(find, count, shown.usual), picture(levels, find.box), many, colour, number, place


def _truth(find: Find, finds: list[Find], stacks: tuple[SeenStack, ...]) -> tuple[int, int]:
    """How many chips the find is, and the number of the uppermost one's colour."""
    boxes: list[Box] = [(*stack.box.tolist(),) for stack in stacks]
    unions = [shared(box, find.box)[0] for box in boxes]
    best = int(np.argmax(unions)) if unions else 0
    if not unions or unions[best] < CLEAR:
        return 0, UNKNOWN
    stack = stacks[best]
    if unions[best] < MATCHED or any(shared(boxes[best], it.box)[0] > unions[best] for it in finds):
        return UNKNOWN, UNKNOWN
    if stack.shape == "other":
        return 0, UNKNOWN
    if stack.shape != "stack" or stack.visible <= SHOWS:
        return UNKNOWN, UNKNOWN
    return len(stack.order), COLOURS.index(stack.order[-1]) if stack.visible > COLOUR_SHOWS else UNKNOWN
