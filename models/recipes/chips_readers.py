"""The two small chip networks: the *placer* says how a find stands, the *counter* reads seams and colours.

Both are trained on wide cuts of rendered stacks (``datasets.chips.shards``), shaken the way finds will be off. The
counter says for each row of a column whether a seam lies there and of which colour the chip is, and for the whole
whether there is a chip and whether its front shows. It has no say on the count: seams are counted
(``vision.chips.seams``). So it can be trained on windows of half a column, which halves the work.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.chips.scene import equalised
from datasets.chips.shards import Cuts
from models.recipes.chips_training import Plan, fed, optimised
from models.recipes.revive import begun
from vision.chips.crops import (
    ACROSS,
    FOOT,
    GLANCE,
    HEIGHT,
    WIDTH,
    Stand,
    column_affine,
    column_places,
    even,
    glance_affine,
    to_input,
)
from vision.chips.seams import THICKNESS

WINDOW = HEIGHT // 2
"""Rows of a column that the counter is trained on at a time."""
SIGMA = 0.8
IGNORED = -1
SHOWS_ALL, SHOWS_ALONE = 0.9, 0.85
"""A front of which so much is seen shows, and a chip alone (a little of its outline is always lost)."""
SEEN_ENOUGH = 0.75
"""A stack's count is learned where this share of its front shows."""
MIXED = 4.0
"""How much more often a stack of several colours is shown than one of a single colour."""
STRETCHED, STRETCHES = 0.4, (0.74, 1.38)
"""So many columns are shown as in pictures that were stretched to another shape, and by how much."""
EVEN_OFF, FORETOLD_WITHIN = 0.6, 0.015
"""How far off a stand is on a calibrated felt, of what it is elsewhere; and how far what is foretold of its chips'
thickness (a logarithm), beside that chips are not all as thick."""
ASTRAY, TOO_LOW, TOO_HIGH = 0.15, 0.2, 0.7
"""So many whole columns are cut from a foot that lies so far too low to too high, in chip widths: a find may end above
a stack's lowest chips, and a network that has learned where feet always are does not see that it goes on."""
SEEN_MATTERS = 0.06
"""What the glance's word on "one chip alone" and "the front shows" weighs beside the stand."""
PARTS_MATTER = 1.5
"""What the parts weigh in the loss, beside the colours' 1."""
Batch = dict[str, Any]


def placer_network() -> Any:
    """N x 3 x GLANCE x GLANCE in; N x 8 out: foot x and y, log width, roll, squash, height (see ``place_targets``), and
    the logits of "one chip alone" and "the front shows".
    """
    from models.recipes.chips_layers import PlacerNetwork

    return PlacerNetwork()


def counter_network() -> Any:
    """N x 3 x H x WIDTH in; out: seams N x H, colours N x 12 x H/2, logits of "no chip" and "front shows" N x 2, and
    parts N x 4 x H/2 (``vision.chips.seams.PARTS``).
    """
    from models.recipes.chips_layers import CounterNetwork

    return CounterNetwork()


def place_targets(stand: Stand, affine: NDArray[np.float64]) -> NDArray[np.float32]:
    """What the placer should say of a stand (wide-cut or picture pixels) seen through ``affine``."""
    foot = affine[:, :2] @ np.array(stand.foot) + affine[:, 2]
    k = float(affine[0, 0])
    return np.array(
        [*(foot / GLANCE - 0.5), np.log(stand.across * k / 40), stand.roll, stand.squash, stand.tall / 2], np.float32
    )


class Shaker:
    """Random views of cuts, for training."""

    def __init__(self, cuts: Cuts, seed: int) -> None:
        self.cuts, self.rng = cuts, np.random.default_rng(seed)
        self.counts = (cuts.order >= 0).sum(1)

    def picture(self, k: int) -> NDArray[np.uint8]:
        """The wide cut; decoded each time, for all of them would fill the memory."""
        return np.asarray(cv2.imdecode(self.cuts.jpegs[k], cv2.IMREAD_COLOR), np.uint8)

    def lit(self, image: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Other light, tone and noise; what lies beyond the picture's frame stays grey."""
        rng = self.rng
        grey = (cv2.absdiff(image, np.full_like(image, 114)).max(2) < 3)[..., None]
        x = equalised(image, rng) if rng.random() < 0.15 else image
        steps = np.arange(256, dtype=np.float32)[:, None] / 255
        gain = np.exp(rng.normal(0, 0.16)) * rng.normal(1, 0.05, 3)
        curve = np.clip(steps ** np.exp(rng.normal(0, 0.18)) * 255 * gain, 0, 255).astype(np.uint8)
        y = np.asarray(cv2.LUT(x, curve[None]), np.uint8)
        if rng.random() < 0.3:
            noise = rng.standard_normal(y.shape, dtype=np.float32) * np.float32(rng.uniform(0, 12))
            y = np.clip(y + noise, 0, 255).astype(np.uint8)
        return np.where(grey, image, y)

    def stand(self, k: int) -> Stand:
        c, n = self.cuts, int(self.counts[k])
        up, seams = c.up[k], c.seams[k]
        tall = float((seams[n] - seams[0]) @ up) / ACROSS
        return Stand(
            (float(seams[0, 0]), float(seams[0, 1])), ACROSS, float(np.arctan2(up[0], -up[1])),
            float(c.numbers[k, 2]), tall, tilt=float(c.numbers[k, 5]),
        )  # fmt: skip

    def shows(self, k: int) -> bool:
        """Whether its front is seen; of a chip alone, which has hardly any, whether it is."""
        _, _, _, visible, front, _ = self.cuts.numbers[k]
        return bool(visible >= SHOWS_ALONE if self.counts[k] == 1 else front >= SHOWS_ALL)

    def glance(self, k: int, shaken: bool) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
        """A glance as a find would give it, and the truth."""
        rng = self.rng
        x0, y0, x1, y1 = (float(v) for v in self.cuts.box[k])
        w, h = x1 - x0, y1 - y0
        if shaken:
            loose = rng.uniform(0, 0.22) if rng.random() < 0.35 else 0.0
            grow = np.abs(rng.normal(0, 0.05, 4)) * rng.choice([-1, 1], 4) + loose * rng.uniform(0, 1, 4)
            x0, y0, x1, y1 = x0 - grow[0] * w, y0 - grow[1] * h, x1 + grow[2] * w, y1 + grow[3] * h
        m = glance_affine((x0, y0, x1, y1))
        mode = cv2.BORDER_REFLECT_101 if shaken and rng.random() < 0.8 else cv2.BORDER_REPLICATE
        cut = cv2.warpAffine(self.picture(k), m, (GLANCE, GLANCE), flags=cv2.INTER_AREA, borderMode=mode)
        image = self.lit(np.asarray(cut, np.uint8)) if shaken else cut
        want = np.append(place_targets(self.stand(k), m), np.array([self.counts[k] == 1, self.shows(k)], np.float32))
        if shaken and rng.random() < 0.5:
            image, want = image[:, ::-1], want * np.array([-1, 1, 1, -1, 1, 1, 1, 1], np.float32)
        return np.ascontiguousarray(image), want

    def stretch(self, k: int, shaken: bool) -> float:
        """How much higher than it is a column is shown: at times as in a picture that was stretched."""
        rng = self.rng
        return float(np.exp(rng.uniform(*np.log(STRETCHES)))) if shaken and rng.random() < STRETCHED else 1.0

    def column(self, k: int, shaken: bool, off: float = 1.0, window: int = HEIGHT, astray: bool = False) -> Batch:
        """A column (or ``window`` rows of it) as it would be cut, at times ``astray``, and what there is to read."""
        rng, c, n = self.rng, self.cuts, int(self.counts[k])
        s = self.stand(k)
        if shaken:
            size = float(np.exp(rng.normal(0, 0.06 * off)))
            foot = (s.foot[0] + float(rng.normal(0, 4.0 * off)), s.foot[1] + float(rng.normal(0, 4.5 * off)))
            if astray and window == HEIGHT and rng.random() < ASTRAY:
                far = float(rng.uniform(-TOO_LOW, TOO_HIGH)) * ACROSS
                foot = (foot[0] + far * float(c.up[k, 0]), foot[1] + far * float(c.up[k, 1]))
            squash = float(np.clip(s.squash + rng.normal(0, 0.07 * off), 0.0, 1.0))
            roll, tilt = s.roll + float(rng.normal(0, 0.045 * off)), s.tilt + float(rng.normal(0, 0.02 * off))
            s = Stand(foot, s.across * size, roll, squash, s.tall, tilt=tilt)
        stretch = self.stretch(k, shaken)
        m = column_affine(s)
        rows = (c.seams[k, : n + 1] @ m[:, :2].T + m[:, 2])[:, 1]
        rows = FOOT[1] + (rows - FOOT[1]) * stretch
        head = float(rows[-1] - c.numbers[k, 2] * ACROSS * 0.85 * stretch)
        begin = HEIGHT - window
        if window < HEIGHT and rng.random() < 0.5:  # not the foot, but some part of the stack
            begin = int(rng.integers(int(np.clip(head - 20, 0, HEIGHT - window)), HEIGHT - window + 1))
        places = column_places(s, begin, window, stretch)
        cut = cv2.remap(self.picture(k), *places, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        image = self.lit(np.asarray(cut, np.uint8)) if shaken else cut
        if shaken and rng.random() < 0.5:
            image = image[:, ::-1]
        rows = rows - begin
        other = c.numbers[k, 0] == 2
        seams = np.zeros(window, np.float32)
        colours, parts = (np.full(window // 2, IGNORED, np.int64) for _ in range(2))
        if not other:
            y = np.arange(window, dtype=np.float32)
            for row in rows:
                seams = np.maximum(seams, np.exp(-((y - row) ** 2) / (2 * SIGMA**2)))
            # The upper face counts as the uppermost chip's.
            edges = np.append(rows, head - begin)
            centres = np.arange(window // 2) * 2 + 0.5
            which = np.searchsorted(-edges, -centres, side="left") - 1
            inside = (which >= 0) & (which <= n)
            colours[inside] = c.order[k, np.minimum(which[inside], n - 1)]
            parts[:] = np.select([which < 0, which < n, which == n], [0, 1, 2], 3)
        seen = float(c.numbers[k, 4])
        clear = seen >= SEEN_ENOUGH or other
        return {
            "image": np.ascontiguousarray(image),
            "seams": seams,
            "colours": colours,
            "parts": parts if clear else np.full_like(parts, IGNORED),
            "whole": np.array([other, self.shows(k)], np.float32),
            "clear": np.float32(clear),
            "foot": np.float32(rows[0]),
        }


class EvenShaker(Shaker):
    """Columns as they are cut on a calibrated felt: every chip takes as many rows, and a stand is less far off."""

    def stretch(self, k: int, shaken: bool) -> float:
        squash = float(self.cuts.numbers[k, 2])
        off = float(np.exp(self.rng.normal(0, FORETOLD_WITHIN))) if shaken else 1.0
        return even(THICKNESS * float(np.sqrt(max(1 - squash**2, 0.05)))) * off

    def column(self, k: int, shaken: bool, off: float = EVEN_OFF, window: int = HEIGHT, astray: bool = False) -> Batch:
        return super().column(k, shaken, off, window, astray)


def train_placer(plan: Plan, cuts: Cuts, held: Cuts, start_from: Path | None = None) -> None:
    """Train and save ``placer.pt``; prints how far off it is on ``held``. ``start_from`` is a checkpoint or a committed
    ONNX file.
    """
    import torch
    from torch.nn import functional

    torch.manual_seed(2)
    torch.set_num_threads(plan.threads)
    shaker, rng = Shaker(cuts, 5), np.random.default_rng(6)
    usable = np.flatnonzero((cuts.numbers[:, 3] > 0.35) & (cuts.numbers[:, 0] < 2))

    def make(number: int = plan.batch) -> Any:
        pairs = [shaker.glance(int(k), True) for k in rng.choice(usable, number)]
        return to_input(np.stack([p[0] for p in pairs])), np.stack([p[1] for p in pairs])

    model = begun(placer_network(), start_from, lambda: make(256)[0]).to(memory_format=torch.channels_last)

    weights = torch.tensor([3.0, 3.0, 3.0, 2.0, 1.0, 3.0])

    def step(batch: Any) -> Any:
        said, want = model(torch.from_numpy(batch[0]).to(memory_format=torch.channels_last)), torch.from_numpy(batch[1])
        off = functional.smooth_l1_loss(said[:, :6], want[:, :6], beta=0.02, reduction="none")
        seen = functional.binary_cross_entropy_with_logits(said[:, 6:], want[:, 6:])
        return (off * weights).mean() + SEEN_MATTERS * seen

    optimised(model, plan, fed(make), step, plan.out / "placer.pt", short=True)
    model.eval()
    check = Shaker(held, 9)
    picked = np.flatnonzero((held.numbers[:, 3] > 0.6) & (held.numbers[:, 0] < 2))
    pairs = [check.glance(int(k), True) for k in picked]
    want = np.stack([p[1] for p in pairs])
    with torch.inference_mode():
        said = model(torch.from_numpy(to_input(np.stack([p[0] for p in pairs])))).numpy()
    off = np.median(np.abs(said[:, :6] - want[:, :6]), 0).round(4)
    right = ((said[:, 6:] > 0) == (want[:, 6:] > 0.5)).mean(0).round(3)
    print("placer off by", off, "alone and shows right", right, flush=True)


def counter_batch(shaker: Shaker, size: int, window: int = WINDOW) -> Batch:
    """Columns to learn from: mixed stacks more often than they come, hidden ones and single chips less.

    Where most stacks are of one colour, the network learns to let the upper face name all chips below it.
    """
    cuts = shaker.cuts
    lowest = cuts.order[:, :1]
    mixed = ((cuts.order >= 0) & (cuts.order != lowest)).any(1)
    likely = np.where(cuts.numbers[:, 4] > 0.5, 1.0, 0.3) * np.where(shaker.counts > 1, 1.0, 0.5)
    likely = likely * np.where(mixed, MIXED, 1.0)
    picked = shaker.rng.choice(len(likely), size, p=likely / likely.sum())
    rows = [{**shaker.column(int(k), True, window=window, astray=True), "which": k} for k in picked]
    return {key: np.stack([r[key] for r in rows]) for key in rows[0]}


def train_counter(
    plan: Plan,
    cuts: Cuts,
    held: Cuts,
    make: Callable[[], Batch] | None = None,
    start_from: Path | None = None,
    felt: bool = False,
) -> None:
    """Train and save ``counter.pt``; prints how often seams and colours are right on ``held``.

    ``make`` brings batches made elsewhere (``counter_batch``), where that is faster; ``start_from`` is a checkpoint or
    a committed ONNX file. With ``felt`` it is the one for calibrated felts, ``felt_counter.pt``: of ``cuts`` of tables.
    """
    import torch
    from torch.nn import functional

    torch.manual_seed(3)
    torch.set_num_threads(plan.threads)
    shaker = (EvenShaker if felt else Shaker)(cuts, 7)
    model = begun(counter_network(), start_from, lambda: to_input(counter_batch(shaker, 256, HEIGHT)["image"]))
    model = model.to(memory_format=torch.channels_last)

    def step(b: Batch) -> Any:
        x = torch.from_numpy(to_input(b["image"])).to(memory_format=torch.channels_last)
        t = {key: torch.from_numpy(value) for key, value in b.items() if key != "image"}
        seams, colours, whole, parts = model(x)
        edge = functional.binary_cross_entropy_with_logits(
            seams, t["seams"], reduction="none", pos_weight=torch.tensor(3.0)
        )
        loss = 6 * (edge * t["clear"][:, None]).mean()
        loss = loss + functional.cross_entropy(colours, t["colours"].long(), ignore_index=IGNORED)
        loss = loss + PARTS_MATTER * functional.cross_entropy(parts, t["parts"].long(), ignore_index=IGNORED)
        return loss + 0.2 * functional.binary_cross_entropy_with_logits(whole, t["whole"])

    batches = make or fed(lambda: counter_batch(shaker, plan.batch))
    kept = plan.out / ("felt_counter.pt" if felt else "counter.pt")
    check = type(shaker)(held, 11)
    optimised(model, plan, batches, step, kept, lambda: counter_accuracy(model, check), short=True)


def counter_accuracy(model: Any, shaker: Shaker) -> str:
    """Shares of held-out columns read right, as a line of text."""
    import torch

    model.eval()
    held = shaker.cuts
    picked = np.flatnonzero((held.numbers[:, 4] > 0.9) & (held.numbers[:, 2] < 0.9) & (held.numbers[:, 0] < 2))
    rows = [shaker.column(int(k), True, 0.7) for k in picked[:: max(1, len(picked) // 120)]]
    with torch.inference_mode():
        x = torch.from_numpy(to_input(np.stack([r["image"] for r in rows])))
        seams, colours, _, _ = (v.numpy() for v in model(x))
    want = shaker.counts[picked[:: max(1, len(picked) // 120)]]
    peaks = [_peaks(s) for s in seams]
    strips = np.stack([r["colours"] for r in rows])
    tint = (colours.argmax(1) == strips)[strips >= 0].mean()
    model.train()
    return f"peaks {np.mean(np.array(peaks) == want):.3f} colour {tint:.3f}"


def _peaks(logits: NDArray[np.float32]) -> int:
    """Seams less one, by simply taking all local maxima over even chance."""
    inner = logits[1:-1]
    return int(((inner > 0) & (inner >= logits[:-2]) & (inner > logits[2:])).sum()) - 1


def export(out: Path) -> None:
    """``placer.pt``, ``counter.pt`` and ``felt_counter.pt`` to ONNX with a free batch size."""
    import onnxslim
    import torch

    words = ["seams", "colours", "whole", "parts"]
    made = {
        "placer": (placer_network(), (2, 3, GLANCE, GLANCE), ["stand"]),
        "counter": (counter_network(), (2, 3, HEIGHT, WIDTH), words),
        "felt_counter": (counter_network(), (2, 3, HEIGHT, WIDTH), words),
    }
    if not (out / "felt_counter.pt").exists():  # no tables were rendered: then one counter does all
        made["felt_counter"][0].load_state_dict(torch.load(out / "counter.pt"))
    for name, (model, shape, outputs) in made.items():
        if (out / f"{name}.pt").exists() or name != "felt_counter":
            model.load_state_dict(torch.load(out / f"{name}.pt"))
        target = out / f"chips_{name}.onnx"
        torch.onnx.export(
            model.eval(), (torch.zeros(shape),), str(target), input_names=["cuts"], output_names=outputs,
            dynamic_axes={key: {0: "n"} for key in ("cuts", *outputs)}, opset_version=17, dynamo=False,
        )  # fmt: skip
        onnxslim.slim(str(target), str(target))
