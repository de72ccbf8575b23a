"""Pictures side by side, as the naming network is given them, and its surprise at the truth of all of them at once."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.recipes.chips_naming_tasks import Task
from vision.chips.crops import Floats
from vision.chips.orders import CHANGES
from vision.chips.values import COLOURS

UNLIKELY = -1e4


@dataclass(frozen=True, eq=False)
class Chains:
    """S stacks: where each one's chips are (``at`` S x L) and its face (``face`` S) among all B x T portraits laid end
    to end, the true names' numbers (``order`` S x L) of ``names`` S, what each looks like by itself (``alone``
    S x L x K), whether neighbours look ``alike`` (S x L), and how many chips it has (``count`` S). Filled up with 0,
    names that are none with `UNLIKELY`.
    """

    at: Any
    face: Any
    order: Any
    names: Any
    alone: Any
    alike: Any
    count: Any


@dataclass(frozen=True, eq=False)
class Batch:
    """B pictures of N portraits in all, T at most, as numpy arrays or as tensors.

    ``which`` and ``place`` say where each portrait stands among B x T, ``before`` and ``after`` who stands beside it
    (T: nobody), ``absent`` is `UNLIKELY` where nobody stands; ``whose`` is 2 x B x T x K.
    """

    pictures: Any
    faces: Any
    words: Any
    labels: Any
    shown: Any
    usual: Any
    which: Any
    place: Any
    before: Any
    after: Any
    absent: Any
    whose: Any
    by_set: Chains
    by_colour: Chains

    def on(self, device: str) -> Batch:
        """The same as tensors on a device."""
        import torch

        def moved(value: Any) -> Any:
            if isinstance(value, Chains):
                return replace(value, **{f.name: moved(getattr(value, f.name)) for f in fields(value)})
            return torch.from_numpy(value).to(device, non_blocking=True)

        return replace(self, **{f.name: moved(getattr(self, f.name)) for f in fields(self)})


def collated(tasks: list[Task]) -> Batch:
    """Pictures side by side: the shorter are filled up."""
    lengths = [len(t.faces) for t in tasks]
    most, many = max(lengths), len(tasks)
    beside = np.full((2, many, most), most, np.int64)
    absent = np.full((many, most), UNLIKELY, np.float32)
    whose = np.zeros((2, many, most, len(COLOURS)), np.float32)
    by_set: list[tuple[int, int, list[int], Floats, Floats]] = []
    by_colour: list[tuple[int, int, list[int], Floats, Floats]] = []
    for k, t in enumerate(tasks):
        for side, numbers in enumerate((t.before, t.after)):
            beside[side, k, : lengths[k]] = np.where(numbers < 0, most, numbers)
        absent[k, : lengths[k]] = 0
        whose[:, k, : lengths[k], : len(t.names)] = t.whose
        for begin, order, learned, standing, pairs in t.chains:
            first = k * most + begin
            by_colour.append((first, len(COLOURS), order, standing, pairs))
            if set(order) <= set(t.names):  # not each chip that was shown was read
                by_set.append((first, len(t.names), [t.names.index(c) for c in order], learned, pairs))

    def every(name: str) -> NDArray[Any]:
        return np.concatenate([getattr(t, name) for t in tasks])

    return Batch(
        every("pictures"), every("faces"), every("words"), every("labels"), every("shown"),
        np.stack([t.usual for t in tasks]), np.repeat(np.arange(many), lengths),
        np.concatenate([np.arange(n) for n in lengths]), beside[0], beside[1], absent, whose,
        _chained(by_set), _chained(by_colour),
    )  # fmt: skip


def _chained(stacks: list[tuple[int, int, list[int], Floats, Floats]]) -> Chains:
    many, most = len(stacks), max((len(order) for _, _, order, _, _ in stacks), default=1)
    at, order = np.zeros((many, most), np.int64), np.zeros((many, most), np.int64)
    alone = np.zeros((many, most, len(COLOURS)), np.float32)
    alike = np.zeros((many, most), np.float32)
    for k, (first, names, true, by_itself, pairs) in enumerate(stacks):
        n = len(true)
        at[k, :n], order[k, :n] = first + np.arange(n), true
        alone[k, :n, :names], alone[k, :, names:], alike[k, : n - 1] = by_itself, UNLIKELY, pairs
    counts = np.array([len(true) for _, _, true, _, _ in stacks], np.int64)
    face = np.array([first for first, *_ in stacks], np.int64) + counts
    return Chains(at, face, order, np.array([n for _, n, *_ in stacks], np.int64), alone, alike, counts)


def said_of(model: Any, batch: Batch) -> tuple[Any, ...]:
    """What the network says of each picture's portraits, B x T."""
    import torch

    seen = model.seen(_input(batch.pictures), batch.faces, batch.words, batch.labels, batch.shown)
    with torch.autocast("cpu", enabled=False):
        placed = seen.new_zeros(*batch.absent.shape, seen.shape[1], dtype=torch.float32)
        placed = placed.index_put((batch.which, batch.place), seen.float())
        return tuple(model.compared(placed, batch.usual, batch.before, batch.after, batch.absent))


def _input(pictures: Any) -> Any:
    """`vision.chips.crops.to_input`, reckoned where the pictures are."""
    return (pictures.permute(0, 3, 1, 2).float() - 114) / 64


def surprises(batch: Batch, said: tuple[Any, ...]) -> tuple[Any, Any]:
    """The surprise at each stack's true order: by the sets that were shown, and by the twelve colours."""
    colour, like, same = said
    edge, face = (like @ it for it in batch.whose)
    return surprise(batch.by_set, edge, face, same), surprise(batch.by_colour, colour, colour, same)


def surprise(chains: Chains, edge: Any, face: Any, same: Any) -> Any:
    """Less the logarithm of the true orders' share of all orders' chances, as `vision.chips.orders` has them: S."""
    import torch

    edge, face = edge.reshape(-1, edge.shape[-1]), face.reshape(-1, face.shape[-1])
    if not len(chains.count):
        return edge.new_zeros(0)
    places = torch.arange(chains.at.shape[1], device=edge.device)
    last = (places == (chains.count - 1)[:, None]).float()[..., None]
    logs = torch.log_softmax(chains.alone + edge[chains.at] + last * face[chains.face][:, None], 2)
    pairs = chains.alike + same.reshape(-1)[chains.at]
    alike = torch.eye(logs.shape[2], device=edge.device)
    change = torch.log(CHANGES / (chains.names - 1).clamp(min=1))[:, None, None] * (1 - alike)
    stay = float(np.log(1 - CHANGES))
    hit = torch.gather(logs, 2, chains.order[..., None])[..., 0]
    total, path = logs[:, 0], hit[:, 0]
    for k in range(1, logs.shape[1]):
        there = chains.count > k
        step = change + alike * (stay + pairs[:, k - 1])[:, None, None]
        total = torch.where(there[:, None], torch.logsumexp(total[:, :, None] + step, 1) + logs[:, k], total)
        taken = torch.where(chains.order[:, k] == chains.order[:, k - 1], stay + pairs[:, k - 1], change[:, 0, 1])
        path = torch.where(there, path + taken + hit[:, k], path)
    return torch.logsumexp(total, 1) - path
