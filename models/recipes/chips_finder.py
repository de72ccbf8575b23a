"""The chip finder: a small fully convolutional network that marks every stack's middle and how far its sides are.

It knows things 9 to 64 pixels wide and is run over a pyramid of the picture, as face finders are: that is far less to
learn than all sizes at once (``models/EXPERIMENTS.md``). Trained on windows of rendered scenes and of the training
photographs. Mirrors are harmless here: a mirrored stack is a stack.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.chips.counted import labelled
from datasets.chips.scene import equalised
from models.recipes.chips_training import Plan, fed, optimised
from models.recipes.revive import begun
from vision.chips.finder import CELL

WINDOW = 128
GRID = WINDOW // CELL
WIDEST, NARROWEST = 64.0, 9.0
"""How wide a thing may be, in window pixels, to be learned; a little beyond, it neither is there nor lacks."""


@dataclass(frozen=True)
class Pictures:
    """Small pictures, each with its half-size copies, and what stands in them.

    ``boxes`` are N x 5: shape number, x0, y0, x1, y1 in pixels.
    """

    images: list[list[NDArray[np.uint8]]]
    boxes: list[NDArray[np.float32]]
    weights: NDArray[np.float64]
    """How often each is shown, relative to the others."""
    exact: list[bool]
    """Whether its boxes fit: the photographs' were drawn loosely, so sides are learned from rendered ones alone."""


def load_pictures(folders: list[tuple[Path, float, bool]]) -> Pictures:
    """Folders with images/ and labels/ (YOLO boxes), each with the weight of one of its pictures, and if boxes fit."""
    images, boxes, weights, exact = [], [], [], []
    for folder, weight, fits in folders:
        for path in sorted((folder / "images").glob("*.jpg")):
            image = np.asarray(cv2.imread(str(path)), np.uint8)
            h, w = image.shape[:2]
            lines = (folder / "labels" / f"{path.stem}.txt").read_text().split("\n")
            rows = np.array([[float(v) for v in line.split()] for line in lines if line], np.float32).reshape(-1, 5)
            middle, half = rows[:, 1:3] * [w, h], rows[:, 3:5] * [w, h] / 2
            half_size = [image]
            while len(half_size) < 4:
                half_size.append(np.asarray(cv2.resize(half_size[-1], None, fx=0.5, fy=0.5, interpolation=3), np.uint8))
            images.append(half_size)
            boxes.append(np.column_stack([rows[:, :1], middle - half, middle + half]).astype(np.float32))
            weights.append(weight)
            exact.append(fits)
    return Pictures(images, boxes, np.array(weights) / sum(weights), exact)


def write_photographs(source: Path, target: Path, size: int = 320, shape: int = 0) -> int:
    """The training photographs (images/, labels/ with boxes or polygons; class 1 is a chip) small, as things of that
    ``shape``.
    """
    for name in ("images", "labels"):
        (target / name).mkdir(parents=True, exist_ok=True)
    done = 0
    for path in sorted((source / "images").iterdir()):
        image = cv2.imread(str(path))
        if image is None:
            continue
        lines = (source / "labels" / f"{path.stem}.txt").read_text().splitlines()
        small = cv2.resize(image, (size, size), interpolation=cv2.INTER_AREA)
        cv2.imwrite(str(target / "images" / f"p{done:04d}.jpg"), small, [cv2.IMWRITE_JPEG_QUALITY, 94])
        boxes = [f"{shape} {box}" for box in map(_box, lines) if box]
        (target / "labels" / f"p{done:04d}.txt").write_text("\n".join(boxes) + "\n")
        done += 1
    return done


def _box(line: str) -> str:
    found = labelled(line)
    if found is None or found[0] != "1":
        return ""
    return " ".join(f"{v:.5f}" for v in found[1])


def network() -> Any:
    """N x 3 x H x W in; N x 3 x H/4 x W/4 scores and N x 4 x H/4 x W/4 logarithms of distances to the sides out."""
    import torch
    from torch import nn
    from torch.nn import functional

    def block(a: int, b: int, stride: int = 1, kernel: int = 3) -> nn.Sequential:
        conv = nn.Conv2d(a, b, kernel, stride, kernel // 2, bias=False)
        return nn.Sequential(conv, nn.BatchNorm2d(b), nn.ReLU(inplace=True))

    class Finder(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.fine = nn.Sequential(block(3, 12, 2), block(12, 24, 2), block(24, 24))
            self.middle = nn.Sequential(block(24, 48, 2), block(48, 48))
            self.coarse = nn.Sequential(block(48, 80, 2), block(80, 80), block(80, 96, 2), block(96, 96))
            self.context = block(96, 48, 1, 1)
            self.join_middle = block(48, 48)
            self.lift = block(48, 24, 1, 1)
            self.join_fine = block(24, 24)
            self.head = block(24, 32)
            self.out = nn.Conv2d(32, 7, 1)
            with torch.no_grad():
                self.out.bias.zero_()
                self.out.bias[:3] = -3.5

        def forward(self, x: Any) -> tuple[Any, Any]:
            fine = self.fine(x)
            middle = self.middle(fine)
            far = functional.interpolate(self.context(self.coarse(middle)), scale_factor=4.0, mode="nearest")
            joined = self.join_middle(middle + far)
            near = functional.interpolate(self.lift(joined), scale_factor=2.0, mode="nearest")
            said = self.out(self.head(self.join_fine(fine + near)))
            return said[:, :3], said[:, 3:]

    return Finder()


class Windows:
    """Random windows of pictures, for training."""

    def __init__(self, pictures: Pictures, seed: int) -> None:
        self.pictures, self.rng = pictures, np.random.default_rng(seed)

    def draw(self) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
        """A window, and its targets 9 x GRID x GRID: 3 heats, 4 log distances, what counts for heat and for sides."""
        rng, p = self.rng, self.pictures
        k = int(rng.choice(len(p.images), p=p.weights))
        levels, boxes = p.images[k], p.boxes[k]
        h, w = levels[0].shape[:2]
        side = float(np.exp(rng.uniform(np.log(90), np.log(360))))
        if len(boxes) and rng.random() < 0.8:  # one of the things at a size that is learned
            box = boxes[int(rng.integers(len(boxes)))]
            side = float((box[3] - box[1]) * WINDOW / np.exp(rng.uniform(np.log(16), np.log(84))))
            if rng.random() < 0.18:  # too close: its parts must not pass for chips
                side = float((box[3] - box[1]) * rng.uniform(0.25, 0.9))
            side = float(np.clip(side, 26, 380))
            at = (box[1:3] + box[3:5]) / 2 + rng.uniform(-0.38, 0.38, 2) * side
        else:
            at = rng.uniform(0, 1, 2) * [w, h]
        sx = WINDOW / side * float(np.exp(rng.normal(0, 0.08)))
        sy = WINDOW / side * float(np.exp(rng.normal(0, 0.08)))
        m = np.array([[sx, 0, WINDOW / 2 - sx * at[0]], [0, sy, WINDOW / 2 - sy * at[1]]])
        # From the copy that comes nearest in size: warpAffine does not average.
        level = int(np.clip(np.floor(np.log2(1 / sx) + 0.3), 0, len(levels) - 1))
        local = m.copy()
        local[:, :2] *= 2**level
        cut = cv2.warpAffine(levels[level], local, (WINDOW, WINDOW), borderValue=(114, 114, 114))
        seen = boxes.copy()
        seen[:, 1::2] = boxes[:, 1::2] * sx + m[0, 2]
        seen[:, 2::2] = boxes[:, 2::2] * sy + m[1, 2]
        window = np.asarray(cut, np.uint8)
        if rng.random() < 0.5:
            window = np.ascontiguousarray(window[:, ::-1])
            seen = np.column_stack([seen[:, 0], WINDOW - seen[:, 3], seen[:, 2], WINDOW - seen[:, 1], seen[:, 4]])
        want = targets(seen)
        want[8] *= p.exact[k]
        return self._lit(window), want

    def _lit(self, image: NDArray[np.uint8]) -> NDArray[np.uint8]:
        rng = self.rng
        if rng.random() < 0.1:
            image = equalised(image, rng)
        steps = np.arange(256, dtype=np.float32)[:, None] / 255
        gain = np.exp(rng.normal(0, 0.25)) * rng.normal(1, 0.06, 3)
        curve = np.clip(steps ** np.exp(rng.normal(0, 0.25)) * 255 * gain, 0, 255).astype(np.uint8)
        return np.asarray(cv2.LUT(image, curve[None]), np.uint8)


def targets(boxes: NDArray[np.float32]) -> NDArray[np.float32]:
    """What the network should say of a window with these things in it (rows of shape, x0, y0, x1, y1)."""
    out = np.zeros((9, GRID, GRID), np.float32)
    out[7] = 1
    x, y = np.meshgrid(*[(np.arange(GRID, dtype=np.float32) + 0.5) * CELL] * 2)
    best = np.full((GRID, GRID), 0.2, np.float32)
    for kind, x0, y0, x1, y1 in boxes:
        w, h = x1 - x0, y1 - y0
        if x1 < 0 or y1 < 0 or x0 > WINDOW or y0 > WINDOW or w < 1 or h < 1:
            continue
        cx, cy = (x0 + x1) / 2, (y0 + y1) / 2
        if w > 1.5 * WIDEST:
            continue  # a part of something large is nothing at all
        if not NARROWEST < w < WIDEST or h > 2.6 * WIDEST or not (0 < cx < WINDOW and 0 < cy < WINDOW):
            out[7][(np.abs(x - cx) < 0.5 * w) & (np.abs(y - cy) < 0.5 * h)] = 0
            continue
        # A hill over the middle, as wide as a sixth of the thing, at least a cell.
        sx, sy = max(w * 0.14, 0.6 * CELL), max(h * 0.14, 0.6 * CELL)
        hill = np.exp(-(((x - cx) / sx) ** 2 + ((y - cy) / sy) ** 2) / 2)
        peak = np.unravel_index(int(hill.argmax()), hill.shape)
        hill[peak] = 1
        out[int(kind)] = np.maximum(out[int(kind)], hill)
        mine = hill > best
        best[mine] = hill[mine]
        sides = np.stack([x - x0, y - y0, x1 - x, y1 - y]) / CELL
        out[3:7, mine] = np.log(np.maximum(sides[:, mine], 0.25))
        out[8][mine] = hill[mine]
    return out


def train(plan: Plan, pictures: Pictures, start_from: Path | None = None) -> None:
    """Train and save ``finder.pt``; ``start_from`` is a checkpoint or a committed ONNX file."""
    import torch
    from torch.nn import functional

    torch.manual_seed(4)
    torch.set_num_threads(plan.threads)
    windows = Windows(pictures, 12)

    def make(number: int = plan.batch) -> Any:
        pairs = [windows.draw() for _ in range(number)]
        images = np.stack([p[0] for p in pairs]).astype(np.float32).transpose(0, 3, 1, 2)
        return (images - 114) / 64, np.stack([p[1] for p in pairs])

    model = begun(network(), start_from, lambda: make(128)[0]).to(memory_format=torch.channels_last)

    def step(batch: Any) -> Any:
        heat, sides = model(torch.from_numpy(batch[0]).to(memory_format=torch.channels_last))
        want = torch.from_numpy(batch[1])
        wanted, counts = want[:, :3], want[:, 7:8]
        chance = torch.sigmoid(heat).clamp(1e-4, 1 - 1e-4)
        # The penalty-reduced focal loss of CenterNet (arXiv 1904.07850): near a peak, silence is no fault.
        peak = (wanted > 0.999).float()
        missed = -peak * (1 - chance) ** 2 * torch.log(chance)
        false = -(1 - peak) * (1 - wanted) ** 4 * chance**2 * torch.log(1 - chance)
        found = ((missed + false) * counts).sum() / peak.sum().clamp(min=1)
        weight = want[:, 8:9]
        off = functional.smooth_l1_loss(sides, want[:, 3:7], beta=0.1, reduction="none")
        return found + 2.0 * (off * weight).sum() / weight.sum().clamp(min=1)

    optimised(model, plan, fed(make), step, plan.out / "finder.pt")


def export(out: Path) -> None:
    """``finder.pt`` to ONNX: the picture as it is (1 x H x W x 3 bytes, BGR, sides multiples of 32)."""
    import onnxslim
    import torch
    from torch import nn

    class Whole(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.model = network()
            self.model.load_state_dict(torch.load(out / "finder.pt"))

        def forward(self, picture: Any) -> tuple[Any, Any]:
            heat, sides = self.model((picture.permute(0, 3, 1, 2).float() - 114) / 64)
            # A peak is where a score is the highest of its neighbours.
            ridge = nn.functional.max_pool2d(heat, 3, 1, 1)
            return torch.sigmoid(heat) * (heat == ridge).float(), torch.exp(sides)

    target = out / "chips_finder.onnx"
    torch.onnx.export(
        Whole().eval(), (torch.zeros(1, 128, 160, 3, dtype=torch.uint8),), str(target), input_names=["picture"],
        output_names=["scores", "sides"], opset_version=17, dynamo=False,
        dynamic_axes={"picture": {1: "h", 2: "w"}, "scores": {2: "h", 3: "w"}, "sides": {2: "h", 3: "w"}},
    )  # fmt: skip
    onnxslim.slim(str(target), str(target))
