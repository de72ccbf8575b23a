"""What the network that sees a picture's finds together learns from: finds of rendered scenes as they are read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.chips.bench import rendered_splash
from datasets.chips.counted import CountedStack, counted_stacks, labelled, unspeckled
from datasets.chips.orders import played
from datasets.chips.scene import SeenStack, random_chip_scene
from datasets.chips.strewn import Strewn, strewn
from datasets.processes import in_processes
from vision.cards.patches import pyramid
from vision.chips.appearance import USUAL
from vision.chips.company import facts, picture
from vision.chips.crops import Floats, Image
from vision.chips.finder import Find, shared
from vision.chips.reader import ChipReader
from vision.chips.values import COLOURS, Box

PICTURES = 60
"""So many pictures' finds are kept in one file."""
ANY, SPLASHED, SALT, FIRST, FIRST_PHOTOGRAPH = 4, 1, 821, 5_000_000, 95_000_000
"""Of ten pictures so many show any chips on any table, so many chips half over each other (`rendered_splash`); the rest
is strewn (`datasets.chips.strewn`)."""
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


def write(folder: Path, numbers: range, workers: int, followed: bool = False) -> Iterator[int]:
    """Render and read the pictures of these numbers into ``folder``; files that are there are left alone.

    ``followed``: in light that is (`datasets.chips.traced`).
    """
    folder.mkdir(parents=True, exist_ok=True)
    begins = range(numbers.start, numbers.stop, PICTURES)
    yield from in_processes(partial(_file, folder=folder, followed=followed), begins, workers)


def load(*folders: Path) -> Finds:
    """All finds of the folders' files."""
    parts = [np.load(path) for folder in folders for path in sorted(folder.glob("*.npz"))]
    names = ("facts", "crops", "count", "colour", "scene", "box")
    return Finds(*(np.concatenate([part[name] for part in parts]) for name in names))


def pictured(number: int, followed: bool = False) -> Strewn:
    """The picture of that number."""
    if number % 10 >= ANY + SPLASHED:
        return strewn(number, followed)
    if number % 10 >= ANY:
        colours = played(number)
        return Strewn(rendered_splash(FIRST + number // 10, colours, followed), frozenset(colours))
    width = int(np.random.default_rng([SALT, number]).choice([480, 640, 960]))
    scene = random_chip_scene(FIRST + number, width, width * 3 // 4, (width * 0.03 + 4, width * 0.14), followed)
    return Strewn(scene, frozenset(USUAL))


def write_photographs(source: Path, folder: Path) -> None:
    """The same of photographs (images/, labels/ with boxes): as many chips as were counted there, unknown, or none."""
    folder.mkdir(parents=True, exist_ok=True)
    reader = ChipReader.load(threads=1)
    known: defaultdict[Path, list[CountedStack]] = defaultdict(list)
    for stack in counted_stacks(source):
        known[stack.photograph].append(stack)
    rows: list[Row] = []
    for number, path in enumerate(sorted((source / "images").iterdir())):
        image = cv2.imread(str(path))
        if image is None:
            continue
        boxes = _boxes(source / "labels" / f"{path.stem}.txt", image.shape[1], image.shape[0])
        truth = partial(_counted, known=known[path], boxes=boxes)
        rows += _read(reader, unspeckled(np.asarray(image, np.uint8)), USUAL, FIRST_PHOTOGRAPH + number, truth)
    _save(rows, folder / "photographs.npz")


Row = tuple[Floats, NDArray[np.uint8], int, int, int, Floats]


def _file(begin: int, folder: Path, followed: bool) -> int:
    cv2.setNumThreads(1)
    path = folder / f"{begin:07d}.npz"
    if not path.exists():
        reader = ChipReader.load(threads=1)
        _save([row for number in range(begin, begin + PICTURES) for row in _finds(reader, number, followed)], path)
    return begin


def _save(rows: Sequence[Row], path: Path) -> None:
    known, crops, count, colour, scene, box = (np.array(it) for it in zip(*rows, strict=True))
    draft = path.with_suffix(".part")
    with draft.open("wb") as out:
        np.savez(out, facts=known, crops=crops, count=count, colour=colour, scene=scene, box=box)
    draft.replace(path)


def _finds(reader: ChipReader, number: int, followed: bool) -> Iterator[Row]:
    """Each find of one rendered picture."""
    shown = pictured(number, followed)
    return _read(reader, shown.scene.image, shown.usual, number, partial(_truth, stacks=shown.scene.stacks))


def _counted(find: Find, finds: Sequence[Find], known: Sequence[CountedStack], boxes: Sequence[Box]) -> tuple[int, int]:
    """What a find of a photograph is. What nobody counted may be anything; what is far from all boxes is no chip."""
    near = [it for it in known if shared(it.box, find.box)[0] >= MATCHED]
    if near and all(shared(near[0].box, it.box)[0] <= shared(near[0].box, find.box)[0] for it in finds):
        return len(near[0].order), COLOURS.index(near[0].order[-1])
    return (UNKNOWN if any(shared(box, find.box)[0] > 0 for box in boxes) else 0), UNKNOWN


def _boxes(path: Path, width: int, height: int) -> list[Box]:
    """All boxes of a YOLO label file, in pixels."""
    boxes = []
    for found in map(labelled, path.read_text(encoding="utf-8").splitlines()):
        if found is not None:
            x, y, w, h = (float(v) for v in found[1] * [width, height, width, height])
            boxes.append((x - w / 2, y - h / 2, x + w / 2, y + h / 2))
    return boxes


def _read(
    reader: ChipReader, image: Image, usual: Collection[str], number: int,
    truth: Callable[[Find, list[Find]], tuple[int, int]],
) -> Iterator[Row]:  # fmt: skip
    """Each find of a picture; ``truth`` says of one, in sight of all, how many chips it is and of what colour."""
    levels = pyramid(image)
    height, width = levels[0].shape[:2]
    finds, counts = reader.counted(levels, reader.find(levels))
    for find, count in zip(finds, counts, strict=True):
        place = np.array([*find.box, width, height], np.float32)
        yield facts(find, count, usual), picture(levels, find.box), *truth(find, finds), number, place


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
