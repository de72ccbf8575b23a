"""What the training of the chip networks shares: a plan, batches made ahead, a loop that can be stopped."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from models.recipes.processor import has_bf16


@dataclass(frozen=True)
class Plan:
    """Where to write, and how long to train."""

    out: Path
    steps: int
    batch: int = 64
    lr: float = 0.003
    threads: int = 2
    """One where other work shares the processor: two threads that wait for each other then crawl."""


def fed(make: Callable[[], Any], ahead: int = 6) -> Callable[[], Any]:
    """Batches made in another thread while the network learns."""
    ready: queue.Queue[Any] = queue.Queue(ahead)

    def work() -> None:
        while True:
            ready.put(make())

    threading.Thread(target=work, daemon=True).start()
    return ready.get


def optimised(
    model: Any,
    plan: Plan,
    batches: Callable[[], Any],
    step: Callable[[Any], Any],
    path: Path,
    check: Callable[[], str] | None = None,
    short: bool = False,
) -> None:
    """The usual loop; a checkpoint every 100 steps, from which it goes on.

    ``short`` reckons with bf16, for networks whose last layers see to their own precision (`processor.in_full`).
    """
    import torch

    optimiser = torch.optim.AdamW(model.parameters(), lr=plan.lr, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, plan.lr, total_steps=plan.steps + 1, pct_start=0.12)
    begun, kept = 0, path.with_suffix(".resume")
    if kept.exists():
        saved = torch.load(kept)
        model.load_state_dict(saved["model"])
        optimiser.load_state_dict(saved["optimiser"])
        schedule.load_state_dict(saved["schedule"])
        begun = saved["step"]
    began, total = time.monotonic(), 0.0
    model.train()
    for n in range(begun, plan.steps):
        batch = batches()
        with torch.autocast("cpu", torch.bfloat16, enabled=short and has_bf16()):
            loss = step(batch)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        schedule.step()
        total += float(loss.detach())
        if (n + 1) % 100 == 0 or n + 1 == plan.steps:
            states = {"model": model.state_dict(), "optimiser": optimiser.state_dict()}
            torch.save({**states, "schedule": schedule.state_dict(), "step": n + 1}, kept)
            line = f"{path.stem} {n + 1}/{plan.steps} loss {total / 100:.4f}"
            total = 0.0
            if check and ((n + 1) % 400 == 0 or n + 1 == plan.steps):
                line += f" {check()}"
            print(f"{line} {time.monotonic() - began:.0f} s", flush=True)
    torch.save(model.state_dict(), path)
