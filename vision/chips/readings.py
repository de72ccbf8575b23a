"""What a stack may be whose count or colours are open: several counts, each with its likeliest orders of colours."""

from __future__ import annotations

from collections.abc import Sequence

from vision.chips.naming import Named
from vision.chips.orders import several

ORDERS, MOST_SAID, LEAST = 4, 8, 0.003
"""So many orders of each count, so many in all, and none less likely than that, are told."""


def readings(ways: Sequence[tuple[Named, float]]) -> tuple[tuple[tuple[str, ...], float], ...]:
    """The likeliest orders from the bottom up, each with its chance; ``ways`` are counts with theirs."""
    found = [
        (tuple(named.names[k] for k in order.colours), chance * order.chance)
        for named, chance in ways
        for order in several(named.chances, named.alike, ORDERS)
    ]
    found.sort(key=lambda it: -it[1])
    return tuple((order, min(chance, 1.0)) for order, chance in found[:MOST_SAID] if chance >= LEAST)
