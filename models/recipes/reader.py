"""The reader: a small convolutional network that names an index patch and says where its corners really are.

Trained on patches of rendered scenes and of training photographs; 1.8 M parameters, reckoned in bytes. One pass
corrects the detector's corners, a second pass on the corrected patch names the card.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from datasets.patches import NONE, joined, load_patches
from models.recipes.in_bytes import in_bytes
from models.recipes.layers import block, deeper, exported
from models.recipes.processor import has_bf16, in_full
from models.recipes.revive import begun, some_of
from models.recipes.shaken import shaken, varied
from models.recipes.shaken_at_once import shaken_at_once
from vision.cards.patches import PATCH_HEIGHT, PATCH_WIDTH, TARGET, to_input

CORNER_SCALE = np.array([PATCH_WIDTH, PATCH_HEIGHT], np.float32)
CHANNELS, DEEPER = (24, 48, 80, 128), 3
"""Channels of the layers at 48 x 32, 24 x 16 (two) and 12 x 8, and the pairs of layers that are added at the last."""
MEASURED_ON, AT_ONCE = 1_500, 50
"""Patches on which the ranges in bytes are measured, and how many at a time."""


@dataclass(frozen=True)
class Plan:
    """What to train on (a folder of patch shards), and for how many passes over it."""

    data: Path
    out: Path
    epochs: int = 8
    batch: int = 256
    lr: float = 0.003
    device: str = "cpu"
    threads: int = os.cpu_count() or 2
    start_from: Path | None = None
    """A checkpoint, or the committed ONNX file (see `revive`), to go on from."""
    photographs: Path | None = None
    """Patches of real photographs (``datasets.photographs``), each seen ``repeat`` times in a pass."""
    repeat: int = 1


def network() -> Any:
    """The layers. N x 3 x 96 x 64 in; N x (faces + 1) logits and N x 8 corner offsets (shares of the patch) out."""
    from torch import nn

    class Reader(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            a, b, c, d = CHANNELS
            self.trunk = nn.Sequential(
                block(3, a, 2), block(a, b, 2), block(b, c), block(c, d, 2), block(d, d), *map(deeper, [d] * DEEPER)
            )
            self.look = nn.Sequential(nn.AvgPool2d(2), nn.Flatten(), nn.Dropout(0.15))  # d x 6 x 4
            self.name = nn.Sequential(nn.Linear(d * 24, 128), nn.ReLU(inplace=True), nn.Linear(128, NONE + 1))
            self.place = nn.Sequential(nn.Linear(d * 24, 64), nn.ReLU(inplace=True), nn.Linear(64, 8))

        def forward(self, x: Any) -> tuple[Any, Any]:
            seen = self.look(self.trunk(x))
            return in_full(self.name, seen), in_full(self.place, seen)

    return Reader()


def measured_on(name: str, images: np.ndarray, rng: np.random.Generator) -> list[dict[str, Any]]:
    """Inputs for `in_bytes`, called ``name``: some of the images, a few at a time."""
    some = to_input(some_of(images, rng, MEASURED_ON))
    return [{name: some[k : k + AT_ONCE]} for k in range(0, max(len(some) - AT_ONCE + 1, 1), AT_ONCE)]


def train(plan: Plan, check: Path | None = None) -> Path:
    """Train, print accuracy on ``check``'s patches after each pass, export to ONNX and return its path."""
    import torch
    from torch.nn import functional

    torch.manual_seed(1)
    torch.set_num_threads(plan.threads)
    rng = np.random.default_rng(1)
    patches = load_patches(plan.data)
    if plan.photographs:
        patches = joined([patches] + [load_patches(plan.photographs)] * plan.repeat)
    held = load_patches(check) if check else None
    device = torch.device(plan.device)
    model = begun(network(), plan.start_from, lambda: to_input(shaken(some_of(patches.images, rng), rng)))
    model = model.to(device, memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(model.parameters(), lr=plan.lr, weight_decay=0.02)
    steps = max(plan.epochs * (len(patches.labels) // plan.batch), 2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, plan.lr, total_steps=steps, pct_start=0.15)
    scale = torch.from_numpy(CORNER_SCALE).to(device)
    began, short = time.monotonic(), device.type != "cpu" or has_bf16()
    for epoch in range(plan.epochs):
        model.train()
        order, total = rng.permutation(len(patches.labels)), 0.0
        for k in range(len(order) // plan.batch):
            pick = np.sort(order[k * plan.batch : (k + 1) * plan.batch])
            x, corners = _shown(patches.images[pick], patches.corners[pick], rng, device)
            label = torch.from_numpy(patches.labels[pick]).to(device)
            want = ((corners - torch.from_numpy(TARGET).to(device)) / scale).reshape(-1, 8)
            there = torch.isfinite(want).all(1)
            corner = want.nan_to_num()
            with torch.autocast(device.type, torch.bfloat16, enabled=short):
                names, places = model(x)
            loss = functional.cross_entropy(names, label, label_smoothing=0.03)
            off = functional.smooth_l1_loss(places, corner, beta=0.02, reduction="none").mean(1)
            loss = loss + 12.0 * (off * there).sum() / there.sum().clamp(min=1)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            optimiser.step()
            schedule.step()
            total += float(loss.detach())
        line = f"pass {epoch + 1}/{plan.epochs} loss {total / max(len(order) // plan.batch, 1):.4f}"
        if held is not None:
            line += f" held-out {_accuracy(model, held, device)}"
        print(f"{line} {time.monotonic() - began:.0f} s", flush=True)
        plan.out.mkdir(parents=True, exist_ok=True)
        torch.save(model.state_dict(), plan.out / "reader.pt")
    whole = export(model, plan.out / "reader_whole.onnx")
    return in_bytes(whole, plan.out / "reader.onnx", measured_on("patches", patches.images, rng))


def _shown(images: np.ndarray, corners: np.ndarray, rng: np.random.Generator, device: Any) -> tuple[Any, Any]:
    """A batch as it is learned from at this pass, and its corners: patch by patch on a processor, at once elsewhere."""
    import torch

    if device.type != "cpu":
        x, moved = shaken_at_once(torch.from_numpy(images).to(device), torch.from_numpy(corners).to(device))
        return x.contiguous(memory_format=torch.channels_last), moved
    seen, varied_corners = varied(images, corners, rng)
    x = torch.from_numpy(to_input(shaken(seen, rng))).contiguous(memory_format=torch.channels_last)
    return x, torch.from_numpy(varied_corners)


def _accuracy(model: Any, held: Any, device: Any) -> str:
    import torch

    model.eval()
    right, off = [], []
    with torch.inference_mode():
        for k in range(0, len(held.labels), 512):
            part = slice(k, k + 512)
            names, places = model(torch.from_numpy(to_input(held.images[part])).to(device))
            right.append(names.argmax(1).cpu().numpy() == held.labels[part])
            moved = places.cpu().numpy().reshape(-1, 4, 2) * CORNER_SCALE + TARGET
            off.append(np.linalg.norm(moved - held.corners[part], axis=2).mean(1))
    hits, far = np.concatenate(right), np.concatenate(off)
    real = held.labels != NONE
    return f"faces {hits[real].mean():.4f} none {hits[~real].mean():.4f} corner {np.nanmedian(far):.2f} px"


def export(model: Any, target: Path) -> Path:
    """ONNX with a free batch size: logits, corner offsets, and the features that the logits are made of (length 1)."""
    from torch import nn
    from torch.nn import functional

    class Named(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, x: Any) -> tuple[Any, Any, Any]:
            seen = self.model.look(self.model.trunk(x))
            described = self.model.name[1](self.model.name[0](seen))
            return self.model.name[2](described), self.model.place(seen), functional.normalize(described)

    return exported(Named(), target, "patches", (PATCH_HEIGHT, PATCH_WIDTH), ["logits", "offsets", "features"])
