"""What a counter learns from whole stacks is what the product makes of its words."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="networks are made with the training extra alone")

from datasets.chips.scene import random_chip_scene  # noqa: E402
from datasets.chips.shards import CHIP_PX, SCENE, Cuts, cuts_of, wide_cut  # noqa: E402
from models.recipes import chips_whole as whole  # noqa: E402
from models.recipes.chips_whole_elsewhere import Elsewhere, ElsewhereShaker, with_photographed  # noqa: E402
from vision.chips import counter, seams  # noqa: E402
from vision.chips.appearance import standard  # noqa: E402
from vision.chips.crops import ACROSS, HEIGHT, WIDTH, Stand  # noqa: E402
from vision.chips.orders import likeliest  # noqa: E402
from vision.chips.values import COLOURS  # noqa: E402

FIELDS = ("order", "seams", "box", "up", "numbers")


@pytest.fixture(scope="module")
def cuts() -> Cuts:
    """Some stacks."""
    rows = []
    for seed in (3, 7, 8):
        scene = random_chip_scene(seed, SCENE, SCENE, CHIP_PX)
        rows += [(*wide_cut(scene.image, s), s) for s in scene.stacks if np.isfinite(s.seams).all() and s.visible > 0.9]
    return cuts_of([(image, s, m) for image, m, s in rows])


@pytest.fixture(scope="module")
def batch(cuts: Cuts) -> whole.Batch:
    """Columns of them."""
    return whole.batch_of(whole.WholeShaker(cuts, 1), 12)


def said(batch: whole.Batch) -> list[torch.Tensor]:
    """Words as a network that knows something says them: the truth, blurred."""
    rng = np.random.default_rng(2)
    edges = 6 * batch["seams"] - 3 + rng.normal(0, 1.0, batch["seams"].shape)
    colours, parts = (rng.normal(0, 1, (len(edges), n, HEIGHT // 2)) for n in (len(COLOURS), 4))
    for name, words in (("colours", colours), ("parts", parts)):
        k, j = np.nonzero(batch[name] >= 0)
        words[k, batch[name][k, j], j] += 2.5
    words = (edges, colours, np.zeros((len(edges), 2)), parts)
    return [torch.from_numpy(w.astype(np.float32)).requires_grad_() for w in words]


@pytest.mark.parametrize("felt", [True, False])
def test_rows_learn_what_moves_the_surprise(cuts: Cuts, felt: bool) -> None:
    telling: whole.Telling = whole.OnFelt() if felt else Elsewhere()
    batch = whole.batch_of((whole.WholeShaker if felt else ElsewhereShaker)(cuts, 1), 12)
    words = said(batch)
    counted, _ = whole.surprises(tuple(words), batch, telling)
    counted.backward()
    for which in (0, 3):
        gradient = words[which].grad
        assert gradient is not None
        step = 0.02 * gradient / gradient.norm()
        moved = [w.detach() for w in words]
        ends = []
        for sign in (1, -1):
            moved[which] = words[which].detach() + sign * step
            ends.append(float(whole.surprises(tuple(moved), batch, telling)[0]))
        assert (ends[0] - ends[1]) == pytest.approx(2 * 0.02 * float(gradient.norm()), rel=0.1)


def test_elsewhere_the_count_is_the_product_s(cuts: Cuts) -> None:
    batch, telling = whole.batch_of(ElsewhereShaker(cuts, 3), 12), Elsewhere()
    words, _, _, parts = (w.detach().numpy() for w in said(batch))
    for k in range(12):
        aspect, stretch, across, glance = batch["told"][k]
        alone = 1 / (1 + np.exp(-glance))
        stand = Stand((0.0, 0.0), across, 0.0, 0.3, aspect / stretch - 0.3, alone=alone, stretch=stretch)
        column = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
        seen = counter._Seen(stand, column, (words[k], np.zeros((12, HEIGHT // 2)), np.zeros(2), parts[k]))
        runs = telling.runs(batch["told"][k], words[k], parts[k], 0.0)
        logs = telling.weighs(batch["told"][k], runs) * runs.scores
        logs[0] += telling.alone(batch["told"][k])
        chances = np.exp(logs - logs.max())
        assert np.allclose(chances / chances.sum(), seen.chances, atol=1e-6)


def test_so_many_are_photographed(cuts: Cuts) -> None:
    few = with_photographed(cuts, Cuts(cuts.jpegs[:1], *(getattr(cuts, it)[:1] for it in FIELDS)))
    assert (len(few.jpegs) - len(cuts.jpegs)) / len(few.jpegs) == pytest.approx(0.15, abs=0.1)


def test_the_order_s_surprise_is_the_product_s(batch: whole.Batch) -> None:
    _, colours, _, parts = (w.detach() for w in said(batch))
    words = said(batch)[0].detach().numpy()
    checked = 0
    for k in np.flatnonzero(batch["clear"] > 0):
        n = int(batch["count"][k])
        aspect, step, squash, growth, _ = batch["told"][k]
        runs = seams.best_runs(words[k], parts[k].numpy(), aspect, step=step, squash=squash, growth=growth)
        if n > len(runs.rows) or batch["whole"][k, 0]:
            continue
        rows = runs.rows[n - 1]
        order = batch["order"][k]
        read = counter.chip_words(colours[k].numpy(), rows, squash * ACROSS)
        weights = whole.strips(rows, squash * ACROSS)
        logs = torch.log_softmax(colours[k], 0).numpy()
        assert np.allclose(weights[:n] @ logs.T, read, atol=1e-4)
        _, chances = standard(read, whole.STANDARD if whole.usual_lack(order).any() else COLOURS)
        same = np.random.default_rng(int(k)).normal(0, 1, max(n - 1, 0)).astype(np.float32)
        best = likeliest(chances, same)
        wanted = np.full_like(order, -1)
        wanted[:n] = best.colours
        if bool(whole.usual_lack(wanted).any()) != bool(whole.usual_lack(order).any()):
            continue
        all_same = torch.zeros(1, len(order) - 1)
        all_same[0, : len(same)] = torch.from_numpy(same)
        told = whole.ordered(colours[k : k + 1], torch.from_numpy(weights[None]), all_same, wanted[None])
        assert float(torch.exp(-told[0])) == pytest.approx(best.chance, abs=1e-3)
        checked += 1
    assert checked > 3
