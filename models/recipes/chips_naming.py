"""The network that names chips in sight of a picture's other stacks, and of one's own set.

    python -m models.recipes.chips_naming --out FOLDER [--shards 250] [--steps 6000]

Renders tables (`recipes/chips_portrayed.py`), trains, exports; safe to stop and start again. What is made small is the
surprise at the true order of each stack's colours, all its chips taken together as the product takes them
(`vision.chips.orders`): by the set that was shown, and by the twelve colours.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from models.recipes.chips_naming_batches import Batch, collated, said_of, surprises
from models.recipes.chips_naming_tasks import Table, drawn, tabled
from models.recipes.chips_portrayed import Networks, load, write
from models.recipes.chips_training import Plan, optimised
from vision.cards.runtime import SHIPPED
from vision.chips.portraits import HIGH, WIDE
from vision.chips.reader import COUNTER_FILE, FELT_COUNTER_FILE, NAMING_FILE, PLACER_FILE
from vision.chips.values import COLOURS

HELD_OUT = range(10)
"""Shards that are not trained on."""
COLOURS_MATTER = 0.6
MOST_SURPRISED = 20
CHECKED = 240
"""Stacks that are looked at to see how far the training is."""


@dataclass(frozen=True)
class Taught:
    """A training's data and where it is reckoned: ``batch`` pictures a step, drawn by so many ``loaders``."""

    tables: list[Table]
    held: list[Table]
    batch: int = 20
    loaders: int = 1
    device: str = "cpu"


def batches(tables: list[Table], batch: int, loaders: int) -> Iterator[Batch]:
    """Pictures without end, drawn in other processes."""
    from torch.utils.data import DataLoader, IterableDataset, get_worker_info

    class Pictures(IterableDataset):  # type: ignore[misc]
        def __iter__(self) -> Iterator[Batch]:
            told = get_worker_info()
            rng = np.random.default_rng([3, told.id if told else 0])
            while True:
                yield collated([drawn(tables, rng) for _ in range(batch)])

    context = "fork" if loaders else None
    return iter(DataLoader(Pictures(), batch_size=None, num_workers=loaders, multiprocessing_context=context))


def train(plan: Plan, taught: Taught, start_from: Path | None) -> None:
    """Train and save ``naming.pt``; prints the mean surprise on what is held out, and how often it is more than one
    half.
    """
    import torch

    from models.recipes.chips_naming_layers import NamingNetwork

    torch.manual_seed(1)
    torch.set_num_threads(plan.threads)
    model = NamingNetwork().to(taught.device)
    if start_from is not None:
        model.load_state_dict(torch.load(start_from, map_location=taught.device))
    feed = batches(taught.tables, taught.batch, taught.loaders)

    def step(batch: Batch) -> Any:
        by_set, by_colour = surprises(batch, said_of(model, batch))
        of_sets = by_set.clamp(max=MOST_SURPRISED).mean() if len(by_set) else 0
        return of_sets + COLOURS_MATTER * by_colour.clamp(max=MOST_SURPRISED).mean()

    def check() -> str:
        model.eval()
        line, again = "", np.random.default_rng(5)
        with torch.inference_mode():
            for name, stacks, told in (("own set", 1, True), ("no set", 1, False), ("no set, five stacks", 5, False)):
                batch = collated([drawn(taught.held, again, stacks, told) for _ in range(CHECKED // stacks)])
                batch = batch.on(taught.device)
                found = surprises(batch, said_of(model, batch))[0 if told else 1]
                line += f" {name} {float(found.mean()):.3f} ({float((found > np.log(2)).float().mean()):.3f})"
        model.train()
        return line

    optimised(model, plan, lambda: next(feed).on(taught.device), step, plan.out / "naming.pt", check)


def export(checkpoint: Path, path: Path) -> None:
    """Write the network as ONNX, for any number of portraits."""
    import torch

    from models.recipes.chips_naming_layers import NamingNetwork

    model = NamingNetwork()
    model.load_state_dict(torch.load(checkpoint, map_location="cpu"))
    model.eval()
    t, numbers = 7, torch.arange(7)
    example = (
        torch.zeros(t, 3, HIGH, WIDE), torch.zeros(t), torch.zeros(t, len(COLOURS)), torch.zeros(t, len(COLOURS)),
        torch.zeros(t), torch.zeros(len(COLOURS)), numbers, numbers,
    )  # fmt: skip
    names = ["pictures", "faces", "words", "labels", "shown", "usual", "before", "after"]
    many = {name: {0: "portraits"} for name in names if name != "usual"}
    said = {"colours": {0: "portraits"}, "like": {0: "portraits", 1: "portraits"}, "same": {0: "portraits"}}
    torch.onnx.export(
        model, example, str(path), input_names=names, output_names=list(said), dynamic_axes=many | said,
        opset_version=17, dynamo=False,
    )  # fmt: skip


def main() -> None:
    """Render, train, export."""
    ask = argparse.ArgumentParser(prog="python -m models.recipes.chips_naming", description=__doc__.split("\n")[0])
    ask.add_argument("--out", type=Path, required=True, help="working folder; keep it to resume")
    ask.add_argument("--shards", type=int, default=250, help="of ten tables, sixteen stacks each, about")
    ask.add_argument("--first", type=int, default=5_000, help="the first shard's number")
    ask.add_argument("--traced", action="store_true", help="tables in light that is followed (the traced extra)")
    ask.add_argument("--start", type=Path, help="naming.pt of an earlier round, to go on from")
    ask.add_argument("--steps", type=int, default=6_000)
    ask.add_argument("--batch", type=int, default=20, help="pictures a step")
    ask.add_argument("--rate", type=float, default=0.002)
    ask.add_argument("--loaders", type=int, default=1, help="processes that draw pictures")
    ask.add_argument("--device", default="cpu", help="where torch reckons: cpu, cuda")
    ask.add_argument("--threads", type=int, default=os.cpu_count() or 2)
    a = ask.parse_args()
    networks = Networks(SHIPPED / PLACER_FILE, SHIPPED / COUNTER_FILE, SHIPPED / FELT_COUNTER_FILE)
    for folder, numbers in ((a.out / "held", HELD_OUT), (a.out / "tables", range(a.first, a.first + a.shards))):
        for _ in write(folder, numbers, networks, os.cpu_count() or 1, a.traced):
            pass
    plan = Plan(a.out, a.steps, lr=a.rate, threads=a.threads)
    if not (a.out / "naming.pt").exists():
        known, check = ([tabled(it) for it in load(a.out / name)] for name in ("tables", "held"))
        train(plan, Taught(known, check, a.batch, a.loaders, a.device), a.start)
    export(a.out / "naming.pt", a.out / NAMING_FILE)
    print(f"Network: {a.out / NAMING_FILE}")


if __name__ == "__main__":
    main()
