"""``tableside bench``: how well tableside does on labelled pictures."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from advisor.cli.read import add_reader_options, load_reader
from advisor.cli.terminal import Failure, Progress, command


def register(commands: Any) -> None:
    """Add the sub-commands."""
    parser = command(commands, "bench", "measure how well cards are read", "tableside bench cards manifest.json")
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
    add_reader_options(cards)
    cards.set_defaults(run=run_cards)


def run_cards(arguments: argparse.Namespace) -> int:
    """Read every picture of the manifest and score it."""
    from datasets.bench import ManifestError, bench_cards, load_manifest, table

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
    if arguments.json:
        misread = [{"image": str(m.image), "missed": m.missed, "extra": m.extra} for m in wrong]
        print(json.dumps({"scores": {n: s.as_dict() for n, s in scores.items()}, "misread": misread}))
        return 0
    if arguments.misread:
        for m in wrong:
            print(f"{m.image}: missed {' '.join(m.missed) or 'none'}, extra {' '.join(m.extra) or 'none'}")
    print(table(scores))
    return 0
