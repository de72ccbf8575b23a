"""What `chips_readers.Shaker` does to each stack by itself, done to a whole batch where it is learned from: on a card.

A graphics card learns from more columns in a second than a processor cuts in a minute. Here wide cuts
(`datasets.chips.shards`) lie in the card's own memory, new ones coming in while it learns, and columns and glances are
cut from hundreds of them at once. The chances and sizes of all changes are the Shakers', but that local
contrast is not stretched, and that away from felts most columns are shown as high as the product shows them.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from datasets.chips.shards import HIGH, WIDE, Cuts
from models.recipes.chips_readers import (
    ASTRAY,
    EVEN_OFF,
    FORETOLD_WITHIN,
    IGNORED,
    MIXED,
    SEEN_ENOUGH,
    SHOWS_ALL,
    SHOWS_ALONE,
    SIGMA,
    STRETCHED,
    STRETCHES,
    TOO_HIGH,
    TOO_LOW,
)
from vision.chips.crops import (
    ACROSS,
    ASIDE,
    EVEN,
    FOOT,
    GLANCE,
    HEIGHT,
    LEAST_EVEN,
    MOST_EVEN,
    MOST_STRETCHED,
    ROOM,
    SQUEEZE,
    WIDTH,
)
from vision.chips.seams import THICKNESS
from vision.chips.values import MOST

NOWHERE: Final = -1e4
"""The row of a seam that is none."""
UPRIGHT, UPRIGHT_OFF = 0.6, 0.05
"""Away from felts so many columns are shown as high as `vision.chips.crops.upright` has them, and how far off that is
(a logarithm)."""


class Pool:
    """Wide cuts on a device, up to ``most`` of them; then each new one takes the place of the oldest."""

    def __init__(self, most: int, device: Any) -> None:
        import torch

        def empty(*shape: int, kind: Any = torch.float32) -> Any:
            return torch.empty(most, *shape, dtype=kind, device=device)

        self.most, self.device, self.size, self.came = most, device, 0, 0
        self.images = empty(HIGH, WIDE, 3, kind=torch.uint8)
        self.order, self.counts = empty(MOST, kind=torch.int64), empty(kind=torch.int64)
        self.seams, self.box, self.up, self.numbers = empty(MOST + 1, 2), empty(4), empty(2), empty(6)
        self.likely = empty()

    def add(self, cuts: Cuts, images: np.ndarray) -> None:
        """Take in cuts whose pictures are ``images`` (N x HIGH x WIDE x 3)."""
        import torch

        at = (self.came + torch.arange(len(images))) % self.most
        counts = (cuts.order >= 0).sum(1)
        mixed = ((cuts.order >= 0) & (cuts.order != cuts.order[:, :1])).any(1)
        likely = np.where(cuts.numbers[:, 4] > 0.5, 1.0, 0.3) * np.where(counts > 1, 1.0, 0.5)
        likely = likely * np.where(mixed, MIXED, 1.0)
        seams = np.nan_to_num(cuts.seams, nan=0.0)
        kept = {
            "images": images, "order": cuts.order, "counts": counts, "seams": seams, "box": cuts.box, "up": cuts.up,
            "numbers": cuts.numbers, "likely": likely,
        }  # fmt: skip
        for name, value in kept.items():
            whole = getattr(self, name)
            whole[at.to(self.device)] = torch.from_numpy(np.ascontiguousarray(value)).to(self.device, whole.dtype)
        self.came += len(images)
        self.size = min(self.came, self.most)

    def picked(self, count: int) -> Any:
        """Numbers of so many, drawn as `chips_readers.counter_batch` draws them."""
        import torch

        return torch.multinomial(self.likely[: self.size], count, replacement=True)

    def shows(self, k: Any) -> Any:
        """Whether their fronts are seen; of chips alone, whether they are (0 or 1)."""
        import torch

        visible, front = self.numbers[k, 3], self.numbers[k, 4]
        return torch.where(self.counts[k] == 1, visible >= SHOWS_ALONE, front >= SHOWS_ALL).float()


def lit(x: Any) -> Any:
    """N x 3 x H x W (0 to 255) in other light, tone and noise; what lies beyond the picture's frame stays grey."""
    import torch

    n = len(x)
    grey = (x - 114).abs().amax(1, keepdim=True) < 3
    gain = torch.exp(_normal(x, 0.16)) * (1 + 0.05 * torch.randn(n, 3, 1, 1, device=x.device))
    y = ((x / 255) ** torch.exp(_normal(x, 0.18)) * 255 * gain).clamp(0, 255)
    strength = _uniform(x, 0, 12) * (_uniform(x, 0, 1) < 0.3)
    return torch.where(grey, x, (y + torch.randn_like(x) * strength).clamp(0, 255).floor())


def columns(pool: Pool, k: Any, felt: bool, window: int = HEIGHT) -> dict[str, Any]:
    """Columns of the pool's stacks ``k`` as they would be cut (on a calibrated felt, or elsewhere), and what there is
    to read: see `chips_readers.Shaker.column`.
    """
    import torch

    n, on = len(k), pool.device
    off = EVEN_OFF if felt else 1.0
    counts, numbers, seams = pool.counts[k], pool.numbers[k], pool.seams[k]
    flat = torch.zeros(n, device=on)
    size = torch.exp(_normal(flat, 0.06 * off))
    foot = seams[:, 0] + torch.randn(n, 2, device=on) * torch.tensor([4.0, 4.5], device=on) * off
    if window == HEIGHT:
        far = (torch.rand(n, device=on) * (TOO_LOW + TOO_HIGH) - TOO_LOW) * ACROSS
        foot = foot + pool.up[k] * (far * (torch.rand(n, device=on) < ASTRAY))[:, None]
    squash = (numbers[:, 2] + _normal(flat, 0.07 * off)).clamp(0, 1)
    roll = torch.atan2(pool.up[k, 0], -pool.up[k, 1]) + _normal(flat, 0.045 * off)
    tilt = numbers[:, 5] + _normal(flat, 0.02 * off)
    stretch = (_felt_stretch if felt else _stretch)(numbers[:, 2], squash)
    cos, sin = roll.cos() / size, roll.sin() / size  # a chip's width is ACROSS times size
    away = seams - foot[:, None]
    rows = FOOT[1] + (-sin[:, None] * away[..., 0] + cos[:, None] * away[..., 1]) * stretch[:, None]
    there = torch.arange(MOST + 1, device=on) <= counts[:, None]
    rows = torch.where(there, rows, NOWHERE)
    top = rows.gather(1, counts[:, None])[:, 0]
    head = top - numbers[:, 2] * ACROSS * 0.85 * stretch
    begin = torch.full((n,), HEIGHT - window, device=on)
    if window < HEIGHT:  # at times not the foot, but some part of the stack
        low = (head - 20).clamp(0, HEIGHT - window)
        part = (low + torch.rand(n, device=on) * (HEIGHT - window + 1 - low)).long()
        begin = torch.where(torch.rand(n, device=on) < 0.5, part, begin)
    x = torch.arange(WIDTH, device=on) - FOOT[0]
    aside = (x / (ACROSS * SQUEEZE / 2)).clamp(-ASIDE, ASIDE)
    rise = ACROSS / 2 * (squash[:, None] * (1 - (1 - aside**2).sqrt()) - tilt.tan()[:, None] * aside)
    y = (begin[:, None] + torch.arange(window, device=on) - FOOT[1]) / stretch[:, None]
    y = y[:, :, None] - rise[:, None]
    turn_x, turn_y = (v[:, None, None] * size[:, None, None] for v in (roll.cos(), roll.sin()))
    px = turn_x * x / SQUEEZE - turn_y * y + foot[:, 0, None, None]
    py = turn_y * x / SQUEEZE + turn_x * y + foot[:, 1, None, None]
    image = _turned_over(lit(_sampled(pool, k, px, py, "border")))[0]
    rows, head = rows - begin[:, None], head - begin
    other = numbers[:, 0] == 2
    at = torch.arange(window, device=on)
    peaks = torch.exp(-((at - rows[..., None]) ** 2) / (2 * SIGMA**2)).amax(1)
    centres = torch.arange(window // 2, device=on) * 2 + 0.5
    which = (rows[..., None] > centres).sum(1) + (head[:, None] > centres) - 1
    last = counts[:, None]
    inside = (which >= 0) & (which <= last) & ~other[:, None]
    named = pool.order[k].gather(1, which.clamp(min=0).minimum(last - 1))
    parts = torch.where(which < 0, 0, torch.where(which < last, 1, torch.where(which == last, 2, 3)))
    clear = (numbers[:, 4] >= SEEN_ENOUGH) | other
    return {
        "image": image,
        "seams": peaks * ~other[:, None],
        "colours": torch.where(inside, named, IGNORED),
        "parts": torch.where((clear & ~other)[:, None], parts, IGNORED),
        "whole": torch.stack([other.float(), pool.shows(k)], 1),
        "clear": clear.float(),
    }


def glances(pool: Pool, k: Any) -> tuple[Any, Any]:
    """Glances as finds would give them, and the truth: see `chips_readers.Shaker.glance`. The stacks' fronts end where
    the last seam lies.
    """
    import torch

    n, on = len(k), pool.device
    x0, y0, x1, y1 = pool.box[k].unbind(1)
    w, h = x1 - x0, y1 - y0
    loose = torch.rand(n, 1, device=on) * 0.22 * (torch.rand(n, 1, device=on) < 0.35)
    signs = torch.where(torch.rand(n, 4, device=on) < 0.5, -1.0, 1.0)
    grow = (torch.randn(n, 4, device=on) * 0.05).abs() * signs + loose * torch.rand(n, 4, device=on)
    x0, y0, x1, y1 = x0 - grow[:, 0] * w, y0 - grow[:, 1] * h, x1 + grow[:, 2] * w, y1 + grow[:, 3] * h
    zoom = GLANCE / (torch.maximum(x1 - x0, y1 - y0).clamp(min=1) * ROOM)
    place = (torch.arange(GLANCE, device=on) - GLANCE / 2) / zoom[:, None]
    px = (place + (x0 + x1)[:, None] / 2)[:, None].expand(n, GLANCE, GLANCE)
    py = (place + (y0 + y1)[:, None] / 2)[:, :, None].expand(n, GLANCE, GLANCE)
    mirrored = int(0.8 * n)
    parts = [_sampled(pool, k[:mirrored], px[:mirrored], py[:mirrored], "reflection")]
    parts.append(_sampled(pool, k[mirrored:], px[mirrored:], py[mirrored:], "border"))
    image, turned = _turned_over(lit(torch.cat(parts)))
    seams, up = pool.seams[k], pool.up[k]
    middle = torch.stack([x0 + x1, y0 + y1], 1) / 2
    foot = (seams[:, 0] - middle) * zoom[:, None] / GLANCE
    last = seams.gather(1, pool.counts[k][:, None, None].expand(n, 1, 2))[:, 0]
    tall = ((last - seams[:, 0]) * up).sum(1) / ACROSS
    roll = torch.atan2(up[:, 0], -up[:, 1])
    alone = (pool.counts[k] == 1).float()
    want = [
        *foot.unbind(1), torch.log(ACROSS * zoom / 40), roll, pool.numbers[k, 2], tall / 2, alone, pool.shows(k)
    ]  # fmt: skip
    over = torch.tensor([-1.0, 1, 1, -1, 1, 1, 1, 1], device=on)
    return image, torch.stack(want, 1) * torch.where(turned[:, None], over, 1.0)


def _felt_stretch(true: Any, _seen: Any) -> Any:
    thick = THICKNESS * (1 - true**2).clamp(min=0.05).sqrt()
    import torch

    return (EVEN / (thick * ACROSS)).clamp(LEAST_EVEN, MOST_EVEN) * torch.exp(_normal(true, FORETOLD_WITHIN))


def _stretch(_true: Any, seen: Any) -> Any:
    """As high as `upright` shows most, and some as in pictures that were stretched to another shape."""
    import torch

    risen = (1 / (1 - seen**2).clamp(min=1e-6).sqrt()).clamp(max=MOST_STRETCHED)
    risen = torch.where(torch.rand_like(seen) < UPRIGHT, risen * torch.exp(_normal(seen, UPRIGHT_OFF)), 1.0)
    low, high = (math.log(v) for v in STRETCHES)
    odd = torch.exp(torch.rand_like(seen) * (high - low) + low)
    return risen * torch.where(torch.rand_like(seen) < STRETCHED / 2, odd, 1.0)


def _sampled(pool: Pool, k: Any, px: Any, py: Any, beyond: str) -> Any:
    """The stacks' pictures at these places (N x H x W each), N x 3 x H x W."""
    import torch
    from torch.nn import functional

    grid = torch.stack([px * (2 / (WIDE - 1)) - 1, py * (2 / (HIGH - 1)) - 1], 3)
    pictures = pool.images[k].permute(0, 3, 1, 2).float()
    sample: dict[str, Any] = {"mode": "bilinear", "padding_mode": beyond, "align_corners": True}
    return functional.grid_sample(pictures, grid, **sample).round()


def _turned_over(x: Any) -> tuple[Any, Any]:
    """Half of them mirrored and all as a network takes them (`vision.chips.crops.to_input`); and which."""
    import torch

    turned = torch.rand(len(x), device=x.device) < 0.5
    x = torch.where(turned[:, None, None, None], x.flip(3), x)
    return (x - 114) / 64, turned


def _normal(like: Any, spread: float) -> Any:
    """One figure for each of a batch, shaped to go with it."""
    import torch

    return torch.randn(len(like), *(1,) * (like.dim() - 1), device=like.device) * spread


def _uniform(like: Any, low: float, top: float) -> Any:
    import torch

    return torch.rand(len(like), *(1,) * (like.dim() - 1), device=like.device) * (top - low) + low
