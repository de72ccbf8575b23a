"""Layers that the small networks share. What uses them needs torch, which is imported only when they are made."""

from __future__ import annotations

from typing import Any


def block(a: int, b: int, stride: int = 1) -> Any:
    """A convolution of 3 x 3 from ``a`` channels to ``b``, normalised, negative values cut off."""
    from torch import nn

    return nn.Sequential(nn.Conv2d(a, b, 3, stride, 1, bias=False), nn.BatchNorm2d(b), nn.ReLU(inplace=True))


def deeper(n: int) -> Any:
    """Two layers that add to what was seen; nothing at first, so that a trained network may be given more of them."""
    from torch import nn
    from torch.nn import functional

    class Deeper(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.one = block(n, n)
            self.two = nn.Sequential(nn.Conv2d(n, n, 3, 1, 1, bias=False), nn.BatchNorm2d(n))
            nn.init.zeros_(self.two[1].weight)

        def forward(self, x: Any) -> Any:
            return functional.relu(x + self.two(self.one(x)))

    return Deeper()
