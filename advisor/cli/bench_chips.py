"""``tableside bench chips``: how well chips are counted and named, and how fast; what is required beside it."""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from advisor.cli.chips import add_reader_options, load_reader, worth
from advisor.cli.terminal import Failure, Progress, coloured, command, count

if TYPE_CHECKING:
    from advisor.money import ChipSet
    from vision.chips.reader import ChipReader

BETS, LOOSE = 200, 60
NEEDED = {"found": 0.95, "exact": 0.80, "within one": 0.97, "colour": 0.97}
NEEDED_BETS, NEEDED_LOOSE = 0.95, 0.95
SPOT_MS, PILE_MS = 40.0, 1500.0
SPEED_ROUNDS = 15


def register(what: Any) -> None:
    """Add ``chips`` to the benchmarks."""
    parser = command(
        what, "chips", "counts, colours and amounts of rendered and photographed chips", "tableside bench chips"
    )
    parser.add_argument(
        "manifests",
        nargs="*",
        type=Path,
        metavar="MANIFEST",
        help="JSON that lists photographs and their stacks; without any, rendered bets and loose chips are read",
    )
    parser.add_argument("--rendered", action="store_true", help="read the rendered ones besides the manifests")
    parser.add_argument("--bets", type=count, default=BETS, help=f"rendered bets (default {BETS})")
    parser.add_argument("--loose", type=count, default=LOOSE, help=f"rendered pictures of loose chips ({LOOSE})")
    parser.add_argument("--no-speed", action="store_true", help="leave the timing out")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_reader_options(parser, own_set=False)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Measure and print. Returns 0; what is required is printed beside what was reached, for people to judge."""
    reader, chipset = load_reader(arguments)
    said: dict[str, Any] = {}
    for path in arguments.manifests:
        said[str(path)] = _photographs(path, reader)
    if arguments.rendered or not arguments.manifests:
        said["bets"] = _bets(arguments.bets, reader, chipset)
        said["loose"] = _loose(arguments.loose, reader, chipset)
    if not arguments.no_speed:
        said["speed"] = _speed(reader, chipset)
    print(json.dumps(said) if arguments.json else "\n".join(_in_words(said)))
    return 0


def _photographs(path: Path, reader: ChipReader) -> dict[str, Any]:
    from datasets.bench import ManifestError
    from datasets.chips.bench import load_manifest, score_photographs
    from vision.pictures import PictureError

    try:
        items = load_manifest(path)
        progress = Progress(len(items))
        progress.draw()
        score = score_photographs(items, reader, progress.step)
    except (ManifestError, PictureError) as error:
        raise Failure(str(error)) from error
    progress.clear()
    return {**vars(score), "shares": {k: round(v, 4) for k, v in score.shares().items()}}


def _bets(number: int, reader: ChipReader, chipset: ChipSet) -> dict[str, Any]:
    """A bet's amount is right, unsure, or wrong though listed as sure: the last must not be."""
    from datasets.chips.bench import rendered_bet

    tally: Counter[str] = Counter()
    wrong: list[int] = []
    progress = Progress(number)
    for k in range(number):
        scene = rendered_bet(k, chipset.colours)
        reading = reader.read(scene.image)
        owed = sum((chipset.value(c) for c in scene.stacks[0].order), 0)
        doubt = [s for s in reading.unsure if s.shape == "stack"]
        unknown = any(c not in chipset for s in reading.sure for c in s.order)
        right = worth(reading.sure, chipset) == owed and not doubt and not unknown
        kind = "exact" if right else "unsure" if doubt or unknown or not reading.sure else "wrong"
        tally[kind] += 1
        wrong += [k] if kind == "wrong" else []
        progress.step()
    progress.clear()
    return {"pictures": number, **{key: tally[key] for key in ("exact", "unsure", "wrong")}, "wrong numbers": wrong}


def _loose(number: int, reader: ChipReader, chipset: ChipSet) -> dict[str, Any]:
    """For each colour in each picture: is the count of sure chips exact?"""
    from datasets.chips.bench import rendered_loose

    slots = exact = 0
    progress = Progress(number)
    for k in range(number):
        scene = rendered_loose(k, chipset.colours)
        want = Counter(c for s in scene.stacks for c in s.order)
        have = Counter(c for s in reader.read(scene.image).sure for c in s.order)
        slots += len(want)
        exact += sum(have[c] == n for c, n in want.items())
        progress.step()
    progress.clear()
    return {"pictures": number, "colour counts": slots, "exact": exact}


def _speed(reader: ChipReader, chipset: ChipSet) -> dict[str, float]:
    from datasets.chips.bench import rendered_bet, rendered_pile

    spot, pile = rendered_bet(0, chipset.colours).image, rendered_pile()

    def median_ms(image: Any, rounds: int) -> float:
        spans = []
        for _ in range(rounds + 1):
            began = time.perf_counter()
            reader.read(image)
            spans.append(1000 * (time.perf_counter() - began))
        return round(statistics.median(spans[1:]), 1)

    return {"spot_ms": median_ms(spot, SPEED_ROUNDS), "pile_12mp_ms": median_ms(pile, 3)}


def _in_words(said: dict[str, Any]) -> list[str]:
    lines = []
    for name, found in said.items():
        if name == "bets":
            lines.append(f"{found['pictures']} rendered bets of 1 to 20 chips in up to three colours:")
            lines.append(_line("amount exact", found["exact"] / found["pictures"], NEEDED_BETS))
            lines.append(f"  unsure {found['unsure']}, wrong without a warning {found['wrong']} (required: 0)")
        elif name == "loose":
            lines.append(f"{found['pictures']} rendered pictures of loose chips:")
            lines.append(_line("colour counts exact", found["exact"] / max(found["colour counts"], 1), NEEDED_LOOSE))
        elif name == "speed":
            lines.append(f"one spot {found['spot_ms']} ms (required: {SPOT_MS:.0f} or less)")
            lines.append(f"12-megapixel pile {found['pile_12mp_ms']} ms (required: {PILE_MS:.0f} or less)")
        else:
            lines.append(f"{name}: {found['stacks']} stacks")
            lines += [_line(what, found["shares"][what], least) for what, least in NEEDED.items()]
            lines.append(f"  unsure {found['unsure']}, miscounted {found['wrong']}, extra {found['extra']}")
    return lines


def _line(what: str, share: float, least: float) -> str:
    text = f"  {what:20s} {share:6.1%}  (required: {least:.0%} or more)"
    return coloured(text, "green" if share >= least else "red")
