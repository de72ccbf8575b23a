"""A batch cut at once is what the Shakers cut one by one."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

pytestmark = pytest.mark.slow

torch = pytest.importorskip("torch", reason="networks are made with the training extra alone")

from datasets.chips.scene import random_chip_scene  # noqa: E402
from datasets.chips.shards import CHIP_PX, SCENE, Cuts, cuts_of, wide_cut  # noqa: E402
from models.recipes import chips_at_once as once  # noqa: E402
from models.recipes.chips_readers import EvenShaker, Shaker  # noqa: E402
from vision.chips.crops import HEIGHT, to_input  # noqa: E402


@pytest.fixture(scope="module")
def cuts() -> Cuts:
    """Some stacks of a few scenes, lids and tubes among them."""
    rows = []
    for seed in (3, 7, 8, 12):
        scene = random_chip_scene(seed, SCENE, SCENE, CHIP_PX)
        rows += [(*wide_cut(scene.image, s), s) for s in scene.stacks if np.isfinite(s.seams).all()]
    assert {s.shape for _, _, s in rows} == {"stack", "tube", "other"}
    return cuts_of([(image, s, m) for image, m, s in rows])


@pytest.fixture(scope="module")
def pool(cuts: Cuts) -> once.Pool:
    """The same stacks where they are learned from, after others that they took the place of."""
    pool = once.Pool(len(cuts.jpegs), torch.device("cpu"))
    pictures = np.stack([cv2.imdecode(j, cv2.IMREAD_COLOR) for j in cuts.jpegs])
    pool.add(cuts, pictures[::-1].copy())
    pool.add(cuts, pictures)
    return pool


@pytest.fixture
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is shaken: no offset, and nothing that happens at times happens."""

    def zeros(*shape: object, **more: object) -> object:
        return torch.zeros(*shape, **more)

    monkeypatch.setattr(torch, "randn", zeros)
    monkeypatch.setattr(torch, "randn_like", torch.zeros_like)
    monkeypatch.setattr(torch, "rand", lambda *shape, **more: torch.full(shape, 0.999, **more))
    monkeypatch.setattr(torch, "rand_like", lambda x: torch.full_like(x, 0.999))


@pytest.mark.parametrize(("felt", "shaker"), [(True, EvenShaker), (False, Shaker)])
def test_unshaken_columns_are_the_shakers(
    cuts: Cuts, pool: once.Pool, still: None, felt: bool, shaker: type[Shaker]
) -> None:
    k = torch.arange(pool.size)
    made = once.columns(pool, k, felt)
    wanted = [shaker(cuts, 1).column(i, False, window=HEIGHT) for i in range(pool.size)]
    for key in ("seams", "colours", "parts", "whole", "clear"):
        same = np.isclose(made[key].numpy(), np.stack([w[key] for w in wanted]), atol=2e-3)
        assert same.mean() > 0.999, f"{key}: a row on the very border may fall either way, no more"
    images = to_input(np.stack([w["image"] for w in wanted]))
    assert np.abs(made["image"].numpy() - images).mean() < 0.01


def test_unshaken_glances_are_the_shakers(cuts: Cuts, pool: once.Pool, still: None) -> None:
    k = torch.arange(pool.size)
    image, want = once.glances(pool, k)
    wanted = [Shaker(cuts, 1).glance(i, False) for i in range(pool.size)]
    assert np.allclose(want.numpy(), np.stack([w[1] for w in wanted]), atol=1e-4)
    images = to_input(np.stack([w[0] for w in wanted]))
    inner = (slice(None), slice(None), slice(24, 72), slice(24, 72))
    assert np.abs(image.numpy() - images)[inner].mean() < 0.04


def test_shaken_columns_keep_their_truth_within_the_window(pool: once.Pool) -> None:
    torch.manual_seed(4)
    made = once.columns(pool, pool.picked(200), True, window=HEIGHT // 2)
    assert made["image"].shape[2] == HEIGHT // 2 == made["seams"].shape[1] == 2 * made["parts"].shape[1]
    named = made["colours"] >= 0
    assert named.any()
    parts = made["parts"][named]
    assert ((parts == 1) | (parts == 2) | (parts == -1)).all()
