"""What the processor can do: figures of half the length train about twice as fast where it knows them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any


def has_bf16() -> bool:
    """Whether the processor has instructions for bf16 (AVX512-BF16)."""
    told = Path("/proc/cpuinfo")
    return told.exists() and "avx512_bf16" in told.read_text()


def in_full(layers: Callable[[Any], Any], x: Any) -> Any:
    """What these layers make of ``x`` in whole figures, also while training reckons with shorter ones."""
    import torch

    with torch.autocast(x.device.type, enabled=False):
        return layers(x.float())
