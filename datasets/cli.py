"""The ``tableside dataset`` commands: look at rendered pictures, and write them."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from datasets.deck import Image
from datasets.scene import BACK, Scene


def register(commands: Any) -> Any:
    """Add ``dataset`` with its commands to an argparse sub-command list; the list of its commands, for more of them."""
    dataset = commands.add_parser(
        "dataset",
        help="render labelled pictures of cards",
        description="Render labelled pictures.",
        epilog="example: tableside dataset sheet sheet.jpg --count 12",
    )
    which = dataset.add_subparsers(dest="dataset_command", required=True, metavar="COMMAND")
    sheet = which.add_parser(
        "sheet", help="a contact sheet of rendered scenes", epilog="example: tableside dataset sheet sheet.jpg --seed 7"
    )
    sheet.add_argument("picture", type=Path, help="where to write the sheet (JPEG or PNG)")
    sheet.add_argument("--seed", type=int, default=0, help="first scene's seed (default 0)")
    sheet.add_argument("--count", type=_count, default=24, help="how many scenes (default 24)")
    sheet.add_argument("--labels", action="store_true", help="draw the labels too")
    sheet.set_defaults(run=run_sheet)
    render = which.add_parser(
        "render",
        help="write scenes as a detection data set",
        epilog="example: tableside dataset render out --count 1000",
    )
    render.add_argument("folder", type=Path, help="gets images/ and labels/")
    render.add_argument("--count", type=_count, default=1000, help="how many scenes (default 1000)")
    render.add_argument("--seed", type=int, default=0, help="first scene's seed (default 0)")
    render.add_argument("--size", type=int, default=416, help="pixels a side (default 416)")
    render.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes (default: one a core)")
    render.set_defaults(run=run_render)
    groups = which.add_parser(
        "groups",
        help="write pictures of hard situations, with a manifest for tableside bench cards",
        epilog="example: tableside dataset groups hard && tableside bench cards hard/manifest.json",
    )
    groups.add_argument("folder", type=Path, help="gets the pictures and manifest.json")
    groups.add_argument("--pictures", type=_count, default=20, help="pictures of each situation (default 20)")
    groups.set_defaults(run=run_groups)
    compare = which.add_parser(
        "compare",
        help="a page of rendered pictures beside photographs, with figures",
        epilog="example: tableside dataset compare page --photographs photos/cards/train",
    )
    compare.add_argument("folder", type=Path, help="gets index.html and its pictures; keep it out of the project")
    compare.add_argument("--photographs", type=Path, nargs="+", required=True, help="folders of photographs")
    compare.add_argument("--count", type=_count, default=40, help="pictures of each (default 40)")
    compare.set_defaults(run=run_compare)
    return which


def _count(text: str) -> int:
    """An argparse type: a whole number of at least one."""
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text}: give a whole number, 1 or more")
    return int(text)


def run_sheet(arguments: argparse.Namespace) -> int:
    """``tableside dataset sheet``."""
    from datasets.pool import decks_for
    from datasets.scene import random_scene

    if not cv2.haveImageWriter(str(arguments.picture)) or not arguments.picture.parent.is_dir():
        print(f"{arguments.picture}: it could not be written; check the folder and the ending (.jpg).", file=sys.stderr)
        return 1
    tiles = []
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        decks = decks_for(seed)
        scene = random_scene(seed, 416, 416, (40, 480), decks, decks)
        tiles.append(labelled(scene) if arguments.labels else scene.image)
    if not cv2.imwrite(str(arguments.picture), contact_sheet(tiles)):
        print(f"{arguments.picture}: it could not be written; check the folder and the ending (.jpg).", file=sys.stderr)
        return 1
    print(arguments.picture)
    return 0


def run_render(arguments: argparse.Namespace) -> int:
    """``tableside dataset render``."""
    from datasets.yolo import write_scenes

    count, finished = arguments.count, 0
    show = sys.stderr.isatty()

    def done() -> None:
        nonlocal finished
        finished += 1
        if show and (finished % 20 == 0 or finished == count):
            print(f"\r{finished}/{count} scenes", end="", file=sys.stderr, flush=True)

    seeds = range(arguments.seed, arguments.seed + count)
    write_scenes(arguments.folder, seeds, arguments.size, (40, 480), arguments.workers, done)
    print(f"{'' if not show else chr(10)}{count} scenes in {arguments.folder}")
    return 0


def run_groups(arguments: argparse.Namespace) -> int:
    """``tableside dataset groups``."""
    from datasets.groups import GROUPS, write_groups

    total = len(GROUPS) * arguments.pictures
    try:
        for written, last in enumerate(write_groups(arguments.folder, arguments.pictures), 1):
            if sys.stderr.isatty() and written <= total:
                print(f"\r{written}/{total} pictures", end="\n" * (written == total), file=sys.stderr, flush=True)
            manifest = last
    except OSError as error:
        print(f"{arguments.folder}: it could not be written ({error.strerror}).", file=sys.stderr)
        return 1
    print(manifest)
    return 0


def run_compare(arguments: argparse.Namespace) -> int:
    """``tableside dataset compare``."""
    from datasets.compare import write_page

    count, finished = arguments.count, 0

    def done() -> None:
        nonlocal finished
        finished += 1
        if sys.stderr.isatty():
            print(f"\r{finished}/{2 * count} pictures", end="", file=sys.stderr, flush=True)

    try:
        page = write_page(arguments.folder, arguments.photographs, count, done)
    except (OSError, ValueError) as error:
        words = error.strerror if isinstance(error, OSError) else error
        print(f"{arguments.folder}: the page could not be written ({words}).", file=sys.stderr)
        return 1
    print(page)
    return 0


def contact_sheet(tiles: list[Image], columns: int = 6) -> Image:
    """Pictures of one size side by side."""
    blank = np.zeros_like(tiles[0])
    rows = [tiles[k : k + columns] for k in range(0, len(tiles), columns)]
    rows[-1] += [blank] * ((columns if len(rows) > 1 else len(rows[-1])) - len(rows[-1]))
    return np.vstack([np.hstack(row) for row in rows])


def labelled(scene: Scene) -> Image:
    """The scene with outlines: faces yellow, backs blue, indices magenta with a dot at their own top-left."""
    image = scene.image.copy()
    for card in scene.cards:
        if card.visible > 0.3:
            colour = (255, 100, 0) if card.label == BACK else (0, 200, 255)
            cv2.polylines(image, [card.corners.round().astype(np.int32)], True, colour, 1, cv2.LINE_AA)
        for index in card.indices:
            if index.visible > 0.72:
                cv2.polylines(image, [index.quad.round().astype(np.int32)], True, (255, 0, 255), 1, cv2.LINE_AA)
                x, y = index.quad[0]
                cv2.circle(image, (round(float(x)), round(float(y))), 2, (0, 255, 0), -1)
    return image
