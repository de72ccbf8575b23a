"""The baseline's recipe: a plain 52-class YOLO nano on the rendered scenes, as public card readers are made.

    python -m models.recipes.plain --out FOLDER [--scenes 6000] [--epochs 12 | --hours 1.2] [--start-from NET.pt]
        [--device cpu|0]

Afterwards: tableside bench cards MANIFEST --baseline FOLDER/plain.onnx
"""

from __future__ import annotations

import argparse
import os
from functools import partial
from pathlib import Path
from typing import Any

from datasets.plain_yolo import face_lines
from datasets.yolo import write_scenes
from models.recipes.detector import bf16_if_fast, channels_last
from models.recipes.torchvision_ops import mend
from vision.sightings import CARDS

SIZE, CARD_PX, SEED = 416, (40.0, 480.0), 500_000


def main() -> None:
    """Render, train, export; every step that is done is skipped."""
    ask = argparse.ArgumentParser(prog="python -m models.recipes.plain", description=__doc__.split("\n")[0])
    ask.add_argument("--out", type=Path, required=True, help="working folder; keep it to resume")
    ask.add_argument("--scenes", type=int, default=6_000)
    ask.add_argument("--epochs", type=int, default=12)
    ask.add_argument("--hours", type=float, help="train for so long instead")
    ask.add_argument("--start-from", type=Path, help="a YOLO11 nano whose layers it begins with, as far as they fit")
    ask.add_argument("--device", default="cpu")
    a = ask.parse_args()
    scenes = a.out / "scenes"
    if not (scenes / "done").exists():
        workers = os.cpu_count() or 1
        write = partial(write_scenes, size=SIZE, card_px=CARD_PX, workers=workers, lines=face_lines)
        write(scenes / "val", range(SEED, SEED + 200))
        write(scenes / "train", range(SEED + 200, SEED + 200 + a.scenes))
        (scenes / "done").touch()
    names = ", ".join(f"{number}: '{card}'" for number, card in enumerate(CARDS))
    data = scenes / "plain.yaml"
    data.write_text(f"path: {scenes.resolve()}\ntrain: train/images\nval: val/images\nnames: {{{names}}}\n")
    mend()
    from ultralytics import YOLO, settings
    from ultralytics.utils import torch_utils

    settings.update({"sync": False})
    torch_utils.NUM_THREADS = len(os.sched_getaffinity(0))
    if a.device == "cpu":
        bf16_if_fast()
    last = a.out / "plain" / "weights" / "last.pt"
    model = YOLO(str(last if last.exists() else "yolo11n.yaml"))
    if a.start_from and not last.exists():
        model.load(str(a.start_from))
    model.add_callback("on_train_start", channels_last)
    common: dict[str, Any] = {
        "data": str(data), "epochs": a.epochs, "imgsz": SIZE, "batch": 16, "device": a.device, "project": str(a.out),
        "name": "plain", "exist_ok": True, "fliplr": 0.0, "mosaic": 0.0, "scale": 0.25, "val": False, "plots": False,
        "workers": 2, "cache": "ram", "amp": a.device != "cpu", "seed": 3, "time": a.hours, "cos_lr": True,
        # Left to choose, the library takes a rate that falls with the number of classes: a fifth of this one.
        "optimizer": "AdamW", "lr0": 0.001, "lrf": 0.02, "warmup_epochs": 0.4,
    }  # fmt: skip
    model.train(resume=True, device=a.device) if last.exists() else model.train(**common)
    exported = Path(YOLO(str(last)).export(format="onnx", dynamic=True, simplify=True))
    exported.replace(a.out / "plain.onnx")
    print(a.out / "plain.onnx")


if __name__ == "__main__":
    main()
