"""What `shaken` does to each patch by itself, done to a whole batch where it is learned from: on a graphics card.

A card of today names some hundred thousand patches a second and learns from fifty thousand; processors show no more
than some thousands of them differently in that time. The chances and sizes of the changes are those of `shaken`, the
changes themselves as near to its as arrays of one shape allow: sizes are drawn once for several patches, and blocks are
a stream's as far as its rounding goes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

from models.recipes.shaken import (
    ASKEW,
    BEND,
    BLOCKED,
    BLURRED,
    BURNT,
    FADED,
    GROWN,
    INKED,
    KNOTS,
    MOVED,
    RUBBER,
    SHIFT,
    SHRUNK,
    SMALLER,
    TURN,
)

SIZES: Final = 6
"""So many sizes are drawn for the patches of a batch that are shrunk."""
KERNEL: Final = 13
"""Pixels of the widest blur."""
BLOCK: Final = 8
"""A stream's blocks, in pixels."""
_HIGH_LIGHT = (
    (16, 11, 10, 16, 24, 40, 51, 61), (12, 12, 14, 19, 26, 58, 60, 55), (14, 13, 16, 24, 40, 57, 69, 56),
    (14, 17, 22, 29, 51, 87, 80, 62), (18, 22, 37, 56, 68, 109, 103, 77), (24, 35, 55, 64, 81, 104, 113, 92),
    (49, 64, 78, 87, 103, 121, 120, 101), (72, 92, 95, 98, 112, 100, 103, 99),
)  # fmt: skip
_HIGH_COLOUR = (
    (17, 18, 24, 47, 99, 99, 99, 99), (18, 21, 26, 66, 99, 99, 99, 99), (24, 26, 56, 99, 99, 99, 99, 99),
    (47, 66, 99, 99, 99, 99, 99, 99), *((99,) * 8,) * 4,
)  # fmt: skip
"""JPEG's steps of brightness and colour at quality 50 (ITU-T T.81, annex K)."""


def shaken_at_once(images: Any, corners: Any) -> tuple[Any, Any]:
    """What a network is shown of a batch, and where the corners then lie.

    ``images`` are N x H x W x 3 BGR bytes and ``corners`` N x 4 x 2 pixels (NaN where unknown), tensors of one device;
    comes back as N x 3 x H x W, zero mean and unit contrast each (`vision.cards.patches.to_input`), and N x 4 x 2.
    """
    import torch

    x, corners = images.permute(0, 3, 1, 2).float(), corners.clone()
    if len(some := _some(x, INKED)):
        x[some] = inked(x[some])
    if len(some := _some(x, MOVED)):
        x[some], corners[some] = bent(x[some], corners[some])
    for share, change in CHANGES:
        if len(some := _some(x, share)):
            x[some] = change(x[some])
    n, on = len(x), x.device
    x = x * _uniform(x, 0.7, 1.3) * (1 + 0.06 * torch.randn(n, 3, 1, 1, device=on))
    x = x + 12 * torch.randn(n, 1, 1, 1, device=on) + torch.randn_like(x) * _uniform(x, 0, 7)
    return as_input(x.clamp(0, 255).round()), corners


def as_input(x: Any) -> Any:
    """Patches N x 3 x H x W (0 to 255) at zero mean and unit contrast, as `vision.cards.patches.to_input` has them."""
    mean = x.mean((1, 2, 3), keepdim=True)
    spread = ((x * x).mean((1, 2, 3), keepdim=True) - mean * mean).clamp(min=0).sqrt()
    return (x - mean) / (spread + 8.0)


def inked(x: Any) -> Any:
    """Thicker letters or thinner ones."""
    import torch
    from torch.nn import functional

    darker = torch.where(torch.rand(len(x), 1, 1, 1, device=x.device) < 0.5, 1.0, -1.0)
    up, across = (functional.max_pool2d(x * darker, k, 1, (k[0] // 2, k[1] // 2)) for k in ((3, 1), (1, 3)))
    share = _uniform(x, 0.3, 1.0)
    return torch.maximum(up, across) * darker * share + x * (1 - share)


def bent(x: Any, corners: Any) -> tuple[Any, Any]:
    """The patches bent like rubber, and their corners with them."""
    import torch
    from torch.nn import functional

    n, on = len(x), x.device
    high, wide = x.shape[2:]
    turn, skew = (torch.randn(n, device=on) * by for by in (TURN, ASKEW))
    grow = torch.exp(torch.randn(n, 2, device=on) * GROWN)
    rows = (turn.cos(), skew - turn.sin(), turn.sin(), turn.cos())
    moved = torch.stack(rows, 1).view(n, 2, 2) * grow[:, None]
    back, shift = torch.linalg.inv(moved), torch.randn(n, 1, 2, device=on) * SHIFT
    middle, last = (torch.tensor([wide - k, high - k], device=on, dtype=torch.float32) for k in (0, 1))
    middle = middle / 2
    y, across = torch.meshgrid(torch.arange(high, device=on), torch.arange(wide, device=on), indexing="ij")
    pixels = torch.stack([across, y], -1).view(1, high * wide, 2).float()
    net = torch.randn(n, 2, *KNOTS, device=on) * BEND * (torch.rand(n, 1, 1, 1, device=on) < RUBBER)
    net = functional.interpolate(net, (high, wide), mode="bicubic", align_corners=False)
    # From where in the patch each pixel comes: the inverse of where things go.
    source = ((pixels - middle - shift) @ back.mT + middle).view(n, high, wide, 2) + net.permute(0, 2, 3, 1)
    sample: dict[str, Any] = {"mode": "bilinear", "padding_mode": "border", "align_corners": True}
    out = functional.grid_sample(x, source * 2 / last - 1, **sample)
    goal = (corners - middle) @ moved.mT + middle + shift
    for _ in range(3):  # a point's own displacement, found by going back and seeing how far off that comes out
        at = torch.minimum(goal.clamp(min=0), last) * 2 / last - 1
        off = functional.grid_sample(net, at.nan_to_num()[:, None], **sample)[:, :, 0].mT
        goal = goal + (corners - ((goal - middle - shift) @ back.mT + middle + off)) @ moved.mT
    return out, goal


def faded(x: Any) -> Any:
    """Nearer to grey."""
    import torch

    grey = (x * torch.tensor([0.114, 0.587, 0.299], device=x.device).view(1, 3, 1, 1)).sum(1, keepdim=True)
    share = _uniform(x, 0.2, 0.7)
    return grey * share + x * (1 - share)


def burnt(x: Any) -> Any:
    """Overexposed: paper and part of the ink run into white."""
    return (x * _uniform(x, 1.2, 1.9)).clamp(0, 255)


def blurred(x: Any) -> Any:
    """Out of focus, or moved."""
    import torch
    from torch.nn import functional

    n, on = len(x), x.device
    high, wide = x.shape[2:]
    places = torch.arange(KERNEL, device=on).float() - KERNEL // 2
    down, right = torch.meshgrid(places, places, indexing="ij")
    spread, angle, reach = (
        _uniform(x, low, top)[:, 0] for low, top in ((0.7, 2.2), (0, math.pi), (1.0, 3.5))
    )  # a moved one reaches as far to both sides
    round_ = torch.exp(-(right**2 + down**2) / (2 * spread**2))
    along, aside = right * angle.cos() + down * angle.sin(), down * angle.cos() - right * angle.sin()
    line = torch.exp(-2 * (along.abs() - reach).clamp(min=0)) * torch.exp(-2 * aside**2)
    kernel = torch.where(torch.rand(n, 1, 1, device=on) < 0.5, round_, line)
    kernel = (kernel / kernel.sum((1, 2), keepdim=True)).repeat_interleave(3, 0)[:, None]
    wider = functional.pad(x, (KERNEL // 2,) * 4, mode="reflect").reshape(
        1, 3 * n, high + KERNEL - 1, wide + KERNEL - 1
    )
    return functional.conv2d(wider, kernel, groups=3 * n).view(n, 3, high, wide)


def smaller(x: Any) -> Any:
    """As they would be cut from a picture of fewer pixels."""
    return _by_size(x, SHRUNK, lambda few: few)


def blocked(x: Any) -> Any:
    """Packed as a stream packs them, at fewer pixels."""
    return _by_size(x, (1.0, 3.0), _in_blocks)


def _by_size(x: Any, times: tuple[float, float], change: Callable[[Any], Any]) -> Any:
    """The patches shrunk by one of `SIZES` sizes, changed, and brought to their own size again."""
    import torch
    from torch.nn import functional

    high, wide = x.shape[2:]
    out = []
    for part in x.chunk(SIZES):
        by = float(torch.empty(()).uniform_(*times))
        few = functional.interpolate(part, (int(high / by), int(wide / by)), mode="area")
        out.append(functional.interpolate(change(few), (high, wide), mode="bilinear", align_corners=False))
    return torch.cat(out)


def _in_blocks(x: Any) -> Any:
    import torch
    from torch.nn import functional

    on, size = x.device, x.shape[2:]
    quality = torch.randint(18, 70, (len(x), 1, 1), device=on).float()
    scale = torch.where(quality < 50, 5000 / quality, 200 - 2 * quality) / 100
    light, colour = ((torch.tensor(it, device=on) * scale).round().clamp(1, 255) for it in (_HIGH_LIGHT, _HIGH_COLOUR))
    blue, green, red = x.unbind(1)
    bright = 0.299 * red + 0.587 * green + 0.114 * blue
    tints = []
    for part in ((blue - bright) * 0.564 + 128, (red - bright) * 0.713 + 128):
        half = _rounded(functional.avg_pool2d(part[:, None], 2, ceil_mode=True)[:, 0], colour)
        whole = functional.interpolate(half[:, None], size, mode="bilinear", align_corners=False)[:, 0]
        tints.append(whole - 128)
    bright = _rounded(bright, light)
    from_blue, from_red = tints[0] / 0.564, tints[1] / 0.713
    green = bright - 0.194 * from_blue - 0.509 * from_red
    return torch.stack([bright + from_blue, green, bright + from_red], 1).clamp(0, 255)


def _rounded(plane: Any, steps: Any) -> Any:
    """N x H x W with each block's waves rounded to the steps (N x 8 x 8)."""
    import torch
    from torch.nn import functional

    n, high, wide = plane.shape
    down, right = -high % BLOCK, -wide % BLOCK
    whole = functional.pad(plane[:, None], (0, right, 0, down), mode="replicate")[:, 0] - 128
    blocks = whole.view(n, (high + down) // BLOCK, BLOCK, (wide + right) // BLOCK, BLOCK).permute(0, 1, 3, 2, 4)
    k = torch.arange(BLOCK, device=plane.device).float()
    waves = torch.cos((2 * k[None] + 1) * k[:, None] * math.pi / (2 * BLOCK)) * math.sqrt(2 / BLOCK)
    waves[0] = math.sqrt(1 / BLOCK)
    steps = steps.view(n, 1, 1, BLOCK, BLOCK)
    blocks = waves.T @ ((waves @ blocks @ waves.T / steps).round() * steps) @ waves
    return blocks.permute(0, 1, 3, 2, 4).reshape(n, high + down, wide + right)[:, :high, :wide] + 128


def _some(x: Any, share: float) -> Any:
    """The numbers of some of the batch, each taken with the same chance."""
    import torch

    return torch.nonzero(torch.rand(len(x), device=x.device) < share).flatten()


def _uniform(x: Any, low: float, top: float) -> Any:
    """One figure for each patch, N x 1 x 1 x 1."""
    import torch

    return torch.rand(len(x), 1, 1, 1, device=x.device) * (top - low) + low


CHANGES: Final[tuple[tuple[float, Callable[[Any], Any]], ...]] = (
    (FADED, faded),
    (BURNT, burnt),
    (BLURRED, blurred),
    (SMALLER, smaller),
    (BLOCKED, blocked),
)
