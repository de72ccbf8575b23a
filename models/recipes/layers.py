"""Layers that the small networks share, and how those that read patches are kept. What uses them needs torch, which is
imported only when they are made."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
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


def exported(model: Any, target: Path, patches: str, size: tuple[int, int], outputs: Sequence[str]) -> Path:
    """``model`` as ONNX: N ``patches`` of ``size`` (height, width) in, ``outputs`` out. Returns ``target``."""
    import torch

    torch.onnx.export(
        model.eval().to("cpu"), (torch.zeros(2, 3, *size),), str(target), input_names=[patches],
        output_names=list(outputs), dynamic_axes={name: {0: "n"} for name in (patches, *outputs)}, opset_version=17,
        dynamo=False,
    )  # fmt: skip
    return target
