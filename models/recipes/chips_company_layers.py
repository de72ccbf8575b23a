"""The layers of the network that sees a picture's finds together. Imports torch: only the recipe opens this module."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.nn import functional

from models.recipes.chips_layers import Again, block
from models.recipes.chips_naming_layers import LAYERS, WIDE, Layer
from vision.chips.company import KINDS
from vision.chips.values import COLOURS

HIGH = 3
"""What is seen is kept apart in so many heights."""
MOST_FAR = 6.0
"""No fact counts as farther off the usual, in standard deviations."""


class CompanyNetwork(nn.Module):  # type: ignore[misc]
    """See `vision.chips.company`: what it is given, and what it says."""

    def __init__(self, known: int) -> None:
        """``known``: how many facts there are of each find."""
        super().__init__()
        self.register_buffer("mean", torch.zeros(known))
        self.register_buffer("scale", torch.ones(known))
        self.eye = nn.Sequential(
            block(3, 12, (5, 5)), block(12, 24), block(24, 48), Again(48), block(48, 80), Again(80)
        )
        self.seen = nn.Linear(2 * 80 * HIGH, WIDE)
        self.read = nn.Sequential(nn.Linear(known, WIDE), nn.ReLU(inplace=True), nn.Linear(WIDE, WIDE))
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.last = nn.LayerNorm(WIDE)
        self.said = nn.Linear(WIDE, KINDS + len(COLOURS))
        nn.init.zeros_(self.said.weight)
        nn.init.zeros_(self.said.bias)

    def forward(self, looks: Any, facts: Any, places: Any) -> Any:
        """One picture's N finds: N x (kinds and colours), to be added to what was read."""
        each = self.by_itself(looks, torch.cat([facts, places], 1))
        return self.compared(each[None], torch.zeros(1, each.shape[0]))[0]

    def by_itself(self, looks: Any, facts: Any) -> Any:
        """N x WIDE: what is known of each find."""
        x = self.eye(looks)
        rows = x.reshape(x.shape[0], x.shape[1], HIGH, x.shape[2] // HIGH * x.shape[3])
        seen = torch.cat([rows.mean(3), rows.amax(3)], 1).flatten(1)
        known = ((facts - self.mean) / self.scale).clamp(-MOST_FAR, MOST_FAR)
        return functional.relu(self.seen(seen)) + self.read(known)

    def compared(self, each: Any, absent: Any) -> Any:
        """B x N x (kinds and colours), in sight of each other; -1e4 where nothing is (``absent``)."""
        for layer in self.layers:
            each = layer(each, absent)
        return self.said(self.last(each))
