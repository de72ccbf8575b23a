"""What a stack may be whose count or colours are open: several counts, each with its likeliest orders of colours."""

from __future__ import annotations

from collections.abc import Sequence

from vision.chips.naming import Named
from vision.chips.orders import Order, several

ORDERS, MOST_SAID, LEAST = 4, 12, 0.003
"""So many orders of each count, so many in all, and none less likely than that, are told."""
MANY, LITTLE = 12, 0.95
"""So many of a count whose first orders come to less than this (a chance): of chips whose colours alternate the true
order is often not among the first few."""


def readings(ways: Sequence[tuple[Named, float]]) -> tuple[tuple[tuple[str, ...], float], ...]:
    """The likeliest orders from the bottom up, each with its chance; ``ways`` are counts with theirs."""
    found = [
        (tuple(named.names[k] for k in order.colours), chance * order.chance)
        for named, chance in ways
        for order in _orders(named)
    ]
    found.sort(key=lambda it: -it[1])
    return tuple((order, min(chance, 1.0)) for order, chance in found[:MOST_SAID] if chance >= LEAST)


def _orders(named: Named) -> list[Order]:
    orders = several(named.chances, named.alike, ORDERS)
    plain = len(orders) < ORDERS or sum(order.chance for order in orders) >= LITTLE
    return orders if plain else several(named.chances, named.alike, MANY)
