"""The naming recipe: its surprise is that of the product, and a picture's parts are where they are said to be."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from models.recipes.chips_naming import batches  # noqa: E402
from models.recipes.chips_naming_batches import Chains, collated, said_of, surprise, surprises  # noqa: E402
from models.recipes.chips_naming_layers import NamingNetwork  # noqa: E402
from models.recipes.chips_naming_tasks import Table, drawn, tabled  # noqa: E402
from models.recipes.chips_portrayed import Pictured, Read  # noqa: E402
from vision.chips.appearance import Shown  # noqa: E402
from vision.chips.likeness import SAMPLES  # noqa: E402
from vision.chips.orders import likeliest  # noqa: E402
from vision.chips.portraits import HIGH, WIDE, Portrayed  # noqa: E402
from vision.chips.values import COLOURS  # noqa: E402

SIX = (0, 2, 3, 5, 7, 11)


def words(rng: np.random.Generator, count: int) -> np.ndarray:
    return rng.normal(0, 2, (count, len(COLOURS))).astype(np.float32)


def pictures(rng: np.random.Generator, count: int) -> np.ndarray:
    return rng.integers(0, 256, (count + 1, HIGH, WIDE, 3)).astype(np.uint8)


def table(rng: np.random.Generator) -> Table:
    """Three stacks of a table whose six colours were shown."""
    stacks = [
        Read(
            Portrayed(words(rng, n), pictures(rng, n)), [int(c) for c in rng.choice(SIX, n)],
            rng.uniform(0, 90, (n, 5, 3)).astype(np.float32), rng.normal(0, 1, n - 1).astype(np.float32),
        )
        for n in (1, 4, 2)
    ]  # fmt: skip
    edges = np.zeros((1, SAMPLES, 3), np.uint8)
    shown = [(c, Shown((0, 0, 9, 9), words(rng, 1), edges, pictures(rng, 1))) for c in SIX]
    return tabled(Pictured(1, tuple(COLOURS[c] for c in SIX), stacks, shown))


def test_the_surprise_at_the_likeliest_order_is_what_the_product_makes_of_its_chance() -> None:
    rng = np.random.default_rng(2)
    counts, names = (1, 2, 7), 5
    stacks = [
        (rng.normal(0, 2, (n, names)).astype(np.float32), rng.normal(0, 2, n - 1).astype(np.float32)) for n in counts
    ]
    best = [likeliest(np.exp(it) / np.exp(it).sum(1, keepdims=True), same) for it, same in stacks]
    at, order = np.zeros((3, 7), np.int64), np.zeros((3, 7), np.int64)
    alone, alike = np.full((3, 7, len(COLOURS)), -1e4, np.float32), np.zeros((3, 7), np.float32)
    for k, ((logits, same), it) in enumerate(zip(stacks, best, strict=True)):
        order[k, : counts[k]], alone[k, : counts[k], :names], alike[k, : counts[k] - 1] = it.colours, logits, same
    filled = (at, np.zeros(3, np.int64), order, np.full(3, names), alone, alike, np.array(counts))
    nothing = torch.zeros(1, 1, len(COLOURS))
    found = surprise(Chains(*map(torch.from_numpy, filled)), nothing, nothing, torch.zeros(1, 1))
    assert torch.exp(-found).tolist() == pytest.approx([it.chance for it in best], rel=1e-3)


def test_pictures_of_several_lengths_teach_side_by_side_as_each_by_itself() -> None:
    rng = np.random.default_rng(4)
    tables = [table(rng)]
    tasks = [drawn(tables, rng, n, taught) for n, taught in ((1, True), (3, True), (2, False))]
    model = NamingNetwork().eval()
    with torch.inference_mode():
        batch = collated(tasks).on("cpu")
        together = surprises(batch, said_of(model, batch))
        single = [collated([task]).on("cpu") for task in tasks]
        apart = [surprises(one, said_of(model, one)) for one in single]
    for k in (0, 1):
        assert together[k].tolist() == pytest.approx([v for one in apart for v in one[k].tolist()], abs=1e-3)
    assert len(together[0]) == 4 and len(together[1]) == 6


def test_a_stack_with_a_chip_that_was_not_learned_teaches_no_likeness() -> None:
    rng = np.random.default_rng(6)
    whole = table(rng)
    lacking = tabled(Pictured(1, COLOURS, whole.pictured.stacks, whole.pictured.shown[1:]))
    task = drawn([lacking], rng, 3, True)
    unknown = whole.pictured.shown[0][0]
    assert unknown not in task.names
    batch = collated([task])
    assert len(batch.by_colour.count) == 3
    assert len(batch.by_set.count) == sum(unknown not in order for _, order, *_ in task.chains)


def test_batches_are_drawn_by_other_processes_each_with_chance_of_its_own() -> None:
    feed = batches([table(np.random.default_rng(8))], 2, 2)
    first, second = next(feed), next(feed)
    assert not np.array_equal(first.faces, second.faces) or not np.array_equal(first.pictures, second.pictures)


def test_the_network_says_something_of_each_portrait_and_of_each_two() -> None:
    rng = np.random.default_rng(9)
    batch = collated([drawn([table(rng)], rng, 2, True)]).on("cpu")
    colour, like, same = said_of(NamingNetwork().eval(), batch)
    portraits = len(batch.faces)
    assert colour.shape == (1, portraits, len(COLOURS))
    assert like.shape == (1, portraits, portraits) and same.shape == (1, portraits)
