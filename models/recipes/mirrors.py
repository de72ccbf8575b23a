"""The mirror's witness: a tiny network that says of an index patch whether a mirror shows it so.

Selfie cameras and many webcam programs show all mirrored, and the reader hardly minds: in such pictures of fans it read
half of the cards surely, and wrongly. An index tells by itself, unless it is an ace's or an eight's. What the network
says of a patch is what its trunk says less what it says of the patch mirrored, so that it favours neither, and every
patch of the reader's is its own counterexample: there is nothing to label.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from datasets.patches import NONE, Patches, joined, load_patches
from models.recipes.in_bytes import in_bytes
from models.recipes.layers import block, exported
from models.recipes.processor import has_bf16
from models.recipes.reader import measured_on
from models.recipes.shaken import shaken, varied
from vision.cards.patches import PATCH_HEIGHT, PATCH_WIDTH, to_input

CHANNELS = (16, 32, 48, 64)
"""Channels of the layers at 48 x 32, 24 x 16 (two) and 12 x 8 (two)."""


@dataclass(frozen=True)
class Plan:
    """What to train on (a folder of patch shards), and for how many passes over it."""

    data: Path
    out: Path
    epochs: int = 3
    batch: int = 256
    lr: float = 0.003
    threads: int = os.cpu_count() or 2
    photographs: Path | None = None
    """Patches of real photographs (``datasets.photographs``) too."""


def network() -> Any:
    """The layers: N x 3 x 96 x 64 in, N logits out, more than 0 where a mirror shows the patch so."""
    import torch
    from torch import nn

    class Mirrors(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            a, b, c, d = CHANNELS
            self.trunk = nn.Sequential(
                block(3, a, 2), block(a, b, 2), block(b, c), block(c, d, 2), block(d, d),
                nn.AvgPool2d(2), nn.Flatten(), nn.Dropout(0.1),
                nn.Linear(d * 24, 64), nn.ReLU(inplace=True), nn.Linear(64, 1),
            )  # fmt: skip

        def forward(self, x: Any) -> Any:
            if not self.training:
                return (self.trunk(x) - self.trunk(x.flip(3))).squeeze(1)
            # Both in one batch: layers that normalise batches must not tell the mirrored one from the other.
            there, mirrored = self.trunk(torch.cat([x, x.flip(3)])).squeeze(1).chunk(2)
            return there - mirrored

    return Mirrors()


def train(plan: Plan, check: Path | None = None) -> Path:
    """Train, print on which share of ``check``'s indices it is right after each pass, and return the ONNX file."""
    import torch
    from torch.nn import functional

    torch.manual_seed(1)
    torch.set_num_threads(plan.threads)
    rng = np.random.default_rng(1)
    patches = load_patches(plan.data)
    if plan.photographs:
        patches = joined([patches, load_patches(plan.photographs)])
    there = np.flatnonzero(patches.labels != NONE)
    held = load_patches(check) if check else None
    model = network().to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(model.parameters(), lr=plan.lr, weight_decay=0.02)
    per_pass = max(len(there) // plan.batch, 1)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, plan.lr, total_steps=plan.epochs * per_pass)
    began, short = time.monotonic(), has_bf16()
    plan.out.mkdir(parents=True, exist_ok=True)
    for epoch in range(plan.epochs):
        model.train()
        order, total = rng.permutation(there), 0.0
        for k in range(per_pass):
            pick = np.sort(order[k * plan.batch : (k + 1) * plan.batch])
            seen, _ = varied(patches.images[pick], patches.corners[pick], rng)
            x = torch.from_numpy(to_input(shaken(seen, rng))).contiguous(memory_format=torch.channels_last)
            with torch.autocast("cpu", torch.bfloat16, enabled=short):
                said = model(x)
            loss = functional.softplus(said.float()).mean()
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            optimiser.step()
            schedule.step()
            total += float(loss.detach())
        line = f"pass {epoch + 1}/{plan.epochs} loss {total / per_pass:.4f}"
        if held is not None:
            line += f" held-out {_accuracy(model, held)}"
        print(f"{line} {time.monotonic() - began:.0f} s", flush=True)
        torch.save(model.state_dict(), plan.out / "mirrors.pt")
    whole = export(model, plan.out / "mirrors_whole.onnx")
    return in_bytes(whole, plan.out / "mirrors.onnx", measured_on("patches", patches.images, rng))


def _accuracy(model: Any, held: Patches) -> str:
    import torch

    model.eval()
    images = held.images[held.labels != NONE]
    with torch.inference_mode():
        said = [model(torch.from_numpy(to_input(images[k : k + 512]))) for k in range(0, len(images), 512)]
    logits = torch.cat(said)
    surprise = torch.nn.functional.softplus(logits).mean()
    return f"right {float((logits < 0).float().mean()):.4f} surprise {float(surprise):.4f}"


def export(model: Any, target: Path) -> Path:
    """ONNX with a free batch size."""
    return exported(model, target, "patches", (PATCH_HEIGHT, PATCH_WIDTH), ["mirrored"])
