"""The naming recipe: its surprise is that of the product, and a picture's parts are where they are said to be."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from models.recipes import chips_naming as recipe  # noqa: E402
from models.recipes.chips_naming_layers import NamingNetwork  # noqa: E402
from models.recipes.chips_portrayed import Pictured, Read, played  # noqa: E402
from vision.chips.appearance import Shown  # noqa: E402
from vision.chips.likeness import SAMPLES  # noqa: E402
from vision.chips.orders import likeliest  # noqa: E402
from vision.chips.portraits import HIGH, WIDE, Portrayed  # noqa: E402
from vision.chips.values import COLOURS  # noqa: E402

SIX = (0, 2, 3, 5, 7, 11)


def test_tables_are_played_with_all_colours_or_with_six_of_them_and_any_two_meet() -> None:
    tables = [played(k) for k in range(300)]
    assert {len(t) for t in tables} == {6, len(COLOURS)} and all(len(set(t)) == len(t) for t in tables)
    six = [set(t) for t in tables if len(t) == 6]
    assert all(any({a, b} <= t for t in six) for a in COLOURS for b in COLOURS)


def words(rng: np.random.Generator, count: int) -> np.ndarray:
    return rng.normal(0, 2, (count, len(COLOURS))).astype(np.float32)


def pictures(rng: np.random.Generator, count: int) -> np.ndarray:
    return rng.integers(0, 256, (count + 1, HIGH, WIDE, 3)).astype(np.uint8)


def table(rng: np.random.Generator) -> recipe.Table:
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
    return recipe.tabled(Pictured(1, tuple(COLOURS[c] for c in SIX), stacks, shown))


def test_the_surprise_at_the_likeliest_order_is_what_the_product_makes_of_its_chance() -> None:
    rng = np.random.default_rng(2)
    for count in (1, 2, 7):
        logits, same = rng.normal(0, 2, (count, 5)).astype(np.float32), rng.normal(0, 2, count - 1).astype(np.float32)
        chances = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
        best = likeliest(chances.astype(np.float32), same)
        found = recipe.surprise(torch.from_numpy(logits), torch.from_numpy(same), list(best.colours))
        assert float(torch.exp(-found)) == pytest.approx(best.chance, rel=1e-3)


def test_pictures_of_several_lengths_teach_side_by_side_as_each_by_itself() -> None:
    rng = np.random.default_rng(4)
    tables = [table(rng)]
    tasks = [recipe.drawn(tables, rng, n, taught) for n, taught in ((1, True), (3, True), (2, False))]
    model = NamingNetwork().eval()
    with torch.inference_mode():
        together = recipe.surprises(tasks, recipe.said_of(model, tasks))
        apart = [recipe.surprises([task], recipe.said_of(model, [task])) for task in tasks]
    for k in (0, 1):
        each = [float(v) for one in apart for v in one[k]]
        assert [float(v) for v in together[k]] == pytest.approx(each, abs=1e-3)
    assert len(together[0]) == 4 and len(together[1]) == 6


def test_a_stack_with_a_chip_that_was_not_learned_teaches_no_likeness() -> None:
    rng = np.random.default_rng(6)
    whole = table(rng)
    lacking = recipe.tabled(Pictured(1, COLOURS, whole.pictured.stacks, whole.pictured.shown[1:]))
    task = recipe.drawn([lacking], rng, 3, True)
    unknown = whole.pictured.shown[0][0]
    assert unknown not in task.names
    with torch.inference_mode():
        by_set, by_colour = recipe.surprises([task], recipe.said_of(NamingNetwork().eval(), [task]))
    assert len(by_colour) == 3 and len(by_set) == sum(unknown not in order for _, order, *_ in task.chains)
