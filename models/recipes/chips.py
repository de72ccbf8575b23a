"""The chip networks' recipe in one command: render, train the three networks, export. Safe to stop and start again.

    python -m models.recipes.chips --out FOLDER [--photographs FOLDER]

Every step that is already done in FOLDER is skipped, and training goes on from its last checkpoint.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import cv2

from datasets.chips.counted import counted_stacks, photographed
from datasets.chips.shards import SHARD, TABLES, Kind, joined, load_cuts, write_shards
from models.recipes import chips_finder, chips_readers
from models.recipes.chips_training import Plan
from vision.cards.runtime import SHIPPED
from vision.chips.counter import Counter
from vision.chips.reader import COUNTER_FILE, PLACER_FILE
from vision.chips.stands import Placer

HELD_OUT = range(4000, 4006)
"""Shards that no network is trained on."""
FELT_RATE = 0.0015
"""How fast the counter for calibrated felts learns, which begins as the other one."""
REPEATED = 20
"""How often a photographed stack is shown for each time that a rendered one is."""


def main() -> None:
    """Run the steps in order."""
    ask = argparse.ArgumentParser(prog="python -m models.recipes.chips", description=__doc__.split("\n")[0])
    ask.add_argument("--out", type=Path, required=True, help="working folder; keep it to resume")
    ask.add_argument("--photographs", type=Path, help="training photographs: images/ and labels/ (YOLO boxes)")
    ask.add_argument("--scenes", type=int, default=6_000, help="rendered scenes (four stacks each, about)")
    ask.add_argument("--tables", type=int, default=1_500, help="rendered felts with up to 16 stacks each")
    ask.add_argument("--traced", type=int, default=0, help="so many more in light that is followed, for chips_whole")
    ask.add_argument("--finder-steps", type=int, default=6_000)
    ask.add_argument("--placer-steps", type=int, default=4_000)
    ask.add_argument("--counter-steps", type=int, default=8_000)
    ask.add_argument("--threads", type=int, default=os.cpu_count() or 2)
    a = ask.parse_args()
    cv2.setNumThreads(1)
    train, held = a.out / "train", a.out / "held"
    print("Rendering scenes")
    for folder, numbers in ((held, HELD_OUT), (train, range(-(-a.scenes // SHARD)))):
        for _ in write_shards(folder, numbers, os.cpu_count() or 1):
            pass
    tables = [a.out / "tables"] if a.tables > 0 else []
    laid: tuple[tuple[Kind, int], ...] = (("tables", a.tables), ("traced", a.traced))
    for kind, number in laid:
        if number > 0:
            for _ in write_shards(a.out / kind, range(-(-number // TABLES)), os.cpu_count() or 1, kind=kind):
                pass
    photographs = a.out / "photographs" if a.photographs else None
    if photographs and not (photographs / "done").exists():
        chips_finder.write_photographs(a.photographs, photographs)
        (photographs / "done").touch()
    if not (a.out / "finder.pt").exists():
        shown = [(train, 1.0, True), *((folder, 2.0, True) for folder in tables)]
        shown += [(photographs, 1.2, False)] if photographs else []
        plan = Plan(a.out, a.finder_steps, batch=32, threads=a.threads)
        chips_finder.train(plan, chips_finder.load_pictures(shown))
    cuts, check = joined([load_cuts(folder) for folder in (train, *tables)]), load_cuts(held)
    if a.photographs and not all((a.out / f"{name}.pt").exists() for name in ("placer", "counter")):
        placer, counter = Placer(SHIPPED / PLACER_FILE, 1), Counter(SHIPPED / COUNTER_FILE, 1)
        print("Finding the seams of the stacks that were counted in photographs")
        real = photographed(list(counted_stacks(a.photographs)), placer, counter)
        cuts = joined([cuts] + [real] * REPEATED)
    if not (a.out / "placer.pt").exists():
        chips_readers.train_placer(Plan(a.out, a.placer_steps, threads=a.threads), cuts, check)
    if not (a.out / "counter.pt").exists():
        chips_readers.train_counter(Plan(a.out, a.counter_steps, threads=a.threads), cuts, check)
    if tables and not (a.out / "felt_counter.pt").exists():
        plan = Plan(a.out, a.counter_steps, lr=FELT_RATE, threads=a.threads)
        chips_readers.train_counter(plan, load_cuts(tables[0]), check, start_from=a.out / "counter.pt", felt=True)
    chips_finder.export(a.out)
    chips_readers.export(a.out)
    print(f"Networks: chips_finder, chips_placer, chips_counter and chips_felt_counter (.onnx) in {a.out}")


if __name__ == "__main__":
    main()
