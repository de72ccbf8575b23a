"""The witness: a small convolutional network that names a whole card by its pips and its court.

Trained on cards of rendered scenes; about 0.5 M parameters. What is partly covered is to be called "no whole card".
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from datasets.faces import Faces, load_faces
from datasets.patches import NONE
from models.recipes.in_bytes import in_bytes
from models.recipes.layers import block, exported
from models.recipes.processor import has_bf16
from models.recipes.reader import measured_on
from models.recipes.revive import begun, some_of
from models.recipes.shaken import shaken
from vision.cards.faces import FACE_HEIGHT, FACE_WIDTH
from vision.cards.patches import to_input

WITHOUT_INDEX = 0.4
"""So many of the faces are shown without their indices, which the reader knows better: the pips are to be learned."""


@dataclass(frozen=True)
class Plan:
    """What to train on (a folder of shards), and for how many passes over it."""

    data: Path
    out: Path
    epochs: int = 12
    batch: int = 128
    lr: float = 0.003
    device: str = "cpu"
    threads: int = os.cpu_count() or 2
    start_from: Path | None = None
    """A checkpoint, or the committed ONNX file (see `revive`), to go on from."""


def network() -> Any:
    """The layers. N x 3 x 96 x 64 in, N x (faces + 1) logits out."""
    from torch import nn

    return nn.Sequential(
        block(3, 24, 2), block(24, 40, 2), block(40, 56), block(56, 96, 2), block(96, 96),
        nn.AvgPool2d(2), nn.Flatten(), nn.Dropout(0.2),
        nn.Linear(96 * 24, 128), nn.ReLU(inplace=True), nn.Linear(128, NONE + 1),
    )  # fmt: skip


def _without_index(images: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Some of the faces with their four corners painted over in a colour of their own."""
    out = images.copy()
    high, wide = round(FACE_HEIGHT * 0.27), round(FACE_WIDTH * 0.2)
    for k in np.flatnonzero(rng.random(len(out)) < WITHOUT_INDEX):
        paper = np.percentile(out[k].reshape(-1, 3), 75, axis=0)
        for rows in (slice(0, high), slice(FACE_HEIGHT - high, None)):
            for columns in (slice(0, wide), slice(FACE_WIDTH - wide, None)):
                out[k, rows, columns] = paper
    return out


def train(plan: Plan, check: Path | None = None) -> Path:
    """Train, print accuracy on ``check``'s faces after each pass, export to ONNX and return its path."""
    import torch
    from torch.nn import functional

    torch.manual_seed(1)
    torch.set_num_threads(plan.threads)
    rng = np.random.default_rng(1)
    faces = load_faces(plan.data)
    held = load_faces(check) if check else None
    device = torch.device(plan.device)
    model = begun(network(), plan.start_from, lambda: to_input(shaken(some_of(faces.images, rng), rng)))
    model = model.to(device, memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(model.parameters(), lr=plan.lr, weight_decay=0.02)
    each = max(len(faces.labels) // plan.batch, 1)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, plan.lr, total_steps=max(plan.epochs * each, 2), pct_start=0.15
    )
    began, short = time.monotonic(), plan.device == "cpu" and has_bf16()
    for epoch in range(plan.epochs):
        model.train()
        order, total = rng.permutation(len(faces.labels)), 0.0
        for k in range(each):
            pick = np.sort(order[k * plan.batch : (k + 1) * plan.batch])
            seen = shaken(_without_index(faces.images[pick], rng), rng)
            x = torch.from_numpy(to_input(seen)).to(device, memory_format=torch.channels_last)
            label = torch.from_numpy(faces.labels[pick]).to(device)
            with torch.autocast("cpu", torch.bfloat16, enabled=short):
                said = model(x)
            loss = functional.cross_entropy(said.float(), label, label_smoothing=0.03)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            optimiser.step()
            schedule.step()
            total += float(loss.detach())
        line = f"pass {epoch + 1}/{plan.epochs} loss {total / each:.4f}"
        if held is not None:
            line += f" held-out {_accuracy(model, held, device)}"
        print(f"{line} {time.monotonic() - began:.0f} s", flush=True)
        plan.out.mkdir(parents=True, exist_ok=True)
        torch.save(model.state_dict(), plan.out / "faces.pt")
    whole = export(model, plan.out / "faces_whole.onnx")
    return in_bytes(whole, plan.out / "faces.onnx", measured_on("faces", faces.images, rng))


def _accuracy(model: Any, held: Faces, device: Any) -> str:
    import torch

    model.eval()
    said = []
    with torch.inference_mode():
        for k in range(0, len(held.labels), 512):
            x = torch.from_numpy(to_input(held.images[k : k + 512])).to(device)
            said.append(model(x).argmax(1).cpu().numpy())
    names = np.concatenate(said)
    real = held.labels != NONE
    suits = names // 13 == held.labels // 13  # the joker and "none" are a suit of their own
    hits = names == held.labels
    return f"faces {hits[real].mean():.4f} suits {suits[real].mean():.4f} none {hits[~real].mean():.4f}"


def export(model: Any, target: Path) -> Path:
    """ONNX with a free batch size."""
    return exported(model, target, "faces", (FACE_HEIGHT, FACE_WIDTH), ["logits"])
