"""The layers of the chips' placer and counter. Imports torch: only recipes that train open this module."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import nn
from torch.nn import functional

from models.recipes.processor import in_full
from vision.chips.crops import GLANCE, WIDTH
from vision.chips.seams import PARTS
from vision.chips.values import COLOURS


@dataclass(frozen=True)
class Size:
    """How large a counter is: channels of its ``trunk``, ``wide`` where it looks along the stack, and how far apart
    the rows are (``reaches``) that it looks at there, one look after the other.
    """

    trunk: tuple[int, int, int] = (24, 48, 64)
    wide: int = 96
    reaches: tuple[int, ...] = (1, 2, 4, 8, 1)


NARROW = Size()
BROAD = Size((32, 56, 80), 160, (1, 2, 4, 8, 1, 2, 4, 8))


def block(a: int, b: int, kernel: tuple[int, int] = (3, 3), stride: tuple[int, int] = (2, 2)) -> nn.Sequential:
    """A convolution with what usually follows it."""
    pad = (kernel[0] // 2, kernel[1] // 2)
    return nn.Sequential(nn.Conv2d(a, b, kernel, stride, pad, bias=False), nn.BatchNorm2d(b), nn.ReLU(inplace=True))


class Again(nn.Module):  # type: ignore[misc]
    """A second look at what was found, ``reach`` rows apart where it looks along a stack."""

    def __init__(self, n: int, kernel: tuple[int, int] = (3, 3), reach: int = 1) -> None:
        super().__init__()
        pad = (kernel[0] // 2 * reach, kernel[1] // 2)
        self.conv = nn.Conv2d(n, n, kernel, padding=pad, dilation=(reach, 1), bias=False)
        self.norm = nn.BatchNorm2d(n)

    def forward(self, x: Any) -> Any:
        return functional.relu(x + self.norm(self.conv(x)))


class PlacerNetwork(nn.Module):  # type: ignore[misc]
    """See `models.recipes.chips_readers.placer_network`."""

    def __init__(self) -> None:
        super().__init__()
        self.trunk = nn.Sequential(
            block(3, 24), Again(24), block(24, 48), Again(48), block(48, 72), Again(72), block(72, 96),
            nn.Conv2d(96, 32, 1), nn.ReLU(inplace=True), nn.Flatten(),
        )  # fmt: skip
        side = GLANCE // 16
        self.head = nn.Sequential(nn.Linear(32 * side * side, 128), nn.ReLU(inplace=True), nn.Linear(128, 8))

    def forward(self, x: Any) -> Any:
        return in_full(self.head, self.trunk(x))


class CounterNetwork(nn.Module):  # type: ignore[misc]
    """See `models.recipes.chips_readers.counter_network`."""

    def __init__(self, size: Size = NARROW) -> None:
        super().__init__()
        a, b, c = size.trunk
        wide = size.wide
        self.trunk = nn.Sequential(
            block(3, a, (5, 5)), Again(a),
            block(a, b, stride=(1, 2)), Again(b),
            block(b, c, stride=(1, 2)), Again(c),
            nn.Conv2d(c, wide, (1, WIDTH // 8), bias=False), nn.BatchNorm2d(wide), nn.ReLU(inplace=True),
        )  # fmt: skip
        self.along = nn.Sequential(*(Again(wide, (5, 1), reach) for reach in size.reaches))
        self.seams = nn.Conv2d(wide, 2, (3, 1), padding=(1, 0))
        self.colours = nn.Conv2d(wide, len(COLOURS), 1)
        self.parts = nn.Conv2d(wide, len(PARTS), (3, 1), padding=(1, 0))
        self.weigh = nn.Conv2d(wide, 3, 1)
        self.whole = nn.Sequential(nn.Linear(wide * 4, 64), nn.ReLU(inplace=True), nn.Linear(64, 2))

    def forward(self, x: Any) -> tuple[Any, ...]:
        said: tuple[Any, ...] = in_full(self.heads, self.along(self.trunk(x)))
        return said

    def heads(self, rows: Any) -> tuple[Any, ...]:
        """The words on each row, and on the whole, in whole figures."""
        seams = self.seams(rows).squeeze(3).transpose(1, 2).flatten(1)
        flat = rows.squeeze(3)
        weights = torch.softmax(self.weigh(rows).squeeze(3), 2)
        pooled = torch.cat([torch.matmul(weights, flat.transpose(1, 2)).flatten(1), flat.mean(2)], 1)
        return seams, self.colours(rows).squeeze(3), self.whole(pooled), self.parts(rows).squeeze(3)
