"""A batch that is shown differently at every pass: corners move with what is bent, as patch by patch."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="networks are made with the training extra alone")

from models.recipes.shaken_at_once import CHANGES, as_input, bent, blocked, inked, shaken_at_once  # noqa: E402
from tests.models.test_shaken import dots, dotted  # noqa: E402
from vision.cards.patches import TARGET, to_input  # noqa: E402


def batch(count: int) -> tuple[object, object]:
    images = torch.from_numpy(np.stack([dotted()] * count))
    return images, torch.from_numpy(np.stack([TARGET] * count))


def planes(images: object) -> object:
    return images.permute(0, 3, 1, 2).float()  # type: ignore[attr-defined]


def test_corners_move_with_the_patch() -> None:
    torch.manual_seed(1)
    images, corners = batch(60)
    x, moved = bent(planes(images), corners)
    for patch, where in zip(x.permute(0, 2, 3, 1).numpy(), moved.numpy(), strict=True):
        assert np.linalg.norm(dots(patch) - where, axis=1).max() < 1.0
    assert np.median(np.linalg.norm(moved.numpy() - TARGET, axis=2).max(1)) > 2.0


def test_what_has_no_known_corners_has_none_afterwards() -> None:
    torch.manual_seed(1)
    images, corners = batch(8)
    _, moved = bent(planes(images), torch.full_like(corners, float("nan")))
    assert torch.isnan(moved).all()


@pytest.mark.parametrize("change", [inked, *(c for _, c in CHANGES)], ids=lambda c: c.__name__)
def test_every_other_change_shows_the_patch_otherwise_at_its_size(change: object) -> None:
    torch.manual_seed(1)
    before = planes(batch(12)[0]) / 2  # type: ignore[operator]
    after = change(before.clone())  # type: ignore[operator]
    assert after.shape == before.shape and torch.isfinite(after).all()
    assert float((after - before).abs().amax((1, 2, 3)).min()) > 1


def test_blocks_of_a_stream_leave_a_patch_its_colours() -> None:
    torch.manual_seed(1)
    plain = torch.tensor([200.0, 90.0, 40.0]).view(1, 3, 1, 1).expand(12, 3, 96, 64)
    assert float((blocked(plain) - plain).abs().mean()) < 12


def test_a_batch_is_left_as_it_was_and_comes_back_in_order() -> None:
    images = torch.from_numpy(np.stack([dotted(), np.zeros_like(dotted())]))
    corners = torch.from_numpy(np.stack([TARGET, TARGET]))
    kept, places = images.clone(), corners.clone()
    for seed in range(8):  # in some of them no patch of the two is inked, or bent
        torch.manual_seed(seed)
        seen, where = shaken_at_once(images, corners)
        assert float(seen[0].std()) > float(seen[1].std())
    assert torch.equal(images, kept) and torch.equal(corners, places)
    assert seen.shape == (2, 3, 96, 64) and where.shape == corners.shape and torch.isfinite(seen).all()


def test_patches_are_given_to_the_network_as_they_are_when_it_is_used() -> None:
    images = np.random.default_rng(1).integers(0, 256, (3, 96, 64, 3), np.uint8)
    assert np.abs(as_input(planes(torch.from_numpy(images))).numpy() - to_input(images)).max() < 1e-3
