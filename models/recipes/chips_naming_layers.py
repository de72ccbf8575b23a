"""The layers of the network that names chips. Imports torch: only the recipe opens this module."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from models.recipes.chips_layers import block
from vision.chips.values import COLOURS

WIDE, HEADS, LAYERS = 96, 4, 3


class Layer(nn.Module):  # type: ignore[misc]
    """Everything looks at everything that is there."""

    def __init__(self) -> None:
        super().__init__()
        self.before, self.after = nn.LayerNorm(WIDE), nn.LayerNorm(WIDE)
        self.asked, self.told = nn.Linear(WIDE, 3 * WIDE), nn.Linear(WIDE, WIDE)
        self.thought = nn.Sequential(nn.Linear(WIDE, 2 * WIDE), nn.ReLU(inplace=True), nn.Linear(2 * WIDE, WIDE))

    def forward(self, x: Any, absent: Any) -> Any:
        b, n = x.shape[0], x.shape[1]
        parts = self.asked(self.before(x)).reshape(b, n, 3, HEADS, WIDE // HEADS).permute(2, 0, 3, 1, 4)
        q, k, v = parts[0], parts[1], parts[2]
        weights = torch.softmax(q @ k.transpose(2, 3) * (WIDE // HEADS) ** -0.5 + absent[:, None, None, :], 3)
        x = x + self.told((weights @ v).permute(0, 2, 1, 3).reshape(b, n, WIDE))
        return x + self.thought(self.after(x))


class NamingNetwork(nn.Module):  # type: ignore[misc]
    """See `vision.chips.naming`: what it is given, and what it says."""

    def __init__(self) -> None:
        super().__init__()
        self.eye = nn.Sequential(
            block(4, 32), block(32, 48), block(48, 64, stride=(1, 2)), nn.Flatten(), nn.Linear(64 * 5 * 6, WIDE),
        )  # fmt: skip
        self.word, self.label = nn.Linear(len(COLOURS), WIDE), nn.Linear(len(COLOURS), WIDE, bias=False)
        self.usual, self.shown = nn.Linear(len(COLOURS), WIDE, bias=False), nn.Parameter(torch.randn(WIDE) * 0.1)
        self.beside = nn.Sequential(nn.Linear(3 * WIDE, WIDE), nn.ReLU(inplace=True), nn.Linear(WIDE, WIDE))
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.last = nn.LayerNorm(WIDE)
        self.colour = nn.Linear(WIDE, len(COLOURS))
        self.ask, self.answer = nn.Linear(WIDE, WIDE), nn.Linear(WIDE, WIDE)
        self.same = nn.Sequential(nn.Linear(2 * WIDE, WIDE), nn.ReLU(inplace=True), nn.Linear(WIDE, 1))

    def forward(
        self, portraits: Any, faces: Any, words: Any, labels: Any, shown: Any, usual: Any, before: Any, after: Any
    ) -> Any:
        """One picture's; ``before`` and ``after`` are the numbers of each portrait's neighbours, T for none."""
        seen = self.seen(portraits, faces, words, labels, shown)
        said = self.compared(seen[None], usual[None], before[None], after[None], torch.zeros(1, seen.shape[0]))
        return tuple(it[0] for it in said)

    def seen(self, portraits: Any, faces: Any, words: Any, labels: Any, shown: Any) -> Any:
        """T x WIDE: what each portrait shows, by itself."""
        kind = faces[:, None, None, None].expand(-1, 1, portraits.shape[2], portraits.shape[3])
        seen = self.eye(torch.cat([portraits, kind], 1)).float()
        return seen + self.word(words) + self.label(labels) + shown[:, None] * self.shown

    def compared(self, seen: Any, usual: Any, before: Any, after: Any, absent: Any) -> Any:
        """The same, B x T x WIDE, in sight of each other; -1e4 where nothing is (``absent``)."""
        x = seen + self.usual(usual)[:, None]
        padded = torch.cat([x, torch.zeros_like(x[:, :1])], 1)
        sides = [padded.gather(1, it[..., None].expand(-1, -1, WIDE)) for it in (before, after)]
        x = x + self.beside(torch.cat([x, *sides], 2))
        for layer in self.layers:
            x = layer(x, absent)
        x = self.last(x)
        above = torch.cat([x, torch.zeros_like(x[:, :1])], 1).gather(1, after[..., None].expand(-1, -1, WIDE))
        like = self.ask(x) @ self.answer(x).transpose(1, 2) * WIDE**-0.5
        return self.colour(x), like, self.same(torch.cat([x, above], 2))[..., 0]
