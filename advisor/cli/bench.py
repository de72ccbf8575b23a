"""``tableside bench``: how well tableside does on labelled pictures."""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from advisor.cli import bench_chips, bench_odds, bench_rummy, bench_table
from advisor.cli.read import add_reader_options, load_reader
from advisor.cli.terminal import Failure, Progress, command, count

if TYPE_CHECKING:
    from datasets.bench import Item, Misread, Score

LONGEST: Final = 16384
"""Pixels of a side that a picture is enlarged to at the most."""
NAMED: Final = 3
"""So many pictures that could not be opened are named."""


def register(commands: Any) -> None:
    """Add the sub-commands."""
    parser = command(
        commands, "bench", "measure how well cards are read, and how fast", "tableside bench cards manifest.json"
    )
    what = parser.add_subparsers(dest="what", required=True, metavar="WHAT")
    cards = command(
        what,
        "cards",
        "precision, recall, F1, exact pictures and time on labelled pictures",
        "tableside bench cards photos/manifest.json --source phone",
    )
    cards.add_argument("manifest", type=Path, help="JSON that lists the pictures and their cards")
    cards.add_argument("--source", help="only pictures whose source contains this text")
    cards.add_argument("--json", action="store_true", help="print one JSON object")
    cards.add_argument("--misread", action="store_true", help="list the pictures that were not read exactly")
    cards.add_argument(
        "--reliability", type=Path, metavar="FILE.svg", help="draw confidence against the share that is right"
    )
    cards.add_argument(
        "--baseline",
        type=Path,
        metavar="FILE.onnx",
        help="also score a plain 52-class YOLO (models/recipes/plain.py makes one)",
    )
    add_reader_options(cards)
    cards.set_defaults(run=run_cards)
    speed = command(
        what,
        "speed",
        "median milliseconds of reading one picture again and again",
        "tableside bench speed frame.jpg --size 1920x1080 --rounds 30",
    )
    speed.add_argument("image", type=Path, metavar="IMAGE", help="the picture to read")
    speed.add_argument("--size", type=_size, metavar="WxH", help="first make it this size, e.g. 1920x1080")
    speed.add_argument("--rounds", type=count, default=20, help="how often (default 20)")
    speed.add_argument("--json", action="store_true", help="print one JSON object")
    add_reader_options(speed)
    speed.set_defaults(run=run_speed)
    bench_odds.register(what)
    bench_rummy.register(what)
    bench_table.register(what)
    bench_chips.register(what)


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.lower().partition("x")
    if not (width.isdigit() and height.isdigit() and 0 < int(width) <= LONGEST and 0 < int(height) <= LONGEST):
        raise argparse.ArgumentTypeError(f"{text}: write width x height, such as 1920x1080, up to {LONGEST} each")
    return int(width), int(height)


def run_cards(arguments: argparse.Namespace) -> int:
    """Read every picture of the manifest and score it."""
    from datasets.bench import ManifestError, bench_cards, load_manifest, table
    from datasets.reliability import bins_of, reliability_svg, reliability_table

    try:
        items = load_manifest(arguments.manifest, arguments.source)
    except ManifestError as error:
        raise Failure(str(error)) from error
    if not items:
        raise Failure(f"{arguments.manifest}: it lists no pictures for this source; check --source.")
    reader = load_reader(arguments)
    progress = Progress(len(items))
    progress.draw()
    scores, wrong = bench_cards(items, reader, progress.step)
    progress.clear()
    plain = _baseline(arguments.baseline, items) if arguments.baseline else None
    bins = bins_of(scores["all"].claims)
    if arguments.reliability:
        try:
            arguments.reliability.write_text(reliability_svg(bins, "Confidence of cards read"), encoding="utf-8")
        except OSError as error:
            raise Failure(f"{arguments.reliability}: it could not be written ({error.strerror}).") from error
    if arguments.json:
        misread = [
            {"image": str(m.image), "missed": m.missed, "extra": m.extra, "trouble": m.trouble or None} for m in wrong
        ]
        found: dict[str, Any] = {"scores": {n: s.as_dict() for n, s in scores.items()}, "misread": misread}
        if plain is not None:
            found["baseline"] = {n: s.as_dict() for n, s in plain.items()}
        print(json.dumps(found))
        return _unopened(wrong)
    if arguments.misread:
        for m in wrong:
            print(f"{m.image}: missed {' '.join(m.missed) or 'none'}, extra {' '.join(m.extra) or 'none'}")
    print(table(scores))
    if plain is not None:
        print(f"\nThe plain 52-class network on the same pictures:\n{table(plain)}")
    if arguments.reliability:
        print(reliability_table(bins))
    return _unopened(wrong)


def _unopened(wrong: Sequence[Misread]) -> int:
    """Say which pictures could not be opened, for they count as missed; the exit code."""
    troubles = [m.trouble for m in wrong if m.trouble]
    for trouble in troubles[:NAMED]:
        print(trouble, file=sys.stderr)
    if troubles:
        said = f"{len(troubles)} of the manifest's pictures were not opened; all their cards count as missed."
        print(said, file=sys.stderr)
    return 1 if troubles else 0


def _baseline(weights: Path, items: list[Item]) -> dict[str, Score]:
    """The baseline's scores on the same pictures."""
    from datasets.bench import bench_cards
    from datasets.plain_yolo import PlainYolo
    from vision.cards.reader import ModelError

    try:
        reader = PlainYolo(weights)
    except ModelError as error:
        raise Failure(str(error)) from error
    progress = Progress(len(items))
    scores, _ = bench_cards(items, reader, progress.step)
    progress.clear()
    return scores


def run_speed(arguments: argparse.Namespace) -> int:
    """Read one picture many times; the first time is left out."""
    import cv2
    import numpy as np

    from vision.pictures import PictureError, load_picture

    began = time.perf_counter()
    try:
        image = load_picture(arguments.image)
    except PictureError as error:
        raise Failure(str(error)) from error
    decoded = time.perf_counter()
    reader = load_reader(arguments)
    loaded = time.perf_counter()
    if arguments.size:
        image = np.asarray(cv2.resize(image, arguments.size, interpolation=cv2.INTER_AREA), np.uint8)
    readings = [reader.read(image) for _ in range(arguments.rounds + 1)][1:]
    answer = {
        "width": image.shape[1],
        "height": image.shape[0],
        "cards": len(readings[-1].cards),
        "rounds": len(readings),
        "decode_ms": round(1000 * (decoded - began), 1),
        "load_ms": round(1000 * (loaded - decoded), 1),
        "median_ms": {step: round(statistics.median(r.ms[step] for r in readings), 1) for step in readings[-1].ms},
    }
    if arguments.json:
        print(json.dumps(answer))
        return 0
    spans = ", ".join(f"{step} {ms} ms" for step, ms in answer["median_ms"].items())
    print(
        f"{answer['width']} x {answer['height']}, {answer['cards']} cards, {answer['rounds']} rounds, medians: {spans}"
    )
    print(f"decoding the file {answer['decode_ms']} ms, loading the networks {answer['load_ms']} ms")
    return 0
