"""The recipe of the network that sees a picture's finds together: it learns from what the product reads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.slow

torch = pytest.importorskip("torch")

from datasets.chips.counted import CountedStack  # noqa: E402
from models.recipes.chips_company import batched, read_alone, surprises  # noqa: E402
from models.recipes.chips_company_finds import ANY, UNKNOWN, Finds, _counted, _truth, pictured  # noqa: E402
from models.recipes.chips_company_layers import CompanyNetwork  # noqa: E402
from vision.chips.appearance import standard  # noqa: E402
from vision.chips.company import ASIDE, FOOT_ASIDE, KINDS, LAST_CHANCE, ROLL, SIDE, WORDS, kinds  # noqa: E402
from vision.chips.finder import Find  # noqa: E402
from vision.chips.values import COLOURS, MOST  # noqa: E402

KNOWN = WORDS + 3 * len(COLOURS)


def finds(sizes: tuple[int, ...]) -> Finds:
    """Pictures with so many finds each."""
    rng, n = np.random.default_rng(3), sum(sizes)
    known = rng.normal(0, 1, (n, KNOWN)).astype(np.float32)
    chances = rng.dirichlet(np.ones(MOST + 1), n).astype(np.float32)
    known[:, 0] = np.log(chances[:, 0] / (1 - chances[:, 0]))
    known[:, 1:LAST_CHANCE] = np.log(chances[:, 1:LAST_CHANCE])
    known[:, LAST_CHANCE] = np.log(chances[:, LAST_CHANCE:].sum(1))
    known[:, -len(COLOURS) :] = rng.random((n, len(COLOURS))) > 0.5
    corner = rng.uniform(0, 300, (n, 2))
    box = np.concatenate([corner, corner + 50, np.full((n, 1), 400), np.full((n, 1), 300)], 1).astype(np.float32)
    return Finds(
        known, rng.integers(0, 256, (n, SIDE, SIDE, 3)).astype(np.uint8), rng.integers(-1, 9, n),
        rng.integers(-1, len(COLOURS), n), np.repeat(np.arange(len(sizes)), sizes), box,
    )  # fmt: skip


def network() -> CompanyNetwork:
    torch.manual_seed(5)
    model = CompanyNetwork(KNOWN + ASIDE)
    torch.nn.init.normal_(model.said.weight, 0, 0.1)
    return model.eval()


def test_what_was_read_of_a_find_by_itself_is_what_the_product_adds_to() -> None:
    some = finds((5,))
    of_kinds, of_colours = read_alone(torch.from_numpy(some.facts))
    for facts, kind, colour in zip(some.facts, of_kinds, of_colours, strict=True):
        chances = np.exp(facts[: LAST_CHANCE + 1])
        chances[0] = 1 / (1 + np.exp(-facts[0]))
        assert kind.tolist() == pytest.approx(kinds(chances).tolist(), abs=1e-4)
        usual = [c for c, it in zip(COLOURS, facts[-len(COLOURS) :], strict=True) if it]
        _, chances = standard(facts[None, WORDS : WORDS + len(COLOURS)], usual)
        assert torch.softmax(colour, 0).tolist() == pytest.approx(chances[0].tolist(), abs=1e-4)


def test_pictures_learned_side_by_side_say_what_each_says_by_itself() -> None:
    some, model = finds((2, 6, 1)), network()
    together = batched(some, some.pictures, None)
    with torch.inference_mode():
        each = model.by_itself(together.looks, together.facts)
        said = model.compared(each[together.where], together.absent)[together.absent == 0]
        alone = []
        for one in some.pictures:
            it = batched(some, [one], None)
            alone.append(model(it.looks, it.facts[:, :-ASIDE], it.facts[:, -ASIDE:]))
    assert said.shape == (9, KINDS + len(COLOURS)) and torch.allclose(said, torch.cat(alone), atol=1e-4)


def test_half_of_the_pictures_are_mirrored_with_all_that_is_known_of_them() -> None:
    some = finds((3,))
    plain, seen = batched(some, some.pictures, None), set()
    for seed in range(8):
        it = batched(some, some.pictures, np.random.default_rng(seed))
        mirrored = bool(it.facts[0, ROLL] == -plain.facts[0, ROLL])
        seen.add(mirrored)
        assert bool(it.facts[0, FOOT_ASIDE] == -plain.facts[0, FOOT_ASIDE]) is mirrored
        assert torch.allclose(it.facts[:, KNOWN + 1], (-1 if mirrored else 1) * plain.facts[:, KNOWN + 1], atol=1e-4)
        looks = plain.looks.flip(3) if mirrored else plain.looks
        assert float(np.corrcoef(it.looks.flatten(), looks.flatten())[0, 1]) > 0.95
    assert seen == {True, False}


def test_it_learns() -> None:
    some, model = finds((4, 4)), network().train()
    optimiser, losses = torch.optim.Adam(model.parameters(), 0.01), []
    for _ in range(12):
        loss = sum(surprises(model, batched(some, some.pictures, None)))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(float(loss))
    assert losses[-1] < 0.7 * losses[0]


def test_a_find_is_the_stack_that_it_covers_or_no_chip() -> None:
    shown = next(it for k in range(4, 60) if len((it := pictured(k)).scene.stacks) > 2).scene
    stack = max((s for s in shown.stacks if s.shape == "stack"), key=lambda s: s.visible)
    box = (*stack.box.tolist(),)
    truth = (len(stack.order), COLOURS.index(stack.order[-1]))
    find = Find("stack", box, 0.9)
    assert _truth(find, [find], shown.stacks) == truth
    wide = Find("stack", (box[0] - 3, box[1] - 3, box[2], box[3]), 0.5)
    assert _truth(wide, [find, wide], shown.stacks) == (-1, -1), "the other find is its own"
    assert _truth(Find("stack", (-90.0, -90.0, -50.0, -50.0), 0.5), [], shown.stacks) == (0, -1)


def test_one_picture_in_ten_shows_chips_half_over_each_other() -> None:
    shown = [pictured(number) for number in range(ANY, 200, 10)]
    stacks = [(stack, it.usual) for it in shown for stack in it.scene.stacks]
    assert all(len(stack.order) == 1 and stack.order[0] in usual for stack, usual in stacks)
    assert sum(stack.visible < 0.9 for stack, _ in stacks) > len(stacks) / 3, "others lie on them"


def test_a_find_of_a_photograph_is_what_was_counted_there_or_unknown_or_far_from_all_boxes_no_chip() -> None:
    stack = CountedStack(Path("a.jpg"), (10.0, 10.0, 60.0, 90.0), ("red", "red", "black"))
    boxes = [stack.box, (200.0, 10.0, 260.0, 90.0)]
    for box, truth in (
        (stack.box, (3, COLOURS.index("black"))),
        (boxes[1], (UNKNOWN, UNKNOWN)),
        ((120.0, 10.0, 160.0, 40.0), (0, UNKNOWN)),
    ):
        find = Find("stack", box, 0.8)
        assert _counted(find, [find], [stack], boxes) == truth
