"""The chips' counters and placer taught on a graphics card, while the processor's cores render what they learn from.

    python -m models.recipes.chips_on_a_card --out FOLDER --seconds 540 [--start FOLDER] [--photographs FOLDER]

Crowded tables and random scenes are rendered as long as it lasts; each stack's wide cut goes to the card
(`chips_at_once`). All networks learn from the same stacks: two counters of the broad size from nothing
(``broad_counter``, ``broad_felt_counter``), and those of ``--start`` from where they were. At the end, and every
minute, all are written to FOLDER.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import os
import queue
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from datasets.chips.scene import random_chip_scene
from datasets.chips.shards import CHIP_PX, LEAST_ACROSS, SCENE, SHOWS, Cuts, cuts_of, wide_cut
from datasets.chips.tables import crowded
from models.recipes.chips_at_once import Pool, columns, glances
from models.recipes.chips_readers import IGNORED, PARTS_MATTER, SEEN_MATTERS
from vision.chips.values import COLOURS

USUAL = ("black", "green", "red", "white", "blue", "purple")
FIRST = 1_000_000
"""Tables and scenes from this number on are learned from here."""
ON_FELTS = 0.8
"""So many of a felt counter's columns come from tables, the others from scenes."""
ELSEWHERE = (0.45, 0.4, 0.15)
"""Where the other counter's columns come from: scenes, tables, photographs."""
WARM_UP = 0.06
Batch = dict[str, Any]


def rendered(kind: str, number: int) -> tuple[Cuts, np.ndarray] | None:
    """The stacks of one table or scene, with their pictures N x HIGH x WIDE x 3; None where it shows none."""
    if kind == "table":
        odd = np.random.default_rng([number, 3]).random() < 0.4
        scene = crowded(number, COLOURS if odd else USUAL)
    else:
        scene = random_chip_scene(number, SCENE, SCENE, CHIP_PX)
    rows = [
        (*wide_cut(scene.image, s), s)
        for s in scene.stacks
        if s.visible >= SHOWS and s.across >= LEAST_ACROSS and np.isfinite(s.seams).all()
    ]
    if not rows:
        return None
    cuts = cuts_of([(image, s, m) for image, m, s in rows])
    return cuts, np.stack([np.asarray(cv2.imdecode(it, cv2.IMREAD_COLOR), np.uint8) for it in cuts.jpegs])


def render(kind: str, first: int, out: Any) -> None:
    """Render one after the other, without end."""
    cv2.setNumThreads(1)
    number = first
    while True:
        made = rendered(kind, number)
        number += 1
        if made is not None:
            out.put((kind, *made))


def counted(model: Any, t: Batch) -> Any:
    """A counter's loss on a batch."""
    import torch
    from torch.nn import functional

    seams, colours, whole, parts = model(t["image"])
    more = torch.tensor(3.0, device=seams.device)
    edge = functional.binary_cross_entropy_with_logits(seams, t["seams"], reduction="none", pos_weight=more)
    loss = 6 * (edge * t["clear"][:, None]).mean()
    loss = loss + functional.cross_entropy(colours, t["colours"], ignore_index=IGNORED)
    loss = loss + PARTS_MATTER * functional.cross_entropy(parts, t["parts"], ignore_index=IGNORED)
    return loss + 0.2 * functional.binary_cross_entropy_with_logits(whole, t["whole"])


def placed(model: Any, image: Any, want: Any) -> Any:
    """The placer's loss on a batch."""
    import torch
    from torch.nn import functional

    said = model(image)
    weights = torch.tensor([3.0, 3.0, 3.0, 2.0, 1.0, 3.0], device=said.device)
    off = functional.smooth_l1_loss(said[:, :6], want[:, :6], beta=0.02, reduction="none")
    seen = functional.binary_cross_entropy_with_logits(said[:, 6:], want[:, 6:])
    return (off * weights).mean() + SEEN_MATTERS * seen


class Learner:
    """A network, how fast it learns at most, and its loss of late."""

    def __init__(self, name: str, model: Any, lr: float, device: Any, start: Path | None) -> None:
        import torch

        if start is not None:
            model.load_state_dict(torch.load(start, map_location="cpu"))
        self.name, self.lr, self.total, self.steps = name, lr, 0.0, 0
        self.model = model.to(device, memory_format=torch.channels_last).train()
        self.optimiser = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=0.01)

    def learn(self, gone: float, loss_of: Callable[[Any], Any]) -> None:
        """One step, when the share ``gone`` of all the time is gone."""
        import torch

        warm = min(gone / WARM_UP, 1.0)
        rate = self.lr * min(warm, 0.5 + 0.5 * math.cos(math.pi * min(max(gone - WARM_UP, 0) / (1 - WARM_UP), 1.0)))
        for group in self.optimiser.param_groups:
            group["lr"] = max(rate, self.lr * 1e-3)
        with torch.autocast(next(self.model.parameters()).device.type, torch.bfloat16):
            loss = loss_of(self.model)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        self.optimiser.step()
        self.total = self.total + loss.detach()
        self.steps += 1

    def said(self) -> str:
        """Its mean loss since it was asked last."""
        line = f"{self.name} {float(self.total) / max(self.steps, 1):.4f}"
        self.total, self.steps = 0.0, 0
        return line


def learners(device: Any, start: Path | None) -> dict[str, Learner]:
    """The networks: broad ones from nothing, those of ``start`` (NAME.pt) from where they were."""
    from models.recipes.chips_layers import BROAD, CounterNetwork, PlacerNetwork

    made = [Learner("broad_felt_counter", CounterNetwork(BROAD), 0.003, device, None)]
    made.append(Learner("broad_counter", CounterNetwork(BROAD), 0.003, device, None))
    for name, model in (("felt_counter", CounterNetwork), ("counter", CounterNetwork), ("placer", PlacerNetwork)):
        if start is not None:
            made.append(Learner(name, model(), 0.0015, device, start / f"{name}.pt"))
    return {it.name: it for it in made}


def _mixed(batches: list[Batch]) -> Batch:
    import torch

    return {key: torch.cat([b[key] for b in batches]) for key in batches[0]}


def main() -> None:
    """Render and learn for so many seconds."""
    import torch

    ask = argparse.ArgumentParser(prog="python -m models.recipes.chips_on_a_card", description=__doc__.split("\n")[0])
    ask.add_argument("--out", type=Path, required=True)
    ask.add_argument("--seconds", type=float, default=540)
    ask.add_argument("--start", type=Path, help="folder with felt_counter.pt, counter.pt and placer.pt to go on from")
    ask.add_argument("--photographs", type=Path, help="folder with counted stacks of photographs (cuts/*.npz)")
    ask.add_argument("--batch", type=int, default=384)
    ask.add_argument("--workers", type=int, default=max((os.cpu_count() or 2) - 2, 2))
    ask.add_argument("--most", type=int, default=110_000, help="stacks of each kind that the card keeps (0.23 MB each)")
    ask.add_argument("--device", default="cuda")
    a = ask.parse_args()
    began = time.monotonic()
    a.out.mkdir(parents=True, exist_ok=True)
    context = multiprocessing.get_context("spawn")
    brought: Any = context.Queue(200)
    scenes = max(a.workers // 5, 1)
    for k in range(a.workers):
        kind = "scene" if k < scenes else "table"
        context.Process(target=render, args=(kind, FIRST * (k + 1), brought), daemon=True).start()
    device = torch.device(a.device)
    torch.backends.cudnn.benchmark = True
    pools = {"scene": Pool(a.most, device), "table": Pool(a.most, device)}
    if a.photographs:
        from datasets.chips.shards import load_cuts

        real = load_cuts(a.photographs)
        pools["photograph"] = Pool(len(real.jpegs), device)
        pools["photograph"].add(real, np.stack([np.asarray(cv2.imdecode(j, cv2.IMREAD_COLOR)) for j in real.jpegs]))
    nets = learners(device, a.start)
    told = saved = time.monotonic()
    steps = 0

    def fed(wait: bool) -> None:
        for _ in range(40):
            try:
                kind, cuts, images = brought.get(timeout=30) if wait else brought.get_nowait()
            except queue.Empty:
                return
            pools[kind].add(cuts, images)
            wait = False

    while min(pools[kind].size for kind in ("scene", "table")) < min(400, a.most):
        fed(True)
        if time.monotonic() - began > a.seconds:
            raise SystemExit("Nothing was rendered in time; look above for what the workers said.")
    print(f"{time.monotonic() - began:.0f} s: begins", flush=True)
    while (gone := (time.monotonic() - began) / a.seconds) < 1:
        fed(False)
        n = int(a.batch * ON_FELTS)
        felts = _mixed(
            [columns(pools[kind], pools[kind].picked(m), True) for kind, m in (("table", n), ("scene", a.batch - n))]
        )
        kinds = [it for it in zip(("scene", "table", "photograph"), ELSEWHERE, strict=True) if it[0] in pools]
        others = _mixed([columns(pools[kind], pools[kind].picked(int(a.batch * s)), False) for kind, s in kinds])
        for name, net in nets.items():
            if name.endswith("placer"):
                pool = pools[("table", "scene")[steps % 2]]
                usable = torch.nonzero((pool.numbers[: pool.size, 3] > 0.35) & (pool.numbers[: pool.size, 0] < 2))[:, 0]
                k = usable[torch.randint(len(usable), (a.batch,), device=device)]
                image, want = glances(pool, k)
                net.learn(gone, partial(placed, image=image, want=want))
            else:
                t = felts if "felt" in name else others
                net.learn(gone, partial(counted, t=t))
        steps += 1
        now = time.monotonic()
        if now - told > 15:
            sizes = " ".join(f"{kind} {pool.came}" for kind, pool in pools.items())
            print(
                f"{now - began:.0f} s, {steps} steps: {sizes}; {'; '.join(n.said() for n in nets.values())}", flush=True
            )
            told = now
        if now - saved > 60 or gone + 0.001 > 1:
            kept(nets, a.out)
            saved = now
    kept(nets, a.out)
    print(f"{steps} steps in {time.monotonic() - began:.0f} s", flush=True)


def kept(nets: dict[str, Learner], out: Path) -> None:
    """Write all networks as they are."""
    import torch

    for name, net in nets.items():
        part = out / f"{name}.part"
        torch.save({key: value.float().cpu() if value.is_floating_point() else value.cpu()
                    for key, value in net.model.state_dict().items()}, part)  # fmt: skip
        part.replace(out / f"{name}.pt")


if __name__ == "__main__":
    main()
