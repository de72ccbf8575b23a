"""The layers of the network that names chips. Imports torch: only the recipe opens this module."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from models.recipes.chips_layers import block
from vision.chips.values import COLOURS

HEADS = 4


class Layer(nn.Module):  # type: ignore[misc]
    """Everything looks at everything that is there."""

    def __init__(self, wide: int) -> None:
        super().__init__()
        self.before, self.after = nn.LayerNorm(wide), nn.LayerNorm(wide)
        self.asked, self.told = nn.Linear(wide, 3 * wide), nn.Linear(wide, wide)
        self.thought = nn.Sequential(nn.Linear(wide, 2 * wide), nn.ReLU(inplace=True), nn.Linear(2 * wide, wide))

    def forward(self, x: Any, absent: Any) -> Any:
        b, n, wide = x.shape
        parts = self.asked(self.before(x)).reshape(b, n, 3, HEADS, wide // HEADS).permute(2, 0, 3, 1, 4)
        q, k, v = parts[0], parts[1], parts[2]
        weights = torch.softmax(q @ k.transpose(2, 3) * (wide // HEADS) ** -0.5 + absent[:, None, None, :], 3)
        x = x + self.told((weights @ v).permute(0, 2, 1, 3).reshape(b, n, wide))
        return x + self.thought(self.after(x))


class NamingNetwork(nn.Module):  # type: ignore[misc]
    """See `vision.chips.naming`: what it is given, and what it says."""

    def __init__(self, wide: int = 96, layers: int = 3, eye: int = 32) -> None:
        super().__init__()
        last = 2 * eye
        self.eye = nn.Sequential(
            block(4, eye), block(eye, eye * 3 // 2), block(eye * 3 // 2, last, stride=(1, 2)),
            nn.Flatten(), nn.Linear(last * 5 * 6, wide),
        )  # fmt: skip
        self.word, self.label = nn.Linear(len(COLOURS), wide), nn.Linear(len(COLOURS), wide, bias=False)
        self.usual, self.shown = nn.Linear(len(COLOURS), wide, bias=False), nn.Parameter(torch.randn(wide) * 0.1)
        self.beside = nn.Sequential(nn.Linear(3 * wide, wide), nn.ReLU(inplace=True), nn.Linear(wide, wide))
        self.layers = nn.ModuleList(Layer(wide) for _ in range(layers))
        self.last = nn.LayerNorm(wide)
        self.colour = nn.Linear(wide, len(COLOURS))
        self.ask, self.answer = nn.Linear(wide, wide), nn.Linear(wide, wide)
        self.same = nn.Sequential(nn.Linear(2 * wide, wide), nn.ReLU(inplace=True), nn.Linear(wide, 1))

    def forward(
        self, portraits: Any, faces: Any, words: Any, labels: Any, shown: Any, usual: Any, before: Any, after: Any
    ) -> Any:
        """One picture's; ``before`` and ``after`` are the numbers of each portrait's neighbours, T for none."""
        seen = self.seen(portraits, faces, words, labels, shown)
        said = self.compared(seen[None], usual[None], before[None], after[None], torch.zeros(1, seen.shape[0]))
        return tuple(it[0] for it in said)

    def seen(self, portraits: Any, faces: Any, words: Any, labels: Any, shown: Any) -> Any:
        """T x wide: what each portrait shows, by itself."""
        kind = faces[:, None, None, None].expand(-1, 1, portraits.shape[2], portraits.shape[3])
        seen = self.eye(torch.cat([portraits, kind], 1)).float()
        return seen + self.word(words) + self.label(labels) + shown[:, None] * self.shown

    def compared(self, seen: Any, usual: Any, before: Any, after: Any, absent: Any) -> Any:
        """The same, B x T x wide, in sight of each other; -1e4 where nothing is (``absent``)."""
        x = seen + self.usual(usual)[:, None]
        padded = torch.cat([x, torch.zeros_like(x[:, :1])], 1)
        sides = [padded.gather(1, it[..., None].expand(-1, -1, x.shape[2])) for it in (before, after)]
        x = x + self.beside(torch.cat([x, *sides], 2))
        for layer in self.layers:
            x = layer(x, absent)
        x = self.last(x)
        above = torch.cat([x, torch.zeros_like(x[:, :1])], 1).gather(1, after[..., None].expand(-1, -1, x.shape[2]))
        like = self.ask(x) @ self.answer(x).transpose(1, 2) * x.shape[2] ** -0.5
        return self.colour(x), like, self.same(torch.cat([x, above], 2))[..., 0]
