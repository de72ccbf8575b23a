"""The network that names chips in sight of a picture's other stacks, and of one's own set.

    python -m models.recipes.chips_naming --out FOLDER [--shards 250] [--steps 6000]

Renders tables (`recipes/chips_portrayed.py`), trains, exports; safe to stop and start again. What is made small is the
surprise at the true order of each stack's colours, all its chips taken together as the product takes them
(`vision.chips.orders`): by the set that was shown, and by the twelve colours.
"""

from __future__ import annotations

import argparse
import os
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datasets.camera import Rng
from models.recipes.chips_portrayed import Networks, Pictured, load, write
from models.recipes.chips_training import Plan, fed, optimised
from vision.chips.appearance import Appearance, described, standard
from vision.chips.crops import Floats, Image, to_input
from vision.chips.likeness import GAMMA, USUALLY, explained
from vision.chips.naming import LEAST
from vision.chips.orders import CHANGES
from vision.chips.portraits import HIGH, WIDE
from vision.chips.reader import COUNTER_FILE, FELT_COUNTER_FILE, NAMING_FILE, PLACER_FILE
from vision.chips.values import COLOURS

HELD_OUT = range(10)
"""Shards that are not trained on."""
STACKS, OFTEN = (1, 2, 3, 5, 8), (0.3, 0.2, 0.2, 0.2, 0.1)
TAUGHT, CALLED = 0.65, 0.6
"""So many pictures come with a set that was shown; in so many of these its colours' names are told."""
SAME_LIGHT, NEAR_LIGHT, NEARLY = 0.4, 0.7, 0.4
"""So many sets were shown in the light in which the stacks stand, so many in that or one of `NEARLY` as far off as is
usual."""
WORDS_OFF = 0.15
EXPECTED, FEW, UNEXPECTED = 0.8, 0.6, 0.08
"""So often it is told which colours are expected; where a table has all twelve, so often only some of them are; so
often one that is there is not."""
COLOURS_MATTER = 0.6
UNLIKELY = -1e4


@dataclass(frozen=True, eq=False)
class Task:
    """One picture's T portraits as the network is given them (`vision.chips.naming`), and the truth.

    ``chains`` are where each stack begins, its colours, and what it looks like by itself: the logarithms of its chances
    by the set that was shown and by the twelve colours, and whether neighbours look alike. ``names`` are the colours
    that were shown, ``whose`` T x names, once for edges and once for faces, which portraits speak for each.
    """

    pictures: Image
    faces: Floats
    words: Floats
    labels: Floats
    shown: Floats
    usual: Floats
    before: NDArray[np.int64]
    after: NDArray[np.int64]
    chains: list[tuple[int, list[int], Floats, Floats, Floats]]
    names: list[int]
    whose: Floats


@dataclass(frozen=True, eq=False)
class Table:
    """A table, and what each of its stacks looks like by itself: chips x names x lights, as logarithms, by the colours
    that were shown (``names``)."""

    pictured: Pictured
    names: list[int]
    likely: list[NDArray[np.float16]]


def tabled(pictured: Pictured) -> Table:
    """The table with its set learned."""
    names = sorted({c for c, _ in pictured.shown})
    if not names:
        return Table(pictured, [], [])
    own = Appearance.learned((COLOURS[c], it) for c in names for c2, it in pictured.shown if c == c2)
    return Table(
        pictured, names, [np.asarray(own.likely(it.stack.words, it.seen), np.float16) for it in pictured.stacks]
    )


def drawn(tables: list[Table], rng: Rng, stacks: int | None = None, taught: bool | None = None) -> Task:
    """Some ``stacks`` of one table, with its set or without."""
    known = tables[int(rng.integers(len(tables)))]
    table = known.pictured
    some = int(rng.choice(STACKS, p=OFTEN)) if stacks is None else stacks
    picked = [(table.stacks[k], k) for k in rng.permutation(len(table.stacks))[:some]]
    played = sorted({c for it, _ in picked for c in it.order})
    names = _names(known.names, played, rng) if (rng.random() < TAUGHT if taught is None else taught) else []
    usual = _usual(table, played, rng)
    light = rng.random()
    far = np.array(USUALLY) * (0 if light < SAME_LIGHT else NEARLY if light < NEAR_LIGHT else 1)
    ours, theirs = _light(rng, far * NEARLY), _light(rng, far)
    called = rng.random() < CALLED
    parts: list[tuple[Image, Floats, int | None]] = []
    for it, _ in picked:
        off = rng.normal(0, WORDS_OFF, it.stack.words.shape).astype(np.float32)
        parts.append((_lit(it.stack.pictures, ours), described(it.stack.words) + off, None))
    speaks = []
    for k, name in enumerate(names):
        for shown in (it for c, it in table.shown if c == name):
            assert shown.pictures is not None
            parts.append((_lit(shown.pictures, theirs), described(shown.words), name if called else None))
            speaks.append(k)
    total = sum(len(p) for p, _, _ in parts)
    faces, learned = np.zeros(total, np.float32), np.zeros(total, np.float32)
    words, labels = (np.zeros((total, len(COLOURS)), np.float32) for _ in range(2))
    before, after = np.arange(total) - 1, np.arange(total) + 1
    whose = np.zeros((2, total, len(names)), np.float32)
    chains, begin = [], 0
    for n, (pictures, said, label) in enumerate(parts):
        face = begin + len(pictures) - 1
        faces[face] = 1
        words[begin:face] = said
        before[begin] = after[face] = -1
        if n < len(picked):
            it, k = picked[n]
            by_set, by_colour = _by_itself(known, k, names), standard(it.stack.words, _colours(usual))[1]
            chains.append((begin, it.order, by_set, np.log(np.maximum(by_colour, LEAST)), it.alike))
        else:
            learned[begin : face + 1] = 1
            whose[0, begin:face, speaks[n - len(picked)]] = whose[1, face, speaks[n - len(picked)]] = 1
            if label is not None:
                labels[begin : face + 1, label] = 1
        begin = face + 1
    whose /= np.maximum(whose.sum(1, keepdims=True), 1)
    every = np.concatenate([p[:, :, ::-1] if rng.random() < 0.5 else p for p, _, _ in parts])
    return Task(every, faces, words, labels, learned, usual, before, after, chains, names, whose)


def _by_itself(table: Table, stack: int, names: list[int]) -> Floats:
    """Less than all colours of the set may have been shown."""
    if not names:
        return np.zeros((0, 0), np.float32)
    chances = explained(table.likely[stack][:, [table.names.index(c) for c in names]].astype(np.float32))[0]
    return np.asarray(np.log(np.maximum(chances, LEAST)), np.float32)


def _colours(usual: Floats) -> tuple[str, ...]:
    return tuple(c for c, it in zip(COLOURS, usual, strict=True) if it) or COLOURS


def _names(known: list[int], played: list[int], rng: Rng) -> list[int]:
    """Which chips of the table were shown, in any order: all that are played with, mostly, and some others."""
    others = [c for c in known if c not in played]
    rng.shuffle(others)
    names = [c for c in played if c in known]
    names += others[: max(int(rng.integers(max(len(names), 3), len(COLOURS) + 1)) - len(names), 0)]
    rng.shuffle(names)
    return names


def _usual(table: Pictured, played: list[int], rng: Rng) -> Floats:
    """Which colours are expected on that table, 1 each; none where nobody said."""
    usual = np.zeros(len(COLOURS), np.float32)
    if rng.random() < EXPECTED:
        if len(table.colours) == len(COLOURS) and rng.random() < FEW:
            usual[[*played, *rng.permutation(len(COLOURS))[: int(rng.integers(2, 6))]]] = 1
        else:
            usual[[COLOURS.index(c) for c in table.colours]] = 1
        if rng.random() < UNEXPECTED:
            usual[int(rng.choice(played))] = 0
    return usual


def _light(rng: Rng, far: NDArray[np.float64]) -> NDArray[np.uint8]:
    """What each level of the three channels becomes in a light that far off: 256 x 3."""
    bright, warm, green = rng.normal(0, 1, 3) * far
    gains = np.exp([bright - warm, bright + green, bright + warm])
    levels = np.linspace(0, 1, 256)[:, None] ** GAMMA * gains
    return np.asarray(255 * np.clip(levels, 0, 1) ** (1 / GAMMA), np.uint8)


def _lit(pictures: Image, light: NDArray[np.uint8]) -> Image:
    return np.stack([light[pictures[..., c], c] for c in range(3)], -1)


def said_of(model: Any, tasks: list[Task]) -> tuple[Any, ...]:
    """What the network says of each picture's portraits, side by side: the shorter are filled up."""
    import torch

    def every(name: str) -> Any:
        return torch.from_numpy(np.concatenate([getattr(t, name) for t in tasks]))

    pictures = torch.from_numpy(to_input(np.concatenate([t.pictures for t in tasks])))
    seen = model.seen(pictures, every("faces"), every("words"), every("labels"), every("shown"))
    with torch.autocast("cpu", enabled=False):
        lengths = [len(t.faces) for t in tasks]
        most = max(lengths)
        which = torch.from_numpy(np.repeat(np.arange(len(tasks)), lengths))
        place = torch.from_numpy(np.concatenate([np.arange(n) for n in lengths]))
        placed = torch.zeros(len(tasks), most, seen.shape[1]).index_put((which, place), seen.float())
        absent = torch.full((len(tasks), most), UNLIKELY).index_put((which, place), torch.zeros(()))
        beside = np.full((2, len(tasks), most), most)
        for k, t in enumerate(tasks):
            for side, numbers in enumerate((t.before, t.after)):
                beside[side, k, : len(numbers)] = np.where(numbers < 0, most, numbers)
        before, after = torch.from_numpy(beside)
        usual = torch.from_numpy(np.stack([t.usual for t in tasks]))
        return tuple(model.compared(placed, usual, before, after, absent))


def surprises(tasks: list[Task], said: tuple[Any, ...]) -> tuple[list[Any], list[Any]]:
    """The surprise at each stack's true order: by the sets that were shown, and by the twelve colours."""
    import torch

    colour, like, same = said
    by_set, by_colour = [], []
    for k, task in enumerate(tasks):
        edge, face = (like[k, :, : task.whose.shape[1]] @ torch.from_numpy(it) for it in task.whose)
        for begin, order, *alone in task.chains:
            top = begin + len(order)
            learned, standing, pairs = map(torch.from_numpy, alone)
            pairs = pairs + same[k, begin : top - 1]
            above = torch.zeros(len(order), 1)
            above[-1] = 1
            by_colour.append(surprise(standing + colour[k, begin:top] + above * colour[k, top], pairs, order))
            if set(order) <= set(task.names):  # not each chip that was shown was read
                numbers = [task.names.index(c) for c in order]
                by_set.append(surprise(learned + edge[begin:top] + above * face[top], pairs, numbers))
    return by_set, by_colour


def surprise(logits: Any, same: Any, order: list[int]) -> Any:
    """Less the logarithm of an order's share of all orders' chances, as `vision.chips.orders` has them."""
    import torch

    logs = torch.log_softmax(logits, 1)
    stay, change = float(np.log(1 - CHANGES)), float(np.log(CHANGES / (logs.shape[1] - 1)))
    alike = torch.eye(logs.shape[1])
    total, path = logs[0], logs[0, order[0]]
    for k in range(1, len(order)):
        step = change * (1 - alike) + (stay + same[k - 1]) * alike
        total = torch.logsumexp(total[:, None] + step, 0) + logs[k]
        path = path + step[order[k - 1], order[k]] + logs[k, order[k]]
    return torch.logsumexp(total, 0) - path


def train(plan: Plan, tables: list[Table], held: list[Table], batch: int, start_from: Path | None) -> None:
    """Train and save ``naming.pt``; prints the mean surprise on ``held``, and how often it is more than one half."""
    import torch

    from models.recipes.chips_naming_layers import NamingNetwork

    torch.manual_seed(1)
    torch.set_num_threads(plan.threads)
    model, rng = NamingNetwork(), np.random.default_rng(3)
    if start_from is not None:
        model.load_state_dict(torch.load(start_from))

    def step(tasks: list[Task]) -> Any:
        by_set, by_colour = surprises(tasks, said_of(model, tasks))
        of_sets = torch.stack(by_set).clamp(max=20).mean() if by_set else torch.zeros(())
        return of_sets + COLOURS_MATTER * torch.stack(by_colour).clamp(max=20).mean()

    def check() -> str:
        model.eval()
        line, again = "", np.random.default_rng(5)
        with torch.inference_mode():
            for name, stacks, taught in (("own set", 1, True), ("no set", 1, False), ("no set, five stacks", 5, False)):
                tasks = [drawn(held, again, stacks, taught) for _ in range(240 // stacks)]
                found = torch.stack(surprises(tasks, said_of(model, tasks))[0 if taught else 1])
                line += f" {name} {float(found.mean()):.3f} ({float((found > np.log(2)).float().mean()):.3f})"
        model.train()
        return line

    optimised(model, plan, fed(lambda: [drawn(tables, rng) for _ in range(batch)]), step, plan.out / "naming.pt", check)


def export(checkpoint: Path, path: Path) -> None:
    """Write the network as ONNX, for any number of portraits."""
    import torch

    from models.recipes.chips_naming_layers import NamingNetwork

    model = NamingNetwork()
    model.load_state_dict(torch.load(checkpoint))
    model.eval()
    t, numbers = 7, torch.arange(7)
    example = (
        torch.zeros(t, 3, HIGH, WIDE), torch.zeros(t), torch.zeros(t, len(COLOURS)), torch.zeros(t, len(COLOURS)),
        torch.zeros(t), torch.zeros(len(COLOURS)), numbers, numbers,
    )  # fmt: skip
    names = ["pictures", "faces", "words", "labels", "shown", "usual", "before", "after"]
    many = {name: {0: "portraits"} for name in names if name != "usual"}
    said = {"colours": {0: "portraits"}, "like": {0: "portraits", 1: "portraits"}, "same": {0: "portraits"}}
    torch.onnx.export(
        model, example, str(path), input_names=names, output_names=list(said), dynamic_axes=many | said,
        opset_version=17, dynamo=False,
    )  # fmt: skip


def main() -> None:
    """Render, train, export."""
    ask = argparse.ArgumentParser(prog="python -m models.recipes.chips_naming", description=__doc__.split("\n")[0])
    ask.add_argument("--out", type=Path, required=True, help="working folder; keep it to resume")
    ask.add_argument("--shards", type=int, default=250, help="of ten tables, sixteen stacks each, about")
    ask.add_argument("--first", type=int, default=5_000, help="the first shard's number")
    ask.add_argument("--start", type=Path, help="naming.pt of an earlier round, to go on from")
    ask.add_argument("--steps", type=int, default=6_000)
    ask.add_argument("--batch", type=int, default=20, help="pictures a step")
    ask.add_argument("--rate", type=float, default=0.002)
    ask.add_argument("--threads", type=int, default=os.cpu_count() or 2)
    a = ask.parse_args()
    shipped = Path(str(files("models") / "weights"))
    networks = Networks(shipped / PLACER_FILE, shipped / COUNTER_FILE, shipped / FELT_COUNTER_FILE)
    for folder, numbers in ((a.out / "held", HELD_OUT), (a.out / "tables", range(a.first, a.first + a.shards))):
        for _ in write(folder, numbers, networks, os.cpu_count() or 1):
            pass
    plan = Plan(a.out, a.steps, lr=a.rate, threads=a.threads)
    if not (a.out / "naming.pt").exists():
        known, check = ([tabled(it) for it in load(a.out / name)] for name in ("tables", "held"))
        train(plan, known, check, a.batch, a.start)
    export(a.out / "naming.pt", a.out / NAMING_FILE)
    print(f"Network: {a.out / NAMING_FILE}")


if __name__ == "__main__":
    main()
