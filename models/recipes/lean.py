"""A lean twin of the detector: the same layers with a plain ReLU after each, which can be reckoned in bytes.

A network that learned with SiLU is worth nothing with ReLU in its place, but it can teach its twin: the twin begins
with its weights and learns to make the same of any picture at all, inside and at the end. No labels are needed, so
pictures may be shrunk, cut and pasted at will, and a few hundred steps go as far as hours of training from nothing
(`EXPERIMENTS.md`, row 70). Where pictures have labels, what the teacher overlooks is told too (`overlooked.py`).

    python -m models.recipes.lean --teacher detector.onnx --pictures scenes/train/images --out work
"""

from __future__ import annotations

import argparse
import copy
import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.recipes.detector import written
from models.recipes.in_bytes import in_bytes
from models.recipes.overlooked import Quads, mended, padded, shares_of
from models.recipes.processor import has_bf16
from models.recipes.revive import Picture, rectified, revived

SIDE = 416
GREY = (114, 114, 114)
HELD_AGAINST = (4, 6, 10, 13, 16, 19, 22)
"""Layers whose outcomes are compared: what each stage hands on, and what the head is given."""
MEASURED_ON = 32
"""Pictures on which the ranges in bytes are measured."""
WORTH = 0.03
"""The corners of what the teacher gives less than this chance are not asked for."""


@dataclass(frozen=True)
class Plan:
    """Whose twin, what it is shown (a folder of pictures, or several), and for how long."""

    teacher: Path
    pictures: tuple[Path, ...]
    out: Path
    steps: int = 2_400
    batch: int = 16
    lr: float = 0.0006
    device: str = "cpu"
    threads: int = os.cpu_count() or 2
    twin: Path | None = None
    """A twin, as ONNX, to go on with; else it begins with its teacher's weights."""


def _read(path: Path) -> Picture:
    return np.asarray(cv2.imread(str(path)), np.uint8)


def _square(path: Path) -> Picture:
    return np.asarray(cv2.resize(_read(path), (SIDE, SIDE), interpolation=cv2.INTER_AREA), np.uint8)


def shown(pictures: Sequence[Path], rng: np.random.Generator) -> tuple[Picture, Quads]:
    """A picture of ``SIDE`` as the product might meet one: larger, smaller, lighter, worse, beside another; and the
    indices that its labels know of."""
    path = pictures[int(rng.integers(len(pictures)))]
    read = _read(path)
    if max(read.shape[:2]) > 2 * SIDE:  # a photograph: about as the product's passes shrink it
        size = rng.uniform(0.55, 1.25) * 640 / max(read.shape[:2])
        read = np.asarray(cv2.resize(read, None, fx=size, fy=size, interpolation=cv2.INTER_AREA), np.uint8)
    elif rng.random() < 0.6:
        size = rng.uniform(0.62, 1.5)
        way = cv2.INTER_AREA if size < 1 else cv2.INTER_LINEAR
        read = np.asarray(cv2.resize(read, None, fx=size, fy=size * rng.uniform(0.92, 1.08), interpolation=way))
    h, w = read.shape[:2]
    quads = shares_of(path) * np.array([w, h], np.float32)
    if min(h, w) < SIDE:
        under = np.full((SIDE, SIDE, 3), GREY, np.uint8)
        if rng.random() < 0.7:
            under = _square(pictures[int(rng.integers(len(pictures)))])
        high, wide = min(h, SIDE), min(w, SIDE)
        y, x = rng.integers(SIDE - high + 1), rng.integers(SIDE - wide + 1)
        under[y : y + high, x : x + wide] = read[:high, :wide]
        read = under
        quads = quads[(quads < [wide, high]).all((1, 2))] + np.array([x, y], np.float32)
    else:
        y, x = rng.integers(h - SIDE + 1), rng.integers(w - SIDE + 1)
        read = read[y : y + SIDE, x : x + SIDE]
        quads = quads - np.array([x, y], np.float32)
    if rng.random() < 0.5:
        curve = (np.arange(256) / 255) ** rng.uniform(0.6, 1.5)
        light = [np.clip(curve * rng.uniform(0.8, 1.15) * 255, 0, 255) for _ in range(3)]
        read = np.asarray(cv2.LUT(read, np.stack(light, 1).astype(np.uint8)[:, None]), np.uint8)
    if rng.random() < 0.15:
        _, packed = cv2.imencode(".jpg", read, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 80))])
        read = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    if rng.random() < 0.1:
        read = np.asarray(cv2.GaussianBlur(read, (0, 0), rng.uniform(0.4, 1.3)), np.uint8)
    if rng.random() < 0.1:
        read = np.clip(read + rng.normal(0, rng.uniform(2, 9), read.shape), 0, 255).astype(np.uint8)
    return np.ascontiguousarray(read), padded(quads, SIDE)


def _answers(network: Any, x: Any) -> tuple[list[Any], Any, Any]:
    """What the layers of ``HELD_AGAINST`` make of ``x``, the scores and the corners."""
    import torch

    seen: list[Any] = []
    head = network.model[-1]
    for layer in network.model[:-1]:
        if layer.f != -1:
            x = seen[layer.f] if isinstance(layer.f, int) else [x if k == -1 else seen[k] for k in layer.f]
        x = layer(x)
        seen.append(x)
    levels = [seen[k] for k in head.f]
    scores = torch.cat([ask(level).flatten(2) for ask, level in zip(head.cv3, levels, strict=True)], 2)
    points = torch.cat([ask(level).flatten(2) for ask, level in zip(head.cv4, levels, strict=True)], 2)
    return [seen[k] for k in HELD_AGAINST], scores.float(), points.float()


def apart(ours: tuple[list[Any], Any, Any], theirs: tuple[list[Any], Any, Any], quads: Quads | None = None) -> Any:
    """How far the twin is from its teacher: inside, in what it finds, and in where the corners of that are. With
    ``quads`` (one picture's indices a row) the teacher's word is mended first."""
    import torch
    from torch.nn import functional

    (inside, scores, points), (want_inside, want_scores, want_points) = ours, theirs
    pairs = zip(inside, want_inside, strict=True)
    within = torch.stack([functional.mse_loss(a.float(), b.float()) / b.float().var() for a, b in pairs]).mean()
    chance = want_scores.sigmoid()
    if quads is not None:
        chance, want_points = mended(chance, want_points, quads, SIDE)
        want_scores = torch.logit(chance.clamp(1e-6, 1 - 1e-6))
    entropy = functional.binary_cross_entropy_with_logits
    found = entropy(scores, chance, reduction="none") - entropy(want_scores, chance, reduction="none")
    found = found * (1 + 4 * (chance - scores.sigmoid()).detach().abs())
    weight = chance.amax(1, keepdim=True)
    weight = weight * (weight > WORTH)
    placed = torch.arange(points.shape[1]) % 3 < 2  # x and y; whether a corner shows is not used
    off = ((points - want_points)[:, placed].abs() * weight).sum() / weight.sum().clamp(min=1) / int(placed.sum())
    return found.sum() / chance.sum().clamp(min=8) + 4 * off + 0.5 * within


def train(plan: Plan) -> Path:
    """Teach the twin, and write it as ``detector.onnx`` (in bytes); resumes from its last checkpoint."""
    import torch

    torch.manual_seed(0)
    torch.set_num_threads(plan.threads)
    pictures = sorted(p for folder in plan.pictures for p in folder.rglob("*.jpg"))
    if not pictures:
        raise ValueError(f"No pictures (*.jpg) in {', '.join(map(str, plan.pictures))}.")
    plan.out.mkdir(parents=True, exist_ok=True)
    some = [_square(p) for p in pictures[:: max(1, len(pictures) // 200)]]
    teacher = revived(plan.teacher, some).eval()
    twin = rectified(revived(plan.twin, some) if plan.twin else copy.deepcopy(teacher)).requires_grad_(True)
    teacher = teacher.fuse(verbose=False).requires_grad_(False).to(plan.device, memory_format=torch.channels_last)
    twin = twin.to(plan.device, memory_format=torch.channels_last)
    mean = copy.deepcopy(twin).eval()
    weights = [p for p in twin.parameters() if p.ndim > 1]
    others = [p for p in twin.parameters() if p.ndim <= 1]
    optimiser = torch.optim.AdamW([{"params": weights, "weight_decay": 2e-4}, {"params": others, "weight_decay": 0.0}])
    step, kept = 0, plan.out / "lean.pt"
    if kept.exists():
        held = torch.load(kept, weights_only=True, map_location=plan.device)
        twin.load_state_dict(held["twin"])
        mean.load_state_dict(held["mean"])
        optimiser.load_state_dict(held["optimiser"])
        step = held["step"]
    batches, short, total = _batches(pictures, plan.batch, step), plan.device == "cpu" and has_bf16(), 0.0
    twin.train()
    while step < plan.steps:
        x, quads = next(batches)
        x = x.to(plan.device)
        with torch.autocast("cpu", torch.bfloat16, enabled=short):
            with torch.no_grad():
                theirs = _answers(teacher, x)
            ours = _answers(twin, x)
        loss = apart(ours, theirs, quads)
        for part in optimiser.param_groups:
            fall = 0.02 + 0.98 * (1 + math.cos(math.pi * step / plan.steps)) / 2
            part["lr"] = plan.lr * min(1.0, (step + 1) / 150) * fall
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(twin.parameters(), 5.0)
        optimiser.step()
        step += 1
        _follow(mean, twin, min(0.998, step / (step + 20)))
        total += float(loss.detach())
        if step % 50 == 0:
            print(f"step {step}/{plan.steps} apart {total / 50:.4f}", flush=True)
            total = 0.0
        if step % 250 == 0 or step == plan.steps:
            state = {"twin": twin.state_dict(), "mean": mean.state_dict(), "optimiser": optimiser.state_dict()}
            torch.save({**state, "step": step}, kept)
    whole = written(mean.to("cpu"), plan.out / "detector_whole.onnx")
    measured = pictures[:: max(1, len(pictures) // MEASURED_ON)][:MEASURED_ON]
    return in_bytes(whole, plan.out / "detector.onnx", [{"picture": _square(p)[None]} for p in measured])


def _batches(pictures: Sequence[Path], size: int, seed: int) -> Iterator[Any]:
    """Batches without end, made by another process while the network learns."""
    import torch

    class Shown(torch.utils.data.IterableDataset):  # type: ignore[misc]
        def __iter__(self) -> Iterator[Any]:
            rng = np.random.default_rng(seed)
            while True:
                picture, quads = shown(pictures, rng)
                yield torch.from_numpy(picture[..., ::-1].copy()).permute(2, 0, 1), torch.from_numpy(quads)

    for batch, quads in torch.utils.data.DataLoader(Shown(), batch_size=size, num_workers=1, prefetch_factor=3):
        yield (batch.float() / 255).contiguous(memory_format=torch.channels_last), quads.numpy()


def _follow(mean: Any, twin: Any, share: float) -> None:
    """The running mean of the twin's weights, which is what is kept in the end."""
    import torch

    with torch.no_grad():
        for a, b in zip(mean.state_dict().values(), twin.state_dict().values(), strict=True):
            if a.dtype.is_floating_point:
                a.mul_(share).add_(b, alpha=1 - share)
            else:
                a.copy_(b)


def main() -> None:
    """Teach a twin and write it."""
    ask = argparse.ArgumentParser(prog="python -m models.recipes.lean", description=__doc__.split("\n")[0])
    ask.add_argument("--teacher", type=Path, required=True, help="the detector to learn from, as ONNX")
    ask.add_argument("--pictures", type=Path, action="append", required=True, help="a folder of pictures; any number")
    ask.add_argument("--out", type=Path, required=True, help="working folder; keep it to resume")
    ask.add_argument("--steps", type=int, default=Plan.steps)
    ask.add_argument("--twin", type=Path, help="a twin to go on with, as ONNX (default: begin as the teacher)")
    ask.add_argument("--device", default="cpu", help="cpu, or cuda:0")
    a = ask.parse_args()
    print(train(Plan(a.teacher, tuple(a.pictures), a.out, a.steps, device=a.device, twin=a.twin)))


if __name__ == "__main__":
    main()
