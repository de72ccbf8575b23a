"""The networks that read racks: render, train a finder, a placer and a counter for rows of chips on edge, export.

    python -m models.recipes.chips_racks --out FOLDER [--photographs FOLDER]

They are the networks of stacks (`models.recipes.chips`), and begin as those that are committed: a row is a stack that
lies on its side, hidden in part by its trough. The finder's three kinds are rows that run up and down the picture, rows
that run across it, and what stands or lies on the table (`datasets.chips.shards.row_lines`). Every step that is already
done in FOLDER is skipped, and training goes on from its last checkpoint.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import cv2
import numpy as np

from datasets.chips.shards import SHAPES, SHARD, Cuts, load_cuts, write_shards
from models.recipes import chips_finder, chips_readers, chips_whole
from models.recipes.chips_training import Plan
from models.recipes.chips_whole_elsewhere import Elsewhere, ElsewhereShaker
from vision.cards.runtime import SHIPPED
from vision.chips.reader import COUNTER_FILE, FINDER_FILE, PLACER_FILE

HELD_OUT = range(400, 403)
"""Shards that no network is trained on."""
STANDING, PHOTOGRAPHED = 2, 3.0
"""What stands on the table to the finder, and how often a photograph of stacks is shown for each rendered rack."""
RATES = {"finder": 0.0015, "placer": 0.0015, "counter": 0.0008}


def rows_of(cuts: Cuts, others: bool = False) -> Cuts:
    """Those that are rows in racks; with ``others`` also empty troughs, coins and lids, which are none."""
    shapes = [SHAPES.index("tube"), SHAPES.index("other")][: 1 + others]
    chosen = np.flatnonzero(np.isin(cuts.numbers[:, 0], shapes))
    arrays = (getattr(cuts, key)[chosen] for key in ("order", "seams", "box", "up", "numbers"))
    return Cuts([cuts.jpegs[k] for k in chosen], *arrays)


def main() -> None:
    """Run the steps in order, or those that are asked for."""
    ask = argparse.ArgumentParser(prog="python -m models.recipes.chips_racks", description=__doc__.split("\n")[0])
    ask.add_argument("--out", type=Path, required=True, help="working folder; keep it to resume")
    ask.add_argument("--photographs", type=Path, help="training photographs of stacks: what stands there is no row")
    ask.add_argument("--scenes", type=int, default=8_000, help="rendered pictures, four rows each, about")
    ask.add_argument("--finder-steps", type=int, default=8_000)
    ask.add_argument("--placer-steps", type=int, default=3_000)
    ask.add_argument("--counter-steps", type=int, default=5_000)
    ask.add_argument("--only", choices=("finder", "placer", "counter", "export"), help="one step alone")
    ask.add_argument("--start", type=Path, default=SHIPPED, help="folder of the networks to begin with (ONNX)")
    ask.add_argument("--threads", type=int, default=os.cpu_count() or 2)
    a = ask.parse_args()
    cv2.setNumThreads(1)
    train, held = a.out / "train", a.out / "held"
    for folder, numbers in ((held, HELD_OUT), (train, range(-(-a.scenes // SHARD)))):
        for _ in write_shards(folder, numbers, os.cpu_count() or 1, "racks"):
            pass

    def wanted(step: str) -> bool:
        return a.only in (None, step) and not (a.out / f"{step}.pt").exists()

    if wanted("finder"):
        folders = [(train, 1.0, True)]
        if a.photographs:
            chips_finder.write_photographs(a.photographs, a.out / "photographs", shape=STANDING)
            folders.append((a.out / "photographs", PHOTOGRAPHED, False))
        pictures = chips_finder.load_pictures(folders)
        plan = Plan(a.out, a.finder_steps, lr=RATES["finder"], threads=a.threads)
        chips_finder.train(plan, pictures, a.start / FINDER_FILE)
    if wanted("placer"):
        plan = Plan(a.out, a.placer_steps, lr=RATES["placer"], threads=a.threads)
        chips_readers.train_placer(plan, rows_of(load_cuts(train)), rows_of(load_cuts(held)), a.start / PLACER_FILE)
    if wanted("counter"):
        shaker = ElsewhereShaker(rows_of(load_cuts(train), others=True), 19)
        plan = Plan(a.out, a.counter_steps, 48, RATES["counter"], a.threads)
        chips_whole.train(plan, shaker, Elsewhere(), a.start / COUNTER_FILE, a.out / "counter.pt")
    if a.only in (None, "export"):
        chips_finder.export(a.out)
        chips_readers.export(a.out)
        print(f"Networks: chips_finder, chips_placer and chips_counter (.onnx) in {a.out}")


if __name__ == "__main__":
    main()
