"""The baseline's first stage: a YOLO nano learns to name single indices, with the very layers that it names them by.

All three of its grids are asked, each in the cell that the index's middle lies in. It takes an hour of one core to name
half of them, where whole scenes had taught it no name in as long (`EXPERIMENTS.md`, rows 88 to 90).
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np

from datasets.deck import Floats
from datasets.patches import Patches
from datasets.plain_glances import SIDE, cards_of, glances
from models.recipes.processor import has_bf16
from vision.cards.detector import CELLS
from vision.sightings import CARDS

BATCH, RATE, HELD_OUT = 192, 0.002, 3_000
GRIDS_WEIGH = (1.0, 1.0, 0.5)
EASY_UNTIL, HARD_FROM = 0.12, 0.62
"""Shares of the time up to which all is upright and large, and from which on it is as in scenes."""
REPORTED = 200


def learn_names(patches: Patches, out: Path, hours: float, seed: int = 1) -> Path:
    """Train for so many hours, print what share of held-out indices is named, and return the checkpoint ``out``.

    `ultralytics.YOLO` opens it. Raises ``ValueError`` where there are too few patches to hold any out.
    """
    import torch
    from torch.nn import functional
    from ultralytics.nn.tasks import DetectionModel

    cards = cards_of(patches)
    usable = np.flatnonzero(cards >= 0)
    if len(usable) <= HELD_OUT:
        raise ValueError(f"{len(usable)} indices are too few to learn names from; render more than {HELD_OUT}.")
    held, usable = usable[-HELD_OUT:], usable[:-HELD_OUT]
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    network = DetectionModel("yolo11n.yaml", nc=len(CARDS), verbose=False).to(memory_format=torch.channels_last).train()
    optimiser = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=0.02)
    began, step, losses = time.monotonic(), 0, []
    while (share := (time.monotonic() - began) / (3600 * hours)) < 1:
        for group in optimiser.param_groups:
            group["lr"] = RATE * min(1.0, (step + 1) / 100) * (0.02 + 0.49 * (1 + np.cos(np.pi * share)))
        hard = float(np.clip((share - EASY_UNTIL) / (HARD_FROM - EASY_UNTIL), 0, 1))
        some = rng.choice(usable, BATCH)
        pictures, middles = glances(patches, some, rng, hard)
        truth = torch.from_numpy(cards[some])
        said = _said(network, pictures, middles)
        loss = sum(
            weigh * functional.cross_entropy(one, truth, label_smoothing=0.05)
            for weigh, one in zip(GRIDS_WEIGH, said, strict=True)
        )
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 10.0)
        optimiser.step()
        losses.append(float(loss.detach()))
        step += 1
        if step % REPORTED == 0:
            named = _named(network, patches, held, cards, hard)
            print(
                f"names {step}, {100 * share:.0f} %: loss {np.mean(losses[-REPORTED:]):.3f}, named {named}", flush=True
            )
    out.parent.mkdir(parents=True, exist_ok=True)
    torch.save({"model": network.to(memory_format=torch.contiguous_format), "train_args": {}}, out)
    return out


def _said(network: Any, pictures: Floats, middles: Floats) -> list[Any]:
    """For each grid N x 52 logits, where the index's middle is."""
    import torch

    shown = torch.from_numpy(pictures[..., ::-1].transpose(0, 3, 1, 2) / 255)
    with torch.autocast("cpu", torch.bfloat16, enabled=has_bf16()):
        said = network(shown.contiguous(memory_format=torch.channels_last))
    logits = (said[1] if isinstance(said, tuple) else said)["scores"].float()
    everyone, begin, out = torch.arange(len(pictures)), 0, []
    for cell in CELLS:
        side = SIDE // cell
        x, y = np.clip((middles // cell).astype(np.int64), 0, side - 1).T
        out.append(logits[everyone, :, torch.from_numpy(begin + y * side + x)])
        begin += side * side
    return out


def _named(network: Any, patches: Patches, held: np.ndarray, cards: np.ndarray, hard: float) -> str:
    """What share of the first of ``held`` each grid names rightly."""
    import torch

    rng, right = np.random.default_rng(5), []
    network.eval()
    with torch.no_grad():
        for k in range(0, 6 * BATCH, BATCH):
            some = held[k : k + BATCH]
            said = _said(network, *glances(patches, some, rng, hard))
            right.append([(one.argmax(1).numpy() == cards[some]).mean() for one in said])
    network.train()
    return " ".join(f"{share:.3f}" for share in np.mean(right, 0))
