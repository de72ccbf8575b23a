"""The baseline's recipe: a plain 52-class YOLO nano on the rendered scenes, as public card readers are made.

    python -m models.recipes.plain --out FOLDER [--scenes 6000] [--epochs 12 | --hours 1.2] [--start-from NET.pt]
        [--patches FOLDER [--names-hours 0.8]] [--device cpu|0]

With the reader's patches (``models.recipes`` writes them) it first learns names from single indices
(`models.recipes.plain_names`).

Afterwards: tableside bench cards MANIFEST --baseline FOLDER/plain.onnx
"""

from __future__ import annotations

import argparse
import os
from functools import partial
from pathlib import Path
from typing import Any

from datasets.patches import load_patches
from datasets.plain_yolo import face_lines
from datasets.yolo import write_scenes
from models.recipes.detector import bf16_if_fast, channels_last
from models.recipes.plain_names import learn_names
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
    ask.add_argument(
        "--start-from", type=Path, help="a YOLO11 nano whose layers it begins with, where no patches are given"
    )
    ask.add_argument("--patches", type=Path, help="the reader's patches: names are learned from them first")
    ask.add_argument("--names-hours", type=float, default=0.8, help="for so long (default 0.8)")
    ask.add_argument("--device", default="cpu")
    a = ask.parse_args()
    scenes = a.out / "scenes"
    if not (scenes / "done").exists():
        workers = os.cpu_count() or 1
        write = partial(write_scenes, size=SIZE, card_px=CARD_PX, workers=workers, lines=face_lines)
        write(scenes / "val", range(SEED, SEED + 200))
        write(scenes / "train", range(SEED + 200, SEED + 200 + a.scenes))
        (scenes / "done").touch()
    mend()
    import torch
    from ultralytics import YOLO, settings
    from ultralytics.utils import torch_utils

    settings.update({"sync": False})
    torch_utils.NUM_THREADS = len(os.sched_getaffinity(0))
    torch.set_num_threads(torch_utils.NUM_THREADS)
    if a.device == "cpu":
        bf16_if_fast()
    names = a.out / "names.pt"
    if a.patches and not names.exists():
        learn_names(load_patches(a.patches), names, a.names_hours)
    last = _learned(a.out, scenes, a.epochs, a.hours, names if a.patches else None, a.start_from, a.device)
    exported = Path(YOLO(str(last)).export(format="onnx", dynamic=True, simplify=True))
    exported.replace(a.out / "plain.onnx")
    print(a.out / "plain.onnx")


def _learned(
    out: Path, data: Path, epochs: int, hours: float | None, names: Path | None, start: Path | None, device: str
) -> Path:
    """The checkpoint after training on ``data``, which goes on from where it was left."""
    from ultralytics import YOLO

    name = "plain"
    last, ended = out / name / "weights" / "last.pt", out / name / "done"
    if ended.exists():
        return last
    begun = last.exists()
    # What has learned names is opened whole: loaded into a new one, of 80 classes, it would lose their layers.
    model = YOLO(str(last if begun else names or "yolo11n.yaml"))
    if start and not begun and not names:
        model.load(str(start))
    model.add_callback("on_train_start", channels_last)
    common: dict[str, Any] = {
        "data": str(_described(data)), "epochs": epochs, "imgsz": SIZE, "batch": 16, "device": device,
        "project": str(out), "name": name, "exist_ok": True, "fliplr": 0.0, "mosaic": 0.0, "scale": 0.25,
        "val": False, "plots": False, "workers": 2, "cache": "ram", "amp": device != "cpu", "seed": 3, "time": hours,
        "cos_lr": True,
        # Left to choose, the library takes a rate that falls with the number of classes: a fifth of this one.
        "optimizer": "AdamW", "lr0": 0.001, "lrf": 0.02, "warmup_epochs": 0.4,
    }  # fmt: skip
    model.train(resume=True, device=device) if begun else model.train(**common)
    ended.touch()
    return last


def _described(data: Path) -> Path:
    """The file that tells YOLO where pictures lie and how classes are called."""
    names = ", ".join(f"{number}: '{card}'" for number, card in enumerate(CARDS))
    file = data / "plain.yaml"
    file.write_text(f"path: {data.resolve()}\ntrain: train/images\nval: val/images\nnames: {{{names}}}\n")
    return file


if __name__ == "__main__":
    main()
