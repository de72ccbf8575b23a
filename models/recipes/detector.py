"""The detector: a YOLO11 nano pose network, from scratch, that finds corner indices, cards and backs.

Every object carries four keypoints, its corners in its own order, so a quad also says which way is up. Trained on
rendered scenes and crops of the training photographs; no mirror of any kind (a mirrored index is a wrong card). Resumes
from its last checkpoint.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.recipes.processor import has_bf16
from models.recipes.revive import Picture, boxes_round_corners, revived

os.environ.setdefault("YOLO_AUTOINSTALL", "False")
os.environ.setdefault("YOLO_OFFLINE", "True")

SIGMA = 0.08
"""Keypoint tolerance as a share of the box side; the library's default for other than people (0.25) is too loose."""


@dataclass(frozen=True)
class Plan:
    """What to train, and for how long. ``device`` is ``cpu`` or a GPU number."""

    data: Path
    out: Path
    epochs: int = 5
    size: int = 320
    batch: int = 16
    lr: float = 0.002
    device: str = "cpu"
    start_from: Path | None = None
    """A checkpoint, or the committed ONNX file (see `revive`), to go on from."""


def write_data_file(folder: Path) -> Path:
    """The data set's description beside its pictures."""
    path = folder / "cards.yaml"
    path.write_text(
        f"path: {folder.resolve()}\ntrain: train/images\nval: val/images\nnames: {{0: index, 1: card, 2: back}}\n"
        f"kpt_shape: [4, 3]\nflip_idx: [1, 0, 3, 2]\nkpt_oks_sigmas: [{SIGMA}, {SIGMA}, {SIGMA}, {SIGMA}]\n"
    )
    return path


def _tighten_keypoint_loss() -> None:
    """Add a logarithmic term, which still pulls where the exponential one is flat."""
    import torch
    from ultralytics.utils import loss

    def forward(self: Any, pred: Any, true: Any, mask: Any, area: Any) -> Any:
        d = (pred[..., 0] - true[..., 0]).pow(2) + (pred[..., 1] - true[..., 1]).pow(2)
        factor = mask.shape[1] / (torch.sum(mask != 0, dim=1) + 1e-9)
        e = d / ((2 * self.sigmas).pow(2) * (area + 1e-9) * 2)
        return (factor.view(-1, 1) * ((1 - torch.exp(-e)) + 0.25 * torch.log1p(e)) * mask).mean()

    loss.KeypointLoss.forward = forward


def bf16_if_fast() -> None:
    """Half the figures' length where the processor has it; elsewhere stay in fp32."""
    if not has_bf16():
        return
    import torch
    from ultralytics.engine import trainer

    trainer.autocast = lambda *_a, **_k: torch.autocast("cpu", torch.bfloat16)


def channels_last(trainer: Any) -> None:
    """Half as fast again on a CPU, in fp32 too (measured: 12.6 to 18.7 pictures a second at 320)."""
    import torch

    trainer.model.to(memory_format=torch.channels_last)


def train(plan: Plan) -> Path:
    """Train, export to ONNX, and return the ONNX file's path."""
    from models.recipes.torchvision_ops import mend

    mend()
    import torch
    from ultralytics import YOLO, settings
    from ultralytics.utils import torch_utils

    settings.update({"sync": False})
    torch_utils.NUM_THREADS = os.cpu_count() or 2
    _tighten_keypoint_loss()
    if plan.device == "cpu":
        bf16_if_fast()
    data = write_data_file(plan.data)
    run = plan.out / "detector"
    last = run / "weights" / "last.pt"
    common: dict[str, Any] = {
        "data": str(data), "epochs": plan.epochs, "imgsz": plan.size, "batch": plan.batch, "device": plan.device,
        "project": str(plan.out), "name": "detector", "exist_ok": True, "optimizer": "AdamW", "lr0": plan.lr,
        "lrf": 0.02, "cos_lr": True, "warmup_epochs": 0.4, "weight_decay": 0.0005, "pose": 14.0, "box": 6.0,
        "mosaic": 0.0, "fliplr": 0.0, "flipud": 0.0, "degrees": 0.0, "scale": 0.25, "translate": 0.08, "erasing": 0.0,
        "hsv_h": 0.01, "hsv_s": 0.3, "hsv_v": 0.25, "auto_augment": None, "amp": plan.device != "cpu", "workers": 2,
        "plots": False, "val": False, "cache": "ram", "seed": 3, "deterministic": False,
    }  # fmt: skip
    start: Path | str = plan.start_from or "yolo11n-pose.yaml"
    if plan.start_from is not None and plan.start_from.suffix == ".onnx":
        boxes_round_corners()
        plan.out.mkdir(parents=True, exist_ok=True)
        start = plan.out / "revived.pt"
        if not last.exists():
            torch.save({"model": revived(plan.start_from, _some_pictures(plan.data, plan.size))}, start)
    model = YOLO(str(last if last.exists() else start))
    model.add_callback("on_train_start", channels_last)
    if last.exists():
        model.train(resume=True, device=plan.device)
    else:
        model.train(**common)
    return export(last, plan.out / "detector.onnx")


def _some_pictures(data: Path, size: int, count: int = 240) -> list[Picture]:
    """Every so many-th training picture, at the size that is trained at."""
    every = sorted((data / "train" / "images").glob("*.jpg"))
    read = (cv2.imread(str(path)) for path in every[:: max(1, len(every) // count)])
    return [np.asarray(cv2.resize(it, (size, size)), np.uint8) for it in read if it is not None]


def export(weights: Path, target: Path) -> Path:
    """The checkpoint's network, as `written`."""
    from models.recipes.torchvision_ops import mend

    mend()
    from ultralytics import YOLO

    return written(YOLO(str(weights)).model, target)


def written(network: Any, target: Path) -> Path:
    """ONNX of what the product uses: class scores and corners, raw, at any picture size.

    The box branch and its softmax are a third of the network's time, and the corners say more: they stay behind. The
    picture goes in as it is (1 x H x W x 3 bytes, BGR); scaling and channel order are folded into the first layer.
    """
    import onnxslim
    import torch
    from torch import nn

    class Finder(nn.Module):  # type: ignore[misc]
        def __init__(self, network: Any) -> None:
            super().__init__()
            self.body, self.head, self.kept = network.model[:-1], network.model[-1], set(network.save)
            first = self.body[0].conv
            first.weight.data = first.weight.data.flip(1) / 255

        def forward(self, picture: Any) -> tuple[Any, Any]:
            seen: list[Any] = []
            x = picture.permute(0, 3, 1, 2).float()
            for layer in self.body:
                if layer.f != -1:
                    x = seen[layer.f] if isinstance(layer.f, int) else [x if k == -1 else seen[k] for k in layer.f]
                x = layer(x)
                seen.append(x if layer.i in self.kept else None)
            levels = [seen[k] for k in self.head.f]
            scores = [score(level).flatten(2) for score, level in zip(self.head.cv3, levels, strict=True)]
            points = [point(level).flatten(2) for point, level in zip(self.head.cv4, levels, strict=True)]
            return torch.cat(scores, 2), torch.cat(points, 2)

    torch.onnx.export(
        Finder(network.float().eval().fuse(verbose=False)).eval(),
        (torch.zeros(1, 320, 416, 3, dtype=torch.uint8),),
        str(target),
        input_names=["picture"],
        output_names=["scores", "points"],
        dynamic_axes={"picture": {1: "height", 2: "width"}, "scores": {2: "places"}, "points": {2: "places"}},
        opset_version=17,
        dynamo=False,
    )
    onnxslim.slim(str(target), str(target))
    return target
