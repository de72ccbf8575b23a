"""How often somebody may ask: buckets that fill at a steady rate. Pure but for the clock, which is handed in."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

KNOWN: Final = 1024
"""So many askers are remembered; of more, those that asked longest ago are forgotten."""


@dataclass(frozen=True)
class Rate:
    """``burst`` at once, and ``per_second`` from then on."""

    per_second: float
    burst: float


class Limiter:
    """Counts what each asker has left. Used by one thread."""

    def __init__(self, rate: Rate, clock: Callable[[], float]) -> None:
        self._rate, self._clock = rate, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allow(self, who: str) -> bool:
        """Whether ``who`` may ask now; counts as asking where so."""
        now = self._clock()
        left, at = self._left.pop(who, (self._rate.burst, now))
        left = min(self._rate.burst, left + (now - at) * self._rate.per_second)
        allowed = left >= 1
        self._left[who] = (left - 1 if allowed else left, now)
        while len(self._left) > KNOWN:
            self._left.popitem(last=False)
        return allowed
