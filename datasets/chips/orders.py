"""In which order chips lie in a bet."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from datasets.camera import Rng


def bet_order(rng: Rng, colours: Sequence[str], most: int = 20) -> tuple[str, ...]:
    """1 to ``most`` chips in one to three of ``colours``, from the bottom up.

    Nine in ten are stacked as dealers ask for (``colours``' order, the first at the bottom), the others anyhow.
    """
    count = int(rng.integers(1, most + 1))
    chosen = rng.choice(len(colours), min(int(rng.integers(1, 4)), len(colours), count), replace=False)
    order = np.concatenate([chosen, rng.choice(chosen, count - len(chosen))])
    if rng.random() < 0.9:
        order = np.sort(order)
    return tuple(colours[int(k)] for k in order)
