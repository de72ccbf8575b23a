"""The network that tells what lies on a table that is not calibrated, from all of a picture's finds together.

    python -m models.recipes.chips_company --out FOLDER [--photographs FOLDER] [--pictures 6000] [--steps 4000]
    python -m models.recipes.chips_company --out FOLDER --start company.pt --first 100000 --traced 3000

Renders pictures and reads them (`recipes/chips_company_finds.py`), trains, exports; safe to stop and start again. It
learns what the finder, the placer and the counter leave open: its word is added to theirs.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datasets.camera import Rng
from models.recipes.chips_company_finds import UNKNOWN, Finds, load, write, write_photographs
from models.recipes.chips_training import Plan, fed, optimised
from models.recipes.revive import begun
from vision.chips.appearance import RARE, STANDARD_WEIGHT
from vision.chips.company import ASIDE, FOOT_ASIDE, KINDS, LAST_CHANCE, LEAST, ROLL, SIDE, WORDS, relations
from vision.chips.crops import to_input
from vision.chips.reader import COMPANY_FILE
from vision.chips.values import COLOURS

HELD_OUT = range(90_000_000, 90_000_240)
"""Pictures that are not trained on."""
TRACED = 10_000_000
"""What is traced is numbered from here on: other pictures than those that are drawn."""
COLOUR_MATTERS = 0.5
TINT, BRIGHT = 0.06, 0.08
"""By how much each of a picture's three colours, and all of them, are made stronger or weaker (logarithms)."""
NOWHERE = -1e4


@dataclass(frozen=True)
class Batch:
    """Some pictures' finds: ``looks`` N x 3 x `SIDE` x `SIDE`, ``facts`` N x F, ``where`` B x M whose is which,
    ``absent`` B x M 0 where one is and -1e4 where none is, ``kind`` and ``colour`` N the truth.
    """

    looks: Any
    facts: Any
    where: Any
    absent: Any
    kind: Any
    colour: Any


def batched(finds: Finds, pictures: Sequence[NDArray[np.intp]], rng: Rng | None) -> Batch:
    """These pictures; with ``rng`` half of them mirrored, and all in another light."""
    import torch

    every = np.concatenate(pictures)
    facts, looks = finds.facts[every].copy(), finds.crops[every].astype(np.float32)
    placed, begin = [], 0
    where = np.zeros((len(pictures), max(map(len, pictures))), np.int64)
    absent = np.full(where.shape, NOWHERE, np.float32)
    for k, numbers in enumerate(pictures):
        these = slice(begin, begin + len(numbers))
        where[k, : len(numbers)], absent[k, : len(numbers)] = np.arange(begin, these.stop), 0
        box, (width, height) = finds.box[numbers, :4].copy(), finds.box[numbers[0], 4:]
        if rng is not None:
            looks[these] *= np.exp(rng.normal(0, TINT, 3) + rng.normal(0, BRIGHT)).astype(np.float32)
            if rng.random() < 0.5:
                box[:, [0, 2]] = width - box[:, [2, 0]]
                facts[these, ROLL] *= -1
                facts[these, FOOT_ASIDE] *= -1
                looks[these] = looks[these, :, ::-1]
        placed.append(relations(box, int(width), int(height)))
        begin = these.stop
    return Batch(
        torch.from_numpy(to_input(np.clip(looks, 0, 255).astype(np.uint8))).contiguous(
            memory_format=torch.channels_last
        ),
        torch.from_numpy(np.concatenate([facts, np.concatenate(placed)], 1)),
        torch.from_numpy(where),
        torch.from_numpy(absent),
        torch.from_numpy(np.minimum(finds.count[every], KINDS - 1)),
        torch.from_numpy(finds.colour[every]),
    )


def _shown(batch: Batch) -> tuple[NDArray[np.float32], ...]:
    """What `CompanyNetwork` is called with."""
    looks, facts = batch.looks.contiguous().numpy(), batch.facts.numpy()
    return looks, facts[:, :-ASIDE], facts[:, -ASIDE:]


def read_alone(facts: Any) -> tuple[Any, Any]:
    """What was read of each find by itself, from its facts: logarithms of its kinds' chances, and of its colours'."""
    import torch

    # As `vision.chips.company.kinds` has it.
    nothing, numbers = torch.sigmoid(facts[:, :1]), torch.exp(facts[:, 1 : LAST_CHANCE + 1])
    few, more = numbers[:, : KINDS - 2], numbers[:, KINDS - 2 :].sum(1, keepdim=True)
    words = facts[:, WORDS : WORDS + len(COLOURS)]
    usual = facts[:, WORDS + 2 * len(COLOURS) : WORDS + 3 * len(COLOURS)]
    kinds = torch.cat([nothing, few, more], 1).clamp(min=LEAST)
    return torch.log(kinds), STANDARD_WEIGHT * words + RARE * (1 - usual)


def surprises(model: Any, batch: Batch) -> tuple[Any, Any]:
    """The mean surprise at what the finds are, and at the uppermost chips' colours."""
    from torch.nn import functional

    said = model.compared(model.by_itself(batch.looks, batch.facts)[batch.where], batch.absent)[batch.absent == 0]
    kinds, colours = read_alone(batch.facts)
    return (
        functional.cross_entropy(kinds + said[:, :KINDS], batch.kind, ignore_index=UNKNOWN),
        functional.cross_entropy(colours + said[:, KINDS:], batch.colour, ignore_index=UNKNOWN),
    )


def train(plan: Plan, finds: Finds, held: Finds, start_from: Path | None = None) -> None:
    """Train and save ``company.pt``; prints both surprises for the finds that are ``held`` out.

    ``start_from`` is a checkpoint or a committed ONNX file.
    """
    import torch

    from models.recipes.chips_company_layers import CompanyNetwork

    torch.manual_seed(1)
    torch.set_num_threads(plan.threads)
    pictures, rng = finds.pictures, np.random.default_rng(4)
    some = batched(finds, pictures[:: max(1, len(pictures) // 1000)], None).facts
    model = CompanyNetwork(some.shape[1])
    model.mean.copy_(some.mean(0))
    model.scale.copy_(some.std(0) + 1e-3)
    model = begun(model, start_from, lambda: _shown(batched(finds, pictures[:: max(1, len(pictures) // 100)], None)))
    model = model.to(memory_format=torch.channels_last)

    def make() -> Batch:
        return batched(finds, [pictures[k] for k in rng.choice(len(pictures), plan.batch, replace=False)], rng)

    def step(batch: Batch) -> Any:
        kind, colour = surprises(model, batch)
        return kind + COLOUR_MATTERS * colour

    def check() -> str:
        model.eval()
        with torch.inference_mode():
            parts = [held.pictures[k : k + plan.batch] for k in range(0, len(held.pictures), plan.batch)]
            every = [surprises(model, batched(held, part, None)) for part in parts]
        model.train()
        return "kinds {:.4f} colours {:.4f}".format(*np.mean([[float(it) for it in one] for one in every], 0))

    optimised(model, plan, fed(make), step, plan.out / "company.pt", check)


def export(checkpoint: Path, path: Path) -> None:
    """Write the network as ONNX, for any number of finds."""
    import torch

    from models.recipes.chips_company_layers import CompanyNetwork

    weights = torch.load(checkpoint, map_location="cpu")
    known = len(weights["mean"])
    model = CompanyNetwork(known)
    model.load_state_dict(weights)
    model.eval()
    example = torch.zeros(3, 3, SIDE, SIDE), torch.zeros(3, known - ASIDE), torch.zeros(3, ASIDE)
    names, said = ["looks", "facts", "places"], ["said"]
    torch.onnx.export(
        model, example, str(path), input_names=names, output_names=said,
        dynamic_axes={name: {0: "finds"} for name in names + said}, opset_version=17, dynamo=False,
    )  # fmt: skip


def main() -> None:
    """Render, train, export."""
    ask = argparse.ArgumentParser(prog="python -m models.recipes.chips_company", description=__doc__.split("\n")[0])
    ask.add_argument("--out", type=Path, required=True, help="working folder; keep it to resume")
    ask.add_argument("--pictures", type=int, default=6_000)
    ask.add_argument(
        "--first", type=int, default=0, help="the first picture's number: another one to go on from others"
    )
    ask.add_argument("--traced", type=int, default=0, help="so many more in light that is followed (the traced extra)")
    ask.add_argument("--start", type=Path, help="go on from a checkpoint or a committed ONNX file")
    ask.add_argument("--photographs", type=Path, help="training photographs: images/ and labels/ (YOLO boxes)")
    ask.add_argument("--steps", type=int, default=4_000)
    ask.add_argument("--batch", type=int, default=10, help="pictures a step")
    ask.add_argument("--rate", type=float, default=0.002)
    ask.add_argument("--threads", type=int, default=os.cpu_count() or 2)
    a = ask.parse_args()
    drawn, traced, held = (a.out / name for name in ("finds", "traced", "held"))
    wanted = (
        (held, HELD_OUT, False),
        (drawn, range(a.first, a.first + a.pictures), False),
        (traced, range(TRACED + a.first, TRACED + a.first + a.traced), True),
    )
    for folder, numbers, followed in wanted:
        for _ in write(folder, numbers, os.cpu_count() or 1, followed):
            pass
    if a.photographs and not (drawn / "photographs.npz").exists():
        write_photographs(a.photographs, drawn)
    if not (a.out / "company.pt").exists():
        plan = Plan(a.out, a.steps, a.batch, a.rate, a.threads)
        train(plan, load(drawn, traced), load(held), a.start)
    export(a.out / "company.pt", a.out / COMPANY_FILE)
    print(f"Network: {a.out / COMPANY_FILE}")


if __name__ == "__main__":
    main()
