"""A counter taught by whole stacks: through the runs of seams that its words are made into.

    python -m models.recipes.chips_whole --cuts FOLDER [FOLDER ...] --start felt_counter.pt --out FOLDER --steps 4000
    python -m models.recipes.chips_whole --elsewhere --photographs FOLDER --cuts FOLDER --start counter.pt --out FOLDER

The first is the one for calibrated felts, the second the one for all other pictures (`chips_whole_elsewhere`).

Taught row by row a network knows seams, not counts: seventeen rows may each be likely and eighteen chips still be as
likely as seventeen. Here the surprise at a stack's true count, and at the true order of its colours, is what is made
small: the runs (`vision.chips.seams.best_runs`) are found as the product finds them, each count's score is told by the
rows it runs through, and the rows learn from how much too likely or unlikely each count was (a structured loss, as in
B. Taskar and others, 2003). The rows' own loss keeps a share, so that words stay what they mean.
"""

from __future__ import annotations

import argparse
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.chips.orders import STANDARD
from datasets.chips.shards import joined, load_cuts
from models.recipes.chips_readers import (
    EVEN_OFF,
    IGNORED,
    PARTS_MATTER,
    EvenShaker,
    Shaker,
    counter_batch,
    counter_network,
)
from models.recipes.chips_training import Plan, fed, optimised
from models.recipes.revive import begun
from vision.chips import counter, seams
from vision.chips.alike import alike, looks
from vision.chips.appearance import RARE, STANDARD_WEIGHT
from vision.chips.crops import ACROSS, FOOT, HEIGHT, Floats, even, to_input
from vision.chips.orders import CHANGES
from vision.chips.seams import THICKNESS
from vision.chips.values import COLOURS, MOST

ROWS_MATTER = 0.4
"""What the rows' own loss weighs beside the stacks'."""
GROWTH = 1 / 80_000
"""By what share a stack's chips look thicker for each further chip: this, times squash and width in pixels."""
NEAR = 14.0
"""Stacks whose foot lies within so many rows of where it should teach their count."""
FOOTED = 4.0
"""Nearer than this the foot counts as known, as it does in the product once it was followed there."""
TALL_OFF = 0.05
"""How far off a stack's height over its width is found (a logarithm)."""
Batch = dict[str, Any]
Told = NDArray[np.float64]


class Telling(Protocol):
    """How a column's words become runs of seams, from what is foretold of it (``told``, as its shaker has it)."""

    doubted: ClassVar[float]
    parts_weigh: ClassVar[float]
    least: ClassVar[int]
    """Stacks of fewer chips do not teach their count."""

    def runs(self, told: Told, words: Floats, parts: Floats, foot: float) -> seams.Runs:
        """As the product finds them; ``foot`` is how many rows the lowest seam lies off where it should."""

    def face(self, told: Told, step: float) -> float:
        """How many of the column's rows the upper face takes."""

    def weighs(self, told: Told, runs: seams.Runs) -> float:
        """How much the runs' scores count, as logarithms of chances."""

    def alone(self, told: Told) -> float:
        """What is added to the score of one chip alone, as such a logarithm."""


class OnFelt:
    """The `Telling` of a calibrated felt."""

    doubted: ClassVar[float] = seams.KNOWN_DOUBTED
    parts_weigh: ClassVar[float] = seams.KNOWN_PARTS_WEIGH
    least: ClassVar[int] = 2

    def runs(self, told: Told, words: Floats, parts: Floats, foot: float) -> seams.Runs:
        aspect, step, squash, growth, _ = told
        footed = bool(abs(foot) < FOOTED)
        return seams.best_runs(words, parts, aspect, step=step, squash=squash, growth=growth, footed=footed)

    def face(self, told: Told, step: float) -> float:
        return float(told[2]) * ACROSS

    def weighs(self, told: Told, runs: seams.Runs) -> float:
        return counter.KNOWN_WEIGH * float(told[4])

    def alone(self, told: Told) -> float:
        return 0.0


class WholeShaker(EvenShaker):
    """Columns on a felt with what is foretold of them."""

    def column(self, k: int, shaken: bool, off: float = EVEN_OFF, window: int = HEIGHT, astray: bool = False) -> Batch:
        return {**super().column(k, shaken, off, window, astray), "told": self.told(k)}

    def told(self, k: int) -> NDArray[np.float64]:
        """``aspect``, ``step``, ``squash`` (as the column shows them), ``growth``, and what seams weigh."""
        squash, across = float(self.cuts.numbers[k, 2]), float(self.cuts.numbers[k, 1])
        thick = THICKNESS * float(np.sqrt(max(1 - squash**2, 0.05)))
        tall = self.stand(k).tall
        aspect = (tall + squash) * float(np.exp(self.rng.normal(0, TALL_OFF)))
        pixels = across * thick
        seen = float(np.clip((pixels - counter.THICK[0]) / np.ptp(counter.THICK), counter.BLURRED, 1))
        known = even(thick)
        return np.array([known * aspect, known * thick * ACROSS, known * squash, GROWTH * squash * across, seen])


def batch_of(shaker: Shaker, size: int) -> Batch:
    """Columns as `counter_batch` draws them, with ``count`` and ``order``; ``told`` is what the shaker foretells."""
    batch = counter_batch(shaker, size, HEIGHT)
    drawn = batch["which"]
    batch["count"] = shaker.counts[drawn]
    batch["order"] = shaker.cuts.order[drawn].astype(np.int64)
    return batch


def usual_lack(order: NDArray[np.int64]) -> NDArray[np.float32]:
    """What is taken off each colour's chances: a set of the usual colours alone is read as such."""
    usual = np.array([c in STANDARD for c in COLOURS])
    return np.where(usual, 0.0, RARE).astype(np.float32) * bool(usual[order[order >= 0]].all())


def strips(rows: NDArray[np.intp], face: float) -> NDArray[np.float32]:
    """`counter.chip_words` as weights of the rows' words: MOST x rows / 2."""
    out = np.zeros((MOST, HEIGHT // 2), np.float32)
    for k, (low, high) in enumerate(pairwise(rows)):
        first, last = int(high) // 2, max(int(low) // 2, int(high) // 2 + 1)
        trim = int(last - first > 3)
        wide = last - first - 2 * trim
        out[k, first + trim : last - trim] = min(wide, 2) / wide
    top, room = int(rows[-1]) // 2, int(face) // 2
    begin = max(top - room, 0)
    if top - begin > 2:
        inner = np.arange(begin, top)[(top - begin) // 4 : -(top - begin) // 8 or None]
        out[len(rows) - 2, inner] += 1.5 / len(inner)
    return out


def ends(parts: Any, weigh: float) -> tuple[Any, Any]:
    """`seams.ends` of N x 4 x rows / 2, so that parts learn from it."""
    import torch

    logs = torch.log_softmax(parts, 1)
    three = torch.stack([logs[:, 0], logs[:, 1], torch.logaddexp(logs[:, 2], logs[:, 3])])
    told = three.clamp(min=seams.UNLIKELY).repeat_interleave(2, 2) * weigh
    before, side, above = told.cumsum(2)
    return before[:, -1:] - before + side, above - side


def surprises(said: tuple[Any, ...], batch: Batch, telling: Telling) -> tuple[Any, Any]:
    """The mean surprise at the true counts, and at the true orders of colours for those counts, in whole figures."""
    import torch

    with torch.autocast("cpu", enabled=False):
        return _surprises(said, batch, telling)


def _surprises(said: tuple[Any, ...], batch: Batch, telling: Telling) -> tuple[Any, Any]:
    import torch

    words, colours, parts = said[0].float(), said[1].float(), said[3].float()
    logits = words.detach().numpy()
    shown, told, counts = parts.detach().numpy(), batch["told"], batch["count"]
    off = batch["foot"] - FOOT[1]
    able = (batch["clear"] > 0) & (batch["whole"][:, 0] < 0.5) & (counts >= telling.least) & (np.abs(off) < NEAR)
    taught = np.flatnonzero(able).tolist()
    if not taught:
        return words.sum() * 0, words.sum() * 0
    paths = np.zeros((len(taught), MOST, MOST + 1), np.int64)
    there = np.zeros((len(taught), MOST, MOST + 1), np.float32)
    scores = np.full((len(taught), MOST), -np.inf)
    weights = np.zeros((len(taught), MOST, HEIGHT // 2), np.float32)
    same = np.zeros((len(taught), MOST - 1), np.float32)
    weigh, alone = (np.zeros((len(taught), 1), np.float32) for _ in range(2))
    for i, k in enumerate(taught):
        runs = telling.runs(told[k], logits[k], shown[k], float(off[k]))
        for n, rows in enumerate(runs.rows):
            paths[i, n, : n + 2], there[i, n, : n + 2] = rows, 1
        scores[i, : len(runs.rows)] = runs.scores[: len(runs.rows)]
        number = min(int(counts[k]), len(runs.rows)) - 1
        true = runs.rows[number]
        weights[i] = strips(true, telling.face(told[k], float(runs.steps[number])))
        pairs = alike(looks(batch["image"][k], true))
        same[i, : len(pairs)] = pairs
        weigh[i], alone[i] = telling.weighs(told[k], runs), telling.alone(told[k])
    at, mask, fixed = torch.from_numpy(paths), torch.from_numpy(there), torch.from_numpy(scores)
    seen = (words[taught] - telling.doubted).clamp(-seams.CLIP, seams.CLIP)
    low, high = ends(parts[taught], telling.parts_weigh)
    through = (seen[:, None].expand(-1, MOST, -1).gather(2, at) * mask).sum(2)
    last = mask.sum(2).long().clamp(min=1) - 1
    through = through + low.gather(1, at[:, :, 0]) + high.gather(1, at.gather(2, last[..., None])[..., 0])
    tried = torch.isfinite(fixed)
    # What a run costs besides is as it was found; only what it runs through learns.
    whole = torch.where(tried, through + (fixed - through.detach()).float(), torch.tensor(-1e4))
    logs = whole * torch.from_numpy(weigh)
    logs = logs + torch.nn.functional.pad(torch.from_numpy(alone), (0, MOST - 1))
    true_counts = torch.from_numpy(counts[taught])
    found = tried.gather(1, true_counts[:, None] - 1)[:, 0]
    counted = -torch.log_softmax(logs, 1).gather(1, true_counts[:, None] - 1)[:, 0]
    named = ordered(colours[taught], torch.from_numpy(weights), torch.from_numpy(same), batch["order"][taught])
    return counted[found].clamp(max=12).mean(), (named / true_counts.clamp(min=1).sqrt())[found].mean()


def ordered(colours: Any, weights: Any, same: Any, order: NDArray[np.int64]) -> Any:
    """How surprising the true order of each stack is (`vision.chips.orders.likeliest`): minus its logarithm, N."""
    import torch

    lack = torch.from_numpy(np.stack([usual_lack(row) for row in order]))
    words = torch.einsum("nkr,ncr->nkc", weights, torch.log_softmax(colours, 1))
    logs = torch.log_softmax(STANDARD_WEIGHT * words + lack[:, None], 2).clamp(min=float(np.log(1e-9)))
    truth = torch.from_numpy(np.maximum(order, 0))
    there = torch.from_numpy((order >= 0).astype(np.float32))
    number = logs.shape[2]
    unlike = float(np.log(CHANGES / (number - 1)))
    one = torch.eye(number)
    path = logs[:, 0].gather(1, truth[:, :1])[:, 0]
    total = logs[:, 0]
    for k in range(1, MOST):
        alike_ = float(np.log(1 - CHANGES)) + same[:, k - 1]
        change = unlike * (1 - one) + alike_[:, None, None] * one
        on = torch.logsumexp(total[:, :, None] + change, 1) + logs[:, k]
        total = torch.where(there[:, k : k + 1] > 0, on, total)
        step = torch.where(truth[:, k] == truth[:, k - 1], alike_, torch.tensor(unlike))
        path = path + there[:, k] * (step + logs[:, k].gather(1, truth[:, k : k + 1])[:, 0])
    return torch.logsumexp(total, 1) - path


def train(plan: Plan, shaker: Shaker, telling: Telling, start_from: Path, kept: Path) -> None:
    """Go on from ``start_from`` (a checkpoint of the narrow size, or a committed ONNX file) and save it as ``kept``."""
    import torch
    from torch.nn import functional

    torch.manual_seed(5)
    torch.set_num_threads(plan.threads)
    model = begun(counter_network(), start_from, lambda: to_input(counter_batch(shaker, 256, HEIGHT)["image"]))
    model = model.to(memory_format=torch.channels_last)
    means = np.zeros(3)

    def step(b: Batch) -> Any:
        said = model(torch.from_numpy(to_input(b["image"])).to(memory_format=torch.channels_last))
        t = {key: torch.from_numpy(b[key]) for key in ("seams", "colours", "whole", "parts", "clear")}
        edge = functional.binary_cross_entropy_with_logits(
            said[0], t["seams"], reduction="none", pos_weight=torch.tensor(3.0)
        )
        rows = 6 * (edge * t["clear"][:, None]).mean()
        rows = rows + functional.cross_entropy(said[1], t["colours"].long(), ignore_index=IGNORED)
        rows = rows + PARTS_MATTER * functional.cross_entropy(said[3], t["parts"].long(), ignore_index=IGNORED)
        rows = rows + 0.2 * functional.binary_cross_entropy_with_logits(said[2], t["whole"])
        counted, named = surprises(said, b, telling)
        means[:] = 0.99 * means + 0.01 * np.array([float(v.detach()) for v in (rows, counted, named)])
        return counted + named + ROWS_MATTER * rows

    made = fed(lambda: batch_of(shaker, plan.batch))
    optimised(model, plan, made, step, kept, lambda: str(means.round(4)), short=True)


def main() -> None:
    """Load the cuts and go on."""
    ask = argparse.ArgumentParser(prog="python -m models.recipes.chips_whole", description=__doc__.split("\n")[0])
    ask.add_argument("--cuts", type=Path, nargs="+", required=True, help="folders of tables or of scenes")
    ask.add_argument("--start", type=Path, required=True, help="a counter taught row by row: a checkpoint or ONNX")
    ask.add_argument("--out", type=Path, required=True)
    ask.add_argument("--elsewhere", action="store_true", help="the counter for pictures without a calibrated felt")
    ask.add_argument("--photographs", type=Path, help="for that: training photographs, images/ and labels/")
    ask.add_argument("--steps", type=int, default=4_000)
    ask.add_argument("--rate", type=float, default=0.0008)
    ask.add_argument("--threads", type=int, default=1)
    ask.add_argument("--seed", type=int, default=17, help="another one where training goes on from an earlier round")
    a = ask.parse_args()
    cv2.setNumThreads(1)
    a.out.mkdir(parents=True, exist_ok=True)
    plan = Plan(a.out, a.steps, 48, a.rate, a.threads)
    cuts = joined([load_cuts(folder) for folder in a.cuts])
    if not a.elsewhere:
        train(plan, WholeShaker(cuts, a.seed), OnFelt(), a.start, a.out / "felt_counter.pt")
        return
    from datasets.chips.counted import counted_stacks, photographed
    from models.recipes.chips_whole_elsewhere import Elsewhere, ElsewhereShaker, with_photographed
    from vision.cards.runtime import SHIPPED
    from vision.chips.reader import COUNTER_FILE, PLACER_FILE
    from vision.chips.stands import Placer

    if a.photographs:
        placer, read = Placer(SHIPPED / PLACER_FILE, 1), counter.Counter(SHIPPED / COUNTER_FILE, 1)
        cuts = with_photographed(cuts, photographed(list(counted_stacks(a.photographs)), placer, read))
    train(plan, ElsewhereShaker(cuts, a.seed), Elsewhere(), a.start, a.out / "counter.pt")


if __name__ == "__main__":
    main()
